// The providers that the dividend capability needs, as types; composition passes them in.
import type { BarHistory } from "../../market/bar-history.ts";

/** A payment in a dividend calendar; the amount is per share, as paid. */
export interface SourceDividend {
  readonly ex_dividend_date: string;
  readonly declaration_date: string | null;
  readonly record_date: string | null;
  readonly payment_date: string | null;
  readonly amount: number | null;
}

/** The dividend history of one symbol. */
export interface SourcePage {
  /** False: the provider keeps no history of this symbol; the symbol may pay dividends all the same. */
  readonly is_covered: boolean;
  readonly rows: readonly (SourceDividend & {
    readonly dividend_type: "cash" | "special" | "stock" | "other";
    readonly currency: string | null;
  })[];
  readonly received_at: Temporal.Instant;
}

export interface SourceDay {
  readonly date: string;
  readonly rows: readonly (SourceDividend & { readonly symbol: string })[];
  readonly received_at: Temporal.Instant;
}

/** A dividend calendar. Throws NotFound for a symbol it does not have, Upstream* when it fails. */
export interface DividendSource {
  readonly name: string;
  dividends(symbol: string, assetClass: "stocks" | "etf", signal?: AbortSignal): Promise<SourcePage>;
  /** One ex-dividend day, all exchanges. */
  dividendsOn(date: string, signal?: AbortSignal): Promise<SourceDay>;
}

/** All splits and dividends that have happened; amounts are adjusted by the splits up to basis_date. */
export type SourceHistory = Pick<BarHistory, "actions" | "basis_date" | "received_at">;

/** A provider of splits and past payments. Throws NotFound, Upstream*. */
export interface ActionSource {
  readonly name: string;
  history(symbol: string, signal?: AbortSignal): Promise<SourceHistory>;
  /** The next (or last) known ex-dividend day; null: none. */
  exDividendDate(symbol: string, signal?: AbortSignal): Promise<string | null>;
}

/**
 * Resolves for a known ticker. Throws NotFound when no provider knows it, Upstream* when that could not be
 * determined.
 */
export type KnownTicker = (ticker: string, signal?: AbortSignal) => Promise<unknown>;
