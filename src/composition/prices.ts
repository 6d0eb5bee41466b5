// Prices: the price provider and the price capability.
import { join } from "node:path";
import { price } from "../capabilities/price/index.ts";
import { classifyYahoo, yahoo, yahooPolicy, yahooSessionPolicy } from "../providers/yahoo/index.ts";
import type { Feed } from "./brokerage-feed.ts";
import { type Context, type Part, servicesFor } from "./context.ts";

/**
 * Composes the price provider. Its session has its own upstream, so that a blocked handshake does not stop
 * the bars.
 */
export function composePrices(context: Context, feed?: Feed) {
  const { config, clock, log, calendar, connect } = context;
  const data = connect(yahooPolicy, classifyYahoo);
  const session = connect(yahooSessionPolicy, classifyYahoo);
  const provider = {
    name: "yahoo",
    ...yahoo({
      upstream: data,
      sessionUpstream: session,
      clock,
      calendar,
      log: log.child({ upstream: "yahoo" }),
      credentialsPath: join(config.dataDir, "yahoo-session.json"),
    }),
  };
  const prices = price({
    ...servicesFor(context, "price"),
    source: provider,
    ...(feed ? { feed } : {}),
  });
  const part: Part = {
    jobs: prices.jobs,
    providers: () => [data.health(), session.health()],
    stop: prices.stop,
  };
  return { provider, prices, part };
}

export type PriceProvider = ReturnType<typeof composePrices>["provider"];
