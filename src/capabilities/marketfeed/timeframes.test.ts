import { describe, expect, test } from "bun:test";
import { exchangeCalendar } from "../../market/calendar.ts";
import { INTRADAY_SPELLINGS } from "../../market/interval.ts";
import { lastWholeSession, sessionRows } from "./sessions.ts";
import { isDayOver } from "./span.ts";
import { nextHours } from "./status.ts";
import { hoursOf, type IntradayRow, timeframeOf } from "./timeframes.ts";

const calendar = exchangeCalendar();
const at = (text: string) => Temporal.Instant.from(text);
const bar = (start: string, close: number | null = 1) => ({
  at: at(start),
  open: 1,
  high: 1,
  low: 1,
  close,
  volume: 100,
  trade_count: 3,
  vwap: 1,
});

test("every spelling means one of five intervals", () => {
  expect(INTRADAY_SPELLINGS.map((word) => timeframeOf(word, true).name)).toEqual([
    ...["1m", "1m", "5m", "5m", "15m", "15m", "30m", "30m", "1h", "1h", "1h", "1h"],
  ] as never);
  expect([
    timeframeOf("1h", false).stored,
    timeframeOf("1h", true).stored,
    timeframeOf("5min", false).stored,
  ]).toEqual(["30m", "1h", "5m"]);
});

describe("bars in their sessions", () => {
  test("are early, regular or late; bars outside any session or without a close are left out", () => {
    const rows = sessionRows(
      [
        bar("2026-09-08T07:59:00Z"),
        bar("2026-09-08T08:00:00Z"),
        bar("2026-09-08T13:29:00Z"),
        bar("2026-09-08T13:30:00Z"),
        bar("2026-09-08T13:31:00Z", null),
        bar("2026-09-08T19:59:00Z"),
        bar("2026-09-08T20:00:00Z"),
        bar("2026-09-08T23:59:00Z"),
        bar("2026-09-09T00:00:00Z"),
        bar("2026-09-09T13:30:00Z"),
      ],
      "2026-09-08",
      "2026-09-09",
      calendar,
    );
    expect(rows.map((row) => [row.date, row.session])).toEqual([
      ["2026-09-08", "pre"],
      ["2026-09-08", "pre"],
      ["2026-09-08", "regular"],
      ["2026-09-08", "regular"],
      ["2026-09-08", "post"],
      ["2026-09-08", "post"],
      ["2026-09-09", "regular"],
    ]);
  });

  test("end at 13:00 on half days and shift with daylight saving", () => {
    // 27 November is the day after Thanksgiving; 9 March 2026 the Monday after the clocks went forward.
    const half = sessionRows(
      [bar("2026-11-27T17:59:00Z"), bar("2026-11-27T18:00:00Z")],
      "2026-11-27",
      "2026-11-27",
      calendar,
    );
    expect(half.map((row) => row.session)).toEqual(["regular", "post"]);
    const shifted = ["2026-03-06T14:30:00Z", "2026-03-09T13:30:00Z"].map((start) => bar(start));
    expect(sessionRows(shifted, "2026-03-06", "2026-03-09", calendar).map((row) => row.session)).toEqual([
      "regular",
      "regular",
    ]);
  });
});

test("a session is whole sixteen minutes after its late trading", () => {
  for (const [now, session] of [
    ["2026-09-09T20:30:00Z", "2026-09-08"],
    ["2026-09-10T00:15:00Z", "2026-09-08"],
    ["2026-09-10T00:16:00Z", "2026-09-09"],
    ["2026-09-12T12:00:00Z", "2026-09-11"],
    ["2026-11-27T19:00:00Z", "2026-11-25"],
    ["2026-11-28T01:16:00Z", "2026-11-27"],
  ] as const)
    expect([now, lastWholeSession(at(now), calendar)]).toEqual([now, session]);
});

test("the day is over at 16:00 in New York, on a half day at its close", () => {
  for (const [now, over] of [
    ["2026-09-09T19:59:59Z", false],
    ["2026-09-09T20:00:00Z", true],
    ["2026-12-09T20:30:00Z", false],
    ["2026-12-09T21:00:00Z", true],
    ["2026-11-27T17:59:59Z", false],
    ["2026-11-27T18:00:00Z", true],
    ["2026-09-12T15:00:00Z", false],
  ] as const)
    expect([now, isDayOver(at(now), calendar)]).toEqual([now, over]);
});

test("next hours are the running session's close, and the next session's", () => {
  for (const [now, open, close] of [
    ["2026-09-09T12:00:00Z", "2026-09-09T13:30:00Z", "2026-09-09T20:00:00Z"],
    ["2026-09-09T15:00:00Z", "2026-09-10T13:30:00Z", "2026-09-09T20:00:00Z"],
    ["2026-09-11T21:00:00Z", "2026-09-14T13:30:00Z", "2026-09-14T20:00:00Z"],
    ["2026-11-26T15:00:00Z", "2026-11-27T14:30:00Z", "2026-11-27T18:00:00Z"],
  ] as const)
    expect(nextHours(at(now), calendar)).toEqual({ next_open: open, next_close: close });
});

describe("hours from half hours", () => {
  const half = (start: string, more: Partial<IntradayRow> = {}): IntradayRow => ({
    at: at(start).epochMilliseconds,
    date: "2026-09-08",
    session: "regular",
    open: 10,
    high: 12,
    low: 9,
    close: 11,
    volume: 100,
    vwap: 10.5,
    trade_count: 5,
    ...more,
  });

  test("are their first open, extremes, last close and sums; the last half hour stands alone", () => {
    const hours = hoursOf(
      [
        half("2026-09-08T13:30:00Z"),
        half("2026-09-08T14:00:00Z", { open: 11, high: 15, low: 8, close: 14, volume: 300, vwap: 12.5 }),
        half("2026-09-08T19:30:00Z", { close: 20 }),
      ],
      calendar,
    );
    expect(hours.map((row) => new Date(row.at).toISOString())).toEqual([
      "2026-09-08T13:30:00.000Z",
      "2026-09-08T19:30:00.000Z",
    ]);
    expect(hours[0]).toMatchObject({
      open: 10,
      high: 15,
      low: 8,
      close: 14,
      volume: 400,
      vwap: 12,
      trade_count: 10,
    });
    expect(hours[1]).toMatchObject({ open: 10, close: 20, volume: 100 });
  });

  test("are null where one of them is null", () => {
    const hours = hoursOf(
      [
        half("2026-09-08T13:30:00Z", { trade_count: null, vwap: null }),
        half("2026-09-08T14:00:00Z", { volume: null }),
      ],
      calendar,
    );
    expect(hours[0]).toMatchObject({ volume: null, vwap: null, trade_count: null, high: 12 });
  });
});
