// Where a request may go: only https and the provider's own hosts, through the gateway where one is set.
// Pure.
import { UpstreamFailed } from "../errors.ts";
import type { UpstreamPolicy } from "./policy.ts";

/**
 * Why no request may go to `url`, or null. `url.host` has a port unless it is 443, so other ports are refused
 * too.
 */
// Where a.example is allowed, https://a.example:8443, http://a.example and https://a.example.net are refused.
function objection(policy: UpstreamPolicy, url: URL | null): string | null {
  if (!url) return "an address that cannot be read";
  if (url.protocol !== "https:") return `an address that is not https (${url.protocol}//${url.hostname})`;
  if (url.username || url.password) return `an address with credentials in it (${url.hostname})`;
  return policy.hosts.includes(url.host) ? null : `a foreign host (${url.host})`;
}

/** The request's own URL. Throws UpstreamFailed unless it is one of the provider's. */
export function ownAddress(policy: UpstreamPolicy, text: string): URL {
  const url = URL.parse(text);
  const against = objection(policy, url);
  if (!url || against)
    throw new UpstreamFailed(policy.name, `No request was sent to ${policy.name}: it names ${against}`);
  return url;
}

/** Target of a redirect, or a text that says what is wrong with it. `location` may be relative to `from`. */
export function redirectTarget(policy: UpstreamPolicy, location: string | null, from: URL): URL | string {
  if (!location) return "a redirect without a location";
  const url = URL.parse(location, from);
  const against = objection(policy, url);
  return !url || against ? `a redirect to ${against}` : url;
}

/** `https://host/path?q` as the gateway expects it: `GATEWAY/host/path?q`. */
export function throughGateway(url: URL, gateway: string | null | undefined): string {
  return gateway ? `${gateway.replace(/\/+$/, "")}/${url.host}${url.pathname}${url.search}` : url.href;
}

/** A URL as shown in logs and errors: without its query, which may hold a crumb or a key. */
export const shownAs = (url: URL): string => `${url.host}${url.pathname}`.slice(0, 200);

export const isRedirect = (status: number): boolean =>
  status === 301 || status === 302 || status === 303 || status === 307 || status === 308;
