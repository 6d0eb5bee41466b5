// The brokerage feed: the provider, which the price capability asks too, and the routes over it.
import { marketfeed } from "../capabilities/marketfeed/index.ts";
import { alpaca, alpacaPolicy, classifyAlpaca } from "../providers/alpaca/index.ts";
import type { Context, Part } from "./context.ts";
import type { composePrices } from "./prices.ts";

/** The provider by itself: a source of daily bars before anything else is composed. */
export function composeFeed({ config, clock, calendar, connect }: Context) {
  return alpaca({
    upstream: connect(alpacaPolicy, classifyAlpaca),
    keys: { apiKey: config.marketfeedApiKey, secretKey: config.marketfeedSecretKey },
    clock,
    calendar,
  });
}

export type Feed = ReturnType<typeof composeFeed>;

/** The routes; the panel's bars are stored by the price capability. */
export function composeMarketfeed(
  context: Context,
  feed: Feed,
  prices: ReturnType<typeof composePrices>["prices"],
) {
  const { lake, sqlite, clock, calendar, cacheDeps, admin, runNow } = context;
  if (!prices.panel) throw new Error("the price capability was composed without the feed");
  const feeds = marketfeed({
    ...{ feed, historyFrom: feed.historyFrom, panel: prices.panel },
    ...{ lake, sqlite, clock, calendar, cacheDeps, admin, runNow },
  });
  const part: Part = {
    jobs: feeds.jobs,
    providers: () => [{ ...feed.health(), configured: feed.isConfigured() }],
  };
  return { marketfeed: feeds, part };
}
