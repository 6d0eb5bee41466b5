// bars_adjusted: prices as traded, by splits, and by splits and dividends, each computed by hand beside it.

import { afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { byHand, PRINTED, storePrinted } from "../../test/support/adjusted-bars.ts";
import { expectPrice } from "../../test/support/price-digits.ts";
import { openWholeLake } from "../../test/support/whole-lake.ts";
import { wholeShares } from "../market/float.ts";
import { batchOf, type Lake } from "../platform/lake/lake.ts";
import { FINAL_BASIS } from "./bars-daily.ts";
import { actionCoverage, barsDaily, corporateActions } from "./index.ts";

setDefaultTimeout(1_200_000);

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function lakeHere(): Promise<Lake> {
  const dir = await mkdtemp(join(tmpdir(), "adjusted-"));
  const lake = await openWholeLake(dir);
  open.push(async () => {
    await lake.close();
    await rm(dir, { recursive: true });
  });
  return lake;
}

interface Row extends Record<string, unknown> {
  readonly date: string;
  readonly open: number | null;
  readonly close: number | null;
  readonly volume: number | null;
  readonly adj_close: number | null;
}
const read = (lake: Lake, as_of: string | null, adjustment: string, symbol = "MADE") =>
  lake.query<Row>(
    `SELECT * FROM bars_adjusted($as_of, adjustment := '${adjustment}') WHERE symbol = $symbol ORDER BY date`,
    { as_of, symbol },
  );

/** `as_of` and the day up to which its prices include splits and dividends. */
const MOMENTS = [
  [null, "2026-06-01"],
  ["2026-03-10", "2026-03-10"],
  ["2026-03-16", "2026-03-16"],
  ["2026-05-12", "2026-05-12"],
  ["2026-05-14T13:30:00Z", "2026-05-14"],
] as const;

test("each adjustment is what the splits and dividends make by hand, at every moment", async () => {
  const lake = await lakeHere();
  await storePrinted(lake, "MADE", "2026-03-06");
  for (const [as_of, basis] of MOMENTS)
    for (const adjustment of ["raw", "split", "all"]) {
      const rows = await read(lake, as_of, adjustment);
      const known = PRINTED.filter(({ date }) => date < basis);
      expect(rows.map(({ date }) => date)).toEqual(known.map(({ date }) => date));
      for (const [i, bar] of known.entries()) {
        const { volume, adjusted_close, ...prices } = byHand(bar, adjustment, basis);
        const what = `${adjustment} ${bar.date} as of ${as_of}`;
        // Seven digits, and for `all` also those of the close and the adjusted close that it is in proportion
        // to.
        for (const [name, price] of Object.entries(prices))
          expect(Math.abs(Number(rows[i]?.[name]) / price - 1), `${what} ${name}`).toBeLessThan(1.5e-6);
        expect(rows[i]?.volume, what).toBe(volume);
        expectPrice(rows[i]?.adj_close ?? Number.NaN, adjusted_close, what);
      }
    }
  // As traded means to the cent, whatever the basis: the prices of the provider have the digits for it.
  for (const [as_of] of MOMENTS)
    for (const row of await read(lake, as_of, "raw"))
      expect(row).toMatchObject(PRINTED.find(({ date }) => date === row.date) ?? {});
  const plain = await lake.query("SELECT * FROM bars(NULL) WHERE symbol = 'MADE' ORDER BY date");
  expect(await lake.query("SELECT * FROM bars_adjusted() WHERE symbol = 'MADE' ORDER BY date")).toEqual(
    plain,
  );
});

test("raw is null where a split may not be stored, and of a company that held the symbol before", async () => {
  const lake = await lakeHere();
  await storePrinted(lake, "MADE", "2026-03-12");
  await storePrinted(lake, "OTHER", null);
  const rows = await read(lake, null, "raw");
  expect(rows.map(({ open: price, volume }) => [price, volume])).toEqual([
    ...PRINTED.slice(0, 3).map(() => [null, null]),
    ...PRINTED.slice(3).map((bar) => [bar.open, bar.volume]),
  ]);
  expect(rows.every(({ adj_close }) => adj_close !== null)).toBe(true);
  expect((await read(lake, null, "raw", "OTHER")).every(({ close }) => close === null)).toBe(true);
  expect((await read(lake, null, "all", "OTHER")).every(({ close }) => close !== null)).toBe(true);
  const [bar] = await lake.query<Row>(
    "SELECT * EXCLUDE (recorded) FROM bars_daily WHERE symbol = 'MADE' ORDER BY date LIMIT 1",
  );
  const former = { ...bar, date: "2026-05-29", basis_date: FINAL_BASIS } as never;
  await lake.append([batchOf(barsDaily, [former])]);
  expect((await read(lake, null, "raw")).at(-1)).toMatchObject({ date: "2026-05-29", close: null });
});

test("any other adjustment is an error, not the default", async () => {
  const lake = await lakeHere();
  await storePrinted(lake, "MADE", "2026-03-06");
  for (const adjustment of ["RAW", "none", ""])
    await expect(read(lake, null, adjustment)).rejects.toThrow("adjustment is raw, split or all");
});

test("a scaled volume half way between two whole numbers is rounded up, in SQL as in code", async () => {
  const lake = await lakeHere();
  const known = { known_at: "2024-03-29T22:00:00Z", source: "test" };
  const bar = (symbol: string, basis_date: string) => {
    const prices = { open: 8, high: 8, low: 8, close: 8, adj_close: 8, volume: 1000, currency: "USD" };
    return { symbol, date: "2024-03-04", ...prices, basis_date, ...known };
  };
  // Between 11 and 15 March 1000 shares become 1000 * 0.99 * 0.25 * 0.5 * 10 = 1237.5, those of UP forward
  // and those of BACK to the past. DuckDB makes 1237.4999999999998 of UP.
  const splits = [0.99, 0.25, 0.5, 10].flatMap((factor, n) => {
    const days = { ex_date: `2024-03-${12 + n}`, basis_date: "2024-03-29", missing_through: null };
    const split = { kind: "split", amount: null, currency: null, numerator: null, denominator: null };
    return [
      { symbol: "BACK", ...days, ...split, price_factor: factor, ...known },
      { symbol: "UP", ...days, ...split, price_factor: 1 / factor, ...known },
    ];
  });
  await lake.append([
    batchOf(barsDaily, [bar("BACK", "2024-03-29"), bar("UP", "2024-03-11")]),
    batchOf(corporateActions, splits),
    batchOf(actionCoverage, [
      { symbol: "BACK", from_date: "2024-03-01", incomplete_through: null, ...known },
    ]),
  ]);
  for (const from of ["bars('2024-03-11')", "bars_adjusted(adjustment := 'raw')"])
    expect(await lake.query(`SELECT volume FROM ${from} WHERE symbol = 'BACK'`)).toEqual([{ volume: 1238 }]);
  for (const from of ["bars(NULL)", "bars_now()"])
    expect(await lake.query(`SELECT volume FROM ${from} WHERE symbol = 'UP'`)).toEqual([{ volume: 1238 }]);
  const halves = Array.from({ length: 5_000 }, (_, i) => (i * 7919 + 0.5) / (0.99 * (1 + (i % 5))));
  const below = halves.map((volume) => volume * 0.99 * (1 - 2 ** -50));
  const all = [0, 0.5, 1237.4999999999998, 9_999_999_999_999, ...halves, ...below];
  const rows = await lake.query<{ shares: number }>(
    "SELECT whole_shares(x) AS shares FROM (SELECT unnest($values::DOUBLE[]) AS x)",
    { values: all },
  );
  expect(rows.map(({ shares }) => shares)).toEqual(all.map(wholeShares));
});
