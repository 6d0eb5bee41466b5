// Longer bars from daily ones, and a day from its minutes.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { aggregateDaily, aggregateIntradayToDay, type DailyBar, type IntradayBar } from "./bar.ts";
import { exchangeCalendar } from "./calendar.ts";

setDefaultTimeout(1_200_000);

const calendar = exchangeCalendar();

/**
 * A bar whose numbers encode its index: close 100 + n, open half below, high 1 above, low 2 below, volume
 * 1000 n.
 */
const bar = (date: string, n: number, change: Partial<DailyBar> = {}): DailyBar => ({
  date,
  open: 99.5 + n,
  high: 101 + n,
  low: 98 + n,
  close: 100 + n,
  volume: 1000 * n,
  adjusted_close: 50 + n,
  ...change,
});
const series = (start: string, end: string, change: Record<string, Partial<DailyBar>> = {}) =>
  calendar.sessionsBetween(start, end).map((date, i) => bar(date, i + 1, change[date]));
const blank = { open: null, high: null, low: null, close: null, volume: null, adjusted_close: null };

describe("weekly", () => {
  test("labelled by Monday: first open, extremes, last close, total volume", () => {
    const bars = series("2026-09-14", "2026-09-25", {
      "2026-09-15": { low: 7 },
      "2026-09-16": { high: 500 },
    });
    expect(aggregateDaily(bars, "1w", { through: "2026-09-25", calendar })).toEqual([
      { date: "2026-09-14", open: 100.5, high: 500, low: 7, close: 105, volume: 15000, adjusted_close: 55 },
      { date: "2026-09-21", open: 105.5, high: 111, low: 104, close: 110, volume: 40000, adjusted_close: 60 },
    ]);
  });

  test("a week that begins or ends with a holiday is whole", () => {
    const laborDay = aggregateDaily(series("2026-09-08", "2026-09-11"), "1w", {
      from: "2026-09-08",
      through: "2026-09-11",
      calendar,
    });
    expect(laborDay).toMatchObject([{ date: "2026-09-07", open: 100.5, close: 104 }]);
    expect(laborDay[0]).not.toHaveProperty("partial");
    const goodFriday = { from: "2026-03-30", through: "2026-04-02" };
    const bars = series("2026-03-30", "2026-04-02");
    expect(aggregateDaily(bars, "1w", { ...goodFriday, calendar })[0]).not.toHaveProperty("partial");
    // Without a calendar that Friday counts as a session, so the bar is marked partial.
    expect(aggregateDaily(bars, "1w", goodFriday)[0]).toHaveProperty("partial", true);
  });

  test("the week of New Year belongs to its Monday", () => {
    const bars = aggregateDaily(series("2025-12-29", "2026-01-02"), "1w", {
      through: "2026-01-02",
      calendar,
    });
    expect(bars).toMatchObject([{ date: "2025-12-29", close: 104, volume: 10000 }]);
    expect(bars[0]).not.toHaveProperty("partial");
  });

  test("partial while the week lasts and where the range cuts it", () => {
    const bars = series("2026-09-09", "2026-09-23");
    const partial = aggregateDaily(bars, "1w", { from: "2026-09-09", through: "2026-09-23", calendar });
    expect(partial.map((b) => [b.date, b.partial])).toEqual([
      ["2026-09-07", true],
      ["2026-09-14", undefined],
      ["2026-09-21", true],
    ]);
    const listedMidweek = aggregateDaily(bars, "1w", { from: "2026-01-02", through: "2026-09-23", calendar });
    expect(listedMidweek[0]).not.toHaveProperty("partial");
  });
});

describe("monthly", () => {
  test("labelled by the first of the month, even when that is not a session", () => {
    const bars = aggregateDaily(series("2026-08-03", "2026-09-30"), "1mo", {
      from: "2026-08-01",
      through: "2026-09-30",
      calendar,
    });
    expect(bars.map((b) => [b.date, b.open, b.close, b.partial])).toEqual([
      ["2026-08-01", 100.5, 121, undefined],
      ["2026-09-01", 121.5, 142, undefined],
    ]);
  });
  test("a leap February and a month ending on a weekend", () => {
    const bars = aggregateDaily(series("2024-02-01", "2024-03-28"), "1mo", {
      through: "2024-03-28",
      calendar,
    });
    expect(bars.map((b) => [b.date, b.close, b.partial])).toEqual([
      ["2024-02-01", 120, undefined],
      ["2024-03-01", 140, undefined],
    ]);
  });
});

describe("five sessions", () => {
  test("labelled by the first of five, over weekends and holidays", () => {
    const bars = aggregateDaily(series("2026-09-02", "2026-09-18"), "5d", {
      through: "2026-09-18",
      calendar,
    });
    expect(bars.map((b) => [b.date, b.open, b.close, b.volume, b.partial])).toEqual([
      ["2026-09-02", 100.5, 105, 15000, undefined],
      ["2026-09-10", 105.5, 110, 40000, undefined],
      ["2026-09-17", 110.5, 112, 23000, true],
    ]);
  });
  test("a missing bar does not shift the runs", () => {
    const bars = series("2026-09-02", "2026-09-16").filter((b) => b.date !== "2026-09-04");
    expect(
      aggregateDaily(bars, "5d", { through: "2026-09-16", calendar }).map((b) => [b.date, b.close]),
    ).toEqual([
      ["2026-09-02", 105],
      ["2026-09-10", 110],
    ]);
  });
  test("a foreign listing, open on US holidays, is counted by its own bars", () => {
    // New York is closed on 2026-09-07.
    const dates = ["2026-09-02", "2026-09-03", "2026-09-04", "2026-09-07", "2026-09-08", "2026-09-09"];
    const bars = dates.map((date, i) => bar(date, i + 1));
    const aggregated = aggregateDaily(bars, "5d", { through: "2026-09-09", calendar });
    expect(aggregated.map((b) => [b.date, b.close, b.partial])).toEqual([
      ["2026-09-02", 105, undefined],
      ["2026-09-09", 106, true],
    ]);
  });
  test("works beyond the calendar's limits", () => {
    const bars = ["1989-12-28", "1989-12-29", "1990-01-02"].map((date, i) => bar(date, i + 1));
    expect(aggregateDaily(bars, "5d", { through: "1990-01-02", calendar })).toMatchObject([
      { date: "1989-12-28", close: 103, partial: true },
    ]);
    const last = series("2030-12-24", "2030-12-31");
    expect(aggregateDaily(last, "5d", { through: "2030-12-31", calendar })).toMatchObject([
      { date: "2030-12-24", close: 105 },
    ]);
  });
});

describe("what is unknown stays unknown", () => {
  const through = "2026-09-18";
  const week = (change: Record<string, Partial<DailyBar>>) =>
    aggregateDaily(series("2026-09-14", "2026-09-18", change), "1w", { through, calendar })[0];

  test("the sum leaves out null volumes; all null is null", () => {
    expect(week({ "2026-09-15": { volume: null } })).toMatchObject({ volume: 13000 });
    const none = Object.fromEntries(
      calendar
        .sessionsBetween("2026-09-14", "2026-09-18")
        .map((date) => [date, { volume: null, high: null, low: null }]),
    );
    expect(week(none)).toMatchObject({ volume: null, high: null, low: null, open: 100.5, close: 105 });
    expect(week({ "2026-09-15": { volume: 0 } })).toMatchObject({ volume: 13000 });
  });
  test("an unknown first open is not replaced by the second", () => {
    expect(week({ "2026-09-14": { open: null } })).toMatchObject({ open: null, close: 105 });
  });
  test("an unknown last adjusted close is not replaced by the one before", () => {
    expect(week({ "2026-09-18": { adjusted_close: null } })).toMatchObject({
      adjusted_close: null,
      close: 105,
    });
  });
  test("a session without a close makes the week partial, not wrong", () => {
    expect(week({ "2026-09-18": blank })).toMatchObject({
      close: 104,
      adjusted_close: 54,
      volume: 10000,
      partial: true,
    });
    expect(week({ "2026-09-18": { close: 0 } })).toMatchObject({ close: 104, partial: true });
    expect(week({ "2026-09-14": blank })).toMatchObject({ open: 101.5, partial: true });
  });
  test("a session known to be missing makes the week partial too", () => {
    const bars = series("2026-09-14", "2026-09-17");
    const options = { through, calendar, missing: ["2026-09-18"] };
    expect(aggregateDaily(bars, "1w", options)).toMatchObject([{ close: 104, partial: true }]);
    expect(aggregateDaily(bars, "1w", { ...options, missing: ["2026-09-21"] })[0]).not.toHaveProperty(
      "partial",
    );
  });
  test("a week without any price is left out", () => {
    const bars = series("2026-09-14", "2026-09-25", {
      ...Object.fromEntries(
        calendar.sessionsBetween("2026-09-14", "2026-09-18").map((date) => [date, blank]),
      ),
    });
    expect(aggregateDaily(bars, "1w", { through: "2026-09-25", calendar }).map((b) => b.date)).toEqual([
      "2026-09-21",
    ]);
  });
  test("a provisional day makes its week provisional and partial", () => {
    expect(week({ "2026-09-18": { provisional: true } })).toMatchObject({ provisional: true, partial: true });
  });
});

describe("dividends and splits", () => {
  const options = { through: "2026-09-18", calendar };
  test("dividends add up, split ratios multiply, also on a day without a price", () => {
    const bars = series("2026-09-14", "2026-09-18", {
      "2026-09-14": { dividend: 0.25, split_ratio: 4 },
      "2026-09-16": { dividend: 0.5, split_ratio: 0.5 },
      "2026-09-17": { ...blank, dividend: 1 },
    });
    expect(aggregateDaily(bars, "1w", options)).toMatchObject([{ dividend: 1.75, split_ratio: 2 }]);
  });
  test("are absent where there are none", () => {
    const [week] = aggregateDaily(series("2026-09-14", "2026-09-18"), "1w", options);
    expect(week).not.toHaveProperty("dividend");
    expect(week).not.toHaveProperty("split_ratio");
  });
});

describe("any input", () => {
  test("order does not matter, and the last of two rows on a date wins", () => {
    const bars = series("2026-08-03", "2026-09-18");
    const options = { through: "2026-09-18", calendar };
    const expected = aggregateDaily(bars, "1w", options);
    expect(aggregateDaily([...bars].reverse(), "1w", options)).toEqual(expected);
    const doubled = [bar("2026-09-18", 700), ...bars];
    expect(aggregateDaily(doubled, "1w", options)).toEqual(expected);
    expect(aggregateDaily([], "1w", options)).toEqual([]);
    expect(aggregateDaily([], "5d", options)).toEqual([]);
  });
  test("volume is neither lost nor counted twice, and every bar lies in its period", () => {
    const sessions = calendar.sessionsBetween("2019-01-02", "2026-09-18");
    fc.assert(
      fc.property(
        fc.subarray(sessions, { minLength: 1 }),
        fc.constantFrom("5d", "1w", "1mo" as const),
        (dates, interval) => {
          const bars = dates.map((date, i) => bar(date, i + 1));
          const periods = aggregateDaily(bars, interval, { through: "2026-09-18", calendar });
          const total = (all: { volume: number | null }[]) => all.reduce((a, b) => a + (b.volume ?? 0), 0);
          expect(total(periods)).toBe(total(bars));
          expect(periods.map((p) => p.date)).toEqual([...new Set(periods.map((p) => p.date))].sort());
          expect(periods.at(-1)?.close).toBe(100 + dates.length);
          expect(periods[0]?.open).toBe(100.5);
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe("a day from its minutes", () => {
  const minute = (
    time: string,
    n: number,
    session: IntradayBar["session"],
    change: Partial<IntradayBar> = {},
  ) => ({
    timestamp: `2026-09-16T${time}:00Z`,
    open: 10 + n,
    high: 12 + n,
    low: 9 + n,
    close: 11 + n,
    volume: 100 * n,
    session,
    ...change,
  });
  const day = [
    minute("13:29", 50, "pre"),
    minute("13:30", 1, "regular"),
    minute("13:31", 2, "regular", { low: 3 }),
    minute("19:59", 3, "regular", { high: 40 }),
    minute("20:00", 90, "post"),
  ];
  test("regular hours only", () => {
    const expected = { open: 11, high: 40, low: 3, close: 14, volume: 600, bar_count: 3 };
    expect(aggregateIntradayToDay(day)).toEqual(expected);
    expect(aggregateIntradayToDay([...day].reverse())).toEqual(expected);
  });
  test("leaves out empty minutes, counts a repeated one once, keeps an unknown volume null", () => {
    const gap = minute("13:32", 7, "regular", {
      open: null,
      high: null,
      low: null,
      close: null,
      volume: null,
    });
    expect(aggregateIntradayToDay([...day, gap])).toMatchObject({ bar_count: 3, volume: 600, close: 14 });
    const again = { ...minute("19:59", 4, "regular"), timestamp: "2026-09-16T19:59:00.000Z" };
    expect(aggregateIntradayToDay([...day, again])).toMatchObject({ bar_count: 3, volume: 700, close: 15 });
    const unknown = day.map((b) => ({ ...b, volume: null }));
    expect(aggregateIntradayToDay(unknown)).toMatchObject({ volume: null, close: 14 });
  });
  test("no regular bar gives null", () => {
    expect(aggregateIntradayToDay([])).toBeNull();
    expect(aggregateIntradayToDay([minute("13:29", 1, "pre"), minute("20:00", 1, "post")])).toBeNull();
  });
});
