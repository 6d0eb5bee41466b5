// Access control: client keys, the admin token, and protection of a loopback server against pages of other
// sites.
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

/** The client's address: that of the connection, or what a proxy says of it where the operator trusts one. */
export function clientAddress(
  { trustProxy }: Pick<Config, "trustProxy">,
  headers: Headers,
  connection: string,
): string {
  if (!trustProxy) return connection;
  // Only the last address was seen by the proxy itself; the ones before it come from the client.
  return headers.get("x-forwarded-for")?.split(",").at(-1)?.trim() || connection;
}

/** Refuses a client without one of the configured keys; accepts every client when none is configured. */
export function requireKey(config: Config, headers: Headers): void {
  if (config.apiKeys.length === 0) return;
  // The admin token is accepted on every route, in any of the headers.
  const given = headers.get("x-api-key") ?? bearerOf(headers) ?? headers.get("x-admin-token");
  if (given === undefined || given === null)
    throw new Forbidden(
      "unauthorized",
      "This server requires a key: send it as X-API-Key or as a bearer token.",
    );
  let known = false;
  for (const key of config.apiKeys) known = isSame(key, given) || known;
  const admin = config.adminToken !== null && isSame(config.adminToken, given);
  if (!known && !admin) throw new Forbidden("unauthorized", "The key is not one of this server's.");
}

/** Refuses a request that is not from the admin. `peer` is the address of the client. */
export function requireAdmin(config: Config, headers: Headers, peer: string): void {
  if (config.adminToken === null) {
    if (isLoopbackPeer(peer)) return;
    throw new Forbidden(
      "admin_not_configured",
      "Admin routes accept requests from this machine only until ADMIN_TOKEN is set.",
    );
  }
  const given = headers.get("x-admin-token") ?? bearerOf(headers);
  if (given === undefined || given === null)
    throw new Forbidden(
      "unauthorized",
      "Admin routes require the admin token as X-Admin-Token or as a bearer token.",
    );
  if (!isSame(config.adminToken, given)) throw new Forbidden("forbidden", "The admin token is wrong.");
}

/**
 * Refuses requests that a page of another site makes a browser send, and unknown Host names (DNS rebinding).
 */
// A page of evil.example that makes a browser post to 127.0.0.1 is refused, whatever cookie it has.
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
    // Compare in normalized form: browsers omit the default port in Origin and Host, other clients may not.
    if (from === null || from.host === "" || from.host !== URL.parse(`${from.protocol}//${host}`)?.host)
      throw new Forbidden(
        "cross_site",
        "Requests from pages of other origins are refused; see CORS_ORIGINS.",
      );
  } else if (headers.get("sec-fetch-site") === "cross-site")
    throw new Forbidden("cross_site", "Requests from pages of other sites are refused; see CORS_ORIGINS.");
}

/** CORS headers for a page of an allowed origin; none for other origins. */
export function corsHeaders(config: Config, origin: string | null): Record<string, string> {
  if (origin === null || !config.corsOrigins.includes(origin)) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-headers": "authorization, content-type, x-api-key, x-admin-token, x-request-id",
    "access-control-allow-methods": "GET, POST, OPTIONS",
    "access-control-expose-headers":
      "x-request-id, x-cache, x-as-of, x-data-version, x-store, etag, age, retry-after, x-data-mode, x-warnings, x-errors, x-total-count, link",
    vary: "Origin",
  };
}
