// When two providers' articles are one: the same address, whoever led to it, under the same headline.
import { createHash } from "node:crypto";

/** Marks of where an address was clicked; they change nothing about what it shows. */
const CLICK_MARK =
  /^(?:utm_.*|\.?tsrc|guccounter|guce_.*|cmp|cmpid|ncid|fbclid|gclid|mc_cid|mc_eid|ref|refsrc|src|source|soc_.*|yptr)$/i;

/** The address without scheme, `www.`, fragment, marks of the click and a slash at its end. */
export function plainAddress(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  const kept = [...searchParams]
    .filter(([name]) => !CLICK_MARK.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const query = kept.length === 0 ? "" : `?${new URLSearchParams(kept)}`;
  const host = hostname.replace(/^www\./, "");
  return `${host}${port === "" ? "" : `:${port}`}${pathname.replace(/\/+$/, "")}${query}`;
}

/** Letters and digits alone: quotation marks and dashes are written differently from house to house. */
const plainTitle = (headline: string) =>
  headline
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

const hash = (text: string, digits: number) =>
  createHash("sha256").update(text).digest("hex").slice(0, digits);

/** Null where an article has no address, or none but a house's front page: then nothing tells it from others. */
export function matchKey(url: string | null, headline: string): string | null {
  if (url === null) return null;
  const address = plainAddress(url);
  const title = plainTitle(headline);
  return /[/?]/.test(address) && title !== "" ? hash(`${address}\n${title}`, 32) : null;
}

/** This service's own name of an article. */
export const articleId = (provider: string, id: string): string => hash(`${provider}\n${id}`, 20);
