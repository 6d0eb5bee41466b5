import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { chartBody, chartOf, epoch, type FakeRow } from "../../../../test/support/fake-chart.ts";

setDefaultTimeout(1_200_000);

const at = (text: string) => Temporal.Instant.from(text);
const day = (start: string, close: number | null, volume: number | null = 1000): FakeRow => [
  start,
  close,
  close,
  close,
  close,
  volume,
  close,
];
const daily = async (rows: readonly FakeRow[], now?: string, meta = {}) =>
  chartOf({ body: chartBody({ rows, meta }) }, {}, now);
const intraday = (rows: readonly FakeRow[], prePost: boolean, meta = {}, now?: string) =>
  chartOf(
    { body: chartBody({ rows, meta: { dataGranularity: "30m", ...meta } }) },
    { interval: "30m", prePost },
    now,
  );

/** The answer with one list replaced. */
function withList(rows: readonly FakeRow[], change: (quote: Record<string, unknown>) => void) {
  const body = chartBody({ rows });
  const quote = body.chart.result[0]?.indicators.quote[0];
  change(quote as Record<string, unknown>);
  return chartOf({ body });
}

const TWO = [day("2026-03-09T13:30:00Z", 40), day("2026-03-10T13:30:00Z", 41)];

describe("numbers", () => {
  test("prices are decoded to decimals, volumes and unknowns stay", async () => {
    const f = Math.fround;
    const rows: FakeRow[] = [
      ["2026-03-09T13:30:00Z", f(12.34), f(12.4001), f(0.0837), f(12.345), 123_456, f(11.98765)],
    ];
    const [bar] = (await daily(rows)).bars;
    expect(bar).toEqual({
      date: "2026-03-09",
      at: at("2026-03-09T13:30:00Z"),
      open: 12.34,
      high: 12.4001,
      low: 0.0837,
      close: 12.345,
      volume: 123_456,
      adj_close: 11.98765,
      settled: true,
      session: "regular",
    });
  });

  test("null beside a valid close stays null, a price of 0 is unknown, a volume of 0 is a volume", async () => {
    const rows: FakeRow[] = [
      ["2026-03-09T13:30:00Z", null, null, null, 40, null, null],
      ["2026-03-10T13:30:00Z", 0, 41.5, 0, 41, 0, 0],
      ["2026-03-11T13:30:00Z", 41, 41.5, 40, 41, -5, 41],
    ];
    const { bars } = await daily(rows);
    const shown = bars.map(({ open, high, low, close, volume, adj_close }) => [
      open,
      high,
      low,
      close,
      volume,
      adj_close,
    ]);
    expect(shown).toEqual([
      [null, null, null, 40, null, null],
      [null, 41.5, null, 41, 0, null],
      [41, 41.5, 40, 41, null, 41],
    ]);
  });

  test("a price below zero of no future and a fractional or huge volume are unknown, and so is a day with such a close", async () => {
    const rows: FakeRow[] = [
      ["2026-03-09T13:30:00Z", 17.5, 18, -40.5, -37.5, 1000, -37.5],
      ["2026-03-10T13:30:00Z", -14, 13.5, -16.75, 10.25, 1234.5, 10.25],
      ["2026-03-11T13:30:00Z", 11, 12, 10, 11.5, 1e19, 11.5],
    ];
    const { bars, dropped } = await daily(rows);
    expect(
      bars.map(({ date, open, high, low, close, volume }) => [date, open, high, low, close, volume]),
    ).toEqual([
      ["2026-03-10", null, 13.5, null, 10.25, null],
      ["2026-03-11", 11, 12, 10, 11.5, null],
    ]);
    expect(dropped.null_rows).toEqual(["2026-03-09"]);
    const future = await chartOf({ body: chartBody({ rows, meta: { instrumentType: "FUTURE" } }) });
    expect(future.bars.map(({ low, close, adj_close }) => [low, close, adj_close])).toEqual([
      [-40.5, -37.5, -37.5],
      [-16.75, 10.25, 10.25],
      [10, 11.5, 11.5],
    ]);
  });

  test("without adjusted closes they are unknown", async () => {
    const body = chartBody({ rows: TWO });
    const indicators = body.chart.result[0]?.indicators as { adjclose?: unknown };
    indicators.adjclose = [{}];
    expect((await chartOf({ body })).bars.map((bar) => bar.adj_close)).toEqual([null, null]);
    indicators.adjclose = undefined;
    expect((await chartOf({ body })).bars.map((bar) => bar.adj_close)).toEqual([null, null]);
  });
});

describe("another shape", () => {
  const path = "chart.chart.result[0].indicators.quote[0]";
  test.each<[string, (quote: Record<string, unknown>) => void, string]>([
    ["a list too short", (q) => (q.volume = [1]), `${path}.volume should be a list of 2, not of 1`],
    ["a list too long", (q) => (q.close = [1, 2, 3]), `${path}.close should be a list of 2, not of 3`],
    ["no closes", (q) => (q.close = undefined), `${path}.close should be a list`],
    ["no opens", (q) => (q.open = undefined), `${path}.open should be a list`],
    ["opens of null", (q) => (q.open = null), `${path}.open should be a list`],
    ["text for a price", (q) => (q.high = ["41", 42]), `${path}.high[0] should be a finite number or null`],
    [
      "objects for prices",
      (q) => (q.low = [{ raw: 1 }, 2]),
      `${path}.low[0] should be a finite number or null`,
    ],
  ])("%s rejects the whole answer", async (_what, change, message) => {
    const failure = await withList(TWO, change).catch((e: unknown) => e);
    expect(failure).toMatchObject({
      name: "UpstreamMisread",
      message: `yahoo changed the shape of chart: ${message}`,
    });
  });

  test("rejects numbers out of bounds", async () => {
    const body = JSON.stringify(chartBody({ rows: TWO })).replace('"close":[40,', '"close":[1e999,');
    await expect(chartOf({ body })).rejects.toMatchObject({ name: "UpstreamMisread" });
  });

  test.each([[null], ["2026-03-09"], [1773063000.5], [1773063000000]])(
    "a start of %p is refused",
    async (start) => {
      const body = chartBody({ rows: TWO });
      const result = body.chart.result[0] as { timestamp?: unknown[] };
      result.timestamp = [start, epoch("2026-03-10T13:30:00Z")];
      const failure = await chartOf({ body }).catch((e: unknown) => e);
      expect(String(failure)).toContain("chart.chart.result[0].timestamp[0] should be ");
    },
  );

  test("rejects closes without starts", async () => {
    const body = chartBody({ rows: TWO });
    (body.chart.result[0] as { timestamp?: unknown }).timestamp = undefined;
    await expect(chartOf({ body })).rejects.toMatchObject({ name: "UpstreamMisread" });
  });

  test("rejects a bar in the future, but accepts a null row of tomorrow", async () => {
    const future = [...TWO, day("2026-03-12T13:30:00Z", 42)];
    await expect(daily(future, "2026-03-10T20:30:00Z")).rejects.toMatchObject({ name: "UpstreamMisread" });
    const tomorrow = [...TWO, day("2026-03-12T13:30:00Z", null)];
    expect((await daily(tomorrow, "2026-03-10T20:30:00Z")).dropped.null_rows).toEqual(["2026-03-12"]);
  });

  test("closes without the other lists are shown and never settled", async () => {
    const { bars } = await withList(TWO, (q) => {
      for (const name of ["open", "high", "low", "volume"]) delete q[name];
    });
    expect(bars.map(({ open, close, volume, settled }) => [open, close, volume, settled])).toEqual([
      [null, 40, null, false],
      [null, 41, null, false],
    ]);
  });
});

describe("rows that are not bars", () => {
  test("rows without a close are listed by date; a close of 0 is none", async () => {
    const rows: FakeRow[] = [
      day("2026-03-09T13:30:00Z", null, null),
      ["2026-03-10T13:30:00Z", 41, 42, 40, 0, 500, 0],
      ["2026-03-11T13:30:00Z", 41, 42, 40, null, 500, 41],
      day("2026-03-12T13:30:00Z", 43),
    ];
    const { bars, dropped } = await daily(rows);
    expect(bars.map((bar) => bar.date)).toEqual(["2026-03-12"]);
    expect(dropped.null_rows).toEqual(["2026-03-09", "2026-03-10", "2026-03-11"]);
  });

  test("the last of two rows of a day wins, but a row without a close hides none", async () => {
    const rows = [
      day("2026-03-09T13:30:00Z", 40, 100),
      day("2026-03-10T13:30:00Z", 41, 100),
      day("2026-03-10T20:00:02Z", 41.25, 120),
    ];
    const twice = await daily(rows, "2026-03-10T23:00:00Z");
    expect(twice.bars.map(({ date, volume, settled }) => [date, volume, settled])).toEqual([
      ["2026-03-09", 100, true],
      ["2026-03-10", 120, false],
    ]);
    expect(twice.dropped).toEqual({
      null_rows: [],
      out_of_range: 0,
      duplicates: 1,
      extended: 0,
      misplaced: 0,
      between_bars: 0,
    });
    const hidden = await daily([...TWO, day("2026-03-10T20:00:02Z", null)]);
    expect(hidden.bars.at(-1)).toMatchObject({ date: "2026-03-10", close: 41, settled: true });
    expect(hidden.dropped).toMatchObject({ null_rows: [], duplicates: 1 });
    const nulls = await daily([day("2026-03-10T13:30:00Z", null), day("2026-03-10T20:00:02Z", null)]);
    expect(nulls.dropped).toMatchObject({ null_rows: ["2026-03-10"], duplicates: 1 });
  });

  test("the span includes its first moment and excludes its end", async () => {
    const rows = [
      "2026-03-06T14:30:00Z",
      "2026-03-09T13:30:00Z",
      "2026-03-10T13:30:00Z",
      "2026-03-11T13:30:00Z",
    ];
    const { bars, dropped } = await chartOf(
      { body: chartBody({ rows: rows.map((start) => day(start, 40)) }) },
      { start: at("2026-03-09T13:30:00Z"), end: at("2026-03-11T13:30:00Z") },
    );
    expect(bars.map((bar) => bar.date)).toEqual(["2026-03-09", "2026-03-10"]);
    expect(dropped.out_of_range).toBe(2);
  });

  test("rows in any order come out ascending", async () => {
    const rows = [day("2026-03-11T13:30:00Z", 42), ...TWO];
    expect((await daily(rows)).bars.map((bar) => bar.date)).toEqual([
      "2026-03-09",
      "2026-03-10",
      "2026-03-11",
    ]);
  });

  test("every row is a bar or counted, in any input", async () => {
    const start = epoch("2026-03-02T00:00:00Z");
    const price = fc.oneof(
      fc.constant(null),
      fc.constant(0),
      fc.double({ min: 0.01, max: 1e6, noNaN: true }),
    );
    const row = fc.tuple(fc.integer({ min: 0, max: 14 * 86_400 }), price, price);
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 40 }), fc.boolean(), async (raw, isDaily) => {
        const rows = raw.map(([s, open, close]): FakeRow => {
          const moment = Temporal.Instant.fromEpochMilliseconds((start + s) * 1000).toString();
          return [moment, open, open, open, close, 10, close];
        });
        const span = { start: at("2026-03-04T05:00:00Z"), end: at("2026-03-12T04:00:00Z") };
        const meta = { dataGranularity: isDaily ? "1d" : "5m" };
        const request = { ...span, interval: isDaily ? "1d" : "5m" } as const;
        const { bars, dropped } = await chartOf({ body: chartBody({ rows, meta }) }, request);
        const { null_rows, ...counted } = dropped;
        const left = Object.values(counted).reduce((a, b) => a + b, null_rows.length);
        expect(bars.length + left).toBe(rows.length);
        const keys = bars.map((bar) => (isDaily ? bar.date : bar.at.toString()));
        expect([...new Set(keys)].sort()).toEqual(keys);
        expect(keys.filter((key) => null_rows.includes(key))).toEqual([]);
        expect(bars.every((bar) => bar.close > 0 && bar.open !== 0)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

describe("daily rows that belong to no day", () => {
  test("drops a row of a weekend or holiday, and one stamped hours after the close, but not the last trade's", async () => {
    const rows = [
      day("2026-01-16T14:30:00Z", 40),
      day("2026-01-17T14:30:00Z", 41),
      day("2026-01-19T14:30:00Z", 42),
      // Days counted in UTC: midnight is the evening before in New York.
      day("2026-01-21T00:00:00Z", 43),
      day("2026-01-22T01:04:00Z", 44),
    ];
    const meta = { regularMarketTime: epoch("2026-01-22T01:04:00Z") };
    const { bars, dropped } = await daily(rows, "2026-01-22T02:00:00Z", meta);
    expect(bars.map(({ date, close }) => [date, close])).toEqual([
      ["2026-01-16", 40],
      ["2026-01-21", 44],
    ]);
    expect(dropped.misplaced).toBe(3);
  });

  test("outside New York's calendar every row stays", async () => {
    const rows = [day("2026-01-17T14:30:00Z", 41), day("2026-01-21T00:00:00Z", 43)];
    const { bars } = await daily(rows, undefined, { instrumentType: "CRYPTOCURRENCY" });
    expect(bars.map((bar) => bar.close)).toEqual([41, 43]);
  });
});

describe("the zone", () => {
  const zoned = (gmtoffset: unknown) => daily(TWO, undefined, { gmtoffset });

  test("accepts both offsets of the zone in that year", async () => {
    for (const offset of [-18_000, -14_400, undefined, null])
      expect((await zoned(offset)).bars.length).toBe(2);
  });

  test("rejects an offset the zone never has", async () => {
    await expect(zoned(39_600)).rejects.toMatchObject({
      name: "UpstreamMisread",
      message:
        "yahoo changed the shape of chart: chart.chart.result[0].meta.gmtoffset should be an offset of America/New_York",
    });
  });
});

describe("extended hours", () => {
  const bar = (start: string, volume = 0): FakeRow => [start, 40, 41, 39, 40, volume];

  test("a volume of 0 is unknown in extended hours; in regular hours it is 0", async () => {
    const rows = [
      bar("2026-03-09T13:00:00Z"),
      bar("2026-03-09T13:30:00Z"),
      bar("2026-03-09T19:30:00Z", 70),
      bar("2026-03-09T20:00:00Z"),
      bar("2026-03-09T20:30:00Z", 30),
    ];
    const { bars, dropped } = await intraday(rows, true);
    expect(bars.map(({ session, volume }) => [session, volume])).toEqual([
      ["pre", null],
      ["regular", 0],
      ["regular", 70],
      ["post", null],
      ["post", 30],
    ]);
    expect(dropped.extended).toBe(0);
  });

  test("drops the bar at the close when not requested: on half days at 13:00, before and after a clock change", async () => {
    const rows = [
      bar("2025-10-31T19:30:00Z", 5),
      bar("2025-10-31T20:00:00Z", 5),
      bar("2025-11-03T20:00:00Z", 5),
      bar("2025-11-03T20:30:00Z", 5),
      bar("2025-11-03T21:00:00Z", 5),
      bar("2025-11-28T17:30:00Z", 5),
      bar("2025-11-28T18:00:00Z", 5),
    ];
    const { bars, dropped } = await intraday(rows, false);
    expect(bars.map(({ at: start }) => start.toString())).toEqual([
      "2025-10-31T19:30:00Z",
      "2025-11-03T20:00:00Z",
      "2025-11-03T20:30:00Z",
      "2025-11-28T17:30:00Z",
    ]);
    expect(dropped.extended).toBe(3);
  });

  test("drops bars before the open when not requested", async () => {
    const rows = [bar("2026-03-09T13:00:00Z", 5), bar("2026-03-09T13:30:00Z", 6)];
    const { bars, dropped } = await intraday(rows, false);
    expect(bars.map(({ at: start, volume }) => [start.toString(), volume])).toEqual([
      ["2026-03-09T13:30:00Z", 6],
    ]);
    expect(dropped.extended).toBe(1);
  });

  test("on other exchanges the answer's own hours decide, in both of their forms", async () => {
    const hours = (open: string, close: string) => ({
      start: epoch(open),
      end: epoch(close),
      timezone: "JST",
    });
    const regular = [[hours("2026-03-09T00:00:00Z", "2026-03-09T06:30:00Z")]];
    const meta = { symbol: "ZQX", exchangeTimezoneName: "Asia/Tokyo", exchangeName: "JPX" };
    const rows = [
      bar("2026-03-09T06:00:00Z", 5),
      bar("2026-03-09T06:30:00Z", 5),
      bar("2026-03-10T06:30:00Z", 5),
    ];
    const shown = async (tradingPeriods: unknown) => {
      const { bars, dropped } = await intraday(rows, false, { ...meta, tradingPeriods });
      return [bars.length, dropped.extended];
    };
    // The hours of the second day are unknown, so its bar stays.
    expect(await shown(regular)).toEqual([2, 1]);
    expect(await shown({ pre: [[]], regular, post: [[]] })).toEqual([2, 1]);
    expect(await shown(undefined)).toEqual([3, 0]);
    await expect(shown("9-15")).rejects.toMatchObject({ name: "UpstreamMisread" });
  });

  test("an intraday bar settles 15 minutes after its end; the last trade between two bars is not a bar", async () => {
    const rows = [
      bar("2026-03-10T14:00:00Z", 5),
      bar("2026-03-10T14:30:00Z", 5),
      bar("2026-03-10T14:47:13Z", 0),
    ];
    const settled = async (now: string) => (await intraday(rows, false, {}, now)).bars.map((b) => b.settled);
    expect(await settled("2026-03-10T14:44:59Z")).toEqual([false, false]);
    expect(await settled("2026-03-10T14:48:00Z")).toEqual([true, false]);
    expect(await settled("2026-03-10T15:15:00Z")).toEqual([true, true]);
    expect(await settled("2026-03-12T15:15:00Z")).toEqual([true, true]);
    expect((await intraday(rows, false, {}, "2026-03-10T14:48:00Z")).dropped.between_bars).toBe(1);
  });
});
