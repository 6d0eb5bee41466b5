// FRED, the economic data of the Federal Reserve Bank of St. Louis. Requests one of its endpoints, adding key
// and format.

import { NotConfigured, UpstreamFailed } from "../../platform/errors.ts";
import { fetchDecoded } from "../../platform/upstream/decode.ts";
import type { Upstream, UpstreamHealth, UpstreamRequest } from "../../platform/upstream/policy.ts";
import { type FredAnswer, readAnswer } from "./answer.ts";
import { FRED_ENDPOINTS, type FredEndpoint } from "./endpoints.ts";
import { FRED_HOST } from "./policy.ts";

export { type FredAnswer, type FredObservation, readAnswer } from "./answer.ts";
export { classifyFred } from "./classify.ts";
export { FRED_ENDPOINTS, type FredEndpoint } from "./endpoints.ts";
export { fredPolicy } from "./policy.ts";

export interface FredDeps {
  /** Made with `fredPolicy` and `classifyFred`. */
  readonly upstream: Upstream;
  /** ECONDATA_API_KEY; null when not configured. */
  readonly apiKey: string | null;
  /** Called after each request answered with data, with the number of rows. */
  answered?(request: UpstreamRequest, records: number): void;
}

export interface AskOptions {
  /** Sends the request even when the daily allowance is used up. */
  readonly overQuota?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The provider. */
export interface Fred {
  readonly endpoints: readonly FredEndpoint[];
  /**
   * Requests the endpoint called `name`. Throws NotConfigured without a key, InvalidRequest or NotFound with
   * FRED's own message when it refuses, and what the upstream throws.
   */
  ask(name: string, params: Readonly<Record<string, string>>, options?: AskOptions): Promise<FredAnswer>;
  health(): UpstreamHealth;
}

/** Parameters only this server sets: a client could use its own key, or request XML. */
const OWN_PARAMETERS = new Set(["api_key", "file_type"]);

/**
 * The URL of a request. Names come from `FRED_ENDPOINTS`; a parameter value can only become a value of the
 * query.
 */
export function addressOf(
  { name }: Pick<FredEndpoint, "name">,
  params: Readonly<Record<string, string>>,
  apiKey: string,
): URL {
  const url = new URL(`https://${FRED_HOST}/`);
  url.pathname = `/fred/${name}`;
  for (const [key, value] of Object.entries(params))
    if (!OWN_PARAMETERS.has(key)) url.searchParams.set(key, value);
  url.searchParams.set("file_type", "json");
  url.searchParams.set("api_key", apiKey);
  if (url.host !== FRED_HOST || url.pathname !== `/fred/${name}` || url.hash !== "")
    throw new UpstreamFailed("fred", "fred was not asked: the request would go to another address");
  return url;
}

export function fred({ upstream, apiKey, answered }: FredDeps): Fred {
  return {
    endpoints: FRED_ENDPOINTS,
    async ask(name, params, { overQuota = false, signal } = {}) {
      const endpoint = FRED_ENDPOINTS.find((each) => each.name === name);
      if (!endpoint) throw new RangeError("not an endpoint of FRED");
      if (apiKey === null)
        throw new NotConfigured(
          "not_configured",
          "FRED requires an API key, and ECONDATA_API_KEY is not set.",
          {
            hint: "Set ECONDATA_API_KEY to a free key from fred.stlouisfed.org.",
            upstream: "fred",
          },
        );
      // Requests are not shared here: the cache of answers shares them, and each call must count as one.
      const request: UpstreamRequest = {
        url: addressOf(endpoint, params, apiKey).href,
        signal,
        shareKey: false,
        overQuota,
      };
      const answer = await fetchDecoded(upstream, request, (sent) =>
        readAnswer(sent, endpoint, apiKey, params),
      );
      answered?.(request, answer.records);
      return answer;
    },
    health: () => upstream.health(),
  };
}
