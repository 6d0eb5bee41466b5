// Prices: the price provider and what is asked of it.
import { join } from "node:path";
import { price } from "../capabilities/price/index.ts";
import { classifyYahoo, yahoo, yahooPolicy, yahooSessionPolicy } from "../providers/yahoo/index.ts";
import type { Context, Part } from "./context.ts";
import type { Feed } from "./marketfeed.ts";

/** Composes the price provider; a session of its own, so that a blocked handshake does not take the bars down. */
export function composePrices(context: Context, feed?: Feed) {
  const { config, clock, log, sqlite, lake, calendar, cacheDeps, connect } = context;
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
    source: provider,
    ...(feed ? { feed } : {}),
    lake,
    sqlite,
    clock,
    calendar,
    cacheDeps,
  });
  const part: Part = {
    providers: () => [data.health(), session.health()],
  };
  return { provider, prices, part };
}

export type PriceProvider = ReturnType<typeof composePrices>["provider"];
