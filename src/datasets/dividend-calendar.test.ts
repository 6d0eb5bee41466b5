// dividends_as_of: the amount as paid, where a provider only has the amount adjusted for later splits.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWholeLake } from "../../test/support/whole-lake.ts";
import { batchOf, type Lake } from "../platform/lake/lake.ts";
import { corporateActions, dividendCalendar } from "./index.ts";

setDefaultTimeout(1_200_000);

let dir: string;
let lake: Lake;
const READ_AT = "2026-06-01T20:00:00.000Z";

const split = (symbol: string, ex_date: string, ratio: number | null, known_at = READ_AT) => ({
  symbol,
  ex_date,
  kind: "split",
  amount: null,
  currency: "USD",
  numerator: ratio,
  denominator: ratio === null ? null : 1,
  price_factor: ratio === null ? null : 1 / ratio,
  missing_through: null,
  basis_date: "2026-06-01",
  known_at,
  source: "yahoo",
});
/**
 * A payment as a provider of adjusted amounts has it on 1 June; `amount` is null where it lists a later
 * split.
 */
const payment = (
  symbol: string,
  ex_dividend_date: string,
  reported_amount: number,
  amount: number | null,
) => ({
  symbol,
  ex_dividend_date,
  dividend_type: "cash",
  part: 1,
  declaration_date: null,
  record_date: null,
  payment_date: null,
  amount,
  reported_amount,
  basis_date: "2026-06-01",
  currency: "USD",
  frequency: null,
  status: "declared",
  as_of_date: "2026-06-01",
  revision: 1,
  known_at: READ_AT,
  source: "yahoo",
});

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "dividends-"));
  lake = await openWholeLake(dir);
  await lake.append([
    batchOf(corporateActions, [
      split("MADE", "2014-06-09", 7),
      split("MADE", "2020-08-31", 4),
      split("UP", "2025-03-03", 0.1),
      split("ODD", "2025-03-03", null),
      split("LATE", "2024-03-04", 2),
      split("LATE", "2026-05-04", 3, "2026-06-03T20:00:00.000Z"),
    ]),
    batchOf(dividendCalendar, [
      payment("MADE", "2012-08-09", 0.094643, null),
      payment("MADE", "2019-11-07", 0.1925, null),
      payment("MADE", "2020-11-06", 0.205, 0.205),
      payment("UP", "2025-02-03", 1.1, null),
      payment("ODD", "2025-02-03", 0.5, null),
      payment("LATE", "2024-02-05", 0.3, null),
      payment("LATE", "2025-02-05", 0.6, 0.6),
    ]),
  ]);
});
afterAll(async () => {
  await lake.close();
  await rm(dir, { recursive: true });
});

const amounts = async (symbol: string, as_of: string | null = null) =>
  (
    await lake.query<{ amount: number | null }>(
      "SELECT amount FROM dividends_as_of($as_of) WHERE symbol = $symbol ORDER BY ex_dividend_date",
      { symbol, as_of },
    )
  ).map(({ amount }) => amount);

test("the splits since the ex date are undone, in as many decimals as are certain", async () => {
  // 0.094643 * 28 is 2.650004, of which the provider's six decimals leave four.
  expect(await amounts("MADE")).toEqual([2.65, 0.77, 0.205]);
  expect(await amounts("UP")).toEqual([0.11]);
});

test("what was paid is the same at every moment, before and after each split", async () => {
  for (const as_of of ["2013-01-02", "2014-06-09", "2019-11-06"])
    expect(await amounts("MADE", as_of)).toEqual([2.65]);
  for (const as_of of ["2019-11-07", "2020-08-30", "2020-08-31"])
    expect(await amounts("MADE", as_of)).toEqual([2.65, 0.77]);
  expect(await amounts("UP", "2025-02-14")).toEqual([0.11]);
});

test("a split without a ratio, or stored after the reading, leaves the amount unknown", async () => {
  expect(await amounts("ODD")).toEqual([null]);
  // The amount of 2025 was read as paid, and stays.
  expect(await amounts("LATE")).toEqual([null, 0.6]);
});
