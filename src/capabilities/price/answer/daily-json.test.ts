// JSON that is written while its bars are read is, byte by byte, the JSON that is made as a whole.

import { afterEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import { openWholeLake } from "../../../../test/support/whole-lake.ts";
import { barsDaily, corporateActions } from "../../../datasets/index.ts";
import { exchangeCalendar } from "../../../market/calendar.ts";
import { NotFound } from "../../../platform/errors.ts";
import { batchOf } from "../../../platform/lake/lake.ts";
import type { DailyQuery } from "../request/daily-query.ts";
import type { MultiBarsResponse } from "../schema.ts";
import { barScan, countBars } from "../store/bar-counts.ts";
import { storedBars } from "../store/stored-bars.ts";
import { storedRows } from "../store/stored-rows.ts";
import type { StoredSpan } from "../store/stored-span.ts";
import { jsonTexts, manyAnswers } from "./daily-many.ts";
import { dailyRows, streamOfTexts } from "./daily-rows.ts";
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

/** Both ways to the JSON of an answer, over one lake. */
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
    ...storedRows(lake, { stagedMax: 9, pieceMax: { parquet: 9, csv: 9, ndjson: 9 }, jsonMax: 5 }),
    counts: (span: StoredSpan) => countBars(lake, span),
    scan: (span: StoredSpan) => barScan(lake, span),
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
  const { many } = manyAnswers(deps, history, seriesReader({ store, calendar } as never, history));
  const rows = dailyRows(deps, history);
  return {
    whole: async (query: DailyQuery) => (await many(REQUESTS, query)).json.parts.join(""),
    streamed: async (query: DailyQuery) => (await rows(REQUESTS, query)).openJson(),
  };
}

const QUERY: DailyQuery = { interval: "1d", start_date: "2026-03-02", end_date: "2026-03-11" };

test("streamed JSON is that of the whole answer: bars, actions, the running session, sources, warnings, failures", async () => {
  const { whole, streamed } = await answersOver();
  for (const query of [QUERY, { ...QUERY, as_of: "2026-03-06T20:00:00Z" }]) {
    const text = await whole(query);
    expect(await new Response(await streamed(query)).text()).toBe(text);
  }
  const json: MultiBarsResponse = JSON.parse(await whole(QUERY));
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

/** A whole answer about `count` bars of two symbols. */
const SAID = (count: number) => ({
  found: {
    count,
    sources: {},
    missing: [],
    errors: {},
    not_read: [],
    warnings: [],
    cached: true,
    adjusted_through: {},
    refreshed: false,
  },
  span: { start: "2026-03-02", end: "2026-03-03", period: null, ranges: [] },
  query: QUERY,
  source: "made",
});
const BAR = { date: "2026-03-02", open: 1, high: 1, low: 1, close: 1, volume: 1, adjusted_close: 1 };
const TWO = REQUESTS.slice(0, 2);

test("an answer whose bars are fewer than it says, or cannot be read, is cut off and never whole", async () => {
  async function* series(fails: boolean) {
    yield [BAR];
    if (fails) throw new Error("the disk does not answer");
    yield [BAR, BAR];
  }
  const endOf = async (count: number, fails: boolean) => {
    const seen: string[] = [];
    const read = async () => {
      const stream = await streamOfTexts(jsonTexts(TWO, series(fails), SAID(count) as never));
      for await (const chunk of stream) seen.push(new TextDecoder().decode(chunk));
      return JSON.parse(seen.join("")).count;
    };
    const end = await read().catch((error: Error) => error.message);
    return { end, hasBegun: seen.join("").startsWith(`{"source":"made"`) };
  };
  expect(await endOf(3, false)).toEqual({ end: 3, hasBegun: true });
  expect(await endOf(4, false)).toEqual({
    end: "3 bars of 2 symbols were read, not 4 of 2",
    hasBegun: true,
  });
  expect(await endOf(3, true)).toEqual({ end: "the disk does not answer", hasBegun: true });
});

test("a failure before the first bars is an error, not a stream; a reader that stops ends the reading", async () => {
  const ended: string[] = [];
  async function* series() {
    try {
      for (;;) yield [BAR];
    } finally {
      ended.push("ended");
    }
  }
  async function* failing(reads: number) {
    if (reads === 0) throw new Error("the disk does not answer");
    yield [BAR];
  }
  await expect(streamOfTexts(jsonTexts(TWO, failing(0), SAID(1) as never))).rejects.toThrow("the disk");
  const stream = await streamOfTexts(jsonTexts(TWO, series(), SAID(1) as never));
  await stream.cancel();
  expect(ended).toEqual(["ended"]);
});
