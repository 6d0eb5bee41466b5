// A symbol is whole when its stored days are exactly the expected ones, however many others share them.
import { afterEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import { FINAL_BASIS } from "../../datasets/bars-daily.ts";
import { barsDaily, DATASETS, MACROS } from "../../datasets/index.ts";
import { batchOf, type Lake, openLake } from "../../platform/lake/lake.ts";
import { incompleteSymbols } from "./whole-series.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function lakeOf(
  stored: Readonly<Record<string, readonly string[]>>,
  former: Record<string, string> = {},
) {
  const dir = await mkdtemp(join(tmpdir(), "whole-"));
  const lake: Lake = await openLake({
    dir,
    datasets: DATASETS,
    macros: MACROS,
    clock: fakeClock("2026-03-11T21:00:00Z"),
  });
  open.push(async () => {
    await lake.close();
    await rm(dir, { recursive: true });
  });
  const barOf = (symbol: string, date: string, basis_date: string) => ({
    symbol,
    date,
    open: 1,
    high: 1,
    low: 1,
    close: 1,
    volume: 1,
    adj_close: 1,
    currency: "USD",
    basis_date,
    known_at: "2026-03-08T21:00:00Z",
    source: "made",
  });
  await lake.append([
    batchOf(barsDaily, [
      ...Object.entries(stored).flatMap(([symbol, days]) =>
        days.map((day) => barOf(symbol, day, "2026-03-08")),
      ),
      ...Object.entries(former).map(([symbol, day]) => barOf(symbol, day, FINAL_BASIS)),
    ]),
  ]);
  return lake;
}

const WEEK = ["2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05", "2026-03-06"];
const LATER = WEEK.slice(2);
const EVERY_DAY = [...WEEK.slice(0, 3), "2026-03-08"];
const RANGES = [{ start: "2026-03-01", end: "2026-03-31" }];

test("missing days, further days and other days are found, of symbols that are expected from different days on", async () => {
  const lake = await lakeOf(
    {
      WHOLE: WEEK,
      LATE: LATER,
      OTHER: EVERY_DAY,
      HOLE: WEEK.toSpliced(1, 1),
      MORE: [...WEEK, "2026-03-07"],
      MOVED: [...WEEK.slice(0, 4), "2026-03-07"],
      BEFORE: WEEK,
      OUTSIDE: [...WEEK, "2026-04-01"],
      UNASKED: WEEK,
      FORMER: LATER,
    },
    { FORMER: "2026-03-02" },
  );
  const asked = [
    ...["WHOLE", "HOLE", "MORE", "MOVED", "OUTSIDE", "NONE"].map((symbol) => ({ symbol, days: WEEK })),
    // BEFORE has two days more than are expected of it, which others are expected to have.
    ...["LATE", "BEFORE", "FORMER"].map((symbol) => ({ symbol, days: LATER })),
    { symbol: "OTHER", days: EVERY_DAY },
    { symbol: "UNLISTED", days: [] },
  ];
  expect(await incompleteSymbols(lake, asked, RANGES)).toEqual(["HOLE", "MORE", "MOVED", "NONE", "BEFORE"]);
  expect(await incompleteSymbols(lake, [{ symbol: "WHOLE", days: [] }], RANGES)).toEqual(["WHOLE"]);
});
