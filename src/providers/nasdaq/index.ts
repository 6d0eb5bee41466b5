// Nasdaq: calendars of earnings and dividends, surprises, and the dividends of issues it lists.
import type { Upstream, UpstreamHealth } from "../../platform/upstream/policy.ts";
import { askDividendDay, type DividendDay } from "./endpoints/dividend-calendar.ts";
import { askEarningsDay, type EarningsDay } from "./endpoints/earnings-calendar.ts";
import { askSurprises, type Surprises } from "./endpoints/earnings-surprise.ts";
import { type AssetClass, askSymbolDividends, type SymbolDividends } from "./endpoints/symbol-dividends.ts";

export { classifyNasdaq } from "./classify.ts";
export type { CalendarDividend, DividendDay } from "./endpoints/dividend-calendar.ts";
export type { CalendarEarnings, EarningsDay, ReportTime } from "./endpoints/earnings-calendar.ts";
export type { Surprise, Surprises } from "./endpoints/earnings-surprise.ts";
export type { AssetClass, SymbolDividend, SymbolDividends } from "./endpoints/symbol-dividends.ts";
export * from "./listings.ts";
export { nasdaqPolicy } from "./policy.ts";

/**
 * The provider. Symbols are canonical, days are New York days; each method throws what its endpoint
 * documents.
 */
export interface Nasdaq {
  earningsOn(date: string, signal?: AbortSignal): Promise<EarningsDay>;
  surprises(symbol: string, signal?: AbortSignal): Promise<Surprises>;
  dividendsOn(date: string, signal?: AbortSignal): Promise<DividendDay>;
  dividends(symbol: string, assetClass: AssetClass, signal?: AbortSignal): Promise<SymbolDividends>;
  health(): UpstreamHealth;
}

/** `upstream` is created with `nasdaqPolicy` and `classifyNasdaq`. */
export function nasdaq(upstream: Upstream): Nasdaq {
  return {
    earningsOn: (date, signal) => askEarningsDay(upstream, date, signal),
    surprises: (symbol, signal) => askSurprises(upstream, symbol, signal),
    dividendsOn: (date, signal) => askDividendDay(upstream, date, signal),
    dividends: (symbol, assetClass, signal) => askSymbolDividends(upstream, symbol, assetClass, signal),
    health: () => upstream.health(),
  };
}
