// The brokerage feed's news over the sample market: the desk's articles, by when they were last changed, in
// pages.
import { toAlpaca } from "../../src/market/spelling.ts";
import { canonical } from "../../src/market/ticker.ts";
import type { Market } from "../market.ts";
import {
  addressOf,
  createStories,
  escaped,
  headlineNow,
  isChanged,
  type Stories,
  type Story,
} from "../stories.ts";
import { isWellFormed } from "./holders.ts";

const PAGE_DEFAULT = 10;
const PAGE_MAX = 50;
const DAY_S = 86_400;

type Answer = { readonly status: number; readonly body: unknown };
const refused = (message: string): Answer => ({ status: 400, body: { message } });
const rfc3339 = (at: number) => new Date(at * 1000).toISOString().replace(".000Z", "Z");

const changedAt = (story: Story, now: number) =>
  isChanged(story, now) ? (story.changesAt ?? story.at) : story.at;

function articleOf(story: Story, now: number): object {
  const { id, at, summary, symbols } = story;
  const url = `https://cdn.samplewire.example/${id}`;
  return {
    id,
    headline: escaped(headlineNow(story, now)),
    author: "Sam Pell",
    created_at: rfc3339(at),
    updated_at: rfc3339(changedAt(story, now)),
    summary: `\n\t${escaped(summary)}\n`,
    content: "",
    url: id % 11 === 3 ? null : addressOf(story),
    images:
      id % 2 === 0 ? [] : ["thumb", "large", "small"].map((size) => ({ size, url: `${url}-${size}.jpg` })),
    symbols: symbols.flatMap((symbol) => toAlpaca(canonical(symbol)) ?? []),
    source: "samplewire",
  };
}

const momentOf = (text: string | null, preset: number): number => {
  if (text === null) return preset;
  return Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text) / 1000;
};

/** The first index of a page; null: no token of ours. */
function startOf(token: string | null): number | null {
  if (token === null) return 0;
  const text = Buffer.from(token, "base64").toString("utf8");
  return /^news\|\d+$/.test(text) ? Number(text.slice(5)) : null;
}

function newsAnswer(market: Market, stories: Stories, query: URLSearchParams): Answer {
  const now = market.now();
  const symbols = (query.get("symbols") ?? "").split(",").filter(Boolean);
  const bad = symbols.find((symbol) => !isWellFormed(symbol));
  if (bad !== undefined) return refused(`invalid symbol: ${bad}`);
  const [from, to] = [momentOf(query.get("start"), now - DAY_S), momentOf(query.get("end"), now)];
  if (Number.isNaN(from) || Number.isNaN(to) || to < from) return refused("invalid start or end");
  const limit = Number(query.get("limit") ?? PAGE_DEFAULT);
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_MAX) return refused("invalid limit");
  const start = startOf(query.get("page_token"));
  if (start === null) return refused("invalid page_token");
  const wanted = new Set(symbols);
  const found = stories
    .between(from - DAY_S, to)
    .filter((story) => story.kind === "desk")
    .filter((story) => changedAt(story, now) >= from && changedAt(story, now) <= to)
    .filter(
      (story) =>
        wanted.size === 0 || story.symbols.some((symbol) => wanted.has(toAlpaca(canonical(symbol)) ?? "")),
    )
    .sort((a, b) => changedAt(a, now) - changedAt(b, now) || a.id - b.id);
  if (query.get("sort") !== "asc") found.reverse();
  const next = start + limit < found.length ? Buffer.from(`news|${start + limit}`).toString("base64") : null;
  const news = found.slice(start, start + limit).map((story) => articleOf(story, now));
  return { status: 200, body: { news, next_page_token: next } };
}

export function createNews(market: Market) {
  const stories = createStories(market);
  return (query: URLSearchParams): Answer => newsAnswer(market, stories, query);
}
