import { expect, test } from "bun:test";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import type { BarHistory } from "../../../market/bar-history.ts";
import { exchangeCalendar } from "../../../market/calendar.ts";
import { currentReading, Reading } from "../../../platform/reading.ts";
import type { SymbolFacts } from "../store/symbol-facts.ts";
import { windowFetcher } from "./fetch-window.ts";

const ANSWER: BarHistory = {
  meta: {
    currency: "USD",
    exchange_name: "X",
    timezone: "America/New_York",
    instrument_type: "EQUITY",
    name: "Test",
    first_trade_date: "2001-01-02",
    regular_market_time: Temporal.Instant.from("2026-09-09T20:00:00Z"),
    previous_close: null,
  },
  bars: [],
  actions: [],
  dropped: { null_rows: [] },
  basis_date: "2026-09-09",
  received_at: Temporal.Instant.from("2026-09-09T21:00:00Z"),
};
const FACTS: SymbolFacts = {
  listing: null,
  currency: null,
  name: null,
  actionsThrough: null,
  actionsFrom: null,
};

test("a request that read the store before another one's fetch ended reads the version that has its bars", async () => {
  let asked = 0;
  const fetchWindow = windowFetcher({
    store: {
      async save(fetched) {
        currentReading()?.wrote(7);
        return [...fetched];
      },
    },
    calendar: exchangeCalendar(),
    clock: fakeClock("2026-09-09T21:00:00Z"),
    provisional: {
      noteSeam() {},
      put() {},
      has: () => false,
      of: () => [],
      sourceOf: () => null,
      seamOf: () => null,
    },
  });
  const source = {
    name: "test",
    daily() {
      asked += 1;
      return Promise.resolve(ANSWER);
    },
  };
  const window = { start: "2026-08-03", end: "2026-08-28" };
  const fetch = { symbol: "ZORP", window, facts: FACTS, source, notesAbsent: true, signal: undefined };
  const readAt = performance.now();
  await fetchWindow({ ...fetch, readAt });
  const late = new Reading();
  late.saw(5, 5);
  late.pinned = 5;
  expect(await late.run(() => fetchWindow({ ...fetch, readAt }))).toBeNull();
  expect([late.pinned, asked]).toEqual([7, 1]);
});
