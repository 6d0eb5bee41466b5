// The overlay: one score a ticker and day of what the lake already holds. Its face.
import type { AnyElysia } from "elysia";
import { type Calendar, newYorkDate } from "../../market/calendar.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Job } from "../../platform/jobs/jobs.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import { overlayAnswers } from "./answers.ts";
import type { Weights } from "./formula.ts";
import { scoreCalculator } from "./compute-scores.ts";
import { overlayRoutes } from "./routes.ts";
import type { OverlayLog } from "./sources.ts";
import { overlayStore } from "./store.ts";
import { overlayTopics } from "./topics.ts";

export interface OverlayNeeds {
  readonly lake: Lake;
  readonly sqlite: Store;
  readonly clock: Clock;
  readonly calendar: Calendar;
  readonly log: OverlayLog;
  readonly weights: Weights;
  /** Admin routes are mounted below it. */
  readonly admin: AnyElysia;
}

const SCORES_JOB = "overlay-scores";

/** Composes the capability: its routes, its job, and what the command line runs. */
export function overlay(needs: OverlayNeeds) {
  const { lake, sqlite, clock, calendar, log, weights } = needs;
  const store = overlayStore({ lake, sqlite });
  const calculator = scoreCalculator({ lake, store, calendar, clock, weights });
  const topics = overlayTopics({ store, clock });
  const answers = overlayAnswers({ store, topics, calendar, clock, weights });
  const job: Job = {
    name: SCORES_JOB,
    description:
      "Reckons the overlay scores of the session that has ended, after its file of short volume came in.",
    schedule: "50 22 * * 1-5",
    zone: "America/New_York",
    gate: (at) => calendar.isSession(newYorkDate(at)),
    deadlineMs: 30 * 60_000,
    catchUp: "once",
    async run({ signal, scheduledFor, missed }) {
      // A score of a day that was missed still uses only what could be known by its end.
      const slots = [...new Set([...missed, scheduledFor])].sort();
      const dates = new Set(slots.map((at) => calendar.lastClosedSession(Temporal.Instant.from(at))));
      let rows = 0;
      for (const date of dates) {
        const done = await calculator.computeScore(date, signal);
        log.info("overlay scores reckoned", { date, ...done });
        rows += done.rows;
      }
      return { rows };
    },
  };
  return {
    routes: overlayRoutes(answers, needs.admin),
    jobs: [job] as readonly Job[],
    computeScore: calculator.computeScore,
  };
}
