// Yahoo's trending symbols: those most looked up at the moment, of every asset type. Needs no session.

import { fromYahoo } from "../../../market/spelling.ts";
import { UpstreamRefused } from "../../../platform/errors.ts";
import { instantText } from "../../../platform/instant-text.ts";
import { fetchDecoded } from "../../../platform/upstream/decode.ts";
import type { Upstream, UpstreamAnswer } from "../../../platform/upstream/policy.ts";
import { DATA_HOST } from "../policy.ts";
import { readError, readJson } from "../wire.ts";

export interface Trending {
  /** Canonical, most looked up first; includes indices, currencies and crypto. */
  readonly symbols: readonly string[];
  /** When Yahoo compiled the list, RFC 3339 UTC; null when the answer does not state it. */
  readonly made_at: string | null;
}

/**
 * Fetches up to `count` symbols. Throws UpstreamFailed, UpstreamRateLimited, UpstreamTimeout,
 * UpstreamRefused.
 */
export async function askTrending(
  upstream: Upstream,
  count: number,
  signal?: AbortSignal,
): Promise<Trending> {
  const query = new URLSearchParams({ count: String(count), lang: "en-US" });
  const url = `https://${DATA_HOST}/v1/finance/trending/US?${query}`;
  return fetchDecoded(upstream, { url, signal }, readTrending);
}

function readTrending(answer: UpstreamAnswer): Trending {
  const body = readJson("trending", answer);
  const error = readError(body);
  if (error) {
    const facts = { upstreamStatus: answer.status, hint: error.description };
    throw new UpstreamRefused("yahoo", `Yahoo refused the trending symbols: ${error.description}`, facts);
  }
  const result = body.at("finance").at("result").first();
  const spellings = result
    .at("quotes")
    .items()
    .map((row) => row.at("symbol").text());
  const madeMs = result.at("jobTimestamp").numberOrNull();
  return {
    symbols: [...new Set(spellings.map((text) => fromYahoo(text) ?? text.toUpperCase()))],
    made_at: madeMs === null ? null : instantText(madeMs),
  };
}
