// Exchange-traded funds: their profiles, their holdings, and which funds hold a share.
import { forEachSequential } from "../../market/bulk.ts";
import type { Services } from "../../market/services.ts";
import { canonical } from "../../market/ticker.ts";
import { NotFound } from "../../platform/errors.ts";
import type { Job } from "../../platform/jobs/job.ts";
import type { Log } from "../../platform/log.ts";
import { etfAnswers } from "./answers.ts";
import { type ReportCollector, reportCollector } from "./collect.ts";
import { fundExposure } from "./exposure.ts";
import { fundLookup } from "./fund-lookup.ts";
import { fundHoldings } from "./holdings.ts";
import { fundList } from "./list.ts";
import { ProfileStore } from "./profile-store.ts";
import { ReportStore } from "./report-store.ts";
import { etfRoutes } from "./routes.ts";
import type { FundProfiles, FundReports, ResolveFund } from "./sources.ts";
import { fundVersions } from "./version-state.ts";

export interface EtfDeps extends Pick<Services, "lake" | "sqlite" | "clock" | "log" | "cacheDeps"> {
  readonly source: FundReports;
  readonly profiles: FundProfiles;
  readonly resolve: ResolveFund;
}

const REPORTS_JOB = "etf-reports";
/** The job gives up after this many failures in a row: then the cause is not the funds. */
const FAILURES_MAX = 5;

function reportsJob(
  reports: ReportStore,
  collector: ReportCollector,
  resolve: ResolveFund,
  log: Pick<Log, "warn">,
): Job {
  return {
    name: REPORTS_JOB,
    description: "Reads new reports of holdings of every fund that was requested before.",
    schedule: "20 7 * * 1-5",
    zone: "America/New_York",
    deadlineMs: 3 * 3_600_000,
    catchUp: "once",
    fills: ["etf_holdings"],
    async run({ signal }) {
      let rows = 0;
      await forEachSequential(
        reports.allSeries(),
        async ({ series_id, symbol }) => {
          const { cik } = await resolve(symbol, null, signal);
          rows += await collector.ensure({ series_id, symbol, cik }, { untilMs: null, force: true }, signal);
        },
        {
          failuresMax: FAILURES_MAX,
          signal,
          failed: ({ series_id }, error) =>
            log.warn("the reports of a fund could not be read", { series_id, reason: error.message }),
        },
      );
      return { rows };
    },
  };
}

/** Composes the capability: its routes, its job, and what the command line runs. */
export function etf(deps: EtfDeps) {
  const { source, profiles, resolve, lake, sqlite, clock, log, cacheDeps } = deps;
  const profileStore = new ProfileStore({ sqlite, lake });
  const reports = new ReportStore({ sqlite, lake });
  const versions = fundVersions({ lake, sqlite, clock });
  const collector = reportCollector({ source, reports, clock, log });
  const funds = fundLookup({
    provider: profiles,
    resolve,
    profiles: profileStore,
    reports,
    versions,
    cacheDeps,
  });
  const answers = etfAnswers({
    funds,
    holdings: fundHoldings({ funds, collector, reports, versions, clock }),
    exposure: fundExposure({ lake, clock }),
    list: fundList({ lake, profiles: profileStore, versions }),
    reports,
    clock,
    provider: profiles.name,
  });
  return {
    routes: etfRoutes(answers),
    jobs: [reportsJob(reports, collector, resolve, log)] as readonly Job[],
    /**
     * Reads the newest report of one fund and returns the number of new lines. What `cli ingest etf` runs.
     */
    async collect(ticker: string, signal: AbortSignal): Promise<number> {
      const { cik, series_id } = await resolve(ticker, null, signal);
      if (series_id === null)
        throw new NotFound(
          "no_data",
          `${ticker} is not a series of a trust and files no report of holdings.`,
          {
            ticker,
          },
        );
      await funds.requireEtf(ticker, series_id, signal);
      const fund = { series_id, cik, symbol: canonical(ticker) };
      return collector.ensure(fund, { untilMs: null, force: false }, signal);
    },
  };
}
