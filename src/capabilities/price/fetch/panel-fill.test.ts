// Bars for the panel: each company's own under the symbol as traded, apart from those of the symbol's present
// holder.

import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { captureLog } from "../../../../test/support/capture-log.ts";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import { openWholeLake } from "../../../../test/support/whole-lake.ts";
import { corporateActions } from "../../../datasets/index.ts";
import { type BarHistory, UNKNOWN_INSTRUMENT } from "../../../market/bar-history.ts";
import { exchangeCalendar } from "../../../market/calendar.ts";
import { dateText } from "../../../platform/cells.ts";
import { NotFound, UpstreamFailed, UpstreamRefused } from "../../../platform/errors.ts";
import { batchOf } from "../../../platform/lake/lake.ts";
import { openSqlite } from "../../../platform/sqlite/sqlite.ts";
import type { FeedSource } from "../sources.ts";
import { priceStore } from "../store/store.ts";
import { dailyHistory } from "./history.ts";
import { panelFill } from "./panel-fill.ts";

setDefaultTimeout(1_200_000);

const clock = fakeClock("2024-09-04T21:00:00Z");
const calendar = exchangeCalendar();
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

type Asked = Parameters<FeedSource["daily"]>[0];

/** One bar per session, at a close that identifies the company. */
function answer(request: Asked, close: number): BarHistory {
  const dates = calendar.sessionsBetween(request.start ?? "2019-01-02", request.end);
  return {
    meta: { ...UNKNOWN_INSTRUMENT, currency: "USD", timezone: "America/New_York" },
    bars: dates.map((date) => ({
      date,
      at: calendar.sessionOpen(date),
      open: close,
      high: close,
      low: close,
      close,
      volume: 100,
      adj_close: close / 2,
      settled: true,
      session: "regular",
    })),
    actions: [],
    dropped: { null_rows: [] },
    basis_date: "2024-09-04",
    received_at: clock.now(),
  };
}

async function world(daily: (request: Asked) => Promise<BarHistory>) {
  const dir = await mkdtemp(join(tmpdir(), "panel-"));
  const lake = await openWholeLake(dir, clock);
  const sqlite = openSqlite(join(dir, "ops.sqlite"));
  open.push(async () => {
    await lake.close();
    sqlite.close();
    await rm(dir, { recursive: true });
  });
  const store = priceStore({ lake, sqlite, clock, calendar });
  const feed: FeedSource = { name: "alpaca_sip", historyFrom: "2016-01-01", isConfigured: () => true, daily };
  const provider = {
    name: "yahoo",
    daily: () => Promise.reject(new NotFound("unknown_ticker", "no such symbol")),
  };
  const past = dailyHistory({ source: provider, feed, calendar, clock, log: captureLog(), store });
  const fill = panelFill({ feed, store, history: past, calendar, clock });
  return { lake, store, fill };
}

const SIGNAL = new AbortController().signal;
const ask = (
  symbols: string[],
  start: string,
  end: string,
  more: { asof?: string; isFormer?: boolean } = {},
) => ({
  symbols,
  start,
  end,
  within: () => ({ start, end }),
  isFormer: false,
  signal: SIGNAL,
  ...more,
});

test("a former company's bars are not adjusted for actions of the symbol's present holder, and are no part of its history", async () => {
  const { lake, store, fill } = await world(async (request) =>
    answer(request, request.asof === "2019-03-01" ? 50 : 20),
  );
  await fill(ask(["X"], "2019-02-25", "2019-03-01", { asof: "2019-03-01", isFormer: true }));
  await fill(ask(["X"], "2024-08-26", "2024-08-30"));
  // The present company splits 2:1 some days later.
  const split = {
    symbol: "X",
    ex_date: "2024-09-05",
    kind: "split",
    amount: null,
    currency: null,
    numerator: 2,
    denominator: 1,
    price_factor: 0.5,
    missing_through: null,
    basis_date: "2024-09-05",
    known_at: "2024-09-05T22:00:00Z",
    source: "test",
  };
  await lake.append([batchOf(corporateActions, [split])]);
  const rows = await lake.query<{ date: string; close: number; basis_date: string }>(
    "SELECT date, close, basis_date FROM bars(NULL) WHERE symbol = 'X' ORDER BY date",
  );
  const closes = rows.map((row) => [row.date.slice(0, 4), row.close, row.basis_date]);
  expect(closes[0]).toEqual(["2019", 50, "9999-12-31"]);
  expect(closes.filter(([year]) => year === "2019").every(([, close]) => close === 50)).toBe(true);
  expect(closes.at(-1)).toEqual(["2024", 10, "2024-09-04"]);
  const days = await store.days(["X"], [{ start: "2019-01-02", end: "2024-09-04" }]);
  expect(Array.from(days("X"), dateText)).toEqual([
    "2024-08-26",
    "2024-08-27",
    "2024-08-28",
    "2024-08-29",
    "2024-08-30",
  ]);
});

test("of the days fetched in one request each symbol stores only its own", async () => {
  const { lake, fill } = await world(async (request) => answer(request, 7));
  const within = (symbol: string) =>
    symbol === "OLD"
      ? { start: "2024-08-26", end: "2024-08-27" }
      : { start: "2024-08-28", end: "2024-08-29" };
  const stored = await fill({ ...ask(["OLD", "NEW"], "2024-08-26", "2024-08-29"), within });
  expect([...stored]).toEqual([
    ["OLD", 2],
    ["NEW", 2],
  ]);
  expect(
    await lake.query(
      "SELECT symbol, min(date) AS a, max(date) AS b FROM bars_daily GROUP BY symbol ORDER BY symbol",
    ),
  ).toEqual([
    { symbol: "NEW", a: "2024-08-28", b: "2024-08-29" },
    { symbol: "OLD", a: "2024-08-26", b: "2024-08-27" },
  ]);
});

test("an error of one symbol stays its own; an outage of the feed fails the batch, but what was answered is stored", async () => {
  const { lake, fill } = await world(async (request) => {
    if (request.symbol === "NONE") throw new NotFound("no_data", "nothing of it");
    if (request.symbol === "ODD") throw new UpstreamRefused("marketfeed", "it contradicts itself");
    if (request.symbol === "DOWN") throw new UpstreamFailed("marketfeed", "it is down");
    return answer(request, 7);
  });
  const some = await fill(ask(["NONE", "GOOD", "ODD"], "2024-08-26", "2024-08-27"));
  expect([...some].map(([symbol, one]) => [symbol, one instanceof Error ? one.message : one]).sort()).toEqual(
    [
      ["GOOD", 2],
      ["NONE", "nothing of it"],
      ["ODD", "it contradicts itself"],
    ],
  );
  const failed = await fill(ask(["KEPT", "DOWN"], "2024-08-26", "2024-08-27")).catch(
    (error: Error) => error.message,
  );
  expect(failed).toBe("it is down");
  expect(await lake.query("SELECT count(*) AS bars FROM bars_daily WHERE symbol = 'KEPT'")).toEqual([
    { bars: 2 },
  ]);
});
