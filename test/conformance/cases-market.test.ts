// The made cases of prices, actions, share counts and earnings: what is asked, and the right answer.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { hasCases, openOnCases } from "../support/case-gateway.ts";
import type { TestService } from "../support/service.ts";

interface Bar {
  readonly date: string;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly adjusted_close: number | null;
  readonly dividend?: number;
  readonly capital_gain?: number;
  readonly split_ratio?: number;
}
interface Prices {
  readonly data: readonly Bar[];
  readonly warnings: readonly string[];
}

describe.skipIf(!hasCases)("cases of the market (skipped where ../shared/cases is absent)", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await openOnCases("11", "12", "14", "15", "16", "18", "29", "42", "45", "59");
  });
  afterAll(() => service.stop());

  const prices = async (symbol: string, query: string) => {
    const { status, body } = await service.get<Prices>(`/api/v1/price/data/${symbol}?${query}`);
    expect(status).toBe(200);
    return body;
  };
  const on = ({ data }: Prices, date: string) => data.find((bar) => bar.date === date);

  test("59: an entry that can be no action takes no bar away, and is named at each visit", async () => {
    for (const [symbol, text] of [
      ["ZEROS", "1:0"],
      ["ZERON", "0:1"],
      ["NEGAM", "-0.25"],
    ] as const)
      for (const visit of ["first", "second"]) {
        const found = await prices(symbol, "start_date=2026-07-01&end_date=2026-08-31");
        expect([visit, found.data.length]).toEqual([visit, 43]);
        expect(found.data.every(({ close, adjusted_close }) => close === 1 && adjusted_close === 1)).toBe(
          true,
        );
        expect(found.warnings.join()).toContain(
          `entry for 2026-08-03 that can be neither a split nor a payment (${text})`,
        );
        expect(on(found, "2026-08-03")).not.toHaveProperty("split_ratio");
        expect(on(found, "2026-08-03")).not.toHaveProperty("dividend");
      }
  });

  test("59: a dividend above the price leaves the adjusted closes before it unknown", async () => {
    const above = await prices("NEGDV", "start_date=2026-07-30&end_date=2026-08-04");
    expect(above.data.map(({ adjusted_close }) => adjusted_close)).toEqual([null, null, 1, 1]);
    expect(above.warnings.join()).toContain("adjusted_close is null in 2 of 4 bars");
    const liquidation = await prices("LIQDV", "start_date=2026-07-31&end_date=2026-08-03");
    expect(liquidation.data).toMatchObject([{ close: 6 }, { close: 0.5, dividend: 5.5 }]);
    expect(liquidation.data[0]?.adjusted_close).toBeCloseTo(0.5, 5);
  });

  test("12: a gain within the dividend is subtracted once, and has a field of its own", async () => {
    for (const [symbol, dividend] of [
      ["VWFAX", 7.857],
      ["VWFBX", 7.857],
      ["VWFCX", 1.437],
    ] as const) {
      const found = await prices(symbol, "start_date=2026-10-15&end_date=2026-10-20");
      expect(on(found, "2026-10-16")?.adjusted_close).toBeCloseTo(42.143, 3);
      expect(on(found, "2026-10-19")).toMatchObject({ dividend, capital_gain: 6.42, adjusted_close: 41.94 });
      expect(found.warnings.some((text) => text.includes("capital gain of 2026-10-19"))).toBe(
        dividend > 6.42,
      );
    }
    const csv = await (
      await service.fetch(
        "/api/v1/price/data?tickers=VWFBX&start_date=2026-10-19&end_date=2026-10-19&format=csv",
      )
    ).text();
    expect(csv.split("\n").map((line) => line.split(",").slice(7, 11).join())).toEqual([
      "adjusted_close,dividend,capital_gain,split_ratio",
      "41.94,7.857,6.42,",
      "",
    ]);
  });

  test("11, 14: a split and a special dividend of one day; actions of the next session", async () => {
    const found = await prices("SPECK", "start_date=2026-08-06&end_date=2026-08-10");
    expect(on(found, "2026-08-06")?.adjusted_close).toBeCloseTo(46.997, 3);
    expect(on(found, "2026-08-10")).toMatchObject({ dividend: 3, split_ratio: 4 });
    const raw = await prices("SPECK", "start_date=2026-08-06&end_date=2026-08-06&adjustment=raw");
    expect(raw.data[0]?.close).toBe(200);
    for (const symbol of ["AHEDV", "AHEDS"])
      expect((await prices(symbol, "start_date=2026-11-20")).data.at(-1)).toMatchObject({
        date: "2026-11-25",
        close: 80,
        adjusted_close: 80,
      });
  });
});
