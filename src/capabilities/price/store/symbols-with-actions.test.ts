// The bars of symbols without actions are read as they are stored, and are those of the macro; an action that
// is stored while they are read, or that a version has, and an earlier moment have them read with the macro.

import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import { openWholeLake } from "../../../../test/support/whole-lake.ts";
import { barsDaily, corporateActions } from "../../../datasets/index.ts";
import { batchOf, type Lake } from "../../../platform/lake/lake.ts";
import { Reading } from "../../../platform/reading.ts";
import { storedBars } from "./stored-bars.ts";
import { symbolsWithActions } from "./symbols-with-actions.ts";

setDefaultTimeout(1_200_000);

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const KNOWN = { basis_date: "2026-03-06", known_at: "2026-03-06T22:00:00Z", source: "made" };
const bar = (symbol: string, date: string, close: number, adj_close: number | null) => ({
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
const split = (symbol: string) => ({
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

const RANGES = [{ start: "2026-03-01", end: "2026-03-31" }];

async function stocked(): Promise<{ readonly lake: Lake; readonly dir: string }> {
  const dir = await mkdtemp(join(tmpdir(), "symbols-with-actions-"));
  const clock = fakeClock("2026-03-11T21:00:00Z");
  const lake = await openWholeLake(dir, clock);
  open.push(async () => {
    await lake.close();
    await rm(dir, { recursive: true });
  });
  const bars = ["NONE", "SPLIT"].flatMap((symbol) => [
    bar(symbol, "2026-03-04", 10, 9.12345678901234),
    bar(symbol, "2026-03-05", 12, 11.5),
    bar(symbol, "2026-03-06", 14, null),
  ]);
  await lake.append([batchOf(barsDaily, bars), batchOf(corporateActions, [split("SPLIT")])]);
  return { lake, dir };
}
const stockedLake = async () => (await stocked()).lake;

/** Whether the symbols are found to have no actions, once the symbols that have some are known. */
async function untilKnown({ read }: ReturnType<typeof symbolsWithActions>, symbol: string) {
  for (;;) {
    if (await read([symbol], null, async (haveNone) => haveNone)) return;
    await Bun.sleep(5);
  }
}

const seen = async (
  { read }: ReturnType<typeof symbolsWithActions>,
  symbols: readonly string[],
  asOf: Temporal.Instant | null = null,
): Promise<readonly boolean[]> => {
  const calls: boolean[] = [];
  await read(symbols, asOf, async (haveNone) => calls.push(haveNone));
  return calls;
};

test("only symbols without any action are read as they are stored, once these are known", async () => {
  const known = symbolsWithActions(await stockedLake());
  expect(await seen(known, ["NONE"])).toEqual([false]);
  await untilKnown(known, "NONE");
  expect(await seen(known, ["NONE", "UNKNOWN"])).toEqual([true]);
  expect(await seen(known, ["SPLIT"])).toEqual([false]);
  expect(await seen(known, ["NONE", "SPLIT"])).toEqual([false]);
  expect(await seen(known, ["NONE"], Temporal.Instant.from("2026-03-09T21:00:00Z"))).toEqual([false]);
});

test("without a file of actions no symbol counts as having none, and each read notes the loss", async () => {
  const { lake, dir } = await stocked();
  const folder = join(dir, "lake", corporateActions.name);
  const [name = ""] = (await readdir(folder, { recursive: true })).filter((each) =>
    /^(?!_delta_log).*\.parquet$/.test(each),
  );
  const bytes = await readFile(join(folder, name));
  bytes[40] = (bytes[40] ?? 0) ^ 1;
  await writeFile(join(folder, name), bytes);
  const known = symbolsWithActions(lake);
  const noted = async () => {
    const reading = new Reading();
    reading.pinned = await lake.generation();
    const calls = await reading.run(() =>
      known.read(["SPLIT"], null, async (haveNone) => {
        await storedBars(lake).bars(["SPLIT"], RANGES, null, { haveNoActions: haveNone });
        return haveNone;
      }),
    );
    // The list is read meanwhile.
    await Bun.sleep(20);
    return [calls, [...reading.damage.values()].map(({ dataset }) => dataset)];
  };
  const answers = [await noted(), await noted(), await noted(), await noted()];
  expect(answers).toEqual(answers.map(() => [false, [corporateActions.name]]));
});

const inVersion = (version: number) =>
  new Reading({ version, now: Temporal.Instant.from("2026-03-11T21:00:00Z") });

test("in an earlier version the symbols that have no action now have none", async () => {
  const lake = await stockedLake();
  const known = symbolsWithActions(lake);
  await untilKnown(known, "NONE");
  const version = await lake.generation();
  expect(await inVersion(version).run(() => seen(known, ["NONE"]))).toEqual([true]);
  expect(await inVersion(version).run(() => seen(known, ["SPLIT"]))).toEqual([false]);
  const read = (haveNoActions: boolean) => storedBars(lake).bars(["NONE"], RANGES, null, { haveNoActions });
  const before = await inVersion(version).run(() => known.read(["NONE"], null, read));
  expect(before).toEqual(await inVersion(version).run(() => read(false)));

  // An action that is stored later belongs to no earlier version; its symbol is read with the macro all the
  // same.
  await lake.append([batchOf(corporateActions, [split("NONE")])]);
  await lake.compact({ force: true });
  await untilKnown(known, "UNKNOWN");
  expect(await inVersion(version).run(() => seen(known, ["NONE"]))).toEqual([false]);
  expect(await inVersion(version).run(() => known.read(["NONE"], null, read))).toEqual(before);
  expect(await seen(known, ["NONE"])).toEqual([false]);
});

test("rows that are sent from the version that their answer names have no action that was stored later", async () => {
  const lake = await stockedLake();
  const known = symbolsWithActions(lake);
  await untilKnown(known, "NONE");
  const sending = new Reading();
  sending.pinned = await lake.generation();
  const read = (haveNoActions: boolean) => storedBars(lake).bars(["NONE"], RANGES, null, { haveNoActions });
  expect(await sending.run(() => seen(known, ["NONE"]))).toEqual([true]);
  const before = await sending.run(() => known.read(["NONE"], null, read));
  expect(before).toEqual(await sending.run(() => read(false)));
  await lake.append([batchOf(corporateActions, [split("NONE")])]);
  expect(await sending.run(() => seen(known, ["NONE"]))).toEqual([false]);
  expect(await sending.run(() => known.read(["NONE"], null, read))).toEqual(before);
  expect(await read(false)).not.toEqual(before);
});

test("the bars are those of the macro, with and without an adjusted close", async () => {
  const bars = storedBars(await stockedLake());
  const [plain, scaled] = await Promise.all(
    [true, false].map((haveNoActions) => bars.bars(["NONE"], RANGES, null, { haveNoActions })),
  );
  expect(plain).toEqual(scaled as NonNullable<typeof scaled>);
  expect(plain?.rowCount).toBe(3);
  const [close, adjusted] = ["close", "adj_close"].map((name) => plain?.columns[plain.names.indexOf(name)]);
  expect(Array.from(close as ArrayLike<unknown>)).toEqual([10, 12, 14]);
  expect(Array.from(adjusted as ArrayLike<unknown>)).toEqual([9.123457, 11.5, null]);
});

test("bars of several files and symbols are in the order of the macro", async () => {
  const lake = await stockedLake();
  await lake.append([
    batchOf(barsDaily, [bar("NONE", "2026-03-03", 8, 7.5), bar("ALSO", "2026-03-05", 3, 3)]),
  ]);
  const bars = storedBars(lake);
  const [plain, scaled] = await Promise.all(
    [true, false].map((haveNoActions) => bars.bars(["NONE", "ALSO"], RANGES, null, { haveNoActions })),
  );
  expect(plain).toEqual(scaled as NonNullable<typeof scaled>);
  expect(plain?.columns.slice(0, 2)).toEqual([
    ["ALSO", "NONE", "NONE", "NONE", "NONE"],
    ["2026-03-05", "2026-03-03", "2026-03-04", "2026-03-05", "2026-03-06"],
  ]);
});

test("an action that is stored while bars are read has them read again, on its basis", async () => {
  const lake = await stockedLake();
  const known = symbolsWithActions(lake);
  await untilKnown(known, "NONE");
  const calls: boolean[] = [];
  const found = await known.read(["NONE"], null, async (haveNoActions) => {
    calls.push(haveNoActions);
    const rows = await storedBars(lake).bars(["NONE"], RANGES, null, { haveNoActions });
    if (calls.length === 1) await lake.append([batchOf(corporateActions, [split("NONE")])]);
    return rows;
  });
  expect(calls).toEqual([true, false]);
  expect(Array.from(found.columns[found.names.indexOf("close")] as ArrayLike<unknown>)).toEqual([5, 6, 7]);
  expect(await seen(known, ["NONE"])).toEqual([false]);
});
