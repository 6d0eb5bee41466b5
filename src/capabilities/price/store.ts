// What the price capability keeps: bars and actions in the lake, what is known of symbols and gaps in SQLite.
import { eq, inArray } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { barsDaily } from "../../datasets/bars-daily.ts";
import { barsDailyRevisions } from "../../datasets/bars-daily-revisions.ts";
import { barsIntraday } from "../../datasets/bars-intraday.ts";
import { corporateActions } from "../../datasets/corporate-actions.ts";
import { UNKNOWN_TICKER_CACHE_S } from "../../limits.ts";
import type { DailyBar } from "../../market/bar.ts";
import type { DateRange } from "../../market/time-span.ts";
import type { Clock } from "../../platform/clock.ts";
import type { NotFound } from "../../platform/errors.ts";
import { instantText } from "../../platform/instant-text.ts";
import { batchOf, type Lake, type Params } from "../../platform/lake.ts";
import type { Store } from "../../platform/sqlite.ts";
import { actions_checked, instruments } from "../../platform/tables.ts";
import { absencesOf, forgetAbsences, saveAbsences } from "./absences.ts";
import type { Fetched } from "./collect.ts";
import type { Absence, Life } from "./gaps.ts";
import { barRow, newActions, revised } from "./incoming.ts";
import type { SourceAnswer } from "./sources.ts";

/** What is known of one symbol. */
export interface SymbolFacts {
  readonly life: Life | null;
  readonly currency: string | null;
  readonly name: string | null;
  /** Every action with an ex date up to this day is known; null when nothing is stored. */
  readonly actionsThrough: string | null;
  /** Bars stored within the ranges asked about, and the sum of their days since 1970: together they tell a whole set. */
  readonly stored: number;
  readonly storedDaySum: number;
}

const NOTHING: SymbolFacts = {
  life: null,
  currency: null,
  name: null,
  actionsThrough: null,
  stored: 0,
  storedDaySum: 0,
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

const at = (asOf: Temporal.Instant | null) => (asOf === null ? null : asOf.toString());

/** Opens the store over the lake and the operational database. */
export function priceStore({ lake, sqlite, clock }: { lake: Lake; sqlite: Store; clock: Clock }) {
  const unknown = new LRUCache<string, { error: NotFound; until: number }>({ max: 10_000 });

  const saveFacts = (batch: readonly Fetched[]) => {
    const now = instantText(clock.nowMs());
    sqlite.write((tx) => {
      for (const { symbol, answer, life, absent, settled, actionsThrough, source } of batch) {
        const facts = {
          name: answer.meta.name,
          currency: answer.meta.currency,
          exchange: answer.meta.exchange_name,
          timezone: life.timezone,
          instrument_type: life.instrument_type,
          first_trade_date: life.first_trade_date,
          last_trade_date: life.last_trade_date,
          source,
          fetched_at: now,
        };
        tx.insert(instruments)
          .values({ symbol, ...facts })
          .onConflictDoUpdate({ target: instruments.symbol, set: facts })
          .run();
        const checked = { through_date: actionsThrough, checked_at: now };
        tx.insert(actions_checked)
          .values({ symbol, ...checked })
          .onConflictDoUpdate({ target: actions_checked.symbol, set: checked })
          .run();
        saveAbsences(tx, symbol, absent, now);
        forgetAbsences(
          tx,
          symbol,
          settled.map((b) => b.date),
        );
      }
    });
  };

  return {
    /** Every symbol met so far, ascending. */
    symbols: () =>
      sqlite
        .use((db) =>
          db.select({ symbol: instruments.symbol }).from(instruments).orderBy(instruments.symbol).all(),
        )
        .map((r) => r.symbol),

    /** What is known of symbols; `stored` counts bars within the ranges (none asked: 0). */
    async facts(
      symbols: readonly string[],
      ranges: readonly DateRange[],
    ): Promise<(symbol: string) => SymbolFacts> {
      const list = [...symbols];
      const [lives, checked] = sqlite.use((db) => [
        db.select().from(instruments).where(inArray(instruments.symbol, list)).all(),
        db.select().from(actions_checked).where(inArray(actions_checked.symbol, list)).all(),
      ]);
      const known = new Map(lives.map((r) => [r.symbol, r]));
      const through = new Map(checked.map((r) => [r.symbol, r.through_date]));
      const range = within(ranges);
      const counts =
        ranges.length === 0
          ? []
          : await lake.query<{ symbol: string; stored: number; day_sum: number }>(
              `SELECT symbol, count(*) AS stored, CAST(sum(date - DATE '1970-01-01') AS BIGINT) AS day_sum
               FROM bars_daily WHERE symbol = ANY($symbols) AND ${range.sql} GROUP BY symbol`,
              { ...range.params, symbols: list },
            );
      const stored = new Map(counts.map((c) => [c.symbol, c]));
      return (symbol) => {
        const life = known.get(symbol);
        const count = stored.get(symbol);
        return {
          ...NOTHING,
          ...(life ? { life, currency: life.currency, name: life.name } : {}),
          actionsThrough: through.get(symbol) ?? null,
          stored: count?.stored ?? 0,
          storedDaySum: count?.day_sum ?? 0,
        };
      };
    },

    /** Stored days within the ranges, and days known to be empty, by symbol. */
    async days(symbols: readonly string[], ranges: readonly DateRange[]) {
      if (symbols.length === 0)
        return [new Map<string, Set<string>>(), new Map<string, Absence[]>()] as const;
      const range = within(ranges);
      const { columns, rowCount } = await lake.columns(
        `SELECT symbol, date FROM bars_daily WHERE symbol = ANY($symbols) AND ${range.sql}`,
        { ...range.params, symbols },
      );
      const days = new Map<string, Set<string>>();
      for (let i = 0; i < rowCount; i++) {
        const symbol = String(columns[0]?.[i]);
        const set = days.get(symbol) ?? new Set<string>();
        days.set(symbol, set.add(String(columns[1]?.[i])));
      }
      const absences = sqlite.use((db) => absencesOf(db, symbols));
      return [days, absences] as const;
    },

    /** Stores fetches: bars whose day is not stored yet, actions that are new, differing later values as revisions. */
    async save(batch: readonly Fetched[]): Promise<void> {
      const bars = batch.flatMap((f) => f.settled.map((bar) => barRow(f, bar)));
      const actions = await newActions(lake, batch);
      const written = await lake.append([batchOf(corporateActions, actions), batchOf(barsDaily, bars)]);
      const overlap = written.some((w) => w.dataset === barsDaily.name && w.skipped > 0);
      if (overlap) await lake.append([batchOf(barsDailyRevisions, await revised(lake, batch))]);
      saveFacts(batch);
    },

    /** Stores intraday bars of sessions that are over; a bar stored before stays. */
    async saveIntraday(
      symbol: string,
      interval: string,
      source: string,
      answer: SourceAnswer,
    ): Promise<void> {
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
    rememberUnknown(symbol: string, error: NotFound, missing: readonly string[]): void {
      unknown.set(symbol, { error, until: clock.nowMs() + UNKNOWN_TICKER_CACHE_S * 1000 });
      sqlite.write((tx) => {
        const [life] = tx.select().from(instruments).where(eq(instruments.symbol, symbol)).all();
        const absent = missing.map((date) => ({ date, kind: "absent" as const }));
        if (life) saveAbsences(tx, symbol, absent, instantText(clock.nowMs()));
      });
    },
    /** The provider's recent "no such symbol". */
    unknown(symbol: string): NotFound | null {
      const entry = unknown.get(symbol);
      return entry && entry.until > clock.nowMs() ? entry.error : null;
    },

    /** Stored bars, adjusted to one basis, by column: symbol, date, open, high, low, close, volume, adj_close; by symbol, then date. */
    bars(
      symbols: readonly string[],
      ranges: readonly DateRange[],
      asOf: Temporal.Instant | null,
      signal?: AbortSignal,
    ) {
      const range = within(ranges);
      return lake.columns(
        `SELECT symbol, date, open, high, low, close, volume, adj_close FROM bars(CAST($as_of AS TIMESTAMPTZ))
         WHERE symbol = ANY($symbols) AND ${range.sql} ORDER BY symbol, date`,
        { ...range.params, symbols, as_of: at(asOf) },
        { signal },
      );
    },

    /** When the newest stored bar of the ranges became known, and the newest basis among them. */
    async freshness(symbol: string, ranges: readonly DateRange[], asOf: Temporal.Instant | null) {
      const range = within(ranges);
      const [row] = await lake.query<{
        known_at: string | null;
        basis_date: string | null;
        source: string | null;
      }>(
        `SELECT max(known_at) AS known_at, max(basis_date) AS basis_date, max(source) AS source FROM bars_daily
         WHERE symbol = $symbol AND ${range.sql} AND ($as_of IS NULL OR known_at <= CAST($as_of AS TIMESTAMPTZ))`,
        { ...range.params, symbol, as_of: at(asOf) },
      );
      return row ?? { known_at: null, basis_date: null, source: null };
    },

    /** Splits and dividends with an ex date in the ranges, amounts on the same basis as `bars`. */
    actions(symbols: readonly string[], ranges: readonly DateRange[], asOf: Temporal.Instant | null) {
      const range = within(ranges, "ex_date");
      return lake.query<{
        symbol: string;
        ex_date: string;
        kind: string;
        amount: number | null;
        ratio: number | null;
      }>(
        `SELECT symbol, ex_date, kind, amount, numerator / denominator AS ratio FROM scaled_actions(CAST($as_of AS TIMESTAMPTZ))
         WHERE symbol = ANY($symbols) AND ${range.sql} ORDER BY symbol, ex_date, kind`,
        { ...range.params, symbols, as_of: at(asOf) },
      );
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
