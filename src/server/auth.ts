// Who may call what (contract.md §0): client keys, the admin token, and browsers kept from driving a loopback server.
import { createHash, timingSafeEqual } from "node:crypto";
import type { Config } from "../config.ts";
import { Forbidden } from "../platform/errors.ts";

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Compares secrets in constant time, whatever their lengths. */
const isSame = (a: string, b: string) => timingSafeEqual(digest(a), digest(b));

const bearerOf = (headers: Headers) => /^Bearer\s+(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];

const isLoopbackName = (host: string) =>
  host === "localhost" || host === "[::1]" || /^127(\.\d{1,3}){3}$/.test(host);

const isLoopbackPeer = (address: string) => /^(::ffff:)?127\./.test(address) || address === "::1";

/** Refuses a client without one of the configured keys; lets everybody in when none is configured. */
export function requireKey(config: Config, headers: Headers): void {
  if (config.apiKeys.length === 0) return;
  // The admin's token opens everything, in whichever header it comes.
  const given = headers.get("x-api-key") ?? bearerOf(headers) ?? headers.get("x-admin-token");
  if (given === undefined || given === null)
    throw new Forbidden(
      "unauthorized",
      "This server needs a key: send it as X-API-Key or as a bearer token.",
    );
  let known = false;
  for (const key of config.apiKeys) known = isSame(key, given) || known;
  const admin = config.adminToken !== null && isSame(config.adminToken, given);
  if (!known && !admin) throw new Forbidden("unauthorized", "The key is not one of this server's.");
}

/** Refuses whoever is not the admin. `peer` is the address the connection comes from. */
export function requireAdmin(config: Config, headers: Headers, peer: string): void {
  if (config.adminToken === null) {
    if (isLoopbackPeer(peer)) return;
    throw new Forbidden(
      "admin_not_configured",
      "Admin routes serve only this machine until ADMIN_TOKEN is set.",
    );
  }
  const given = headers.get("x-admin-token") ?? bearerOf(headers);
  if (given === undefined || given === null)
    throw new Forbidden(
      "unauthorized",
      "Admin routes need the admin token as X-Admin-Token or as a bearer token.",
    );
  if (!isSame(config.adminToken, given)) throw new Forbidden("forbidden", "The admin token is wrong.");
}

/** Refuses requests a foreign page makes a browser send, and Host names that are not ours (DNS rebinding). */
export function refuseForeign(config: Config, headers: Headers): void {
  const host = (headers.get("host") ?? "").toLowerCase();
  const name = host.replace(/:\d+$/, "");
  const own = config.host.toLowerCase();
  if (
    host &&
    !isLoopbackName(name) &&
    name !== own &&
    !config.allowedHosts.includes(name) &&
    !config.allowedHosts.includes(host)
  )
    throw new Forbidden(
      "cross_site",
      "This Host name is not one of the server's; add it to ALLOWED_HOSTS if it is.",
    );
  const origin = headers.get("origin");
  if (origin !== null) {
    if (config.corsOrigins.includes(origin)) return;
    const from = URL.parse(origin);
    // Written alike: a browser leaves a scheme's own port out of Origin and Host, other clients may not.
    if (from === null || from.host === "" || from.host !== URL.parse(`${from.protocol}//${host}`)?.host)
      throw new Forbidden(
        "cross_site",
        "Requests from pages of other origins are refused; see CORS_ORIGINS.",
      );
  } else if (headers.get("sec-fetch-site") === "cross-site")
    throw new Forbidden("cross_site", "Requests from pages of other sites are refused; see CORS_ORIGINS.");
}

/** Headers a page of an allowed origin needs; none otherwise. */
export function corsHeaders(config: Config, origin: string | null): Record<string, string> {
  if (origin === null || !config.corsOrigins.includes(origin)) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-headers": "authorization, content-type, x-api-key, x-admin-token, x-request-id",
    "access-control-allow-methods": "GET, POST, OPTIONS",
    "access-control-expose-headers": "x-request-id, x-cache, x-as-of, etag, age, retry-after, x-data-mode",
    vary: "Origin",
  };
}
