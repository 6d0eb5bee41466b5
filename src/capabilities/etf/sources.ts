// The sources that the fund routes need, as types.
import type { FundProfile } from "../../market/fund-profile.ts";
import type { ResolveHolder } from "../../market/issuer.ts";
import type { NportHolding, NportReport, SeriesFiling } from "../../providers/edgar/index.ts";

/** A filing in the list of a series. */
export type SourceReport = Pick<
  SeriesFiling,
  "accession_number" | "form_type" | "filing_date" | "public_from" | "cik"
>;

/** A line of a report. */
export type SourceHolding = Omit<NportHolding, "units_described" | "is_restricted">;

/** The contents of a report. */
export interface SourceSchedule
  extends Pick<
    NportReport,
    "is_amendment" | "registrant_cik" | "series_id" | "series_name" | "period_end" | "net_assets"
  > {
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
export type SourceFund = Omit<FundProfile, "symbol" | "legal_type">;

/** The price provider. Null or NotFound: it has no fund of that symbol; the symbol may exist nevertheless. */
export interface FundProfiles {
  readonly name: string;
  fund(symbol: string, signal?: AbortSignal): Promise<SourceFund | null>;
}

/** The filer that had a ticker at a moment, and its series. */
export type ResolveFund = ResolveHolder<"cik" | "name" | "series_id" | "warnings">;
