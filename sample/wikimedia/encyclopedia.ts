// The encyclopedia's articles: one for each fictional company, and what search finds beside them.
import { COMPANIES } from "../companies.ts";
import { allNamed, numberedFiler, numberedIndexOf, PREDECESSOR_CIK } from "../edgar/filers.ts";
import { type Listing, numberedIndex } from "../listing.ts";
import type { Market } from "../market.ts";
import { keyOf } from "../randomness.ts";

export interface SampleArticle {
  readonly title: string;
  readonly pageId: number;
  readonly item: string;
  readonly description: string;
  readonly isDisambiguation: boolean;
  /** Whose article it is. */
  readonly listing: Listing | null;
  /** Its CIK in Wikidata; null for one that only search finds. */
  readonly cik: number | null;
  readonly tickers: readonly string[];
  /** First day it has views of. */
  readonly since: string | null;
  /** Titles that lead to it. */
  readonly redirects: readonly string[];
}

/** Wikidata has this one's ticker and no CIK; that one it does not have; a third has no article. */
const BY_TICKER = "WUZZL";
const BY_SEARCH = "KRONK";
const WITHOUT = "DREK";
/** Its article was begun when it came to the market; and one that few people read. */
const YOUNG = "PIPZ";
export const SELDOM_READ = "MURQ";

/** As the article is called: without what a law adds. */
const titleOf = (name: string): string =>
  name
    .replace(/ \(formerly .*\)$| (?:Class [AB]|Preferred [A-Z]|Warrants)$/g, "")
    .replace(/ (?:Inc\.|Ltd\.|Corporation)$/, "");

function article(title: string, description: string, more: Partial<SampleArticle> = {}): SampleArticle {
  const number = keyOf(0, `article ${title}`);
  return {
    title,
    pageId: 1_000_000 + (number % 60_000_000),
    item: `Q${900_000_000 + (number % 90_000_000)}`,
    description,
    isDisambiguation: false,
    listing: null,
    cik: null,
    tickers: [],
    since: null,
    redirects: [],
    ...more,
  };
}

/** Tickers as Wikidata writes them, with a dot before the class. */
const dotted = (symbol: string): string => symbol.replace("-", ".");

function named(): SampleArticle[] {
  const companies = allNamed().flatMap((filer) => {
    const { symbol, listings, cik } = filer;
    const listing = listings[0];
    if (listing?.type !== "EQUITY" || symbol === WITHOUT) return [];
    const title = titleOf(listing.name);
    return [
      article(title, "American company", {
        listing,
        cik: symbol === BY_TICKER || symbol === BY_SEARCH ? null : cik,
        tickers: symbol === BY_SEARCH ? [] : listings.map((one) => dotted(one.symbol)),
        since: symbol === YOUNG ? (listing.firstDate ?? null) : null,
        redirects: [`${title} Inc`, ...(symbol === "NEWZQ" ? ["Oldzq Holdings"] : [])],
      }),
    ];
  });
  return [
    ...companies,
    article("Kronk v. United Ploughs", "1911 decision of an invented court"),
    article("Kronk (disambiguation)", "Topics referred to by the same term", { isDisambiguation: true }),
    article("List of Kronk machines", "List of invented machines"),
    article("Kronk", "Invented village"),
    article("Main Page", "Main page of the encyclopedia"),
  ];
}

export interface Encyclopedia {
  /** The article of that very title. */
  titled(title: string): SampleArticle | null;
  /** The title that a redirect leads to. */
  ledTo(title: string): string | null;
  byCik(cik: number): SampleArticle | null;
  byTicker(ticker: string): SampleArticle | null;
  /** Articles with one of the words in their title, those with most of them first. */
  search(words: string): readonly SampleArticle[];
}

const NUMBERED = /^Sample Company (\d{1,5})$/;
const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[a-z0-9]+/g) ?? []);

export function encyclopediaOf(market: Market): Encyclopedia {
  const articles = named();
  const byTitle = new Map(articles.map((one) => [one.title, one]));
  const redirects = new Map(
    articles.flatMap((one) => one.redirects.map((from) => [from, one.title] as const)),
  );

  const numbered = (index: number): SampleArticle | null => {
    if (index < 0 || index >= market.symbols().length - COMPANIES.length + 50) return null;
    const filer = numberedFiler(market.seed, index);
    const listing = filer.listings[0];
    if (!listing) return null;
    return article(titleOf(listing.name), "American company", {
      listing,
      cik: filer.cik,
      tickers: [listing.symbol],
    });
  };
  const titled = (title: string): SampleArticle | null => {
    const number = NUMBERED.exec(title)?.[1];
    return byTitle.get(title) ?? (number ? numbered(Number(number) - 1) : null);
  };

  return {
    titled,
    ledTo: (title) => redirects.get(title) ?? null,
    byCik(cik) {
      const index = cik < PREDECESSOR_CIK ? numberedIndexOf(cik) : null;
      return articles.find((one) => one.cik === cik) ?? (index === null ? null : numbered(index));
    },
    byTicker(ticker) {
      const index = numberedIndex(ticker);
      return (
        articles.find((one) => one.tickers.includes(ticker)) ?? (index === null ? null : numbered(index))
      );
    },
    search(words) {
      const asked = wordsOf(words);
      const shared = (one: SampleArticle) => [...wordsOf(one.title)].filter((word) => asked.has(word)).length;
      return articles
        .map((one) => ({ one, hits: shared(one) }))
        .filter(({ hits }) => hits > 0)
        .sort((a, b) => b.hits - a.hits || a.one.title.length - b.one.title.length)
        .map(({ one }) => one);
    },
  };
}
