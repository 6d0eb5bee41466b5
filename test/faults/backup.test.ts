// The drill: a backup taken while the service writes, put into an empty folder, serves what was there.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { chmod, cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SUGGESTED } from "../../sample/market.ts";
import { openStores } from "../../src/composition/context.ts";
import { readConfig } from "../../src/config.ts";
import { DATASETS } from "../../src/datasets/index.ts";
import { checkBackup, restoreBackup, takeBackup } from "../../src/platform/backup.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { readManifest } from "../../src/platform/lake/manifest.ts";
import { openSqlite } from "../../src/platform/sqlite/sqlite.ts";
import { captureLog } from "../support/capture-log.ts";
import { openSampleService, openService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const ENV = { SEC_USER_AGENT: "Asof tests tests@asof.example" };
const [KNOWN] = SUGGESTED;
const ASKED = [
  `/api/v1/price/data/${KNOWN}?start_date=2025-01-02&end_date=2026-08-31`,
  `/api/v1/filings/events/${KNOWN}?days=400`,
];

let service: SampleService;
let folder: string;
let backup: string;
const before: unknown[] = [];
/** The parts of an answer that are the data itself, whenever it was asked. */
const dataOf = ({ body }: { body: unknown }) => (body as { data: unknown }).data;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "asof-backup-"));
  service = await openSampleService({ env: ENV, publishes: true });
  for (const path of ASKED) before.push(dataOf(await service.get(path)));
  backup = join(folder, "first");
  const config = readConfig({ DATA_DIR: service.dataDir });
  const stores = await openStores({ config, clock: systemClock, log: captureLog() });
  // The service goes on storing meanwhile.
  const busy = service.get(`/api/v1/price/data/${SUGGESTED[1]}?period=5y`);
  await takeBackup(service.dataDir, backup, { store: stores.sqlite, datasets: DATASETS, clock: systemClock });
  await busy;
  await stores.lake.close();
  stores.sqlite.close();
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => "",
    (error: Error) => error.message,
  );

describe("restore", () => {
  test("the restored folder serves the same, without asking a provider", async () => {
    const dataDir = join(folder, "restored");
    const { files } = await restoreBackup(backup, dataDir);
    expect(files.some((file) => file.path.startsWith("vault/"))).toBe(true);
    const restored = await openService({
      upstream: "http://127.0.0.1:9",
      clock: service.clock,
      env: ENV,
      dataDir,
    });
    try {
      for (const [i, path] of ASKED.entries()) expect(dataOf(await restored.get(path))).toEqual(before[i]);
      const report = await restored.app().lake.check();
      expect(report.findings.filter((finding) => finding.severity === "error")).toEqual([]);
    } finally {
      await restored.stop();
    }
  });

  test("the restored tables have Delta logs of the restored files, before any process opens them", async () => {
    const dataDir = join(folder, "tables");
    await restoreBackup(backup, dataDir);
    const { files } = await readManifest(join(dataDir, "lake", "manifest.json"));
    const current = files.filter(({ kind }) => kind !== "history");
    expect(current.length).toBeGreaterThan(0);
    for (const [dataset, own] of Map.groupBy(current, (file) => file.dataset)) {
      const log = join(dataDir, "lake", dataset, "_delta_log");
      expect(await readdir(log)).toEqual(["00000000000000000000.json"]);
      const lines = (await readFile(join(log, "00000000000000000000.json"), "utf8")).trim().split("\n");
      const added = lines.flatMap((line) => (JSON.parse(line) as { add?: { path: string } }).add ?? []);
      expect(added.map(({ path }) => `${dataset}/${path}`).sort()).toEqual(
        own.map(({ path }) => path).sort(),
      );
    }
  });

  test("nothing is written over", async () => {
    const taken = join(folder, "taken");
    await restoreBackup(backup, taken);
    expect(await messageOf(restoreBackup(backup, taken))).toContain("already holds ops.sqlite");
    expect(
      await messageOf(
        takeBackup(service.dataDir, backup, { store: neverUsed(), datasets: DATASETS, clock: systemClock }),
      ),
    ).toContain("is not empty");
  });

  test("a file that changed or went is named, and nothing is restored", async () => {
    const { files } = await checkBackup(backup);
    const parquet = files.find((file) => file.path.endsWith(".parquet"))?.path ?? "";
    for (const [name, harm, description] of [
      ["flipped", flip(parquet), `${parquet} of the backup is damaged`],
      ["gone", (at: string) => rm(join(at, parquet)), `${parquet} of the backup is missing`],
      ["cut", flip("ops.sqlite"), "ops.sqlite of the backup is damaged"],
      ["unlisted", (at: string) => rm(join(at, "backup.json")), "is not a complete backup"],
      ["outside", pointOutside, "a path outside itself"],
    ] as const) {
      const copy = join(folder, name);
      await cp(backup, copy, { recursive: true });
      await harm(copy);
      const target = join(folder, `${name}-target`);
      expect(await messageOf(restoreBackup(copy, target))).toContain(description);
      expect(await messageOf(stat(join(target, "ops.sqlite")))).toContain("ENOENT");
    }
  });
});

describe("damaged files", () => {
  let damaged: string;
  let partial: string;
  let paths: string[];
  beforeAll(async () => {
    damaged = join(folder, "damaged");
    partial = join(folder, "partial");
    await cp(service.dataDir, damaged, { recursive: true });
    const { files } = await checkBackup(backup);
    const ofLake = files.filter(({ path }) => path.endsWith(".parquet")).map(({ path }) => path);
    const ofVault = files.find(({ path }) => path.startsWith("vault/"))?.path ?? "";
    paths = [ofLake[0] ?? "", ofLake[1] ?? "", ofVault];
    await flip(paths[0] ?? "")(damaged);
    await rm(join(damaged, paths[1] ?? ""));
    await flip(ofVault)(damaged);
  });

  test("a backup names them and keeps the rest", async () => {
    const store = openSqlite(join(damaged, "ops.sqlite"));
    const needs = { store, datasets: DATASETS, clock: systemClock };
    const taken = await takeBackup(damaged, partial, needs).finally(() => store.close());
    expect(taken.damaged).toEqual([
      { path: paths[0] ?? "", description: "has other bytes than were written" },
      { path: paths[1] ?? "", description: "is missing" },
      { path: paths[2] ?? "", description: "has other bytes than were written" },
    ]);
    for (const path of paths) expect(await messageOf(stat(join(partial, path)))).toContain("ENOENT");
    const whole = await checkBackup(backup);
    const kept = new Set(taken.files.map(({ path }) => path));
    expect(whole.files.filter(({ path }) => path.endsWith(".parquet") && !kept.has(path)).length).toBe(2);
    expect(taken.store).toMatch(/^[0-9a-f-]{36}$/);
    expect((await stat(join(partial, "ops.sqlite"))).mode & 0o777).toBe(0o600);
  });

  test("a restore refuses, and one of a part leaves them out", async () => {
    const dataDir = join(folder, "of-a-part");
    // Another flip in the backup itself, and a database that everyone may read.
    const log = "lake/commits.csv";
    await flip(log)(partial);
    await chmod(join(partial, "ops.sqlite"), 0o644);
    const refused = await messageOf(restoreBackup(partial, dataDir));
    for (const path of [...paths, log]) expect(refused).toContain(`${path} of the backup`);
    expect(refused).toContain("nothing was restored");
    const restored = await restoreBackup(partial, dataDir, { isPartEnough: true });
    expect(restored.damaged?.map(({ path }) => path)).toEqual([...paths, log]);
    expect((await stat(join(dataDir, "ops.sqlite"))).mode & 0o777).toBe(0o600);
    const part = await openService({
      upstream: "http://127.0.0.1:9",
      clock: service.clock,
      env: ENV,
      dataDir,
    });
    try {
      // The damage is reported as any other is, and the commit log has its other lines.
      const problems = part.app().lake.problems();
      expect(problems.map(({ path }) => `lake/${path}`).sort()).toEqual(paths.slice(0, 2).sort());
      const { commits } = await part.app().lake.commits({ limit: 100 });
      expect(commits.length).toBeGreaterThan(1);
      const { findings } = await part.app().lake.check({ repair: true });
      expect(findings.filter(({ severity }) => severity === "error").length).toBeGreaterThanOrEqual(2);
    } finally {
      await part.stop();
    }
  });

  test("without the manifest there is nothing to restore", async () => {
    const copy = join(folder, "no-manifest");
    await cp(partial, copy, { recursive: true });
    await flip("lake/manifest.json")(copy);
    const work = restoreBackup(copy, join(folder, "nothing"), { isPartEnough: true });
    expect(await messageOf(work)).toContain("without lake/manifest.json nothing can be restored");
  });

  test("a damaged database is named, and the lake and the vault are kept", async () => {
    const dataDir = join(folder, "no-database");
    await cp(service.dataDir, dataDir, { recursive: true });
    const store = openSqlite(join(dataDir, "ops.sqlite"));
    store.checkpoint();
    const bytes = await readFile(join(dataDir, "ops.sqlite"));
    bytes.fill(0xff, 4_096);
    await writeFile(join(dataDir, "ops.sqlite"), bytes);
    const to = join(folder, "without-database");
    const needs = { store, datasets: DATASETS, clock: systemClock };
    const taken = await takeBackup(dataDir, to, needs).finally(() => store.close());
    expect(taken.damaged).toEqual([{ path: "ops.sqlite", description: "is damaged" }]);
    const restored = join(folder, "restored-without");
    await restoreBackup(to, restored, { isPartEnough: true });
    expect(await messageOf(stat(join(restored, "ops.sqlite")))).toContain("ENOENT");
    expect((await readManifest(join(restored, "lake", "manifest.json"))).files.length).toBeGreaterThan(0);
  });
});

function neverUsed(): never {
  return new Proxy({}, { get: () => () => expect.unreachable() }) as never;
}

/** Changes one byte in the middle. */
function flip(path: string) {
  return async (at: string) => {
    const file = join(at, path);
    const bytes = await readFile(file);
    const middle = bytes.length >> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    await rm(file);
    await writeFile(file, bytes);
  };
}

async function pointOutside(at: string) {
  const list = join(at, "backup.json");
  const backup = JSON.parse(await readFile(list, "utf8")) as { files: unknown[] };
  backup.files.push({ path: "../../etc/passwd", bytes: 1, sha256: "0" });
  await writeFile(list, JSON.stringify(backup));
}
