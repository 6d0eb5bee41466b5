// The regulator's side: companies, filings and their events, statements.
import { company } from "../capabilities/company/index.ts";
import { filings } from "../capabilities/filings/index.ts";
import { financial, PERIODIC_FORMS } from "../capabilities/financial/index.ts";
import { classifyEdgar, edgar, edgarPolicy, predecessorsOf } from "../providers/edgar/index.ts";
import type { Context, Part } from "./context.ts";
import type { PriceProvider } from "./prices.ts";

/** Composes what is asked of the SEC; company profiles come from the price provider. */
export function composeRegulator(context: Context, profiles: PriceProvider) {
  const { config, clock, log, sqlite, lake, vault, cacheDeps, connect } = context;
  const upstream = connect(edgarPolicy, classifyEdgar);
  const regulator = edgar({ upstream, vault, clock, userAgent: config.secUserAgent });
  const companies = company({
    regulator,
    profiles,
    lake,
    sqlite,
    clock,
    log: log.child({ capability: "company" }),
    cacheDeps,
    predecessorsOf,
  });
  const filed = filings({
    source: regulator,
    resolve: companies.resolve,
    lake,
    sqlite,
    clock,
    log: log.child({ capability: "filings" }),
  });
  const financials = financial({
    source: regulator,
    company: companies.find,
    resolve: companies.resolve,
    filings: {
      periodic: (cik, asOf, signal) => filed.knowledge.ofForms(cik, PERIODIC_FORMS, asOf, signal),
      acceptanceOf: filed.knowledge.acceptanceOf,
    },
    lake,
    sqlite,
    clock,
  });
  const part: Part = {
    jobs: companies.jobs,
    providers: () => [{ ...upstream.health(), name: "sec", configured: config.secUserAgent !== null }],
    stop: () => filed.stop(),
  };
  return { regulator, companies, filings: filed, financials, part };
}
