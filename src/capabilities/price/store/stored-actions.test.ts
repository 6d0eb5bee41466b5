// Actions that are served as they were reported are those of the macro, whatever reports a symbol has.

import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import { openWholeLake } from "../../../../test/support/whole-lake.ts";
import { corporateActions } from "../../../datasets/index.ts";
import { batchOf } from "../../../platform/lake/lake.ts";
import { storedActions } from "./stored-actions.ts";

setDefaultTimeout(1_200_000);

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const dividend = (symbol: string, ex_date: string, amount: number, basis_date: string) => ({
  symbol,
  ex_date,
  kind: "dividend",
  amount,
  currency: "USD",
  numerator: null,
  denominator: null,
  price_factor: 0.99,
  missing_through: null,
  basis_date,
  known_at: `${basis_date}T21:00:00Z`,
  source: "made",
});
const split = (symbol: string, ex_date: string, basis_date: string) => ({
  ...dividend(symbol, ex_date, 0, basis_date),
  kind: "split",
  amount: null,
  currency: null,
  numerator: 2,
  denominator: 1,
  price_factor: 0.5,
});

test("one report, a split before and after it, a corrected report and a day outside the ranges", async () => {
  const dir = await mkdtemp(join(tmpdir(), "actions-"));
  const clock = fakeClock("2026-03-11T21:00:00Z");
  const lake = await openWholeLake(dir, clock);
  open.push(async () => {
    await lake.close();
    await rm(dir, { recursive: true });
  });
  await lake.append([
    batchOf(corporateActions, [
      dividend("PLAIN", "2025-02-03", 0.5, "2025-06-02"),
      dividend("PLAIN", "2023-02-03", 0.4, "2025-06-02"),
      split("PLAIN", "2025-03-03", "2025-06-02"),
      dividend("LATER", "2025-02-03", 0.5, "2025-06-02"),
      split("LATER", "2025-09-01", "2025-09-02"),
      dividend("TWICE", "2025-02-03", 0.5, "2025-06-02"),
    ]),
  ]);
  await lake.append([batchOf(corporateActions, [dividend("TWICE", "2025-02-03", 0.25, "2025-06-03")])]);
  const symbols = ["TWICE", "PLAIN", "NONE", "LATER"];
  const ranges = [{ start: "2024-01-01", end: "2026-03-11" }];
  const found = await storedActions(lake, symbols, ranges, null);
  const cash = { kind: "dividend", currency: "USD", ratio: null };
  const shares = { kind: "split", amount: null, currency: null, ratio: 2 };
  const shown = found.map(({ numerator: _n, denominator: _d, price_factor: _f, ...action }) => action);
  expect(
    shown.toSorted((a, b) => `${a.symbol}${a.ex_date}`.localeCompare(`${b.symbol}${b.ex_date}`)),
  ).toEqual([
    { symbol: "LATER", ex_date: "2025-02-03", ...cash, amount: 0.25 },
    { symbol: "LATER", ex_date: "2025-09-01", ...shares },
    { symbol: "PLAIN", ex_date: "2025-02-03", ...cash, amount: 0.5 },
    { symbol: "PLAIN", ex_date: "2025-03-03", ...shares },
    { symbol: "TWICE", ex_date: "2025-02-03", ...cash, amount: 0.25 },
  ]);
  for (const symbol of symbols)
    expect(await storedActions(lake, [symbol], ranges, null)).toEqual(
      await lake.query(
        `SELECT symbol, ex_date, kind, amount, currency, price_factor, numerator, denominator,
           numerator / denominator AS ratio FROM scaled_actions_now()
         WHERE symbol = $symbol AND ex_date >= DATE '2024-01-01' ORDER BY ex_date, kind`,
        { symbol },
      ),
    );
});
