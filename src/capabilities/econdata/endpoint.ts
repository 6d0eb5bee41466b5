// Which of the provider's endpoints a path names; anything else, however it is written, is none.
import { NotFound } from "../../platform/errors.ts";
import type { SourceEndpoint } from "./sources.ts";

/** Letters, underscores and single slashes: no escape, no dots, no scheme, no host can be said in it. */
const PLAIN_PATH = /^[a-z]+(?:[_/][a-z]+)*$/;

/**
 * The endpoint of the rest of a path, as it stood in the URL. Clients made from the API document escape the slash of a
 * path parameter; no endpoint needs another escape, so a path with one is not looked at further, whatever it would
 * decode to. Throws NotFound `unsupported_endpoint`.
 */
export function endpointFinder(endpoints: readonly SourceEndpoint[]) {
  const byName = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
  return (path: string): SourceEndpoint => {
    const plain = path.replaceAll(/%2f/gi, "/");
    const name = plain.endsWith("/") ? plain.slice(0, -1) : plain;
    const found = PLAIN_PATH.test(name) ? byName.get(name) : undefined;
    if (found) return found;
    throw new NotFound("unsupported_endpoint", "The proxy does not know this endpoint.", {
      hint: "GET /api/v1/econdata/stats/usage lists the endpoints it takes, such as series/observations.",
    });
  };
}
