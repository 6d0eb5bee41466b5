// A reader of the bucket sees a whole version after every single write, and what was interrupted is
// completed.
import { afterEach, expect, test } from "bun:test";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DATASETS, events, lakeYard, price, prices } from "../../../test/faults/lake-support.ts";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import { batchOf, type Lake } from "../lake/lake.ts";
import type { Manifest } from "../lake/manifest.ts";
import type { Bucket } from "./bucket.ts";
import { publishLake } from "./publish-lake.ts";

const yard = lakeYard();
afterEach(yard.clear);

const HOUR_MS = 3_600_000;
const sha256 = (bytes: Uint8Array) => new Bun.CryptoHasher("sha256").update(bytes).digest("hex");

/** A bucket in memory. `before` runs before each change; what it throws ends the publication. */
function memoryBucket(before: (path: string) => void = () => undefined) {
  const objects = new Map<string, Uint8Array>();
  const changes: string[] = [];
  const change = async (path: string, work: () => Promise<void> | void) => {
    before(path);
    await work();
    changes.push(path);
  };
  const etag = (bytes: Uint8Array) => new Bun.CryptoHasher("md5").update(bytes).digest("hex");
  const bucket: Bucket = {
    name: "s3://test/",
    list: async () =>
      [...objects].map(([path, bytes]) => ({ path, bytes: bytes.byteLength, etag: etag(bytes) })),
    read: async (path) => {
      const bytes = objects.get(path);
      return bytes ? new TextDecoder().decode(bytes) : null;
    },
    writeText: (path, text) => change(path, () => void objects.set(path, new TextEncoder().encode(text))),
    writeFile: (path, from) => change(path, async () => void objects.set(path, await Bun.file(from).bytes())),
    remove: (path) => change(path, () => void objects.delete(path)),
  };
  return { bucket, objects, changes };
}

interface Line {
  add?: { path: string; size: number };
  remove?: { path: string };
  metaData?: unknown;
}

/**
 * The files of a dataset as a reader of the entries finds them; null where there is no table yet. Throws on
 * half of one.
 */
function tableIn(objects: ReadonlyMap<string, Uint8Array>, dataset: string): string[] | null {
  const names = [...objects.keys()]
    .filter((path) => path.startsWith(`${dataset}/_delta_log/`) && path.endsWith(".json"))
    .sort();
  const versions = names.map((name) => Number(name.slice(-25, -5)));
  const lines = names.map((name) =>
    new TextDecoder()
      .decode(objects.get(name))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Line),
  );
  if (!lines.flat().some(({ metaData }) => metaData)) return null;
  expect(versions).toEqual(versions.map((_, at) => at));
  const live = new Map<string, number>();
  for (const { add, remove } of lines.flat()) {
    if (remove) live.delete(remove.path);
    if (add) live.set(add.path, add.size);
  }
  for (const [path, size] of live)
    expect([path, objects.get(`${dataset}/${path}`)?.byteLength]).toEqual([path, size]);
  return [...live.keys()].sort();
}

function manifestIn(objects: ReadonlyMap<string, Uint8Array>): Manifest | null {
  const bytes = objects.get("manifest.json");
  if (!bytes) return null;
  const manifest = JSON.parse(new TextDecoder().decode(bytes)) as Manifest;
  for (const { path, sha256: wanted } of manifest.files)
    expect([path, sha256(objects.get(path) ?? new Uint8Array())]).toEqual([path, wanted]);
  return manifest;
}

/** Returns the tables and the manifest that a reader sees; throws where they are not whole. */
function seen(objects: ReadonlyMap<string, Uint8Array>) {
  const tables = DATASETS.map(({ name }) => [name, tableIn(objects, name)] as const);
  return { tables: Object.fromEntries(tables), manifest: manifestIn(objects) };
}

const open = (dir: string, more: Parameters<typeof yard.open>[0] = {}) =>
  yard.open({ dir, deltaLogs: true, publishDelayMs: 60_000, retentionMs: () => HOUR_MS, ...more });
const add = (lake: Lake, symbol: string) =>
  lake.append([
    batchOf(prices, [price(symbol, "2026-01-05")]),
    batchOf(events, [{ symbol, date: "2026-01-05", amount: 1, known_at: "2026-01-05T12:00:00Z" }]),
  ]);

/** Three states of a lake one after the other: appended, replaced, merged. */
const STEPS: readonly ((lake: Lake) => Promise<unknown>)[] = [
  async (lake) => {
    for (const symbol of ["A", "B", "C"]) await add(lake, symbol);
  },
  async (lake) => {
    await lake.append([batchOf(prices, [price("A", "2026-01-05", 9)], { by: ["symbol"], groups: [["A"]] })]);
    await add(lake, "D");
  },
  (lake) => lake.compact({ force: true }),
];

const liveFiles = (manifest: Manifest, dataset: string) =>
  manifest.files
    .filter((file) => file.dataset === dataset && file.kind !== "history")
    .map(({ path }) => path.slice(dataset.length + 1))
    .sort();

async function expectPublished(dir: string, objects: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const { tables, manifest } = seen(objects);
  const own = JSON.parse(await readFile(join(dir, "lake", "manifest.json"), "utf8")) as Manifest;
  expect(manifest).toEqual(own);
  for (const dataset of ["prices", "events"]) expect(tables[dataset]).toEqual(liveFiles(own, dataset));
}

test("after every single write a reader sees a whole version, and the newest in the end", async () => {
  const clock = fakeClock("2026-06-01T12:00:00Z");
  const dir = await yard.folder();
  const lake = await open(dir, { clock });
  const store = memoryBucket(() => void seen(store.objects));
  for (const step of STEPS) {
    await step(lake);
    await publishLake(lake, store.bucket, { clock, retentionMs: () => HOUR_MS });
    await expectPublished(dir, store.objects);
  }
  expect(seen(store.objects).tables.ticks).toBeNull();
});

test("data goes before logs, logs before the manifest; a second run sends nothing", async () => {
  const clock = fakeClock("2026-06-01T12:00:00Z");
  const lake = await open(await yard.folder(), { clock });
  await STEPS[0]?.(lake);
  const { bucket, changes } = memoryBucket();
  const options = { clock, retentionMs: () => HOUR_MS };
  const first = await publishLake(lake, bucket, options);
  expect(first.sent).toBe(changes.length);
  const kinds = changes.map((path) =>
    path.endsWith(".parquet") ? "data" : path.includes("_delta_log") ? "log" : path,
  );
  expect(kinds.filter((kind, at) => kind !== kinds[at - 1])).toEqual([
    "data",
    "log",
    "_published.json",
    "manifest.json",
  ]);
  expect(await publishLake(lake, bucket, options)).toEqual({
    generation: 3,
    sent: 0,
    bytes: 0,
    removed: 0,
    warnings: [],
  });
});

test("wherever a publication dies, the next one completes it and sends no data twice", async () => {
  const clock = fakeClock("2026-06-01T12:00:00Z");
  const dir = await yard.folder();
  const lake = await open(dir, { clock });
  for (const step of STEPS.slice(0, 2)) await step(lake);
  const options = { clock, retentionMs: () => HOUR_MS };
  const whole = memoryBucket();
  await publishLake(lake, whole.bucket, options);
  for (let last = 0; last < whole.changes.length; last++) {
    let left = last;
    const store = memoryBucket(() => {
      if (left-- === 0) throw new Error("killed");
    });
    await expect(publishLake(lake, store.bucket, options)).rejects.toThrow("killed");
    seen(store.objects);
    left = Number.POSITIVE_INFINITY;
    await publishLake(lake, store.bucket, options);
    await expectPublished(dir, store.objects);
    const data = store.changes.filter((path) => path.endsWith(".parquet"));
    expect(new Set(data).size).toBe(data.length);
    expect([...store.objects.keys()].sort()).toEqual([...whole.objects.keys()].sort());
  }
});

test("a replaced file stays for the retention after the first version without it", async () => {
  const clock = fakeClock("2026-06-01T12:00:00Z");
  const dir = await yard.folder();
  const lake = await open(dir, { clock });
  await STEPS[0]?.(lake);
  const { bucket, objects } = memoryBucket();
  const options = { clock, retentionMs: () => HOUR_MS };
  await publishLake(lake, bucket, options);
  const before = [...objects.keys()].filter((path) => path.endsWith(".parquet"));
  await lake.compact({ force: true });
  // The lake itself deletes the files before the bucket has a version without them.
  clock.advance(2 * HOUR_MS);
  await lake.compact();
  expect(lake.retired()).toEqual([]);
  expect((await publishLake(lake, bucket, options)).removed).toBe(0);
  expect([...objects.keys()]).toEqual(expect.arrayContaining(before));
  clock.advance(HOUR_MS - 1);
  expect((await publishLake(lake, bucket, options)).removed).toBe(0);
  clock.advance(1);
  const last = await publishLake(lake, bucket, options);
  expect([last.removed, last.sent]).toEqual([before.length, 0]);
  await expectPublished(dir, objects);
  expect((await publishLake(lake, bucket, options)).removed).toBe(0);
});

test("an object that is not the lake's is left alone", async () => {
  const clock = fakeClock("2026-06-01T12:00:00Z");
  const lake = await open(await yard.folder(), { clock });
  await STEPS[0]?.(lake);
  const { bucket, objects } = memoryBucket();
  const others = ["notes.txt", "prices/own.parquet", "prices/_delta_log/readme.md"];
  for (const path of others) objects.set(path, new Uint8Array([1]));
  for (let run = 0; run < 3; run++) {
    await publishLake(lake, bucket, { clock, retentionMs: () => 0 });
    clock.advance(HOUR_MS);
  }
  for (const path of others) expect(objects.get(path)).toEqual(new Uint8Array([1]));
});

test("what other programs leave in a log's folder is neither sent nor in the way", async () => {
  const clock = fakeClock("2026-06-01T12:00:00Z");
  const dir = await yard.folder();
  const lake = await open(dir, { clock });
  await STEPS[0]?.(lake);
  const log = join(dir, "lake", "prices", "_delta_log");
  await mkdir(join(log, "_commits"));
  await writeFile(join(log, "00000000000000000000.crc"), "{}");
  const { bucket, objects } = memoryBucket();
  await publishLake(lake, bucket, { clock, retentionMs: () => 0 });
  const sent = [...objects.keys()].filter((path) => path.startsWith("prices/_delta_log/"));
  expect(sent.filter((path) => !/\/\d{20}\.json$/.test(path))).toEqual([]);
  await expectPublished(dir, objects);
});

test("a bucket with another lake, or with a later state of this one, is refused and stays as it is", async () => {
  const clock = fakeClock("2026-06-01T12:00:00Z");
  const options = { clock, retentionMs: () => 0 };
  const dir = await yard.folder();
  const lake = await open(dir, { clock });
  await STEPS[0]?.(lake);
  const store = memoryBucket();
  await publishLake(lake, store.bucket, options);
  const other = await open(await yard.folder(), { clock });
  for (const symbol of ["X", "Y", "Z", "V"]) await add(other, symbol);
  const held = new Map(store.objects);
  await expect(publishLake(other, store.bucket, options)).rejects.toThrow("is no earlier state of this lake");
  expect(store.objects).toEqual(held);
  // Without the notes it is refused too: the entries differ.
  store.objects.delete("_published.json");
  held.delete("_published.json");
  await expect(publishLake(other, store.bucket, options)).rejects.toThrow("is no earlier state of this lake");
  expect(store.objects).toEqual(held);
  // A log that was begun again.
  await lake.close();
  await rm(join(dir, "lake", "prices", "_delta_log"), { recursive: true });
  const again = await open(dir, { clock });
  await expect(publishLake(again, store.bucket, options)).rejects.toThrow("s3://test/prices is no earlier");
  expect(store.objects).toEqual(held);
});

test("a damaged file or log is not published", async () => {
  const clock = fakeClock("2026-06-01T12:00:00Z");
  const dir = await yard.folder();
  const lake = await open(dir, { clock });
  // One that has not read the new files yet: it makes their views when it publishes.
  const other = await open(dir, { clock });
  await STEPS[0]?.(lake);
  const { files } = JSON.parse(await readFile(join(dir, "lake", "manifest.json"), "utf8")) as Manifest;
  const path = files[0]?.path ?? "";
  // Its footer: the engine cannot read the file, though its length and its first and last bytes are right.
  const bytes = await Bun.file(join(dir, "lake", path)).bytes();
  const footerBytes = new DataView(bytes.buffer).getUint32(bytes.length - 8, true);
  bytes.fill(255, bytes.length - 8 - footerBytes, bytes.length - 8);
  await Bun.write(join(dir, "lake", path), bytes);
  const store = memoryBucket();
  for (const each of [lake, other]) {
    const publication = publishLake(each, store.bucket, { clock, retentionMs: () => 0 });
    await expect(publication).rejects.toThrow(`${path} has other bytes than were written`);
  }
  await other.close();
  expect(store.changes.filter((each) => !each.endsWith(".parquet"))).toEqual([]);
  expect(store.objects.has(path)).toBe(false);
  await lake.close();
  await rm(join(dir, "lake", "events", "_delta_log", `${"1".padStart(20, "0")}.json`));
  const again = await open(dir, { clock, verifyDelayMs: HOUR_MS });
  await expect(publishLake(again, store.bucket, { clock, retentionMs: () => 0 })).rejects.toThrow(
    "events: version 1 of its Delta log is missing. Run",
  );
});
