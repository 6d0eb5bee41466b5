// Exchange-traded funds: the regulator's reports of holdings, and the price provider's word on funds.

import type { Company } from "../capabilities/company/index.ts";
import { etf } from "../capabilities/etf/index.ts";
import type { Edgar } from "../providers/edgar/index.ts";
import type { Context, Part } from "./context.ts";
import type { PriceProvider } from "./prices.ts";

/** Composes them; tickers are resolved by the companies. */
export function composeFunds(
  context: Context,
  provider: PriceProvider,
  regulator: Edgar,
  { resolve }: Pick<Company, "resolve">,
) {
  const { lake, sqlite, clock, log, cacheDeps } = context;
  const funds = etf({
    source: regulator,
    profiles: provider,
    resolve,
    log: log.child({ capability: "etf" }),
    ...{ lake, sqlite, clock, cacheDeps },
  });
  const part: Part = { jobs: funds.jobs };
  return { funds, part };
}
