// Rows out of arrays are those of the engine, whatever happens to the arrays.
import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drawnFor } from "../../../../test/support/seed.ts";
import { dateText, instantText } from "../../cells.ts";
import { systemClock } from "../../clock.ts";
import { Reading } from "../../reading.ts";
import { isValid } from "../../table.ts";
import { dataset, type RowOf } from "../dataset.ts";
import { batchOf, type Lake, type LakeOptions, openLake } from "../lake.ts";
import { openParts } from "../parts.ts";
import { SeriesStore } from "./store.ts";

setDefaultTimeout(1_200_000);

const readings = dataset({
  name: "readings",
  description: "Made up.",
  columns: {
    day: { type: "DATE", description: "Its day." },
    symbol: { type: "VARCHAR", description: "Whose it is." },
    value: { type: "DOUBLE", nullable: true, description: "A value." },
    count: { type: "BIGINT", nullable: true, description: "A whole number." },
    label: { type: "VARCHAR", nullable: true, description: "A text." },
    known_at: { type: "TIMESTAMPTZ", description: "When it was read." },
  },
  key: ["symbol", "day"],
  partition: { by: "year", column: "day" },
  sort: ["symbol", "day"],
  fill: "first",
  series: { by: "symbol", day: "day" },
});
type Row = RowOf<typeof readings>;
const COLUMNS = ["symbol", "day", "value", "count", "label", "known_at", "recorded"];
const ALL = [{ start: null, end: "9999-01-01" }];

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function lakeHere(options: Partial<LakeOptions> = {}): Promise<{ lake: Lake; dir: string }> {
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), "series-")));
  if (options.dir === undefined) closing.push(() => rm(dir, { recursive: true, force: true }));
  const lake = await openLake({
    dir,
    datasets: [readings],
    macros: [],
    clock: systemClock,
    publishes: false,
    ...options,
  });
  closing.push(() => lake.close());
  return { lake, dir };
}

const reading = (symbol: string, day: string, more: Partial<Row> = {}): Row => ({
  symbol,
  day,
  value: 1.5,
  count: 2,
  label: "made up",
  known_at: "2026-01-02T12:00:00Z",
  ...more,
});
const dayAt = (n: number) => dateText(18_000 + n);

/** So many rows of so many symbols, on consecutive days. */
const rowsOf = (symbols: number, days: number, more: (n: number) => Partial<Row> = () => ({})) =>
  Array.from({ length: symbols * days }, (_, n) =>
    reading(`S${String(n % symbols).padStart(5, "0")}`, dayAt(Math.floor(n / symbols)), more(n)),
  );

type Ranges = readonly { start: string | null; end: string }[];

/** The rows that arrays give; null where they give none. */
async function arrayRows(
  lake: Lake,
  symbols: readonly string[],
  ranges: Ranges = ALL,
): Promise<unknown[][] | null> {
  const batches = await lake.series(readings, { symbols, ranges, columns: COLUMNS });
  if (batches === null) return null;
  const rows: unknown[][] = [];
  for await (const { rows: count, vectors } of batches)
    for (let row = 0; row < count; row++)
      rows.push(
        vectors.map((vector) => {
          if (!isValid(vector.valid, row)) return null;
          const cell = vector.values[row] as number;
          if (vector.type === "VARCHAR") return vector.texts[cell];
          if (vector.type === "DATE") return dateText(cell);
          return vector.type === "TIMESTAMPTZ" ? instantText(Number(cell)) : Number(cell);
        }),
      );
  return rows;
}

async function engineRows(
  lake: Lake,
  symbols: readonly string[],
  ranges: Ranges = ALL,
): Promise<unknown[][]> {
  const days = ranges
    .map(({ start, end }) => `day BETWEEN '${start ?? "0001-01-01"}' AND '${end}'`)
    .join(" OR ");
  const { columns, rowCount } = await lake.columns(
    `SELECT ${COLUMNS} FROM readings WHERE symbol = ANY($symbols) AND (${days}) ORDER BY symbol, day`,
    { symbols },
  );
  return Array.from({ length: rowCount }, (_, row) => columns.map((column) => column[row]));
}

async function expectSame(lake: Lake, symbols: readonly string[], ranges: Ranges = ALL): Promise<number> {
  const [own, engine] = [await arrayRows(lake, symbols, ranges), await engineRows(lake, symbols, ranges)];
  expect(own?.length).toBe(engine.length);
  expect(
    own?.filter((row, at) => !row.every((cell, column) => Object.is(cell, engine[at]?.[column]))),
  ).toEqual([]);
  return engine.length;
}

/** A lake whose one file has its arrays on disk, and the path of these. */
async function storedArrays(): Promise<{ lake: Lake; dir: string; path: string; symbols: string[] }> {
  const { lake, dir } = await lakeHere();
  await lake.append([
    batchOf(
      readings,
      rowsOf(10, 300, (n) => ({ value: n % 7 === 0 ? null : n / 8 })),
    ),
  ]);
  await lake.arrays?.fill();
  const [name = ""] = await readdir(join(dir, "series"));
  return { lake, dir, path: join(dir, "series", name), symbols: ["S00001", "S00003", "S00009"] };
}

test("files that overlap in days, symbols and years give the engine's rows", async () => {
  const { lake } = await lakeHere();
  const drawn = drawnFor("arrays");
  const below = (n: number) => Math.floor(drawn() * n);
  for (let commit = 0; commit < 6; commit++) {
    const rows = Array.from({ length: 400 }, () =>
      reading(`S${below(40)}`, dayAt(below(900)), {
        value: below(3) === 0 ? null : drawn() - 0.5,
        count: commit === 3 ? null : below(1e12) - 5e11,
        label: ["a", "a text of more than twelve bytes", "", null][below(4)] ?? null,
        known_at: `2026-01-0${1 + commit}T00:00:00Z`,
      }),
    );
    const first = new Map(rows.map((row) => [`${row.symbol} ${row.day}`, row]));
    await lake.append([batchOf(readings, [...first.values()])]);
  }
  const symbols = Array.from({ length: 45 }, (_, n) => `S${n}`);
  expect(await expectSame(lake, symbols)).toBeGreaterThan(2_000);
  for (let asked = 0; asked < 40; asked++) {
    const [from, to] = [below(900), below(900)].sort((a, b) => a - b) as [number, number];
    const ranges = [
      { start: dayAt(from), end: dayAt(to) },
      ...(asked % 3 === 0 ? [{ start: dayAt(to + 5), end: dayAt(to + 50) }] : []),
    ];
    await expectSame(
      lake,
      symbols.filter(() => drawn() < 0.3),
      ranges,
    );
  }
  // A version has the rows of the commits up to it.
  const now = Temporal.Instant.from("2026-02-01T00:00:00Z");
  const counts = [];
  for (const version of [0, 1, 4, 6])
    counts.push(await new Reading({ version, now }).run(() => expectSame(lake, symbols)));
  expect(counts[0]).toBe(0);
  expect(counts.toSorted((a, b) => a - b)).toEqual(counts);
  await lake.compact({ force: true });
  await expectSame(lake, symbols);
  await new Reading({ version: 3, now }).run(() => expectSame(lake, symbols));
});

test.each([
  ["a symbol with one row", [reading("ONE", "2026-01-02")], ["ONE"]],
  [
    "one day a year for sixty years",
    Array.from({ length: 60 }, (_, n) => reading("OLD", `${1960 + n}-06-01`)),
    ["OLD"],
  ],
  ["a symbol with years in one file", rowsOf(1, 366), ["S00000"]],
  [
    "nothing but nulls",
    rowsOf(3, 5, () => ({ value: null, count: null, label: null })),
    ["S00000", "S00001", "S00002"],
  ],
  [
    "zeros of both signs",
    [reading("Z", "2026-01-02", { value: 0 }), reading("Z", "2026-01-05", { value: -0 })],
    ["Z"],
  ],
])("%s", async (_, rows, symbols) => {
  const { lake } = await lakeHere();
  await lake.append([batchOf(readings, rows)]);
  expect(await expectSame(lake, symbols)).toBe(rows.length);
  expect(await arrayRows(lake, ["NONE"])).toEqual([]);
  expect(await arrayRows(lake, symbols, [])).toEqual([]);
});

test("arrays of 25,000 symbols are made in the background: the engine answers until then", async () => {
  const { lake, dir } = await lakeHere();
  await lake.append([batchOf(readings, rowsOf(25_000, 2))]);
  const symbols = ["S00000", "S12345", "S24999"];
  expect(await arrayRows(lake, symbols)).toBeNull();
  expect(await lake.arrays?.stats()).toMatchObject({ files: 0, missing: 1, misses: 1 });
  await lake.arrays?.fill();
  expect(await lake.arrays?.stats()).toMatchObject({ files: 1, missing: 0, misses: 1 });
  expect(await expectSame(lake, symbols)).toBe(6);
  const everyone = rowsOf(25_000, 1).map(({ symbol }) => symbol);
  expect(await expectSame(lake, everyone, [{ start: dayAt(1), end: dayAt(1) }])).toBe(25_000);
  // Another process finds what is on disk, and one without arrays removes it.
  const { lake: other } = await lakeHere({ dir });
  expect(await expectSame(other, symbols)).toBe(6);
  await other.arrays?.drop();
  expect(await readdir(join(dir, "series"))).toEqual([]);
  expect(await arrayRows(lake, symbols)).toBeNull();
});

/** Changes some bytes of a file. */
async function overwrite(path: string, at: number, bytes: Uint8Array): Promise<void> {
  const whole = await Bun.file(path).bytes();
  whole.set(bytes, at < 0 ? whole.length + at : at);
  await writeFile(path, whole);
}

test.each<[string, (path: string) => Promise<void>]>([
  ["cut off in the middle", async (path) => truncate(path, Math.floor((await stat(path)).size / 2))],
  ["empty", (path) => truncate(path, 0)],
  ["of another layout", (path) => overwrite(path, -8, Buffer.from("ASOFROW1"))],
  ["with another byte in a piece", (path) => overwrite(path, 5_000, Uint8Array.of(255))],
  ["with another byte in each piece", async (path) => overwrite(path, 0, new Uint8Array(25_000).fill(7))],
  ["with another byte in the index", async (path) => overwrite(path, -200, Uint8Array.of(255))],
  ["deleted", (path) => rm(path)],
])("arrays that are %s are made again", async (_, damage) => {
  const { lake, dir, path, symbols } = await storedArrays();
  const whole = await Bun.file(path).bytes();
  await expectSame(lake, symbols);
  await damage(path);
  // The process that has read them knows their index, another one does not.
  const { lake: other } = await lakeHere({ dir });
  for (const each of [lake, other]) expect(await expectSame(each, symbols)).toBe(900);
  await other.arrays?.fill();
  expect(Buffer.compare(await Bun.file(path).bytes(), whole)).toBe(0);
});

test("arrays deleted while they are read are made again, and the answer goes on", async () => {
  const { lake, dir } = await lakeHere();
  await lake.append([batchOf(readings, rowsOf(100, 340))]);
  await lake.arrays?.fill();
  const symbols = rowsOf(100, 1).map(({ symbol }) => symbol);
  const batches = await lake.series(readings, { symbols, ranges: ALL, columns: COLUMNS });
  let rows = 0;
  for await (const batch of batches ?? []) {
    if (rows === 0) await rm(join(dir, "series"), { recursive: true });
    rows += batch.rows;
  }
  expect(rows).toBe(34_000);
});

test("arrays go where the disk fills up, and are made again where it has room", async () => {
  const { lake, dir } = await lakeHere();
  await lake.append([batchOf(readings, rowsOf(10, 300))]);
  await lake.close();
  const options = { dir, datasets: [readings], macros: [], clock: systemClock };
  const { parts } = await openParts(options, dir);
  closing.push(() => parts.db.close());
  let free = 5e9;
  const store = new SeriesStore(parts, async () => free);
  const filesAt = async (bytes: number) => {
    free = bytes;
    await store.fill();
    return (await store.stats()).files;
  };
  expect(await filesAt(1.9e9)).toBe(0);
  expect(await filesAt(2.1e9)).toBe(1);
  expect(await filesAt(1.1e9)).toBe(1);
  expect(await filesAt(0.9e9)).toBe(0);
  expect(await filesAt(1.1e9)).toBe(0);
  expect(await filesAt(2.1e9)).toBe(1);
});

test("arrays of a file that was merged away stay for the reads that have begun", async () => {
  const { lake, dir } = await lakeHere();
  for (const from of [0, 200]) {
    const rows = rowsOf(20, 200).map((row) => ({ ...row, symbol: `${row.symbol}-${from}` }));
    await lake.append([batchOf(readings, rows)]);
  }
  await lake.arrays?.fill();
  const before = await readdir(join(dir, "series"));
  await lake.compact({ force: true });
  await lake.arrays?.fill();
  expect(await lake.arrays?.stats()).toMatchObject({ files: before.length + 1, missing: 0 });
  expect(await lake.arrays?.check()).toBe(0);
});

test("without arrays those on disk are removed, and the engine answers", async () => {
  const { lake, dir } = await storedArrays();
  await lake.close();
  const { lake: off } = await lakeHere({ dir, arrays: false });
  expect(off.arrays).toBeNull();
  expect(await arrayRows(off, ["S00001"])).toBeNull();
  expect(await readdir(join(dir, "series"))).toEqual([]);
});
