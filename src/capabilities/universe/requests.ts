// Starts discoveries and builds for the admin routes, the jobs and the command line: one of each at a time,
// under the job's lock.

import type { Services } from "../../market/services.ts";
import { canonical, parseTickers } from "../../market/ticker.ts";
import { Busy, InvalidRequest, NotFound, NotRead } from "../../platform/errors.ts";
import type { Job, JobContext } from "../../platform/jobs/job.ts";
import { ulid } from "../../platform/lake/ulid.ts";
import type { BuildRequest, SnapshotBuilder } from "./build.ts";
import type { BuildLedger, BuildPlan, BuildProgress, BuildRow } from "./build-ledger.ts";
import type { Discover, DiscoverRequest } from "./discover.ts";
import { lastSettledMonth, monthBefore, monthsBetween } from "./months.ts";
import type { DiscoverAnswer } from "./schema.ts";

export const DISCOVER_JOB = "universe-discover";
export const SNAPSHOTS_JOB = "universe-snapshots";
const START_MONTH = "2016-01";

export interface BuildRequestFields {
  readonly start_month?: string | undefined;
  readonly end_month?: string | undefined;
  readonly tickers?: readonly string[] | undefined;
  readonly force?: boolean | undefined;
}

/** A build that has begun. `done` never rejects: the build's row says how it ended. */
export interface Begun {
  readonly job_id: string;
  readonly done: Promise<unknown>;
}

export interface RequestDeps extends Pick<Services, "runNow" | "calendar" | "clock"> {
  readonly discover: Discover;
  readonly builder: SnapshotBuilder;
  readonly builds: BuildLedger;
}

const running = (what: string, hint?: string) =>
  new Busy("already_running", `${what} is running already.`, hint === undefined ? {} : { hint });

/** The months of a request, ascending. Throws InvalidRequest. */
function monthsOf(
  { start_month = START_MONTH, end_month }: BuildRequestFields,
  { calendar, clock }: Pick<RequestDeps, "calendar" | "clock">,
): string[] {
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
      `end_month ${end} is earlier than start_month ${start_month}.`,
    );
  if (end > newest)
    throw new InvalidRequest(
      "invalid_date_range",
      `The last close of ${end} is not settled: the newest month that can be built is ${newest}.`,
    );
  if (!calendar.covers(`${start_month}-01`))
    throw new InvalidRequest(
      "invalid_date_range",
      `start_month must not be earlier than ${calendar.firstDate.slice(0, 7)}, where the exchange calendar begins.`,
    );
  return monthsBetween(start_month, end);
}

/**
 * Plans what a request builds. Throws InvalidRequest, and NotFound for unknown tickers or an empty registry.
 */
function planOf(
  fields: BuildRequestFields,
  deps: Pick<RequestDeps, "builder" | "calendar" | "clock">,
): { request: BuildRequest; plan: BuildPlan } {
  const { builder } = deps;
  const months = monthsOf(fields, deps);
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
    throw new NotRead("The registry has no listing to build snapshots of.", {
      hint: "POST /api/v1/universe/admin/discover reads the lists of the exchanges.",
    });
  const force = fields.force ?? false;
  const [start_month = START_MONTH, end_month = start_month] = [months[0], months.at(-1)];
  return {
    request: { months, symbols, force },
    plan: { start_month, end_month, months: months.length, tickers, force },
  };
}

export function universeRequests(deps: RequestDeps) {
  const { discover, builder, builds, runNow, calendar, clock } = deps;

  const work = (
    job_id: string,
    request: BuildRequest,
    onProgress?: (progress: BuildProgress) => BuildProgress,
  ) => {
    return async ({ signal }: JobContext) => ({
      rows: await builds.run(job_id, signal, (progress) =>
        builder.build(request, onProgress ? onProgress(progress) : progress, signal),
      ),
    });
  };

  const beginBuild = (
    fields: BuildRequestFields,
    onProgress?: (progress: BuildProgress) => BuildProgress,
  ): Begun => {
    const { request, plan } = planOf(fields, deps);
    const job_id = ulid(clock.nowMs());
    const run = runNow(SNAPSHOTS_JOB, work(job_id, request, onProgress));
    if (!run.started) {
      const other = builds.running();
      throw running("A build of snapshots", other ? `Its job_id is ${other.job_id}.` : undefined);
    }
    // The run itself starts in a later turn of the event loop, so the row exists by then.
    builds.begin(job_id, plan);
    return { job_id, done: run.done };
  };

  /**
   * The scheduled build: the month that ended last, and the rows of the month before that lacked something
   * when they were computed. Throws when the snapshot of the last month has no rows afterwards.
   */
  const monthly: Job["run"] = async (context) => {
    const month = lastSettledMonth(calendar, clock.now());
    const earlier = monthBefore(month);
    const start_month = (await builder.hasRows(earlier, context.signal)) ? earlier : month;
    const { request, plan } = planOf({ start_month, end_month: month }, deps);
    const job_id = ulid(clock.nowMs());
    builds.begin(job_id, plan);
    const done = await work(job_id, request)(context);
    if (!(await builder.hasRows(month, context.signal)))
      throw new Error(
        `The snapshot of ${month} has no rows, though ${plan.tickers} listings were to be in it`,
      );
    return done;
  };

  return {
    monthly,
    beginBuild,

    /** Reads the lists. Throws as `discover` does, and Busy `already_running` while a discovery runs. */
    async discover(request: DiscoverRequest): Promise<DiscoverAnswer> {
      const outcome: { result?: DiscoverAnswer; error?: unknown } = {};
      const run = runNow(DISCOVER_JOB, async ({ signal }) => {
        try {
          const result = await discover(request, signal);
          outcome.result = result;
          return { rows: result.added + result.updated + result.delisted };
        } catch (error) {
          outcome.error = error;
          throw error;
        }
      });
      if (!run.started) throw running("A reading of the exchanges' lists");
      await run.done;
      if (outcome.result) return outcome.result;
      throw outcome.error ?? new Busy("server_busy", "The service is stopping");
    },

    /** A build. Throws NotFound `not_found` for an unknown id. */
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
