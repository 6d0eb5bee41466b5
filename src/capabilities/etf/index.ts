// Exchange-traded funds: who they are, what they held, and who held a share. Its face.
import { forEachSequential } from "../../market/bulk.ts";
import { canonical } from "../../market/ticker.ts";
import type { CacheDeps } from "../../platform/cache/cache.ts";
import type { Clock } from "../../platform/clock.ts";
import { NotFound } from "../../platform/errors.ts";
import type { Job } from "../../platform/jobs/job.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import { etfAnswers } from "./answers.ts";
import { type ReportCollector, reportCollector } from "./collect.ts";
import { fundExposure } from "./exposure.ts";
import { fundDesk } from "./fund-lookup.ts";
import { fundHoldings } from "./holdings.ts";
import { fundList } from "./list.ts";
import { etfRoutes } from "./routes.ts";
import type { EtfLog, FundProfiles, FundReports, ResolveFund } from "./sources.ts";
import { type EtfStore, etfStore } from "./store.ts";

export interface EtfNeeds {
  readonly source: FundReports;
  readonly profiles: FundProfiles;
  readonly resolve: ResolveFund;
  readonly lake: Lake;
  readonly sqlite: Store;
  readonly clock: Clock;
  readonly log: EtfLog;
  readonly cacheDeps: CacheDeps;
}

const REPORTS_JOB = "etf-reports";
/** Funds that fail one after the other before the job gives up: then it is not the funds. */
const FAULTS_MAX = 5;

function reportsJob(store: EtfStore, collector: ReportCollector, resolve: ResolveFund, log: EtfLog): Job {
  return {
    name: REPORTS_JOB,
    description: "Reads new reports of holdings of every fund that was asked for.",
    schedule: "20 7 * * 1-5",
    zone: "America/New_York",
    deadlineMs: 3 * 3_600_000,
    catchUp: "once",
    async run({ signal }) {
      let rows = 0;
      await forEachSequential(
        store.series(),
        async ({ series_id, symbol }) => {
          const { cik } = await resolve(symbol, signal);
          rows += await collector.ensure({ series_id, symbol, cik }, { untilMs: null, force: true }, signal);
        },
        {
          failuresMax: FAULTS_MAX,
          signal,
          failed: ({ series_id }, error) =>
            log.warn("a fund was passed over", { series_id, reason: error.message }),
        },
      );
      return { rows };
    },
  };
}

/** Composes the capability: its routes, its job, and what the command line runs. */
export function etf(needs: EtfNeeds) {
  const { source, profiles, resolve, lake, sqlite, clock, log, cacheDeps } = needs;
  const store = etfStore({ sqlite, lake });
  const collector = reportCollector({ source, store, clock, log });
  const desk = fundDesk({ profiles, resolve, store, cacheDeps });
  const answers = etfAnswers({
    desk,
    holdings: fundHoldings({ desk, collector, store, clock }),
    exposure: fundExposure({ lake, clock }),
    list: fundList({ lake, store }),
    store,
    clock,
    provider: profiles.name,
  });
  return {
    routes: etfRoutes(answers),
    jobs: [reportsJob(store, collector, resolve, log)] as readonly Job[],
    /** Reads the newest report of one fund; gives the lines that came in. What `cli ingest etf` runs. */
    async collect(ticker: string, signal: AbortSignal): Promise<number> {
      const { cik, series_id } = await resolve(ticker, signal);
      if (series_id === null)
        throw new NotFound("no_data", `${ticker} is no series of a trust and files no report of holdings.`, {
          ticker,
        });
      await desk.mustBeEtf(ticker, series_id, signal);
      const fund = { series_id, cik, symbol: canonical(ticker) };
      return collector.ensure(fund, { untilMs: null, force: false }, signal);
    },
  };
}
