// Stored intraday bars of the consolidated feed, and the spans of days that were fetched.
import { and, eq, gte, inArray, lte } from "drizzle-orm";
import { barsIntraday } from "../../datasets/bars-intraday.ts";
import { MARKETFEED_INTRADAY_CACHE_S } from "../../limits.ts";
import type { Services } from "../../market/services.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import { batchOf, type ColumnsResult } from "../../platform/lake/lake.ts";
import { marketfeed_spans } from "./tables.ts";
import type { FeedInterval, IntradayRow } from "./timeframes.ts";

/** Name of the consolidated feed in answers and in the lake. */
export const SIP = "alpaca_sip";

/** Days that were fetched, and when. */
export interface StoredSpan {
  readonly start: string;
  readonly end: string;
  readonly fetchedAtMs: number;
}

/** The rows of one symbol in a span of whole sessions. */
export interface SymbolRows {
  readonly symbol: string;
  readonly rows: readonly IntradayRow[];
}

/** SQLite limits the bound values of one statement. */
const SYMBOLS_PER_QUERY = 500;

/** Rows by symbol, from the columns of the query of `rows`. */
function rowsBySymbol({ columns, rowCount }: ColumnsResult): ReadonlyMap<string, IntradayRow[]> {
  const bySymbol = new Map<string, IntradayRow[]>();
  const number = (column: number, row: number) => (columns[column]?.[row] ?? null) as number | null;
  for (let i = 0; i < rowCount; i++) {
    const symbol = String(columns[0]?.[i]);
    const row: IntradayRow = {
      at: Date.parse(String(columns[1]?.[i])),
      date: String(columns[2]?.[i]),
      session: String(columns[3]?.[i]) as IntradayRow["session"],
      open: number(4, i),
      high: number(5, i),
      low: number(6, i),
      close: number(7, i) ?? 0,
      volume: number(8, i),
      vwap: number(9, i),
      trade_count: number(10, i),
    };
    const known = bySymbol.get(symbol);
    if (known) known.push(row);
    else bySymbol.set(symbol, [row]);
  }
  return bySymbol;
}

export function intradayStore(services: Pick<Services, "lake" | "sqlite" | "clock">) {
  const { lake } = services;
  const { spans, saveSpans } = storedSpans(services);
  return {
    spans,

    /** Stores rows of whole sessions, and that `start` to `end` was fetched; a bar stored before stays. */
    async save(
      saved: readonly SymbolRows[],
      interval: FeedInterval,
      start: string,
      end: string,
      receivedAt: Temporal.Instant,
    ): Promise<void> {
      const known_at = receivedAt.toString();
      const rows = saved.flatMap(({ symbol, rows: own }) =>
        own.map(({ at, date, ...row }) => ({
          ...row,
          symbol,
          interval,
          at: instantText(at),
          session_date: date,
          // As printed, so on the basis of its own session.
          basis_date: date,
          known_at,
          source: SIP,
        })),
      );
      if (rows.length > 0) await lake.append([batchOf(barsIntraday, rows)]);
      saveSpans(saved, interval, start, end);
    },

    /** Stored rows by symbol, ascending. */
    async rows(
      symbols: readonly string[],
      interval: FeedInterval,
      start: string,
      end: string,
      isExtended: boolean,
      signal?: AbortSignal,
    ): Promise<ReadonlyMap<string, IntradayRow[]>> {
      const stored = await lake.columns(
        `SELECT symbol, "at", session_date, session, open, high, low, close, volume, vwap, trade_count FROM bars_intraday
         WHERE symbol = ANY($symbols) AND "interval" = $interval AND source = $source
           AND session_date BETWEEN CAST($start AS DATE) AND CAST($end AS DATE)
           AND "at" BETWEEN CAST($start AS TIMESTAMPTZ) AND CAST($end AS TIMESTAMPTZ) + INTERVAL 2 DAY
           ${isExtended ? "" : "AND session = 'regular'"} ORDER BY symbol, "at"`,
        { symbols, interval, source: SIP, start, end },
        { signal },
      );
      return rowsBySymbol(stored);
    },

    /** How much of the feed is stored, intraday and daily. */
    async totals() {
      const [row] = await lake.query<{
        symbols: number;
        bars: number;
        first_date: string | null;
        last_date: string | null;
      }>(
        `SELECT count(DISTINCT symbol) AS symbols, count(*) AS bars, min(date) AS first_date, max(date) AS last_date FROM (
           SELECT symbol, session_date AS date FROM bars_intraday WHERE source = $source
           UNION ALL SELECT symbol, date FROM bars_daily WHERE source = $source)`,
        { source: SIP },
      );
      return row ?? { symbols: 0, bars: 0, first_date: null, last_date: null };
    },
  };
}

export type IntradayStore = ReturnType<typeof intradayStore>;

/** The fetched spans, in SQLite. */
function storedSpans({ sqlite, clock }: Pick<Services, "sqlite" | "clock">) {
  const spanRows = (symbols: readonly string[], interval: FeedInterval, start: string, end: string) =>
    sqlite.use((db) =>
      db
        .select()
        .from(marketfeed_spans)
        .where(
          and(
            inArray(marketfeed_spans.symbol, [...symbols]),
            eq(marketfeed_spans.interval, interval),
            lte(marketfeed_spans.start_date, end),
            gte(marketfeed_spans.end_date, start),
          ),
        )
        .all(),
    );

  return {
    /** Spans overlapping the days, by symbol. A span without any bar counts for a day only. */
    spans(
      symbols: readonly string[],
      interval: FeedInterval,
      start: string,
      end: string,
    ): (symbol: string) => readonly StoredSpan[] {
      const bySymbol = new Map<string, StoredSpan[]>();
      const emptyAfterMs = clock.nowMs() - MARKETFEED_INTRADAY_CACHE_S * 1000;
      for (let from = 0; from < symbols.length; from += SYMBOLS_PER_QUERY) {
        const rows = spanRows(symbols.slice(from, from + SYMBOLS_PER_QUERY), interval, start, end);
        for (const { symbol, start_date, end_date, bars, fetched_at } of rows) {
          const fetchedAtMs = instantMs(fetched_at);
          if (bars === 0 && fetchedAtMs < emptyAfterMs) continue;
          const span = { start: start_date, end: end_date, fetchedAtMs };
          const known = bySymbol.get(symbol);
          if (known) known.push(span);
          else bySymbol.set(symbol, [span]);
        }
      }
      return (symbol) => bySymbol.get(symbol) ?? [];
    },

    saveSpans(saved: readonly SymbolRows[], interval: FeedInterval, start: string, end: string): void {
      sqlite.write((db) => {
        for (const { symbol, rows } of saved) {
          const fetched = { bars: rows.length, fetched_at: instantText(clock.nowMs()) };
          db.insert(marketfeed_spans)
            .values({ symbol, interval, start_date: start, end_date: end, ...fetched })
            .onConflictDoUpdate({
              target: [
                marketfeed_spans.symbol,
                marketfeed_spans.interval,
                marketfeed_spans.start_date,
                marketfeed_spans.end_date,
              ],
              set: fetched,
            })
            .run();
        }
      });
    },
  };
}
