// Storage of dividends: revisions and splits in the lake, followed symbols in the operational database.
import { asc, eq } from "drizzle-orm";
import { corporateActions } from "../../datasets/corporate-actions.ts";
import { dividendCalendar } from "../../datasets/dividend-calendar.ts";
import { dividendDayReadings } from "../../datasets/dividend-day-readings.ts";
import { dividendReadings } from "../../datasets/dividend-readings.ts";
import { basisDay } from "../../market/known-at.ts";
import type { Services } from "../../market/services.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import type { RowOf } from "../../platform/lake/dataset.ts";
import { batchOf } from "../../platform/lake/lake.ts";
import { currentReading } from "../../platform/reading.ts";
import type { DividendRow } from "./revise.ts";
import type { SourceHistory } from "./sources.ts";
import { type SplitFactor, splitFactor } from "./split-basis.ts";
import { dividend_tickers } from "./tables.ts";

export type Followed = typeof dividend_tickers.$inferSelect;

/** The part of a symbol's state that an answer needs. */
export type ReadState = Pick<Followed, "coverage" | "read_at" | "splits_through">;

/** The newest reading of a symbol in a data version. */
export interface StoredReading extends ReadState {
  /** Says which parts could not be read, and why. */
  readonly warnings: readonly string[];
}

/** A dividend as known at as_of. */
export interface StoredDividend extends DividendRow {
  /** When the row was fetched; known_at is when the dividend was public. */
  readonly recorded_at: string;
  readonly backfilled: boolean;
}

/** A dividend with the factor that adjusts its amount for the splits known at as_of. */
export interface KnownDividend extends StoredDividend {
  /** 1 without splits in between; null when one has no known ratio, or when not all of them are known. */
  readonly split_factor: number | null;
}

interface Split {
  readonly ex_date: string;
  /** New shares per old share. */
  readonly ratio: number;
}

interface KnownQuery {
  readonly symbol: string;
  readonly asOf: Temporal.Instant;
  /** The day up to which all splits are stored; null when that is unknown. */
  readonly splitsThrough: string | null;
}

/** Splits as known at a moment, and later ones as known now: amounts that were fetched later include them. */
const SPLITS_OF_MOMENT = `SELECT ex_date, price_factor FROM actions($as_of)
    WHERE symbol = $symbol AND kind = 'split' AND ex_date <= known_day($as_of)
  UNION ALL SELECT ex_date, price_factor FROM actions(NULL)
    WHERE symbol = $symbol AND kind = 'split' AND ex_date > known_day($as_of)`;

const NEWEST = `SELECT * EXCLUDE (recorded) FROM dividend_calendar WHERE {which} QUALIFY row_number() OVER (
  PARTITION BY symbol, ex_dividend_date, dividend_type, part, source ORDER BY known_at DESC) = 1`;

async function knownDividends(
  lake: Services["lake"],
  { symbol, asOf, splitsThrough }: KnownQuery,
  signal: AbortSignal | undefined,
): Promise<readonly KnownDividend[]> {
  const given = { symbol, as_of: asOf.toString() };
  const [rows, splits] = await Promise.all([
    lake.query<StoredDividend>(
      `SELECT * FROM dividends_as_of($as_of) WHERE symbol = $symbol
       ORDER BY ex_dividend_date, dividend_type, part, source`,
      given,
      { signal },
    ),
    lake.query<SplitFactor>(SPLITS_OF_MOMENT, given, { signal }),
  ]);
  const day = basisDay(asOf);
  return rows.map((row) => ({ ...row, split_factor: splitFactor(row, splits, day, splitsThrough) }));
}

/** The newest reading of a symbol that the lake has. */
async function newestReading(
  lake: Services["lake"],
  symbol: string,
  signal: AbortSignal,
): Promise<StoredReading | null> {
  const [row] = await lake.query<ReadState & { readonly warnings: string }>(
    `SELECT coverage, read_at, splits_through, warnings FROM dividend_readings WHERE symbol = $symbol
     ORDER BY known_at DESC, recorded DESC LIMIT 1`,
    { symbol },
    { signal },
  );
  if (!row) return null;
  return { ...row, read_at: instantText(instantMs(row.read_at)), warnings: JSON.parse(row.warnings) };
}

/** When the list of each day of a span was last read; days that never were are absent. */
async function dayReadings(
  lake: Services["lake"],
  span: { readonly from: string; readonly to: string },
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Temporal.Instant>> {
  const rows = await lake.query<{ readonly day: string; readonly read_at: string }>(
    `SELECT ex_dividend_date AS day, max(known_at) AS read_at FROM dividend_day_readings
     WHERE ex_dividend_date BETWEEN CAST($from AS DATE) AND CAST($to AS DATE) GROUP BY ALL`,
    span,
    { signal },
  );
  return new Map(rows.map(({ day, read_at }) => [day, Temporal.Instant.from(read_at)]));
}

/**
 * The time of the commit that made the data version of the request; null outside replays, and where it was
 * not noted.
 */
async function versionMoment(lake: Services["lake"], signal: AbortSignal): Promise<Temporal.Instant | null> {
  const version = currentReading()?.replay?.version;
  if (version === undefined) return null;
  const [commit] = (await lake.commits({ only: [version] }, { signal })).commits;
  return commit?.recorded_at ? Temporal.Instant.from(commit.recorded_at) : null;
}

/** The symbols that clients asked for. */
function followedTickers(sqlite: Services["sqlite"]) {
  return {
    /** State of a symbol that a client asked for; null for all others. */
    followed: (symbol: string): Followed | null =>
      sqlite.use((db) =>
        db.select().from(dividend_tickers).where(eq(dividend_tickers.symbol, symbol)).get(),
      ) ?? null,

    /** Every symbol that a client asked for, least recently read first. */
    followedSymbols: (): string[] =>
      sqlite
        .use((db) =>
          db
            .select({ symbol: dividend_tickers.symbol })
            .from(dividend_tickers)
            .orderBy(asc(dividend_tickers.read_at), asc(dividend_tickers.symbol))
            .all(),
        )
        .map((row) => row.symbol),

    /** Symbols with a history page of their own; the calendar of a day adds nothing about them. */
    covered: (): ReadonlySet<string> =>
      new Set(
        sqlite
          .use((db) =>
            db
              .select({ symbol: dividend_tickers.symbol })
              .from(dividend_tickers)
              .where(eq(dividend_tickers.coverage, "page"))
              .all(),
          )
          .map((row) => row.symbol),
      ),
  };
}

export function dividendStore({ lake, sqlite }: Pick<Services, "lake" | "sqlite">) {
  const newest = (which: string, params: Record<string, string>) =>
    lake.query<DividendRow>(NEWEST.replace("{which}", which), params);

  return {
    ...followedTickers(sqlite),

    readingOf: (symbol: string, signal: AbortSignal) => newestReading(lake, symbol, signal),

    versionMoment: (signal: AbortSignal) => versionMoment(lake, signal),

    /**
     * Notes a reading that ended at `known_at`. The lake is written first, so that no state of now is ahead
     * of its version.
     */
    async follow(row: Followed, warnings: readonly string[], known_at: string): Promise<void> {
      const { symbol, coverage, read_at, splits_through, ...rest } = row;
      const state = { coverage, read_at, splits_through };
      await lake.append([
        batchOf(dividendReadings, [{ symbol, ...state, warnings: JSON.stringify(warnings), known_at }]),
      ]);
      sqlite.write((tx) =>
        tx
          .insert(dividend_tickers)
          .values(row)
          .onConflictDoUpdate({ target: dividend_tickers.symbol, set: { ...rest, ...state } })
          .run(),
      );
    },

    /** Newest revisions of a symbol from one source. */
    ofSymbol: (symbol: string, source: string) =>
      newest("symbol = $symbol AND source = $source", { symbol, source }),

    /** Newest revisions of an ex-dividend day from one source. */
    onDay: (date: string, source: string) =>
      newest("ex_dividend_date = CAST($date AS DATE) AND source = $source", { date, source }),

    /** Stores what the list of a day has new, with the reading itself. Returns the number of new rows. */
    async appendDay(
      rows: readonly DividendRow[],
      reading: RowOf<typeof dividendDayReadings>,
    ): Promise<number> {
      const [appended] = await lake.append([
        batchOf(dividendCalendar, rows),
        batchOf(dividendDayReadings, [reading]),
      ]);
      return appended?.written ?? 0;
    },

    dayReadings: (span: { readonly from: string; readonly to: string }, signal: AbortSignal) =>
      dayReadings(lake, span, signal),

    async append(rows: readonly DividendRow[]): Promise<number> {
      if (rows.length === 0) return 0;
      const [appended] = await lake.append([batchOf(dividendCalendar, rows)]);
      return appended?.written ?? 0;
    },

    /** Stores the splits of the history that are not stored yet. */
    async saveSplits(symbol: string, history: SourceHistory, source: string): Promise<void> {
      const splits = history.actions.filter((action) => action.kind === "split");
      if (splits.length === 0) return;
      const known = await lake.query<{ ex_date: string }>(
        "SELECT ex_date FROM actions(NULL) WHERE symbol = $symbol AND kind = 'split'",
        { symbol },
      );
      const knownDays = new Set(known.map((split) => split.ex_date));
      const rows = splits
        .filter((split) => !knownDays.has(split.ex_date))
        .map((split) => ({
          symbol,
          ...split,
          missing_through: null,
          basis_date: history.basis_date,
          known_at: instantText(history.received_at.epochMilliseconds),
          source,
        }));
      if (rows.length > 0) await lake.append([batchOf(corporateActions, rows)]);
    },

    /** The stored splits of a symbol. */
    async splits(symbol: string): Promise<Split[]> {
      return lake.query<Split>(
        "SELECT ex_date, numerator / denominator AS ratio FROM actions(NULL) WHERE symbol = $symbol AND kind = 'split'",
        { symbol },
      );
    },

    /** Dividends of all symbols with an ex date in a span as known at `asOf`, by ex date and symbol. */
    knownBetween: (from: string, to: string, asOf: Temporal.Instant, signal: AbortSignal) =>
      lake.query<StoredDividend>(
        `SELECT * FROM dividends_as_of($as_of) WHERE ex_dividend_date BETWEEN CAST($from AS DATE) AND CAST($to AS DATE)
         ORDER BY ex_dividend_date, symbol, dividend_type, part, source`,
        { from, to, as_of: asOf.toString() },
        { signal },
      ),

    /**
     * Dividends of a symbol as known at `asOf`, oldest ex date first; its splits are stored up to
     * `splitsThrough`.
     */
    known: (query: KnownQuery, signal?: AbortSignal) => knownDividends(lake, query, signal),
  };
}

export type DividendStore = ReturnType<typeof dividendStore>;
