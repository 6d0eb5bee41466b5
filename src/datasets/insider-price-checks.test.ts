import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { batch } from "../../test/support/overlay-world.ts";
import { openWholeLake } from "../../test/support/whole-lake.ts";
import type { RowOf } from "../platform/lake/dataset.ts";
import { batchOf, type Lake } from "../platform/lake/lake.ts";
import { INSIDER_PRICE_CHECKS, insiderPriceChecks } from "./insider-price-checks.ts";

setDefaultTimeout(1_200_000);

const CIK = "0000000001";
let lake: Lake;
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "asof-checks-"));
  lake = await openWholeLake(dir);
  const known_at = "2026-07-01T14:00:00Z";
  await lake.append([
    batch("companies", [{ symbol: "ZQA", cik: CIK, known_at }]),
    batch("action_coverage", [{ symbol: "ZQA", from_date: "2026-01-01", known_at }]),
  ]);
});
afterAll(async () => {
  await lake.close();
  await rm(dir, { recursive: true, force: true });
});

const closes = (prices: Readonly<Record<string, number>>) =>
  batch(
    "bars_daily",
    Object.entries(prices).map(([date, close]) => ({
      symbol: "ZQA",
      date,
      open: close,
      high: close,
      low: close,
      close,
      adj_close: close,
      volume: 1,
      basis_date: "2026-06-30",
      known_at: "2026-07-01T14:00:00Z",
    })),
  );

let rows = 0;
/** A purchase on a day; its form is public two days later at 20:00. */
const bought = (day: number, shares: number, price: number, more: Readonly<Record<string, unknown>> = {}) => {
  const [date, filed] = [day, day + 2].map((one) => `2026-06-${String(one).padStart(2, "0")}`);
  return {
    accession_number: `a${++rows}`,
    row_id: rows,
    role: "trade",
    issuer_cik: CIK,
    owners: "[]",
    security_type: "non_derivative",
    transaction_code: "P",
    transaction_date: date,
    filing_date: filed,
    shares,
    price_per_share: price,
    transaction_value: shares * price,
    known_at: `${filed}T20:00:00Z`,
    ...more,
  };
};

const check = async (which: Readonly<Record<string, readonly string[]>>): Promise<number> => {
  const found = await lake.query<RowOf<typeof insiderPriceChecks>>(INSIDER_PRICE_CHECKS, {
    symbols: [],
    issuers: [],
    ...which,
  });
  await lake.append([batchOf(insiderPriceChecks, found)]);
  return found.length;
};
/** The doubts of trades at a moment, with the price that is served. */
const doubts = async (first: number, asOf: string | null) =>
  (
    await lake.query<{ doubt: string }>(
      `SELECT concat_ws(' ', coalesce(price_in_doubt, 'none'), coalesce(printf('%g', price_per_share), 'null')) AS doubt
       FROM insider_transactions_as_of($as_of) WHERE row_id >= $first ORDER BY row_id`,
      { as_of: asOf, first },
    )
  ).map(({ doubt }) => doubt);

test("prices that cannot be, by what stands in their place; the others are as filed", async () => {
  await lake.append([
    closes({ "2026-06-01": 24.2, "2026-06-02": 24.4, "2026-06-03": 24 }),
    batch("insider_transactions", [
      bought(2, 200_000, 4_840_000),
      bought(2, 3_000, 2_420),
      bought(2, 24.2, 500),
      bought(2, 700, 97, {
        security_title: "Ordinary Shares",
        footnotes: "Each ADS is four ordinary shares.",
      }),
      bought(2, 700, 97),
      bought(2, 1_000, 72),
      bought(2, 1_000, 8.2),
      // Neither an option nor an award has the price of a share.
      bought(2, 1_000, 2_420, { security_type: "derivative" }),
      bought(2, 1_000, 2_420, { transaction_code: "A" }),
    ]),
  ]);
  expect(await check({ issuers: [CIK] })).toBe(7);
  expect(await check({ symbols: ["ZQA"] })).toBe(0);
  expect(await doubts(1, null)).toEqual([
    ...["total null", "cents null", "exchanged null", "per_ads null"],
    ...["unexplained 97", "none 72", "none 8.2", "none 2420", "none 2420"],
  ]);
});

test("a doubt is known from the form, or from the open after the close; a later close that fits ends it", async () => {
  const first = rows + 1;
  await lake.append([
    // The share rises fourfold; the purchase of the 15th is at the price that the market shows on the 18th.
    closes({ "2026-06-12": 24, "2026-06-15": 24, "2026-06-18": 100 }),
    batch("insider_transactions", [
      bought(15, 10, 99),
      bought(16, 10, 2_400, { transaction_date: "2036-06-16" }),
    ]),
  ]);
  await check({ symbols: ["ZQA"] });
  // Acceptance: 17 June at 20:00. The close of Thursday the 18th is known on Monday: Friday is a holiday.
  expect(await doubts(first, "2026-06-17T20:00:00Z")).toEqual(["unexplained 99"]);
  expect(await doubts(first, "2026-06-18T20:00:00Z")).toEqual(["unexplained 99", "cents null"]);
  expect(await doubts(first, "2026-06-22T13:29:59Z")).toEqual(["unexplained 99", "cents null"]);
  expect(await doubts(first, "2026-06-22T13:30:00Z")).toEqual(["none 99", "cents null"]);
  // An earlier close that is stored later ends it from the acceptance on.
  await lake.append([closes({ "2026-06-16": 98 })]);
  await check({ symbols: ["ZQA"] });
  expect(await doubts(first, "2026-06-17T20:00:00Z")).toEqual(["none 99"]);
  // The day of another year is null beside the filed one, and the filing date stands for it.
  expect(
    await lake.query(
      "SELECT transaction_date, filed_transaction_date, filed_price FROM insider_transactions_as_of() WHERE row_id > $first",
      { first },
    ),
  ).toEqual([{ transaction_date: null, filed_transaction_date: "2036-06-16", filed_price: 2_400 }]);
});

test("closes from before a split are compared as traded on their day", async () => {
  const first = rows + 1;
  await lake.append([
    batch("companies", [{ symbol: "ZQS", cik: "0000000002", known_at: "2026-07-01T14:00:00Z" }]),
    batch("action_coverage", [{ symbol: "ZQS", from_date: "2026-01-01", known_at: "2026-07-01T14:00:00Z" }]),
    batch("corporate_actions", [
      {
        symbol: "ZQS",
        ex_date: "2026-06-11",
        kind: "split",
        numerator: 10,
        denominator: 1,
        price_factor: 0.1,
        basis_date: "2026-06-30",
        known_at: "2026-07-01T14:00:00Z",
      },
    ]),
    batch("bars_daily", [
      {
        symbol: "ZQS",
        date: "2026-06-02",
        open: 2.4,
        high: 2.4,
        low: 2.4,
        close: 2.4,
        adj_close: 2.4,
        volume: 1,
        basis_date: "2026-06-30",
        known_at: "2026-07-01T14:00:00Z",
      },
    ]),
    batch("insider_transactions", [
      bought(2, 10, 24, { issuer_cik: "0000000002" }),
      bought(2, 10, 240, { issuer_cik: "0000000002" }),
    ]),
  ]);
  await check({ symbols: ["ZQS"] });
  expect(await doubts(first, null)).toEqual(["none 24", "total null"]);
});

test("a price of one class is not explained by the closes of another", async () => {
  const first = rows + 1;
  const known_at = "2026-07-01T14:00:00Z";
  const cik = "0000000003";
  const bar = {
    symbol: "ZQY",
    date: "2026-06-02",
    open: 400,
    high: 400,
    low: 400,
    close: 400,
    adj_close: 400,
  };
  const bars = { ...bar, volume: 1, basis_date: "2026-06-30", known_at };
  await lake.append([
    batch(
      "companies",
      ["ZQX", "ZQY"].map((symbol) => ({ symbol, cik, known_at })),
    ),
    batch(
      "action_coverage",
      ["ZQX", "ZQY"].map((symbol) => ({ symbol, from_date: "2026-01-01", known_at })),
    ),
    batch("bars_daily", [bars]),
    batch("insider_transactions", [
      bought(2, 400, 600_000, { issuer_cik: cik, security_title: "Class A Common Stock" }),
      bought(2, 400, 410, { issuer_cik: cik, security_title: "Class B Common Stock" }),
    ]),
  ]);
  await check({ symbols: ["ZQY"] });
  expect(await doubts(first, null)).toEqual(["unexplained 600000", "none 410"]);
  // A close of the other class, stored later, fits.
  const high = { open: 600_100, high: 600_100, low: 600_100, close: 600_100, adj_close: 600_100 };
  await lake.append([batch("bars_daily", [{ ...bars, ...high, symbol: "ZQX" }])]);
  await check({ symbols: ["ZQX"] });
  expect(await doubts(first, null)).toEqual(["none 600000", "none 410"]);
});
