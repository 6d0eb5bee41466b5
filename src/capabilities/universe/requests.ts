// What the admin routes, the jobs and the commands ask: one discovery or one build at a time, under the jobs' lock.
import type { Calendar } from "../../market/calendar.ts";
import { canonical, parseTickers } from "../../market/ticker.ts";
import type { Clock } from "../../platform/clock.ts";
import { Busy, InvalidRequest, NotFound } from "../../platform/errors.ts";
import type { Job, JobContext } from "../../platform/jobs/job.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { ulid } from "../../platform/lake/ulid.ts";
import type { BuildAsk, SnapshotBuilder } from "./build.ts";
import type { BuildPlan, BuildRow, Report, SnapshotBuilds } from "./build-ledger.ts";
import type { Discover, DiscoverAsk, Discovered } from "./discover.ts";
import { lastSettledMonth, monthsBetween } from "./months.ts";

export const DISCOVER_JOB = "universe-discover";
export const SNAPSHOTS_JOB = "universe-snapshots";
const START_MONTH = "2016-01";

export interface BuildRequestFields {
  readonly start_month?: string | undefined;
  readonly end_month?: string | undefined;
  readonly tickers?: readonly string[] | undefined;
  readonly force?: boolean | undefined;
}

/** A build that has begun. `done` never rejects; the build's row says how it ended. */
export interface Begun {
  readonly job_id: string;
  readonly done: Promise<unknown>;
}

export interface RequestDeps {
  readonly discover: Discover;
  readonly builder: SnapshotBuilder;
  readonly builds: SnapshotBuilds;
  readonly runNow: Jobs["runNow"];
  readonly calendar: Calendar;
  readonly clock: Clock;
}

const running = (what: string, hint?: string) =>
  new Busy("already_running", `${what} is running already.`, hint === undefined ? {} : { hint });

export function universeRequests(deps: RequestDeps) {
  const { discover, builder, builds, runNow, calendar, clock } = deps;

  const monthsOf = ({ start_month = START_MONTH, end_month }: BuildRequestFields): string[] => {
    const newest = lastSettledMonth(calendar, clock.now());
    const end = end_month ?? newest;
    if (start_month > newest)
      throw new InvalidRequest(
        "invalid_date_range",
        `The last close of ${start_month} is not settled: the newest month that can be built is ${newest}.`,
      );
    if (end < start_month)
      throw new InvalidRequest(
        "invalid_date_range",
        `end_month ${end} lies before start_month ${start_month}.`,
      );
    if (end > newest)
      throw new InvalidRequest(
        "invalid_date_range",
        `The last close of ${end} is not settled: the newest month that can be built is ${newest}.`,
      );
    if (!calendar.covers(`${start_month}-01`))
      throw new InvalidRequest(
        "invalid_date_range",
        `start_month must not lie before ${calendar.firstDate.slice(0, 7)}, where the exchange calendar begins.`,
      );
    return monthsBetween(start_month, end);
  };

  const askOf = (fields: BuildRequestFields): { ask: BuildAsk; plan: BuildPlan } => {
    const months = monthsOf(fields);
    const symbols = fields.tickers ? parseTickers(fields.tickers).tickers.map(({ symbol }) => symbol) : null;
    const unknown = (symbols === null ? [] : builder.unknown(symbols)).map((symbol) =>
      named(symbol, fields.tickers ?? []),
    );
    if (unknown.length > 0)
      throw new NotFound(
        "unknown_ticker",
        `The registry has no listing of ${unknown.slice(0, 5).join(", ")}.`,
        {
          ...(unknown[0] === undefined ? {} : { ticker: unknown[0] }),
          hint: "POST /api/v1/universe/admin/discover reads the lists of the exchanges.",
        },
      );
    const tickers = builder.size(symbols);
    if (tickers === 0)
      throw new NotFound("no_data", "The registry has no listing to build snapshots of.", {
        hint: "POST /api/v1/universe/admin/discover reads the lists of the exchanges.",
      });
    const force = fields.force ?? false;
    const [start_month = START_MONTH, end_month = start_month] = [months[0], months.at(-1)];
    return {
      ask: { months, symbols, force },
      plan: { start_month, end_month, months: months.length, tickers, force },
    };
  };

  const work = (job_id: string, ask: BuildAsk, onReport?: (report: Report) => Report) => {
    return async ({ signal }: JobContext) => ({
      rows: await builds.run(job_id, signal, (report) =>
        builder.build(ask, onReport ? onReport(report) : report, signal),
      ),
    });
  };

  const beginBuild = (fields: BuildRequestFields, onReport?: (report: Report) => Report): Begun => {
    const { ask, plan } = askOf(fields);
    const job_id = ulid(clock.nowMs());
    const run = runNow(SNAPSHOTS_JOB, work(job_id, ask, onReport));
    if (!run.started) {
      const other = builds.running();
      throw running("A build of snapshots", other ? `Its job_id is ${other.job_id}.` : undefined);
    }
    // The run itself begins in a later turn.
    builds.begin(job_id, plan);
    return { job_id, done: run.done };
  };

  /** The scheduled build: the month that ended last. */
  const monthly: Job["run"] = async (context) => {
    const month = lastSettledMonth(calendar, clock.now());
    let asked: ReturnType<typeof askOf>;
    try {
      asked = askOf({ start_month: month, end_month: month });
    } catch (error) {
      // Nothing was discovered yet: nothing to do.
      if (error instanceof NotFound) return { rows: 0 };
      throw error;
    }
    const job_id = ulid(clock.nowMs());
    builds.begin(job_id, asked.plan);
    return work(job_id, asked.ask)(context);
  };

  return {
    monthly,
    beginBuild,

    /** Reads the lists. Throws what reading them throws; Busy `already_running` while that is under way. */
    async discover(ask: DiscoverAsk): Promise<Discovered> {
      const outcome: { result?: Discovered; fault?: unknown } = {};
      const run = runNow(DISCOVER_JOB, async ({ signal }) => {
        try {
          const result = await discover(ask, signal);
          outcome.result = result;
          return { rows: result.added + result.updated + result.delisted };
        } catch (error) {
          outcome.fault = error;
          throw error;
        }
      });
      if (!run.started) throw running("A reading of the exchanges' lists");
      await run.done;
      if (outcome.result) return outcome.result;
      throw outcome.fault ?? new Busy("server_busy", "The service is stopping");
    },

    /** Throws NotFound `not_found` for an id no build has. */
    status(job_id: string): BuildRow {
      const row = builds.find(job_id);
      if (row) return row;
      throw new NotFound("not_found", `There is no build of snapshots with the id ${job_id}.`);
    },
  };
}

/** The ticker as the client wrote it. */
const named = (symbol: string, tickers: readonly string[]) =>
  tickers.find((ticker) => canonical(ticker) === symbol)?.trim() ?? symbol;

export type UniverseRequests = ReturnType<typeof universeRequests>;
