// Stored intraday bars of the consolidated feed, and which days of them were asked for.
import { and, eq, gte, inArray, lte } from "drizzle-orm";
import { barsIntraday } from "../../datasets/bars-intraday.ts";
import { MARKETFEED_INTRADAY_CACHE_S } from "../../limits.ts";
import type { Clock } from "../../platform/clock.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import { batchOf, type Lake } from "../../platform/lake/lake.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import { marketfeed_spans } from "./tables.ts";
import type { FrameName, IntradayRow } from "./timeframes.ts";

/** Name of the consolidated feed in answers and in the lake. */
export const SIP = "alpaca_sip";

/** Days that were asked for, and when. */
export interface Covered {
  readonly start: string;
  readonly end: string;
  readonly fetchedAtMs: number;
}

/** One symbol's answer for a span of whole sessions. */
export interface Saved {
  readonly symbol: string;
  readonly rows: readonly IntradayRow[];
}

/** SQLite takes so many bound values in one statement. */
const SYMBOLS_A_QUERY = 500;

export function intradayStore({ lake, sqlite, clock }: { lake: Lake; sqlite: Store; clock: Clock }) {
  return {
    /** Spans overlapping the days, by symbol. Those that had no bar at all are believed for a day. */
    covered(
      symbols: readonly string[],
      interval: FrameName,
      start: string,
      end: string,
    ): (symbol: string) => readonly Covered[] {
      const bySymbol = new Map<string, Covered[]>();
      const emptyAfterMs = clock.nowMs() - MARKETFEED_INTRADAY_CACHE_S * 1000;
      for (let from = 0; from < symbols.length; from += SYMBOLS_A_QUERY) {
        const some = symbols.slice(from, from + SYMBOLS_A_QUERY);
        const rows = sqlite.use((db) =>
          db
            .select()
            .from(marketfeed_spans)
            .where(
              and(
                inArray(marketfeed_spans.symbol, some),
                eq(marketfeed_spans.interval, interval),
                lte(marketfeed_spans.start_date, end),
                gte(marketfeed_spans.end_date, start),
              ),
            )
            .all(),
        );
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

    /** Stores rows of whole sessions, and that `start` to `end` was asked for; a bar stored before stays. */
    async save(
      saved: readonly Saved[],
      interval: FrameName,
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
      sqlite.write((db) => {
        for (const { symbol, rows: own } of saved) {
          const asked = { bars: own.length, fetched_at: instantText(clock.nowMs()) };
          db.insert(marketfeed_spans)
            .values({ symbol, interval, start_date: start, end_date: end, ...asked })
            .onConflictDoUpdate({
              target: [
                marketfeed_spans.symbol,
                marketfeed_spans.interval,
                marketfeed_spans.start_date,
                marketfeed_spans.end_date,
              ],
              set: asked,
            })
            .run();
        }
      });
    },

    /** Stored rows by symbol, ascending. */
    async rows(
      symbols: readonly string[],
      interval: FrameName,
      start: string,
      end: string,
      isExtended: boolean,
      signal?: AbortSignal,
    ): Promise<ReadonlyMap<string, IntradayRow[]>> {
      const { columns, rowCount } = await lake.columns(
        `SELECT symbol, "at", session_date, session, open, high, low, close, volume, vwap, trade_count FROM bars_intraday
         WHERE symbol = ANY($symbols) AND "interval" = $interval AND source = $source
           AND session_date BETWEEN CAST($start AS DATE) AND CAST($end AS DATE)
           AND "at" BETWEEN CAST($start AS TIMESTAMPTZ) AND CAST($end AS TIMESTAMPTZ) + INTERVAL 2 DAY
           ${isExtended ? "" : "AND session = 'regular'"} ORDER BY symbol, "at"`,
        { symbols, interval, source: SIP, start, end },
        { signal },
      );
      const bySymbol = new Map<string, IntradayRow[]>();
      const number = (column: number, row: number) => (columns[column]?.[row] ?? null) as number | null;
      for (let i = 0; i < rowCount; i++) {
        const symbol = String(columns[0]?.[i]);
        const row: IntradayRow = {
          at: Date.parse(String(columns[1]?.[i])),
          date: String(columns[2]?.[i]),
          session: String(columns[3]?.[i]) as IntradayRow["session"],
          ...{ open: number(4, i), high: number(5, i), low: number(6, i), close: number(7, i) ?? 0 },
          ...{ volume: number(8, i), vwap: number(9, i), trade_count: number(10, i) },
        };
        const known = bySymbol.get(symbol);
        if (known) known.push(row);
        else bySymbol.set(symbol, [row]);
      }
      return bySymbol;
    },

    /** What of the feed is stored: within the day, and day by day. */
    async stored() {
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
