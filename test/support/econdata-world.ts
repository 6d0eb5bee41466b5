// The economic-data proxy with a provider that answers by a function, a fixed clock and its own database.

import { econMeter } from "../../src/capabilities/econdata/index.ts";
import { econProxy } from "../../src/capabilities/econdata/proxy.ts";
import type { ProxyQuery } from "../../src/capabilities/econdata/schema.ts";
import { observationStore } from "../../src/capabilities/econdata/store.ts";
import { econUsage } from "../../src/capabilities/econdata/usage.ts";
import { AsofError, InvalidFields } from "../../src/platform/errors.ts";
import type { Lake } from "../../src/platform/lake/lake.ts";
import { openSqlite } from "../../src/platform/sqlite/sqlite.ts";
import { createUpstream } from "../../src/platform/upstream/upstream.ts";
import { classifyFred, FRED_ENDPOINTS, fred, fredPolicy } from "../../src/providers/fred/index.ts";
import { captureLog } from "./capture-log.ts";
import { type FakeClock, fakeClock } from "./fake-clock.ts";
import { openWholeLake } from "./whole-lake.ts";

export const ECON_KEY = "0123456789abcdef0123456789abcdef";

/** The provider's answer; objects are sent as JSON. */
export interface EconReply {
  readonly status?: number;
  readonly body?: string | object;
}

export interface EconProvider {
  readonly url: string;
  /** `path?query` of each request, without the key. */
  readonly asked: string[];
  /** Sets the answers from now on; null: empty lists. */
  answer(by: ((url: URL) => EconReply) | null): void;
  stop(): Promise<void>;
}

/** A server behind the gateway that acts as the provider. */
export function openEconProvider(): EconProvider {
  const asked: string[] = [];
  let answer: ((url: URL) => EconReply) | null = null;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const url = new URL(request.url);
      url.searchParams.delete("api_key");
      url.searchParams.delete("file_type");
      asked.push(`${url.pathname.replace("/api.stlouisfed.org/fred/", "")}${url.search}`);
      const { status = 200, body = { categories: [], sources: [] } } = answer?.(url) ?? {};
      const text = typeof body === "string" ? body : JSON.stringify(body);
      return new Response(text, { status, headers: { "content-type": "application/json" } });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    asked,
    answer: (by) => {
      answer = by;
    },
    stop: () => server.stop(true),
  };
}

/** An answer as the client sees it: an error code, or its source. */
export interface EconOutcome {
  readonly said: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly fault: AsofError | null;
  /** X-Cache and X-Stale stand for this. */
  readonly cache: "HIT" | "MISS" | "STALE" | null;
}

export interface EconOptions {
  readonly provider: EconProvider;
  readonly database: string;
  readonly clock: FakeClock;
  readonly lake?: Lake;
  readonly apiKey?: string | null;
}

/** The proxy of one process. Attempts are not paced, because the clock is fixed. */
export function openEcon({ provider, database, clock, lake, apiKey = ECON_KEY }: EconOptions) {
  const sqlite = openSqlite(database);
  const log = captureLog();
  const meter = econMeter({ store: sqlite, clock });
  const upstream = createUpstream(
    { ...fredPolicy, spacingMsMin: 0 },
    {
      clock,
      log,
      gateway: provider.url,
      classify: classifyFred,
      random: () => 0,
      beforeAttempt: meter.beforeAttempt,
    },
  );
  const source = fred({ upstream, apiKey, answered: meter.answered });
  const noLake = { query: () => Promise.reject(new Error("no lake")) } as unknown as Lake;
  const store = observationStore({ lake: lake ?? noLake, sqlite });
  const cacheDeps = { store: sqlite, clock, log };
  const proxy = econProxy({ source, meter, store, clock, log, cacheDeps });
  const usage = econUsage({
    meter,
    sqlite,
    configured: apiKey !== null,
    flushLogs: () => undefined,
    endpoints: FRED_ENDPOINTS.map(({ name }) => name),
  });
  return {
    log,
    meter,
    usage,
    async get(path: string, query: ProxyQuery = {}): Promise<EconOutcome> {
      const caller = {
        signal: new AbortController().signal,
        requestId: "test",
        requireAdmin: () => undefined,
      };
      try {
        const answer = await proxy.get(path, query, caller);
        const body = await answer.body();
        return { said: body._metadata.source, body, fault: null, cache: answer.facts.cache?.state ?? null };
      } catch (error) {
        if (error instanceof InvalidFields) return { said: "422", body: {}, fault: null, cache: null };
        if (!(error instanceof AsofError)) throw error;
        return { said: error.code, body: {}, fault: error, cache: null };
      }
    },
    close: () => sqlite.close(),
  };
}

export type Econ = ReturnType<typeof openEcon>;

/** A lake in a folder, with the clock. */
export const openEconLake = (dir: string, clock = fakeClock("2026-09-09T21:00:00Z")): Promise<Lake> =>
  openWholeLake(dir, clock);
