// What the price capability keeps: bars and actions in the lake, what is known of symbols and gaps in SQLite.

import { eq, inArray, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { barsDaily, FINAL_BASIS } from "../../datasets/bars-daily.ts";
import { barsDailyRevisions } from "../../datasets/bars-daily-revisions.ts";
import { barsIntraday } from "../../datasets/bars-intraday.ts";
import { corporateActions } from "../../datasets/corporate-actions.ts";
import { actions_checked } from "../../datasets/tables.ts";
import { UNKNOWN_TICKER_CACHE_S } from "../../limits.ts";
import type { DailyBar } from "../../market/bar.ts";
import type { BarHistory } from "../../market/bar-history.ts";
import type { DateRange } from "../../market/time-span.ts";
import type { Clock } from "../../platform/clock.ts";
import type { NotFound } from "../../platform/errors.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { RowOf } from "../../platform/lake/dataset.ts";
import { batchOf, type Lake, type Params } from "../../platform/lake/lake.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import type { Fetched } from "./fetch-daily.ts";
import type { KnownGap, ListingPeriod } from "./gaps.ts";
import { forgetKnownGaps, knownGapsOf, saveKnownGaps } from "./known-gaps.ts";
import { barRow, newActions, revised } from "./lake-rows.ts";
import { instruments } from "./tables.ts";

/** What is known of one symbol. */
export interface SymbolFacts {
  readonly listing: ListingPeriod | null;
  readonly currency: string | null;
  readonly name: string | null;
  /** Every action with an ex date up to this day is known; null when nothing is stored. */
  readonly actionsThrough: string | null;
}

const NOTHING: SymbolFacts = {
  listing: null,
  currency: null,
  name: null,
  actionsThrough: null,
};

/** A later value of a stored bar, as it was given. */
export interface Revision extends Omit<DailyBar, "dividend" | "split_ratio" | "provisional"> {
  readonly known_at: string;
  readonly source: string;
}

/** `date` within any of the ranges, as SQL with bound values. */
function within(ranges: readonly DateRange[], column = "date"): { sql: string; params: Params } {
  const params: Record<string, string> = {};
  const parts = ranges.map(({ start, end }, i) => {
    params[`end${i}`] = end;
    if (start === null) return `${column} <= CAST($end${i} AS DATE)`;
    params[`start${i}`] = start;
    return `${column} BETWEEN CAST($start${i} AS DATE) AND CAST($end${i} AS DATE)`;
  });
  return { sql: parts.length === 0 ? "true" : `(${parts.join(" OR ")})`, params };
}

/** A condition on `symbol`. An equality reaches through windows and joins to the scan below them, a list does not. */
function among(symbols: readonly string[]): { sql: string; params: Params } {
  const [symbol] = symbols;
  return symbol !== undefined && symbols.length === 1
    ? { sql: "symbol = $symbol", params: { symbol } }
    : { sql: "symbol = ANY($symbols)", params: { symbols } };
}

/** Bars of a company that bore the symbol before are the panel's, and no part of this symbol's history. */
const OWN = `basis_date < DATE '${FINAL_BASIS}'`;

const at = (asOf: Temporal.Instant | null) => (asOf === null ? null : asOf.toString());

/** Opens the store over the lake and the operational database. */
export function priceStore({ lake, sqlite, clock }: { lake: Lake; sqlite: Store; clock: Clock }) {
  const unknown = new LRUCache<string, { error: NotFound; until: number }>({ max: 10_000 });

  const saveFacts = (batch: readonly Fetched[]) => {
    const now = instantText(clock.nowMs());
    sqlite.write((tx) => {
      for (const { symbol, answer, listing, absent, settled, actionsThrough, source } of batch) {
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
        // A source that tells less takes nothing away that another told.
        const kept = {
          name: facts.name ?? sql`${instruments.name}`,
          currency: facts.currency ?? sql`${instruments.currency}`,
          exchange: facts.exchange ?? sql`${instruments.exchange}`,
          timezone: facts.timezone ?? sql`${instruments.timezone}`,
        };
        tx.insert(instruments)
          .values({ symbol, ...facts })
          .onConflictDoUpdate({ target: instruments.symbol, set: { ...facts, ...kept } })
          .run();
        const checked = { through_date: actionsThrough, checked_at: now };
        tx.insert(actions_checked)
          .values({ symbol, ...checked })
          .onConflictDoUpdate({ target: actions_checked.symbol, set: checked })
          .run();
        saveKnownGaps(tx, symbol, absent, now);
        forgetKnownGaps(
          tx,
          symbol,
          settled.map((b) => b.date),
        );
      }
    });
  };

  const factsOf = (symbols: readonly string[]): ((symbol: string) => SymbolFacts) => {
    const list = [...symbols];
    const [lives, checked] = sqlite.use((db) => [
      db.select().from(instruments).where(inArray(instruments.symbol, list)).all(),
      db.select().from(actions_checked).where(inArray(actions_checked.symbol, list)).all(),
    ]);
    const known = new Map(lives.map((r) => [r.symbol, r]));
    const through = new Map(checked.map((r) => [r.symbol, r.through_date]));
    return (symbol) => {
      const listing = known.get(symbol);
      return {
        ...NOTHING,
        ...(listing ? { listing, currency: listing.currency, name: listing.name } : {}),
        actionsThrough: through.get(symbol) ?? null,
      };
    };
  };

  return {
    /** Every symbol met so far, ascending. */
    symbols: () =>
      sqlite
        .use((db) =>
          db.select({ symbol: instruments.symbol }).from(instruments).orderBy(instruments.symbol).all(),
        )
        .map((r) => r.symbol),

    /** What is known of symbols. */
    facts: factsOf,

    /**
     * The same before something is fetched. A symbol may have bars and no such day, where the process was killed between
     * writing the two or the database was lost: then every action since its oldest bar's basis is to be asked for again.
     */
    async factsToFetch(symbols: readonly string[]): Promise<(symbol: string) => SymbolFacts> {
      const facts = factsOf(symbols);
      const open = symbols.filter((symbol) => facts(symbol).actionsThrough === null);
      if (open.length === 0) return facts;
      const own = among(open);
      const rows = await lake.query<{ symbol: string; through_date: string }>(
        `SELECT symbol, min(basis_date) AS through_date FROM bars_daily WHERE ${own.sql} AND ${OWN} GROUP BY symbol`,
        own.params,
      );
      if (rows.length === 0) return facts;
      const checked_at = instantText(clock.nowMs());
      sqlite.write((tx) => {
        for (const row of rows)
          tx.insert(actions_checked)
            .values({ ...row, checked_at })
            .onConflictDoNothing()
            .run();
      });
      return factsOf(symbols);
    },

    /** Days with a stored bar within the ranges, ascending, by symbol. */
    async days(
      symbols: readonly string[],
      ranges: readonly DateRange[],
    ): Promise<(symbol: string) => readonly string[]> {
      const range = within(ranges);
      const own = among(symbols);
      const { columns, rowCount } = await lake.columns(
        `SELECT symbol, date FROM bars_daily WHERE ${own.sql} AND ${range.sql} AND ${OWN} ORDER BY symbol, date`,
        { ...range.params, ...own.params },
      );
      const days = new Map<string, string[]>();
      for (let i = 0; i < rowCount; i++) {
        const symbol = String(columns[0]?.[i]);
        const list = days.get(symbol);
        if (list) list.push(String(columns[1]?.[i]));
        else days.set(symbol, [String(columns[1]?.[i])]);
      }
      return (symbol) => days.get(symbol) ?? [];
    },

    /** Days known to be empty, by symbol. */
    knownGaps: (symbols: readonly string[]) =>
      symbols.length === 0 ? new Map<string, KnownGap[]>() : sqlite.use((db) => knownGapsOf(db, symbols)),

    /** Stores fetches: bars whose day is not stored yet, actions that are new, differing later values as revisions. */
    async save(batch: readonly Fetched[]): Promise<void> {
      const bars = batch.flatMap((f) => f.settled.map((bar) => barRow(f, bar)));
      const actions = await newActions(lake, batch);
      const written = await lake.append([batchOf(corporateActions, actions), batchOf(barsDaily, bars)]);
      const overlap = written.some((w) => w.dataset === barsDaily.name && w.skipped > 0);
      if (overlap) await lake.append([batchOf(barsDailyRevisions, await revised(lake, batch))]);
      saveFacts(batch);
    },

    /** Stores bars of companies that bore a symbol before its present bearer; one stored before stays. */
    async saveFormer(rows: readonly RowOf<typeof barsDaily>[]): Promise<void> {
      if (rows.length > 0) await lake.append([batchOf(barsDaily, rows)]);
    },

    /** Stores intraday bars of sessions that are over; a bar stored before stays. */
    async saveIntraday(symbol: string, interval: string, source: string, answer: BarHistory): Promise<void> {
      const rows = answer.bars.map((bar) => ({
        symbol,
        interval,
        at: bar.at.toString(),
        session_date: bar.date,
        session: bar.session,
        open: bar.open,
        high: bar.high,
        low: bar.low,
        close: bar.close,
        volume: bar.volume,
        vwap: null,
        trade_count: null,
        basis_date: answer.basis_date,
        known_at: answer.received_at.toString(),
        source,
      }));
      await lake.append([batchOf(barsIntraday, rows)]);
    },

    /** Sessions of which intraday bars are stored. */
    async intradayDates(symbol: string, interval: string, source: string): Promise<Set<string>> {
      const rows = await lake.query<{ session_date: string }>(
        `SELECT DISTINCT session_date FROM bars_intraday
         WHERE symbol = $symbol AND "interval" = $interval AND source = $source`,
        { symbol, interval, source },
      );
      return new Set(rows.map((r) => r.session_date));
    },

    /** The provider said there is no such symbol: believed for a minute; days it was asked for count as empty. */
    cacheUnknown(symbol: string, error: NotFound, missing: readonly string[]): void {
      unknown.set(symbol, { error, until: clock.nowMs() + UNKNOWN_TICKER_CACHE_S * 1000 });
      sqlite.write((tx) => {
        const [listing] = tx.select().from(instruments).where(eq(instruments.symbol, symbol)).all();
        const absent = missing.map((date) => ({ date, kind: "absent" as const }));
        if (listing) saveKnownGaps(tx, symbol, absent, instantText(clock.nowMs()));
      });
    },
    /** The provider's recent "no such symbol". */
    unknown(symbol: string): NotFound | null {
      const entry = unknown.get(symbol);
      return entry && entry.until > clock.nowMs() ? entry.error : null;
    },

    /**
     * Stored bars, adjusted to one basis, by column: symbol, date, open, high, low, close, volume, adj_close, source;
     * of a single symbol also known_at and basis_date, which over many symbols cost half as much as the prices.
     * By symbol, then date.
     */
    bars(
      symbols: readonly string[],
      ranges: readonly DateRange[],
      asOf: Temporal.Instant | null,
      signal?: AbortSignal,
    ) {
      const range = within(ranges);
      const own = among(symbols);
      const origin = symbols.length === 1 ? ", known_at, basis_date" : "";
      return lake.columns(
        `SELECT symbol, date, open, high, low, close, volume, adj_close, source${origin}
         FROM bars(CAST($as_of AS TIMESTAMPTZ)) WHERE ${own.sql} AND ${range.sql} AND ${OWN} ORDER BY symbol, date`,
        { ...range.params, ...own.params, as_of: at(asOf) },
        { signal },
      );
    },

    /** Splits and dividends with an ex date in the ranges, amounts on the same basis as `bars`. */
    actions(symbols: readonly string[], ranges: readonly DateRange[], asOf: Temporal.Instant | null) {
      const range = within(ranges, "ex_date");
      const own = among(symbols);
      return lake.query<{
        symbol: string;
        ex_date: string;
        kind: string;
        amount: number | null;
        currency: string | null;
        ratio: number | null;
      }>(
        `SELECT symbol, ex_date, kind, amount, currency, numerator / denominator AS ratio FROM scaled_actions(CAST($as_of AS TIMESTAMPTZ))
         WHERE ${own.sql} AND ${range.sql} ORDER BY symbol, ex_date, kind`,
        { ...range.params, ...own.params, as_of: at(asOf) },
      );
    },

    /** The newest ex date up to `day` of what was known by `asOf`: up to it at least `bars` are adjusted. Null: none. */
    async lastExDate(symbol: string, asOf: Temporal.Instant, day: string): Promise<string | null> {
      const [row] = await lake.query<{ ex_date: string | null }>(
        `SELECT max(ex_date) AS ex_date FROM actions(CAST($as_of AS TIMESTAMPTZ))
         WHERE symbol = $symbol AND ex_date <= CAST($day AS DATE)`,
        { symbol, day, as_of: at(asOf) },
      );
      return row?.ex_date ?? null;
    },

    /** Later, differing values of stored bars, oldest knowledge first, on the same basis as `bars`. */
    revisions(
      symbol: string,
      ranges: readonly DateRange[],
      asOf: Temporal.Instant | null,
    ): Promise<Revision[]> {
      const range = within(ranges);
      return lake.query<Revision>(
        `SELECT date, known_at, source, open, high, low, close, volume, adj_close AS adjusted_close
         FROM bar_revisions(CAST($as_of AS TIMESTAMPTZ)) WHERE symbol = $symbol AND ${range.sql} ORDER BY date, known_at`,
        { ...range.params, symbol, as_of: at(asOf) },
      );
    },
  };
}

export type PriceStore = ReturnType<typeof priceStore>;
