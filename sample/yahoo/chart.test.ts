import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { adjusted, at, column, midnight, NEW_YORK, type Result } from "../../test/support/sample-yahoo.ts";
import { secondsAt } from "../sessions.ts";

setDefaultTimeout(1_200_000);

const ratioTo = (a: (number | null)[], b: (number | null)[]) => a.map((x, i) => (x ?? 0) / (b[i] ?? 0));

describe("splits and dividends", () => {
  test("a 4:1 split rescales what was before it from its session's open on, exactly, and nothing else", () => {
    const { clock, daily } = at("2026-06-09T13:29:59Z");
    const before = daily("ZORP", "2026-06-01", "2026-06-10");
    expect(before.events?.splits).toBeUndefined();
    expect(before.timestamp?.length).toBe(6);
    clock.set("2026-06-10T14:00:00Z");
    const after = daily("ZORP", "2026-06-01", "2026-06-10");
    const ex = secondsAt("2026-06-09", "09:30", NEW_YORK);
    expect(after.events?.splits).toEqual({
      [ex]: { date: ex, numerator: 4, denominator: 1, splitRatio: "4:1" },
    });
    expect(after.timestamp).toEqual([...(before.timestamp ?? []), ex]);
    for (const name of ["open", "high", "low", "close"])
      expect(column(after, name).slice(0, 6)).toEqual(column(before, name).map((price) => (price ?? 0) / 4));
    expect(column(after, "volume").slice(0, 5)).toEqual(
      column(before, "volume")
        .slice(0, 5)
        .map((v) => (v ?? 0) * 4),
    );
    // No seam: the printed price falls to a quarter, the rescaled one does not.
    expect((column(after, "close")[6] ?? 0) / (column(after, "close")[5] ?? 1)).toBeWithin(0.8, 1.25);
    // Before the open the newest price is still on the old basis.
    expect(before.meta.regularMarketPrice as number).toBeCloseTo(
      (after.meta.chartPreviousClose as number) * 4,
      -2,
    );
  });

  test("a later split outside the window rescales all the same and is not listed; 1:10 multiplies", () => {
    const { daily } = at("2026-11-20T15:00:00Z");
    const now = daily("ZORP", "2024-03-04", "2024-03-09");
    const then = at("2024-03-20T15:00:00Z").daily("ZORP", "2024-03-04", "2024-03-09");
    expect(now.events).toBeUndefined();
    expect(ratioTo(column(now, "close"), column(then, "close"))).toEqual([0.25, 0.25, 0.25, 0.25, 0.25]);
    const drek = at("2023-03-30T15:00:00Z").daily("DREK", "2023-03-13", "2023-03-24");
    const printed = at("2023-03-18T15:00:00Z").daily("DREK", "2023-03-13", "2023-03-18");
    for (const [i, close] of column(printed, "close").entries())
      expect(column(drek, "close")[i]).toBeCloseTo((close ?? 0) * 10, 9);
    const volumes = column(at("2023-03-20T13:00:00Z").daily("DREK", "2023-03-13", "2023-03-17"), "volume");
    expect(column(drek, "volume").slice(0, 4)).toEqual(volumes.map((v) => Math.round((v ?? 0) / 10)));
    expect(Object.values(drek.events?.splits ?? {})[0]?.splitRatio).toBe("1:10");
  });

  test("adjclose is close × Π(1 − dividend / close before) over later dividends seen by now", () => {
    const result = at("2026-11-20T15:00:00Z").daily("ZORP", "2025-01-02", "2026-11-20");
    const dividends = Object.values(result.events?.dividends ?? {}) as { amount: number; date: number }[];
    expect(dividends.length).toBe(7);
    const times = result.timestamp ?? [];
    const closes = column(result, "close");
    times.forEach((time, i) => {
      const kept = dividends
        .filter(({ date }) => date > time)
        .reduce(
          (product, { amount, date }) => product * (1 - amount / (closes[times.indexOf(date) - 1] ?? 0)),
          1,
        );
      expect((adjusted(result)[i] ?? 0) / ((closes[i] ?? 0) * kept)).toBeCloseTo(1, 12);
    });
    // A dividend before the split is a quarter of its amount then.
    const then = at("2026-06-01T15:00:00Z").daily("ZORP", "2025-01-02", "2026-06-01");
    const [date, event] = Object.entries(then.events?.dividends ?? {})[0] ?? [];
    expect(result.events?.dividends?.[date ?? ""]?.amount).toBe((event?.amount as number) / 4);
    expect((event?.amount as number) * 1000).toBeCloseTo(Math.round((event?.amount as number) * 1000), 9);
  });

  test("only the events that were asked for, only inside the window", () => {
    const { daily } = at("2026-11-20T15:00:00Z");
    const all = daily("ZCAPF", "2025-12-01", "2026-02-01", "&events=div,splits,capitalGains");
    expect(Object.keys(all.events?.capitalGains ?? {})).toEqual([
      String(secondsAt("2025-12-12", "09:30", NEW_YORK)),
    ]);
    expect(daily("ZCAPF", "2025-12-01", "2026-02-01", "&events=split").events).toBeUndefined();
    expect(daily("ZCAPF", "2025-12-01", "2026-02-01", "").events).toBeUndefined();
    expect(daily("ZCAPF", "2025-12-13", "2026-02-01").events?.capitalGains).toBeUndefined();
    // Capital gains lower what came before just as dividends do.
    const i = (all.timestamp ?? []).indexOf(secondsAt("2025-12-11", "09:30", NEW_YORK));
    const gain = all.events?.capitalGains?.[secondsAt("2025-12-12", "09:30", NEW_YORK)]?.amount as number;
    const close = column(all, "close")[i] ?? 0;
    const [kept, after] = [
      (adjusted(all)[i] ?? 0) / close,
      (adjusted(all)[i + 1] ?? 0) / (column(all, "close")[i + 1] ?? 0),
    ];
    expect(kept / after).toBeCloseTo(1 - gain / close, 9);
  });
});

describe("the running session", () => {
  test("live, settled in the evening, final at the next open", () => {
    const { clock, daily } = at("2026-11-18T18:00:00Z");
    const last = (result: Result) => ({
      time: result.timestamp?.at(-1),
      open: column(result, "open").at(-1),
      high: column(result, "high").at(-1),
      low: column(result, "low").at(-1),
      close: column(result, "close").at(-1),
      volume: column(result, "volume").at(-1) ?? 0,
    });
    const noon = daily("ZORP", "2026-11-16", "2026-11-19");
    expect(last(noon).time).toBe(noon.meta.regularMarketTime);
    expect(noon.meta.regularMarketTime).toBe(Math.floor(clock.nowMs() / 1000));
    expect(last(noon).volume).toBe(noon.meta.regularMarketVolume as number);
    clock.set("2026-11-18T21:30:00Z");
    const live = last(daily("ZORP", "2026-11-16", "2026-11-19"));
    expect(live.time).toBe(secondsAt("2026-11-18", "16:00", NEW_YORK) + 1);
    clock.set("2026-11-19T03:00:00Z");
    const evening = last(daily("ZORP", "2026-11-16", "2026-11-19"));
    clock.set("2026-11-19T14:30:00Z");
    const final = last(daily("ZORP", "2026-11-16", "2026-11-19"));
    expect(final.time).toBe(secondsAt("2026-11-18", "09:30", NEW_YORK));
    expect(evening).toEqual({ ...final, volume: evening.volume });
    expect(evening.volume).toBeLessThan(final.volume);
    expect(evening.volume % 100).toBe(0);
    expect(live.close).toBe(final.close);
    for (const name of ["open", "high", "low", "volume"] as const) expect(live[name]).not.toBe(final[name]);
    expect(noon.meta.regularMarketPrice).not.toBe(final.close);
  });

  test("nothing of tomorrow is shown, and before the open nothing of today", () => {
    const { chart, daily } = at("2026-11-18T14:29:00Z");
    expect(daily("ZORP", "2026-11-17", "2026-12-31").timestamp).toEqual([
      secondsAt("2026-11-17", "09:30", NEW_YORK),
    ]);
    expect(daily("ZORP", "2026-11-18", "2026-11-19").timestamp).toBeUndefined();
    expect(chart("ZORP", "range=1d&interval=5m").timestamp?.[0]).toBe(
      secondsAt("2026-11-17", "09:30", NEW_YORK),
    );
  });

  test("minutes while the session runs: whole ones, then a flat row at the last trade; 1m, 5m and day agree", () => {
    const { chart } = at("2026-11-18T16:02:27Z");
    const one = chart("ZORP", "range=1d&interval=1m");
    const now = one.meta.regularMarketTime;
    expect(one.timestamp?.at(-1)).toBe(now);
    expect(one.timestamp?.at(-2)).toBe(secondsAt("2026-11-18", "11:01", NEW_YORK));
    expect(column(one, "volume").at(-1)).toBe(0);
    expect(one.indicators.adjclose).toBeUndefined();
    const five = chart("ZORP", "range=1d&interval=5m");
    expect(five.timestamp?.at(-2)).toBe(secondsAt("2026-11-18", "11:00", NEW_YORK));
    const total = (result: Result) => column(result, "volume").reduce<number>((sum, v) => sum + (v ?? 0), 0);
    expect(total(five)).toBe(total(one));
  });
});

describe("intraday", () => {
  test("a half day ends at 13:00; early and late bars carry volume 0; both shapes of tradingPeriods", () => {
    const { chart } = at("2026-11-27T23:30:00Z");
    const regular = chart("ZORP", "range=1d&interval=30m");
    const start = secondsAt("2026-11-27", "09:30", NEW_YORK);
    const end = secondsAt("2026-11-27", "13:00", NEW_YORK);
    expect(regular.timestamp).toEqual(Array.from({ length: 8 }, (_, i) => start + i * 1800));
    expect(column(regular, "volume").at(-1)).toBe(0);
    expect(regular.meta.tradingPeriods).toEqual([[{ timezone: "EST", start, end, gmtoffset: -18_000 }]]);
    const all = chart("ZORP", "range=1d&interval=30m&includePrePost=true");
    const periods = all.meta.tradingPeriods as Record<string, { start: number; end: number }[][]>;
    expect(Object.keys(periods)).toEqual(["pre", "post", "regular"]);
    expect(periods.post?.[0]?.[0]?.end).toBe(secondsAt("2026-11-27", "17:00", NEW_YORK));
    for (const [i, time] of (all.timestamp ?? []).entries())
      expect(column(all, "volume")[i] === 0).toBe(time < start || time >= end);
    expect(all.timestamp?.[0]).toBe(secondsAt("2026-11-27", "04:00", NEW_YORK));
  });

  test("the hours of a settled day add up to its daily bar, across a split too", () => {
    const { chart, daily } = at("2026-11-20T15:00:00Z");
    const window = `period1=${midnight("2026-06-05")}&period2=${midnight("2026-06-06")}`;
    const hours = chart("ZORP", `interval=1h&${window}`);
    const day = daily("ZORP", "2026-06-05", "2026-06-06");
    expect(hours.timestamp?.length).toBe(7);
    expect(column(hours, "open")[0]).toBe(column(day, "open")[0]);
    expect(column(hours, "close").at(-1)).toBe(column(day, "close")[0]);
    expect(Math.max(...column(hours, "high").map(Number))).toBe(column(day, "high")[0] ?? 0);
    expect(column(hours, "volume").reduce<number>((sum, v) => sum + (v ?? 0), 0)).toBe(
      column(day, "volume")[0] ?? 0,
    );
  });

  test("sessions keep their local hours on both sides of a clock change", () => {
    const { chart } = at("2026-03-11T22:00:00Z");
    const result = chart("ZORP", "range=5d&interval=90m");
    const starts = (result.timestamp ?? []).filter(
      (time) =>
        Temporal.Instant.fromEpochMilliseconds(time * 1000)
          .toZonedDateTimeISO(NEW_YORK)
          .toPlainTime()
          .toString() === "09:30:00",
    );
    expect(starts.length).toBe(5);
    expect((starts[2] ?? 0) - (starts[1] ?? 0)).toBe(71 * 3600);
  });
});
