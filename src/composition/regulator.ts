// Capabilities over the regulator's data: companies, filings with their events, and financial statements.
import { company } from "../capabilities/company/index.ts";
import { filings } from "../capabilities/filings/index.ts";
import { financial, PERIODIC_FORMS } from "../capabilities/financial/index.ts";
import { classifyEdgar, edgar, edgarPolicy, predecessorsOf } from "../providers/edgar/index.ts";
import { type Context, type Part, servicesFor } from "./context.ts";
import type { composePrices, PriceProvider } from "./prices.ts";

/**
 * Composes the capabilities over the SEC; company profiles and the prices of ratios come from the price
 * provider.
 */
export function composeRegulator(
  context: Context,
  profiles: PriceProvider,
  prices: Pick<ReturnType<typeof composePrices>["prices"], "fillCloses">,
) {
  const { config, clock, vault, connect } = context;
  const upstream = connect(edgarPolicy, classifyEdgar);
  const regulator = edgar({ upstream, vault, clock, userAgent: config.secUserAgent });
  const companies = company({
    ...servicesFor(context, "company"),
    regulator,
    profiles,
    predecessorsOf,
  });
  const filed = filings({
    ...servicesFor(context, "filings"),
    source: regulator,
    resolve: companies.resolve,
  });
  const financials = financial({
    ...servicesFor(context, "financial"),
    source: regulator,
    company: companies.find,
    companyAt: companies.findAt,
    resolve: companies.resolve,
    // Listing a filer's reports also indexes its 8-Ks: the index's `onNew` (capabilities/filings/index.ts)
    // queues them for background parsing. Statements need only the list.
    filings: {
      periodic: (cik, asOf, signal) => filed.index.filingsOf(cik, PERIODIC_FORMS, asOf, signal),
      acceptanceOf: filed.index.acceptanceOf,
    },
    fillCloses: prices.fillCloses,
  });
  const part: Part = {
    jobs: [...companies.jobs, ...filed.jobs],
    providers: () => [{ ...upstream.health(), name: "sec", configured: config.secUserAgent !== null }],
    async stop() {
      await companies.started;
      await financials.stop();
      await filed.stop();
    },
  };
  return { regulator, companies, filings: filed, financials, part };
}
