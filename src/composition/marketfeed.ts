// The routes over the brokerage feed.
import { marketfeed } from "../capabilities/marketfeed/index.ts";
import type { Feed } from "./brokerage-feed.ts";
import { type Context, type Part, servicesFor } from "./context.ts";
import type { composePrices } from "./prices.ts";

/** Composes the routes; the price capability stores the bars of the panel. */
export function composeMarketfeed(
  context: Context,
  feed: Feed,
  prices: ReturnType<typeof composePrices>["prices"],
) {
  if (!prices.panel) throw new Error("the price capability was composed without the feed");
  const feeds = marketfeed({
    ...servicesFor(context, "marketfeed"),
    feed,
    historyFrom: feed.historyFrom,
    panel: prices.panel,
    admin: context.admin,
  });
  const part: Part = {
    jobs: feeds.jobs,
    providers: () => [{ ...feed.health(), configured: feed.isConfigured() }],
  };
  return { marketfeed: feeds, part };
}
