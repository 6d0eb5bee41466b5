// What every part of the service is made of: configuration, clock, stores, and how a provider is connected.
import { join } from "node:path";
import type { Config } from "../config.ts";
import { DATASETS, MACROS } from "../datasets/index.ts";
import { exchangeCalendar } from "../market/calendar.ts";
import type { Services } from "../market/services.ts";
import type { CacheStats } from "../platform/cache/cache.ts";
import type { Clock } from "../platform/clock.ts";
import type { Job } from "../platform/jobs/job.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { type Lake, openLake } from "../platform/lake/lake.ts";
import type { Log } from "../platform/log.ts";
import { openSqlite, type Store } from "../platform/sqlite/sqlite.ts";
import type { Classify, Upstream, UpstreamHealth, UpstreamPolicy } from "../platform/upstream/policy.ts";
import { createUpstream, type UpstreamNeeds } from "../platform/upstream/upstream.ts";
import { openVault, type Vault } from "../platform/vault.ts";
import { requireAdmin } from "../server/auth.ts";
import { adminGroup, isAdmin, operatorGroup } from "../server/guards.ts";
import { requestContextOf } from "../server/request-context.ts";

/** Small files in one partition after which they are merged in the background. */
const COMPACT_AT_DELTAS = 8;

/** Reading every byte of the lake takes a core for a while; the first answers come before. */
const VERIFY_DELAY_MS = 10_000;

export interface AppDeps {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
}

/** What a process does with the stores. */
export interface StoreUse {
  /** Reads every lake file once in the background. */
  readonly verify?: boolean;
  /** Takes in more than is asked of it: small in memory rather than quick to read. */
  readonly ingestMode?: boolean;
}

/** Of the lake's engine, where it takes in: what it sorts and writes, beyond which it spills. */
const TAKING_IN = { memoryLimit: "128MB", threads: 1, lowMemory: true };

/** Everything that is kept, in the data folder. */
export interface Stores {
  readonly sqlite: Store;
  readonly lake: Lake;
  readonly vault: Vault;
}

/** What a part of the service is composed from. */
export interface Context extends AppDeps, Services {
  /** Every memory opened over `remembering`. */
  caches(): readonly CacheStats[];
  /** Mount admin routes below it. */
  readonly admin: ReturnType<typeof adminGroup>;
  /** Mount routes that tell of the service itself below it. */
  readonly operator: ReturnType<typeof operatorGroup>;
  isAdmin(request: Request): boolean;
  /** Aborts when the client of a request has gone or its deadline has passed. */
  /** The id a request is answered under. */
  requestIdOf(request: Request): string;
  /** Throws Forbidden unless the request comes from the admin: for one parameter; whole routes go below `admin`. */
  requireAdmin(request: Request): void;
  connect(
    policy: UpstreamPolicy,
    classify: Classify,
    more?: Pick<UpstreamNeeds, "beforeAttempt" | "breakerMemory">,
  ): Upstream;
}

/** What the state of a provider is shown as; `configured` is false where a needed setting is missing. */
export type ProviderHealth = UpstreamHealth & { readonly configured?: boolean };

/** What a part of the service gives beside its routes, for the process that runs it. */
export interface Part {
  readonly jobs?: readonly Job[];
  readonly providers?: () => readonly ProviderHealth[];
  /** Waits for work in the background. */
  stop?(): Promise<void>;
}

/** Opens the stores of the data folder, which the server and the commands share. */
export async function openStores(
  { config, clock, log }: AppDeps,
  { verify = false, ingestMode = false }: StoreUse = {},
): Promise<Stores> {
  const sqlite = openSqlite(join(config.dataDir, "ops.sqlite"));
  const lake = await openLake({
    dir: config.dataDir,
    datasets: DATASETS,
    macros: MACROS,
    clock,
    compactAtDeltas: COMPACT_AT_DELTAS,
    verify,
    verifyDelayMs: VERIFY_DELAY_MS,
    onError: (doing, error) => log.error("the lake met a fault", { doing, error: error }),
    memoryLimit: config.lakeMemory,
    ...(config.lakeThreads > 0 ? { threads: config.lakeThreads } : {}),
    ...(ingestMode ? TAKING_IN : {}),
  });
  const vault = await openVault(join(config.dataDir, "vault"), { store: sqlite, clock });
  return { sqlite, lake, vault };
}

/** The context over open stores. */
export function contextOf(deps: AppDeps & Stores, runNow: Jobs["runNow"]): Context {
  const { config, clock, log, sqlite } = deps;
  const opened: (() => CacheStats)[] = [];
  return {
    ...deps,
    runNow,
    cacheDeps: { store: sqlite, clock, log, opened: (stats) => opened.push(stats) },
    caches: () => opened.map((stats) => stats()),
    calendar: exchangeCalendar({ extraClosures: config.extraClosures }),
    admin: adminGroup(config),
    operator: operatorGroup(config),
    isAdmin: (request) => isAdmin(config, request),
    requestIdOf: (request) => requestContextOf(request).requestId,
    requireAdmin: (request) => requireAdmin(config, request.headers, requestContextOf(request).peer),
    connect: (policy, classify, more = {}) =>
      createUpstream(policy, {
        ...more,
        clock,
        log: log.child({ upstream: policy.name }),
        gateway: config.upstreamGateway,
        classify,
      }),
  };
}
