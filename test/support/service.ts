// The whole service in this process, on the sample market or another upstream, with a data folder and a clock
// of its own.
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SampleServer, serveSample } from "../../sample/serve.ts";
import { type App, openApp } from "../../src/app.ts";
import { readConfig } from "../../src/config.ts";
import { type CapturedLog, captureLog } from "./capture-log.ts";
import { type MovableClock, movableClock } from "./clock.ts";

/** A Wednesday, an hour after the close: the day's bar is not settled. */
export const EVENING = "2026-09-09T21:00:00Z";

export interface TestService {
  /** The app as it is open now (`reopen` makes a new one). */
  app(): App;
  readonly clock: MovableClock;
  readonly log: CapturedLog;
  readonly dataDir: string;
  /** Sends a request through the edge. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** GET with a JSON answer. */
  get<T = Record<string, unknown>>(
    path: string,
    init?: RequestInit,
  ): Promise<{ status: number; headers: Headers; body: T }>;
  /** POST of JSON with a JSON answer. */
  post<T = Record<string, unknown>>(
    path: string,
    body: unknown,
  ): Promise<{ status: number; headers: Headers; body: T }>;
  /** Closes the service and opens it again over the same folder; `at` another moment where that is said. */
  reopen(at?: string): Promise<void>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  readonly upstream: string;
  readonly clock?: MovableClock;
  readonly env?: Record<string, string>;
  readonly dataDir?: string;
  /** A data folder that nothing writes to: its copy is what the service begins with. */
  readonly from?: string;
  /** Whether catalogue and Delta logs follow the commits; without it `lake.publish` alone writes them. */
  readonly publishes?: boolean;
}

/** Opens the service against an upstream. */
export async function openService(options: ServiceOptions): Promise<TestService> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "asof-test-")));
  if (options.from) await cp(options.from, dataDir, { recursive: true });
  const clock = options.clock ?? movableClock(EVENING);
  const log = captureLog();
  const { publishes = false } = options;
  const config = readConfig({
    DATA_DIR: dataDir,
    UPSTREAM_GATEWAY: options.upstream,
    JOBS: "off",
    ...options.env,
  });
  let app = await openApp({ config, clock, log }, { publishes });
  const call = (path: string, init?: RequestInit) =>
    app.edge.fetch(new Request(`http://localhost${path}`, init), "127.0.0.1");
  const json = async <T>(path: string, init?: RequestInit) => {
    const response = await call(path, init);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: (text ? JSON.parse(text) : null) as T,
    };
  };
  return {
    app: () => app,
    clock,
    log,
    dataDir,
    fetch: call,
    get: json,
    post: (path, body) =>
      json(path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    async reopen(at) {
      await app.close();
      if (at !== undefined) clock.set(at);
      app = await openApp({ config, clock, log }, { publishes });
    },
    async stop() {
      await app.close();
      if (!options.dataDir) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export interface SampleService extends TestService {
  readonly sample: SampleServer;
}

/**
 * Opens the service on a sample market that shares its clock; `speed` is the clock's, slower where the sample
 * has much to work out.
 */
export async function openSampleService(
  options: {
    at?: string;
    env?: Record<string, string>;
    symbols?: number;
    years?: number;
    speed?: number;
    /** See movableClock. */
    paceMsMax?: number;
    /** In place of `at` and `speed`. */
    clock?: MovableClock;
    dataDir?: string;
    from?: string;
    publishes?: boolean;
  } = {},
): Promise<SampleService> {
  const clock = options.clock ?? movableClock(options.at ?? EVENING, options.speed, options.paceMsMax);
  const sample = await serveSample({
    clock,
    ...(options.symbols ? { symbols: options.symbols } : {}),
    ...(options.years ? { years: options.years } : {}),
  });
  const { env, dataDir, from, publishes } = options;
  const service = await openService({
    upstream: sample.url,
    clock,
    ...(env ? { env } : {}),
    ...(dataDir ? { dataDir } : {}),
    ...(from ? { from } : {}),
    ...(publishes ? { publishes } : {}),
  });
  return {
    ...service,
    sample,
    async stop() {
      await service.stop();
      await sample.stop();
    },
  };
}
