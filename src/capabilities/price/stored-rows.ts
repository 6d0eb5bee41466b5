// Writes the daily bars of an answer to a file, as its rows: the lake's engine joins and writes them, so that bars of any
// number of symbols never are in memory at once.
import type { DateRange } from "../../market/time-span.ts";
import type { CopiedFile, CopyFormat, Lake } from "../../platform/lake/lake.ts";
import { among, barsSql, OWN, within } from "./stored-bars.ts";

/** Which stored bars an answer has. */
export interface StoredSpan {
  readonly symbols: readonly string[];
  readonly ranges: readonly DateRange[];
  readonly asOf: Temporal.Instant | null;
  readonly signal?: AbortSignal | undefined;
}

/** The stored bars of a symbol: how many there are, and of which the adjusted close is unknown. */
export interface BarCounts {
  readonly symbol: string;
  readonly bars: number;
  readonly unadjusted: number;
  readonly first_unadjusted: string | null;
  readonly last_unadjusted: string | null;
}

/** A bar that is not stored, as a row of an answer. */
export interface AddedBar {
  readonly symbol: string;
  readonly date: string;
  readonly open: number | null;
  readonly high: number | null;
  readonly low: number | null;
  readonly close: number | null;
  readonly volume: number | null;
  readonly adjusted_close: number | null;
}

/** What the rows of an answer have beside the stored bars. */
export interface RowParts {
  /** In the order of the answer. */
  readonly symbols: readonly { readonly symbol: string; readonly adjusted_through: string | null }[];
  /** By ex date, on the basis of the bars. */
  readonly actions: readonly {
    readonly symbol: string;
    readonly date: string;
    readonly dividend: number | null;
    readonly split_ratio: number | null;
  }[];
  /** Bars of days that have no stored one. */
  readonly provisional: readonly AddedBar[];
}

/** The rows of a JSON list that is bound to `$name`. */
const listed = (name: string, columns: string) =>
  `(SELECT unnest(from_json($${name}, '[{${columns}}]'), recursive := true))`;

const SYMBOLS = `(SELECT *, row_number() OVER () AS place FROM ${listed("listed", '"symbol":"VARCHAR","adjusted_through":"DATE"')})`;
const ACTIONS = listed(
  "actions",
  '"symbol":"VARCHAR","date":"DATE","dividend":"DOUBLE","split_ratio":"DOUBLE"',
);
const PRICES = ["open", "high", "low", "close", "volume", "adjusted_close"];
const PROVISIONAL = listed(
  "provisional",
  ['"symbol":"VARCHAR","date":"DATE"', ...PRICES.map((name) => `"${name}":"DOUBLE"`)].join(","),
);

const spanOf = ({ symbols, ranges, asOf }: StoredSpan) => {
  const [range, own] = [within(ranges), among(symbols)];
  return {
    from: `FROM ${barsSql(asOf)} WHERE ${own.sql} AND ${range.sql} AND ${OWN}`,
    params: { ...range.params, ...own.params },
  };
};

export function storedRows(lake: Lake) {
  return {
    /** The symbols with bars in the span, and how many they have. */
    counts(span: StoredSpan): Promise<BarCounts[]> {
      const { from, params } = spanOf(span);
      return lake.query<BarCounts & Record<string, unknown>>(
        `SELECT symbol, count(*) AS bars, count(*) FILTER (adj_close IS NULL) AS unadjusted,
           min(date) FILTER (adj_close IS NULL) AS first_unadjusted,
           max(date) FILTER (adj_close IS NULL) AS last_unadjusted ${from} GROUP BY symbol`,
        params,
        { signal: span.signal },
      );
    },

    /** Whether a symbol has a bar in the span on one of the days. */
    async daysAmong(
      span: StoredSpan,
      days: readonly string[],
    ): Promise<(symbol: string, day: string) => boolean> {
      if (days.length === 0 || span.symbols.length === 0) return () => false;
      const { from, params } = spanOf(span);
      const rows = await lake.query<{ symbol: string; date: string }>(
        `SELECT symbol, date ${from} AND date = ANY(CAST($days AS DATE[]))`,
        { ...params, days },
        { signal: span.signal },
      );
      const found = new Set(rows.map(({ symbol, date }) => `${symbol} ${date}`));
      return (symbol, day) => found.has(`${symbol} ${day}`);
    },

    /** Writes the rows of an answer: symbol by symbol in the order of `parts`, oldest first. */
    copyRows(span: StoredSpan, parts: RowParts, format: CopyFormat): Promise<CopiedFile> {
      const { from, params } = spanOf(span);
      // Shares are whole. As text a DOUBLE would have a fraction.
      const volume = format === "parquet" ? "b.volume::DOUBLE" : "b.volume::BIGINT";
      return lake.copyOut(
        `SELECT b.symbol, b.date, b.open, b.high, b.low, b.close, ${volume} AS volume, b.adjusted_close, a.dividend,
           a.split_ratio, b.provisional, b.backfilled, s.adjusted_through
         FROM (SELECT symbol, date, open, high, low, close, volume::DOUBLE AS volume, adj_close AS adjusted_close, false AS provisional,
             backfilled ${from}
           UNION ALL BY NAME SELECT *, true AS provisional, false AS backfilled FROM ${PROVISIONAL}) b
         JOIN ${SYMBOLS} s ON b.symbol = s.symbol
         LEFT JOIN ${ACTIONS} a ON b.symbol = a.symbol AND b.date = a.date
         ORDER BY s.place, b.date`,
        {
          ...params,
          listed: JSON.stringify(parts.symbols),
          actions: JSON.stringify(parts.actions),
          provisional: JSON.stringify(parts.provisional),
        },
        format,
        { signal: span.signal },
      );
    },
  };
}

export type StoredRows = ReturnType<typeof storedRows>;
