// A small cookie jar for Yahoo's cookies, by domain.

/** Cookie values by name, by domain; plain data, so that it can be stored on disk. */
export type CookieJar = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Longest cookie stored, name and value; Yahoo's have fewer than 500 characters. */
const COOKIE_CHARS_MAX = 4_096;
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Characters allowed in a cookie's value: none that ends it or starts another header. */
const VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
}

/** Parses one Set-Cookie line; null when it is malformed or for a domain that `host` may not set. */
function parseCookie(line: string, host: string): Cookie | null {
  const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
  const equals = pair.indexOf("=");
  const name = pair.slice(0, equals);
  const value = pair.slice(equals + 1).replace(/^"(.*)"$/, "$1");
  if (equals < 1 || pair.length > COOKIE_CHARS_MAX || !NAME.test(name) || !VALUE.test(value)) return null;
  let domain = host;
  let isExpired = value === "";
  for (const attribute of attributes) {
    const [key = "", text = ""] = attribute.split("=", 2);
    if (/^domain$/i.test(key) && text !== "") domain = text.replace(/^\./, "").toLowerCase();
    if (/^max-age$/i.test(key) && Number(text) <= 0) isExpired = true;
  }
  if (host !== domain && !host.endsWith(`.${domain}`)) return null;
  return { name, value: isExpired ? "" : value, domain };
}

/**
 * The jar after an answer of `url` with these headers: new cookies replace old ones, expired ones are
 * removed.
 */
export function takeCookies(jar: CookieJar, url: string, headers: Headers): CookieJar {
  const host = new URL(url).hostname;
  const next = new Map(
    Object.entries(jar).map(([domain, cookies]) => [domain, new Map(Object.entries(cookies))]),
  );
  for (const line of headers.getSetCookie()) {
    const cookie = parseCookie(line, host);
    if (!cookie) continue;
    const cookies = next.get(cookie.domain) ?? new Map<string, string>();
    if (cookie.value === "") cookies.delete(cookie.name);
    else cookies.set(cookie.name, cookie.value);
    next.set(cookie.domain, cookies);
  }
  return Object.fromEntries([...next].map(([domain, cookies]) => [domain, Object.fromEntries(cookies)]));
}

/** The Cookie header for `url`; empty when no cookie is for its host. */
export function cookieHeader(jar: CookieJar, url: string): string {
  const host = new URL(url).hostname;
  const pairs: string[] = [];
  for (const [domain, cookies] of Object.entries(jar)) {
    if (host !== domain && !host.endsWith(`.${domain}`)) continue;
    for (const [name, value] of Object.entries(cookies)) pairs.push(`${name}=${value}`);
  }
  return pairs.join("; ");
}

/** True when `value`, read from disk, is a jar as `takeCookies` creates it. */
export function isCookieJar(value: unknown): value is CookieJar {
  const isMap = (v: unknown): v is object => typeof v === "object" && v !== null && !Array.isArray(v);
  if (!isMap(value)) return false;
  return Object.values(value).every(
    (cookies) =>
      isMap(cookies) &&
      Object.entries(cookies).every(([name, v]) => NAME.test(name) && typeof v === "string" && VALUE.test(v)),
  );
}
