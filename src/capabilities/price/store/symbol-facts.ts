// Keeps facts about symbols in SQLite: their listing, up to which day their actions are known, and their
// known gaps.
import { eq, inArray, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { actions_checked } from "../../../datasets/tables.ts";
import { UNKNOWN_TICKER_CACHE_S } from "../../../limits.ts";
import type { Services } from "../../../market/services.ts";
import type { NotFound } from "../../../platform/errors.ts";
import { instantText } from "../../../platform/instant-text.ts";
import { isReplaying, ofEveryVersion } from "../../../platform/reading.ts";
import type { Fetched } from "../fetched.ts";
import type { KnownGap, ListingPeriod } from "../gaps.ts";
import { instruments } from "../tables.ts";
import { deleteKnownGaps, knownGapsOf, saveKnownGaps } from "./known-gaps.ts";

export interface SymbolFacts {
  readonly listing: ListingPeriod | null;
  readonly currency: string | null;
  readonly name: string | null;
  /** Every action with an ex date up to this day is known; null when nothing is stored. */
  readonly actionsThrough: string | null;
  /** Every action from this day to `actionsThrough` is stored; null when that is not known. */
  readonly actionsFrom: string | null;
}

const UNKNOWN_FACTS: SymbolFacts = {
  listing: null,
  currency: null,
  name: null,
  actionsThrough: null,
  actionsFrom: null,
};

type Db = Parameters<Parameters<Services["sqlite"]["use"]>[0]>[0];

const statementsOf = (db: Db) => ({
  listings: db
    .select()
    .from(instruments)
    .where(eq(instruments.symbol, sql.placeholder("symbol")))
    .prepare(),
  checked: db
    .select()
    .from(actions_checked)
    .where(eq(actions_checked.symbol, sql.placeholder("symbol")))
    .prepare(),
});

/**
 * Reads the rows of symbols. Those of one symbol have statements that are kept: making them takes longer than
 * running them.
 */
function rowsReader() {
  const kept = new WeakMap<Db, ReturnType<typeof statementsOf>>();
  const keptOf = (db: Db) => {
    const statements = kept.get(db) ?? statementsOf(db);
    kept.set(db, statements);
    return statements;
  };
  return function readRows(db: Db, symbols: readonly string[]) {
    const [symbol] = symbols;
    if (symbol !== undefined && symbols.length === 1) {
      const { listings, checked } = keptOf(db);
      return [listings.all({ symbol }), checked.all({ symbol })] as const;
    }
    const list = [...symbols];
    return [
      db.select().from(instruments).where(inArray(instruments.symbol, list)).all(),
      db.select().from(actions_checked).where(inArray(actions_checked.symbol, list)).all(),
    ] as const;
  };
}

/** `actionsFrom` gives the day from which a symbol's actions are complete. */
export function symbolFacts({
  sqlite,
  clock,
  actionsFrom,
}: Pick<Services, "sqlite" | "clock"> & { actionsFrom(symbol: string): string | null }) {
  const unknown = new LRUCache<string, { error: NotFound; until: number }>({ max: 10_000 });
  const readRows = rowsReader();

  const saveInstrument = (tx: Parameters<typeof saveKnownGaps>[0], fetched: Fetched, now: string) => {
    const { symbol, answer, listing, source } = fetched;
    const facts = {
      name: answer.meta.name,
      currency: answer.meta.currency,
      exchange: answer.meta.exchange_name,
      timezone: listing.timezone,
      instrument_type: listing.instrument_type,
      first_trade_date: listing.first_trade_date,
      last_trade_date: listing.last_trade_date,
      source,
      fetched_at: now,
    };
    // A field this source leaves out keeps the value another source gave.
    const nullable = {
      name: facts.name ?? sql`${instruments.name}`,
      currency: facts.currency ?? sql`${instruments.currency}`,
      exchange: facts.exchange ?? sql`${instruments.exchange}`,
      timezone: facts.timezone ?? sql`${instruments.timezone}`,
    };
    tx.insert(instruments)
      .values({ symbol, ...facts })
      .onConflictDoUpdate({ target: instruments.symbol, set: { ...facts, ...nullable } })
      .run();
  };

  return {
    /** Every symbol met so far, ascending. */
    symbols: (): string[] =>
      sqlite
        .use((db) =>
          db.select({ symbol: instruments.symbol }).from(instruments).orderBy(instruments.symbol).all(),
        )
        .map(({ symbol }) => symbol),

    facts(symbols: readonly string[]): (symbol: string) => SymbolFacts {
      // The listing of a symbol belongs to no version; how far its actions have been read does.
      const [listings, checked] = ofEveryVersion(() => sqlite.use((db) => readRows(db, symbols)));
      const known = new Map(listings.map((row) => [row.symbol, row]));
      const through = new Map(isReplaying() ? [] : checked.map((row) => [row.symbol, row.through_date]));
      return (symbol) => {
        const listing = known.get(symbol);
        return {
          ...UNKNOWN_FACTS,
          ...(listing ? { listing, currency: listing.currency, name: listing.name } : {}),
          actionsThrough: through.get(symbol) ?? null,
          actionsFrom: isReplaying() ? null : actionsFrom(symbol),
        };
      };
    },

    /** Notes up to which day actions are known, of symbols that have no such day yet. */
    noteActionsThrough(rows: readonly { readonly symbol: string; readonly through_date: string }[]): void {
      const checked_at = instantText(clock.nowMs());
      sqlite.write((tx) => {
        for (const row of rows)
          tx.insert(actions_checked)
            .values({ ...row, checked_at })
            .onConflictDoNothing()
            .run();
      });
    },

    /** Stores what fetches say of their symbols, and the days they have no bar of. */
    saveFacts(batch: readonly Fetched[]): void {
      const now = instantText(clock.nowMs());
      sqlite.write((tx) => {
        for (const fetched of batch) {
          const { symbol, absent, settled, actionsThrough } = fetched;
          saveInstrument(tx, fetched, now);
          const checked = { through_date: actionsThrough, checked_at: now };
          tx.insert(actions_checked)
            .values({ symbol, ...checked })
            .onConflictDoUpdate({ target: actions_checked.symbol, set: checked })
            .run();
          saveKnownGaps(tx, symbol, absent, now);
          deleteKnownGaps(
            tx,
            symbol,
            settled.map(({ date }) => date),
          );
        }
      });
    },

    /** Days known to be empty, by symbol. */
    knownGaps: (symbols: readonly string[]): Map<string, KnownGap[]> =>
      symbols.length === 0 ? new Map() : ofEveryVersion(() => sqlite.use((db) => knownGapsOf(db, symbols))),

    /** Caches the provider's "no such symbol" for a minute; the days it was asked for count as empty. */
    cacheUnknown(symbol: string, error: NotFound, missing: readonly string[]): void {
      unknown.set(symbol, { error, until: clock.nowMs() + UNKNOWN_TICKER_CACHE_S * 1000 });
      sqlite.write((tx) => {
        const [listing] = tx.select().from(instruments).where(eq(instruments.symbol, symbol)).all();
        const absent = missing.map((date) => ({ date, kind: "absent" as const }));
        if (listing) saveKnownGaps(tx, symbol, absent, instantText(clock.nowMs()));
      });
    },

    /** The cached "no such symbol"; null without one. */
    unknown(symbol: string): NotFound | null {
      const entry = unknown.get(symbol);
      return entry && entry.until > clock.nowMs() ? entry.error : null;
    },
  };
}
