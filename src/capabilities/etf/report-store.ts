// Reports of holdings: the ledger of reports in the operational database, their lines in the lake.
import { and, desc, eq, lte } from "drizzle-orm";
import { etfHoldings } from "../../datasets/etf-holdings.ts";
import type { Services } from "../../market/services.ts";
import { fromSec } from "../../market/spelling.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { RowOf } from "../../platform/lake/dataset.ts";
import { batchOf } from "../../platform/lake/lake.ts";
import type { SourceHolding, SourceSchedule } from "./sources.ts";
import { etf_reports, etf_series } from "./tables.ts";

export type ReportRow = typeof etf_reports.$inferSelect;
export type HoldingRow = RowOf<typeof etfHoldings>;

/** A fund whose reports are followed. */
export interface Series {
  readonly series_id: string;
  readonly symbol: string;
  readonly listed_at: string;
}

/**
 * The symbol of a line: the filed ticker of common equity in US dollars. The ticker of a bond is the issuer's
 * own code. The ticker of a share in another currency is of another exchange, and may belong to another
 * company here.
 */
// Made up: ticker ZQX, common equity in US dollars: ZQX. That ticker in euros or of a bond: null.
function symbolOf({ ticker, asset_category, currency, derivative_kind }: SourceHolding): string | null {
  if (ticker === null || asset_category !== "EC" || currency !== "USD" || derivative_kind !== null)
    return null;
  return fromSec(ticker);
}

/** The stored rows of a report. */
function holdingRows(
  report: ReportRow,
  symbol: string,
  schedule: SourceSchedule,
  sha256: string,
): HoldingRow[] {
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

const isReport = ({ series_id, accession_number }: ReportRow) =>
  and(eq(etf_reports.series_id, series_id), eq(etf_reports.accession_number, accession_number));

const publicBy = (seriesId: string, untilMs: number) =>
  and(eq(etf_reports.series_id, seriesId), lte(etf_reports.known_at, instantText(untilMs)));

export class ReportStore {
  readonly #sqlite: Services["sqlite"];
  readonly #lake: Services["lake"];

  constructor({ sqlite, lake }: Pick<Services, "sqlite" | "lake">) {
    this.#sqlite = sqlite;
    this.#lake = lake;
  }

  /** All funds whose reports are followed. */
  allSeries(): Series[] {
    return this.#sqlite.use((db) => db.select().from(etf_series).orderBy(etf_series.series_id).all());
  }

  series(id: string): Series | null {
    const row = this.#sqlite.use((db) =>
      db.select().from(etf_series).where(eq(etf_series.series_id, id)).get(),
    );
    return row ?? null;
  }

  /** Saves the list of a series: new reports are added, known ones stay as they are. */
  saveList(
    series: Omit<Series, "listed_at">,
    reports: readonly Omit<ReportRow, "status" | "period_end" | "holdings" | "error" | "series_id">[],
    atMs: number,
  ): void {
    const listed_at = instantText(atMs);
    this.#sqlite.write((tx) => {
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
  }

  /** Reports of a series that were public by `untilMs`, newest first. */
  reports(seriesId: string, untilMs: number): ReportRow[] {
    return this.#sqlite.use((db) =>
      db
        .select()
        .from(etf_reports)
        .where(publicBy(seriesId, untilMs))
        .orderBy(desc(etf_reports.known_at), desc(etf_reports.accession_number))
        .all(),
    );
  }

  /** The report that counts at `untilMs`: of the latest day, in its newest version; null if none was read. */
  newestRead(seriesId: string, untilMs: number): ReportRow | null {
    const row = this.#sqlite.use((db) =>
      db
        .select()
        .from(etf_reports)
        .where(and(publicBy(seriesId, untilMs), eq(etf_reports.status, "read")))
        .orderBy(desc(etf_reports.period_end), desc(etf_reports.known_at), desc(etf_reports.accession_number))
        .limit(1)
        .get(),
    );
    return row ?? null;
  }

  /** Marks a report as unusable: it cannot be read, or belongs to another series. */
  setAside(report: ReportRow, status: "unread" | "foreign", error: string): void {
    this.#sqlite.write((tx) => tx.update(etf_reports).set({ status, error }).where(isReport(report)).run());
  }

  /**
   * Stores a report and returns the number of its lines. The lake is written first: after a crash in between,
   * the report is read again and adds nothing.
   */
  async saveReport(
    report: ReportRow,
    symbol: string,
    schedule: SourceSchedule,
    sha256: string,
  ): Promise<number> {
    const rows = holdingRows(report, symbol, schedule, sha256);
    if (rows.length > 0) await this.#lake.append([batchOf(etfHoldings, rows)]);
    const read = {
      status: "read",
      period_end: schedule.period_end,
      holdings: rows.length,
      error: null,
    } as const;
    this.#sqlite.write((tx) => tx.update(etf_reports).set(read).where(isReport(report)).run());
    return rows.length;
  }

  /** Lines of a report, the heaviest first. */
  holdings(report: ReportRow, limit: number, signal: AbortSignal): Promise<HoldingRow[]> {
    return this.#lake.query<HoldingRow>(
      `SELECT * FROM etf_holdings
       WHERE period_end = CAST($day AS DATE) AND accession_number = $accession AND series_id = $series
       ORDER BY weight_percent DESC NULLS LAST, value_usd DESC NULLS LAST, line LIMIT ${limit}`,
      { day: report.period_end, accession: report.accession_number, series: report.series_id },
      { signal },
    );
  }
}
