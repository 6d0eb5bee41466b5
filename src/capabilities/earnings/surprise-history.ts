// GET /earnings/surprise/{symbol}: reported earnings of a company against the estimates, quarter by quarter.
import { pageFacts } from "../../market/answer-fields.ts";
import { withClientTicker } from "../../market/client-ticker.ts";
import { asOfInstant } from "../../market/known-at.ts";
import type { Services } from "../../market/services.ts";
import type { SplitsOf } from "../../market/share-split.ts";
import { canonical, type TickerRequest } from "../../market/ticker.ts";
import { Answer } from "../../platform/answer.ts";
import { columnsOfPairs, tableOfObjects } from "../../platform/cells.ts";
import { AsofError } from "../../platform/errors.ts";
import { instantText } from "../../platform/instant-text.ts";
import { refuseInReplay } from "../../platform/reading.ts";
import type { Table } from "../../platform/table.ts";
import type { ReadingCaches } from "./caches.ts";
import type { EarningsCollector } from "./collect.ts";
import { type BasedRow, onOneBasis } from "./eps-basis.ts";
import { timeOf } from "./events.ts";
import {
  asOfText,
  cacheOf,
  explainedReports,
  NOT_ASKED,
  oldWarning,
  type Refreshed,
  refresh,
} from "./reader.ts";
import type { ReportRow, SurpriseRow } from "./revise.ts";
import { QUARTERS, type SurpriseRequest, type SurpriseResponse } from "./schema.ts";
import type { CompanyBehind } from "./sources.ts";
import type { EarningsStore } from "./store.ts";
import { averagePercent, beatRate, judged, streakOf } from "./surprise.ts";

/** Fiscal years of 52 or 53 weeks may end in the first days of the next month. */
// A year that ends on 1 February counts as ending in January, one that ends on 8 February as ending in
// February.
const SPILL_DAYS = 7;

/**
 * The label such as `2027Q2`, for a quarter that ends in July 2026 when the fiscal year ends in January: the
 * year is the calendar year in which the fiscal year ends. Null when the year end is unknown or the quarter
 * does not divide such a year into fourths.
 */
export function fiscalLabel(quarterEnd: string, fiscalYearEnd: string | null): string | null {
  const [, month = "", day = ""] = /^(\d{2})-(\d{2})$/.exec(fiscalYearEnd ?? "") ?? [];
  if (month === "") return null;
  const endMonth = Number(day) <= SPILL_DAYS ? ((Number(month) + 10) % 12) + 1 : Number(month);
  const [year = 0, ownMonth = 0] = quarterEnd.split("-").map(Number);
  const monthsLeft = (endMonth - ownMonth + 12) % 12;
  if (monthsLeft % 3 !== 0) return null;
  return `${year + (ownMonth + monthsLeft > 12 ? 1 : 0)}Q${4 - monthsLeft / 3}`;
}

export interface SurpriseDeps extends Pick<Services, "clock">, Pick<ReadingCaches, "surprises"> {
  readonly collector: EarningsCollector;
  readonly companyBehind: CompanyBehind;
  readonly splitsOf: SplitsOf;
  readonly store: EarningsStore;
}

const COLUMNS = [
  ["fiscal_period", "VARCHAR"],
  ["fiscal_quarter_end", "DATE"],
  ["report_date", "DATE"],
  ["report_time", "VARCHAR"],
  ["eps_actual", "DOUBLE"],
  ["eps_estimate", "DOUBLE"],
  ["surprise", "DOUBLE"],
  ["surprise_percent", "DOUBLE"],
  ["result", "VARCHAR"],
  ["split_basis", "DATE"],
  ["known_at", "TIMESTAMPTZ"],
  ["source", "VARCHAR"],
] as const;

function tableOf({ symbol, data }: SurpriseResponse): Table {
  return tableOfObjects(
    `surprises_${symbol}`,
    columnsOfPairs([["symbol", "VARCHAR"], ...COLUMNS]),
    data.map((row) => ({ symbol, ...row })),
  );
}

/** The time of day of each report, where the calendar lists it on the same day. */
function timesOf(reports: readonly ReportRow[]): (row: SurpriseRow) => "bmo" | "amc" | "unknown" {
  const times = new Map(reports.map((r) => [`${r.fiscal_quarter_end} ${r.report_date}`, r.report_time]));
  return (row) => timeOf(times.get(`${row.fiscal_quarter_end} ${row.report_date}`) ?? "");
}

type Quarter = SurpriseResponse["data"][number];

function quartersOf(
  surprises: readonly BasedRow[],
  reports: readonly ReportRow[],
  yearEnd: string | null,
): Quarter[] {
  const time = timesOf(reports);
  return surprises.map((row) => ({
    fiscal_period: fiscalLabel(row.fiscal_quarter_end, yearEnd),
    fiscal_quarter_end: row.fiscal_quarter_end,
    report_date: row.report_date,
    report_time: time(row),
    eps_actual: row.eps_actual,
    eps_estimate: row.eps_estimate,
    ...judged(row.eps_actual, row.eps_estimate),
    split_basis: row.split_basis,
    known_at: row.known_at,
    source: row.source,
  }));
}

/** The end of the company's fiscal year; null when it is not available, so that quarters have no label. */
async function yearEndOf(
  { companyBehind, store }: SurpriseDeps,
  symbol: string,
  asOf: Temporal.Instant | null,
  signal: AbortSignal,
): Promise<string | null> {
  if (asOf !== null) return store.fiscalYearEnd(symbol, asOf);
  refuseInReplay("the company's fiscal year of now", "Give as_of.");
  try {
    return (await companyBehind(symbol, signal)).fiscal_year_end;
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AsofError)) throw error;
    return null;
  }
}

export function surpriseHistory(deps: SurpriseDeps) {
  const { collector, store, clock } = deps;

  const historyOf = async (
    { ticker, symbol }: TickerRequest,
    query: SurpriseRequest,
    asOf: Temporal.Instant | null,
    read: Refreshed,
    signal: AbortSignal,
  ): Promise<SurpriseResponse> => {
    const [surprises, reports] = await Promise.all([
      store.surprises(symbol, asOf, signal),
      store.reports(symbol, asOf, signal),
    ]);
    if (read.error && (query.force_refresh || surprises.length === 0))
      throw withClientTicker(read.error, { ticker, symbol });
    const yearEnd = surprises.length === 0 ? null : await yearEndOf(deps, symbol, asOf, signal);
    const based = onOneBasis(surprises, await deps.splitsOf(symbol, asOf, signal));
    const quarters = quartersOf(based, reports, yearEnd);
    const data = quarters.slice(0, query.limit ?? QUARTERS.preset);
    return {
      symbol: ticker,
      count: data.length,
      total: quarters.length,
      streak: streakOf(quarters),
      beat_rate: beatRate(data),
      avg_surprise_percent: averagePercent(data),
      as_of: asOfText(asOf),
      last_updated: read.entry ? instantText(read.entry.storedAtMs) : null,
      warnings: explainedReports(
        data,
        [...(read.error ? [oldWarning(read.error)] : []), ...read.warnings],
        asOf,
      ),
      data,
    };
  };

  return async (
    given: string,
    query: SurpriseRequest,
    signal: AbortSignal,
  ): Promise<Answer<SurpriseResponse>> => {
    const ticker = given.trim();
    const symbol = canonical(ticker);
    const asOf = asOfInstant(query.as_of);
    const force = query.force_refresh ?? false;
    const load = (shared: AbortSignal) => collector.readSurprises(symbol, shared);
    const read = asOf === null ? await refresh(deps.surprises, symbol, load, force, signal) : NOT_ASKED;
    const body = await historyOf({ ticker, symbol }, query, asOf, read, signal);
    return new Answer(() => body, {
      table: tableOf(body),
      page: pageFacts(body),
      ...(asOf === null ? { cache: cacheOf([read], clock.nowMs()) } : {}),
    });
  };
}
