// Every recorded chart of Yahoo's through the provider: what holds for all of them, and the facts of the star
// cases.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { fromYahoo } from "../../src/market/spelling.ts";
import type { NotFound } from "../../src/platform/errors.ts";
import {
  type ChartInterval,
  type ChartRequest,
  type ChartResult,
  yahoo,
} from "../../src/providers/yahoo/index.ts";
import { fakeClock } from "../support/fake-clock.ts";
import { fakeUpstream } from "../support/fake-yahoo.ts";

setDefaultTimeout(1_200_000);

const folder = join(process.env.CONFORMANCE_DIR ?? join(import.meta.dir, "../../../shared/real"), "yahoo");
const calendar = exchangeCalendar();

interface Lists {
  open?: (number | null)[];
  high?: (number | null)[];
  low?: (number | null)[];
  close?: (number | null)[];
  volume?: (number | null)[];
}
interface Recorded {
  chart: {
    result:
      | {
          meta: {
            symbol: string;
            dataGranularity: string;
            exchangeTimezoneName: string;
            regularMarketTime?: number;
          };
          timestamp?: number[];
          events?: Record<string, Record<string, { date: number }>>;
          indicators: { quote: Lists[]; adjclose?: { adjclose?: (number | null)[] }[] };
        }[]
      | null;
  };
}

function read(file: string): string {
  return readFileSync(join(folder, file), "utf8");
}

function list(part: string): string[] {
  if (!existsSync(join(folder, part))) return [];
  return readdirSync(join(folder, part))
    .filter((file) => file.endsWith(".json") && !file.endsWith(".meta.json"))
    .map((file) => join(part, file));
}

/** When it was recorded: as the sidecar says, else the last thing the recording knows of. */
function recordedAt(file: string): Temporal.Instant {
  const { recordedAt: text } = JSON.parse(read(`${file}.meta.json`)) as { recordedAt: string | null };
  if (text && /^\d{8}T\d{6}Z$/.test(text)) return Temporal.Instant.from(text);
  if (text) return Temporal.Instant.fromEpochMilliseconds(Date.parse(text));
  const result = (JSON.parse(read(file)) as Recorded).chart.result?.[0];
  const seconds = Math.max(result?.meta.regularMarketTime ?? 0, ...(result?.timestamp ?? []));
  return Temporal.Instant.fromEpochMilliseconds(seconds * 1000);
}

interface Asked {
  at?: string;
  start?: string | null;
  end?: string;
  prePost?: boolean;
  status?: number;
}

/**
 * A recording as the answer to a request that fits it, by default for all it holds, at the time it was
 * recorded.
 */
function through(file: string, asked: Asked = {}): Promise<ChartResult> {
  const text = read(file);
  const result = (JSON.parse(text) as Recorded).chart.result?.[0];
  const clock = fakeClock(asked.at ?? recordedAt(file).toString());
  const upstream = fakeUpstream(clock, () => ({ body: text, status: asked.status ?? 200 }));
  const provider = yahoo({
    upstream,
    clock,
    calendar,
    log: { info() {}, warn() {} },
    credentialsPath: "/nowhere",
  });
  const request: ChartRequest = {
    symbol: fromYahoo(result?.meta.symbol ?? "") ?? result?.meta.symbol ?? "ANY",
    interval: (result?.meta.dataGranularity ?? "1d") as ChartInterval,
    start: asked.start ? Temporal.Instant.from(asked.start) : null,
    end: Temporal.Instant.from(asked.end ?? "2100-01-01T00:00:00Z"),
    prePost: asked.prePost ?? true,
  };
  return provider.chart(request);
}

async function failure(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("it did not fail");
}

const at = (text: string) => Temporal.Instant.from(text);
const seconds = (instant: Temporal.Instant) => instant.epochMilliseconds / 1000;
const barOf = (result: ChartResult, date: string) => result.bars.find((bar) => bar.date === date);

/** Date of a moment without Temporal, so that the provider's way is checked by another. */
function dateIn(zone: string, epochS: number): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short" }).format(
    new Date(epochS * 1000),
  );
}

const charts = list("chart");
if (charts.length === 0) test("skipped: no recordings", () => {});

describe.if(charts.length > 0)("every recorded chart", () => {
  for (const file of charts) {
    test(file, async () => {
      const recorded = (JSON.parse(read(file)) as Recorded).chart.result?.[0];
      if (!recorded) throw new Error("no result");
      const { timestamp = [], indicators } = recorded;
      const quote = indicators.quote[0] ?? {};
      if (timestamp.length === 0 && recorded.meta.regularMarketTime === 1561759658) {
        expect(await failure(through(file))).toMatchObject({ name: "NotFound", code: "no_data" });
        return;
      }
      const result = await through(file);
      const { bars, dropped, meta } = result;
      const daily = !/m$|h$/.test(recorded.meta.dataGranularity);
      // Nothing is lost without being counted.
      const left =
        dropped.null_rows.length +
        dropped.out_of_range +
        dropped.duplicates +
        dropped.extended +
        dropped.misplaced +
        dropped.between_bars;
      expect(bars.length + left).toBe(timestamp.length);
      expect(dropped.out_of_range + dropped.duplicates + dropped.extended + dropped.misplaced).toBe(0);
      const starts = bars.map((bar) => seconds(bar.at));
      expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b));
      if (daily)
        expect(bars.map((bar) => bar.date)).toEqual([...new Set(bars.map((bar) => bar.date))].sort());
      expect(meta.timezone).toBe(recorded.meta.exchangeTimezoneName);
      for (const bar of bars) {
        const i = timestamp.indexOf(seconds(bar.at));
        expect(bar.date).toBe(dateIn(recorded.meta.exchangeTimezoneName, timestamp[i] ?? 0));
        // As printed or as the float32 it is: not one digit is lost. A price of 0 is none (VFINX opens of the
        // 1980s).
        const same = (ours: number | null, theirs: number | null | undefined) => {
          if (ours === null || !theirs) expect(ours).toBe(theirs || null);
          else expect(ours === theirs || Math.fround(ours) === theirs).toBe(true);
        };
        same(bar.open, quote.open?.[i]);
        same(bar.high, quote.high?.[i]);
        same(bar.low, quote.low?.[i]);
        same(bar.close, quote.close?.[i]);
        same(bar.adj_close, indicators.adjclose?.[0]?.adjclose?.[i]);
        if (daily) expect(bar.volume).toBe(quote.volume?.[i] ?? null);
        expect(bar.close).toBeGreaterThan(0);
        if (bar.high !== null && bar.low !== null) expect(bar.high).toBeGreaterThanOrEqual(bar.low);
        if (bar.open !== null && bar.high !== null) expect(bar.high).toBeGreaterThanOrEqual(bar.open);
        if (bar.settled && daily) expect(seconds(bar.at)).not.toBe(recorded.meta.regularMarketTime ?? 0);
      }
      const events = Object.values(recorded.events ?? {}).flatMap((kind) => Object.values(kind));
      expect(result.actions.length).toBe(events.length);
      expect(result.actions.map((a) => a.ex_date).sort()).toEqual(
        events.map((e) => dateIn(recorded.meta.exchangeTimezoneName, e.date)).sort(),
      );
    });
  }
});

const AAPL_LIVE = "chart/AAPL_1d_range-6mo_mkttime-20250815T200001Z_live.json";
const AAPL_SETTLED = "chart/AAPL_1d_range-6mo_mkttime-20250815T200001Z_settled.json";

describe.if(charts.length > 0)("star cases of the manifest", () => {
  test("1 live and settled bar of one day differ in all but the close", async () => {
    const live = await through(AAPL_LIVE, { at: "2025-08-15T20:00:11Z" });
    expect(live.bars.at(-1)).toEqual({
      date: "2025-08-15",
      at: at("2025-08-15T20:00:01Z"),
      open: 233.73,
      high: 234.2214,
      low: 229.36,
      close: 231.59,
      volume: 54_864_147,
      adj_close: 231.59,
      settled: false,
      session: "regular",
    });
    expect(live.meta.regular_market_volume).toBe(54_864_147);
    expect(live.meta.previous_close).toBeNull();
    expect(live.basis_date).toBe("2025-08-15");
    const settled = { open: 234, high: 234.28, low: 229.34, close: 231.59, volume: 56_010_500 };
    const friday = await through(AAPL_SETTLED, { at: "2025-08-18T13:29:59Z" });
    expect(friday.bars.at(-1)).toMatchObject({ ...settled, at: at("2025-08-15T13:30:00Z"), settled: false });
    const monday = await through(AAPL_SETTLED, { at: "2025-08-18T13:30:00Z" });
    expect(monday.bars.at(-1)).toMatchObject({ ...settled, date: "2025-08-15", settled: true });
    expect(monday.bars.filter((bar) => !bar.settled)).toEqual([]);
    // A live stamp does not become settled by waiting.
    const waited = await through(AAPL_LIVE, { at: "2025-08-25T13:30:00Z" });
    expect(waited.bars.filter((bar) => !bar.settled).map((bar) => bar.date)).toEqual(["2025-08-15"]);
  });

  test("2 a settled volume is revised again", async () => {
    const later = await through("chart/AAPL_1d_range-6mo_mkttime-20250825T200001Z_settled.json");
    expect(barOf(later, "2025-08-15")).toMatchObject({ volume: 56_038_700, close: 231.59, settled: true });
  });

  test("3 the last bar of a running day moves, and is one bar of one date", async () => {
    const files = charts.filter((f) => /AAPL_1d_range-6mo_mkttime-20250826T\d+Z_live/.test(f)).sort();
    const results = await Promise.all(files.map((file) => through(file)));
    const last = results.map((result) => result.bars.at(-1));
    expect(last.map((bar) => bar && seconds(bar.at))).toEqual([
      1756215938, 1756221071, 1756228903, 1756238401,
    ]);
    expect(new Set(last.map((bar) => bar?.date))).toEqual(new Set(["2025-08-26"]));
    expect(last.some((bar) => bar?.settled)).toBe(false);
    expect(results.map((r) => r.bars.at(-2)?.date)).toEqual(Array(4).fill("2025-08-25"));
    // The day before is settled from the open on, which all of these lie after.
    expect(results.every((r) => r.bars.at(-2)?.settled)).toBe(true);
  });

  test("4 a bar outside the asked range is dropped and counted", async () => {
    const result = await through("chart/AAPL_1m_1727827200-1727913600_ppf_200_20241004T1207Z.json", {
      start: "2024-10-02T00:00:00Z",
      end: "2024-10-03T00:00:00Z",
      prePost: false,
    });
    expect(result.dropped).toEqual({
      null_rows: ["2024-10-02T15:15:00Z"],
      out_of_range: 1,
      duplicates: 0,
      extended: 0,
      misplaced: 0,
      between_bars: 0,
    });
    expect(result.bars.length).toBe(389);
    expect(result.bars[0]).toMatchObject({ at: at("2024-10-02T13:30:00Z"), close: 225.7, adj_close: null });
    expect(result.bars.at(-1)?.at).toEqual(at("2024-10-02T19:59:00Z"));
    expect(result.bars.every((bar) => bar.settled && bar.session === "regular")).toBe(true);
    // chartPreviousClose is 226.21 here.
    expect(result.meta.previous_close).toBe(226.78);
  });

  test("4 the appended last trade is a post-close row where the range does not cut it", async () => {
    const result = await through("chart/AAPL_1m_1727827200-1727913600_ppf_200_20241004T1207Z.json", {
      prePost: false,
    });
    expect(result.dropped).toMatchObject({ out_of_range: 0, extended: 1 });
    expect(result.bars.length).toBe(389);
  });

  test("5 a day without trading is an empty answer, not an error", async () => {
    const result = await through("chart/AAPL_1m_1738368000-1738454400_ppf_200_20250220T1147Z.json");
    expect(result.bars).toEqual([]);
    expect(result.dropped.null_rows).toEqual([]);
    expect(result.meta).toMatchObject({ currency: "USD", exchange: "NMS", first_trade_date: "1980-12-12" });
  });

  test("6 volumes of extended hours are unknown, not none", async () => {
    const result = await through("chart/TSLA_30m_1637539200-1637625600_ppt_200_20211123T1334Z.json");
    const of = (session: string) => result.bars.filter((bar) => bar.session === session);
    expect([of("pre").length, of("regular").length, of("post").length]).toEqual([11, 13, 6]);
    expect([...of("pre"), ...of("post")].map((bar) => bar.volume)).toEqual(Array(17).fill(null));
    expect(of("regular").every((bar) => (bar.volume ?? 0) > 0)).toBe(true);
    expect(result.bars.at(-1)?.at).toEqual(at("2021-11-22T23:30:00Z"));
    expect(result.meta.previous_close).toBe(1137.06);
    const regular = await through("chart/TSLA_30m_1637539200-1637625600_ppt_200_20211123T1334Z.json", {
      prePost: false,
    });
    expect([regular.bars.length, regular.dropped.extended]).toEqual([13, 17]);
  });

  test("7 a null row is listed, and filled in a later answer", async () => {
    const early = await through("chart/WSU.DE_1d_1691107200-1691539200_ppt_200_20230904T0853Z.json");
    expect(early.dropped.null_rows).toEqual(["2023-08-07"]);
    expect(barOf(early, "2023-08-07")).toBeUndefined();
    const late = await through("chart/WSU.DE_1d_1691107200-1691539200_ppt_200_20250220T1147Z.json");
    expect(barOf(late, "2023-08-07")).toMatchObject({ close: 34, volume: 336, settled: true });
    const fund = await through("chart/0P0000XTS7_1d_1726099200-1726444800_ppt_200_20240916T1609Z.json");
    expect(fund.dropped.null_rows).toEqual(["2024-09-13"]);
    const filled = await through("chart/0P0000XTS7_1d_1726099200-1726444800_ppt_200_20250222T1001Z.json");
    expect(barOf(filled, "2024-09-13")?.close).toBe(11892.19);
  });

  test("8 adjusted closes drift with later dividends, closes do not", async () => {
    const [a, b] = [
      await through("chart/AAPL_1d_1598832000-1604707200_ppt_200_20211122T0955Z.json"),
      await through("chart/AAPL_1d_1598832000-1604707200_ppt_200_20250220T1147Z.json"),
    ];
    expect([barOf(a, "2020-08-31")?.close, barOf(b, "2020-08-31")?.close]).toEqual([129.04, 129.04]);
    expect(barOf(a, "2020-08-31")?.adj_close).toBeCloseTo(128.0285, 4);
    expect(barOf(b, "2020-08-31")?.adj_close).toBeCloseTo(125.8267, 4);
    const [c, d] = [
      await through("chart/MSFT_1d_1612137600-1643587200_ppt_200_20240916T1214Z.json"),
      await through("chart/MSFT_1d_1612137600-1643587200_ppt_200_20250222T1001Z.json"),
    ];
    expect([barOf(c, "2021-02-01")?.close, barOf(d, "2021-02-01")?.close]).toEqual([239.65, 239.65]);
    expect(barOf(c, "2021-02-01")?.adj_close).toBeCloseTo(232.1137, 4);
    expect(barOf(d, "2021-02-01")?.adj_close).toBeCloseTo(231.1865, 4);
    expect([c.basis_date, d.basis_date]).toEqual(["2024-09-13", "2025-02-21"]);
  });

  test("9 closes know of splits that the answer does not list", async () => {
    const result = await through("chart/NVDA_1d_1612137600-1643587200_ppt_200_20250222T1001Z.json");
    expect(result.actions).toEqual([
      {
        ex_date: "2021-07-20",
        kind: "split",
        amount: null,
        currency: null,
        numerator: 4,
        denominator: 1,
        price_factor: 0.25,
      },
    ]);
    expect(result.bars[0]).toMatchObject({ volume: 217_204_000, settled: true });
    expect(result.bars[0]?.close).toBeCloseTo(13.237, 3);
    expect(result.basis_date).toBe("2025-02-21");
  });

  test("10 events lie on the date of their session's open", async () => {
    const result = await through("chart/AAPL_1d_1598832000-1604707200_ppt_200_20250220T1147Z.json");
    expect(result.actions.map((a) => [a.ex_date, a.kind, a.amount, a.numerator, a.denominator])).toEqual([
      ["2020-08-31", "split", null, 4, 1],
      ["2020-11-06", "dividend", 0.205, null, null],
    ]);
    const close = barOf(result, "2020-11-05")?.close ?? 0;
    expect(result.actions[1]?.price_factor).toBe(1 - 0.205 / close);
    expect(result.actions[1]?.currency).toBe("USD");
  });

  test("11 the currency of a US listing may be unknown", async () => {
    const file = charts.find((f) => f.includes("LUCYW")) ?? "";
    expect((await through(file)).meta).toMatchObject({
      currency: null,
      exchange: "NCM",
      timezone: "America/New_York",
    });
  });

  test("12 delisted: not found in both shapes", async () => {
    const gone = await failure(
      through("errors/chart_SIX_1d_1577836800-1578009600_ppt_404_20240916T1214Z.json", { status: 404 }),
    );
    expect(gone).toMatchObject({ name: "NotFound", code: "unknown_ticker" });
    expect((gone as NotFound).facts.hint).toBe("No data found, symbol may be delisted");
    expect(await failure(through("chart/scheb_CAPIO.ST_no-data.json"))).toMatchObject({
      name: "NotFound",
      code: "no_data",
    });
  });

  test("13 before the first trade there is nothing, and that is no error", async () => {
    const file = "errors/chart_BEKE_1d_1577836800-1578009600_ppt_400_20211121T1401Z.json";
    const result = await through(file, { status: 400 });
    expect(result.bars).toEqual([]);
    expect(result.meta.first_trade_date).toBeNull();
    expect(result.basis_date).toBe("2021-11-21");
  });

  test("22 a null quarter is listed; dividends and capital gains are distinguished, each with its own date", async () => {
    const file = charts.find((f) => f.includes("VFINX_3mo_range-max_mkttime-20251001T120933Z")) ?? "";
    const result = await through(file);
    expect(result.dropped.null_rows).toEqual(["2025-10-01"]);
    expect(new Set(result.actions.map((a) => a.kind))).toEqual(new Set(["dividend", "capital_gain"]));
    // Its key is 2025-10-01, the quarter that runs; its date is its own.
    expect(result.actions.at(-1)).toMatchObject({ ex_date: "2025-06-30", kind: "dividend", amount: 1.605 });
    expect(result.bars.some((bar) => bar.settled)).toBe(false);
  });

  test("24 southern summer: a bar that starts on the UTC day before has its own exchange's date", async () => {
    const result = await through("chart/pp_ALL.AX_1d.json");
    expect(result.bars.slice(0, -1).every((bar) => bar.at.toString().endsWith("T23:00:00Z"))).toBe(true);
    const [before, last] = result.bars.slice(-2);
    expect(before).toMatchObject({ date: "2022-01-12", at: at("2022-01-11T23:00:00Z") });
    expect(last).toMatchObject({ date: "2022-01-13", at: at("2022-01-13T05:10:07Z"), settled: false });
  });
});
