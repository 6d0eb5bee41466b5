// The drill: a backup taken while the service writes, put into an empty folder, serves what was there.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SUGGESTED } from "../../sample/market.ts";
import { openStores } from "../../src/composition/context.ts";
import { readConfig } from "../../src/config.ts";
import { DATASETS } from "../../src/datasets/index.ts";
import { checkBackup, restoreBackup, takeBackup } from "../../src/platform/backup.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { readManifest } from "../../src/platform/lake/manifest.ts";
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
