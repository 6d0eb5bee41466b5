// Decides when two providers' articles are the same: the same address, apart from tracking, with the same
// headline.
import { createHash } from "node:crypto";

/** Tracking parameters; they do not change what an address shows. */
const TRACKING =
  /^(?:utm_.*|\.?tsrc|guccounter|guce_.*|cmp|cmpid|ncid|fbclid|gclid|mc_cid|mc_eid|ref|refsrc|src|source|soc_.*|yptr)$/i;

/** The address without scheme, `www.`, fragment, tracking parameters and trailing slash. */
// `https://www.a.example/b/?utm_source=x&id=7#top` and `http://a.example/b?id=7` are one address.
export function plainAddress(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  const parameters = [...searchParams]
    .filter(([name]) => !TRACKING.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const query = parameters.length === 0 ? "" : `?${new URLSearchParams(parameters)}`;
  const host = hostname.replace(/^www\./, "");
  return `${host}${port === "" ? "" : `:${port}`}${pathname.replace(/\/+$/, "")}${query}`;
}

/** Only letters and digits, since publishers write quotation marks and dashes differently. */
const plainTitle = (headline: string) =>
  headline
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

const hash = (text: string, digits: number) =>
  createHash("sha256").update(text).digest("hex").slice(0, digits);

/**
 * The key by which articles are matched; null without an address or with only a site's front page, which
 * identify nothing.
 */
// "Zorp’s profit – up 5%" and "Zorp s profit up 5" at one address are one article.
export function matchKey(url: string | null, headline: string): string | null {
  if (url === null) return null;
  const address = plainAddress(url);
  const title = plainTitle(headline);
  return /[/?]/.test(address) && title !== "" ? hash(`${address}\n${title}`, 32) : null;
}

/** This service's own id of an article. */
export const articleId = (provider: string, id: string): string => hash(`${provider}\n${id}`, 20);
