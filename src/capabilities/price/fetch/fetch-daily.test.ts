import { describe, expect, test } from "bun:test";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import type { ProviderBar } from "../../../market/bar.ts";
import type { BarHistory, CorporateAction, DailyBarRequest } from "../../../market/bar-history.ts";
import { exchangeCalendar } from "../../../market/calendar.ts";
import { addDays } from "../../../market/date.ts";
import { UpstreamFailed, UpstreamRefused } from "../../../platform/errors.ts";
import { UNKNOWN_LISTING } from "../gaps.ts";
import { fetchDaily } from "./fetch-daily.ts";

const calendar = exchangeCalendar();
const NOW = "2026-09-09T21:00:00Z";

const bar = (date: string, close: number, settled = true): ProviderBar => ({
  date,
  at: calendar.sessionOpen(date),
  open: close,
  high: close,
  low: close,
  close,
  volume: 100,
  adj_close: close,
  settled,
  session: "regular",
});

const dividend = (ex_date: string, amount: number, price_factor: number | null): CorporateAction => ({
  ex_date,
  kind: "dividend",
  amount,
  currency: "USD",
  numerator: null,
  denominator: null,
  price_factor,
});

const META = {
  currency: "USD",
  exchange_name: "X",
  timezone: "America/New_York",
  instrument_type: "EQUITY",
  name: "Test",
  first_trade_date: "2001-01-02" as string | null,
  regular_market_time: Temporal.Instant.from("2026-09-09T20:00:00Z"),
  previous_close: null,
};

function source(answers: Partial<BarHistory>[]) {
  const asked: { start: string | null; end: string }[] = [];
  return {
    asked,
    name: "test",
    daily: ({ start, end }: DailyBarRequest): Promise<BarHistory> => {
      asked.push({ start, end: addDays(end, 1) });
      return Promise.resolve({
        meta: META,
        bars: [],
        actions: [],
        dropped: { null_rows: [] },
        basis_date: "2026-09-09",
        received_at: Temporal.Instant.from(NOW),
        ...answers[asked.length - 1],
      });
    },
  };
}

const run = (
  from: ReturnType<typeof source>,
  window: { start: string | null; end: string },
  through: string | null,
  known: string | null = null,
) =>
  fetchDaily("T", window, { from: known, through }, UNKNOWN_LISTING, {
    source: from,
    calendar,
    clock: fakeClock(NOW),
  });

describe("fetchDaily", () => {
  test("a first fetch requests the window with a few days before it, on to the actions of now, in one request", async () => {
    const from = source([
      {
        bars: [bar("2026-08-03", 10), bar("2026-08-05", 11), bar("2026-08-07", 12), bar("2026-09-09", 13)],
        dropped: { null_rows: ["2026-08-04"] },
      },
    ]);
    const fetched = await run(from, { start: "2026-08-03", end: "2026-08-06" }, null);
    expect(from.asked).toEqual([{ start: "2026-07-24", end: "2026-09-10" }]);
    expect(fetched.actionsFrom).toBe("2026-08-03");
    expect(fetched.settled.map((b) => b.date)).toEqual(["2026-08-03", "2026-08-05"]);
    // Later days are no part of the window, and a day that is not settled is compared with nothing.
    expect(fetched.provisional).toEqual([]);
    expect(fetched.compared?.map((b) => b.date)).toEqual(["2026-08-07"]);
    expect(fetched.absent).toEqual([
      { date: "2026-08-04", kind: "null" },
      { date: "2026-08-06", kind: "absent" },
    ]);
    expect(fetched.actionsThrough).toBe("2026-09-09");
    expect(fetched.listing).toEqual({
      first_trade_date: "2001-01-02",
      last_trade_date: "2026-09-09",
      timezone: "America/New_York",
      instrument_type: "EQUITY",
    });
  });

  test("a window up to now reaches back to the last day whose actions are known, in one request", async () => {
    const from = source([{}]);
    await run(from, { start: "2026-09-01", end: "2026-09-09" }, "2026-05-04");
    expect(from.asked).toEqual([{ start: "2026-04-24", end: "2026-09-10" }]);
  });

  test("a window in the past fetches the actions since then in the same request", async () => {
    const split: CorporateAction = {
      ...dividend("2026-06-09", 0, 0.25),
      kind: "split",
      amount: null,
      numerator: 4,
      denominator: 1,
    };
    const from = source([
      { bars: [bar("2025-03-03", 5)], actions: [split, dividend("2025-03-04", 1, 0.98)] },
    ]);
    const fetched = await run(from, { start: "2025-03-03", end: "2025-03-04" }, "2026-05-04");
    expect(from.asked).toEqual([{ start: "2025-02-21", end: "2026-09-10" }]);
    expect(fetched.actionsFrom).toBe("2025-03-03");
    // Stored actions that end before the window: the span begins where they end.
    const behind = source([{}]);
    await run(behind, { start: "2025-03-03", end: "2025-03-04" }, "2024-05-03", "2024-01-02");
    expect(behind.asked).toEqual([{ start: "2024-04-23", end: "2026-09-10" }]);
    expect(fetched.actions.map((a) => [a.kind, a.ex_date])).toEqual([
      ["split", "2026-06-09"],
      ["dividend", "2025-03-04"],
    ]);
    expect(fetched.actionsThrough).toBe("2026-09-09");
  });

  test("a window in the past on the same basis needs nothing after it", async () => {
    const from = source([{}]);
    const window = { start: "2025-03-03", end: "2025-03-04" };
    const fetched = await run(from, window, "2026-09-09", "2025-03-05");
    expect(from.asked).toEqual([{ start: "2025-02-21", end: "2025-03-05" }]);
    // The window's own actions and those known before meet: together they are complete.
    expect(fetched.actionsFrom).toBe("2025-03-03");
    // A day without known actions lies between.
    const apart = source([{}]);
    await run(apart, window, "2026-09-09", "2025-03-06");
    expect(apart.asked).toEqual([{ start: "2025-02-21", end: "2026-09-10" }]);
  });

  test("the days ahead of a window count as fetched as far as the answer has them", async () => {
    const window = { start: "2026-08-03", end: "2026-08-06" };
    const ahead = [bar("2026-07-27", 8), bar("2026-07-28", 8), bar("2026-07-30", 9), bar("2026-08-03", 10)];
    const fetched = await run(source([{ bars: ahead }]), window, null);
    expect(fetched.actionsFrom).toBe("2026-07-27");
    expect(fetched.settled.map((b) => b.date)).toEqual(ahead.map((b) => b.date));
    expect(fetched.absent.map(({ date }) => date)).toEqual([
      "2026-07-29",
      "2026-07-31",
      "2026-08-04",
      "2026-08-05",
      "2026-08-06",
    ]);
    // The close before the first day is not in the answer, so what a dividend took off is unknown; a split
    // states its ratio.
    const paid = { bars: ahead, actions: [dividend("2026-07-27", 1, null), dividend("2026-07-28", 1, 0.9)] };
    expect((await run(source([paid]), window, null)).actionsFrom).toBe("2026-07-28");
    // Nothing ahead of the window: it counts itself, as before.
    expect((await run(source([{ bars: ahead.slice(3) }]), window, null)).actionsFrom).toBe("2026-08-03");
  });

  test("an answer on a later basis than expected is asked for once more, on to the present", async () => {
    const from = source([{ basis_date: "2026-09-10" }, { basis_date: "2026-09-10" }]);
    const fetched = await run(from, { start: "2025-03-03", end: "2025-03-04" }, "2026-09-09", "2025-03-05");
    expect(from.asked).toEqual([
      { start: "2025-02-21", end: "2025-03-05" },
      { start: "2025-02-21", end: "2026-09-10" },
    ]);
    expect([fetched.actionsFrom, fetched.actionsThrough]).toEqual(["2025-03-03", "2026-09-10"]);
  });

  test("where the span to the present is refused, the window is stored alone: whether its actions are complete is unknown", async () => {
    const from = source([{ bars: [bar("2025-03-03", 5)] }]);
    const failing = (error: UpstreamFailed | UpstreamRefused) => ({
      ...from,
      daily: (request: DailyBarRequest) =>
        request.end === "2026-09-09" ? Promise.reject(error) : from.daily(request),
    });
    const refused = new UpstreamRefused("test", "contradiction");
    const window = { start: "2025-03-03", end: "2025-03-04" };
    const fetched = await run(failing(refused), window, null);
    expect(fetched.settled.map(({ date }) => date)).toEqual(["2025-03-03"]);
    expect(fetched.actionsFrom).toBeNull();
    // Bars of an older basis would be scaled wrongly without them.
    expect(await run(failing(refused), window, "2026-05-04").catch((error: unknown) => error)).toBe(refused);
    // A provider that is down is not asked again.
    const down = new UpstreamFailed("test", "down");
    const before = from.asked.length;
    expect(await run(failing(down), window, null).catch((error: unknown) => error)).toBe(down);
    expect(from.asked.length).toBe(before);
  });

  test("bars of days that are not settled are provisional, even when the provider calls them settled", async () => {
    const from = source([{ bars: [bar("2026-09-08", 9), bar("2026-09-09", 10)] }]);
    const fetched = await run(from, { start: "2026-09-08", end: "2026-09-09" }, null);
    expect(fetched.settled.map((b) => b.date)).toEqual(["2026-09-08"]);
    expect(fetched.provisional.map((b) => b.date)).toEqual(["2026-09-09"]);
    expect(fetched.absent).toEqual([]);
  });

  test("a bar after the provider's last trade time counts: a fund's last trade time may be months old", async () => {
    const meta = { ...META, regular_market_time: Temporal.Instant.from("2026-07-17T12:00:00Z") };
    const from = source([
      { meta, bars: [bar("2026-09-04", 10)] },
      { meta, bars: [bar("2026-06-30", 9)] },
    ]);
    expect((await run(from, { start: "2026-09-01", end: "2026-09-09" }, null)).listing.last_trade_date).toBe(
      "2026-09-04",
    );
    expect((await run(from, { start: "2026-06-01", end: "2026-06-30" }, null)).listing.last_trade_date).toBe(
      "2026-07-17",
    );
  });

  test("two dividends on one day become one with their sum; an unknown factor stays unknown", async () => {
    const from = source([
      {
        actions: [
          dividend("2026-08-04", 1, 0.9),
          dividend("2026-08-04", 0.5, 0.95),
          dividend("2026-08-05", 1, null),
          dividend("2026-08-05", 1, 0.9),
        ],
      },
    ]);
    const { actions } = await run(from, { start: "2026-08-03", end: "2026-08-06" }, null);
    expect(actions.map((a) => [a.ex_date, a.amount])).toEqual([
      ["2026-08-04", 1.5],
      ["2026-08-05", 2],
    ]);
    expect(actions[0]?.price_factor).toBeCloseTo(0.85, 12);
    expect(actions[1]?.price_factor).toBeNull();
  });

  test("all history is requested from the beginning; its first bar is the first trade when the provider names none", async () => {
    const from = source([
      {
        bars: [bar("1999-03-01", 5)],
        meta: { ...META, first_trade_date: null },
      },
    ]);
    const fetched = await run(from, { start: null, end: "1999-03-02" }, null);
    expect(from.asked).toEqual([{ start: null, end: "2026-09-10" }]);
    expect(fetched.actionsFrom).toBe("1900-01-01");
    expect(fetched.listing.first_trade_date).toBe("1999-03-01");
    expect(fetched.absent).toEqual([{ date: "1999-03-02", kind: "absent" }]);
  });
});
