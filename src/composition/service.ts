// The whole service without HTTP: every provider and capability over open stores.
import { join } from "node:path";
import { attention } from "../capabilities/attention/index.ts";
import type { Company } from "../capabilities/company/index.ts";
import { econdata, econMeter } from "../capabilities/econdata/index.ts";
import { etf } from "../capabilities/etf/index.ts";
import { insider } from "../capabilities/insider/index.ts";
import { marketfeed } from "../capabilities/marketfeed/index.ts";
import { overlay } from "../capabilities/overlay/index.ts";
import { ownership } from "../capabilities/ownership/index.ts";
import { shortVolume } from "../capabilities/shortvolume/index.ts";
import type { Job } from "../platform/jobs/job.ts";
import { createJobs } from "../platform/jobs/jobs.ts";
import { jobLocks } from "../platform/jobs/locks.ts";
import type { Lake } from "../platform/lake/lake.ts";
import { persistentLimits } from "../platform/upstream/persistent-limits.ts";
import type { Edgar } from "../providers/edgar/index.ts";
import { classifyFinra, finra, finraPolicy } from "../providers/finra/index.ts";
import { classifyFred, fred, fredPolicy } from "../providers/fred/index.ts";
import { ARCHIVE_FROM, articleQuery, classifyGdelt, gdelt, gdeltPolicy } from "../providers/gdelt/index.ts";
import { articleUrl, PROJECT, VIEWS_FROM, type Wikimedia } from "../providers/wikimedia/index.ts";
import { composeFeed, type Feed } from "./brokerage-feed.ts";
import { composeCalendars } from "./calendars.ts";
import { type AppDeps, type Context, contextOf, type Part, type Stores, servicesFor } from "./context.ts";
import { composeLists } from "./lists.ts";
import { composeNews } from "./news.ts";
import { composeOperation } from "./operation.ts";
import { composePrices, type PriceProvider } from "./prices.ts";
import { composeRegulator } from "./regulator.ts";
import { composeUniverse } from "./universe.ts";

/** Composes attention; `companies` resolves tickers to companies. */
function composeAttention(
  context: Context,
  encyclopedia: Wikimedia,
  companies: ReturnType<typeof composeRegulator>["companies"],
) {
  const { sqlite, clock, admin, connect } = context;
  const archive = gdelt(
    connect(gdeltPolicy, classifyGdelt, persistentLimits(gdeltPolicy, { store: sqlite, clock })),
  );
  const capability = attention({
    ...servicesFor(context, "attention"),
    encyclopedia: { ...encyclopedia, articleUrl, project: PROJECT, viewsFrom: VIEWS_FROM },
    archive: {
      ...archive,
      query: articleQuery,
      closedUntil: () => archive.health().breakerOpenUntil,
      archiveFrom: ARCHIVE_FROM,
    },
    resolve: companies.resolve,
    companyBehind: (ticker, signal) => companies.find(ticker, false, signal),
    admin,
  });
  const part: Part = {
    jobs: capability.jobs,
    providers: () => [{ ...archive.health(), name: "newsarchive" }],
  };
  return { attention: capability, part };
}

/**
 * Composes the provider of economic data. Every attempt is counted against the daily quota before it is sent.
 * `flushLogs` writes the buffered log rows.
 */
function composeEcondata(context: Context, flushLogs: () => void) {
  const { config, clock, sqlite, requestIdOf, requireAdmin } = context;
  const meter = econMeter({ store: sqlite, clock });
  const upstream = context.connect(fredPolicy, classifyFred, { beforeAttempt: meter.beforeAttempt });
  const provider = fred({ upstream, apiKey: config.econdataApiKey, answered: meter.answered });
  const configured = config.econdataApiKey !== null;
  const econ = econdata({
    ...servicesFor(context, "econdata"),
    source: provider,
    meter,
    configured,
    requestIdOf,
    requireAdmin,
    flushLogs,
  });
  const part: Part = {
    providers: () => [{ ...upstream.health(), name: "econdata", configured }],
  };
  return { econdata: econ, part };
}

/** Composes the routes; the price capability stores the bars of the panel. */
function composeMarketfeed(context: Context, feed: Feed, prices: ReturnType<typeof composePrices>["prices"]) {
  if (!prices.panel) throw new Error("the price capability was composed without the feed");
  const feeds = marketfeed({
    ...servicesFor(context, "marketfeed"),
    feed,
    historyFrom: feed.historyFrom,
    panel: prices.panel,
    admin: context.admin,
  });
  const part: Part = {
    jobs: feeds.jobs,
    providers: () => [{ ...feed.health(), configured: feed.isConfigured() }],
  };
  return { marketfeed: feeds, part };
}

/** Composes insiders' trades and large holdings over one filing index; `resolve` maps tickers to filers. */
function composeOwnership(
  context: Context,
  regulator: Edgar,
  { resolve, symbolsOf }: Pick<Company, "resolve" | "symbolsOf">,
  prices: Pick<ReturnType<typeof composePrices>["prices"], "onCloses">,
) {
  const { config, clock, lake } = context;
  const filed = ownership({
    ...servicesFor(context, "ownership"),
    source: regulator,
    resolve,
    symbolsOf,
    feed: config.ownershipFeed,
  });
  prices.onCloses(filed.closesArrived);
  const insiders = insider({ resolve, symbolsOf, coverage: filed.coverage, lake, clock });
  const part: Part = { jobs: filed.jobs, stop: filed.stop };
  return { ownership: filed, insiders, part };
}

/** Composes the fund routes; `resolve` maps tickers to filers. */
function composeFunds(
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

function composeShortVolume(context: Context) {
  const source = finra(context.connect(finraPolicy, classifyFinra));
  const shortVolumes = shortVolume({
    ...servicesFor(context, "shortvolume"),
    source,
    admin: context.admin,
  });
  const part: Part = {
    jobs: shortVolumes.jobs,
    providers: () => [{ ...source.health(), name: "shortvolume" }],
  };
  return { shortVolumes, part };
}

const lakeCompaction = (lake: Lake): Job => ({
  name: "lake-compaction",
  description: "Merges small files of the lake and publishes the catalogue.",
  schedule: "*/15 * * * *",
  zone: "America/New_York",
  deadlineMs: 10 * 60_000,
  catchUp: "once",
  run: async ({ signal }) => ({
    rows: (await lake.compact({ signal })).reduce((sum, c) => sum + c.rows, 0),
  }),
});

/** Composes the overlay scores, which are computed from the lake without any upstream request. */
function composeOverlay(context: Context) {
  const scores = overlay({
    ...servicesFor(context, "overlay"),
    weights: context.config.overlayWeights,
    admin: context.admin,
  });
  const part: Part = { jobs: scores.jobs };
  return { scores, part };
}

export interface ServiceOptions {
  /** Jobs of the process itself. */
  readonly jobs?: readonly Job[];
  /** Whether this process runs scheduled jobs; commands leave them to the server. */
  readonly scheduled?: boolean;
  /** Writes the buffered log rows. */
  flushLogs?(): void;
}

/** Composes providers and capabilities over open stores. */
export function composeService(deps: AppDeps & Stores, options: ServiceOptions = {}) {
  const { lake, sqlite, clock, log } = deps;
  // Opened empty: capabilities run jobs by name, and bring the jobs themselves once they are composed.
  const jobs = createJobs({
    store: sqlite,
    clock,
    log,
    locks: jobLocks(join(deps.config.dataDir, "job-locks")),
    enabled: options.scheduled ?? false,
  });
  const context = contextOf(deps, jobs.runNow);
  const feed = composeFeed(context);
  const { provider, prices, part: pricePart } = composePrices(context, feed);
  const { marketfeed, part: feedPart } = composeMarketfeed(context, feed, prices);
  const {
    companies,
    filings,
    financials,
    regulator,
    part: regulatorPart,
  } = composeRegulator(context, provider, prices);
  const operation = composeOperation(context, {
    companies,
    flushLogs: () => options.flushLogs?.(),
  });
  const economy = composeEcondata(context, () => options.flushLogs?.());
  const listed = composeUniverse(context, { prices, provider }, { regulator, financials });
  const market = composeLists(context, provider);
  const {
    earnings,
    dividends,
    part: calendarPart,
  } = composeCalendars(context, provider, companies, financials.splitsOf);
  const owned = composeOwnership(context, regulator, companies, prices);
  const exchangeTraded = composeFunds(context, provider, regulator, companies);
  const shorts = composeShortVolume(context);
  const headlines = composeNews(context, feed, listed.universe, market.stocks);
  const watched = composeAttention(context, market.encyclopedia, companies);
  const overlaid = composeOverlay(context);
  // The process runs their jobs, shows their providers in /health and waits for them when it stops.
  const parts: readonly Part[] = [
    pricePart,
    feedPart,
    market.part,
    regulatorPart,
    economy.part,
    listed.part,
    calendarPart,
    owned.part,
    exchangeTraded.part,
    shorts.part,
    overlaid.part,
    headlines.part,
    watched.part,
  ];
  jobs.add([lakeCompaction(lake), ...(options.jobs ?? []), ...parts.flatMap((part) => part.jobs ?? [])]);
  return {
    prices,
    marketfeed,
    companies,
    filings,
    financials,
    universe: listed.universe.requests,
    ownership: owned.ownership,
    funds: exchangeTraded.funds,
    overlay: overlaid.scores,
    versionNames: operation.versionNames,
    shortVolumes: shorts.shortVolumes,
    // The routes below /api/v1.
    routes: [
      prices.routes,
      marketfeed.routes,
      market.stocks.routes,
      market.screener.routes,
      companies.routes,
      filings.routes,
      financials.routes,
      earnings.routes,
      dividends.routes,
      economy.econdata.routes,
      operation.logs.routes,
      operation.database.routes,
      operation.sql.routes,
      operation.workspace.routes,
      operation.changes.routes,
      operation.versions.routes,
      listed.universe.routes,
      owned.insiders.routes,
      owned.ownership.routes,
      exchangeTraded.funds.routes,
      overlaid.scores.routes,
      shorts.shortVolumes.routes,
      headlines.news.routes,
      watched.attention.routes,
    ],
    jobs,
    providers: () => parts.flatMap((part) => part.providers?.() ?? []),
    caches: context.caches,
    storage: context.storage,
    endStreams: operation.changes.endStreams,
    async stop() {
      operation.changes.endStreams();
      await jobs.stop();
      for (const part of parts) await part.stop?.();
    },
  };
}
