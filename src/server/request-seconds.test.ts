// The text of the histogram in a scrape.
import { expect, test } from "bun:test";
import { Registry } from "prom-client";
import { requestSeconds } from "./request-seconds.ts";

test("buckets are cumulative, also above the last bound; a scrape does not reset them", async () => {
  const seconds = requestSeconds();
  const registry = new Registry();
  registry.registerMetric(seconds.metric);
  for (const s of [0.0005, 0.001, 0.3, 61]) seconds.observe("/a/:b", s);
  seconds.observe("/c", 0.02);
  for (const _scrape of [1, 2]) {
    const lines = (await registry.metrics()).split("\n");
    expect(lines).toContain("# TYPE asof_http_request_seconds histogram");
    expect(lines).toContain('asof_http_request_seconds_bucket{le="0.001",route="/a/:b"} 2');
    expect(lines).toContain('asof_http_request_seconds_bucket{le="0.1",route="/a/:b"} 2');
    expect(lines).toContain('asof_http_request_seconds_bucket{le="0.5",route="/a/:b"} 3');
    expect(lines).toContain('asof_http_request_seconds_bucket{le="60",route="/a/:b"} 3');
    expect(lines).toContain('asof_http_request_seconds_bucket{le="+Inf",route="/a/:b"} 4');
    expect(lines).toContain('asof_http_request_seconds_count{route="/a/:b"} 4');
    expect(lines).toContain('asof_http_request_seconds_sum{route="/a/:b"} 61.3015');
    expect(lines).toContain('asof_http_request_seconds_bucket{le="0.005",route="/c"} 0');
    expect(lines).toContain('asof_http_request_seconds_bucket{le="0.02",route="/c"} 1');
  }
});
