// Fetches master.idx of a day or a quarter: every filing that EDGAR accepted, with a row for each of its
// parties.

import { isDate } from "../../../market/date.ts";
import { InvalidRequest } from "../../../platform/errors.ts";
import { fetchDecoded } from "../../../platform/upstream/decode.ts";
import type { Upstream } from "../../../platform/upstream/policy.ts";
import { dailyIndexUrl, fullIndexUrl } from "../address.ts";
import { conditional, isAbsent, isUnchanged, validatorsOf } from "../ask.ts";
import { decodeFiling } from "../parse/documents/filing-text.ts";
import { readIndexFile } from "../parse/index-file.ts";
import type { IndexFile, Validators } from "../records.ts";

/** A quarter's file has 30 to 50 MB. */
const BYTES_MAX = 200_000_000;
const ATTEMPT_MS_MAX = 120_000;
/** EDGAR's first quarter with an index. */
const FIRST_YEAR = 1993;

async function fetchIndex(
  upstream: Upstream,
  url: string,
  document: string,
  known: Validators | undefined,
  signal: AbortSignal | undefined,
): Promise<IndexFile | "unchanged" | null> {
  const limits = { bytesMax: BYTES_MAX, attemptMsMax: ATTEMPT_MS_MAX };
  return fetchDecoded(upstream, { ...conditional(url, known), ...limits, signal }, (answer) => {
    if (isUnchanged(answer)) return "unchanged";
    // EDGAR answers 403 for a file that does not exist yet.
    if (isAbsent(answer)) return null;
    return { ...readIndexFile(decodeFiling(answer.bytes), document), validators: validatorsOf(answer) };
  });
}

/**
 * Fetches the filings of a day (YYYY-MM-DD, New York). Null when EDGAR has no such file: on weekends and
 * holidays, and today before about 22:15 in New York. "unchanged" when the file has not changed since
 * `known`. Throws InvalidRequest for an impossible date, UpstreamFailed, UpstreamRateLimited,
 * UpstreamTimeout.
 */
export async function fetchDailyIndex(
  upstream: Upstream,
  date: string,
  known?: Validators,
  signal?: AbortSignal,
): Promise<IndexFile | "unchanged" | null> {
  if (!isDate(date))
    throw new InvalidRequest("bad_request", "The day of an index must be a date, YYYY-MM-DD");
  return fetchIndex(upstream, dailyIndexUrl(date), `the daily index of ${date}`, known, signal);
}

/**
 * Fetches the filings of a quarter since 1993. Null for a quarter that has not begun. EDGAR rebuilds past
 * quarters every week, and rows do change: fetch again with `known`. Throws as fetchDailyIndex.
 */
export async function fetchFullIndex(
  upstream: Upstream,
  year: number,
  quarter: number,
  known?: Validators,
  signal?: AbortSignal,
): Promise<IndexFile | "unchanged" | null> {
  if (!Number.isInteger(year) || year < FIRST_YEAR || year > 9999 || ![1, 2, 3, 4].includes(quarter))
    throw new InvalidRequest("bad_request", `An index needs a quarter 1 to 4 and a year from ${FIRST_YEAR}`);
  return fetchIndex(upstream, fullIndexUrl(year, quarter), `the index of ${year}Q${quarter}`, known, signal);
}
