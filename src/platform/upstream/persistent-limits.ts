// Limits that outlive the process, in SQLite: the spacing of requests to a provider, and its breaker.
import { eq } from "drizzle-orm";
import type { Clock } from "../clock.ts";
import { instantMs, instantText } from "../instant-text.ts";
import type { Store } from "../sqlite/sqlite.ts";
import { upstream_limits } from "../sqlite/tables.ts";
import type { BreakerStore } from "./breaker.ts";
import type { UpstreamRequest } from "./policy.ts";

export interface PersistentLimits {
  readonly breakerStore: BreakerStore;
  /** Waits for the turn of this request among those of all processes, earlier ones included. */
  beforeAttempt(request: Pick<UpstreamRequest, "signal">): Promise<void>;
}

/** Most turns taken ahead of now; a machine clock set back must not make a request wait longer. */
// At 10 s a turn and a clock set back by an hour, a request waits 100 s and not an hour.
const TURNS_AHEAD_MAX = 10;

/** For a provider that counts the requests of one address over tens of minutes, across restarts. */
export function persistentLimits(
  policy: { readonly name: string; readonly spacingMsMin: number },
  { store, clock }: { readonly store: Store; readonly clock: Clock },
): PersistentLimits {
  const { name: upstream, spacingMsMin } = policy;
  type Row = typeof upstream_limits.$inferInsert;
  const find = () =>
    store.use((db) => db.select().from(upstream_limits).where(eq(upstream_limits.upstream, upstream)).get());
  const put = (set: Partial<Row>) =>
    store.use((db) =>
      db
        .insert(upstream_limits)
        .values({ upstream, openings: 0, ...set })
        .onConflictDoUpdate({ target: upstream_limits.upstream, set })
        .run(),
    );
  const takeTurn = (nowMs: number): number =>
    store.write(() => {
      const last = find()?.asked_at;
      const earliest = last ? instantMs(last) + spacingMsMin : nowMs;
      const turnMs = Math.min(Math.max(nowMs, earliest), nowMs + TURNS_AHEAD_MAX * spacingMsMin);
      put({ asked_at: instantText(turnMs) });
      return turnMs;
    });

  return {
    breakerStore: {
      load() {
        const row = find();
        if (!row?.open_until) return null;
        const because = row.because ?? "failures";
        return { openings: row.openings, openUntilMs: instantMs(row.open_until), because };
      },
      save(mark) {
        if (!mark) return void put({ openings: 0, open_until: null, because: null });
        const { openings, openUntilMs, because } = mark;
        put({ openings, open_until: instantText(openUntilMs), because });
      },
    },
    async beforeAttempt({ signal }) {
      const nowMs = clock.nowMs();
      await clock.sleep(takeTurn(nowMs) - nowMs, signal);
    },
  };
}
