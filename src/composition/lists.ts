// Market lists: index constituents, movers and the screener.
import { screener } from "../capabilities/screener/index.ts";
import { stocks } from "../capabilities/stocks/index.ts";
import { classifyWikimedia, wikimedia, wikimediaPolicy } from "../providers/wikimedia/index.ts";
import { type Context, type Part, servicesFor } from "./context.ts";
import type { PriceProvider } from "./prices.ts";

/**
 * Composes the lists. Everything that calls Wikimedia shares `encyclopedia`, because it allows one request at
 * a time.
 */
export function composeLists(context: Context, prices: PriceProvider) {
  const { config, cacheDeps, connect } = context;
  const encyclopedia = wikimedia({
    upstream: connect(wikimediaPolicy(config.secUserAgent), classifyWikimedia),
  });
  const lists = stocks({
    ...servicesFor(context, "stocks"),
    indexes: encyclopedia,
    lists: prices,
  });
  const screens = screener({ source: prices, cacheDeps });
  const part: Part = {
    jobs: lists.jobs,
    providers: () => [{ ...encyclopedia.health(), name: "encyc" }],
  };
  return { encyclopedia, stocks: lists, screener: screens, part };
}
