// The sources that the fund routes need, as types.
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
