// What the news capability needs from providers, as types; composition hands in whom to ask.
import type { Headlines } from "../../market/headline.ts";

export const PROVIDERS = ["alpaca", "globenewswire", "yahoo", "nasdaq"] as const;
export type ProviderName = (typeof PROVIDERS)[number];

interface Named {
  readonly name: ProviderName;
  /** Whether it has the keys it needs. */
  readonly configured: boolean;
  /** Whether it is one of the three that are asked. */
  readonly enabled: boolean;
}

/** It has history: articles of a span of time, page by page. */
export interface ArchiveSource extends Named {
  readonly kind: "archive";
  /** `symbols` canonical; none: all there is. */
  pages(ask: {
    readonly symbols: readonly string[];
    readonly start: Temporal.Instant;
    readonly end: Temporal.Instant;
    readonly signal: AbortSignal;
  }): AsyncGenerator<Headlines>;
}

/** A feed of everybody's newest articles. */
export interface StreamSource extends Named {
  readonly kind: "stream";
  newest(signal: AbortSignal): Promise<Headlines>;
}

/** A feed of the newest articles about one symbol. */
export interface TickerSource extends Named {
  readonly kind: "by_ticker";
  /** Null: it does not know the symbol. */
  about(symbol: string, signal: AbortSignal): Promise<Headlines | null>;
}

/** Each throws Upstream* when it fails; what was handed over before that is whole. */
export type NewsSource = ArchiveSource | StreamSource | TickerSource;

/** The feeds by symbol that are read. */
export const feedsOf = (sources: readonly NewsSource[]): ProviderName[] =>
  sources.filter(({ kind, enabled }) => kind === "by_ticker" && enabled).map(({ name }) => name);
