// Restores and forks: each begins another line of history, and versions, cursors and names of the lost one
// are refused as such, whatever the new line stores.
import { afterAll, beforeAll, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run as restore } from "../../scripts/commands/restore.ts";
import type { ChangesAnswer } from "../../src/capabilities/changes/schema.ts";
import type { VersionsAnswer } from "../../src/capabilities/versions/schema.ts";
import { DATASETS } from "../../src/datasets/index.ts";
import { takeBackup } from "../../src/platform/backup.ts";
import { openSqlite } from "../../src/platform/sqlite/sqlite.ts";
import { openSampleService, openService, type SampleService, type TestService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const bars = (symbol: string, month: string) =>
  `/api/v1/price/data/${symbol}?start_date=2026-${month}-01&end_date=2026-${month}-28&format=csv`;
const KEPT = bars("ZORP", "07");

let source: SampleService;
let folder: string;
/** The first line when the copies were taken, and after it went on. */
let first: { store: string; version: number; rows: string; cursor: number };
let lost: { version: number; rows: string };
const services: TestService[] = [];

/** An answer with its version and line of history. */
async function ask(service: TestService, path: string) {
  const answer = await service.fetch(path);
  const [store, version] = [answer.headers.get("x-store") ?? "", answer.headers.get("x-data-version")];
  return { status: answer.status, store, version: Number(version), text: await answer.text() };
}
const name = (service: TestService, given: string, data_version?: number) =>
  service.post<{ data_version: number; store: string }>("/api/v1/versions/admin/names", {
    name: given,
    data_version,
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "asof-lineage-"));
  source = await openSampleService();
  const { store, version, text } = await ask(source, KEPT);
  const { body } = await source.get<ChangesAnswer>("/api/v1/changes?since=0&limit=10000");
  first = { store, version, rows: text, cursor: body.cursor };
  expect((await name(source, "kept")).body).toMatchObject({ data_version: first.version, store });
  const sqlite = openSqlite(join(source.dataDir, "ops.sqlite"));
  await takeBackup(source.dataDir, join(folder, "backup"), {
    store: sqlite,
    datasets: DATASETS,
    clock: source.clock,
  });
  sqlite.close();
  await cp(source.dataDir, join(folder, "rolled-back"), { recursive: true });
  const next = await ask(source, bars("KRONK", "06"));
  lost = { version: next.version, rows: next.text };
  expect(lost.version).toBeGreaterThan(first.version);
  expect((await name(source, "gone")).status).toBe(200);
  expect((await name(source, "late", first.version)).status).toBe(200);
  await source.reopen();
});
afterAll(async () => {
  for (const service of services) await service.stop();
  await source.stop();
  await rm(folder, { recursive: true, force: true });
});

const open = async (dataDir: string) => {
  const service = await openService({ upstream: source.sample.url, clock: source.clock, dataDir });
  services.push(service);
  return service;
};

/** Holds the new line to its promises: it has stored other rows under numbers of its own. */
async function holds(service: TestService, line: string) {
  expect(line).not.toBe(first.store);
  const stored = await ask(service, bars("SMPLF", "06"));
  expect([stored.store, stored.version > 1_000_000]).toEqual([line, true]);
  // Versions of both lines are the same on both, and named the same.
  for (const version of [first.version, "kept"])
    expect(await ask(service, `${KEPT}&data_version=${version}`)).toEqual(
      await ask(source, `${KEPT}&data_version=${version}`),
    );
  expect((await ask(service, `${KEPT}&data_version=kept`)).store).toBe(first.store);
  // As of a line that another restore of the same backup began.
  const ofThird = stored.version + 1_500_000;
  const refused = [
    `${KEPT}&data_version=${lost.version}`,
    `${KEPT}&data_version=${ofThird}`,
    `/api/v1/changes?since=${ofThird}`,
    `/api/v1/changes/summary?from_version=0&to_version=${ofThird}`,
    `/api/v1/changes?since=${lost.version}`,
    `/api/v1/changes?since=${lost.version}&format=csv`,
    `/api/v1/changes/summary?from_version=${lost.version}`,
  ];
  for (const path of refused) {
    const { status, text } = await ask(service, path);
    expect([path, status, JSON.parse(text).code]).toEqual([path, 410, "other_lineage"]);
  }
  const stream = await service.fetch("/api/v1/changes", {
    headers: { accept: "text/event-stream", "last-event-id": String(lost.version) },
  });
  expect([stream.status, stream.headers.get("x-store")]).toEqual([410, line]);
  // A consumer that had read up to the copy goes on, and misses nothing.
  const { body } = await service.get<ChangesAnswer>(`/api/v1/changes?since=${first.cursor}&limit=10000`);
  expect(body).toMatchObject({ store: line, has_more: false });
  expect(new Set(body.data.map(({ symbol }) => symbol))).toEqual(new Set(["SMPLF"]));
  expect(body.data.every(({ data_version }) => data_version > 1_000_000)).toBe(true);
  // Versions are those of the log: none of the lost numbers, and none of those between.
  const all = (await service.get<VersionsAnswer>("/api/v1/versions?limit=1000")).body;
  const numbers = all.data.map(({ data_version }) => data_version);
  expect(all.total).toBe(numbers.length);
  expect(numbers.filter((each) => each > first.cursor && each < 1_000_000)).toEqual([]);
  expect(new Set(all.data.map(({ data_version, store }) => `${data_version > 1_000_000} ${store}`))).toEqual(
    new Set([`true ${line}`, `false ${first.store}`]),
  );
  const named = await name(service, "later");
  expect(named.body).toMatchObject({ store: line, data_version: all.data_version });
  for (const data_version of [lost.version, ofThird])
    expect(await service.post("/api/v1/versions/admin/names", { name: "x", data_version })).toMatchObject({
      status: 410,
      body: { code: "other_lineage" },
    });
}

test("a restored backup goes on as another line, and says what is lost", async () => {
  const dataDir = join(folder, "restored");
  const said: string[] = [];
  const log = spyOn(console, "log").mockImplementation((line: string) => void said.push(line));
  const former = process.env.DATA_DIR;
  process.env.DATA_DIR = dataDir;
  await restore(join(folder, "backup"), { check: false, partial: false, former: source.dataDir }).finally(
    () => {
      log.mockRestore();
      if (former === undefined) delete process.env.DATA_DIR;
      else process.env.DATA_DIR = former;
    },
  );
  const restored = await open(dataDir);
  const line = restored.app().lake.lineOf() ?? "";
  expect(said.join("\n")).toContain(`is the line ${line}. It has the versions of ${first.store} up to`);
  expect(said).toContain(
    `The newest version of ${source.dataDir} is ${await source.app().lake.generation()}.`,
  );
  expect(said).toContain(`The name gone of version ${lost.version} is lost.`);
  expect(said.join("\n")).not.toContain("The name kept");
  await holds(restored, line);
  expect(said).toContain(`The name late of version ${first.version} is kept.`);
  expect((await ask(restored, `${KEPT}&data_version=late`)).text).toBe(first.rows);
  const gone = await ask(restored, `${KEPT}&data_version=gone`);
  expect([gone.status, JSON.parse(gone.text).code]).toEqual([410, "other_lineage"]);
  // A name is never moved.
  expect((await name(restored, "gone")).status).toBe(409);
});

test("a folder that was rolled back goes on as another line once it is forked", async () => {
  const dataDir = join(folder, "rolled-back");
  // The database of the lost line, as where only the lake was rolled back.
  for (const file of ["ops.sqlite", "ops.sqlite-wal", "ops.sqlite-shm"])
    await rm(join(dataDir, file), { force: true });
  await cp(join(source.dataDir, "ops.sqlite"), join(dataDir, "ops.sqlite"));
  const service = await open(dataDir);
  const { lake } = service.app();
  const [before, now] = await lake.fork();
  expect(before).toEqual({ id: first.store, from: 0, to: first.version });
  expect((await ask(service, `${KEPT}&data_version=gone`)).status).toBe(410);
  await holds(service, now?.id ?? "");
  const named = (await service.get<VersionsAnswer>("/api/v1/versions?named=true")).body;
  expect(named.data.flatMap(({ names }) => names.map((each) => each.name))).toEqual([
    "later",
    "kept",
    "late",
  ]);
  // A second fork ends the line, and its own numbers stay.
  const rows = (await ask(service, `${KEPT}&data_version=later`)).text;
  const lines = await lake.fork();
  expect(lines.length).toBe(3);
  expect((await ask(service, `${KEPT}&data_version=later`)).text).toBe(rows);
  expect((await ask(service, `/api/v1/changes?since=${(lines[1]?.to ?? 0) + 1}`)).status).toBe(410);
});

test("the line that went on has its versions, its name and its cursor", async () => {
  expect(await ask(source, `${bars("KRONK", "06")}&data_version=gone`)).toMatchObject({
    status: 200,
    store: first.store,
    text: lost.rows,
  });
  expect((await ask(source, `/api/v1/changes?since=${lost.version}`)).status).toBe(200);
});
