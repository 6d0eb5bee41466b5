// GET /etf/{ticker}/holdings: from the newest report to the regulator, else the price provider's ten largest
// holdings.
import { newYorkDate } from "../../market/calendar.ts";
import type { Services } from "../../market/services.ts";
import { fromYahoo } from "../../market/spelling.ts";
import { canonical } from "../../market/ticker.ts";
import { AsofError, NotFound } from "../../platform/errors.ts";
import { shownInstant } from "../../platform/instant-text.ts";
import { isReplaying } from "../../platform/reading.ts";
import type { FundSeries, ReportCollector } from "./collect.ts";
import type { FundLookup } from "./fund-lookup.ts";
import { pastMoment } from "./past-moment.ts";
import type { HoldingRow, ReportRow, ReportStore } from "./report-store.ts";
import type { HoldingsRequest, HoldingsResponse, HoldingView } from "./schema.ts";
import type { FundVersions } from "./version-state.ts";

const LIMIT = 50;

export interface HoldingsDeps extends Pick<Services, "clock"> {
  readonly funds: FundLookup;
  readonly collector: ReportCollector;
  readonly reports: ReportStore;
  readonly versions: FundVersions;
}

function viewOf(row: HoldingRow, i: number): HoldingView {
  return {
    rank: i + 1,
    symbol: row.symbol,
    name: row.name,
    title: row.title,
    cusip: row.cusip,
    isin: row.isin,
    lei: row.lei,
    weight_percent: row.weight_percent,
    shares: row.units === "NS" ? row.balance : null,
    market_value: row.value_usd,
    balance: row.balance,
    units: row.units,
    currency: row.currency,
    payoff_profile: row.payoff_profile,
    asset_category: row.asset_category,
    country: row.country,
    derivative_kind: row.derivative_kind,
  };
}

/** The fields that only a report has. */
const NOT_REPORTED = {
  title: null,
  cusip: null,
  isin: null,
  lei: null,
  shares: null,
  market_value: null,
  balance: null,
  units: null,
  currency: null,
  payoff_profile: null,
  asset_category: null,
  country: null,
  derivative_kind: null,
};

/** Warns if a newer report than the one served is known but cannot be read, or could not be fetched yet. */
function unusedReportWarning(reports: readonly ReportRow[], served: ReportRow | null): string[] {
  const newest = reports.find(({ status }) => status !== "foreign" && status !== "read");
  if (!newest || (served && newest.known_at < served.known_at)) return [];
  const { accession_number, error } = newest;
  if (error) return [`Report ${accession_number} cannot be used: ${error}`];
  return [`Report ${accession_number} is listed but could not be fetched yet.`];
}

/** The limit and the warnings of a request, which are all that a stored report needs of it. */
interface AnswerOptions {
  readonly limit: number;
  readonly warnings: readonly string[];
}

/** The answer made of a stored report. */
async function reportAnswer(
  reports: ReportStore,
  ticker: string,
  report: ReportRow,
  { limit, warnings }: AnswerOptions,
  signal: AbortSignal,
): Promise<HoldingsResponse> {
  const rows = await reports.holdings(report, limit, signal);
  return {
    ticker,
    as_of: report.period_end,
    source: "nport",
    count: rows.length,
    total: report.holdings,
    series_id: report.series_id,
    fund_name: rows[0]?.fund_name ?? null,
    accession_number: report.accession_number,
    net_assets: rows[0]?.net_assets_usd ?? null,
    known_at: shownInstant(report.known_at),
    warnings: [...warnings],
    data: rows.map(viewOf),
  };
}

/** The answer made of the price provider's profile, for a fund without a report. */
async function providerAnswer(
  funds: FundLookup,
  ticker: string,
  { limit, warnings, force }: AnswerOptions & { readonly force: boolean },
  signal: AbortSignal,
): Promise<HoldingsResponse> {
  const { value: fund, state } = await funds.versionedProfile(ticker, force, signal);
  if (fund.holdings === null || fund.holdings.length === 0)
    throw new NotFound("no_data", `No source reports the holdings of ${ticker}.`, {
      ticker,
      hint: warnings[0],
    });
  const rows = fund.holdings.slice(0, limit);
  const stale =
    state === "STALE" ? ["The price provider could not be reached: these are its last known holdings."] : [];
  return {
    ticker,
    as_of: newYorkDate(Temporal.Instant.from(fund.received_at)),
    source: "yahoo",
    count: rows.length,
    total: null,
    series_id: null,
    fund_name: fund.name,
    accession_number: null,
    net_assets: null,
    known_at: fund.received_at,
    warnings: [
      ...warnings,
      ...stale,
      "Only the ten largest holdings, as the price provider had them on as_of. It does not say of which day they are.",
    ],
    data: rows.map(({ symbol, name, weight_percent }, i) => ({
      rank: i + 1,
      symbol: symbol === null ? null : fromYahoo(symbol),
      name,
      ...NOT_REPORTED,
      weight_percent,
    })),
  };
}

export function fundHoldings({ funds, collector, reports, versions, clock }: HoldingsDeps) {
  /**
   * Reads the report that counts at a moment, unless it is stored. Returns the regulator's failure, if any.
   * An earlier version asks nothing.
   */
  const collect = async (
    fund: FundSeries,
    request: { readonly untilMs: number | null; readonly force: boolean },
    signal: AbortSignal,
  ): Promise<AsofError | null> => {
    if (isReplaying()) return null;
    try {
      await collector.ensure(fund, request, signal);
      return null;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AsofError) return error;
      throw error;
    }
  };

  return async (ticker: string, request: HoldingsRequest, signal: AbortSignal): Promise<HoldingsResponse> => {
    const { limit = LIMIT, force_refresh: force = false } = request;
    const moment = pastMoment(request.as_of, clock.now());
    const { series, isKnown, error, warnings: aboutHolder } = await funds.findSeries(ticker, moment, signal);
    const warnings = [...aboutHolder];
    let failure = error;
    if (series) {
      await versions.load(series.series_id);
      await funds.requireEtf(ticker, series.series_id, signal);
      const untilMs = moment?.epochMilliseconds ?? null;
      failure = await collect({ ...series, symbol: canonical(ticker) }, { untilMs, force }, signal);
      if (failure)
        warnings.push(`Fetching from the SEC failed (${failure.message}): a newer report may exist.`);
      const nowOrThen = untilMs ?? clock.nowMs();
      const { report, listed } = await versions.read(series.series_id, () => ({
        report: reports.newestRead(series.series_id, nowOrThen),
        listed: reports.reports(series.series_id, nowOrThen),
      }));
      warnings.push(...unusedReportWarning(listed, report));
      if (report) return reportAnswer(reports, ticker, report, { limit, warnings }, signal);
    } else if (failure) warnings.push(`Fetching from the SEC failed (${failure.message}).`);
    else if (isKnown)
      warnings.push("The fund is not a series of a trust and files no report of holdings (NPORT-P).");
    if (moment === null) return providerAnswer(funds, ticker, { limit, warnings, force }, signal);
    if (failure) throw failure;
    // A ticker that is not a fund gets its own error: it has no holdings on any day.
    if (!series) await funds.versionedProfile(ticker, false, signal);
    throw new NotFound("no_data", `No report of ${ticker}'s holdings was public at ${request.as_of}.`, {
      ticker,
      hint: warnings[0] ?? "Reports of holdings are public since late 2019, one per quarter.",
    });
  };
}

export type FundHoldings = ReturnType<typeof fundHoldings>;
