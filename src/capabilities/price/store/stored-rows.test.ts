// The rows of an answer in pieces are those of one piece: in the order of the request, of one version of the
// lake.

import { afterEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import { openWholeLake } from "../../../../test/support/whole-lake.ts";
import { barsDaily, corporateActions } from "../../../datasets/index.ts";
import { batchOf, type CopyFormat, type Lake } from "../../../platform/lake/lake.ts";
import { Reading } from "../../../platform/reading.ts";
import { groupsOf, planOf, type RowParts, type RowSizes, storedRows } from "./stored-rows.ts";

const clock = fakeClock("2026-03-11T21:00:00Z");
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const DAYS = ["2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05", "2026-03-06"];
/** Not in the order of the files. */
const SYMBOLS = ["M", "C", "Z", "A", "EMPTY", "K", "B"];
const KNOWN = {
  currency: "USD",
  basis_date: "2026-03-08",
  known_at: "2026-03-08T21:00:00Z",
  source: "made",
};

async function marketOf(): Promise<Lake> {
  const dir = await mkdtemp(join(tmpdir(), "rows-"));
  const lake = await openWholeLake(dir, clock);
  open.push(async () => {
    await lake.close();
    await rm(dir, { recursive: true });
  });
  const bars = SYMBOLS.filter((symbol) => symbol !== "EMPTY").flatMap((symbol, s) =>
    DAYS.slice(s % 2).map((date, d) => {
      const close = 10 * (s + 1) + d;
      const isPartlyUnknown = symbol === "Z" && d === 1;
      return {
        symbol,
        date,
        open: isPartlyUnknown ? null : close,
        high: close + 1,
        low: close - 1,
        close,
        volume: isPartlyUnknown ? null : 100 * close,
        adj_close: close,
        ...KNOWN,
      };
    }),
  );
  const split = {
    kind: "split",
    amount: null,
    currency: null,
    numerator: 2,
    denominator: 1,
    price_factor: 0.5,
  };
  const basis = { basis_date: "2026-03-10", known_at: "2026-03-10T21:00:00Z", source: "made" };
  await lake.append([
    batchOf(barsDaily, bars),
    // Every price of K is halved: its split came after its bars were fetched.
    batchOf(corporateActions, [
      { symbol: "K", ex_date: "2026-03-10", missing_through: null, ...split, ...basis },
    ]),
  ]);
  return lake;
}

const PARTS: RowParts = {
  symbols: SYMBOLS.map((symbol, at) => ({
    symbol,
    adjusted_through: at === 1 ? null : "2026-03-10",
    bars: symbol === "EMPTY" ? 0 : 5,
  })),
  actions: [
    { symbol: "C", date: "2026-03-04", dividend: 0.5, capital_gain: null, split_ratio: null, outlier: false },
    { symbol: "B", date: "2026-03-05", dividend: null, capital_gain: null, split_ratio: 2, outlier: false },
  ],
  provisional: ["C", "K"].map((symbol) => ({
    symbol,
    date: "2026-03-11",
    open: 1,
    high: 2,
    low: 0.5,
    close: 1.5,
    volume: 7,
    adjusted_close: null,
  })),
};
const SPAN = { symbols: SYMBOLS, ranges: [{ start: "2026-03-02", end: "2026-03-31" }], asOf: null };
const WHOLE: RowSizes = {
  stagedMax: 1_000,
  pieceMax: { parquet: 1_000, csv: 1_000, ndjson: 1_000 },
  jsonMax: 1_000,
};
const SIZES: readonly RowSizes[] = [
  { stagedMax: 1_000, pieceMax: { parquet: 10, csv: 10, ndjson: 10 }, jsonMax: 5 },
  { stagedMax: 12, pieceMax: { parquet: 5, csv: 5, ndjson: 5 }, jsonMax: 5 },
  { stagedMax: 1, pieceMax: { parquet: 1, csv: 1, ndjson: 1 }, jsonMax: 1 },
];

const bytesOf = async (lake: Lake, sizes: RowSizes, format: CopyFormat) =>
  new Response(await storedRows(lake, sizes).streamRows(SPAN, PARTS, format)).bytes();

/** The rows of Parquet, read back from the lake's own folder: it reads no other files. */
async function parquetRows(lake: Lake, sizes: RowSizes) {
  const { path, discard } = await lake.copyOut("SELECT 1 AS nothing", {}, "parquet");
  await Bun.write(path, await bytesOf(lake, sizes, "parquet"));
  const rows = await lake.query("SELECT * FROM read_parquet($path)", { path });
  await discard();
  return rows;
}

test("pieces of any size have the rows of one piece, in each format", async () => {
  const lake = await marketOf();
  const lines = Buffer.from(await bytesOf(lake, WHOLE, "ndjson"))
    .toString()
    .trimEnd()
    .split("\n");
  const rows = lines.map((line) => JSON.parse(line));
  const symbols = rows.map(({ symbol }) => symbol);
  expect([...new Set(symbols)]).toEqual(["M", "C", "Z", "A", "K", "B"]);
  expect(rows.filter(({ symbol }) => symbol === "C")).toEqual([
    ...DAYS.slice(1).map((date, d) => ({
      symbol: "C",
      date,
      open: 20 + d,
      high: 21 + d,
      low: 19 + d,
      close: 20 + d,
      volume: 100 * (20 + d),
      adjusted_close: 20 + d,
      dividend: date === "2026-03-04" ? 0.5 : null,
      capital_gain: null,
      split_ratio: null,
      outlier: false,
      provisional: false,
      backfilled: false,
      adjusted_through: null,
    })),
    expect.objectContaining({
      date: "2026-03-11",
      close: 1.5,
      volume: 7,
      adjusted_close: null,
      provisional: true,
    }),
  ]);
  expect(rows.find(({ symbol }) => symbol === "K")).toMatchObject({
    date: "2026-03-02",
    close: 25,
    volume: 10_000,
  });
  expect(rows.filter(({ split_ratio }) => split_ratio !== null)).toEqual([
    expect.objectContaining({ symbol: "B", date: "2026-03-05", split_ratio: 2 }),
  ]);
  for (const format of ["csv", "ndjson"] as const)
    for (const sizes of SIZES)
      expect(Buffer.from(await bytesOf(lake, sizes, format)).toString()).toBe(
        Buffer.from(await bytesOf(lake, WHOLE, format)).toString(),
      );
  for (const sizes of [WHOLE, ...SIZES]) expect(await parquetRows(lake, sizes)).toEqual(rows);
});

test("what is stored while the answer of a request is sent is not part of it", async () => {
  const lake = await marketOf();
  const before = Buffer.from(await bytesOf(lake, WHOLE, "csv")).toString();
  const reading = new Reading();
  reading.pinned = await lake.generation();
  const sizes = { stagedMax: 6, pieceMax: { parquet: 6, csv: 6, ndjson: 6 }, jsonMax: 6 };
  const stream = await reading.run(() => storedRows(lake, sizes).streamRows(SPAN, PARTS, "csv"));
  const late = {
    symbol: "B",
    date: "2026-03-09",
    open: 1,
    high: 1,
    low: 1,
    close: 1,
    volume: 1,
    adj_close: 1,
  };
  await lake.append([batchOf(barsDaily, [Object.assign(late, KNOWN)])]);
  expect(await reading.run(() => new Response(stream).text())).toBe(before);
  expect(Buffer.from(await bytesOf(lake, WHOLE, "csv")).toString()).toContain("B,2026-03-09,1.0");
});

test("symbols are grouped in order, and one with too many bars is alone", () => {
  const of = (...bars: number[]) => bars.map((count) => ({ bars: count }));
  const sizes = (groups: { bars: number }[][]) => groups.map((group) => group.map(({ bars }) => bars));
  expect(sizes(groupsOf(of(3, 3, 9, 1, 2, 3), 6))).toEqual([[3, 3], [9], [1, 2, 3]]);
  expect(sizes(groupsOf(of(0, 0), 1))).toEqual([[0, 0]]);
});

test("the first symbol with bars is read alone, the others of a pass together; what fits into one piece is one", () => {
  const symbols = [3, 3, 3, 3, 3, 3, 20].map((bars, at) => ({ at, bars }));
  const plan = (own: typeof symbols) =>
    planOf(own, { stagedMax: 12, pieceMax: 6 }).map((pass) => pass.map((piece) => piece.map(({ at }) => at)));
  const afterFirst = [
    [
      [1, 2],
      [3, 4],
    ],
    [[5]],
    [[6]],
  ];
  expect(plan(symbols)).toEqual([[[0]], ...afterFirst]);
  expect(plan([{ at: -1, bars: 0 }, ...symbols])).toEqual([[[-1, 0]], ...afterFirst]);
  expect(plan(symbols.slice(0, 2))).toEqual([[[0, 1]]]);
  expect(plan([])).toEqual([[[]]]);
});
