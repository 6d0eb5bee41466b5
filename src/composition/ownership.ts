// Ownership: insiders' trades and large holdings, over the regulator's filings.
import type { Company } from "../capabilities/company/index.ts";
import { insider } from "../capabilities/insider/index.ts";
import { ownership } from "../capabilities/ownership/index.ts";
import type { Edgar } from "../providers/edgar/index.ts";
import { type Context, type Part, servicesFor } from "./context.ts";

/** Composes both over one filing index; `resolve` maps tickers to filers. */
export function composeOwnership(
  context: Context,
  regulator: Edgar,
  { resolve, symbolsOf }: Pick<Company, "resolve" | "symbolsOf">,
) {
  const { config, clock, lake } = context;
  const filed = ownership({
    ...servicesFor(context, "ownership"),
    source: regulator,
    resolve,
    symbolsOf,
    feed: config.ownershipFeed,
  });
  const insiders = insider({ resolve, symbolsOf, coverage: filed.coverage, lake, clock });
  const part: Part = { jobs: filed.jobs, stop: filed.stop };
  return { ownership: filed, insiders, part };
}
