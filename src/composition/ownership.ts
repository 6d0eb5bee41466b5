// Ownership: insiders' trades and large holdings, over the regulator's filings.
import type { Company } from "../capabilities/company/index.ts";
import { insider } from "../capabilities/insider/index.ts";
import { ownership } from "../capabilities/ownership/index.ts";
import type { Edgar } from "../providers/edgar/index.ts";
import type { Context, Part } from "./context.ts";

/** Composes both over one index of filings; tickers are resolved by the companies. */
export function composeOwnership(
  context: Context,
  regulator: Edgar,
  { resolve, symbolsOf }: Pick<Company, "resolve" | "symbolsOf">,
) {
  const { config, clock, log, sqlite, lake, runNow } = context;
  const filed = ownership({
    source: regulator,
    resolve,
    symbolsOf,
    lake,
    sqlite,
    clock,
    log: log.child({ capability: "ownership" }),
    feed: config.ownershipFeed,
    runNow,
  });
  const insiders = insider({ resolve, symbolsOf, coverage: filed.coverage, lake, clock });
  const part: Part = { jobs: filed.jobs };
  return { ownership: filed, insiders, part };
}
