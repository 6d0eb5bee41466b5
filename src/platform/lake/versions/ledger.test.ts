// The ledger: what each commit changed, and that folding it gives the tables again.

import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { events, lakeYard, DATASETS as PLAIN, price, prices } from "../../../../test/faults/lake-support.ts";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import { drawnRuns } from "../../../../test/support/seed.ts";
import { dataset } from "../dataset.ts";
import { batchOf, type Change, type Lake } from "../lake.ts";

setDefaultTimeout(1_200_000);

/** Lines of documents, which a newer reader may read again. */
const lines = dataset({
  name: "lines",
  description: "Lines of documents.",
  columns: {
    symbol: { type: "VARCHAR", description: "Symbol." },
    line: { type: "INTEGER", description: "Line." },
    reading: { type: "INTEGER", description: "Reader." },
    amount: { type: "DOUBLE", description: "Amount." },
    known_at: { type: "TIMESTAMPTZ", description: "When public." },
  },
  key: ["symbol", "line", "reading"],
  partition: { by: "none" },
  sort: ["symbol", "line"],
  fill: "append",
  changes: { reading: "reading", reread: "our_reading", publicFrom: "known_at", provider: "edgar" },
});

/** Values that the service computes. */
const scores = dataset({
  name: "scores",
  description: "Scores.",
  columns: {
    symbol: { type: "VARCHAR", description: "Symbol." },
    amount: { type: "DOUBLE", description: "Score." },
    source: { type: "VARCHAR", description: "Formula." },
  },
  key: ["symbol"],
  partition: { by: "none" },
  sort: ["symbol"],
  fill: "first",
  changes: { computed: true },
});

const DATASETS = [...PLAIN, lines, scores];
const lineOf = (symbol: string, line: number, reading: number, amount: number, known_at: string) => ({
  symbol,
  line,
  reading,
  amount,
  known_at,
});

const yards = lakeYard({ publishes: false });
const yard = {
  ...yards,
  open: (options: Parameters<typeof yards.open>[0] = {}) => yards.open({ datasets: DATASETS, ...options }),
};
afterEach(yards.clear);

const of = (symbol: string) => ({ by: ["symbol"], groups: [[symbol]] });
const event = (symbol: string, amount: number | null, known_at: string) => ({
  symbol,
  date: "2026-03-03",
  amount,
  known_at,
});
/** The page of the ledger after a generation. */
const ledger = async (
  lake: Lake,
  from = 0,
  rows = 1_000_000,
  more: { symbol?: string; last?: boolean; to?: number } = {},
) => {
  const { symbol, last = false, to } = more;
  const end = await lake.ledgerEnd({ from, to, rows, datasets: DATASETS, symbol });
  const lastUpTo = last ? end.newest : undefined;
  return { ...end, changes: await lake.ledger({ from, to: end.to, datasets: DATASETS, symbol, lastUpTo }) };
};
const shown = ({ data_version, dataset, op, before, after }: Change) =>
  `${data_version} ${dataset} ${op} ${before?.close ?? before?.amount ?? "-"} > ${after?.close ?? after?.amount ?? "-"}`;

test("rows are inserted, revised, read again and withdrawn; an equal new reading is no change", async () => {
  const lake = await yard.open();
  await lake.append([batchOf(prices, [price("A", "2026-03-03", 5), price("B", "2026-03-03", 6)])]);
  await lake.append([batchOf(events, [event("A", 1, "2026-03-04T00:00:00Z")])]);
  await lake.append([batchOf(events, [event("A", 2, "2026-03-05T00:00:00Z")])]);
  const reread = [price("A", "2026-03-03", 7), price("B", "2026-03-03", 6)];
  await lake.append([batchOf(prices, reread, { by: ["symbol"], groups: [["A"], ["B"]] })]);
  await lake.append([batchOf(prices, [], of("B"))]);
  await lake.compact({ force: true });
  const { changes, to, newest } = await ledger(lake);
  expect(changes.map(shown)).toEqual([
    "1 prices insert - > 5",
    "1 prices insert - > 6",
    "2 events insert - > 1",
    "3 events revise 1 > 2",
    "4 prices reread 5 > 7",
    "5 prices withdraw 6 > -",
  ]);
  expect([to, newest]).toEqual([await lake.generation(), await lake.generation()]);
  expect(changes[0]).toMatchObject({
    key: { symbol: "A", date: "2026-03-03" },
    after: {
      symbol: "A",
      date: "2026-03-03",
      close: 5,
      volume: null,
      final: null,
      rank: null,
      known_at: "2026-01-05T12:00:00Z",
    },
    known_at: "2026-01-05T12:00:00Z",
  });
  expect((await ledger(lake, 3)).changes.map(shown)).toEqual([
    "4 prices reread 5 > 7",
    "5 prices withdraw 6 > -",
  ]);
  expect((await ledger(lake, 0, 1_000_000, { symbol: "B" })).changes.map(shown)).toEqual([
    "1 prices insert - > 6",
    "5 prices withdraw 6 > -",
  ]);
});

test("a page ends with a whole commit, and the pages together are the ledger", async () => {
  const lake = await yard.open();
  await lake.append([batchOf(prices, [price("A", "2026-03-03"), price("B", "2026-03-03")])]);
  await lake.append([batchOf(prices, [price("C", "2026-03-03")])]);
  await lake.append([batchOf(prices, [price("D", "2026-03-03")])]);
  const first = await ledger(lake, 0, 1);
  expect([first.changes.length, first.to, first.newest]).toEqual([2, 1, 3]);
  const second = await ledger(lake, first.to, 1);
  expect([second.changes.length, second.to]).toEqual([1, 2]);
  expect((await ledger(lake, 3)).changes).toEqual([]);
  // Commits without a row of the symbol do not end a page.
  const ofLast = await ledger(lake, 0, 1, { symbol: "D" });
  expect([ofLast.changes.length, ofLast.to]).toEqual([1, 3]);
  expect((await ledger(lake, 0, 100, { to: 2 })).changes.length).toBe(3);
});

test("each change has the time of its commit, also after a line was cut off by a crash", async () => {
  const dir = await yard.folder();
  const lake = await yard.open({ dir });
  const before = Date.now();
  await lake.append([batchOf(prices, [price("A", "2026-03-03")])]);
  await appendFile(join(dir, "lake", "commits.csv"), "2,2026-0");
  await lake.append([batchOf(prices, [price("B", "2026-03-03")])]);
  const { changes } = await ledger(lake);
  expect(changes.map(({ data_version }) => data_version)).toEqual([1, 2]);
  for (const { recorded_at } of changes) {
    expect(Date.parse(recorded_at ?? "")).toBeGreaterThanOrEqual(before);
    expect(Date.parse(recorded_at ?? "")).toBeLessThanOrEqual(Date.now());
  }
});

test("a row that was withdrawn and comes back is an insertion, in pages of any size", async () => {
  const lake = await yard.open();
  await lake.append([batchOf(prices, [price("A", "2026-03-03", 5)])]);
  await lake.append([batchOf(prices, [], of("A"))]);
  await lake.append([batchOf(prices, [price("A", "2026-03-03", 7)])]);
  await lake.append([batchOf(prices, [price("A", "2026-03-03", 8)], of("A"))]);
  const whole = (await ledger(lake)).changes;
  expect(whole.map(shown)).toEqual([
    "1 prices insert - > 5",
    "2 prices withdraw 5 > -",
    "3 prices insert - > 7",
    "4 prices reread 7 > 8",
  ]);
  for (const after of [0, 1, 2, 3])
    expect((await ledger(lake, after)).changes).toEqual(
      whole.filter(({ data_version }) => data_version > after),
    );
});

test("another reading of a document follows the one before it, whatever it says of the time", async () => {
  const lake = await yard.open();
  await lake.append([batchOf(lines, [lineOf("A", 1, 1, 5, "2026-03-03T00:00:00Z")])]);
  // The second reading knows an earlier acceptance; it counts all the same.
  await lake.append([batchOf(lines, [lineOf("A", 1, 2, 6, "2026-03-02T00:00:00Z")])]);
  const { changes } = await ledger(lake);
  expect(changes.map(shown)).toEqual(["1 lines insert - > 5", "2 lines reread 5 > 6"]);
  expect(changes.map(({ key }) => key)).toEqual([
    { symbol: "A", line: 1 },
    { symbol: "A", line: 1 },
  ]);
  expect(changes[0]?.source).toBe("edgar");
});

test("the cause says whether the world changed or the service did", async () => {
  const lake = await yard.open({ clock: fakeClock("2026-03-10T00:00:00Z") });
  await lake.append([
    batchOf(lines, [
      lineOf("A", 1, 1, 5, "2026-03-03T00:00:00Z"),
      lineOf("A", 2, 1, 5, "2026-03-02T23:59:59Z"),
    ]),
  ]);
  await lake.append([batchOf(lines, [lineOf("A", 1, 2, 6, "2026-03-03T00:00:00Z")])]);
  await lake.append([batchOf(scores, [{ symbol: "A", amount: 1, source: "v1" }])]);
  await lake.append([batchOf(events, [event("A", 1, "2026-03-09T00:00:00Z")])]);
  await lake.append([batchOf(events, [event("A", 2, "2026-03-10T00:00:00Z")])]);
  await lake.append([batchOf(prices, [price("A", "2026-03-03", 5)])]);
  const again = (cause: "our_reading" | "source_changed", close: number) =>
    lake.append([batchOf(prices, [price("A", "2026-03-03", close)], { ...of("A"), cause })]);
  await again("our_reading", 6);
  await again("source_changed", 7);
  await lake.append([batchOf(prices, [], of("A"))]);
  const { changes } = await ledger(lake);
  expect(changes.map(({ dataset: name, op, cause }) => [name, op, cause])).toEqual([
    ["lines", "insert", "published"],
    ["lines", "insert", "backfilled"],
    ["lines", "reread", "our_reading"],
    ["scores", "insert", "computed"],
    ["events", "insert", "observed"],
    ["events", "revise", "source_changed"],
    ["prices", "insert", "observed"],
    ["prices", "reread", "our_reading"],
    ["prices", "reread", "source_changed"],
    ["prices", "withdraw", "withdrawn"],
  ]);
  const all = { from: 0, to: 100, datasets: DATASETS };
  expect(await lake.ledger({ ...all, cause: "our_reading" })).toEqual(
    changes.filter(({ cause }) => cause === "our_reading"),
  );
  const inserts = await lake.ledger({ ...all, op: "insert" });
  expect(inserts.map(({ cursor }) => cursor)).toEqual([0, 1, 3, 4, 6]);
  expect(await lake.ledgerCounts({ from: 0, to: 9, datasets: [prices] })).toEqual([
    { dataset: "prices", op: "insert", cause: "observed", symbol: "A", changes: 1 },
    { dataset: "prices", op: "reread", cause: "our_reading", symbol: "A", changes: 1 },
    { dataset: "prices", op: "reread", cause: "source_changed", symbol: "A", changes: 1 },
    { dataset: "prices", op: "withdraw", cause: "withdrawn", symbol: "A", changes: 1 },
  ]);
});

test("commits of a release that noted no cause have none", async () => {
  const dir = await yard.folder();
  const lake = await yard.open({ dir });
  await lake.append([batchOf(prices, [price("A", "2026-03-03")])]);
  const log = join(dir, "lake", "commits.csv");
  const [line = ""] = (await readFile(log, "utf8")).split("\n");
  await writeFile(log, `${line.split(",").slice(0, 2).join(",")}\n`);
  const [change] = (await ledger(lake)).changes;
  expect([change?.cause, change?.recorded_at === null]).toEqual([null, false]);
});

test("a row that is older than those of its key changes nothing that held, and the past of the ledger stays", async () => {
  const lake = await yard.open();
  await lake.append([batchOf(events, [event("A", 2, "2026-03-05T00:00:00Z")])]);
  const before = (await ledger(lake)).changes;
  await lake.append([batchOf(events, [event("A", 1, "2026-03-04T00:00:00Z")])]);
  await lake.append([batchOf(events, [event("A", 3, "2026-03-06T00:00:00Z")])]);
  const { changes } = await ledger(lake);
  expect(changes.map(shown)).toEqual([
    "1 events insert - > 2",
    "2 events insert - > 1",
    "3 events revise 2 > 3",
  ]);
  expect([...changes.slice(0, 1)]).toEqual([...before]);
});

test("compact leaves the last state of each key", async () => {
  const lake = await yard.open();
  await lake.append([batchOf(prices, [price("A", "2026-03-03", 5), price("B", "2026-03-03", 6)])]);
  await lake.append([batchOf(events, [event("A", 2, "2026-03-05T00:00:00Z")])]);
  // An older report that arrives later is not the state of its key.
  await lake.append([batchOf(events, [event("A", 1, "2026-03-04T00:00:00Z")])]);
  await lake.append([batchOf(prices, [price("A", "2026-03-03", 7)], of("A"))]);
  await lake.append([batchOf(prices, [], of("B"))]);
  await lake.append([batchOf(lines, [lineOf("A", 1, 1, 5, "2026-03-03T00:00:00Z")])]);
  await lake.append([batchOf(lines, [lineOf("A", 1, 2, 6, "2026-03-02T00:00:00Z")])]);
  const expected = [
    "2 events insert - > 2",
    "4 prices reread 5 > 7",
    "5 prices withdraw 6 > -",
    "7 lines reread 5 > 6",
  ];
  const compact = async (rows: number) => {
    const changes: Change[] = [];
    for (let after = 0; ; ) {
      const page = await ledger(lake, after, rows, { last: true });
      changes.push(...page.changes);
      if (page.to === page.newest) return changes;
      after = page.to;
    }
  };
  expect(
    (await compact(1_000)).map(({ before: _, ...change }) => shown({ ...change, before: null })),
  ).toEqual(expected.map((each) => each.replace(/\S+ >/, "- >")));
  expect((await compact(1)).map(shown)).toEqual((await compact(1_000)).map(shown));
});

test("a page in a file has the rows of a page in memory", async () => {
  const lake = await yard.open();
  await lake.append([batchOf(prices, [price("A", "2026-03-03", 5), price("B", "2026-03-03", 6)])]);
  await lake.append([batchOf(prices, [price("A", "2026-03-03", 7)], of("A"))]);
  const request = { from: 0, to: 2, datasets: DATASETS };
  const file = await lake.ledgerOut(request, { format: "ndjson", objects: "JSON" });
  const lines = (await Bun.file(file?.path ?? "").text()).trim().split("\n");
  await file?.discard();
  const changes = await lake.ledger(request);
  expect(lines.map((line) => JSON.parse(line))).toEqual(changes);
  expect([file?.rows, changes.map(({ cursor }) => cursor)]).toEqual([3, [0, 1, 2]]);
  expect(await lake.ledgerOut({ ...request, from: 2 }, { format: "csv", objects: "VARCHAR" })).toBeNull();
});

const step = fc.record({
  kind: fc.constantFrom("append", "replace", "event", "compact", "reread", "withdraw"),
  symbol: fc.constantFrom("A", "B", "C"),
  year: fc.constantFrom("2024", "2025"),
  day: fc.integer({ min: 1, max: 4 }),
  pageRows: fc.constantFrom(1, 3, 1_000),
});

/** The rows that a ledger leaves, by dataset and key. */
function folded(changes: readonly Change[]): Map<string, Change["after"]> {
  const rows = new Map<string, Change["after"]>();
  for (const { dataset, key, before, after } of changes) {
    const name = `${dataset} ${JSON.stringify(key)}`;
    expect(before).toEqual(rows.get(name) ?? null);
    if (after === null) rows.delete(name);
    else rows.set(name, after);
  }
  return rows;
}

test("folding the ledger from zero gives every table, whatever was replaced and merged", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 16 }), async (script) => {
      const lake = await yard.open();
      for (const [n, { kind, symbol, year, day }] of script.entries()) {
        const row = price(symbol, `${year}-03-0${day}`, n + 1);
        if (kind === "append") await lake.append([batchOf(prices, [row])]);
        if (kind === "replace") await lake.append([batchOf(prices, day > 1 ? [row] : [], of(symbol))]);
        if (kind === "event") {
          const known_at = `2026-01-01T00:00:${String(n).padStart(2, "0")}Z`;
          await lake.append([batchOf(events, [event(symbol, n, known_at)])]);
        }
        if (kind === "reread") {
          const row = lineOf(symbol, day, n, n, `2026-01-01T00:00:0${day}Z`);
          await lake.append([batchOf(lines, [row])]);
        }
        if (kind === "withdraw") await lake.append([batchOf(prices, [], of(symbol))]);
        if (kind === "compact") await lake.compact({ force: true });
      }
      const changes: Change[] = [];
      for (let after = 0; ; ) {
        const page = await ledger(lake, after, script[0]?.pageRows);
        changes.push(...page.changes);
        after = page.to;
        if (page.to === page.newest) break;
      }
      const rows = [...folded(changes).values()];
      const table = async (name: string) =>
        lake.query(`SELECT * EXCLUDE (recorded) FROM ${name} ORDER BY ALL`);
      const newest = await lake.query(
        "SELECT * EXCLUDE (recorded) FROM events QUALIFY row_number() OVER (PARTITION BY symbol, date ORDER BY known_at DESC) = 1",
      );
      const read = await lake.query(
        "SELECT * EXCLUDE (recorded) FROM lines QUALIFY row_number() OVER (PARTITION BY symbol, line ORDER BY reading DESC) = 1",
      );
      const expected = [...(await table("prices")), ...newest, ...read];
      expect(rows.length).toBe(expected.length);
      for (const row of expected) expect(rows).toContainEqual(row);
      await lake.close();
    }),
    { numRuns: drawnRuns(7, 12) },
  );
});

test("the rows of a file are in the ledger's order however many there are, and the last row of each commit has its cursor", async () => {
  const lake = await yard.open();
  const of = (symbols: number, reading: number) =>
    Array.from({ length: symbols * 100 }, (_, i) =>
      lineOf(`S${i % symbols}`, Math.floor(i / symbols), reading, i, "2026-03-03T10:00:00Z"),
    );
  await lake.append([
    batchOf(lines, of(1_000, 1)),
    batchOf(scores, [{ symbol: "S1", amount: 1, source: "a" }]),
  ]);
  await lake.append([batchOf(lines, of(500, 2))]);
  const newest = await lake.generation();
  const request = { from: 0, to: newest, datasets: DATASETS };
  for (const format of ["parquet", "csv", "ndjson"] as const) {
    const file = await lake.ledgerOut(request, { format, objects: "VARCHAR" });
    if (file === null) throw new Error("the ledger has no rows");
    const read = { parquet: "read_parquet", csv: "read_csv", ndjson: "read_json" }[format];
    const rows = await lake.query<Record<string, number>>(
      `SELECT count(*) AS rows, count(*) FILTER (cursor = data_version) AS ends,
         count(*) FILTER (cursor = data_version AND following IS NOT DISTINCT FROM data_version) AS early,
         count(*) FILTER (place < previous) AS disordered
       FROM (SELECT *, lead(data_version) OVER () AS following, lag(place) OVER () AS previous
         FROM (SELECT *, row(data_version, dataset, key->>'symbol', (key->>'line')::INTEGER) AS place
           FROM ${read}('${file.path}')))`,
    );
    expect([format, rows]).toEqual([format, [{ rows: 150_001, ends: 2, early: 0, disordered: 0 }]]);
    await file.discard();
  }
});

test("large commits are sorted by themselves: the changes, their order and their cursors are those of each commit and dataset", async () => {
  const lake = await yard.open();
  // As few as make a commit of one dataset large (LARGE_ROWS).
  const [symbols, days] = [210, 100];
  const each = <T>(make: (symbol: string, at: number) => T): T[] =>
    Array.from({ length: symbols * days }, (_, i) => make(`S${i % symbols}`, Math.floor(i / symbols)));
  const date = (at: number) => new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10);
  const closes = (more: number) => each((symbol, at) => price(symbol, date(at), at + more));
  await lake.append([
    batchOf(prices, closes(1)),
    batchOf(
      lines,
      each((symbol, at) => lineOf(symbol, at, 1, at, "2026-03-03T10:00:00Z")),
    ),
    batchOf(events, [event("A", 1, "2026-03-04T00:00:00Z")]),
    batchOf(scores, [{ symbol: "S1", amount: 1, source: "a" }]),
  ]);
  await lake.append([batchOf(events, [event("A", 2, "2026-03-05T00:00:00Z")])]);
  await lake.append([
    batchOf(
      lines,
      each((symbol, at) => lineOf(symbol, at, 2, at + 1, "2026-03-03T10:00:00Z")),
    ),
  ]);
  // Half of the symbols are read again, some without another value; one is gone.
  const groups = Array.from({ length: symbols / 2 }, (_, n) => [`S${n}`]);
  const again = closes(1)
    .filter(({ symbol }) => groups.some(([name]) => name === symbol) && symbol !== "S7")
    .map((row, n) => (n % 10 === 0 ? row : { ...row, close: row.close + 0.5 }));
  await lake.append([
    batchOf(prices, again, { by: ["symbol"], groups }),
    batchOf(scores, [{ symbol: "S2", amount: 1, source: "a" }]),
  ]);
  await lake.compact({ force: true });
  const to = await lake.generation();
  const range = { from: 0, to, datasets: DATASETS };
  const whole = await lake.ledger(range);
  const kinds = Map.groupBy(whole, ({ data_version, dataset: name, op }) => `${data_version} ${name} ${op}`);
  expect(Object.fromEntries([...kinds].map(([name, { length }]) => [name, length]))).toEqual({
    "1 events insert": 1,
    "1 lines insert": 21_000,
    "1 prices insert": 21_000,
    "1 scores insert": 1,
    "2 events revise": 1,
    "3 lines reread": 21_000,
    "4 prices reread": 9_360,
    "4 prices withdraw": 100,
    "4 scores insert": 1,
  });
  const byCommit: Change[] = [];
  for (let version = 0; version < to; version++)
    byCommit.push(...(await lake.ledger({ ...range, from: version, to: version + 1 })));
  expect(Bun.deepEquals(byCommit, whole)).toBe(true);
  for (const one of DATASETS) {
    const alone = await lake.ledger({ ...range, datasets: [one] });
    const same = whole.filter(({ dataset: name }) => name === one.name);
    const bare = (changes: readonly Change[]) => changes.map(({ cursor: _, ...change }) => change);
    expect([one.name, Bun.deepEquals(bare(alone), bare(same))]).toEqual([one.name, true]);
  }
  expect(
    whole.filter(({ cursor, data_version }) => cursor === data_version).map(({ cursor }) => cursor),
  ).toEqual([1, 2, 3, 4]);
  const rows = folded(whole);
  const stored = await lake.query<{ rows: number }>("SELECT count(*) AS rows FROM prices");
  expect([...rows.keys()].filter((name) => name.startsWith("prices ")).length).toBe(stored[0]?.rows ?? 0);
  // The last change of each key, whichever segment has it.
  const last = await lake.ledger({ ...range, lastUpTo: to });
  expect(last.length).toBe(rows.size + 100);
});
