// Finds encyclopedia articles about a company: by its CIK, then by its ticker, then by full-text search.
import { ACCEPTED_MIN, type Candidate, type FoundBy, scoreOf, searchWords } from "./score.ts";
import type { CompanyBehind, Encyclopedia, SourceArticle } from "./sources.ts";

export type Company = Awaited<ReturnType<CompanyBehind>>;

/** An article with its score for the company. */
export interface FoundArticle extends Candidate {
  readonly article: SourceArticle;
  readonly by: FoundBy;
}

const HITS_MAX = 10;

export function articleSearch(encyclopedia: Encyclopedia) {
  const titlesBy = async (by: FoundBy, symbol: string, company: Company, signal: AbortSignal) => {
    if (by === "ticker") return encyclopedia.itemsByTicker(symbol, signal);
    if (by === "cik") return company.cik === null ? [] : encyclopedia.itemsByCik(company.cik, signal);
    if (company.name === null) return [];
    return (await encyclopedia.search(searchWords(company.name), HITS_MAX, signal)).hits;
  };

  const foundBy = async (
    by: FoundBy,
    symbol: string,
    company: Company,
    signal: AbortSignal,
  ): Promise<FoundArticle[]> => {
    const titles = (await titlesBy(by, symbol, company, signal)).map(({ title }) => title);
    const articles = await encyclopedia.titles(titles, signal);
    return titles.flatMap((title) => {
      const article = articles.get(title);
      return article ? [{ article, by, ...scoreOf({ ...article, foundBy: by }, company.name) }] : [];
    });
  };

  /** Every article found until one scores high enough, best first. Throws Upstream*. */
  return async function searchArticles(
    symbol: string,
    company: Company,
    signal: AbortSignal,
  ): Promise<FoundArticle[]> {
    const found = new Map<string, FoundArticle>();
    for (const by of ["cik", "ticker", "search"] as const) {
      // Redirects can lead several titles, and several searches, to one article: its best score counts.
      for (const candidate of await foundBy(by, symbol, company, signal))
        if (candidate.score > (found.get(candidate.title)?.score ?? -1))
          found.set(candidate.title, candidate);
      if ([...found.values()].some(({ score }) => score >= ACCEPTED_MIN)) break;
    }
    return [...found.values()].sort((a, b) => b.score - a.score);
  };
}
