// Finds the provider's endpoint that a path names; every other path is refused.
import { NotFound } from "../../platform/errors.ts";
import type { SourceEndpoint } from "./sources.ts";

/** Letters, underscores and single slashes, so a path cannot contain escapes, dots, a scheme or a host. */
const PLAIN_PATH = /^[a-z]+(?:[_/][a-z]+)*$/;

/**
 * Creates the function that finds the endpoint named by the rest of a path, as it is in the URL. Clients
 * generated from the API document escape the slash of a path parameter. No endpoint needs another escape, so
 * any other escaped path is refused, whatever it would decode to. Throws NotFound `unsupported_endpoint`.
 */
export function endpointFinder(endpoints: readonly SourceEndpoint[]) {
  const byName = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
  return (path: string): SourceEndpoint => {
    const plain = path.replaceAll(/%2f/gi, "/");
    const name = plain.endsWith("/") ? plain.slice(0, -1) : plain;
    const found = PLAIN_PATH.test(name) ? byName.get(name) : undefined;
    if (found) return found;
    throw new NotFound("unsupported_endpoint", "The proxy does not support this endpoint.", {
      hint: "GET /api/v1/econdata/stats/usage lists the supported endpoints, such as series/observations.",
    });
  };
}
