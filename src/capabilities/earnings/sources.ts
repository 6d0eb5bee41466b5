// The providers that the earnings capability needs, as types; composition passes them in.

export type ReportTime = "bmo" | "amc" | "unknown";

/** A quarter's result against its estimate, dollars per share. */
export interface SourceSurprise {
  /** YYYY-MM. */
  readonly fiscal_quarter: string;
  readonly report_date: string | null;
  readonly eps_actual: number | null;
  readonly eps_estimate: number | null;
}

export interface SourceReport {
  readonly symbol: string;
  readonly name: string | null;
  readonly report_time: ReportTime;
  readonly eps_estimate: number | null;
  readonly eps_actual: number | null;
}

/**
 * A market calendar with surprises. Throws NotFound for a symbol it does not have, Upstream* when it fails.
 */
export interface EarningsSource {
  readonly name: string;
  surprises(
    symbol: string,
    signal?: AbortSignal,
  ): Promise<{ readonly rows: readonly SourceSurprise[]; readonly received_at: Temporal.Instant }>;
  /** All reports on a New York day. */
  earningsOn(
    date: string,
    signal?: AbortSignal,
  ): Promise<{
    readonly rows: readonly (SourceReport & {
      readonly fiscal_quarter: string | null;
      readonly estimate_count: number | null;
      readonly eps_last_year: number | null;
    })[];
    readonly received_at: Temporal.Instant;
  }>;
}

/** The next report of a company; days are New York days. */
export interface SourceNext {
  readonly report_date: string | null;
  readonly report_date_end: string | null;
  readonly report_time: ReportTime;
  readonly is_confirmed: boolean | null;
  readonly eps_estimate: number | null;
  readonly revenue_estimate: number | null;
  readonly received_at: string;
}

/** A provider of companies' next reports; its market calendar is the fallback of `EarningsSource`. */
export interface NextReportSource {
  readonly name: string;
  /** Null: no next report is known. */
  calendarEvents(symbol: string, signal?: AbortSignal): Promise<SourceNext | null>;
  earningsOn(
    date: string,
    signal?: AbortSignal,
  ): Promise<{
    readonly rows: readonly (SourceReport & { readonly is_confirmed: boolean | null })[];
    readonly received_at: Temporal.Instant;
  }>;
}

/**
 * The company of a ticker. Throws NotFound when no provider knows it, Upstream* when that could not be
 * determined.
 */
export type CompanyBehind = (
  ticker: string,
  signal?: AbortSignal,
) => Promise<{ readonly fiscal_year_end: string | null }>;
