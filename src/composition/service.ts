// The whole service without HTTP: every provider and capability over open stores.
import { createJobs, type Job, type Jobs } from "../platform/jobs.ts";
import { type AppDeps, contextOf, type Part, type Stores } from "./context.ts";
import { composeEcondata } from "./econdata.ts";
import { lakeCompaction } from "./lake-compaction.ts";
import { composeOperation } from "./operation.ts";
import { composePrices } from "./prices.ts";
import { composeRegulator } from "./regulator.ts";

export interface ServiceOptions {
  /** Jobs of the process itself. */
  readonly jobs?: readonly Job[];
  /** Whether schedules count here; a command leaves them to the server. */
  readonly scheduled?: boolean;
  /** Writes the log rows held in memory. */
  flushLogs?(): void;
}

/** Providers and capabilities over open stores; what the commands need of the service. */
export function composeService(deps: AppDeps & Stores, options: ServiceOptions = {}) {
  const { lake, sqlite, clock, log } = deps;
  const context = contextOf(deps, (name, run) => jobs.runNow(name, run));
  const { provider, prices, part: pricePart } = composePrices(context);
  const { companies, filings, financials, part: regulatorPart } = composeRegulator(context, provider);
  const operation = composeOperation(context, {
    resolve: companies.resolve,
    flushLogs: () => options.flushLogs?.(),
  });
  const economy = composeEcondata(context, () => options.flushLogs?.());
  // One line each: what the process runs, shows in /health and waits for.
  const parts: readonly Part[] = [pricePart, regulatorPart, economy.part];
  const jobs: Jobs = createJobs({
    jobs: [lakeCompaction(lake), ...(options.jobs ?? []), ...parts.flatMap((part) => part.jobs ?? [])],
    store: sqlite,
    clock,
    log,
    enabled: options.scheduled ?? false,
  });
  return {
    prices,
    companies,
    filings,
    financials,
    // Everything mounted below /api/v1.
    routes: [
      prices.routes,
      companies.routes,
      filings.routes,
      financials.routes,
      economy.econdata.routes,
      operation.logs.routes,
      operation.database.routes,
    ],
    jobs,
    providers: () => parts.flatMap((part) => part.providers?.() ?? []),
    memories: context.memories,
    async stop() {
      await jobs.stop();
      for (const part of parts) await part.stop?.();
    },
  };
}
