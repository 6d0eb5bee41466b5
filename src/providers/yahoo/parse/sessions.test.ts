import { describe, expect, test } from "bun:test";
import { chartBody, chartOf, epoch, type FakeRow } from "../../../../test/support/fake-chart.ts";

const row = (start: string): FakeRow => [start, 40, 41, 39, 40, 100, 40];

/** Dates of the settled bars of an answer received at `now`. */
async function settled(
  starts: readonly string[],
  now: string,
  meta: Record<string, unknown> = {},
): Promise<string[]> {
  const { bars } = await chartOf({ body: chartBody({ rows: starts.map(row), meta }) }, {}, now);
  return bars.filter((bar) => bar.settled).map((bar) => bar.date);
}

describe("daily bars of New York", () => {
  const friday = "2026-03-06T14:30:00Z";

  test("settle when the next session opens, over weekend and clock change", async () => {
    const meta = { regularMarketTime: epoch("2026-03-06T21:00:01Z") };
    expect(await settled([friday], "2026-03-06T21:30:00Z", meta)).toEqual([]);
    expect(await settled([friday], "2026-03-08T23:00:00Z", meta)).toEqual([]);
    // The clocks went forward on Sunday: 09:30 is now 13:30 UTC.
    expect(await settled([friday], "2026-03-09T13:29:59Z", meta)).toEqual([]);
    expect(await settled([friday], "2026-03-09T13:30:00Z", meta)).toEqual(["2026-03-06"]);
  });

  test("settle after a holiday and a half day when the following session opens", async () => {
    const wednesday = "2025-11-26T14:30:00Z";
    const half = "2025-11-28T14:30:00Z";
    const meta = { regularMarketTime: epoch("2025-11-26T21:00:01Z") };
    expect(await settled([wednesday], "2025-11-27T18:00:00Z", meta)).toEqual([]);
    expect(await settled([wednesday], "2025-11-28T14:30:00Z", meta)).toEqual(["2025-11-26"]);
    expect(await settled([wednesday, half], "2025-11-28T18:30:00Z", meta)).toEqual(["2025-11-26"]);
    expect(await settled([wednesday, half], "2025-12-01T14:30:00Z", meta)).toEqual([
      "2025-11-26",
      "2025-11-28",
    ]);
  });

  test("are live while their stamp is not their session's open, however long ago", async () => {
    const meta = { regularMarketTime: epoch("2026-03-06T17:12:09Z") };
    expect(await settled(["2026-03-06T17:12:09Z"], "2026-03-06T17:20:00Z", meta)).toEqual([]);
    expect(await settled(["2026-03-06T17:12:09Z"], "2026-03-20T14:00:00Z", meta)).toEqual([]);
    // The UTC offset of the previous day's open.
    expect(await settled(["2026-03-09T14:30:00Z"], "2026-03-20T14:00:00Z", meta)).toEqual([]);
  });

  test("are live while their stamp is the moment of the last trade, even at the open", async () => {
    const opening = "2026-03-09T13:30:00Z";
    expect(await settled([opening], "2026-03-11T14:00:00Z", { regularMarketTime: epoch(opening) })).toEqual(
      [],
    );
  });

  test("on days without a session are never settled", async () => {
    expect(await settled(["2026-04-03T13:30:00Z", "2026-04-04T13:30:00Z"], "2026-04-20T14:00:00Z")).toEqual(
      [],
    );
  });

  test("before the calendar settle by their hour or a later day", async () => {
    const meta = {
      currentTradingPeriod: {
        regular: { start: epoch("2026-03-10T13:30:00Z"), end: epoch("2026-03-10T20:00:00Z") },
      },
    };
    const starts = ["1962-01-02T14:30:00Z", "1962-01-03T15:00:00Z"];
    expect(await settled(starts, "2026-03-11T14:00:00Z", meta)).toEqual(["1962-01-02"]);
    expect(await settled([...starts, "2026-03-06T14:30:00Z"], "2026-03-11T14:00:00Z", meta)).toEqual([
      "1962-01-02",
      "1962-01-03",
      "2026-03-06",
    ]);
  });

  test("funds and indices use the same days, futures do not", async () => {
    const monday = "2026-03-09T13:30:00Z";
    for (const instrumentType of ["ETF", "MUTUALFUND", "INDEX"]) {
      const meta = { instrumentType, regularMarketTime: epoch("2026-03-09T20:00:00Z") };
      expect(await settled([monday], "2026-03-10T13:29:59Z", meta)).toEqual([]);
      expect(await settled([monday], "2026-03-10T13:30:00Z", meta)).toEqual(["2026-03-09"]);
    }
    const meta = {
      instrumentType: "FUTURE",
      regularMarketTime: epoch("2026-03-09T20:59:00Z"),
      currentTradingPeriod: {
        regular: { start: epoch("2026-03-10T04:00:00Z"), end: epoch("2026-03-11T03:59:00Z") },
      },
    };
    expect(await settled(["2026-03-09T04:00:00Z"], "2026-03-10T11:59:59Z", meta)).toEqual([]);
    expect(await settled(["2026-03-09T04:00:00Z"], "2026-03-10T12:00:00Z", meta)).toEqual(["2026-03-09"]);
  });
});

describe("daily bars of other exchanges", () => {
  const berlin = (lastTrade: string) => ({
    exchangeTimezoneName: "Europe/Berlin",
    exchangeName: "GER",
    regularMarketTime: epoch(lastTrade),
    currentTradingPeriod: {
      regular: { start: epoch("2026-03-10T08:00:00Z"), end: epoch("2026-03-10T16:30:00Z") },
    },
  });

  test("settle at 08:00 of the next day in their zone", async () => {
    const meta = berlin("2026-03-10T16:35:12Z");
    expect(await settled(["2026-03-10T08:00:00Z"], "2026-03-10T20:00:00Z", meta)).toEqual([]);
    expect(await settled(["2026-03-10T08:00:00Z"], "2026-03-11T06:59:59Z", meta)).toEqual([]);
    expect(await settled(["2026-03-10T08:00:00Z"], "2026-03-11T07:00:00Z", meta)).toEqual(["2026-03-10"]);
  });

  test("are live while the newest one is stamped within its day", async () => {
    const meta = berlin("2026-03-10T16:35:12Z");
    const starts = ["2026-03-09T08:00:00Z", "2026-03-10T16:35:12Z"];
    expect(await settled(starts, "2026-03-12T12:00:00Z", meta)).toEqual(["2026-03-09"]);
  });

  test("settle at an unusual hour once a later day follows, since exchanges change their hours", async () => {
    const meta = berlin("2026-03-10T16:35:12Z");
    const starts = ["1999-03-05T07:30:00Z", "2026-03-09T08:00:00Z"];
    expect(await settled(starts, "2026-03-12T12:00:00Z", meta)).toEqual(["1999-03-05", "2026-03-09"]);
  });

  test("have the date in their zone: Sydney opens on the UTC day before, in winter on the same", async () => {
    const meta = {
      exchangeTimezoneName: "Australia/Sydney",
      regularMarketTime: epoch("2026-07-20T06:10:00Z"),
      currentTradingPeriod: {
        regular: { start: epoch("2026-07-20T00:00:00Z"), end: epoch("2026-07-20T06:00:00Z") },
      },
    };
    const starts = ["2026-01-12T23:00:00Z", "2026-07-14T00:00:00Z"];
    expect(await settled(starts, "2026-07-20T07:00:00Z", meta)).toEqual(["2026-01-13", "2026-07-14"]);
  });

  test("around the clock: a cryptocurrency's day settles on the next morning", async () => {
    const meta = {
      exchangeTimezoneName: "UTC",
      instrumentType: "CRYPTOCURRENCY",
      regularMarketTime: epoch("2026-03-10T08:30:00Z"),
      currentTradingPeriod: {
        regular: { start: epoch("2026-03-10T00:00:00Z"), end: epoch("2026-03-10T23:59:00Z") },
      },
    };
    const starts = ["2026-03-08T00:00:00Z", "2026-03-09T00:00:00Z", "2026-03-10T00:00:00Z"];
    expect(await settled(starts, "2026-03-10T07:59:59Z", meta)).toEqual(["2026-03-08"]);
    expect(await settled(starts, "2026-03-10T08:30:00Z", meta)).toEqual(["2026-03-08", "2026-03-09"]);
  });
});
