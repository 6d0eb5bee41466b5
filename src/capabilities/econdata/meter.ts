// Counts the calls to the provider: takes each attempt from the day's quota, and records the results by
// endpoint.
import { and, eq, sql } from "drizzle-orm";
import { ECONDATA_CALLS_PER_DAY } from "../../limits.ts";
import type { Clock } from "../../platform/clock.ts";
import { Busy } from "../../platform/errors.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import { type QuotaState, quota } from "../../platform/upstream/quota.ts";
import { econ_calls } from "./tables.ts";

/** The provider's time zone: its day ends at midnight in Chicago. */
export const ECON_ZONE = "America/Chicago";

/** A request to the provider. The object's identity identifies the call. */
export interface CountedRequest {
  readonly url: string;
  readonly overQuota?: boolean;
}

export interface DayOfCalls {
  readonly day: string;
  readonly endpoint: string;
  readonly calls: number;
  readonly successes: number;
  readonly records: number;
}

export interface EconMeter {
  /**
   * Counts one attempt. Throws Busy `daily_limit_reached` when none is left; the attempt must then not be
   * made.
   */
  beforeAttempt(request: CountedRequest): void;
  /** Records that the last attempt of a request returned data. */
  answered(request: CountedRequest, records: number): void;
  state(): QuotaState;
  /** Calls since `day`, by day and endpoint. */
  since(day: string): DayOfCalls[];
}

const endpointOf = (url: string): string => new URL(url).pathname.replace(/^\/fred\//, "");

export function dailyLimitReached({ limit, resetsAt }: QuotaState, nowMs: number): Busy {
  const text = `The ${limit} calls a day to the economic-data provider are used up, and there is no stored copy of this answer.`;
  return new Busy("daily_limit_reached", text, {
    upstream: "fred",
    hint: `The quota resets at midnight in Chicago, ${resetsAt.toString()}.`,
    retryAfterS: Math.max(1, Math.ceil((resetsAt.epochMilliseconds - nowMs) / 1000)),
  });
}

export function econMeter({ store, clock }: { readonly store: Store; readonly clock: Clock }): EconMeter {
  const allowance = quota(
    { upstream: "fred", limit: ECONDATA_CALLS_PER_DAY, zone: ECON_ZONE },
    { store, clock },
  );
  /**
   * The day on which each request was last counted, so that an answer after midnight belongs to its call's
   * day.
   */
  const countedOn = new WeakMap<CountedRequest, string>();

  const addCall = (day: string, endpoint: string): void =>
    store.use((db) => {
      db.insert(econ_calls)
        .values({ day, endpoint, calls: 1, successes: 0, records: 0 })
        .onConflictDoUpdate({
          target: [econ_calls.day, econ_calls.endpoint],
          set: { calls: sql`${econ_calls.calls} + 1` },
        })
        .run();
    });

  return {
    beforeAttempt(request) {
      const state = store.write(() => {
        const taken = allowance.take({ unchecked: request.overQuota === true });
        if (taken.allowed) addCall(taken.day, endpointOf(request.url));
        return taken;
      });
      if (!state.allowed) throw dailyLimitReached(state, clock.nowMs());
      countedOn.set(request, state.day);
    },
    answered(request, records) {
      const day = countedOn.get(request);
      if (day === undefined) return;
      store.use((db) =>
        db
          .update(econ_calls)
          .set({
            successes: sql`${econ_calls.successes} + 1`,
            records: sql`${econ_calls.records} + ${records}`,
          })
          .where(and(eq(econ_calls.day, day), eq(econ_calls.endpoint, endpointOf(request.url))))
          .run(),
      );
    },
    state: () => allowance.peek(),
    since: (day) =>
      store.use((db) => db.select().from(econ_calls).where(sql`${econ_calls.day} >= ${day}`).all()),
  };
}
