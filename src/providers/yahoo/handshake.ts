// Opens a session with Yahoo: gets a cookie by one of two strategies, then the crumb that belongs to it.
import { UpstreamFailed } from "../../platform/errors.ts";
import { bodyStart } from "../../platform/upstream/body-start.ts";
import type { Upstream, UpstreamAnswer } from "../../platform/upstream/policy.ts";
import { CRUMB_PATH } from "./classify.ts";
import { agreement } from "./consent.ts";
import { type CookieJar, cookieHeader, takeCookies } from "./cookies.ts";
import { CRUMB_HOST } from "./policy.ts";

/**
 * `basic` requests a host that only sets the cookie; `consent` walks the site as a European visitor has to.
 */
export type Strategy = "basic" | "consent";

/** Cookies and the crumb that belongs to them. Never logged, never part of a message. */
export interface Session {
  readonly cookies: CookieJar;
  readonly crumb: string;
}

/** Recorded crumbs have eleven characters; this pattern keeps refusals and pages from being taken for one. */
const CRUMB_SHAPE = /^[A-Za-z0-9./\-_]{8,16}$/;
/**
 * The consent page may come back after consent; more rounds than this are a loop. A round has six pages at
 * most.
 */
const CONSENT_ROUNDS_MAX = 5;
const HOPS_MAX = 6 * CONSENT_ROUNDS_MAX + 6;
/** Without this header Yahoo's site answers without Set-Cookie. */
const PAGE_HEADERS = { accept: "text/html,application/xhtml+xml,application/xml" };

function withCookies(jar: CookieJar, url: string, headers: Record<string, string>): Record<string, string> {
  const cookie = cookieHeader(jar, url);
  return cookie === "" ? headers : { ...headers, cookie };
}

interface Asked {
  readonly upstream: Upstream;
  readonly signal: AbortSignal;
}

/** Requests one page of the walk. Redirects are followed by hand, since each may set a cookie. */
function askPage(asked: Asked, jar: CookieJar, url: string, form?: string): Promise<UpstreamAnswer> {
  const headers = withCookies(jar, url, PAGE_HEADERS);
  const request = { url, shareKey: false, redirects: "return", signal: asked.signal } as const;
  if (form === undefined) return asked.upstream.ask({ ...request, headers });
  const formHeaders = { ...headers, "content-type": "application/x-www-form-urlencoded" };
  return asked.upstream.ask({ ...request, method: "POST", headers: formHeaders, body: form });
}

async function basicCookies(asked: Asked): Promise<CookieJar> {
  const answer = await askPage(asked, {}, "https://fc.yahoo.com/");
  return takeCookies({}, answer.url, answer.headers);
}

function redirectOf(answer: UpstreamAnswer): string | null {
  const location = answer.status >= 300 && answer.status < 400 ? answer.headers.get("location") : null;
  if (location === null) return null;
  if (!URL.canParse(location, answer.url))
    throw new UpstreamFailed("yahoo", "yahoo redirected to no address");
  return new URL(location, answer.url).href;
}

async function consentCookies(asked: Asked): Promise<CookieJar> {
  let jar: CookieJar = {};
  let url = "https://finance.yahoo.com/quote/AAPL";
  let form: string | undefined;
  let rounds = 0;
  for (let hop = 0; hop < HOPS_MAX; hop++) {
    const answer = await askPage(asked, jar, url, form);
    jar = takeCookies(jar, url, answer.headers);
    form = undefined;
    const next = redirectOf({ ...answer, url });
    if (next !== null) {
      url = next;
      continue;
    }
    if (new URL(url).hostname !== "consent.yahoo.com") return jar;
    rounds += 1;
    if (rounds > CONSENT_ROUNDS_MAX) break;
    form = agreement(new TextDecoder().decode(answer.bytes)) ?? undefined;
    if (form === undefined) throw new UpstreamFailed("yahoo", "yahoo's consent page holds no form we know");
  }
  throw new UpstreamFailed("yahoo", "yahoo's consent pages go round in circles");
}

async function readCrumb({ upstream, signal }: Asked, cookies: CookieJar): Promise<string> {
  const url = `https://${CRUMB_HOST}${CRUMB_PATH}`;
  const headers = {
    accept: "*/*",
    origin: "https://finance.yahoo.com",
    referer: "https://finance.yahoo.com/quote/AAPL",
  };
  const answer = await upstream.ask({
    url,
    headers: withCookies(cookies, url, headers),
    shareKey: false,
    signal,
  });
  const crumb = bodyStart(answer, 64);
  if (answer.status !== 200 || !CRUMB_SHAPE.test(crumb)) {
    throw new UpstreamFailed("yahoo", "yahoo gave no crumb for its cookie", {
      upstreamStatus: answer.status,
    });
  }
  return crumb;
}

/** True when `crumb` has the form of a crumb. */
export function isCrumb(crumb: unknown): crumb is string {
  return typeof crumb === "string" && CRUMB_SHAPE.test(crumb);
}

/**
 * Opens a session with one strategy. Throws UpstreamFailed (no cookie, no crumb, an unknown page),
 * UpstreamRateLimited (blocked) or UpstreamTimeout.
 */
export async function openSession(
  upstream: Upstream,
  strategy: Strategy,
  signal: AbortSignal,
): Promise<Session> {
  const asked = { upstream, signal };
  const cookies = await (strategy === "basic" ? basicCookies(asked) : consentCookies(asked));
  if (Object.values(cookies).every((c) => Object.keys(c).length === 0)) {
    throw new UpstreamFailed("yahoo", "yahoo set no cookie");
  }
  return { cookies, crumb: await readCrumb(asked, cookies) };
}
