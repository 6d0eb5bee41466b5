// News: the brokerage feed's articles, press releases, and the headline feeds of single symbols.
import { type NewsSource, news } from "../capabilities/news/index.ts";
import { toAlpaca } from "../market/spelling.ts";
import {
  classifyGlobenewswire,
  classifyNasdaqNews,
  globenewswire,
  globenewswirePolicy,
  nasdaqNews,
  nasdaqNewsPolicy,
} from "../providers/newswires/index.ts";
import { classifyYahooHeadlines, yahooHeadlines, yahooHeadlinesPolicy } from "../providers/yahoo/index.ts";
import type { Feed } from "./brokerage-feed.ts";
import { type Context, type Part, servicesFor } from "./context.ts";
import type { composeLists } from "./lists.ts";
import type { composeUniverse } from "./universe.ts";

/**
 * Composes three enabled sources: press releases, Yahoo, and the brokerage feed, or Nasdaq where the feed has
 * no keys.
 */
export function composeNews(
  context: Context,
  feed: Feed,
  {
    isListed,
    listedSymbols,
  }: Pick<ReturnType<typeof composeUniverse>["universe"], "isListed" | "listedSymbols">,
  { mostActive }: Pick<ReturnType<typeof composeLists>["stocks"], "mostActive">,
) {
  const { admin, connect } = context;
  const wire = globenewswire(connect(globenewswirePolicy, classifyGlobenewswire));
  const yahoo = yahooHeadlines(connect(yahooHeadlinesPolicy, classifyYahooHeadlines));
  const nasdaq = nasdaqNews(connect(nasdaqNewsPolicy, classifyNasdaqNews));
  const hasKeys = feed.isConfigured();
  const sources: readonly NewsSource[] = [
    {
      name: "alpaca",
      kind: "archive",
      configured: hasKeys,
      enabled: hasKeys,
      pages: ({ symbols, ...ask }) =>
        feed.news({ ...ask, symbols: symbols.map((symbol) => toAlpaca(symbol) ?? symbol) }),
    },
    {
      name: "globenewswire",
      kind: "stream",
      configured: true,
      enabled: true,
      newest: (signal) => wire.releases(signal),
    },
    {
      name: "yahoo",
      kind: "by_ticker",
      configured: true,
      enabled: true,
      about: (symbol, signal) => yahoo.headlines(symbol, signal),
    },
    {
      name: "nasdaq",
      kind: "by_ticker",
      configured: true,
      enabled: !hasKeys,
      about: (symbol, signal) => nasdaq.articles(symbol, signal),
    },
  ];
  const headlines = news({
    ...servicesFor(context, "news"),
    sources,
    isListed,
    suggested: { mostActive, listed: listedSymbols },
    admin,
  });
  const part: Part = {
    jobs: headlines.jobs,
    providers: () => [wire.health(), yahoo.health(), ...(hasKeys ? [] : [nasdaq.health()])],
  };
  return { news: headlines, part };
}
