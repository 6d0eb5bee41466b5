// Exchange-traded funds: holdings from the regulator's reports, profiles from the price provider.

import type { Company } from "../capabilities/company/index.ts";
import { etf } from "../capabilities/etf/index.ts";
import type { Edgar } from "../providers/edgar/index.ts";
import { type Context, type Part, servicesFor } from "./context.ts";
import type { PriceProvider } from "./prices.ts";

/** Composes the fund routes; `resolve` maps tickers to filers. */
export function composeFunds(
  context: Context,
  provider: PriceProvider,
  regulator: Edgar,
  { resolve }: Pick<Company, "resolve">,
) {
  const funds = etf({
    ...servicesFor(context, "etf"),
    source: regulator,
    profiles: provider,
    resolve,
  });
  const part: Part = { jobs: funds.jobs };
  return { funds, part };
}
