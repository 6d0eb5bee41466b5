// The filings capability behind the real edge, over the sample regulator or a stand-in, with a data folder
// and a clock of its own.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Elysia } from "elysia";
import { type SampleServer, serveSample } from "../../sample/serve.ts";
import { type FilingSource, type FilingsLog, filings } from "../../src/capabilities/filings/index.ts";
import { readConfig } from "../../src/config.ts";
import { fromSec } from "../../src/market/spelling.ts";
import { canonical } from "../../src/market/ticker.ts";
import type { Clock } from "../../src/platform/clock.ts";
import { NotFound } from "../../src/platform/errors.ts";
import { openSqlite } from "../../src/platform/sqlite/sqlite.ts";
import { createUpstream } from "../../src/platform/upstream/upstream.ts";
import { openVault } from "../../src/platform/vault.ts";
import { classifyEdgar, type Edgar, edgar, edgarPolicy } from "../../src/providers/edgar/index.ts";
import { edge } from "../../src/server/edge.ts";
import { httpApp } from "../../src/server/http.ts";
import { routeTable } from "../../src/server/route-table.ts";
import { captureLog } from "./capture-log.ts";
import { movableClock } from "./clock.ts";
import { openWholeLake } from "./whole-lake.ts";

export interface FilingServiceOptions {
  /** The present moment at start; seconds pass quicker than real ones. */
  readonly at?: string;
  readonly clock?: Clock;
  /** Wraps the sample regulator for the capability. */
  readonly source?: (real: Edgar) => FilingSource;
  readonly userAgent?: string | null;
  /** CIKs by symbol, beside those of the sample's list. */
  readonly ciks?: Readonly<Record<string, string>>;
  /** Runs before a ticker is looked up; throws to fail it. */
  readonly beforeResolve?: () => void;
  /** Is left when the service stops. */
  readonly dataDir?: string;
}

type Json = { status: number; headers: Headers; body: Record<string, unknown> };

/** Opens it. `get` and `post` give the answer of a path below /api/v1/filings as JSON. */
export async function openFilingService(options: FilingServiceOptions = {}) {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "asof-filings-")));
  const clock = options.clock ?? movableClock(options.at ?? "2026-09-09T21:00:00Z");
  const sample: SampleServer = await serveSample({ clock, symbols: 100, years: 1 });
  const log: FilingsLog = captureLog();
  const sqlite = openSqlite(join(dataDir, "ops.sqlite"));
  const lake = await openWholeLake(dataDir, clock);
  const vault = await openVault(join(dataDir, "vault"), { store: sqlite, clock });
  const upstream = createUpstream(edgarPolicy, {
    clock,
    log: captureLog(),
    gateway: sample.url,
    classify: classifyEdgar,
  });
  const { userAgent = "Asof tests tests@example.com" } = options;
  const real = edgar({ upstream, vault, clock, userAgent });
  const resolve = async (ticker: string, _at: Temporal.Instant | null, signal?: AbortSignal) => {
    options.beforeResolve?.();
    const symbol = canonical(ticker);
    const given = options.ciks?.[symbol];
    if (given) return { cik: given, warnings: [] };
    const row = (await real.tickers(signal)).find((one) => fromSec(one.ticker) === symbol);
    if (row) return { cik: row.cik, warnings: [] };
    throw new NotFound("unknown_ticker", `The SEC lists no company under the ticker ${ticker}.`, { ticker });
  };
  const capability = filings({
    source: options.source?.(real) ?? real,
    resolve,
    lake,
    sqlite,
    clock,
    log,
  });
  const { app, seal } = httpApp({ nowMs: clock.nowMs });
  const composed = app.use(new Elysia({ prefix: "/api/v1" }).use(capability.routes));
  seal(composed);
  const unforeseen: unknown[] = [];
  const running = edge({
    config: readConfig({ DATA_DIR: dataDir }),
    clock,
    table: routeTable(composed),
    handle: (request) => composed.handle(request),
    record: () => {},
    unforeseen: (error) => unforeseen.push(error),
  });
  const call = async (path: string, init?: RequestInit): Promise<Json> => {
    const request = new Request(`http://localhost/api/v1/filings${path}`, init);
    const response = await running.fetch(request, "127.0.0.1");
    const body = (await response.json()) as Record<string, unknown>;
    return { status: response.status, headers: response.headers, body };
  };
  return {
    sample,
    clock,
    sqlite,
    lake,
    capability,
    unforeseen,
    composed,
    get: (path: string) => call(path),
    post: (path: string, body?: unknown) =>
      call(path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    async stop() {
      await capability.stop();
      await lake.close();
      sqlite.close();
      await sample.stop();
      if (!options.dataDir) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export type FilingService = Awaited<ReturnType<typeof openFilingService>>;
