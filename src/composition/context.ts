// The context from which every part of the service is composed: configuration, standing services, and
// connections to providers.
import { join } from "node:path";
import type { Config } from "../config.ts";
import { DATASETS, macrosFor } from "../datasets/index.ts";
import { exchangeCalendar } from "../market/calendar.ts";
import type { Services } from "../market/services.ts";
import type { CacheStats } from "../platform/cache/cache.ts";
import { answeringClock, type Clock } from "../platform/clock.ts";
import type { Job } from "../platform/jobs/job.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { type Lake, openLake } from "../platform/lake/lake.ts";
import { lakeRetention } from "../platform/lake/write/retention.ts";
import type { Log } from "../platform/log.ts";
import { openSqlite, type Store } from "../platform/sqlite/sqlite.ts";
import { type StorageBytes, storageBytes } from "../platform/storage-bytes.ts";
import type { Classify, Upstream, UpstreamHealth, UpstreamPolicy } from "../platform/upstream/policy.ts";
import { createUpstream, type UpstreamDeps } from "../platform/upstream/upstream.ts";
import { openVault, type Vault } from "../platform/vault.ts";
import { requireAdmin } from "../server/auth.ts";
import { adminGroup, isAdmin, operatorGroup } from "../server/guards.ts";
import { requestContextOf } from "../server/request-context.ts";

/** Number of delta files in one partition that starts a compaction in the background. */
// Seven new files of a month stay as they are; with the eighth they become one.
const COMPACT_AT_DELTAS = 8;

/** Verifying the lake occupies a core for a while, so it starts after the first answers. */
const VERIFY_DELAY_MS = 10_000;

export interface AppDeps {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
}

export interface StoreOptions {
  /** Reads every lake file once in the background. */
  readonly verify?: boolean;
  /** For a process that stores much and reads little: uses less memory and reads more slowly. */
  readonly ingestMode?: boolean;
  /** Whether catalogue and Delta logs follow the commits; default true. */
  readonly publishes?: boolean;
  /** Called for each failure of the lake's background work, which is logged besides. */
  readonly onFailure?: () => void;
}

/** Lake options of `ingestMode`; sorting spills to disk beyond the memory limit. */
const INGEST_OPTIONS = { memoryLimit: "128MB", threads: 1, lowMemory: true };

/** The stores in the data folder. */
export interface Stores {
  readonly sqlite: Store;
  readonly lake: Lake;
  readonly vault: Vault;
}

/** The context from which a part of the service is composed. */
export interface Context extends AppDeps, Services {
  /** The bytes of the data folder by part, counted every few seconds at most. */
  storage(): Promise<StorageBytes>;
  /** Statistics of every cache opened with `cacheDeps`. */
  caches(): readonly CacheStats[];
  /** Group for admin routes. */
  readonly admin: ReturnType<typeof adminGroup>;
  /** Group for routes about the service itself. */
  readonly operator: ReturnType<typeof operatorGroup>;
  isAdmin(request: Request): boolean;
  /** The id a request is answered under. */
  requestIdOf(request: Request): string;
  /**
   * Throws Forbidden unless the request comes from the admin. For single parameters; whole routes go below
   * `admin`.
   */
  requireAdmin(request: Request): void;
  connect(
    policy: UpstreamPolicy,
    classify: Classify,
    more?: Pick<UpstreamDeps, "beforeAttempt" | "breakerStore">,
  ): Upstream;
}

/** The state of a provider; `configured` is false where a required setting is missing. */
export type ProviderHealth = UpstreamHealth & { readonly configured?: boolean };

/** The jobs and providers of a part, beside its routes, for the process that runs it. */
export interface Part {
  readonly jobs?: readonly Job[];
  readonly providers?: () => readonly ProviderHealth[];
  /** Waits for work in the background. */
  stop?(): Promise<void>;
}

/** Opens the stores of the data folder. The server and the commands share this. */
export async function openStores(
  { config, clock, log }: AppDeps,
  { verify = false, ingestMode = false, publishes = true, onFailure }: StoreOptions = {},
): Promise<Stores> {
  const macros = macrosFor(exchangeCalendar({ extraClosures: config.extraClosures }));
  const sqlite = openSqlite(join(config.dataDir, "ops.sqlite"));
  const lake = await openLake({
    dir: config.dataDir,
    datasets: DATASETS,
    macros,
    clock,
    compactAtDeltas: COMPACT_AT_DELTAS,
    deltaLogs: true,
    publishes,
    verify,
    verifyDelayMs: VERIFY_DELAY_MS,
    onError: (doing, error) => {
      log.error("background work of the lake failed", { doing, error });
      onFailure?.();
    },
    retentionMs: lakeRetention(config.lakeRetentionHours, config.dataDir),
    memoryLimit: config.lakeMemory,
    arrays: config.series,
    ...(config.lakeThreads > 0 ? { threads: config.lakeThreads } : {}),
    ...(ingestMode ? INGEST_OPTIONS : {}),
  });
  const vault = await openVault(join(config.dataDir, "vault"), { store: sqlite, clock });
  return { sqlite, lake, vault };
}

/** Builds the context over open stores. */
export function contextOf(deps: AppDeps & Stores, runNow: Jobs["runNow"]): Context {
  const { config, log, sqlite } = deps;
  const clock = answeringClock(deps.clock);
  const opened: (() => CacheStats)[] = [];
  return {
    ...deps,
    clock,
    runNow,
    cacheDeps: { store: sqlite, clock, log, opened: (stats) => opened.push(stats) },
    storage: storageBytes({ dataDir: config.dataDir, lake: deps.lake, nowMs: clock.nowMs }),
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

/** The standing services of one capability; its name is added to its log lines. */
export function servicesFor(context: Context, capability: string): Services {
  const { clock, log, lake, sqlite, vault, calendar, cacheDeps, runNow } = context;
  return { clock, log: log.child({ capability }), lake, sqlite, vault, calendar, cacheDeps, runNow };
}
