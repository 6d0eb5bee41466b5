// The arrays and the macro are asked the same, on lakes made up at random: every cell is equal, bit for bit.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { drawnFor, drawnRuns } from "../../../../test/support/seed.ts";
import { openWholeLake } from "../../../../test/support/whole-lake.ts";
import { FINAL_BASIS } from "../../../datasets/bars-daily.ts";
import { actionCoverage, barsDaily, corporateActions } from "../../../datasets/index.ts";
import { exchangeCalendar } from "../../../market/calendar.ts";
import { addDays } from "../../../market/date.ts";
import { systemClock } from "../../../platform/clock.ts";
import type { RowOf } from "../../../platform/lake/dataset.ts";
import { batchOf, type ColumnsResult, type Lake } from "../../../platform/lake/lake.ts";
import { Reading } from "../../../platform/reading.ts";
import { plainColumns } from "./columns.ts";
import { SERIES_COLUMNS, type SeriesBars, seriesBars } from "./series-bars.ts";
import { barsSql, OWN } from "./stored-span.ts";

setDefaultTimeout(1_200_000);

type BarRow = RowOf<typeof barsDaily>;

const SYMBOLS = ["AA", "B.B", "C", "CC", "D^A", "EVERY", "FEW", "G", "H", "LATE", "LATER", "ONE", "Z"];
const FIRST = "2023-11-20";
const DAYS = 700;
const calendar = exchangeCalendar();

/** Draws of a seed. */
function drawer(name: string) {
  const drawn = drawnFor(name);
  const below = (n: number) => Math.floor(drawn() * n);
  const among = <T>(...all: readonly T[]): T => all[below(all.length)] as T;
  return { drawn, below, among, day: () => addDays(FIRST, below(DAYS)), chance: (p: number) => drawn() < p };
}
type Drawer = ReturnType<typeof drawer>;

const instantOn = ({ below }: Drawer, day: string) =>
  `${day}T${String(below(24)).padStart(2, "0")}:${String(below(60)).padStart(2, "0")}:00Z`;

/** A price as a provider writes or computes one: of any size, with few digits or with all. */
function price(draw: Drawer, size: number): number | null {
  if (draw.chance(0.04)) return null;
  const x = size * (0.5 + draw.drawn());
  return draw.among(
    () => Number(x.toPrecision(4)),
    () => Number(x.toFixed(2)) || x,
    () => Math.fround(x),
    () => x,
  )();
}

/** Bars of one fetch of a symbol: some sessions before its basis, all with one basis and known_at. */
function fetchOf(draw: Drawer, symbol: string, size: number): BarRow[] {
  const basis = draw.day();
  const isFormer = draw.chance(0.06);
  const from = addDays(basis, -draw.among(3, 40, 400));
  const step = draw.among(1, 1, 3, 11);
  const sessions = calendar
    .sessionsBetween(from < FIRST ? FIRST : from, basis)
    .filter((_, at) => at % step === 0);
  const known_at = instantOn(draw, addDays(basis, draw.below(2)));
  return sessions.slice(-draw.among(1, 10, 60, 300)).map((date) => ({
    symbol,
    date,
    open: price(draw, size),
    high: price(draw, size),
    low: price(draw, size),
    close: price(draw, size) ?? -size,
    volume: draw.chance(0.05) ? null : draw.among(0, 1, 7, draw.below(1e6), draw.below(1e12)),
    adj_close: price(draw, size),
    currency: draw.among("USD", null),
    basis_date: isFormer ? FINAL_BASIS : draw.chance(0.02) ? addDays(basis, 3) : basis,
    known_at,
    source: draw.among("yahoo", "a provider of a longer name"),
  }));
}

const FACTORS = [0.5, 1 / 3, 2, 10, 1 / 7, 0.9837, 0.999, 1, null];

function actionsOf(draw: Drawer, symbol: string): RowOf<typeof corporateActions>[] {
  // Of more than two actions that a bar lacks the engine answers: those of LATE are on two days.
  const days = symbol === "LATE" ? ["2024-06-14", "2025-02-03"] : null;
  return Array.from({ length: draw.below(6) }, () => {
    const ex_date = draw.among(...(days ?? [draw.day()]));
    const kind =
      symbol === "LATE"
        ? ex_date < "2025"
          ? "split"
          : "dividend"
        : draw.among("split", "dividend", "dividend", "capital_gain", "unusable");
    const reports = draw.among(1, 1, 2);
    return Array.from({ length: reports }, () => ({
      symbol,
      ex_date,
      kind,
      amount: null,
      currency: null,
      numerator: null,
      denominator: null,
      price_factor: draw.among(...FACTORS),
      missing_through:
        symbol.startsWith("LATE") && draw.chance(0.6) ? addDays(ex_date, draw.below(200)) : null,
      basis_date: ex_date,
      known_at: instantOn(draw, addDays(ex_date, draw.below(90) - 30)),
      source: "yahoo",
    }));
  }).flat();
}

const coverageOf = (draw: Drawer, symbol: string) => ({
  symbol,
  from_date: draw.chance(0.7) ? FIRST : draw.day(),
  incomplete_through: draw.chance(0.2) ? draw.day() : null,
  known_at: instantOn(draw, draw.day()),
  source: "yahoo",
});

/** Stores what some commits of fetches would. */
async function fillLake(lake: Lake, draw: Drawer): Promise<void> {
  const sizes = new Map(SYMBOLS.map((symbol) => [symbol, draw.among(1e-8, 0.003, 1, 37, 1000, 1e5, 1e12)]));
  for (let commit = 0; commit < 8; commit++) {
    const some = SYMBOLS.filter(() => draw.chance(0.6));
    const bars = some.flatMap((symbol) => fetchOf(draw, symbol, sizes.get(symbol) ?? 1));
    const first = new Map(bars.map((bar) => [`${bar.symbol} ${bar.date}`, bar]));
    await lake.append([
      batchOf(
        corporateActions,
        draw.chance(0.7) ? some.flatMap((symbol) => (symbol === "C" ? [] : actionsOf(draw, symbol))) : [],
      ),
      batchOf(barsDaily, [...first.values()]),
      batchOf(
        actionCoverage,
        some.filter(() => draw.chance(0.5)).map((symbol) => coverageOf(draw, symbol)),
      ),
    ]);
    if (draw.chance(0.2)) await lake.compact({ dataset: "bars_daily", force: draw.chance(0.5) });
  }
}

/** One question to the macro, for all symbols and days, and of the arrays by several questions. */
interface Moment {
  readonly asOf: Temporal.Instant | null;
  readonly version: number | null;
}
type Ranges = readonly { start: string | null; end: string }[];

function momentOf(draw: Drawer, newest: number): Moment {
  const day = draw.day();
  const text = draw.among(
    instantOn(draw, day),
    `${day}T13:30:00Z`,
    `${day}T14:29:59.999Z`,
    `${addDays(day, 1)}T04:59:59.999999999Z`,
    draw.chance(0.2) ? "2022-01-01T00:00:00Z" : `${addDays(FIRST, DAYS)}T12:00:00Z`,
  );
  const asOf = draw.chance(0.3) ? null : Temporal.Instant.from(text);
  return { asOf, version: draw.chance(0.25) ? 1 + draw.below(newest) : null };
}

function rangesOf(draw: Drawer): Ranges {
  const [a, b] = [draw.day(), draw.day()].sort() as [string, string];
  return draw.among<() => Ranges>(
    () => [{ start: null, end: b }],
    () => [{ start: a, end: b }],
    () => [{ start: a, end: a }],
    () => [
      { start: FIRST, end: a },
      { start: addDays(b, 1), end: addDays(FIRST, DAYS) },
    ],
  )();
}

const NAMES = SERIES_COLUMNS.map(({ name }) => name);
const NOW = Temporal.Instant.from("2026-01-15T15:00:00Z");
const inVersion = <T>({ version }: Moment, work: () => Promise<T>) =>
  new Reading(version === null ? null : { version, now: NOW }).run(work);

const cellsOf = ({ columns, rowCount }: ColumnsResult) =>
  Array.from({ length: rowCount }, (_, row) => columns.map((column) => column[row]));

/** The rows of all symbols as the macro has them. */
const macroRows = (lake: Lake, moment: Moment) =>
  inVersion(moment, async () =>
    cellsOf(
      await lake.columns(
        `SELECT ${NAMES.join(", ")} FROM ${barsSql(moment.asOf)} WHERE ${OWN} ORDER BY symbol, date`,
      ),
    ),
  );

let dir = "";
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "series-"));
});
afterAll(() => rm(dir, { recursive: true }));

const counts = { questions: 0, rows: 0, empty: 0, engine: 0 };

/** Asks the arrays, and expects the macro's rows of these symbols and days. */
async function ask(
  draw: Drawer,
  batches: ReturnType<typeof seriesBars>,
  moment: Moment,
  symbols: readonly string[],
  rows: readonly unknown[][],
) {
  const ranges = rangesOf(draw);
  const found = await inVersion(moment, async () => {
    const read = await batches(symbols, ranges, moment.asOf);
    return read && cellsOf(await plainColumns(read.batches, SERIES_COLUMNS, NAMES));
  });
  counts.questions++;
  if (found === null) return void counts.engine++;
  const isIn = (day: string) =>
    ranges.some(({ start, end }) => (start === null || start <= day) && day <= end);
  const wanted = rows.filter(([symbol, day]) => symbols.includes(symbol as string) && isIn(day as string));
  const differing = wanted.filter(
    (cells, row) => !cells.every((cell, at) => Object.is(cell, found[row]?.[at])),
  );
  expect({ moment, symbols, ranges, rows: found.length, differing: differing.slice(0, 3) }).toEqual({
    moment,
    symbols,
    ranges,
    rows: wanted.length,
    differing: [],
  });
  counts.rows += found.length;
  if (found.length === 0) counts.empty++;
}

/** Moments of each lake, and questions of each about one symbol, and about many. */
const [MOMENTS, QUESTIONS] = [50, 3];

test("arrays and macro give the same bars to every question", async () => {
  const lakes = Math.ceil(drawnRuns(1, 10_000 / (MOMENTS * QUESTIONS * 2)));
  for (let at = 0; at < lakes; at++) {
    const draw = drawer(`series of lake ${at}`);
    const lake = await openWholeLake(join(dir, String(at)));
    await fillLake(lake, draw);
    const batches = seriesBars({ lake, calendar, clock: systemClock });
    const newest = await lake.generation();
    for (let n = 0; n < MOMENTS; n++) {
      const moment = momentOf(draw, newest);
      const rows = await macroRows(lake, moment);
      for (const symbols of [
        [draw.among(...SYMBOLS)],
        SYMBOLS.filter((each) => draw.chance(each === "LATER" ? 0.1 : 0.4)),
      ])
        for (let each = 0; each < QUESTIONS; each++) await ask(draw, batches, moment, symbols, rows);
    }
    await lake.close();
  }
  // Those about a symbol with more late actions than two.
  expect(counts.engine).toBeLessThan(counts.questions / 5);
  expect(counts.empty).toBeLessThan(counts.questions / 2);
});

const KNOWN = { basis_date: "2026-03-06", known_at: "2026-03-06T22:00:00Z", source: "made" };
const bar = (symbol: string, date: string, close: number, adj_close: number | null): BarRow => ({
  symbol,
  date,
  open: close,
  high: close + 1,
  low: close - 1,
  close,
  volume: 1_000,
  adj_close,
  currency: "USD",
  ...KNOWN,
});
const split = (symbol: string): RowOf<typeof corporateActions> => ({
  symbol,
  ex_date: "2026-03-10",
  kind: "split",
  amount: null,
  currency: null,
  numerator: 2,
  denominator: 1,
  price_factor: 0.5,
  missing_through: null,
  basis_date: "2026-03-10",
  known_at: "2026-03-10T21:00:00Z",
  source: "made",
});

/** A lake with a symbol without actions, and one with a split after its bars. */
async function stocked(name: string): Promise<Lake> {
  const lake = await openWholeLake(join(dir, name));
  const bars = ["NONE", "SPLIT"].flatMap((symbol) => [
    bar(symbol, "2026-03-04", 10, 9.12345678901234),
    bar(symbol, "2026-03-05", 12, 11.5),
    bar(symbol, "2026-03-06", 14, null),
  ]);
  await lake.append([batchOf(barsDaily, bars), batchOf(corporateActions, [split("SPLIT")])]);
  return lake;
}

const MARCH = [{ start: "2026-03-01", end: "2026-03-31" }];
const closesOf = (read: SeriesBars | null) =>
  read && plainColumns(read.batches, SERIES_COLUMNS, ["close", "adj_close"]).then(({ columns }) => columns);

test("a symbol without actions is known by the third read, and no longer once it has one", async () => {
  const lake = await stocked("known");
  const read = seriesBars({ lake, calendar, clock: systemClock });
  const haveActions = async (symbol: string) => (await read([symbol], MARCH, null))?.haveActions;
  expect(await haveActions("NONE")).toBe(true);
  while (await haveActions("NONE")) await Bun.sleep(1);
  expect(await haveActions("SPLIT")).toBe(true);
  expect(await closesOf(await read(["NONE"], MARCH, null))).toEqual([
    [10, 12, 14],
    [9.123457, 11.5, null],
  ]);
  const version = await lake.generation();
  await lake.append([batchOf(corporateActions, [split("NONE")])]);
  expect(await haveActions("NONE")).toBe(true);
  const now = [
    [5, 6, 7],
    [4.561728, 5.75, null],
  ];
  expect(await closesOf(await read(["NONE"], MARCH, null))).toEqual(now);
  // The version before it does not have it.
  const before = await inVersion({ asOf: null, version }, async () =>
    closesOf(await read(["NONE"], MARCH, null)),
  );
  expect(before?.[0]).toEqual([10, 12, 14]);
  await lake.close();
});

test("an action that is stored while bars are read has them read again, on its basis", async () => {
  const lake = await stocked("meanwhile");
  let reads = 0;
  const series: Lake["series"] = async (...asked) => {
    const found = await lake.series(...asked);
    if (++reads === 1) await lake.append([batchOf(corporateActions, [split("NONE")])]);
    return found;
  };
  const read = seriesBars({ lake: { ...lake, series }, calendar, clock: systemClock });
  expect((await closesOf(await read(["NONE"], MARCH, null)))?.[0]).toEqual([5, 6, 7]);
  expect(reads).toBe(2);
  await lake.close();
});

test("without a file of actions no symbol counts as having none, and each read notes the loss", async () => {
  const lake = await stocked("damaged");
  const folder = join(dir, "damaged", "lake", corporateActions.name);
  const [name = ""] = (await readdir(folder)).filter((each) => each.endsWith(".parquet"));
  const bytes = await Bun.file(join(folder, name)).bytes();
  bytes[40] = (bytes[40] ?? 0) ^ 1;
  await Bun.write(join(folder, name), bytes);
  const read = seriesBars({ lake, calendar, clock: systemClock });
  for (let round = 0; round < 4; round++) {
    const reading = new Reading();
    const found = await reading.run(() => read(["SPLIT"], MARCH, null));
    expect(found?.haveActions).toBe(true);
    expect([...reading.damage.values()].map(({ dataset }) => dataset)).toEqual([corporateActions.name]);
    // The list of symbols is read meanwhile.
    await Bun.sleep(5);
  }
  await lake.close();
});
