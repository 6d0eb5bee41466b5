// The sources that the insider capability needs, as types.
import type { Coverage, CoverageRequest, DayCoverage } from "../../market/coverage.ts";

/**
 * The index of insiders' filings. Both methods throw NotConfigured or Upstream* if the SEC fails and nothing
 * is stored.
 */
export interface FilingCoverage {
  /** Indexes and reads what is missing of a company's filings. */
  ensureIssuer(
    request: CoverageRequest & { readonly kind: "insider" },
    signal: AbortSignal,
  ): Promise<Coverage>;
  /**
   * Indexes and reads the filings of a day, of all companies, where the day had begun at `asOf`. Throws
   * NotFound `no_data` if its index is not published.
   */
  ensureDay(date: string, kind: "insider", asOf: Temporal.Instant, signal: AbortSignal): Promise<DayCoverage>;
}
