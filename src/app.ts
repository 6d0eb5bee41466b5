// The process as a whole: the composed service behind HTTP, with its documentation, metrics and request log.
import { join } from "node:path";
import { Elysia } from "elysia";
import release from "../package.json" with { type: "json" };
import { health } from "./capabilities/health/index.ts";
import { LLMS, mcp } from "./capabilities/mcp/index.ts";
import { scheduler } from "./capabilities/scheduler/index.ts";
import { type AppDeps, openStores, type StoreOptions } from "./composition/context.ts";
import { readLostRows } from "./composition/noted-reads.ts";
import { composeService } from "./composition/service.ts";
import { secretsOf } from "./config.ts";
import { REQUEST_LOG_RETENTION_DAYS, SEND_STALLED_S } from "./limits.ts";
import { answeringClock, type Clock } from "./platform/clock.ts";
import { StorageUnavailable } from "./platform/errors.ts";
import type { Job } from "./platform/jobs/job.ts";
import type { Jobs } from "./platform/jobs/jobs.ts";
import type { Lake } from "./platform/lake/lake.ts";
import { integrityProblem } from "./platform/sqlite/integrity.ts";
import { unwritable } from "./platform/write-failures.ts";
import { consoleRoutes, missingPage } from "./server/console.ts";
import { docsRoutes } from "./server/docs.ts";
import { type Edge, edge } from "./server/edge.ts";
import { openErrorLog } from "./server/error-log.ts";
import { adminGroup } from "./server/guards.ts";
import { httpApp } from "./server/http.ts";
import { InFlightRequests } from "./server/in-flight.ts";
import { metrics } from "./server/metrics.ts";
import { type Examples, openapiDocument } from "./server/openapi.ts";
import { requestContextOf } from "./server/request-context.ts";
import { openRequestLog, type RequestLog } from "./server/request-log.ts";
import { type EdgeDetail, routeTable } from "./server/route-table.ts";

const TEXT = { "content-type": "text/plain; charset=utf-8" };

/** Read when the documentation is first requested; an import would slow every start. */
const EXAMPLES = join(import.meta.dir, "examples.json");

const TAGS = [
  { name: "price", description: "Daily history, quotes and intraday bars." },
  { name: "stocks", description: "Market lists: index constituents, most active, gainers, trending." },
  { name: "screener", description: "Stocks filtered by their current data." },
  { name: "universe", description: "The tracked stocks, and their state on a historical date." },
  { name: "marketfeed", description: "Bars and snapshots of the brokerage feed." },
  { name: "shortvolume", description: "Daily short-sale volume, and the point-in-time panel." },
  { name: "company", description: "The company behind a ticker." },
  {
    name: "filings",
    description: "Filings with the regulator, and the events of current reports.",
  },
  { name: "financial", description: "Financial statements as reported, and metrics." },
  { name: "insider", description: "Transactions of insiders, from Forms 3, 4 and 5." },
  { name: "ownership", description: "Large holders, from Schedules 13D and 13G." },
  { name: "earnings", description: "Earnings against estimates, and the dates of the next reports." },
  { name: "dividends", description: "Dividends as known on a day." },
  { name: "econdata", description: "Economic time series." },
  { name: "attention", description: "How much public attention a company gets." },
  { name: "news", description: "Headlines." },
  { name: "etf", description: "Funds: profile, holdings, exposure." },
  { name: "overlay", description: "A daily score computed from stored data." },
  { name: "health", description: "State of the service." },
  { name: "scheduler", description: "Scheduled jobs." },
  { name: "changes", description: "What changed in the stored data, commit by commit." },
  { name: "logs", description: "Recent requests and errors." },
  { name: "database", description: "What is stored." },
];

/** So that it does not slow the first answers. */
const STORE_CHECK_DELAY_MS = 12_000;
/** Shorter secrets are not removed from paths and answers, because they could match ordinary text. */
const SECRET_LENGTH_MIN = 8;

/** The job that removes old rows of both logs. */
function logPurge(logs: readonly Pick<RequestLog, "purge">[], clock: Clock): Job {
  return {
    name: "request-log-purge",
    description: `Removes rows of the request and error logs older than ${REQUEST_LOG_RETENTION_DAYS} days.`,
    schedule: "30 3 * * *",
    zone: "America/New_York",
    deadlineMs: 5 * 60_000,
    catchUp: "once",
    run: async () => {
      const before = clock.nowMs() - REQUEST_LOG_RETENTION_DAYS * 86_400_000;
      return { rows: logs.reduce((sum, log) => sum + log.purge(before), 0) };
    },
  };
}

/**
 * The job that compares what is stored with its hashes, and does so for the operational database a moment
 * after the start. Both times it has lost rows read again.
 */
function storeCheck(
  { clock, log, config }: AppDeps,
  lake: Lake,
  readLost: (signal: AbortSignal) => Promise<void>,
) {
  const path = join(config.dataDir, "ops.sqlite");
  let damage: string | null = null;
  const ending = new AbortController();
  const checkDatabase = async () => {
    damage = await integrityProblem(path);
  };
  const first = clock
    .sleep(STORE_CHECK_DELAY_MS, ending.signal)
    .then(checkDatabase)
    .then(() => (config.jobs ? readLost(ending.signal) : undefined))
    .catch((error: unknown) => {
      if (!ending.signal.aborted) log.error("the stores were not checked", { error });
    });
  const job: Job = {
    name: "store-check",
    description:
      "Reads the rows of lost files again, compares every file of the lake with its hash and the Delta logs with the lake, and checks the database.",
    schedule: "10 3 * * *",
    zone: "America/New_York",
    deadlineMs: 60 * 60_000,
    catchUp: "once",
    // A damage does not go by itself, and each run asks for all lost rows again.
    retry: false,
    run: async ({ signal }) => {
      await readLost(signal);
      await lake.inspect(signal);
      await checkDatabase();
      const problems = lake.problems();
      if (damage !== null || problems.length > 0)
        throw new StorageUnavailable(
          "damaged",
          [damage, ...problems.map(({ path, description }) => `${path} ${description}`)]
            .filter(Boolean)
            .join("; "),
        );
      return {};
    },
  };
  return {
    job,
    damage: () => damage,
    async stop() {
      ending.abort();
      await first;
    },
  };
}

export interface App {
  readonly edge: Edge;
  readonly jobs: Jobs;
  readonly lake: Lake;
  /** Makes /health report that the service is stopping. */
  beginStop(): void;
  /** Closes the stores. Call it once the requests are drained. */
  close(): Promise<void>;
}

/** Returns the OpenAPI document. It is built when it is first asked for, so that the start does not wait. */
function documentation(app: Parameters<typeof openapiDocument>[0], { dataMode }: AppDeps["config"]) {
  let document: Promise<ReturnType<typeof openapiDocument>> | undefined;
  const build = async () =>
    openapiDocument(app, TAGS, (await Bun.file(EXAMPLES).json()) as Examples, dataMode === "sample");
  return () => {
    document ??= build();
    return document;
  };
}

/** Headers of a request that are about its own body and answer. */
const OWN_HEADERS = /^(?:accept|content-|if-|mcp-|transfer-encoding|connection$)/;

/** A request that the service makes for a client, with its rights. */
function innerRequest(outer: Request, path: string): Request {
  const headers = [...outer.headers].filter(([name]) => !OWN_HEADERS.test(name));
  return new Request(new URL(path, outer.url), { headers, signal: outer.signal });
}

/** Opens the stores and composes the whole service. */
export async function openApp(deps: AppDeps, options: StoreOptions = {}): Promise<App> {
  const { config, clock, log } = deps;
  const stores = await openStores(deps, { verify: true, ...options });
  const { sqlite, lake } = stores;
  const lost = (error: unknown, rows: number) => log.error("log rows lost", { error, rows });
  const secrets = secretsOf(config).filter((secret) => secret.length >= SECRET_LENGTH_MIN);
  const requestLog = openRequestLog({ sqlite, secrets }, lost);
  const errorLog = openErrorLog({ sqlite, clock, secrets: secretsOf(config) }, lost);
  const check = storeCheck(deps, lake, (signal) => readLostRows(lake, service.jobs, composed, signal));
  const service = composeService(
    { ...deps, ...stores, log: errorLog.tee(log) },
    {
      jobs: [logPurge([requestLog, errorLog], clock), check.job],
      scheduled: config.jobs,
      flushLogs() {
        requestLog.flush();
        errorLog.flush();
      },
    },
  );
  const { jobs, storage } = service;
  let stopping = false;
  const inFlight = new InFlightRequests();
  const activeRequests = () => inFlight.count;
  const meters = metrics({ upstreams: service.providers, activeRequests, storage, lake });
  const { app, seal } = httpApp({
    versions: lake,
    nowMs: answeringClock(clock).nowMs,
    secrets,
  });
  const capabilities = new Elysia({ prefix: "/api/v1" }).use(scheduler(jobs, adminGroup(config)).routes).use(
    health({
      clock,
      version: release.version,
      environment: config.environment,
      startedAtMs: clock.nowMs(),
      pingDatabase: () => {
        sqlite.use((db) => db.run("SELECT 1"));
      },
      databaseDamage: check.damage,
      lakeProblems: () => lake.problems().map((p) => `${p.path}: ${p.description}`),
      unwritable: () =>
        unwritable(config.dataDir, {
          database: { recent: sqlite.writeFailure },
          lake: { recent: lake.writeFailure },
        }),
      caches: service.caches,
      upstreams: service.providers,
      scheduler: () => ({ running: config.jobs, jobs: jobs.list() }),
      isStopping: () => stopping,
    }).routes,
  );
  for (const routes of service.routes) capabilities.use(routes);
  const agents = mcp({
    clock,
    version: release.version,
    ask: (outer, path) => running.fetch(innerRequest(outer, path), requestContextOf(outer).peer),
  });
  capabilities.use(agents.routes);
  const composed = app.use(capabilities).use(meters.routes).use(docsRoutes()).use(consoleRoutes(config));
  const detail: EdgeDetail & { hide: true } = {
    hide: true,
    "x-outside-concurrency-limit": true,
    "x-open": true,
  };
  composed.get("/llms.txt", () => new Response(LLMS, { headers: TEXT }), { detail });
  composed.get("/api/v1/openapi.json", documentation(composed, config), { detail });
  seal(composed);
  const running = edge({
    config,
    clock,
    table: routeTable(composed),
    inFlight,
    secrets,
    versions: { ...lake, generationOf: service.versionNames.generationOf },
    handle: (request) => composed.fetch(request),
    missing: (request, path) => missingPage(request, path, config),
    record(record) {
      meters.record(record);
      requestLog.add(record);
    },
    failed: (status, context) => errorLog.request({ ...context, status }),
    stalled: ({ requestId, path }) =>
      log.warn("a streamed answer was ended because its client stopped reading", {
        request_id: requestId,
        path,
        seconds: SEND_STALLED_S,
      }),
    unforeseen: (error, context) =>
      log.error("a request failed with an unexpected error", {
        error,
        request_id: context.requestId,
        path: context.path,
      }),
  });
  return {
    edge: running,
    jobs,
    lake,
    beginStop() {
      stopping = true;
      service.endStreams();
      // A supervisor kills a slow process, and each wait for a locked database blocks the whole process.
      sqlite.stopWaiting();
    },
    async close() {
      await agents.close();
      await check.stop();
      await service.stop();
      for (const each of [requestLog, errorLog]) each.close();
      await lake.close();
      sqlite.close();
    },
  };
}
