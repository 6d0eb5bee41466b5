// The change of a snapshot: against the last close before the session of the trade, at every hour.
import { expect, test } from "bun:test";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import type { FeedBar } from "../../market/bar.ts";
import { snapshotAnswers } from "./snapshot.ts";
import type { FeedSnapshot, MarketFeed } from "./sources.ts";

const clock = fakeClock("2026-09-09T13:00:00Z");

/** A daily bar: the feed stamps it with midnight in New York. */
const day = (date: string, close: number): FeedBar => ({
  at: Temporal.PlainDate.from(date).toZonedDateTime("America/New_York").toInstant(),
  open: close,
  high: close,
  low: close,
  close,
  volume: 100,
  trade_count: 1,
  vwap: close,
});

const MONDAY = day("2026-09-07", 50);
const TUESDAY = day("2026-09-08", 100);

async function rowAt(
  trade: { at: string; price: number } | null,
  bars: Pick<FeedSnapshot, "day" | "previous">,
) {
  const snapshot: FeedSnapshot = {
    trade: trade && { at: Temporal.Instant.from(trade.at), price: trade.price },
    quote: null,
    minute: null,
    ...bars,
  };
  const feed = {
    demandKeys() {},
    snapshots: (symbols: readonly string[]) =>
      Promise.resolve({
        answer: { snapshots: new Map(symbols.map((s) => [s, snapshot])), receivedAt: clock.now() },
        invalid: [],
        asked: true,
      }),
  } as unknown as MarketFeed;
  const answer = await snapshotAnswers({ feed, clock })(
    [{ ticker: "T", symbol: "T" }],
    new AbortController().signal,
  );
  return answer.snapshots.T;
}

test("before the open the change is against the newest daily close, not the one before it", async () => {
  const row = await rowAt({ at: "2026-09-09T12:30:00Z", price: 110 }, { day: TUESDAY, previous: MONDAY });
  expect(row).toMatchObject({
    prev_close: 100,
    prev_close_date: "2026-09-08",
    change: 10,
    change_percent: 10,
    date: "2026-09-08",
  });
});

test("during and after a session the change is against the close of the session before", async () => {
  const bars = { day: TUESDAY, previous: MONDAY };
  for (const at of ["2026-09-08T15:00:00Z", "2026-09-08T23:30:00Z"])
    expect(await rowAt({ at, price: 60 }, bars)).toMatchObject({
      prev_close: 50,
      prev_close_date: "2026-09-07",
      change: 10,
      change_percent: 20,
    });
});

test("before the open after a weekend, a holiday or a half day the newest daily close is that of the last session", async () => {
  // Thanksgiving was Thursday the 26th; the exchanges closed at 13:00 on the 27th.
  const [tuesday, wednesday, half] = [day("2026-11-24", 50), day("2026-11-25", 100), day("2026-11-27", 200)];
  for (const [at, bars, close, date] of [
    // The last trade before Thanksgiving, as it is on that day.
    ["2026-11-25T21:00:00Z", { day: wednesday, previous: tuesday }, 50, "2026-11-24"],
    ["2026-11-27T13:00:00Z", { day: wednesday, previous: tuesday }, 100, "2026-11-25"],
    ["2026-11-27T16:00:00Z", { day: half, previous: wednesday }, 100, "2026-11-25"],
    // After the early close, and late in the evening, when it is the next day in UTC.
    ["2026-11-27T19:30:00Z", { day: half, previous: wednesday }, 100, "2026-11-25"],
    ["2026-11-28T00:59:00Z", { day: half, previous: wednesday }, 100, "2026-11-25"],
    ["2026-11-30T13:00:00Z", { day: half, previous: wednesday }, 200, "2026-11-27"],
  ] as const) {
    const row = await rowAt({ at, price: close * 1.1 }, bars);
    expect([at, row?.prev_close, row?.prev_close_date, row?.change_percent]).toEqual([at, close, date, 10]);
  }
});

test("a trade older than both daily bars has no close to be compared with", async () => {
  const row = await rowAt({ at: "2026-09-04T15:00:00Z", price: 60 }, { day: TUESDAY, previous: MONDAY });
  expect(row).toMatchObject({ prev_close: null, prev_close_date: null, change: null, change_percent: null });
});
