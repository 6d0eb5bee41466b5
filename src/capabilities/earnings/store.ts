// Storage of earnings: calendars and surprises in the lake, followed symbols in the operational database.
import { asc } from "drizzle-orm";
import { earningsCalendar } from "../../datasets/earnings-calendar.ts";
import { earningsSurprises } from "../../datasets/earnings-surprises.ts";
import type { Services } from "../../market/services.ts";
import { batchOf } from "../../platform/lake/lake.ts";
import type { ReportRow, SurpriseRow } from "./revise.ts";
import { earnings_tickers } from "./tables.ts";

const NEWEST_REPORTS =
  "QUALIFY row_number() OVER (PARTITION BY symbol, event, source ORDER BY known_at DESC) = 1";

const asText = (asOf: Temporal.Instant | null) => asOf?.toString() ?? null;

export function earningsStore({ lake, sqlite }: Pick<Services, "lake" | "sqlite">) {
  return {
    /** Every symbol that a client asked for, least recently read first. */
    followedSymbols: (): string[] =>
      sqlite
        .use((db) =>
          db
            .select({ symbol: earnings_tickers.symbol })
            .from(earnings_tickers)
            .orderBy(asc(earnings_tickers.surprises_read_at), asc(earnings_tickers.symbol))
            .all(),
        )
        .map((row) => row.symbol),

    follow(symbol: string, set: { surprises_read_at: string } | { next_read_at: string }): void {
      sqlite.write((tx) =>
        tx
          .insert(earnings_tickers)
          .values({ symbol, ...set })
          .onConflictDoUpdate({ target: earnings_tickers.symbol, set })
          .run(),
      );
    },

    /** Surprises as known at `asOf` (null: now), newest quarter first. */
    surprises: (
      symbol: string,
      asOf: Temporal.Instant | null,
      signal?: AbortSignal,
    ): Promise<SurpriseRow[]> =>
      lake.query<SurpriseRow>(
        "SELECT * EXCLUDE (recorded) FROM earnings_surprises_as_of($as_of) WHERE symbol = $symbol ORDER BY fiscal_quarter_end DESC",
        { symbol, as_of: asText(asOf) },
        { signal },
      ),

    /** Reports of a company as known at `asOf` (null: now). */
    reports: (symbol: string, asOf: Temporal.Instant | null, signal?: AbortSignal): Promise<ReportRow[]> =>
      lake.query<ReportRow>(
        "SELECT * EXCLUDE (recorded), false AS withdrawn FROM earnings_calendar_as_of($as_of) WHERE symbol = $symbol",
        { symbol, as_of: asText(asOf) },
        { signal },
      ),

    /** Reports of all companies in a span of days as known at `asOf` (null: now), by day and symbol. */
    reportsBetween: (
      from: string,
      to: string,
      asOf: Temporal.Instant | null,
      signal?: AbortSignal,
    ): Promise<ReportRow[]> =>
      lake.query<ReportRow>(
        `SELECT * EXCLUDE (recorded), false AS withdrawn FROM earnings_calendar_as_of($as_of)
         WHERE report_date BETWEEN CAST($from AS DATE) AND CAST($to AS DATE) AND event <> 'next'
         ORDER BY report_date, symbol, source, event`,
        { from, to, as_of: asText(asOf) },
        { signal },
      ),

    /**
     * Newest rows of a source for events expected on a day and for any event of the given symbols, withdrawn
     * ones included.
     */
    newestOn: (date: string, symbols: readonly string[], source: string): Promise<ReportRow[]> =>
      lake.query<ReportRow>(
        `SELECT * EXCLUDE (recorded) FROM (SELECT * FROM earnings_calendar WHERE source = $source ${NEWEST_REPORTS})
         WHERE report_date = CAST($date AS DATE) OR symbol = ANY($symbols)`,
        { date, symbols: [...symbols], source },
      ),

    /** Newest rows of a symbol from one source, withdrawn ones included. */
    newestOf: (symbol: string, source: string): Promise<ReportRow[]> =>
      lake.query<ReportRow>(
        `SELECT * EXCLUDE (recorded) FROM earnings_calendar WHERE symbol = $symbol AND source = $source ${NEWEST_REPORTS}`,
        { symbol, source },
      ),

    async appendReports(rows: readonly ReportRow[]): Promise<number> {
      if (rows.length === 0) return 0;
      return (await lake.append([batchOf(earningsCalendar, rows)]))[0]?.written ?? 0;
    },

    async appendSurprises(rows: readonly SurpriseRow[]): Promise<number> {
      if (rows.length === 0) return 0;
      return (await lake.append([batchOf(earningsSurprises, rows)]))[0]?.written ?? 0;
    },

    /** Last day of the company's fiscal year (MM-DD) as known at `asOf`; null: unknown. */
    async fiscalYearEnd(symbol: string, asOf: Temporal.Instant): Promise<string | null> {
      const rows = await lake.query<{ fiscal_year_end: string | null }>(
        "SELECT fiscal_year_end FROM companies_at($as_of) WHERE symbol = $symbol",
        { symbol, as_of: asOf.toString() },
      );
      return rows[0]?.fiscal_year_end ?? null;
    },
  };
}

export type EarningsStore = ReturnType<typeof earningsStore>;
