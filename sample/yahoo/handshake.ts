// Cookie and crumb. Both are made from the seed and worth nothing; a crumb belongs to the cookie it was asked
// with.

import { keyOf, uniform } from "../randomness.ts";
import { jsonReply, type Reply, type SampleRequest, textReply } from "../wire.ts";
import { consentReply, toConsent } from "./consent.ts";

export interface Handshake {
  /**
   * Answers requests of the handshake; null when the request is none of it. `europe`: by way of the consent
   * pages.
   */
  answer(request: SampleRequest, europe: boolean): Reply | null;
  /** True when the request carries the crumb that was handed out for its cookie. */
  holdsCrumb(request: SampleRequest): boolean;
  /** Makes every crumb handed out so far worthless, as upstream does after some minutes or hours. */
  expireCrumbs(): void;
}

const CRUMB_LENGTH = 11;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/** `/` and `.` occur in real crumbs and break clients that do not encode them. */
const CRUMB_LETTERS = `${LETTERS}./`;
const COOKIES_MAX = 1000;

function cookieOf(request: SampleRequest): string | null {
  const header = request.headers.cookie;
  const pairs = (Array.isArray(header) ? header.join("; ") : (header ?? "")).split(/;\s*/);
  return pairs.find((pair) => pair.startsWith("A3="))?.slice("A3=".length) ?? null;
}

function crumbReply(request: SampleRequest, crumbFor: (cookie: string) => string): Reply {
  // The edge judges by User-Agent before anything else.
  const agent = String(request.headers["user-agent"] ?? "");
  if (!agent.startsWith("Mozilla/")) return textReply(429, "Edge: Too Many Requests");
  const cookie = cookieOf(request);
  if (!cookie) {
    const error = { code: "Unauthorized", description: "Invalid Cookie" };
    return jsonReply(401, { finance: { result: null, error } });
  }
  return textReply(200, crumbFor(cookie), {
    "content-type": "text/plain;charset=utf-8",
    "cache-control": "private, max-age=60, stale-while-revalidate=30",
  });
}

/** A handshake before the first client. */
export function createHandshake(seed: number): Handshake {
  let round = 0;
  let visitors = 0;
  const crumbs = new Map<string, string>();
  const secret = (what: string, length: number, letters = LETTERS) => {
    const key = keyOf(seed, what);
    return Array.from({ length }, (_, i) => letters[Math.floor(uniform(key, i) * letters.length)]).join("");
  };
  const freshCookie = () => {
    visitors++;
    const value = `d=${secret(`cookie ${visitors}`, 24)}&S=${secret(`sign ${visitors}`, 16)}`;
    return `A3=${value}; Max-Age=31557600; Domain=.yahoo.com; Path=/; SameSite=None; Secure; HttpOnly`;
  };
  const crumbFor = (cookie: string) => {
    if (crumbs.size >= COOKIES_MAX) crumbs.clear();
    const crumb = secret(`crumb ${round} ${cookie}`, CRUMB_LENGTH, CRUMB_LETTERS);
    crumbs.set(cookie, crumb);
    return crumb;
  };
  return {
    answer(request, europe) {
      const { host, path } = request;
      if (/^query[12]\.finance\.yahoo\.com$/.test(host) && path === "/v1/test/getcrumb")
        return crumbReply(request, crumbFor);
      const consent = consentReply(request, secret, freshCookie);
      if (consent) return consent;
      if (host !== "fc.yahoo.com" && host !== "finance.yahoo.com") return null;
      const known = cookieOf(request) !== null;
      if (europe && !known) return toConsent(`https://${host}${path}`, secret);
      const cookies = known ? {} : { "set-cookie": [freshCookie()] };
      // fc.yahoo.com has no page at all, and hands out the cookie with its 404.
      return host === "fc.yahoo.com"
        ? textReply(404, "<!DOCTYPE html><html><title>Not Found</title></html>", cookies)
        : textReply(200, "<!DOCTYPE html><html><title>Sample finance page</title></html>", cookies);
    },
    holdsCrumb(request) {
      const cookie = cookieOf(request);
      const crumb = request.query.get("crumb");
      return cookie !== null && crumb !== null && crumbs.get(cookie) === crumb;
    },
    expireCrumbs() {
      round++;
      crumbs.clear();
    },
  };
}
