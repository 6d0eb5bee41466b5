// What the dividend capability needs from providers, as types; composition hands in whom to ask.
import type { BarHistory } from "../../market/bar-history.ts";

/** A payment as a calendar has it: per share, as paid. */
export interface SourceDividend {
  readonly ex_dividend_date: string;
  readonly declaration_date: string | null;
  readonly record_date: string | null;
  readonly payment_date: string | null;
  readonly amount: number | null;
}

/** All a provider keeps of one symbol. */
export interface SourcePage {
  /** False: it keeps no history of this symbol, which says nothing about whether it pays. */
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

/** The calendar of dividends. Throws NotFound for a symbol it does not have, Upstream* when it fails. */
export interface DividendSource {
  readonly name: string;
  dividends(symbol: string, assetClass: "stocks" | "etf", signal?: AbortSignal): Promise<SourcePage>;
  /** One ex-dividend day, all exchanges. */
  dividendsOn(date: string, signal?: AbortSignal): Promise<SourceDay>;
}

/** All splits and dividends that have happened; amounts are adjusted by the splits up to basis_date. */
export type SourceHistory = Pick<BarHistory, "actions" | "basis_date" | "received_at">;

/** Whoever knows splits. Throws NotFound, Upstream*. */
export interface ActionSource {
  readonly name: string;
  history(symbol: string, signal?: AbortSignal): Promise<SourceHistory>;
  /** The next (or last) ex-dividend day it knows of; null: none. */
  exDividendDate(symbol: string, signal?: AbortSignal): Promise<string | null>;
}

/** Throws NotFound when nobody knows the ticker, Upstream* when that cannot be found out. */
export type KnownTicker = (ticker: string, signal?: AbortSignal) => Promise<unknown>;
