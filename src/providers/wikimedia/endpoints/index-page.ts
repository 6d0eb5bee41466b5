// Wikipedia's lists of index members, through the API, which names the revision, else as the article page.

import { UpstreamFailed, UpstreamMisread } from "../../../platform/errors.ts";
import { instantText } from "../../../platform/instant-text.ts";
import { decoding } from "../../../platform/upstream/decode.ts";
import type { Upstream, UpstreamAnswer } from "../../../platform/upstream/policy.ts";
import { type Constituent, type ConstituentTable, readConstituents } from "../parse/constituents.ts";
import { WIKIPEDIA_HOST } from "../policy.ts";

export type IndexName = "sp500" | "nasdaq100";

/** The members of an index according to its page. */
export interface IndexMembers {
  readonly index: IndexName;
  readonly classification: ConstituentTable["classification"];
  readonly constituents: readonly Constituent[];
  /** Number of the page's revision; null when the answer does not state it. */
  readonly revision: number | null;
  /** Address of that revision, else of the page. */
  readonly source: string;
  /** When the answer was complete, RFC 3339 UTC. */
  readonly received_at: string;
}

interface IndexPage {
  /** Titles the list has had, the most likely first. */
  readonly titles: readonly string[];
  /** A list outside these bounds comes from a damaged page. */
  readonly membersMin: number;
  readonly membersMax: number;
}

const PAGES: Readonly<Record<IndexName, IndexPage>> = {
  // 500 companies, some with several classes: 503 to 505 shares.
  // A vandalised table of 479 rows is refused.
  sp500: { titles: ["List of S&P 500 companies"], membersMin: 480, membersMax: 530 },
  // The table had a page of its own for a time.
  nasdaq100: { titles: ["Nasdaq-100", "List of Nasdaq-100 companies"], membersMin: 95, membersMax: 115 },
};

const pathOf = (title: string): string => encodeURIComponent(title.replaceAll(" ", "_"));

function apiUrl(title: string): string {
  const query = new URLSearchParams({
    action: "parse",
    page: title,
    prop: "text|revid",
    redirects: "1",
    disableeditsection: "1",
    disabletoc: "1",
    format: "json",
    formatversion: "2",
  });
  return `https://${WIKIPEDIA_HOST}/w/api.php?${query}`;
}

interface Page {
  readonly html: string;
  readonly revision: number | null;
}

const broken = (what: string, answer: UpstreamAnswer): UpstreamFailed =>
  new UpstreamMisread("wikimedia", `wikipedia ${what}`, { upstreamStatus: answer.status });

/** The HTML in an answer of `action=parse`, in either version of its format. */
function readParsed(answer: UpstreamAnswer, text: string): Page {
  let body: { error?: { code?: unknown }; parse?: { revid?: unknown; text?: unknown } };
  try {
    body = JSON.parse(text) ?? {};
  } catch {
    throw broken("sent a broken page", answer);
  }
  if (body.error) throw broken(`does not give the page (${String(body.error.code).slice(0, 60)})`, answer);
  const given = body.parse?.text;
  const html = typeof given === "object" && given !== null ? (given as Record<string, unknown>)["*"] : given;
  if (typeof html !== "string") throw broken("changed the shape of parse: parse.text should be text", answer);
  const revid = body.parse?.revid;
  return { html, revision: typeof revid === "number" && revid > 0 ? revid : null };
}

/** The article page; its revision is in its settings, in its address, or in the ETag of the REST API. */
function readArticle(answer: UpstreamAnswer, html: string): Page {
  const found =
    /"wgRevisionId":\s*(\d{1,12})/.exec(html)?.[1] ??
    /Special:Redirect\/revision\/(\d{1,12})/.exec(html.slice(0, 4_096))?.[1] ??
    /^(?:W\/)?"(\d{1,12})\//.exec(answer.headers.get("etag") ?? "")?.[1];
  return { html, revision: found === undefined ? null : Number(found) };
}

/** The page in an answer of either kind. Throws UpstreamFailed. */
function readPage(answer: UpstreamAnswer): Page {
  if (answer.status !== 200) throw broken(`has no such page (${answer.status})`, answer);
  const text = new TextDecoder().decode(answer.bytes);
  return text.trimStart().startsWith("{") ? readParsed(answer, text) : readArticle(answer, text);
}

/**
 * The members in an answer of either kind. Throws UpstreamFailed when the list cannot be that of the index.
 */
export function readIndexMembers(index: IndexName, title: string, answer: UpstreamAnswer): IndexMembers {
  const { html, revision } = readPage(answer);
  const { classification, constituents } = readConstituents(html);
  const { membersMin, membersMax } = PAGES[index];
  if (constituents.length < membersMin || constituents.length > membersMax)
    throw new UpstreamMisread(
      "wikimedia",
      `wikipedia's list of ${index} has ${constituents.length} members; ${membersMin} to ${membersMax} are expected`,
    );
  const page = `https://${WIKIPEDIA_HOST}`;
  const source =
    revision === null
      ? `${page}/wiki/${pathOf(title)}`
      : `${page}/w/index.php?title=${pathOf(title)}&oldid=${revision}`;
  const received_at = instantText(answer.receivedAt.epochMilliseconds);
  return { index, classification, constituents, revision, source, received_at };
}

/** Errors that another page, or the other way to fetch it, may avoid. */
const isOfThePage = (error: unknown): boolean => error instanceof UpstreamFailed;

/**
 * Fetches the current members of an index. Tries each title through the API and, when that fails, as an
 * article page. Throws the first error: UpstreamFailed (also for an implausible list), UpstreamRateLimited,
 * UpstreamTimeout.
 */
export const askIndexMembers = (
  upstream: Upstream,
  index: IndexName,
  signal?: AbortSignal,
): Promise<IndexMembers> => decoding(upstream, () => firstReadablePage(upstream, index, signal));

async function firstReadablePage(
  upstream: Upstream,
  index: IndexName,
  signal: AbortSignal | undefined,
): Promise<IndexMembers> {
  let first: unknown;
  for (const title of PAGES[index].titles)
    for (const url of [apiUrl(title), `https://${WIKIPEDIA_HOST}/wiki/${pathOf(title)}`]) {
      try {
        return readIndexMembers(index, title, await upstream.ask({ url, signal }));
      } catch (error) {
        first ??= error;
        if (!isOfThePage(error)) throw first;
      }
    }
  throw first;
}
