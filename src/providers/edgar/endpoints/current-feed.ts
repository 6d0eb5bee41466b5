// Fetches browse-edgar?action=getcurrent: the filings EDGAR accepted in the last two days or so, newest
// first.

import { InvalidRequest } from "../../../platform/errors.ts";
import { fetchDecoded } from "../../../platform/upstream/decode.ts";
import type { Upstream } from "../../../platform/upstream/policy.ts";
import { currentFeedUrl } from "../address.ts";
import { readFeed } from "../parse/feed.ts";
import type { FeedPage } from "../records.ts";

/** EDGAR answers 503 "undergoing maintenance" beyond this start, and sends no more than 100 entries. */
export const FEED_START_MAX = 5_000;
export const FEED_COUNT_MAX = 100;

export interface FeedQuery {
  /** Only this form type. EDGAR matches a prefix; the result is narrowed to exact matches. Default: all. */
  readonly form_type?: string | undefined;
  /** Includes the amendments: `4` and `4/A`. */
  readonly amendments?: boolean | undefined;
  /** Entries to skip, 0 to 5000. Entries are counted, not filings. */
  readonly start?: number | undefined;
  /** Entries per page, 1 to 100; default 100. EDGAR supports 10, 20, 40, 80 and 100. */
  readonly count?: number | undefined;
}

const inRange = (n: number, min: number, max: number): boolean => Number.isInteger(n) && n >= min && n <= max;

/** Pages are in ISO-8859-1, as they declare. */
const decoder = new TextDecoder("windows-1252");

/**
 * Throws InvalidRequest for a page EDGAR does not have, UpstreamFailed, UpstreamRateLimited, UpstreamTimeout.
 */
export async function fetchCurrentFeed(
  upstream: Upstream,
  query: FeedQuery,
  signal?: AbortSignal,
): Promise<FeedPage> {
  const { form_type = "", amendments = false, start = 0, count = FEED_COUNT_MAX } = query;
  const isRequested = (form: string) => form === form_type || (amendments && form === `${form_type}/A`);
  if (!inRange(start, 0, FEED_START_MAX) || !inRange(count, 1, FEED_COUNT_MAX))
    throw new InvalidRequest(
      "bad_request",
      `The feed's start must be 0 to ${FEED_START_MAX} and its count 1 to ${FEED_COUNT_MAX}`,
    );
  const address = {
    type: form_type,
    owner: "include",
    count: String(count),
    start: String(start),
    output: "atom",
  };
  const { entries, updatedAt } = await fetchDecoded(
    upstream,
    { url: currentFeedUrl(address), signal },
    ({ bytes }) => readFeed(decoder.decode(bytes)),
  );
  const next = start + count;
  return {
    entries: form_type ? entries.filter((entry) => isRequested(entry.form_type)) : entries,
    updated_at: updatedAt.toString({ smallestUnit: "second" }),
    next_start: entries.length < count || next > FEED_START_MAX ? null : next,
  };
}
