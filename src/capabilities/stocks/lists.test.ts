// Reading lists page by page: where they end, changes while they are read, and rows without a gain.
import { expect, setDefaultTimeout, test } from "bun:test";
import { captureLog } from "../../../test/support/capture-log.ts";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import { openSqlite } from "../../platform/sqlite/sqlite.ts";
import { FIFTY_TWO_WEEK_FLOORS, marketLists } from "./lists.ts";
import type { SourceRow } from "./sources.ts";

setDefaultTimeout(1_200_000);

const row = (symbol: string, fifty_two_week_change_percent: number | null = 10): SourceRow => ({
  symbol,
  name: null,
  exchange: "NMS",
  quote_type: "EQUITY",
  currency: "USD",
  price: 10,
  price_time: null,
  change: null,
  change_percent: null,
  volume: null,
  avg_volume_3m: null,
  market_cap: null,
  pe_ratio: null,
  fifty_two_week_high: null,
  fifty_two_week_low: null,
  fifty_two_week_change_percent,
});
const names = (from: number, count: number) => Array.from({ length: count }, (_, i) => row(`S${from + i}`));
const signal = new AbortController().signal;

/** A source with a list of `total` rows from `pageOf`, which records its requests. */
function source(
  total: number,
  pageOf = (start: number, count: number) => names(start, Math.max(0, Math.min(count, total - start))),
) {
  const asked: string[] = [];
  const clock = fakeClock("2026-09-09T18:00:00Z");
  const page = (start: number, count: number) => {
    clock.advance(1000);
    return { total, rows: pageOf(start, count), received_at: clock.now().toString() };
  };
  const store = openSqlite(":memory:");
  const lists = marketLists(
    {
      name: "test",
      predefined: async (list, { start, count }) => {
        asked.push(`${list} ${start}+${count}`);
        return page(start, count);
      },
      screen: async ({ filters, sort_by, sort_order, offset, size }) => {
        expect([filters, sort_by, sort_order]).toEqual([
          FIFTY_TWO_WEEK_FLOORS,
          "fifty_two_week_change",
          "desc",
        ]);
        asked.push(`${offset}+${size}`);
        return page(offset, size);
      },
    },
    { store, clock, log: captureLog() },
  );
  return { asked, lists };
}

test("reads all most active shares page by page; as_of is that of the first page", async () => {
  const { asked, lists } = source(620);
  const { value } = await lists.mostActive(false, signal);
  expect([value.rows.length, value.total, value.as_of]).toEqual([620, 620, "2026-09-09T18:00:01Z"]);
  expect(asked).toEqual(["most_actives 0+250", "most_actives 250+250", "most_actives 500+250"]);
});

test("reads 52-week gainers in pages of 200, cached by the number of pages", async () => {
  const { asked, lists } = source(5000);
  expect((await lists.fiftyTwoWeekGainers(3, false, signal)).value.rows).toHaveLength(600);
  expect(asked).toEqual(["0+200", "200+200", "400+200"]);
  expect((await lists.fiftyTwoWeekGainers(3, false, signal)).state).toBe("HIT");
  expect((await lists.fiftyTwoWeekGainers(1, false, signal)).value.rows).toHaveLength(200);
  expect((await lists.fiftyTwoWeekGainers(3, true, signal)).state).toBe("MISS");
  expect((await lists.fiftyTwoWeekGainers(10, false, signal)).value.rows).toHaveLength(2000);
  expect(asked).toHaveLength(3 + 1 + 3 + 10);
});

test("fetches day gainers each time, as many as requested", async () => {
  const { asked, lists } = source(300);
  expect((await lists.dayGainers(100, signal)).rows).toHaveLength(100);
  expect((await lists.dayGainers(200, signal)).rows).toHaveLength(200);
  expect(asked).toEqual(["day_gainers 0+100", "day_gainers 0+200"]);
});

test("a list that changes while it is read has no symbol twice", async () => {
  const { lists } = source(400, (start, count) =>
    start === 0 ? names(0, 200) : names(195, Math.min(count, 200)),
  );
  const { rows, warnings } = (await lists.fiftyTwoWeekGainers(3, false, signal)).value;
  expect(rows).toHaveLength(395);
  expect(warnings).toEqual([
    expect.stringMatching(/^not_read: 5 of the 400 shares .* 52-week gainers are not here/),
  ]);
  expect(new Set(rows.map(({ symbol }) => symbol)).size).toBe(395);
});

test("a page without new symbols is the end, whatever the total", async () => {
  const { asked, lists } = source(5000, () => names(0, 200));
  expect((await lists.fiftyTwoWeekGainers(10, false, signal)).value.rows).toHaveLength(200);
  expect(asked).toEqual(["0+200", "200+200"]);
});

test("an empty list is one page", async () => {
  const { asked, lists } = source(0);
  expect((await lists.mostActive(false, signal)).value).toMatchObject({
    rows: [],
    total: 0,
    warnings: ["nothing_there: The list of most active shares is empty at its source."],
  });
  expect(asked).toHaveLength(1);
});

test("a share without a gain, or with an unknown change, is not a gainer", async () => {
  const { lists } = source(4, () => [row("A", 50), row("B", null), row("C", 0), row("D", -3)]);
  const { rows, warnings } = (await lists.fiftyTwoWeekGainers(1, false, signal)).value;
  expect(rows.map(({ symbol }) => symbol)).toEqual(["A"]);
  expect(warnings).toEqual([
    "not_read: Shares left out because the source gave no 52-week change of them: 1.",
  ]);
});

test("shares beyond what is read are said, and how to read them; a whole list has nothing to say", async () => {
  const { lists } = source(5000);
  expect((await lists.fiftyTwoWeekGainers(3, false, signal)).value.warnings).toEqual([
    "not_read: The first 600 of 5000 shares in the list of 52-week gainers were read; `max_pages` of its route reads more.",
  ]);
  expect((await lists.dayGainers(100, signal)).warnings).toEqual([]);
  expect((await source(620).lists.mostActive(false, signal)).value.warnings).toEqual([]);
});
