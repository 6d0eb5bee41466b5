// The company a symbol of the panel stood for: two that held it one after the other are kept apart.
import { expect, test } from "bun:test";
import { panelBatches } from "./panel-batches.ts";
import type { PanelCloses, PanelRun } from "./sources.ts";

const run = (symbol: string, first: string, last: string, more: Partial<PanelRun> = {}): PanelRun => ({
  symbol,
  first_date: first,
  last_date: last,
  missing: 10,
  missing_first: first,
  missing_last: last,
  is_current: false,
  newest_date: last,
  ...more,
});
const none: PanelCloses = async () => new Map();
const signal = new AbortController().signal;

async function batches(runs: readonly PanelRun[], closes: PanelCloses = none) {
  const all = [];
  for await (const batch of panelBatches(runs, closes, signal)) all.push(batch);
  return all;
}

test("symbols that trade are requested as of today, delisted ones as of their last day", async () => {
  const found = await batches([
    run("NOW", "2020-01-02", "2026-09-08", { is_current: true }),
    run("ALSO", "2024-01-02", "2026-09-04", { is_current: true, missing_first: "2026-09-01" }),
    run("GONE", "2019-01-02", "2021-05-28"),
  ]);
  expect(
    found.map(({ runs, start, end, asof, isFormer }) => [
      runs.map((r) => r.symbol),
      start,
      end,
      asof,
      isFormer,
    ]),
  ).toEqual([
    [["GONE"], "2019-01-02", "2021-05-28", "2021-05-28", false],
    [["NOW", "ALSO"], "2020-01-02", "2026-09-08", undefined, false],
  ]);
});

const REUSED = [
  run("X", "2017-01-03", "2019-03-01", { newest_date: "2026-09-08" }),
  run("X", "2022-02-01", "2026-09-08", { is_current: true }),
];

test("an earlier holder whose closes differ from the present one's, or are missing, is a former company", async () => {
  const asked: string[] = [];
  const others: PanelCloses = async (symbol, start, end, asof) => {
    asked.push(`${symbol} ${start} ${end} ${asof}`);
    return new Map([["2019-02-28", asof === "2019-03-01" ? 12 : 31]]);
  };
  for (const closes of [others, none]) {
    const [first, second] = await batches(REUSED, closes);
    expect(first).toMatchObject({
      asof: "2019-03-01",
      isFormer: true,
      start: "2017-01-03",
      end: "2019-03-01",
    });
    expect(second).toMatchObject({ asof: undefined, isFormer: false, start: "2022-02-01" });
  }
  expect(asked).toEqual(["X 2019-02-08 2019-03-01 2019-03-01", "X 2019-02-08 2019-03-01 2026-09-08"]);
});

test("a company that was absent for a while, as in a long halt, stays one company", async () => {
  const same: PanelCloses = async () =>
    new Map([
      ["2019-02-28", 12],
      ["2019-03-01", 12.5],
    ]);
  const [first] = await batches(REUSED, same);
  expect(first).toMatchObject({ asof: "2026-09-08", isFormer: false });
});

test("two runs of one symbol are never in one batch, and a batch has a hundred", async () => {
  const gone = Array.from({ length: 120 }, (_, i) => run(`S${i}`, "2020-01-02", "2021-05-28"));
  const same: PanelCloses = async () => new Map([["2018-03-01", 5]]);
  const twice = [run("S0", "2018-01-02", "2018-03-01", { newest_date: "2021-05-28" }), ...gone];
  const found = await batches(twice, same);
  expect(found.map((batch) => batch.runs.length).sort()).toEqual([1, 100, 20].sort());
  for (const { runs } of found) expect(new Set(runs.map((r) => r.symbol)).size).toBe(runs.length);
});

test("over a patchy history, runs that share a day are asked for together, and so are the comparisons", async () => {
  const asked: string[] = [];
  const closes: PanelCloses = async (symbol, start, end, asof) => {
    asked.push(`${start} ${end} ${asof}`);
    // An even symbol's earlier company is its present one.
    const close = Number(symbol.slice(1)) % 2 === 0 || asof < "2020-01-01" ? 12 : 31;
    return new Map([
      ["2019-02-28", close],
      ["2019-03-12", close],
      // After the run of most symbols: another company's.
      ["2019-03-26", asof < "2020-01-01" ? 12 : 99],
    ]);
  };
  const days = (i: number) => String((i % 27) + 1).padStart(2, "0");
  const patchy = Array.from({ length: 60 }, (_, i) => [
    run(`P${i}`, "2017-01-03", `2019-03-${days(i % 20)}`, { newest_date: "2026-09-08" }),
    run(`P${i}`, "2022-02-01", "2026-09-08", { is_current: true }),
  ]).flat();
  const gone = Array.from({ length: 60 }, (_, i) => run(`G${i}`, "2018-01-02", `2021-05-${days(i)}`));
  const found = await batches([...patchy, ...gone], closes);
  expect(found.map(({ runs, asof, isFormer }) => [runs.length, asof, isFormer])).toEqual([
    [30, "2019-03-02", true],
    [30, "2026-09-08", false],
    [60, "2021-05-01", false],
    [60, undefined, false],
  ]);
  // Each day that holders are compared for is one request for all symbols.
  expect(new Set(asked)).toEqual(
    new Set(["2019-02-08 2019-03-20 2019-03-01", "2019-02-08 2019-03-20 2026-09-08"]),
  );
});

test("progress shows before the last holder is known: a thousand runs at a time", async () => {
  let asked = 0;
  const closes: PanelCloses = async () => {
    asked++;
    return new Map();
  };
  const many = Array.from({ length: 3_000 }, (_, i) =>
    run(`S${i}`, "2017-01-03", "2019-03-01", { newest_date: "2026-09-08" }),
  );
  for await (const { runs } of panelBatches(many, closes, signal)) {
    expect(runs.length).toBe(100);
    break;
  }
  expect(asked).toBe(2 * 1_000);
});
