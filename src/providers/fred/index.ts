// FRED, the Federal Reserve Bank of St. Louis' economic data: asked for one of its endpoints, key and format added here.

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

export interface FredNeeds {
  /** Made with `fredPolicy` and `classifyFred`. */
  readonly upstream: Upstream;
  /** ECONDATA_API_KEY; null: not configured. */
  readonly apiKey: string | null;
  /** Told of each request that was answered with data, and of how many rows. */
  answered?(request: UpstreamRequest, records: number): void;
}

export interface AskOptions {
  /** Asked although the calls of the day are used up. */
  readonly overQuota?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The provider. */
export interface Fred {
  readonly endpoints: readonly FredEndpoint[];
  /**
   * `name` is that of one of the endpoints. Throws NotConfigured without a key, InvalidRequest or NotFound with
   * FRED's own words where it refused, else what the upstream throws.
   */
  ask(name: string, params: Readonly<Record<string, string>>, options?: AskOptions): Promise<FredAnswer>;
  health(): UpstreamHealth;
}

/** Ours alone: a client's own would be asked in its name, or bring XML. */
const OWN_PARAMETERS = new Set(["api_key", "file_type"]);

/** The address of a request. Names come from the list above; a value can only ever be a value of the query. */
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
    throw new UpstreamFailed("fred", "fred was not asked: the request names another address");
  return url;
}

export function fred({ upstream, apiKey, answered }: FredNeeds): Fred {
  return {
    endpoints: FRED_ENDPOINTS,
    async ask(name, params, { overQuota = false, signal } = {}) {
      const endpoint = FRED_ENDPOINTS.find((each) => each.name === name);
      if (!endpoint) throw new RangeError("not one of the endpoints of FRED");
      if (apiKey === null)
        throw new NotConfigured("not_configured", "FRED asks for a key, and ECONDATA_API_KEY is not set.", {
          hint: "Set ECONDATA_API_KEY to a free key of fred.stlouisfed.org.",
          upstream: "fred",
        });
      // Not shared here: who remembers the answers shares the asking, and each call is to count as its own.
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
