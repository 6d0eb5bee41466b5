// The sources that the fund routes need, as types.
import type { ResolveHolder } from "../../market/issuer.ts";

/** A filing in the list of a series. */
export interface SourceReport {
  readonly accession_number: string;
  readonly form_type: string;
  readonly filing_date: string;
  /** When it became public, RFC 3339 UTC; null if unknown. */
  readonly public_from: string | null;
  readonly cik: string | null;
}

/** A line of a report. The provider's records describe the fields. */
export interface SourceHolding {
  readonly line: number;
  readonly name: string | null;
  readonly title: string | null;
  readonly lei: string | null;
  readonly cusip: string | null;
  readonly isin: string | null;
  readonly ticker: string | null;
  readonly balance: number | null;
  readonly units: string | null;
  readonly currency: string | null;
  readonly value_usd: number | null;
  readonly weight_percent: number | null;
  readonly payoff_profile: "Long" | "Short" | null;
  readonly asset_category: string | null;
  readonly issuer_category: string | null;
  readonly country: string | null;
  readonly fair_value_level: number | null;
  readonly derivative_kind: string | null;
}

/** The contents of a report. */
export interface SourceSchedule {
  readonly is_amendment: boolean;
  readonly registrant_cik: string | null;
  readonly series_id: string | null;
  readonly series_name: string | null;
  readonly period_end: string;
  readonly net_assets: number | null;
  readonly holdings: readonly SourceHolding[];
}

/** The regulator. Throws NotConfigured without SEC_USER_AGENT, Upstream* when it fails. */
export interface FundReports {
  /** Public reports of a series and their amendments, newest first. */
  seriesReports(seriesId: string, signal?: AbortSignal): Promise<readonly SourceReport[]>;
  /** Fetches and reads a report. `read.failed` says why it cannot be read. */
  fundReport(
    ref: { readonly accession_number: string; readonly cik?: string | undefined },
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<{
    readonly sha256: string;
    readonly read: SourceSchedule | { readonly failed: string; readonly message: string };
  }>;
}

/** The price provider's profile of a fund. Percentages are percentage points, moments RFC 3339 UTC. */
export interface SourceFund {
  readonly name: string | null;
  readonly quote_type: string | null;
  readonly exchange: string | null;
  readonly exchange_name: string | null;
  readonly currency: string | null;
  readonly issuer: string | null;
  readonly category: string | null;
  readonly expense_ratio: number | null;
  readonly total_assets: number | null;
  readonly nav: number | null;
  readonly inception_date: string | null;
  readonly yield_percent: number | null;
  readonly positions: Readonly<
    Record<"stock" | "bond" | "cash" | "preferred" | "convertible" | "other", number | null>
  > | null;
  readonly holdings:
    | readonly {
        readonly symbol: string | null;
        readonly name: string | null;
        readonly weight_percent: number | null;
      }[]
    | null;
  readonly sectors: readonly { readonly sector: string; readonly weight_percent: number }[] | null;
  readonly received_at: string;
}

/** The price provider. Null or NotFound: it has no fund of that symbol; the symbol may exist nevertheless. */
export interface FundProfiles {
  readonly name: string;
  fund(symbol: string, signal?: AbortSignal): Promise<SourceFund | null>;
}

/** The filer that had a ticker at a moment, and its series. */
export type ResolveFund = ResolveHolder<"cik" | "name" | "series_id" | "warnings">;
