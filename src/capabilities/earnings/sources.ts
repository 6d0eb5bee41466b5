// What the earnings capability needs from providers, as types; composition hands in whom to ask.

export type ReportTime = "bmo" | "amc" | "unknown";

/** A quarter's result against its estimate, dollars a share. */
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

/** The market's calendar and surprises. Throws NotFound for a symbol it does not have, Upstream* when it fails. */
export interface EarningsSource {
  readonly name: string;
  surprises(
    symbol: string,
    signal?: AbortSignal,
  ): Promise<{ readonly rows: readonly SourceSurprise[]; readonly received_at: Temporal.Instant }>;
  /** Everybody who reports on a New York day. */
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

/** When a company reports next; days are New York's. */
export interface SourceNext {
  readonly report_date: string | null;
  readonly report_date_end: string | null;
  readonly report_time: ReportTime;
  readonly is_confirmed: boolean | null;
  readonly eps_estimate: number | null;
  readonly revenue_estimate: number | null;
  readonly received_at: string;
}

/** Whoever knows a company's next report; its market calendar stands in for the other one. */
export interface NextReportSource {
  readonly name: string;
  /** Null: it knows of none. */
  calendarEvents(symbol: string, signal?: AbortSignal): Promise<SourceNext | null>;
  earningsOn(
    date: string,
    signal?: AbortSignal,
  ): Promise<{
    readonly rows: readonly (SourceReport & { readonly is_confirmed: boolean | null })[];
    readonly received_at: Temporal.Instant;
  }>;
}

/** Throws NotFound when nobody knows the ticker, Upstream* when that cannot be found out. */
export type CompanyBehind = (
  ticker: string,
  signal?: AbortSignal,
) => Promise<{ readonly fiscal_year_end: string | null }>;
