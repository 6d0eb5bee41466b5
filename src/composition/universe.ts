// The universe: Nasdaq's lists, and what snapshots are collected through.
import { universe } from "../capabilities/universe/index.ts";
import { classifyListings, listingsPolicy, nasdaqListings } from "../providers/nasdaq/index.ts";
import type { Context, Part } from "./context.ts";
import type { composePrices } from "./prices.ts";
import type { composeRegulator } from "./regulator.ts";

/** Prices come from the price capability, counts of shares from the financial one, and the rest from the provider. */
export function composeUniverse(
  context: Context,
  { prices, provider }: Pick<ReturnType<typeof composePrices>, "prices" | "provider">,
  { regulator, financials }: Pick<ReturnType<typeof composeRegulator>, "regulator" | "financials">,
) {
  const { lake, sqlite, clock, calendar, log, admin, runNow, connect } = context;
  const upstream = connect(listingsPolicy, classifyListings);
  const tracked = universe({
    source: nasdaqListings(upstream),
    regulator,
    prices: (symbols, span, onItem) => prices.backfill(symbols, { interval: "1d", ...span }, onItem),
    figures: (tickers, signal, onItem) => financials.backfill.tickers(tickers, false, signal, onItem),
    async shareCount(symbol, signal) {
      const profile = await provider.profile(symbol, signal);
      const shares = profile?.shares_outstanding ?? null;
      return profile && shares !== null && shares > 0 ? { shares, received_at: profile.received_at } : null;
    },
    ...{ lake, sqlite, clock, calendar, admin, runNow },
    log: log.child({ capability: "universe" }),
  });
  const part: Part = { jobs: tracked.jobs, providers: () => [upstream.health()] };
  return { universe: tracked, part };
}
