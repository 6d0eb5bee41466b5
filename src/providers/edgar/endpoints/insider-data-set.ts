// Fetches the SEC's quarterly data sets of Forms 3, 4 and 5: one zip of tables instead of a hundred thousand
// filings.

import { InvalidRequest } from "../../../platform/errors.ts";
import type { Upstream } from "../../../platform/upstream/policy.ts";
import { insiderDataSetUrl } from "../address.ts";
import { isAbsent } from "../ask.ts";
import type { InsiderDataSetFile } from "../ownership-records.ts";

/** The data sets start with this year. */
const FIRST_YEAR = 2006;
/** Zips have 5 to 20 MB. */
const BYTES_MAX = 200_000_000;
const ATTEMPT_MS_MAX = 300_000;

/**
 * Fetches the data set of a quarter; null when there is none (the SEC publishes it some weeks after the
 * quarter). Throws InvalidRequest for an impossible quarter, UpstreamFailed, UpstreamRateLimited,
 * UpstreamTimeout.
 */
export async function fetchInsiderDataSet(
  upstream: Upstream,
  year: number,
  quarter: number,
  signal?: AbortSignal,
): Promise<InsiderDataSetFile | null> {
  if (!Number.isInteger(year) || year < FIRST_YEAR || year > 9999 || ![1, 2, 3, 4].includes(quarter))
    throw new InvalidRequest(
      "bad_request",
      `A data set of insiders' trades needs a quarter 1 to 4 and a year from ${FIRST_YEAR}`,
    );
  const url = insiderDataSetUrl(year, quarter);
  const answer = await upstream.ask({ url, bytesMax: BYTES_MAX, attemptMsMax: ATTEMPT_MS_MAX, signal });
  if (isAbsent(answer)) return null;
  const received_at = answer.receivedAt.toString({ smallestUnit: "second" });
  return { year, quarter, bytes: answer.bytes, url, received_at };
}
