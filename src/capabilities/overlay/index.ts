// The overlay capability: one score per ticker and day, computed from what is already stored.
import type { AnyElysia } from "elysia";
import { newYorkDate } from "../../market/calendar.ts";
import type { Services } from "../../market/services.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import { type Job, RunSkipped } from "../../platform/jobs/job.ts";
import type { Log } from "../../platform/log.ts";
import { overlayAnswers } from "./answers.ts";
import { scoreCalculator } from "./compute-scores.ts";
import type { Weights } from "./formula.ts";
import { lateInputs } from "./late-inputs.ts";
import { overlayRoutes } from "./routes.ts";
import { overlayStore } from "./store.ts";
import { overlayTopics } from "./topics.ts";

export interface OverlayDeps extends Pick<Services, "lake" | "sqlite" | "clock" | "calendar"> {
  readonly log: Pick<Log, "info">;
  readonly weights: Weights;
  /** Guards the admin routes. */
  readonly admin: AnyElysia;
}

const SCORES_JOB = "overlay-scores";

/** Builds the capability: its routes, its job, and the computation that the command line runs. */
export function overlay(deps: OverlayDeps) {
  const { lake, sqlite, clock, calendar, log, weights } = deps;
  const store = overlayStore({ lake, sqlite });
  const calculator = scoreCalculator({ lake, store, calendar, clock, weights });
  const topics = overlayTopics({ store, clock });
  const answers = overlayAnswers({ store, topics, calendar, clock, weights });
  const late = lateInputs({ lake, calendar, store });
  const scoreAll = async (dates: Iterable<string>, signal: AbortSignal): Promise<number> => {
    let rows = 0;
    for (const date of dates) {
      const done = await calculator.computeScore(date, signal);
      log.info("overlay scores computed", { date, ...done });
      rows += done.rows;
    }
    return rows;
  };
  /**
   * Throws when no ticker has a score for a session: its short-volume file names thousands, so an input is
   * missing.
   */
  const demandScores = (date: string) => {
    if (store.runs().find((run) => run.date === date)?.tickers === 0)
      throw new Error(`No ticker has a score for ${date}: the inputs are missing`);
  };
  /**
   * Throws RunSkipped when no session was ever scored: what has never been there is waited for, and its lack
   * is no failure.
   */
  const demandInputs = async (signal: AbortSignal) => {
    if (store.runs().some(({ tickers }) => tickers > 0)) return;
    const lacking = (await store.inputs(signal)).flatMap(({ input, last_date }) =>
      last_date === null ? [input] : [],
    );
    const stored = lacking.length > 0 ? `Nothing is stored yet of: ${lacking.join(", ")}.` : "";
    throw new RunSkipped(`Waiting for its inputs: no ticker could be scored yet. ${stored}`.trim());
  };
  const job: Job = {
    name: SCORES_JOB,
    description:
      "Computes the overlay scores of the session that has ended, after its short-volume file has arrived, and again those of sessions whose inputs arrived later.",
    schedule: "50 22 * * 1-5",
    zone: "America/New_York",
    gate: (at) => calendar.isSession(newYorkDate(at)),
    deadlineMs: 30 * 60_000,
    catchUp: "once",
    fills: ["overlay_scores"],
    after: ["short-volume"],
    afterEndOf: ["page-views", "ownership-ingest", "ownership-enrichment"],
    ofDay(date) {
      if (
        !calendar.covers(date) ||
        !calendar.isSession(date) ||
        date > calendar.lastClosedSession(clock.now())
      )
        throw new InvalidRequest("bad_request", `${date} is not a session that has ended.`);
      return async ({ signal }) => {
        const rows = await scoreAll([date], signal);
        demandScores(date);
        return { rows };
      };
    },
    async run({ signal, scheduledFor, missed }) {
      // A missed day is scored late, but only from what could be known by its end.
      const slots = [...new Set([...missed, scheduledFor])].sort();
      const dates = new Set(slots.map((at) => calendar.lastClosedSession(Temporal.Instant.from(at))));
      const newest = [...dates].at(-1) ?? "";
      const again = await late.sessions(newest, signal);
      const rows = await scoreAll(new Set([...dates, ...again].sort()), signal);
      await demandInputs(signal);
      demandScores(newest);
      return { rows };
    },
  };
  return {
    routes: overlayRoutes(answers, deps.admin),
    jobs: [job] as readonly Job[],
    computeScore: calculator.computeScore,
  };
}
