import { expect, test } from "bun:test";
import type { UpstreamHealth } from "../platform/upstream/policy.ts";
import { metrics } from "./metrics.ts";

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

test("the totals that providers count are exposed as counters at each scrape", async () => {
  const { routes } = metrics({ upstreams: () => [HEALTH], activeRequests: () => 0 });
  const scrape = async () => (await routes.handle(new Request("http://localhost/metrics"))).text();
  await scrape();
  const lines = (await scrape()).split("\n");
  expect(lines).toContain("# TYPE asof_upstream_requests_total counter");
  expect(lines).toContain('asof_upstream_requests_total{upstream="probe"} 7');
  expect(lines).toContain('asof_upstream_failures_total{upstream="probe"} 2');
  expect(lines).toContain("# TYPE asof_upstream_active gauge");
});
