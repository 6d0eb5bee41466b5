// The process stops while another process keeps the operational database locked, and waits for it so briefly
// that no supervisor kills it.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import { join } from "node:path";
import { type SampleServer, serveSample } from "../../sample/serve.ts";
import { startProcess } from "../support/process.ts";
import { openService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

/** Some ten statements wait at a stop, and a container's supervisor kills after 10 s. */
const WAIT_MS_MAX = 250;

let sample: SampleServer;
beforeAll(async () => {
  sample = await serveSample();
});
afterAll(() => sample.stop());

/** Keeps a database locked. */
function lockOf(dataDir: string): Disposable {
  const other = new Database(join(dataDir, "ops.sqlite"));
  // The service may be writing.
  other.run("PRAGMA busy_timeout = 1200000");
  other.run("BEGIN IMMEDIATE");
  return {
    [Symbol.dispose]() {
      other.run("ROLLBACK");
      other.close();
    },
  };
}

test("SIGTERM with a locked database ends the process in order", async () => {
  const service = await startProcess({ UPSTREAM_GATEWAY: sample.url, JOBS: "off" });
  try {
    expect((await fetch(`${service.url}/api/v1/health`)).status).toBe(200);
    using _locked = lockOf(service.dataDir);
    // Rows of the request and the error log wait to be written at the stop.
    await fetch(`${service.url}/api/v1/price/latest/NOSUCH`);
    await fetch(`${service.url}/api/v1/scheduler/jobs`);
    service.kill("SIGTERM");
    expect({ code: await service.ended(), stderr: service.stderr() }).toEqual({ code: 0, stderr: "" });
  } finally {
    await service.clean();
  }
});

test("once it stops, no statement waits long for the lock", async () => {
  const service = await openService({ upstream: sample.url });
  using _locked = lockOf(service.dataDir);
  // Its row of the request log waits to be written at the stop.
  expect((await service.get("/api/v1/health")).status).toBe(200);
  const run = spyOn(Database.prototype, "run");
  service.app().beginStop();
  await service.stop();
  const waitsMs = run.mock.calls.flatMap(([sql]) => /^PRAGMA busy_timeout = (\d+)$/.exec(sql)?.[1] ?? []);
  run.mockRestore();
  expect(Number(waitsMs[0])).toBe(WAIT_MS_MAX);
  expect(waitsMs.filter((ms) => Number(ms) > WAIT_MS_MAX)).toEqual([]);
});
