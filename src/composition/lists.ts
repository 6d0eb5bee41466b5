// Lists of the market: who is in an index, what moves, what passes a screen.
import { screener } from "../capabilities/screener/index.ts";
import { stocks } from "../capabilities/stocks/index.ts";
import { classifyWikimedia, wikimedia, wikimediaPolicy } from "../providers/wikimedia/index.ts";
import type { Context, Part } from "./context.ts";
import type { PriceProvider } from "./prices.ts";

/** Composes the lists; `encyclopedia` is for all who ask Wikimedia, which wants one request at a time. */
export function composeLists(context: Context, prices: PriceProvider) {
  const { config, clock, log, lake, calendar, cacheDeps, connect } = context;
  const encyclopedia = wikimedia({
    upstream: connect(wikimediaPolicy(config.secUserAgent), classifyWikimedia),
  });
  const lists = stocks({
    indexes: encyclopedia,
    lists: prices,
    lake,
    clock,
    calendar,
    log: log.child({ capability: "stocks" }),
    cacheDeps,
  });
  const screens = screener({ source: prices, cacheDeps });
  const part: Part = {
    jobs: lists.jobs,
    providers: () => [{ ...encyclopedia.health(), name: "encyc" }],
  };
  return { encyclopedia, stocks: lists, screener: screens, part };
}
