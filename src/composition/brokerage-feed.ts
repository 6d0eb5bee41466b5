// The provider of the brokerage feed, which the marketfeed, price and news capabilities share.
import { alpaca, alpacaPolicy, classifyAlpaca } from "../providers/alpaca/index.ts";
import type { Context } from "./context.ts";

export function composeFeed({ config, clock, calendar, connect }: Context) {
  return alpaca({
    upstream: connect(alpacaPolicy, classifyAlpaca),
    keys: { apiKey: config.marketfeedApiKey, secretKey: config.marketfeedSecretKey },
    clock,
    calendar,
  });
}

export type Feed = ReturnType<typeof composeFeed>;
