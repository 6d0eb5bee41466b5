import { expect, setDefaultTimeout, test } from "bun:test";
import type { UpstreamHealth } from "../platform/upstream/policy.ts";
import { metrics } from "./metrics.ts";

setDefaultTimeout(1_200_000);

const HEALTH: UpstreamHealth = {
  name: "probe",
  status: "healthy",
  breaker: "closed",
  breakerOpenUntil: null,
  lastSuccessAt: null,
  lastError: null,
  lastErrorAt: null,
  lastMisread: null,
  activeRequests: 1,
  waitingRequests: 0,
  requestsTotal: 7,
  failuresTotal: 2,
};

const storage = async () => ({ lake: 5, replaced: 4, vault: 3, database: 2, other: 1 });

const lake = { arrays: { stats: async () => ({ files: 2, bytes: 60, missing: 1, misses: 3 }) } };

test("the totals that providers count are exposed as counters at each scrape", async () => {
  const { routes } = metrics({ upstreams: () => [HEALTH], activeRequests: () => 0, storage, lake });
  const scrape = async () => (await routes.handle(new Request("http://localhost/metrics"))).text();
  await scrape();
  const lines = (await scrape()).split("\n");
  expect(lines).toContain("# TYPE asof_upstream_requests_total counter");
  expect(lines).toContain('asof_upstream_requests_total{upstream="probe"} 7');
  expect(lines).toContain('asof_upstream_failures_total{upstream="probe"} 2');
  expect(lines).toContain("# TYPE asof_upstream_active gauge");
  expect(lines).toContain("asof_series_bytes 60");
  expect(lines).toContain("asof_series_misses_total 3");
});

test("the bytes of the data folder are exposed by part, and left out while they cannot be counted", async () => {
  let isReadable = true;
  const { routes } = metrics({
    upstreams: () => [],
    activeRequests: () => 0,
    lake: { arrays: null },
    storage: () => (isReadable ? storage() : Promise.reject(new Error("the folder cannot be read"))),
  });
  const bytes = async () =>
    (await (await routes.handle(new Request("http://localhost/metrics"))).text())
      .split("\n")
      .filter((line) => line.startsWith("asof_storage_bytes"));
  expect(await bytes()).toEqual([
    'asof_storage_bytes{part="lake"} 5',
    'asof_storage_bytes{part="replaced"} 4',
    'asof_storage_bytes{part="vault"} 3',
    'asof_storage_bytes{part="database"} 2',
    'asof_storage_bytes{part="other"} 1',
  ]);
  isReadable = false;
  expect(await bytes()).toEqual([]);
});

test("the figures of the process are its own, and none is of the engine's heap", async () => {
  const { routes } = metrics({ upstreams: () => [], activeRequests: () => 0, storage, lake });
  const text = await (await routes.handle(new Request("http://localhost/metrics"))).text();
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
  const { user, system } = process.cpuUsage();
  expect(value("process_cpu_seconds_total")).toBeGreaterThan(0);
  expect(value("process_cpu_seconds_total")).toBeLessThanOrEqual((user + system) / 1e6);
  expect(value("process_start_time_seconds")).toBeCloseTo(Date.now() / 1000 - process.uptime(), -1);
  expect(value("process_resident_memory_bytes")).toBeGreaterThan(10_000_000);
  // Reading that of the engine's heap stops the process, for 0.2 s at 400 MB.
  expect(text).not.toContain("nodejs_");
});
