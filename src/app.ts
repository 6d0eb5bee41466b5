// Composition root: the one file that knows every concrete provider, store and capability.
import { join } from "node:path";
import { Elysia } from "elysia";
import { company } from "./capabilities/company/index.ts";
import { filings } from "./capabilities/filings/index.ts";
import { financial, PERIODIC_FORMS } from "./capabilities/financial/index.ts";
import { health } from "./capabilities/health/index.ts";
import { price } from "./capabilities/price/index.ts";
import { scheduler } from "./capabilities/scheduler/index.ts";
import type { Config } from "./config.ts";
import { DATASETS, MACROS } from "./datasets/index.ts";
import { REQUEST_LOG_RETENTION_DAYS } from "./limits.ts";
import { exchangeCalendar } from "./market/calendar.ts";
import type { Clock } from "./platform/clock.ts";
import { createJobs, type Job } from "./platform/jobs.ts";
import { type Lake, openLake } from "./platform/lake.ts";
import type { Log } from "./platform/log.ts";
import { openSqlite, type Store } from "./platform/sqlite.ts";
import { createUpstream } from "./platform/upstream.ts";
import type { Classify, UpstreamPolicy } from "./platform/upstream-policy.ts";
import { openVault, type Vault } from "./platform/vault.ts";
import { classifyEdgar, edgar, edgarPolicy } from "./providers/edgar/index.ts";
import { classifyYahoo, yahoo, yahooPolicy, yahooSessionPolicy } from "./providers/yahoo/index.ts";
import { docsRoutes } from "./server/docs.ts";
import { type Edge, edge } from "./server/edge.ts";
import { httpApp } from "./server/http.ts";
import { metrics } from "./server/metrics.ts";
import { openapiDocument } from "./server/openapi.ts";
import { factsOf } from "./server/request-facts.ts";
import { openRequestLog, type RequestLog } from "./server/request-log.ts";
import { type EdgeDetail, routeTable } from "./server/route-table.ts";

export const VERSION = "1.0.0";

/** Small files in one partition after which they are merged in the background. */
const COMPACT_AT_DELTAS = 8;

/** Reading every byte of the lake takes a core for a while; the first answers come before. */
const VERIFY_DELAY_MS = 10_000;

const TAGS = [
  { name: "price", description: "Daily history, quotes and intraday bars." },
  { name: "company", description: "Who is behind a ticker." },
  {
    name: "filings",
    description: "What companies filed with the regulator, and the events of their current reports.",
  },
  { name: "financial", description: "Financial statements as reported, and metrics." },
  { name: "health", description: "State of the service." },
  { name: "scheduler", description: "Scheduled jobs." },
];

export interface AppDeps {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
}

/** Everything that is kept, in the data folder. */
export interface Stores {
  readonly sqlite: Store;
  readonly lake: Lake;
  readonly vault: Vault;
}

/**
 * Opens the stores of the data folder, which the server and the commands share. `verify` reads every lake file once
 * in the background.
 */
export async function openStores({ config, clock, log }: AppDeps, verify = false): Promise<Stores> {
  const sqlite = openSqlite(join(config.dataDir, "ops.sqlite"));
  const lake = await openLake({
    dir: config.dataDir,
    datasets: DATASETS,
    macros: MACROS,
    clock,
    compactAtDeltas: COMPACT_AT_DELTAS,
    verify,
    verifyDelayMs: VERIFY_DELAY_MS,
    onFault: (doing, fault) => log.error("the lake met a fault", { doing, error: fault }),
    memoryLimit: config.lakeMemory,
    ...(config.lakeThreads > 0 ? { threads: config.lakeThreads } : {}),
  });
  const vault = await openVault(join(config.dataDir, "vault"), { store: sqlite, clock });
  return { sqlite, lake, vault };
}

/** Providers and capabilities over open stores; what the commands need of the service, without HTTP. */
export function composeService({ config, clock, log, sqlite, lake, vault }: AppDeps & Stores) {
  const signalOf = (request: Request) => factsOf(request).signal;
  const remembering = { store: sqlite, clock, log };
  const calendar = exchangeCalendar({ extraClosures: config.extraClosures });
  const upstream = (policy: UpstreamPolicy, classify: Classify) =>
    createUpstream(policy, {
      clock,
      log: log.child({ upstream: policy.name }),
      gateway: config.upstreamGateway,
      classify,
    });
  const yahooData = upstream(yahooPolicy, classifyYahoo);
  // A breaker of its own: a blocked handshake must not take the bars down, which need none.
  const yahooSession = upstream(yahooSessionPolicy, classifyYahoo);
  const priceProvider = yahoo({
    upstream: yahooData,
    sessionUpstream: yahooSession,
    clock,
    calendar,
    log: log.child({ upstream: "yahoo" }),
    credentialsPath: join(config.dataDir, "yahoo-session.json"),
  });
  const priceSource = { name: "yahoo", ...priceProvider };
  const edgarUpstream = upstream(edgarPolicy, classifyEdgar);
  const regulator = edgar({ upstream: edgarUpstream, vault, clock, userAgent: config.secUserAgent });
  const prices = price({ source: priceSource, lake, sqlite, clock, calendar, remembering, signalOf });
  const companies = company({
    regulator,
    profiles: priceSource,
    lake,
    sqlite,
    clock,
    log: log.child({ capability: "company" }),
    remembering,
    signalOf,
  });
  const filed = filings({
    source: regulator,
    resolve: companies.resolve,
    lake,
    sqlite,
    clock,
    log: log.child({ capability: "filings" }),
    signalOf,
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
    signalOf,
  });
  return {
    prices,
    companies,
    filings: filed,
    financials,
    upstreams: () => [
      yahooData.health(),
      yahooSession.health(),
      { ...edgarUpstream.health(), name: "sec", configured: config.secUserAgent !== null },
    ],
  };
}

function jobsOf({ lake, requestLog, clock }: { lake: Lake; requestLog: RequestLog; clock: Clock }): Job[] {
  return [
    {
      name: "lake-compaction",
      says: "Merges small files of the lake and publishes the catalogue.",
      schedule: "*/15 * * * *",
      zone: "America/New_York",
      deadlineMs: 10 * 60_000,
      catchUp: "once",
      run: async ({ signal }) => ({
        rows: (await lake.compact({ signal })).reduce((sum, c) => sum + c.rows, 0),
      }),
    },
    {
      name: "request-log-purge",
      says: `Removes request log rows older than ${REQUEST_LOG_RETENTION_DAYS} days.`,
      schedule: "30 3 * * *",
      zone: "America/New_York",
      deadlineMs: 5 * 60_000,
      catchUp: "once",
      run: async () => ({ rows: requestLog.purge(clock.nowMs() - REQUEST_LOG_RETENTION_DAYS * 86_400_000) }),
    },
  ];
}

export interface App {
  readonly edge: Edge;
  readonly jobs: ReturnType<typeof createJobs>;
  readonly lake: Lake;
  /** No request is taken as ready any more. */
  beginStop(): void;
  /** Closes the stores; call after requests are drained. */
  close(): Promise<void>;
}

/** Opens the stores and composes the whole service. */
export async function openApp(deps: AppDeps): Promise<App> {
  const { config, clock, log } = deps;
  const stores = await openStores(deps, true);
  const { sqlite, lake } = stores;
  const service = composeService({ ...deps, ...stores });
  const requestLog = openRequestLog(sqlite, (error, rows) =>
    log.error("request log rows lost", { error, rows }),
  );
  const jobs = createJobs({
    jobs: [...jobsOf({ lake, requestLog, clock }), ...service.companies.jobs],
    store: sqlite,
    clock,
    log,
    enabled: config.jobs,
  });
  let stopping = false;
  let gate: Edge | undefined;
  const meters = metrics({ upstreams: service.upstreams, activeRequests: () => gate?.active() ?? 0 });
  const { app, seal } = httpApp({ parquet: lake, nowMs: clock.nowMs });
  const capabilities = new Elysia({ prefix: "/api/v1" })
    .use(service.prices.routes)
    .use(service.companies.routes)
    .use(service.filings.routes)
    .use(service.financials.routes)
    .use(scheduler({ list: () => jobs.list() }).routes)
    .use(
      health({
        clock,
        version: VERSION,
        environment: config.environment,
        startedAtMs: clock.nowMs(),
        pingDatabase: () => {
          sqlite.use((db) => db.run("SELECT 1"));
        },
        lakeProblems: () => lake.problems().map((p) => `${p.path}: ${p.says}`),
        memories: service.prices.memories,
        upstreams: service.upstreams,
        scheduler: () => ({ running: config.jobs, jobs: jobs.list() }),
        isStopping: () => stopping,
      }).routes,
    );
  const composed = app.use(capabilities).use(meters.routes).use(docsRoutes());
  const document = openapiDocument(composed, TAGS);
  const detail: EdgeDetail & { hide: true } = { hide: true, "x-outside-seats": true, "x-open": true };
  composed.get("/api/v1/openapi.json", () => document, { detail });
  seal(composed);
  const running = edge({
    config,
    clock,
    table: routeTable(composed),
    handle: (request) => composed.handle(request),
    record(record) {
      meters.record(record);
      requestLog.add(record);
    },
    unforeseen: (error, facts) =>
      log.error("a request failed in an unforeseen way", {
        error,
        request_id: facts.requestId,
        path: facts.path,
      }),
  });
  gate = running;
  return {
    edge: running,
    jobs,
    lake,
    beginStop() {
      stopping = true;
    },
    async close() {
      await jobs.stop();
      await service.filings.stop();
      requestLog.close();
      await lake.close();
      sqlite.close();
    },
  };
}
