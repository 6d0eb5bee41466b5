// Prometheus metrics about requests and providers.

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { Counter, Gauge, Registry } from "prom-client";
import type { Lake } from "../platform/lake/lake.ts";
import { documented } from "../platform/route-doc.ts";
import type { StorageBytes } from "../platform/storage-bytes.ts";
import type { UpstreamHealth } from "../platform/upstream/policy.ts";
import type { RequestRecord } from "./edge.ts";
import { processMetrics } from "./process-metrics.ts";
import { requestSeconds } from "./request-seconds.ts";

const BREAKER: Record<UpstreamHealth["breaker"], number> = { closed: 0, half_open: 1, open: 2 };

export interface MetricsDeps {
  upstreams(): readonly UpstreamHealth[];
  activeRequests(): number;
  /** The bytes of the data folder by part. */
  storage(): Promise<StorageBytes>;
  readonly lake: { readonly arrays: Pick<NonNullable<Lake["arrays"]>, "stats"> | null };
}

/** Metrics of the arrays of the lake's files; none where they are off. */
function seriesMetrics(registers: Registry[], { arrays }: MetricsDeps["lake"]): void {
  if (arrays === null) return;
  new Gauge({
    name: "asof_series_bytes",
    help: "Bytes of the arrays of the lake's files.",
    registers,
    async collect() {
      this.set((await arrays.stats()).bytes);
    },
  });
  new Counter({
    name: "asof_series_misses_total",
    help: "Reads for which some file had no arrays: the engine answered.",
    registers,
    async collect() {
      this.reset();
      this.inc((await arrays.stats()).misses);
    },
  });
}

/** Makes the metrics with their own registry, so that two servers in one process (tests) do not interfere. */
export function metrics(deps: MetricsDeps) {
  const registry = new Registry();
  const registers = [registry];
  processMetrics(registers);
  /**
   * Requests since the last scrape. Updating the counter's labels per request would cost more than all else
   * here.
   */
  const answered = new Map<string, { method: string; status: number; n: number }[]>();
  new Counter({
    name: "asof_http_requests_total",
    help: "Requests answered.",
    labelNames: ["route", "method", "status"],
    registers,
    collect() {
      for (const [route, counts] of answered)
        for (const { method, status, n } of counts) this.inc({ route, method, status }, n);
      answered.clear();
    },
  });
  const seconds = requestSeconds();
  registry.registerMetric(seconds.metric);
  new Gauge({
    name: "asof_http_requests_active",
    help: "Requests under way.",
    registers,
    collect() {
      this.set(deps.activeRequests());
    },
  });
  new Gauge({
    name: "asof_storage_bytes",
    help: "Bytes in the data folder: lake (served files), replaced (files kept for older readers), vault, database (with logs), other.",
    labelNames: ["part"],
    registers,
    async collect() {
      // A folder that cannot be read leaves the figures out, as unknown; the other metrics are answered.
      this.reset();
      const parts = await deps.storage().catch(() => ({}));
      for (const [part, bytes] of Object.entries(parts)) this.set({ part }, bytes);
    },
  });
  seriesMetrics(registers, deps.lake);
  /** Providers count their own requests; each scrape copies their totals. */
  const countedByUpstream = (name: string, help: string, read: (health: UpstreamHealth) => number) =>
    new Counter({
      name,
      help,
      labelNames: ["upstream"],
      registers,
      collect() {
        this.reset();
        for (const health of deps.upstreams()) this.inc({ upstream: health.name }, read(health));
      },
    });
  const perUpstream = (name: string, help: string, read: (health: UpstreamHealth) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["upstream"],
      registers,
      collect() {
        for (const health of deps.upstreams()) this.set({ upstream: health.name }, read(health));
      },
    });
  countedByUpstream("asof_upstream_requests_total", "Requests sent to a provider.", (h) => h.requestsTotal);
  countedByUpstream(
    "asof_upstream_failures_total",
    "Requests to a provider that failed.",
    (h) => h.failuresTotal,
  );
  perUpstream("asof_upstream_active", "Requests to a provider under way.", (h) => h.activeRequests);
  perUpstream(
    "asof_upstream_waiting",
    "Requests waiting for a provider's slot or pace.",
    (h) => h.waitingRequests,
  );
  perUpstream("asof_upstream_breaker", "0 closed, 1 half open, 2 open.", (h) => BREAKER[h.breaker]);

  const scrape = async () =>
    new Response(await registry.metrics(), { headers: { "content-type": registry.contentType } });
  const detail = documented({
    tag: "health",
    summary: "Prometheus metrics",
    description: "Requests by route, provider health, process figures. Also served at /metrics.",
    answer: Type.String(),
    answerDescription: "Text exposition format.",
    contentType: "text/plain",
    outsideConcurrencyLimit: true,
  });
  return {
    routes: new Elysia({ name: "metrics" })
      .get("/metrics", scrape, { detail: { ...detail, hide: true } })
      .get("/api/v1/metrics", scrape, { detail }),
    record({ route, method, status, durationMs }: RequestRecord) {
      const counts = answered.get(route) ?? [];
      if (counts.length === 0) answered.set(route, counts);
      const known = counts.find((one) => one.status === status && one.method === method);
      if (known) known.n += 1;
      else counts.push({ method, status, n: 1 });
      seconds.observe(route, durationMs / 1000);
    },
  };
}
