// The economic-data capability: a proxy with a daily quota, a cache, and permanently stored observations.
import type { Services } from "../../market/services.ts";
import type { Log } from "../../platform/log.ts";
import type { EconMeter } from "./meter.ts";
import { econProxy } from "./proxy.ts";
import { econRoutes } from "./routes.ts";
import type { EconSource } from "./sources.ts";
import { observationStore } from "./store.ts";
import { econUsage } from "./usage.ts";

export { type EconMeter, econMeter } from "./meter.ts";

export interface EcondataDeps extends Pick<Services, "lake" | "sqlite" | "clock" | "cacheDeps"> {
  readonly source: EconSource;
  /** Created by econMeter; the provider's upstream counts each attempt with it. */
  readonly meter: EconMeter;
  readonly configured: boolean;
  readonly log: Pick<Log, "warn">;
  requestIdOf(request: Request): string;
  /** Throws Forbidden unless the request comes from the admin. */
  requireAdmin(request: Request): void;
  /** Writes the rows of the request log that are buffered in memory. */
  flushLogs(): void;
}

/** Builds the capability: its routes. */
export function econdata(deps: EcondataDeps) {
  const { source, meter, configured, lake, sqlite, clock, log, cacheDeps } = deps;
  const endpoints = source.endpoints.map(({ name }) => name);
  const store = observationStore({ lake, sqlite });
  const proxy = econProxy({ source, meter, store, clock, log, cacheDeps });
  const usage = econUsage({ meter, sqlite, configured, endpoints, flushLogs: deps.flushLogs });
  return {
    routes: econRoutes({ proxy: proxy.get, usage }, endpoints, (request) => ({
      signal: request.signal,
      requestId: deps.requestIdOf(request),
      requireAdmin: () => deps.requireAdmin(request),
    })),
  };
}
