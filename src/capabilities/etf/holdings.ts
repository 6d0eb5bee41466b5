// GET /etf/{ticker}/holdings: from the newest report the regulator had, else the ten largest that the price provider names.
import { newYorkDate } from "../../market/calendar.ts";
import { parseAsOf } from "../../market/known-at.ts";
import { fromYahoo } from "../../market/spelling.ts";
import { canonical } from "../../market/ticker.ts";
import type { Clock } from "../../platform/clock.ts";
import { AsofError, InvalidRequest, NotFound } from "../../platform/errors.ts";
import type { ReportCollector } from "./collect.ts";
import type { FundDesk } from "./fund-lookup.ts";
import type { HoldingsAsk, HoldingsResponse, HoldingView } from "./schema.ts";
import type { EtfStore, HoldingRow, ReportRow } from "./store.ts";

const LIMIT = 50;

export interface HoldingsDeps {
  readonly desk: FundDesk;
  readonly collector: ReportCollector;
  readonly store: EtfStore;
  readonly clock: Clock;
}

/** The moment of `as_of`; null for now, and for what lies ahead. */
export function momentOf(as_of: string | undefined, now: Temporal.Instant): Temporal.Instant | null {
  if (as_of === undefined) return null;
  const parsed = parseAsOf(as_of);
  if (!parsed.ok) throw new InvalidRequest("bad_request", parsed.detail);
  return Temporal.Instant.compare(parsed.at, now) >= 0 ? null : parsed.at;
}

const shown = (instant: string) => instant.replace(".000Z", "Z");

function viewOf(row: HoldingRow, i: number): HoldingView {
  const { name, title, cusip, isin, lei, weight_percent, balance, units, currency } = row;
  return {
    rank: i + 1,
    symbol: row.symbol,
    name,
    title,
    cusip,
    isin,
    lei,
    weight_percent,
    shares: units === "NS" ? balance : null,
    market_value: row.value_usd,
    balance,
    units,
    currency,
    payoff_profile: row.payoff_profile,
    asset_category: row.asset_category,
    country: row.country,
    derivative_kind: row.derivative_kind,
  };
}

const EMPTY = {
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

/** What is said of the newest report that is not the one served: it cannot be read, or could not be had yet. */
function passedOver(reports: readonly ReportRow[], served: ReportRow | null): string[] {
  const newest = reports.find(({ status }) => status !== "foreign" && status !== "read");
  if (!newest || (served && newest.known_at < served.known_at)) return [];
  const { accession_number, error } = newest;
  if (error) return [`Report ${accession_number} cannot be used: ${error}`];
  return [`Report ${accession_number} is listed and could not be had yet.`];
}

export function fundHoldings({ desk, collector, store, clock }: HoldingsDeps) {
  const fromReport = async (
    ticker: string,
    report: ReportRow,
    limit: number,
    warnings: readonly string[],
    signal: AbortSignal,
  ): Promise<HoldingsResponse> => {
    const rows = await store.holdings(report, limit, signal);
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
      known_at: shown(report.known_at),
      warnings: [...warnings],
      data: rows.map(viewOf),
    };
  };

  const fromProvider = async (
    ticker: string,
    limit: number,
    force: boolean,
    warnings: readonly string[],
    signal: AbortSignal,
  ): Promise<HoldingsResponse> => {
    const { value: fund, state } = await desk.profile(ticker, force, signal);
    if (fund.holdings === null || fund.holdings.length === 0)
      throw new NotFound("no_data", `Nobody tells what ${ticker} holds.`, { ticker, hint: warnings[0] });
    const rows = fund.holdings.slice(0, limit);
    const stale = state === "STALE" ? ["The price provider could not be asked; this is its last word."] : [];
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
        "Only the ten largest holdings, as the price provider had them on as_of; it does not say of which day they are.",
      ],
      data: rows.map(({ symbol, name, weight_percent }, i) => ({
        rank: i + 1,
        symbol: symbol === null ? null : fromYahoo(symbol),
        name,
        ...EMPTY,
        weight_percent,
      })),
    };
  };

  return async (ticker: string, ask: HoldingsAsk, signal: AbortSignal): Promise<HoldingsResponse> => {
    const { limit = LIMIT, force_refresh: force = false } = ask;
    const moment = momentOf(ask.as_of, clock.now());
    const { series, isKnown, fault: error } = await desk.behind(ticker, signal);
    const warnings: string[] = [];
    let failure = error;
    if (series) {
      await desk.mustBeEtf(ticker, series.series_id, signal);
      const fund = { ...series, symbol: canonical(ticker) };
      const untilMs = moment?.epochMilliseconds ?? null;
      await collector.ensure(fund, { untilMs, force }, signal).catch((thrown: unknown) => {
        signal.throwIfAborted();
        if (!(thrown instanceof AsofError)) throw thrown;
        failure = thrown;
      });
      if (failure)
        warnings.push(`The SEC could not be asked (${failure.message}): a newer report may exist.`);
      const report = store.newestRead(series.series_id, untilMs ?? clock.nowMs());
      warnings.push(...passedOver(store.reports(series.series_id, untilMs ?? clock.nowMs()), report));
      if (report) return fromReport(ticker, report, limit, warnings, signal);
    } else if (failure) warnings.push(`The SEC could not be asked (${failure.message}).`);
    else if (isKnown)
      warnings.push("The fund is no series of a trust and files no report of holdings (NPORT-P).");
    if (moment === null) return fromProvider(ticker, limit, force, warnings, signal);
    if (failure) throw failure;
    // First who it is: a share has no holdings on any day.
    if (!series) await desk.profile(ticker, false, signal);
    throw new NotFound("no_data", `No report of ${ticker}'s holdings was public at ${ask.as_of}.`, {
      ticker,
      hint: warnings[0] ?? "reports of holdings are public since late 2019, one a quarter",
    });
  };
}

export type FundHoldings = ReturnType<typeof fundHoldings>;
