// Reads daily bars and corporate actions from the lake, all of an answer on one basis.

import type { Static } from "@sinclair/typebox";
import type { DateRange } from "../../../market/time-span.ts";
import type { ColumnsResult, Lake } from "../../../platform/lake/lake.ts";
import type { TradeFactor } from "../request/adjustment.ts";
import type { Revision as RevisionSchema } from "../schema.ts";
import { BarColumns } from "./bar-columns.ts";
import { plainColumns } from "./columns.ts";
import { type ReadSeriesBars, SERIES_COLUMNS } from "./series-bars.ts";
import { storedActions } from "./stored-actions.ts";
import { among, barDays, barsSql, OWN, readBy, type StoredSpan, within } from "./stored-span.ts";

/** A later value of a stored bar, as the provider gave it. */
export type Revision = Readonly<Static<typeof RevisionSchema>>;

/** The factors that bring prices of a basis to that of `bars`; null where an action has no known factor. */
export interface BasisFactors {
  readonly split_factor: number | null;
  readonly total_factor: number | null;
}

const BAR_COLUMNS = ["symbol", "date", "open", "high", "low", "close", "volume", "adj_close", "source"];

/** The columns of bars: with a moment also backfilled, of one symbol also what its freshness is read from. */
const columnsOf = (symbols: readonly string[], asOf: Temporal.Instant | null) => [
  ...BAR_COLUMNS,
  ...(asOf === null ? [] : ["backfilled"]),
  ...(symbols.length === 1 ? ["recorded_at", "basis_date"] : []),
];

const asOfText = (asOf: Temporal.Instant | null) => (asOf === null ? null : asOf.toString());

async function factorsSince(
  lake: Lake,
  bases: ReadonlyMap<string, string>,
): Promise<(symbol: string) => BasisFactors | undefined> {
  const symbols = [...bases.keys()];
  const rows =
    symbols.length === 0
      ? []
      : await lake.query<BasisFactors & { symbol: string; ex_date: string }>(
          `SELECT symbol, ex_date, split_factor, total_factor
           FROM adjustments(NULL) WHERE ${among(symbols)} ORDER BY symbol, ex_date`,
          {},
          readBy(symbols),
        );
  const factors = new Map<string, BasisFactors>();
  for (const row of rows)
    if (!factors.has(row.symbol) && (bases.get(row.symbol) ?? "") < row.ex_date) factors.set(row.symbol, row);
  return (symbol) => factors.get(symbol);
}

async function actionDays(
  lake: Lake,
  symbols: readonly string[],
  start: string,
): Promise<(symbol: string, kind: string) => readonly string[]> {
  const rows = await lake.query<{ symbol: string; kind: string; ex_date: string }>(
    `SELECT DISTINCT symbol, kind, ex_date FROM corporate_actions
     WHERE ${among(symbols)} AND ex_date >= CAST($start AS DATE)`,
    { start },
    readBy(symbols),
  );
  const days = Map.groupBy(rows, ({ symbol, kind }) => `${symbol} ${kind}`);
  return (symbol, kind) => (days.get(`${symbol} ${kind}`) ?? []).map(({ ex_date }) => ex_date);
}

async function intradayDates(
  lake: Lake,
  symbol: string,
  interval: string,
  source: string,
): Promise<Set<string>> {
  const rows = await lake.query<{ session_date: string }>(
    `SELECT DISTINCT session_date FROM bars_intraday
     WHERE symbol = $symbol AND "interval" = $interval AND source = $source`,
    { symbol, interval, source },
  );
  return new Set(rows.map((row) => row.session_date));
}

const tradeFactors = (lake: Lake, symbols: readonly string[], asOf: Temporal.Instant | null) =>
  lake.query<TradeFactor & Record<string, unknown>>(
    `SELECT symbol, since, ex_date, factor FROM trade_factors(CAST($as_of AS TIMESTAMPTZ))
     WHERE ${among(symbols)}`,
    { as_of: asOfText(asOf) },
    readBy(symbols),
  );

/** Reads bars out of arrays, where there are none by the engine. */
const barsReader =
  (lake: Lake, readSeries: ReadSeriesBars) =>
  async (...asked: Parameters<ReadSeriesBars>) => {
    const [symbols, ranges, asOf, signal] = asked;
    const names = columnsOf(symbols, asOf);
    const found = await readSeries(...asked);
    if (found !== null) {
      const bars = await plainColumns(found.batches, SERIES_COLUMNS, names);
      return { bars, haveActions: found.haveActions };
    }
    const bars = await lake.columns(
      `SELECT ${names.join(", ")} FROM ${barsSql(asOf)}
       WHERE ${among(symbols)} AND ${within(ranges)} AND ${OWN} ORDER BY symbol, date`,
      {},
      { signal, ...readBy(symbols), days: barDays(ranges) },
    );
    return { bars, haveActions: true };
  };

async function storedDays(lake: Lake, symbols: readonly string[], ranges: readonly DateRange[]) {
  const batches = await lake.batches(
    `SELECT symbol, date FROM bars_daily WHERE ${among(symbols)} AND ${within(ranges)} AND ${OWN} ORDER BY symbol, date`,
    {},
    { ...readBy(symbols), days: barDays(ranges) },
  );
  const columns = new BarColumns(batches);
  return (symbol: string): Int32Array => columns.days(symbol);
}

/** The bars of a span as the engine has them, in the columns of `BarColumns`. */
const engineBatches = (lake: Lake, { symbols, ranges, asOf, signal }: StoredSpan) =>
  lake.batches(
    `SELECT symbol, date, open, high, low, close, volume::DOUBLE AS volume, adj_close, source,
       ${asOf === null ? "false AS backfilled" : "backfilled"}
     FROM ${barsSql(asOf)} WHERE ${among(symbols)} AND ${within(ranges)} AND ${OWN} ORDER BY symbol, date`,
    {},
    { signal, ...readBy(symbols), days: barDays(ranges) },
  );

/** Reads of bars and of what concerns them; without `readSeries` the engine has all rows. */
export function storedBars(lake: Lake, readSeries: ReadSeriesBars = async () => null) {
  const read = barsReader(lake, readSeries);
  return {
    /** Days with a stored bar within the ranges, since 1970 and ascending, by symbol. */
    days: (symbols: readonly string[], ranges: readonly DateRange[]) => storedDays(lake, symbols, ranges),

    /**
     * The number of stored bars within the ranges that are known by `asOf`, also of those whose basis is
     * uncertain then.
     */
    async count(
      symbols: readonly string[],
      ranges: readonly DateRange[],
      asOf: Temporal.Instant | null,
      signal?: AbortSignal,
    ): Promise<number> {
      const [row] = await lake.query<{ rows: number }>(
        `SELECT count(*) AS rows FROM bars_daily WHERE ${among(symbols)} AND ${within(ranges)} AND ${OWN}
         AND date < settled_before(CAST($as_of AS TIMESTAMPTZ))`,
        { as_of: asOfText(asOf) },
        { signal, ...readBy(symbols), days: barDays(ranges) },
      );
      return row?.rows ?? 0;
    },

    /**
     * Stored bars, adjusted to one basis, by column: symbol, date, open, high, low, close, volume, adj_close,
     * source; with `asOf` also backfilled; of a single symbol also recorded_at and basis_date. Ordered by
     * symbol, then date. Of arrays where there are some, else of the engine.
     */
    bars: async (...asked: Parameters<ReadSeriesBars>): Promise<ColumnsResult> => (await read(...asked)).bars,

    /** The bars of a span in columns, and the splits and dividends of its symbols, all on one basis. */
    async columnsAndActions({ symbols, ranges, asOf, signal }: StoredSpan) {
      const found = await readSeries(symbols, ranges, asOf, signal);
      const columns = new BarColumns(
        found === null
          ? await engineBatches(lake, { symbols, ranges, asOf, signal })
          : await Array.fromAsync(found.batches),
      );
      const haveActions = found === null || found.haveActions;
      return { columns, actions: haveActions ? await storedActions(lake, symbols, ranges, asOf) : [] };
    },

    /** Bars with the splits and dividends of their symbols in the ranges, all on one basis. */
    async barsAndActions(...asked: Parameters<ReadSeriesBars>) {
      const [symbols, ranges, asOf] = asked;
      const { bars, haveActions } = await read(...asked);
      return [bars, haveActions ? await storedActions(lake, symbols, ranges, asOf) : []] as const;
    },

    /** Splits and dividends with an ex date in the ranges, amounts on the same basis as `bars`. */
    actions: (symbols: readonly string[], ranges: readonly DateRange[], asOf: Temporal.Instant | null) =>
      storedActions(lake, symbols, ranges, asOf),

    /**
     * The factors from a basis of each symbol to that of today's `bars`; undefined when no action lies
     * between.
     */
    factorsSince: (bases: ReadonlyMap<string, string>) => factorsSince(lake, bases),

    /**
     * The factors from the basis of `bars` to the prices as traded; none of days whose splits may not all be
     * stored.
     */
    tradeFactors: (symbols: readonly string[], asOf: Temporal.Instant | null): Promise<TradeFactor[]> =>
      tradeFactors(lake, symbols, asOf),

    /** Later, differing values of stored bars, earliest known first, on the same basis as `bars`. */
    revisions(
      symbol: string,
      ranges: readonly DateRange[],
      asOf: Temporal.Instant | null,
    ): Promise<Revision[]> {
      const range = within(ranges);
      return lake.query<Revision & Record<string, unknown>>(
        `SELECT date, known_at, source, open, high, low, close, volume, adj_close AS adjusted_close
         FROM bar_revisions(CAST($as_of AS TIMESTAMPTZ)) WHERE symbol = $symbol AND ${range} ORDER BY date, known_at`,
        { symbol, as_of: asOfText(asOf) },
      );
    },

    /** Ex dates from `start` on of stored actions, by symbol and kind. */
    actionDays: (symbols: readonly string[], start: string) => actionDays(lake, symbols, start),

    /** The oldest basis of each symbol's bars. */
    oldestBases(symbols: readonly string[]): Promise<{ symbol: string; through_date: string }[]> {
      return lake.query<{ symbol: string; through_date: string }>(
        `SELECT symbol, min(basis_date) AS through_date FROM bars_daily WHERE ${among(symbols)} AND ${OWN} GROUP BY symbol`,
        {},
        readBy(symbols),
      );
    },

    /** Sessions of which intraday bars are stored. */
    intradayDates: (symbol: string, interval: string, source: string) =>
      intradayDates(lake, symbol, interval, source),
  };
}
