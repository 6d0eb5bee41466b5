// The real process: it prints when it is ready, finishes running requests on a signal, refuses a bad
// configuration and keeps secrets.
import { Database } from "bun:sqlite";
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SampleServer, serveSample } from "../../sample/serve.ts";
import { failedStart, type ServiceProcess, startProcess } from "../support/process.ts";

setDefaultTimeout(1_200_000);

let sample: SampleServer;
let running: ServiceProcess[] = [];
beforeAll(async () => {
  sample = await serveSample();
});
afterEach(async () => {
  sample.dials.clear();
  for (const one of running) await one.clean();
  running = [];
});
afterAll(() => sample.stop());

async function start(env: Record<string, string> = {}): Promise<ServiceProcess> {
  const service = await startProcess({ UPSTREAM_GATEWAY: sample.url, LOG_LEVEL: "debug", ...env });
  running.push(service);
  return service;
}

/** Every request row of a stopped service, and whether its database is whole. */
function requestLog(dataDir: string) {
  const database = new Database(join(dataDir, "ops.sqlite"), { readonly: true });
  const whole = database
    .query<{ integrity_check: string }, []>("PRAGMA integrity_check")
    .get()?.integrity_check;
  const rows = database
    .query<{ path: string; status_code: number; query: string }, []>("SELECT * FROM request_log")
    .all();
  database.close();
  return { whole, rows };
}

/** Waits until something is so; `what` is for the reader. */
async function until(_what: string, isSo: () => boolean): Promise<void> {
  while (!isSo()) await Bun.sleep(10);
}

/** A connection that is kept after one answer, as browsers and pools keep theirs. */
async function idleConnection(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answer = "";
  socket.on("data", (data) => {
    answer += data.toString("latin1");
  });
  socket.on("error", () => {});
  socket.write(`GET /api/v1/health/live HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
  await until("the connection has its answer", () => answer.includes("alive"));
  return socket;
}

describe("start and stop", () => {
  test("it says where it is ready, once it answers, and everything else it says is JSON", async () => {
    const service = await start();
    expect(new URL(service.url).hostname).toBe("127.0.0.1");
    const ready = await fetch(`${service.url}/api/v1/health/ready`);
    expect([ready.status, await ready.json()]).toEqual([200, { status: "ready" }]);
    const lines = service.stdout().trimEnd().split("\n");
    expect(lines.filter((l) => l.startsWith("Asof is ready at "))).toEqual([
      `Asof is ready at ${service.url}`,
    ]);
    const others = lines.filter((l) => !l.startsWith("Asof is ready")).map((line) => JSON.parse(line));
    for (const line of others) expect(line).toHaveProperty("msg");
    // Without keys three lines say what works now, and what each variable adds.
    const steps = others.slice(1, 4).map(({ msg }) => msg as string);
    expect(steps.map((step) => /work now|adds/.exec(step)?.[0])).toEqual(["work now", "adds", "adds"]);
    const prices = await fetch(`${service.url}/api/v1/price/data/ZORP?period=1m`);
    expect([prices.status, (await prices.json()).count > 15]).toEqual([200, true]);
    service.kill("SIGINT");
    expect(await service.ended()).toBe(0);
    expect(service.stderr()).toBe("");
  });

  test("a huge body is refused in our own words, announced or streamed without end", async () => {
    const service = await start();
    const megabyte = new Uint8Array(1_000_000);
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        // Ends some day, so that a server that reads it all fails this test instead of hanging it.
        if (++sent > 300) controller.close();
        else controller.enqueue(megabyte);
      },
    });
    for (const body of [new Uint8Array(3_000_000), endless]) {
      const response = await fetch(`${service.url}/api/v1/price/data`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      expect([response.status, response.headers.get("content-type")]).toEqual([
        413,
        "application/problem+json",
      ]);
      const problem = await response.json();
      expect(problem.code).toBe("payload_too_large");
      expect(problem.request_id).toBe(response.headers.get("x-request-id"));
    }
    expect(sent).toBeLessThan(300);
    expect((await fetch(`${service.url}/api/v1/health`)).status).toBe(200);
  });

  test("SIGTERM: a running request still gets its answer, the stores are closed, the exit code is 0", async () => {
    const service = await start();
    const idle = await idleConnection(service.url);
    sample.dials.set([{ fault: "latency", match: "chart/KRONK", afterMs: 1_500 }]);
    sample.resetTraffic();
    const slow = fetch(`${service.url}/api/v1/price/data/KRONK?period=1m`);
    await until("the provider is asked", () => sample.traffic().active === 1);
    service.kill("SIGTERM");
    await until("it says that it stops", () => service.stdout().includes('"stopping"'));
    const late = await fetch(`${service.url}/api/v1/price/data/ZORP?period=1m`).then(
      (r) => r.status,
      () => "refused",
    );
    expect(["refused", 503]).toContain(late);
    const answer = await slow;
    expect([answer.status, (await answer.json()).count > 15]).toEqual([200, true]);
    expect(await service.ended()).toBe(0);
    idle.destroy();
    expect(service.stdout()).toContain('"stopped"');
    const { whole, rows } = requestLog(service.dataDir);
    expect(whole).toBe("ok");
    expect(rows.map((r) => [r.path, r.status_code])).toContainEqual(["/api/v1/price/data/KRONK", 200]);
    const names = readdirSync(service.dataDir, { recursive: true }).map(String);
    expect(names.filter((n) => /-wal$/.test(n) && Bun.file(join(service.dataDir, n)).size > 0)).toEqual([]);
    expect(names.filter((n) => /_staging\/.+\.(parquet|draft|tmp)/.test(n))).toEqual([]);
    expect(existsSync(join(service.dataDir, "catalog.duckdb"))).toBe(true);
    // The answer is stored: a new process serves it without asking.
    sample.dials.clear();
    const next = await start({ DATA_DIR: service.dataDir });
    sample.resetTraffic();
    const again = await fetch(
      `${next.url}/api/v1/price/data/KRONK?start_date=2026-08-03&end_date=2026-08-03`,
    );
    expect([200, 404]).toContain(again.status);
  });

  test("`bun run start` passes SIGTERM on, also where the shell is a plain one that stays beside its command", async () => {
    const bin = await mkdtemp(join(tmpdir(), "asof-bin-"));
    for (const [name, path] of [
      ["bun", process.execPath],
      ["sh", "/bin/sh"],
    ] as const)
      await symlink(path, join(bin, name));
    const service = await startProcess({ UPSTREAM_GATEWAY: sample.url, PATH: bin }, "run", "start");
    running.push(service);
    service.kill("SIGTERM");
    expect(await service.ended()).toBe(0);
    await expect(fetch(`${service.url}/api/v1/health/live`)).rejects.toThrow();
    await rm(bin, { recursive: true });
  });

  test("a second SIGTERM ends it at once, whatever runs", async () => {
    const service = await start();
    sample.dials.set([{ fault: "latency", match: "chart", afterMs: 60_000 }]);
    sample.resetTraffic();
    const slow = fetch(`${service.url}/api/v1/price/data/ZUBB?period=1m`).catch(() => "cut");
    await until("the provider is asked", () => sample.traffic().active === 1);
    service.kill("SIGTERM");
    await until("it says that it stops", () => service.stdout().includes('"stopping"'));
    // One Ctrl-C may arrive as several signals within a moment; they count as one.
    service.kill("SIGTERM");
    await Bun.sleep(1_500);
    service.kill("SIGTERM");
    expect(await service.ended()).toBe(1);
    expect(await slow).toBe("cut");
    expect(service.stdout()).not.toContain('"stopped"');
    expect(requestLog(service.dataDir).whole).toBe("ok");
  });
});

describe("a start that cannot be", () => {
  const wrong: readonly (readonly [variable: string, env: Record<string, string>])[] = [
    ["PORT", { PORT: "eighty" }],
    ["PORT", { PORT: "65536" }],
    ["HOST", { HOST: "not a host" }],
    ["LOG_LEVEL", { LOG_LEVEL: "loud" }],
    ["UPSTREAM_GATEWAY", { UPSTREAM_GATEWAY: "ftp://somewhere" }],
    ["JOBS", { JOBS: "maybe" }],
    ["EXTRA_CLOSURES", { EXTRA_CLOSURES: "2026-02-30" }],
    ["LAKE_MEMORY", { LAKE_MEMORY: "lots" }],
    ["LAKE_THREADS", { LAKE_THREADS: "-1" }],
    ["TRUST_PROXY", { TRUST_PROXY: "2" }],
    ["API_KEYS", { HOST: "0.0.0.0" }],
    ["API_KEYS", { HOST: "::", ADMIN_TOKEN: "set", API_KEYS: " , " }],
    ["DATA_DIR", { DATA_DIR: "/dev/null/data" }],
  ];
  for (const [variable, env] of wrong)
    test(`${JSON.stringify(env)} ends with 1 and one line that names ${variable}`, async () => {
      const { code, stdout, stderr } = await failedStart(env);
      expect(code).toBe(1);
      const lines = stderr.trimEnd().split("\n");
      expect(lines).toHaveLength(1);
      expect(lines[0]).toStartWith("Asof cannot start: ");
      expect(lines[0]).toContain(variable);
      expect(stdout).not.toContain("Asof is ready");
    });

  test("a port that is taken ends with 1 and one line that names PORT", async () => {
    const { code, stderr } = await failedStart({ PORT: String(sample.port) });
    expect([code, stderr.trimEnd().split("\n").length]).toEqual([1, 1]);
    expect(stderr).toContain("PORT");
    expect(stderr).toContain(String(sample.port));
  });

  test("starts beyond loopback with keys or with ALLOW_ANONYMOUS", async () => {
    for (const env of [{ API_KEYS: "some-key" }, { ALLOW_ANONYMOUS: "true" }]) {
      const service = await start({ HOST: "0.0.0.0", ...env });
      const { port } = new URL(service.url);
      expect((await fetch(`http://127.0.0.1:${port}/api/v1/health`)).status).toBe(200);
    }
  });
});

describe("secrets", () => {
  test("keys, tokens and keys in queries are in no line, no row and no answer", async () => {
    const CANARY = "canary7f3a9c";
    const service = await start({ API_KEYS: `${CANARY}-key`, ADMIN_TOKEN: `${CANARY}-admin` });
    const key = { "x-api-key": `${CANARY}-key` };
    const bodies: string[] = [];
    const asked: [string, RequestInit][] = [
      [`/api/v1/price/data/ZORP?period=1m&api_key=${CANARY}-query`, { headers: key }],
      [`/api/v1/price/data/ZORP?period=9y&apikey=${CANARY}-query&token=${CANARY}-query`, { headers: key }],
      [
        `/api/v1/price/latest/NOSUCH?access_token=${CANARY}-query&API%5FKEY=${CANARY}-query`,
        { headers: key },
      ],
      [
        `/api/v1/price/quote/ZORP?crumb=${CANARY}-query`,
        { headers: { authorization: `Bearer ${CANARY}-key` } },
      ],
      [`/api/v1/health?api_key=${CANARY}-query`, {}],
      [`/nope?api_key=${CANARY}-query`, { headers: key }],
      ["/api/v1/price/latest/ZORP", { headers: { "x-api-key": `${CANARY}-wrong` } }],
      ["/api/v1/price/latest/ZORP", { headers: { authorization: `Bearer ${CANARY}-wrong` } }],
      ["/api/v1/price/latest/ZORP", { headers: { ...key, cookie: `session=${CANARY}-cookie` } }],
      ["/api/v1/openapi.json", {}],
      ["/api/v1/metrics", { headers: key }],
    ];
    const statuses: number[] = [];
    for (const [path, init] of asked) {
      const response = await fetch(`${service.url}${path}`, init);
      statuses.push(response.status);
      bodies.push(await response.text(), JSON.stringify([...response.headers]));
    }
    expect(statuses).toEqual([200, 422, 404, 200, 200, 404, 401, 401, 200, 200, 200]);
    service.kill("SIGTERM");
    expect(await service.ended()).toBe(0);
    expect(service.stdout()).toContain("API_KEYS (set)");
    expect(service.stdout() + service.stderr()).not.toContain(CANARY);
    expect(bodies.filter((b) => b.includes(CANARY))).toEqual([]);
    const { rows } = requestLog(service.dataDir);
    expect(rows.length).toBe(asked.length);
    expect(JSON.stringify(rows)).not.toContain(CANARY);
    for (const file of readdirSync(service.dataDir, { recursive: true }).map(String)) {
      const path = join(service.dataDir, file);
      if (/sqlite|json|wal/.test(file))
        expect([file, (await Bun.file(path).text()).includes(CANARY)]).toEqual([file, false]);
    }
  });
});

test("a command that is stopped with Ctrl-C says how to resume and fails", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "asof-stopped-"));
  sample.dials.set([{ fault: "stall", match: "chart/ZORP" }]);
  const before = sample.traffic().total;
  const words = ["backfill", "prices", "--tickers", "ZORP", "--start", "2026-08-03"];
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "../../scripts/cli.ts"), ...words], {
    env: { PATH: process.env.PATH ?? "", DATA_DIR: dataDir, UPSTREAM_GATEWAY: sample.url },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, error] = [new Response(child.stdout).text(), new Response(child.stderr).text()];
  while (sample.traffic().total === before && child.exitCode === null) await Bun.sleep(20);
  child.kill("SIGINT");
  expect([await child.exited, (await out).trim().split("\n").at(-1), await error]).toEqual([
    1,
    `Stopped. To resume, run the same command again: bun run cli ${words.join(" ")}`,
    "",
  ]);
  await rm(dataDir, { recursive: true, force: true });
});
