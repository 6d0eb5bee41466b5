// The process stops in time while another process keeps the operational database locked.
import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { type SampleServer, serveSample } from "../../sample/serve.ts";
import { startProcess } from "../support/process.ts";

setDefaultTimeout(1_200_000);

/** How long a container's supervisor waits before it kills. */
const SUPERVISOR_MS = 10_000;

let sample: SampleServer;
beforeAll(async () => {
  sample = await serveSample();
});
afterAll(() => sample.stop());

test("SIGTERM with a locked database ends the process before a supervisor kills it", async () => {
  const service = await startProcess({ UPSTREAM_GATEWAY: sample.url, JOBS: "off" });
  try {
    expect((await fetch(`${service.url}/api/v1/health`)).status).toBe(200);
    const other = new Database(join(service.dataDir, "ops.sqlite"));
    other.run("BEGIN IMMEDIATE");
    // Rows of the request and the error log wait to be written at the stop.
    await fetch(`${service.url}/api/v1/price/latest/NOSUCH`);
    await fetch(`${service.url}/api/v1/scheduler/jobs`);
    service.kill("SIGTERM");
    const supervisor = setTimeout(() => service.kill("SIGKILL"), SUPERVISOR_MS);
    const code = await service.ended();
    clearTimeout(supervisor);
    other.run("ROLLBACK");
    other.close();
    expect({ code, stderr: service.stderr() }).toEqual({ code: 0, stderr: "" });
  } finally {
    await service.clean();
  }
});
