// Economic time series: a proxy with a daily quota, a cache, and observations that are kept for good. Its face.

import type { CacheDeps } from "../../platform/cache/cache.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import type { EconMeter } from "./meter.ts";
import { econProxy } from "./proxy.ts";
import { econRoutes } from "./routes.ts";
import type { EconLog, EconSource } from "./sources.ts";
import { observationStore } from "./store.ts";
import { econUsage } from "./usage.ts";

export { type EconMeter, econMeter } from "./meter.ts";

export interface EcondataNeeds {
  readonly source: EconSource;
  /** Made by econMeter; the provider's upstream counts each attempt with it. */
  readonly meter: EconMeter;
  readonly configured: boolean;
  readonly lake: Lake;
  readonly sqlite: Store;
  readonly clock: Clock;
  readonly log: EconLog;
  readonly cacheDeps: CacheDeps;
  requestIdOf(request: Request): string;
  /** Throws Forbidden unless the request comes from the admin. */
  requireAdmin(request: Request): void;
  /** Writes the rows of the request log that are held in memory. */
  flushLogs(): void;
}

/** Composes the capability. */
export function econdata(needs: EcondataNeeds) {
  const { source, meter, configured, lake, sqlite, clock, log, cacheDeps } = needs;
  const endpoints = source.endpoints.map(({ name }) => name);
  const store = observationStore({ lake, sqlite });
  const proxy = econProxy({ source, meter, store, clock, log, cacheDeps });
  const usage = econUsage({ meter, sqlite, configured, endpoints, flushLogs: needs.flushLogs });
  return {
    routes: econRoutes({ proxy: proxy.get, usage }, endpoints, (request) => ({
      signal: request.signal,
      requestId: needs.requestIdOf(request),
      requireAdmin: () => needs.requireAdmin(request),
    })),
  };
}
