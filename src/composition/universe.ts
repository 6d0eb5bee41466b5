// The universe: Nasdaq's lists of stocks, and the capabilities that fill its snapshots.
import { universe } from "../capabilities/universe/index.ts";
import { classifyListings, listingsPolicy, nasdaqListings } from "../providers/nasdaq/index.ts";
import { type Context, type Part, servicesFor } from "./context.ts";
import type { composePrices } from "./prices.ts";
import type { composeRegulator } from "./regulator.ts";

/**
 * Prices come from the price capability, share counts from the financial one, and the rest from the price
 * provider.
 */
export function composeUniverse(
  context: Context,
  { prices, provider }: Pick<ReturnType<typeof composePrices>, "prices" | "provider">,
  { regulator, financials }: Pick<ReturnType<typeof composeRegulator>, "regulator" | "financials">,
) {
  const upstream = context.connect(listingsPolicy, classifyListings);
  const tracked = universe({
    ...servicesFor(context, "universe"),
    admin: context.admin,
    source: nasdaqListings(upstream),
    regulator,
    prices: (symbols, span, onItem) => prices.backfill(symbols, { interval: "1d", ...span }, onItem),
    figures: (tickers, signal, onItem) => financials.backfill.tickers(tickers, false, signal, onItem),
    async shareCount(symbol, signal) {
      const profile = await provider.profile(symbol, signal);
      const shares = profile?.shares_outstanding ?? null;
      return profile && shares !== null && shares > 0 ? { shares, received_at: profile.received_at } : null;
    },
  });
  const part: Part = { jobs: tracked.jobs, providers: () => [upstream.health()] };
  return { universe: tracked, part };
}
