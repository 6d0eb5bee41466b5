// GET /earnings/surprise/{symbol}: what a company earned against what was expected, quarter by quarter.
import { canonical } from "../../market/ticker.ts";
import { Answer, type Table } from "../../platform/answer.ts";
import type { Memory } from "../../platform/cache/cache.ts";
import type { Clock } from "../../platform/clock.ts";
import { AsofError } from "../../platform/errors.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { EarningsCollector, Reading } from "./collect.ts";
import { timeOf } from "./events.ts";
import { fiscalLabel } from "./fiscal-label.ts";
import { cacheOf, NOT_ASKED, oldWarning, refresh, retold } from "./reader.ts";
import type { ReportRow, SurpriseRow } from "./revise.ts";
import { QUARTERS, type SurpriseAsk, type SurpriseResponse } from "./schema.ts";
import type { CompanyBehind } from "./sources.ts";
import type { EarningsStore } from "./store.ts";
import { averagePercent, beatRate, judged, streakOf } from "./surprise.ts";

export interface SurpriseDeps {
  readonly collector: EarningsCollector;
  readonly surprises: Memory<Reading>;
  readonly companyBehind: CompanyBehind;
  readonly store: EarningsStore;
  readonly clock: Clock;
  asOf(text: string | undefined): Temporal.Instant | null;
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
  ["known_at", "TIMESTAMPTZ"],
  ["source", "VARCHAR"],
] as const;

function tableOf({ symbol, data }: SurpriseResponse): Table {
  return {
    name: `surprises_${symbol}`,
    columns: [{ name: "symbol", type: "VARCHAR" }, ...COLUMNS.map(([name, type]) => ({ name, type }))],
    *rows() {
      for (const row of data) yield [symbol, ...COLUMNS.map(([name]) => row[name])];
    },
  };
}

/** Time of day by quarter, as the calendar said of the very day of the report. */
function timesOf(reports: readonly ReportRow[]): (row: SurpriseRow) => "bmo" | "amc" | "unknown" {
  const times = new Map(reports.map((r) => [`${r.fiscal_quarter_end} ${r.report_date}`, r.report_time]));
  return (row) => timeOf(times.get(`${row.fiscal_quarter_end} ${row.report_date}`) ?? "");
}

export function surpriseHistory(deps: SurpriseDeps) {
  const { collector, companyBehind, store, clock } = deps;

  /** The company's year end: labels are left out where it cannot be had. */
  const yearEnd = async (symbol: string, asOf: Temporal.Instant | null, signal: AbortSignal) => {
    if (asOf !== null) return store.fiscalYearEnd(symbol, asOf);
    try {
      return (await companyBehind(symbol, signal)).fiscal_year_end;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AsofError)) throw error;
      return null;
    }
  };

  return async (given: string, ask: SurpriseAsk, signal: AbortSignal): Promise<Answer<SurpriseResponse>> => {
    const ticker = given.trim();
    const symbol = canonical(ticker);
    const asOf = deps.asOf(ask.as_of);
    const force = ask.force_refresh ?? false;
    const load = (shared: AbortSignal) => collector.readSurprises(symbol, shared);
    const read = asOf === null ? await refresh(deps.surprises, symbol, load, force, signal) : NOT_ASKED;
    const [surprises, reports] = await Promise.all([
      store.surprises(symbol, asOf, signal),
      store.reports(symbol, asOf, signal),
    ]);
    if (read.fault && (force || surprises.length === 0)) throw retold(read.fault, ticker, symbol);
    const warnings = [...(read.fault ? [oldWarning(read.fault)] : []), ...read.warnings];
    if (asOf !== null)
      warnings.push("With as_of only what this service had read by then is known, and nothing is fetched.");
    const end = surprises.length === 0 ? null : await yearEnd(symbol, asOf, signal);
    const time = timesOf(reports);
    const all = surprises.map((row) => ({
      fiscal_period: fiscalLabel(row.fiscal_quarter_end, end),
      fiscal_quarter_end: row.fiscal_quarter_end,
      report_date: row.report_date,
      report_time: time(row),
      eps_actual: row.eps_actual,
      eps_estimate: row.eps_estimate,
      ...judged(row.eps_actual, row.eps_estimate),
      known_at: row.known_at,
      source: row.source,
    }));
    const data = all.slice(0, ask.limit ?? QUARTERS.preset);
    const body: SurpriseResponse = {
      symbol: ticker,
      count: data.length,
      streak: streakOf(all),
      beat_rate: beatRate(data),
      avg_surprise_percent: averagePercent(data),
      as_of: asOf?.toString({ smallestUnit: "millisecond" }) ?? null,
      last_updated: read.entry ? instantText(read.entry.storedAtMs) : null,
      warnings,
      data,
    };
    return new Answer(() => body, {
      table: tableOf(body),
      ...(asOf === null ? { cache: cacheOf([read], clock.nowMs()) } : {}),
    });
  };
}
