// A provider's daily quota, counted in SQLite before each call: all processes and restarts share the count.
import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { Clock } from "../clock.ts";
import type { Store } from "../sqlite/sqlite.ts";
import { quota_counts } from "../sqlite/tables.ts";

export interface QuotaState {
  readonly allowed: boolean;
  /** The provider's day, YYYY-MM-DD. */
  readonly day: string;
  /** Calls counted today, this one included when it is allowed. */
  readonly used: number;
  readonly limit: number;
  /** The provider's next midnight. */
  readonly resetsAt: Temporal.Instant;
}

export interface Quota {
  /**
   * Counts one call if one is left; `unchecked` counts it regardless of the limit. Throws StorageUnavailable.
   */
  take(options?: { unchecked?: boolean }): QuotaState;
  /** The state as `take` would find it, without counting. */
  peek(): QuotaState;
  /** Calls by day, newest first, without days that had none. */
  history(daysMax: number): { date: string; calls: number }[];
}

/** `zone`: time zone whose midnight ends the provider's day, e.g. America/Chicago. */
export function quota(
  allowance: { readonly upstream: string; readonly limit: number; readonly zone: string },
  deps: { readonly store: Store; readonly clock: Clock },
): Quota {
  const { upstream, limit, zone } = allowance;
  const { store, clock } = deps;

  const today = () => {
    const day = clock.now().toZonedDateTimeISO(zone).toPlainDate();
    // startOfDay, since a zone may skip midnight itself on a day its clocks change.
    const resetsAt = day.add({ days: 1 }).toZonedDateTime({ timeZone: zone }).startOfDay().toInstant();
    return { day: day.toString(), resetsAt };
  };
  const usedOn = (day: string): number =>
    store.use((db) =>
      db
        .select({ calls: quota_counts.calls })
        .from(quota_counts)
        .where(and(eq(quota_counts.upstream, upstream), eq(quota_counts.day, day)))
        .get(),
    )?.calls ?? 0;

  return {
    take({ unchecked = false } = {}) {
      const { day, resetsAt } = today();
      if (!unchecked && limit <= 0) return { allowed: false, day, used: usedOn(day), limit, resetsAt };
      // One statement: two processes can never both take the last call.
      const row = store.use((db) =>
        db
          .insert(quota_counts)
          .values({ upstream, day, calls: 1 })
          .onConflictDoUpdate({
            target: [quota_counts.upstream, quota_counts.day],
            set: { calls: sql`${quota_counts.calls} + 1` },
            ...(unchecked ? {} : { setWhere: lt(quota_counts.calls, limit) }),
          })
          .returning({ calls: quota_counts.calls })
          .get(),
      ) as { calls: number } | undefined;
      return { allowed: row !== undefined, day, used: row?.calls ?? usedOn(day), limit, resetsAt };
    },
    peek() {
      const { day, resetsAt } = today();
      const used = usedOn(day);
      return { allowed: used < limit, day, used, limit, resetsAt };
    },
    history: (daysMax) =>
      store.use((db) =>
        db
          .select({ date: quota_counts.day, calls: quota_counts.calls })
          .from(quota_counts)
          .where(eq(quota_counts.upstream, upstream))
          .orderBy(desc(quota_counts.day))
          .limit(daysMax)
          .all(),
      ),
  };
}
