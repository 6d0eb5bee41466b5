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

test("the totals that providers count are exposed as counters at each scrape", async () => {
  const { routes } = metrics({ upstreams: () => [HEALTH], activeRequests: () => 0, storage });
  const scrape = async () => (await routes.handle(new Request("http://localhost/metrics"))).text();
  await scrape();
  const lines = (await scrape()).split("\n");
  expect(lines).toContain("# TYPE asof_upstream_requests_total counter");
  expect(lines).toContain('asof_upstream_requests_total{upstream="probe"} 7');
  expect(lines).toContain('asof_upstream_failures_total{upstream="probe"} 2');
  expect(lines).toContain("# TYPE asof_upstream_active gauge");
});

test("the bytes of the data folder are exposed by part, and left out while they cannot be counted", async () => {
  let isReadable = true;
  const { routes } = metrics({
    upstreams: () => [],
    activeRequests: () => 0,
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
