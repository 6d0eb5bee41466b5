// What the fund routes keep: profiles and the ledger of reports in the database, holdings in the lake.
import { and, desc, eq, lte, sql } from "drizzle-orm";
import { etfHoldings } from "../../datasets/etf-holdings.ts";
import { fromSec } from "../../market/spelling.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { RowOf } from "../../platform/lake/dataset.ts";
import { batchOf, type Lake } from "../../platform/lake/lake.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import type { SourceFund, SourceHolding, SourceSchedule } from "./sources.ts";
import { etf_profiles, etf_reports, etf_series } from "./tables.ts";

export type ReportRow = typeof etf_reports.$inferSelect;
export type HoldingRow = RowOf<typeof etfHoldings>;

/** A fund as it was asked for. */
export interface Series {
  readonly series_id: string;
  readonly symbol: string;
  readonly listed_at: string;
}

/** A listing of the exchanges' lists. */
export interface ListedFund {
  readonly symbol: string;
  readonly name: string;
  readonly exchange: string;
  readonly cik: string | null;
  readonly first_seen: string;
}

/**
 * The symbol a line is about: the filed ticker of common equity in US dollars. Of bonds it is the issuer's own code,
 * of a share in another currency the ticker of another exchange, which may be somebody else's here.
 */
export function symbolOf({
  ticker,
  asset_category,
  currency,
  derivative_kind,
}: SourceHolding): string | null {
  if (ticker === null || asset_category !== "EC" || currency !== "USD" || derivative_kind !== null)
    return null;
  return fromSec(ticker);
}

/** The rows of a report. */
function rowsOf(report: ReportRow, symbol: string, schedule: SourceSchedule, sha256: string): HoldingRow[] {
  const { series_id, accession_number, known_at } = report;
  return schedule.holdings.map((holding) => ({
    series_id,
    fund_symbol: symbol,
    fund_cik: schedule.registrant_cik,
    fund_name: schedule.series_name,
    period_end: schedule.period_end,
    accession_number,
    is_amendment: report.form_type.endsWith("/A"),
    line: holding.line,
    symbol: symbolOf(holding),
    name: holding.name,
    title: holding.title,
    ticker: holding.ticker,
    cusip: holding.cusip,
    isin: holding.isin,
    lei: holding.lei,
    balance: holding.balance,
    units: holding.units,
    currency: holding.currency,
    value_usd: holding.value_usd,
    weight_percent: holding.weight_percent,
    payoff_profile: holding.payoff_profile,
    asset_category: holding.asset_category,
    issuer_category: holding.issuer_category,
    country: holding.country,
    fair_value_level: Number.isInteger(holding.fair_value_level) ? holding.fair_value_level : null,
    derivative_kind: holding.derivative_kind,
    net_assets_usd: schedule.net_assets,
    source_sha256: sha256,
    known_at,
  }));
}

export function etfStore({ sqlite, lake }: { readonly sqlite: Store; readonly lake: Lake }) {
  return {
    saveProfile(symbol: string, fund: SourceFund): void {
      const row = { issuer: fund.issuer, body: JSON.stringify(fund), read_at: fund.received_at };
      sqlite.write((tx) =>
        tx
          .insert(etf_profiles)
          .values({ symbol, ...row })
          .onConflictDoUpdate({ target: etf_profiles.symbol, set: row })
          .run(),
      );
    },

    /** Issuers of the funds whose profile was read. */
    issuers: (): ReadonlyMap<string, string> =>
      new Map(
        sqlite
          .use((db) =>
            db.select({ symbol: etf_profiles.symbol, issuer: etf_profiles.issuer }).from(etf_profiles).all(),
          )
          .flatMap(({ symbol, issuer }) => (issuer === null ? [] : [[symbol, issuer] as const])),
      ),

    series: (): Series[] =>
      sqlite.use((db) => db.select().from(etf_series).orderBy(etf_series.series_id).all()),

    seriesOf: (id: string): Series | null =>
      sqlite.use((db) => db.select().from(etf_series).where(eq(etf_series.series_id, id)).get()) ?? null,

    /** Takes a list over: reports met for the first time come in, the others stay as they are. */
    saveList(
      series: Omit<Series, "listed_at">,
      reports: readonly Omit<ReportRow, "status" | "period_end" | "holdings" | "error" | "series_id">[],
      atMs: number,
    ): void {
      const listed_at = instantText(atMs);
      sqlite.write((tx) => {
        for (const report of reports)
          tx.insert(etf_reports)
            .values({ ...report, series_id: series.series_id, status: "listed" })
            .onConflictDoNothing()
            .run();
        tx.insert(etf_series)
          .values({ ...series, listed_at })
          .onConflictDoUpdate({ target: etf_series.series_id, set: { symbol: series.symbol, listed_at } })
          .run();
      });
    },

    /** Reports of a series that anybody could read by `until`, newest first. */
    reports: (seriesId: string, untilMs: number): ReportRow[] =>
      sqlite.use((db) =>
        db
          .select()
          .from(etf_reports)
          .where(and(eq(etf_reports.series_id, seriesId), lte(etf_reports.known_at, instantText(untilMs))))
          .orderBy(desc(etf_reports.known_at), desc(etf_reports.accession_number))
          .all(),
      ),

    /** The report that counts by `until`: of the latest day, in its newest form; null where none was read. */
    newestRead: (seriesId: string, untilMs: number): ReportRow | null =>
      sqlite.use((db) =>
        db
          .select()
          .from(etf_reports)
          .where(
            and(
              eq(etf_reports.series_id, seriesId),
              eq(etf_reports.status, "read"),
              lte(etf_reports.known_at, instantText(untilMs)),
            ),
          )
          .orderBy(
            desc(etf_reports.period_end),
            desc(etf_reports.known_at),
            desc(etf_reports.accession_number),
          )
          .limit(1)
          .get(),
      ) ?? null,

    /** A report that is of no use. */
    setAside({ series_id, accession_number }: ReportRow, status: "unread" | "foreign", error: string): void {
      sqlite.write((tx) =>
        tx
          .update(etf_reports)
          .set({ status, error })
          .where(
            and(eq(etf_reports.series_id, series_id), eq(etf_reports.accession_number, accession_number)),
          )
          .run(),
      );
    },

    /** Stores a report. The lake goes first: after a fault in between it is read again, and adds nothing. */
    async saveReport(report: ReportRow, symbol: string, schedule: SourceSchedule, sha256: string) {
      const rows = rowsOf(report, symbol, schedule, sha256);
      if (rows.length > 0) await lake.append([batchOf(etfHoldings, rows)]);
      sqlite.write((tx) =>
        tx
          .update(etf_reports)
          .set({ status: "read", period_end: schedule.period_end, holdings: rows.length, error: null })
          .where(
            and(
              eq(etf_reports.series_id, report.series_id),
              eq(etf_reports.accession_number, report.accession_number),
            ),
          )
          .run(),
      );
      return rows.length;
    },

    /** Lines of a report, the heaviest first. */
    holdings: (report: ReportRow, limit: number, signal: AbortSignal) =>
      lake.query<HoldingRow>(
        `SELECT * FROM etf_holdings
         WHERE period_end = CAST($day AS DATE) AND accession_number = $accession AND series_id = $series
         ORDER BY weight_percent DESC NULLS LAST, value_usd DESC NULLS LAST, line LIMIT ${limit}`,
        { day: report.period_end, accession: report.accession_number, series: report.series_id },
        { signal },
      ),

    /** What the lists of the exchanges say of a symbol now; null where they do not have it. */
    async listed(symbol: string, signal: AbortSignal): Promise<{ is_etf: boolean; exchange: string } | null> {
      const [row] = await lake.query<{ is_etf: boolean; exchange: string }>(
        "SELECT is_etf, exchange FROM listings_at() WHERE symbol = $symbol AND is_active LIMIT 1",
        { symbol },
        { signal },
      );
      return row ?? null;
    },

    /** How many reports were read in all. */
    readReports: (): number =>
      sqlite.use((db) =>
        db.select({ n: sql<number>`count(*)` }).from(etf_reports).where(eq(etf_reports.status, "read")).get(),
      )?.n ?? 0,
  };
}

export type EtfStore = ReturnType<typeof etfStore>;
