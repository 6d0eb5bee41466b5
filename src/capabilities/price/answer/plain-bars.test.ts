// Bars that stay in the columns in which they are stored give the answer that is made bar by bar: as JSON
// byte by byte, as rows cell by cell, in one part or in several.

import { afterEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import { openWholeLake } from "../../../../test/support/whole-lake.ts";
import { barsDaily, corporateActions } from "../../../datasets/index.ts";
import { exchangeCalendar } from "../../../market/calendar.ts";
import { cellOf } from "../../../platform/cells.ts";
import { NotFound } from "../../../platform/errors.ts";
import { batchOf } from "../../../platform/lake/lake.ts";
import type { DailyQuery } from "../request/daily-query.ts";
import type { MultiBarsResponse } from "../schema.ts";
import { storedBars } from "../store/stored-bars.ts";
import { ManyAnswers, type ManyBars, type Ways } from "./daily-many.ts";
import { seriesReader } from "./read-series.ts";

const clock = fakeClock("2026-03-11T14:30:00Z");
const calendar = exchangeCalendar();
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const DAYS = ["2026-03-02", "2026-03-03", "2026-03-04", "2026-03-05", "2026-03-06"];
/** Not in the order of the files; GONE failed and EMPTY has no bar. */
const SYMBOLS = ["M", "RUNS", "GONE", "A", "EMPTY", "K"];
const REQUESTS = SYMBOLS.map((symbol) => ({ ticker: symbol === "A" ? "a" : symbol, symbol }));
const KNOWN = { currency: "USD", basis_date: "2026-03-08", known_at: "2026-03-08T21:00:00Z" };
const LIVE = {
  date: "2026-03-11",
  at: Temporal.Instant.from("2026-03-11T14:29:00Z"),
  open: 47,
  high: 48.25,
  low: 46,
  close: 47.5,
  volume: 300,
  adj_close: 47.5,
};

/** The ways to an answer, over one lake. */
async function answersOver() {
  const dir = await mkdtemp(join(tmpdir(), "json-"));
  const lake = await openWholeLake(dir, clock);
  open.push(async () => {
    await lake.close();
    await rm(dir, { recursive: true });
  });
  const bars = ["A", "K", "M", "RUNS"].flatMap((symbol, s) =>
    DAYS.slice(s % 2).map((date, d) => {
      const close = 10.25 * (s + 1) + d;
      const prices = { open: d === 0 ? null : close, high: close + 1, low: close - 1, close };
      const adj_close = symbol === "A" && d === 1 ? null : close;
      return { symbol, date, ...prices, volume: 100, adj_close, ...KNOWN, source: s < 3 ? "made" : "other" };
    }),
  );
  const action = { missing_through: null, basis_date: "2026-03-08", known_at: "2026-03-08T21:00:00Z" };
  const dividend = { kind: "dividend", numerator: null, denominator: null, price_factor: 0.99 };
  const split = { kind: "split", amount: null, currency: null, numerator: 3, denominator: 2 };
  await lake.append([
    batchOf(barsDaily, bars),
    batchOf(corporateActions, [
      { symbol: "K", ex_date: "2026-03-04", ...split, price_factor: 2 / 3, ...action, source: "made" },
      {
        symbol: "M",
        ex_date: "2026-03-05",
        amount: 0.5,
        currency: "USD",
        ...dividend,
        ...action,
        source: "made",
      },
      {
        symbol: "M",
        ex_date: "2026-03-04",
        amount: 0.5,
        currency: "GBP",
        ...dividend,
        ...action,
        source: "made",
      },
    ]),
  ]);
  const store = {
    ...storedBars(lake),
  };
  const outcome = (symbol: string) => ({
    asked: symbol === "GONE",
    failure: symbol === "GONE" ? new NotFound("ticker_not_found", "GONE is not known.") : null,
    missing: symbol === "M" ? ["2026-03-02", "2026-03-03"] : [],
  });
  const history = {
    collect: async () => new Map(SYMBOLS.map((symbol) => [symbol, outcome(symbol)])),
    provisional: (symbol: string) => (symbol === "RUNS" ? [LIVE] : []),
    provisionalSource: (symbol: string) => (symbol === "RUNS" ? "live" : null),
    seamOf: () => null,
    facts: () => () => ({
      listing: null,
      currency: "USD",
      name: null,
      actionsThrough: null,
      actionsFrom: null,
    }),
    actionsThrough: async () => (symbol: string) => (symbol === "K" ? null : "2026-03-10"),
  } as never;
  const deps = { store, calendar, clock, source: { name: "fallback" } } as never;
  const series = seriesReader({ store, calendar } as never, history);
  const way = (ways: Ways) => (query: DailyQuery) =>
    new ManyAnswers(deps, history, series, ways).many(REQUESTS, query);
  return {
    barByBar: way({ isPlain: () => false, rowsMax: 1_000 }),
    columns: way({ isPlain: () => true, rowsMax: 1_000 }),
    parts: way({ isPlain: () => true, rowsMax: 9 }),
    store,
  };
}

const QUERY: DailyQuery = { interval: "1d", start_date: "2026-03-02", end_date: "2026-03-11" };

async function jsonText({ json }: ManyBars): Promise<string> {
  const lists: string[] = [];
  for await (const [name, rows] of json.lists())
    lists.push(`${JSON.stringify(name)}:${JSON.stringify(rows)}`);
  return `${json.opening}${lists.join(",")}${json.closing}`;
}

async function cellsOf({ table }: ManyBars): Promise<unknown[][]> {
  const rows: unknown[][] = [];
  for await (const { rows: count, vectors } of table.batches())
    for (let row = 0; row < count; row++) rows.push(vectors.map((vector) => cellOf(vector, row)));
  return rows;
}

test("columns give the JSON and the rows that are made bar by bar, in one part and in several", async () => {
  const { barByBar, columns, parts } = await answersOver();
  for (const query of [QUERY, { ...QUERY, as_of: "2026-03-06T20:00:00Z" }]) {
    const whole = await barByBar(query);
    for (const way of [columns, parts]) {
      const found = await way(query);
      expect(await jsonText(found)).toBe(await jsonText(whole));
      expect(await cellsOf(found)).toEqual(await cellsOf(whole));
      expect([found.table.columns, found.table.notes]).toEqual([whole.table.columns, whole.table.notes]);
    }
  }
});

test("an answer has bars, actions, the running session, sources, warnings and failures", async () => {
  const json: MultiBarsResponse = JSON.parse(await jsonText(await (await answersOver()).columns(QUERY)));
  expect(json).toMatchObject({ count: 19, source: "live,made,other", missing: ["GONE", "EMPTY"] });
  expect(json.sources).toEqual({ M: "made", RUNS: "live,other", a: "made", K: "made" });
  expect(Object.keys(json.bars)).toEqual(["M", "RUNS", "GONE", "a", "EMPTY", "K"]);
  expect(json.bars.RUNS?.at(-1)).toMatchObject({ timestamp: "2026-03-11", provisional: true });
  expect(json.bars.K?.find(({ timestamp }) => timestamp === "2026-03-04")).toMatchObject({
    split_ratio: 1.5,
  });
  expect(json.bars.M?.filter(({ dividend }) => dividend).map(({ timestamp }) => timestamp)).toEqual([
    "2026-03-05",
  ]);
  expect(json.warnings?.join()).toContain("0.5 GBP a share");
});

test("an answer whose bars are fewer than it says, or cannot be read, is cut off and never whole", async () => {
  const { parts, store } = await answersOver();
  const found = await parts(QUERY);
  const { columnsAndActions } = store;
  store.columnsAndActions = async (span) =>
    columnsAndActions({ ...span, ranges: [{ start: "2026-03-03", end: "2026-03-11" }] });
  await expect(jsonText(found)).rejects.toThrow("bars were read, not 19");
  store.columnsAndActions = () => Promise.reject(new Error("the disk does not answer"));
  await expect(cellsOf(await parts(QUERY).catch(() => found))).rejects.toThrow("the disk does not answer");
});
