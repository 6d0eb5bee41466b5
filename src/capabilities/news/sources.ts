// The providers that the news capability needs, as types; composition passes them in.
import type { Headlines } from "../../market/headline.ts";

export const PROVIDERS = ["alpaca", "globenewswire", "yahoo", "nasdaq"] as const;
export type ProviderName = (typeof PROVIDERS)[number];

interface Named {
  readonly name: ProviderName;
  /** Whether the provider has the keys it needs. */
  readonly configured: boolean;
  /** Whether it is one of the three providers that are read. */
  readonly enabled: boolean;
}

/** A provider with history: the articles of a time range, page by page. */
export interface ArchiveSource extends Named {
  readonly kind: "archive";
  /** `symbols` are canonical; an empty list means all. */
  pages(request: {
    readonly symbols: readonly string[];
    readonly start: Temporal.Instant;
    readonly end: Temporal.Instant;
    readonly signal: AbortSignal;
  }): AsyncGenerator<Headlines>;
}

/** A feed of the newest articles of all companies. */
export interface StreamSource extends Named {
  readonly kind: "stream";
  newest(signal: AbortSignal): Promise<Headlines>;
}

/** A feed of the newest articles about one symbol. */
export interface TickerSource extends Named {
  readonly kind: "by_ticker";
  /** Null when the provider does not know the symbol. */
  about(symbol: string, signal: AbortSignal): Promise<Headlines | null>;
}

/** A source throws Upstream* when it fails; pages that it gave before are complete. */
export type NewsSource = ArchiveSource | StreamSource | TickerSource;

/** The enabled providers with feeds by symbol. */
export const feedsOf = (sources: readonly NewsSource[]): ProviderName[] =>
  sources.filter(({ kind, enabled }) => kind === "by_ticker" && enabled).map(({ name }) => name);
