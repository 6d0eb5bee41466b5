// The made cases of prices, actions, share counts and earnings: what is asked, and the right answer.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { hasCases, openOnCases } from "../support/case-gateway.ts";
import type { TestService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

interface Bar {
  readonly date: string;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly adjusted_close: number | null;
  readonly dividend?: number;
  readonly capital_gain?: number;
  readonly split_ratio?: number;
  readonly outlier?: true;
}
interface Prices {
  readonly data: readonly Bar[];
  readonly warnings: readonly string[];
}

describe.skipIf(!hasCases)("cases of the market (skipped where ../shared/cases is absent)", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await openOnCases(["11", "12", "14", "15", "16", "18", "29", "42", "45", "59"]);
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
    const [names = "", cells = ""] = csv.split("\r\n");
    expect(cells.split(",")[names.split(",").indexOf("capital_gain")]).toBe("6.42");
  });

  test("11, 14: a split and a special dividend of one day; actions of the next session", async () => {
    const found = await prices("SPECK", "start_date=2026-08-06&end_date=2026-08-10");
    expect(on(found, "2026-08-06")?.adjusted_close).toBeCloseTo(46.997, 3);
    expect(on(found, "2026-08-10")).toMatchObject({ dividend: 3, split_ratio: 4 });
    const raw = await prices("SPECK", "start_date=2026-08-06&end_date=2026-08-06&adjustment=raw");
    expect(raw.data[0]?.close).toBe(200);
    for (const symbol of ["AHEDV", "AHEDS"])
      expect((await prices(symbol, "start_date=2026-11-20&end_date=2026-12-31")).data.at(-1)).toMatchObject({
        date: "2026-11-25",
        close: 80,
        adjusted_close: 80,
      });
  });

  test("16: a bar a hundred times off its neighbours is marked, and warned of, in every format", async () => {
    const found = await prices("HUNDO", "start_date=2026-09-14&end_date=2026-09-16");
    expect(found.data.map(({ close, outlier = false }) => [close, outlier])).toEqual([
      [4.96, false],
      [496, true],
      [5, false],
    ]);
    expect(found.warnings.join()).toContain("The bar of 2026-09-15 has a price 20 times or more off");
    const rows = "/api/v1/price/data?tickers=HUNDO,LIQDV&start_date=2026-09-14&end_date=2026-09-16";
    const csv = await service.fetch(`${rows}&format=csv`);
    const [names = "", ...lines] = (await csv.text()).trim().split("\r\n");
    const at = names.split(",").indexOf("outlier");
    expect(lines.map((line) => line.split(",")[at])).toEqual([
      "false",
      "true",
      "false",
      "false",
      "false",
      "false",
    ]);
    expect(csv.headers.get("x-warnings")).toContain("HUNDO: The bar of 2026-09-15");
    const pence = await prices("PENSE.L", "start_date=2026-03-01&end_date=2026-11-25");
    expect(pence.data.filter(({ outlier }) => outlier)).toEqual([]);
  });

  test("15: a price of years ago has its time, and a period ends with the last trade, with a warning", async () => {
    const quote = await service.get("/api/v1/price/quote/OLDFX");
    expect(quote.body).toMatchObject({ price: 183.92, price_time: "2019-06-28T20:00:00Z" });
    const found = await prices("OLDFX", "period=1m");
    expect([found.data[0]?.date, found.data.at(-1)?.date]).toEqual(["2019-05-28", "2019-06-28"]);
    expect(found.warnings).toEqual(["OLDFX last traded on 2019-06-28: the period ends there."]);
    const then = await prices("OLDFX", "period=1m&as_of=2026-11-20");
    expect(then.data.map(({ date, close }) => [date, close])).toEqual(
      found.data.map(({ date, close }) => [date, close]),
    );
    expect(then.warnings).toEqual(found.warnings);
  });

  test("18: the bars of a half day end at 13:00", async () => {
    const path = "/api/v1/price/intraday?tickers=HALFD&interval=1h&start_date=2025-11-28&end_date=2025-11-28";
    const { body } = await service.get<{ bars: { HALFD: { timestamp: string }[] } }>(path);
    const hours = ["14:30", "15:30", "16:30", "17:30"];
    expect(body.bars.HALFD.map(({ timestamp }) => timestamp.slice(11, 16))).toEqual(hours);
  });

  const statements = async (symbol: string, query = "") => {
    const { status, body } = await service.get<{
      balance_sheet: Record<string, unknown>[];
      metrics: (Record<string, unknown> & { null_reasons: Record<string, string> })[];
      warnings: string[];
    }>(`/api/v1/financial/data/${symbol}?period_type=all${query}`);
    expect(status).toBe(200);
    return body;
  };

  test("29: a cover's count before a split that the report is filed after is no count after it", async () => {
    const unclear = await statements("BYNDX");
    expect(unclear.metrics[0]).toMatchObject({ pb_ratio: null });
    expect(unclear.metrics[0]?.null_reasons.pb_ratio).toContain(
      "whether the split of 2026-08-14 is included",
    );
    expect((await statements("BYNDX", "&adjusted=true")).balance_sheet[0]?.shares_outstanding).toBeNull();
    // Filed before the split.
    const before = (await statements("BYNDY")).metrics[0];
    expect(before?.pb_ratio).toBeCloseTo(0.8, 1);
    // The weighted count of the report shows that the cover's is from before the split.
    const shown = (await statements("BYNDZ")).metrics[0];
    expect(shown?.pb_ratio).toBeCloseTo(80, 0);
    expect((await statements("BYNDZ", "&adjusted=true")).balance_sheet[0]?.shares_outstanding).toBe(
      400_000_000,
    );
  });

  test("45: a placeholder is no count of shares", async () => {
    for (const symbol of ["PLHOL", "PLHOM", "PLHON"]) {
      const found = await statements(symbol);
      expect(found.balance_sheet[0]?.shares_outstanding).toBeNull();
      expect(found.metrics[0]?.pb_ratio).toBeNull();
      expect(found.warnings.join()).toMatch(/shares outstanding to .* which is in doubt/);
    }
  });

  test("29, 45: the snapshot of a month has the same counts, or none", async () => {
    const post = (path: string, body: object) =>
      service.post<{ job_id: string }>(`/api/v1/universe/admin/${path}`, body);
    expect((await post("discover", {})).status).toBe(200);
    const tickers = ["BYNDX", "BYNDY", "BYNDZ", "PLHOL"];
    const { body } = await post("build-snapshots", { start_month: "2026-09", end_month: "2026-09", tickers });
    let status = "";
    while (!["succeeded", "failed"].includes(status)) {
      await Bun.sleep(20);
      status = (
        await service.get<{ status: string }>(`/api/v1/universe/admin/build-snapshots/${body.job_id}`)
      ).body.status;
    }
    const screen = await service.get<{ data: Record<string, unknown>[] }>(
      "/api/v1/universe/screen?date=2026-09-30",
    );
    const rows = screen.body.data.map(({ ticker, market_cap, market_cap_pit, missing }) => [
      ticker,
      market_cap,
      market_cap_pit,
      missing,
    ]);
    expect(rows.sort()).toEqual([
      ["BYNDX", null, null, "shares_in_doubt"],
      ["BYNDY", 239_999_994, 239_999_994, null],
      ["BYNDZ", 24_000_000_000, 24_000_000_000, null],
      ["PLHOL", null, null, "no_shares,no_shares_pit"],
    ]);
  });

  test("42: of two reports listed for a day the one whose quarter has ended is next", async () => {
    const market = await service.get<{ data: object[]; warnings: string[] }>(
      "/api/v1/earnings/calendar?date=2026-12-02",
    );
    expect(market.body.data).toMatchObject([
      { ticker: "CHPTO", fiscal_quarter_end: "2026-10-31", eps_estimate: -0.15 },
    ]);
    const { body } = await service.get<{ next: object; data: object[]; warnings: string[] }>(
      "/api/v1/earnings/calendar/CHPTO",
    );
    expect(body.next).toMatchObject({
      fiscal_quarter_end: "2026-10-31",
      eps_estimate: -0.15,
      estimate_count: 5,
      report_time: "amc",
    });
    expect(body.data).toHaveLength(1);
    for (const { warnings } of [market.body, body])
      expect(warnings.join()).toContain("for the quarter to 2027-01-31: it cannot have ended by then");
  });
});
