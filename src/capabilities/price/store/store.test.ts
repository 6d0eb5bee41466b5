// The store of prices after a fetch: the factors of dividends listed late, and revisions.

import { afterEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import { openWholeLake } from "../../../../test/support/whole-lake.ts";
import { type CorporateAction, UNKNOWN_INSTRUMENT } from "../../../market/bar-history.ts";
import { exchangeCalendar } from "../../../market/calendar.ts";
import { openSqlite } from "../../../platform/sqlite/sqlite.ts";
import type { Fetched } from "../fetched.ts";
import { priceStore } from "./store.ts";

const clock = fakeClock("2026-09-30T21:00:00Z");
const calendar = exchangeCalendar();
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function world() {
  const dir = await mkdtemp(join(tmpdir(), "closes-"));
  const lake = await openWholeLake(dir, clock);
  const sqlite = openSqlite(join(dir, "ops.sqlite"));
  open.push(async () => {
    await lake.close();
    sqlite.close();
    await rm(dir, { recursive: true });
  });
  return { lake, sqlite, store: priceStore({ lake, sqlite, clock, calendar }) };
}

const LISTING = {
  first_trade_date: "2001-01-02",
  last_trade_date: null,
  timezone: "America/New_York",
  instrument_type: "EQUITY",
};

/** A fetch at the end of the day `basis_date`. */
function fetch(
  basis_date: string,
  closes: Record<string, number>,
  actions: readonly CorporateAction[],
): Fetched {
  const bars = Object.entries(closes).map(([date, close]) => ({
    date,
    at: calendar.sessionOpen(date),
    open: close,
    high: close,
    low: close,
    close,
    volume: 100,
    adj_close: close,
    settled: true,
    session: "regular" as const,
  }));
  return {
    symbol: "T",
    source: "test",
    answer: {
      meta: { ...UNKNOWN_INSTRUMENT, currency: "USD", timezone: "America/New_York" },
      bars,
      actions,
      dropped: { null_rows: [] },
      basis_date,
      received_at: Temporal.Instant.from(`${basis_date}T21:00:00Z`),
    },
    settled: bars,
    provisional: [],
    actions,
    absent: [],
    listing: LISTING,
    actionsThrough: basis_date,
    actionsFrom: null,
  };
}

const dividend = (ex_date: string, amount: number, currency = "USD"): CorporateAction => ({
  ex_date,
  kind: "dividend",
  amount,
  currency,
  numerator: null,
  denominator: null,
  price_factor: null,
});

const SPLIT: CorporateAction = {
  ex_date: "2026-09-10",
  kind: "split",
  amount: null,
  currency: null,
  numerator: 4,
  denominator: 1,
  price_factor: 0.25,
};

const adjusted = (lake: Awaited<ReturnType<typeof world>>["lake"]) =>
  lake.query("SELECT CAST(date AS VARCHAR) AS date, adj_close FROM bars(NULL) ORDER BY date");

test("a stored split that is listed for the next day too scales stored bars once", async () => {
  const { lake, store } = await world();
  await store.save([fetch("2026-09-08", { "2026-09-08": 80 }, [])]);
  await store.save([fetch("2026-09-10", { "2026-09-10": 20 }, [SPLIT])]);
  const [saved] = await store.save([
    fetch("2026-09-14", { "2026-09-08": 20, "2026-09-14": 21 }, [{ ...SPLIT, ex_date: "2026-09-11" }]),
  ]);
  expect(saved?.seam).toBeUndefined();
  expect(await adjusted(lake)).toEqual([
    { date: "2026-09-08", adj_close: 20 },
    { date: "2026-09-10", adj_close: 20 },
    { date: "2026-09-14", adj_close: 21 },
  ]);
});

test("a settled price below zero is stored and served", async () => {
  const { lake, store } = await world();
  await store.save([fetch("2026-09-10", { "2026-09-09": -37.63, "2026-09-10": 10.01 }, [])]);
  expect(await lake.query("SELECT close, adj_close FROM bars(NULL) ORDER BY date")).toEqual([
    { close: -37.63, adj_close: -37.63 },
    { close: 10.01, adj_close: 10.01 },
  ]);
});

test("a dividend without its close before gets its factor from the stored close of that session", async () => {
  const { lake, store } = await world();
  await store.save([fetch("2026-09-03", { "2026-09-01": 80, "2026-09-02": 100 }, [])]);
  // The answer begins with the ex date: it has no close before it.
  await store.save([fetch("2026-09-08", { "2026-09-04": 99 }, [dividend("2026-09-04", 1)])]);
  // The session before the ex date is the 3rd, which is not stored: the close of the 2nd does not stand in
  // for it.
  expect(await adjusted(lake)).toEqual([
    { date: "2026-09-01", adj_close: null },
    { date: "2026-09-02", adj_close: null },
    { date: "2026-09-04", adj_close: 99 },
  ]);
  await store.save([fetch("2026-09-03", { "2026-09-03": 50 }, [])]);
  await store.save([fetch("2026-09-09", { "2026-09-08": 99 }, [dividend("2026-09-04", 1)])]);
  expect(await adjusted(lake)).toEqual([
    { date: "2026-09-01", adj_close: 80 * 0.98 },
    { date: "2026-09-02", adj_close: 98 },
    { date: "2026-09-03", adj_close: 49 },
    { date: "2026-09-04", adj_close: 99 },
    { date: "2026-09-08", adj_close: 99 },
  ]);
});

test("the stored close is put on the basis of the amount", async () => {
  const { lake, store } = await world();
  await store.save([fetch("2026-09-03", { "2026-09-02": 80, "2026-09-03": 100 }, [])]);
  // After the split of 4 for 1 the amount of 0.5 was 2 of the old shares: 2 % of 100.
  await store.save([fetch("2026-09-11", { "2026-09-04": 24 }, [dividend("2026-09-04", 0.5), SPLIT])]);
  const [first] = await adjusted(lake);
  expect(first?.adj_close).toBeCloseTo((80 / 4) * 0.98, 10);
});

test("an amount in another currency has no factor", async () => {
  const { lake, store } = await world();
  await store.save([fetch("2026-09-03", { "2026-09-03": 100 }, [])]);
  await store.save([fetch("2026-09-08", { "2026-09-04": 99 }, [dividend("2026-09-04", 1, "EUR")])]);
  expect((await adjusted(lake))[0]).toEqual({ date: "2026-09-03", adj_close: null });
});

test("a differing value of another provider is a revision, once", async () => {
  const { lake, store } = await world();
  const day = "2026-09-02";
  await store.save([fetch("2026-09-03", { [day]: 100 }, [])]);
  const other = (basis: string, close: number) => ({
    ...fetch(basis, { [day]: close }, []),
    source: "other",
  });
  await store.save([other("2026-09-04", 101)]);
  await store.save([fetch("2026-09-08", { [day]: 102 }, [])]);
  await store.save([other("2026-09-09", 101)]);
  await store.save([other("2026-09-10", 100)]);
  const revisions = await lake.query("SELECT source, close FROM bar_revisions(NULL) ORDER BY known_at");
  expect(revisions).toEqual([
    { source: "other", close: 101 },
    { source: "test", close: 102 },
  ]);
  expect(await lake.query("SELECT source, close FROM bars(NULL)")).toEqual([{ source: "test", close: 100 }]);
});

test("stored bars are counted within days, as known at a moment", async () => {
  const { store } = await world();
  await store.save([fetch("2026-09-28", { "2026-09-23": 10, "2026-09-24": 11 }, [])]);
  await store.save([fetch("2026-09-29", { "2026-09-25": 12 }, [])]);
  const days = [{ start: "2026-09-24", end: "2026-09-25" }];
  // Before the open of Monday, with which the bar of Friday, the 25th, is settled.
  const between = Temporal.Instant.from("2026-09-28T13:29:59Z");
  expect(await store.count(["T"], days, null)).toBe(2);
  expect(await store.count(["T"], days, between)).toBe(1);
  expect(await store.count(["U"], days, null)).toBe(0);
});

test("a symbol given up in a renaming loses its claim of complete dividends, up to the basis that has unlisted ones", async () => {
  const { lake, sqlite, store } = await world();
  const known = (day: string) =>
    lake.query<Record<string, unknown>>(
      "SELECT CAST(date AS VARCHAR) AS date, close, adj_close FROM bars($day) ORDER BY date",
      { day },
    );
  const complete = { ...fetch("2026-08-31", { "2026-08-26": 80 }, []), actionsFrom: "2026-08-01" };
  await store.save([complete]);
  expect(await known("2026-08-28")).toEqual([{ date: "2026-08-26", close: 80, adj_close: 80 }]);
  // Closes of a later fetch are adjusted for what the company paid under its new symbol: nothing lists it
  // under this one.
  const later = { ...fetch("2026-09-15", { "2026-08-25": 79 }, []), actionsFrom: "2026-08-01" };
  const unlisted = { ...later, answer: { ...later.answer, hasUnlistedDividends: true } };
  await store.save([unlisted]);
  // Prices are those of then, the adjusted close is not known.
  const without = [
    { date: "2026-08-25", close: 79, adj_close: null },
    { date: "2026-08-26", close: 80, adj_close: null },
  ];
  expect(await known("2026-08-28")).toEqual(without);
  expect((await known("2026-09-14")).map(({ adj_close }) => adj_close)).toEqual([null, 80]);
  expect((await known("2026-09-15")).map(({ adj_close }) => adj_close)).toEqual([79, 80]);
  // A provider that lists nothing claims again; the stored closes are still adjusted for more than that.
  await store.save([{ ...fetch("2026-09-16", {}, []), actionsFrom: "2026-07-01" }]);
  expect(await known("2026-08-28")).toEqual(without);
  // It is stored once for a basis, and read again after a restart. The splits are complete all the same.
  await store.save([unlisted]);
  const again = priceStore({ lake, sqlite, clock, calendar });
  expect((await again.factsToFetch(["T"]))("T").actionsFrom).toBe("2026-07-01");
  await again.save([unlisted]);
  const withdrawn = "SELECT count(*) AS rows FROM action_coverage WHERE incomplete_through IS NOT NULL";
  expect(await lake.query(withdrawn)).toEqual([{ rows: 1 }]);
  expect(await lake.query("SELECT CAST(since AS VARCHAR) AS since FROM trade_factors()")).toEqual([
    { since: "2026-06-30" },
  ]);
});

test("dividends after a span in the past are measured by what is stored, and withdraw the claim where the two do not fit", async () => {
  const { lake, store } = await world();
  const paid = { ...dividend("2026-09-04", 1), price_factor: 0.9876 };
  const now = fetch("2026-09-15", { "2026-09-03": 80, "2026-09-04": 80 }, [paid]);
  await store.save([{ ...now, actionsFrom: "2026-09-01" }]);
  const past = (day: string, part: number) => {
    const one = { ...fetch("2026-09-15", { [day]: 40 }, []), actionsFrom: "2026-08-01" };
    // The provider's cents allow 0.9871, give or take.
    const settled = one.settled.map((bar) => ({ ...bar, adj_close: 40 * part }));
    return { ...one, settled, answer: { ...one.answer, laterDividends: { after: day, part, slack: 0.001 } } };
  };
  await store.save([past("2026-08-10", 0.9871)]);
  const stored = async () =>
    (
      await lake.query<{ adj_close: number }>(
        "SELECT adj_close FROM bars_daily WHERE date < DATE '2026-09-01' ORDER BY date",
      )
    ).map(({ adj_close }) => adj_close);
  expect((await stored())[0]).toBeCloseTo(40 * 0.9876, 12);
  const complete = "SELECT CAST(dividends_from AS VARCHAR) AS day FROM complete_actions()";
  expect(await lake.query(complete)).toEqual([{ day: "2026-08-01" }]);
  // 1.5 % less than the stored dividend explains: the price is kept as it came, and nothing is claimed of its
  // dividends.
  await store.save([past("2026-08-11", 0.9726)]);
  expect((await stored())[1]).toBe(40 * 0.9726);
  expect(await lake.query(complete)).toEqual([{ day: "2026-09-16" }]);
});

test("a close that the provider corrects before an ex date leaves adjusted closes of earlier moments as they were", async () => {
  const { lake, store } = await world();
  // Made up: 2 of 10.00 is a fifth of the close, which is corrected by 5 % to 10.50.
  const fetched = (basis: string, close: number, more: Record<string, number>) => {
    const paid = { ...dividend("2026-09-04", 2), price_factor: 1 - 2 / close };
    const one = fetch(basis, { "2026-09-02": close, "2026-09-03": close, ...more }, [paid]);
    const settled = one.settled.map((bar) =>
      bar.date < "2026-09-04" ? { ...bar, adj_close: bar.close - 2 } : bar,
    );
    return { ...one, settled, actionsFrom: "2026-01-01" };
  };
  const then = (moment: string) =>
    lake.query(`SELECT adj_close FROM bars('${moment}') WHERE date = '2026-09-02'`);
  await store.save([fetched("2026-09-08", 10, { "2026-09-04": 8 })]);
  const asked = [await then("2026-09-04T13:00:00Z"), await then("2026-09-08")];
  expect(asked).toEqual([[{ adj_close: 10 }], [{ adj_close: 8 }]]);
  await store.save([fetched("2026-09-10", 10.5, { "2026-09-08": 8 })]);
  expect([await then("2026-09-04T13:00:00Z"), await then("2026-09-08")]).toEqual(asked);
  const factors = await lake.query("SELECT price_factor FROM corporate_actions ORDER BY known_at");
  expect(factors.map(({ price_factor }) => price_factor)).toEqual([0.8, 1 - 2 / 10.5]);
  const revised = await lake.query("SELECT count(*) AS rows, min(close) AS close FROM bars_daily_revisions");
  expect(revised).toEqual([{ rows: 2, close: 10.5 }]);
});
