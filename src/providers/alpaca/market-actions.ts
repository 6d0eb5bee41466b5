// The splits, dividends and other actions of the whole market by their ex dates, in one list.
import type { MarketAction, MarketActions } from "../../market/bar-history.ts";
import { addDays } from "../../market/date.ts";
import { fromAlpaca } from "../../market/spelling.ts";
import type { AlpacaClient } from "./client.ts";
import { askMarketActions, PAID_WITHIN_DAYS } from "./endpoints/corporate-actions.ts";

/** Creates the function that reads the list. It throws what AlpacaClient.get throws. */
export function alpacaMarketActions(ask: AlpacaClient): MarketActions["marketActions"] {
  return async ({ start, end, signal }) => {
    const listed = await askMarketActions(ask, start, addDays(end, PAID_WITHIN_DAYS), signal);
    return listed.flatMap(({ symbol: spelled, kind, ex_date }): MarketAction[] => {
      const symbol = fromAlpaca(spelled);
      if (symbol === null || ex_date < start || ex_date > end) return [];
      return [{ symbol, kind, date: ex_date }];
    });
  };
}
