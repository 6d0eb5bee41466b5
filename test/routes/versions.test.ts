// The versions of the stored data over HTTP: their commits, their names, and that a name is never moved.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SUGGESTED } from "../../sample/market.ts";
import type { VersionsAnswer } from "../../src/capabilities/versions/schema.ts";
import { DATASETS } from "../../src/datasets/index.ts";
import { restoreBackup, takeBackup } from "../../src/platform/backup.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { openSqlite } from "../../src/platform/sqlite/sqlite.ts";
import { type ApiDocument, apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import { openSampleService, openService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const V = "/api/v1/versions";
const NAMES = `${V}/admin/names`;
const [ONE, OTHER] = SUGGESTED;
let service: SampleService;
let document: ApiDocument;
beforeAll(async () => {
  service = await openSampleService();
  document = await apiDocument(service);
  for (const symbol of [ONE, OTHER])
    await service.get(`/api/v1/price/data/${symbol}?start_date=2026-07-01&end_date=2026-07-31`);
});
afterAll(() => service.stop());

const list = async (query = "") => {
  const response = await service.fetch(`${V}${query}`);
  expect([query, response.status]).toEqual([query, 200]);
  expect(await faultsOfAnswer(document, document.operation("GET", V), response.clone())).toEqual([]);
  return (await response.json()) as VersionsAnswer;
};
const give = (body: Record<string, unknown>) =>
  service.post<{ code?: string; data_version?: number; note?: string | null; named_at?: string }>(
    NAMES,
    body,
  );

test("every commit is a version with its time and the rows it wrote, the newest first", async () => {
  const { data, data_version, oldest_version, total, store } = await list();
  expect(oldest_version).toBe(0);
  expect(data.map((version) => version.data_version)).toEqual(
    Array.from({ length: data_version }, (_, at) => data_version - at),
  );
  expect(total).toBe(data.length);
  const written = data.flatMap(({ rows }) => rows?.bars_daily ?? []).reduce((sum, rows) => sum + rows, 0);
  const stored = await service.app().lake.query<{ rows: number }>("SELECT count(*) AS rows FROM bars_daily");
  expect(written).toBe(stored[0]?.rows ?? 0);
  expect(written).toBeGreaterThan(40);
  for (const version of data) {
    expect(Date.parse(version.recorded_at ?? "")).toBeGreaterThan(0);
    expect(version.store).toBe(store);
  }
  expect(await list("?limit=1")).toMatchObject({ count: 1, total, has_more: true, data: [data[0]] });
  expect(await list("?limit=1&offset=1")).toMatchObject({ count: 1, total, offset: 1, data: [data[1]] });
});

test("merging files is a version without rows", async () => {
  await service.app().lake.compact({ force: true });
  expect((await list("?limit=1")).data[0]?.rows).toEqual({});
});

test("a name stands for one version for good", async () => {
  const { data_version } = await list("?limit=1");
  const named = await give({ name: "q3-paper", note: "Table 2." });
  expect([named.status, named.body]).toEqual([
    200,
    expect.objectContaining({ name: "q3-paper", data_version, note: "Table 2." }),
  ]);
  expect((await give({ name: "first", data_version: 1 })).body).toMatchObject({
    data_version: 1,
    note: null,
  });
  // Asked again for the same version it is the same answer, although the store has moved on for the other.
  await service.get(`/api/v1/price/data/${ONE}?start_date=2026-05-01&end_date=2026-05-29`);
  expect((await give({ name: "q3-paper", data_version })).body).toEqual(named.body);
  for (const other of [
    { name: "q3-paper" },
    { name: "q3-paper", data_version: 1 },
    { name: "first", data_version: 1, note: "x" },
  ]) {
    const { status, body } = await give(other);
    expect([other, status, body.code]).toEqual([other, 409, "name_taken"]);
  }
  const { data, total } = await list("?named=true");
  expect(data.map((version) => [version.data_version, version.names.map(({ name }) => name)])).toEqual([
    [data_version, ["q3-paper"]],
    [1, ["first"]],
  ]);
  expect(total).toBe(2);
});

test("a name is no number, and its version is there", async () => {
  for (const name of ["4127", "4q", "-a", "Q3", "q 3", "", "a".repeat(65)])
    expect([name, (await give({ name })).status]).toEqual([name, 422]);
  // Such a name would be taken for the newest version, whatever it stands for.
  for (const name of ["latest", "now"]) {
    const { status, body } = await give({ name });
    expect([name, status, body.code]).toEqual([name, 400, "bad_request"]);
  }
  expect((await give({ name: "later", data_version: 999_999 })).body.code).toBe("bad_request");
  expect((await give({ name: "before", data_version: -1 })).status).toBe(422);
  expect(
    (await list("?named=true")).data.flatMap(({ names }) => names.map(({ name }) => name)),
  ).not.toContain("later");
});

test("a restored backup has the names", async () => {
  const folder = await mkdtemp(join(tmpdir(), "asof-versions-"));
  try {
    const store = openSqlite(join(service.dataDir, "ops.sqlite"));
    await takeBackup(service.dataDir, join(folder, "backup"), {
      store,
      datasets: DATASETS,
      clock: systemClock,
    });
    store.close();
    await restoreBackup(join(folder, "backup"), join(folder, "data"));
    const restored = await openService({
      upstream: "http://127.0.0.1:9",
      clock: service.clock,
      dataDir: join(folder, "data"),
    });
    const { body } = await restored.get<VersionsAnswer>(`${V}?named=true`);
    expect(body.data).toEqual((await list("?named=true")).data);
    expect(body.data.length).toBe(2);
    await restored.stop();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/**
 * Runs a command on the service's folder while it runs: its exit code, what it printed, and its complaint.
 */
async function cli(...words: string[]) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "../../scripts/cli.ts"), ...words], {
    env: { PATH: process.env.PATH ?? "", DATA_DIR: service.dataDir, UPSTREAM_GATEWAY: service.sample.url },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, error] = [new Response(child.stdout).text(), new Response(child.stderr).text()];
  return { code: await child.exited, out: await out, error: (await error).trim() };
}

test("the command line reads a version by its number or its name, as the route does", async () => {
  const { data, data_version } = await list();
  const first = data.findLast(({ rows }) => rows?.bars_daily)?.data_version ?? 0;
  await give({ name: "first-bars", data_version: first });
  const query = "select count(*) as n, max(date) as last, now() as read from bars_daily";
  const route = async (version: number) => {
    const { body } = await service.post<{ data: Record<string, unknown>[] }>("/api/v1/sql/admin/query", {
      query,
      data_version: version,
    });
    return body.data;
  };
  const asked = async (...words: string[]) => {
    const { code, out, error } = await cli("sql", query, "--format", "ndjson", ...words);
    expect([words, code, error]).toEqual([words, 0, ""]);
    return out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
  };
  const [then, now] = [await route(first), await route(data_version)];
  expect(Number(then[0]?.n)).toBeLessThan(Number(now[0]?.n));
  expect(await asked("--data-version", String(first))).toEqual(then);
  expect(await asked("--data-version", "first-bars")).toEqual(then);
  expect(await asked("--data-version", String(data_version))).toEqual(now);
  expect((await asked())[0]?.n).toBe(now[0]?.n);
  for (const [version, says] of [
    ["nosuch", "No data version has the name nosuch."],
    [String(data_version + 9), "is not there yet"],
    ["0", "was not noted"],
  ] as const) {
    const { code, out, error } = await cli("sql", query, "--data-version", version);
    expect([version, code, out]).toEqual([version, 1, ""]);
    expect(error).toContain(says);
  }
});

test("the list of names on the command line has the version 0 too", async () => {
  await give({ name: "beginning", data_version: 0 });
  const { code, out } = await cli("version", "list");
  expect(code).toBe(0);
  expect(out.split("\n")).toContain("0  time unknown  beginning");
});

test("where no version has a name, the list says so", async () => {
  const fresh = await openSampleService();
  const { body } = await fresh.get<VersionsAnswer>(`${V}?named=true`);
  expect([body.data, body.total]).toEqual([[], 0]);
  expect(body.warnings[0]).toStartWith("nothing_there: ");
  await fresh.stop();
});
