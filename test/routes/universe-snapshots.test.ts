// Monthly snapshots over HTTP: what a build makes of prices and reports, on the sample market.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Problem, type Row, U, UniverseService } from "../support/universe.ts";

// On a busy machine a build takes a while; nothing is measured.
setDefaultTimeout(1_200_000);

const TICKERS = ["ZORP", "QUIB", "QUIB-B", "RUMBQ", "NURBL", "HALTZ", "PIPZ-WT", "FADEQ"];

let universe: UniverseService;
beforeAll(async () => {
  universe = await UniverseService.open();
  await universe.post("/admin/discover", {});
  // A day without a close, at the end of a month.
  universe.service.sample.dials.set([{ fault: "null_row", symbol: "HALTZ", date: "2025-05-30" }]);
  const built = await universe.build({ start_month: "2025-03", end_month: "2025-06", tickers: TICKERS });
  expect(built).toMatchObject({ status: "succeeded", errors: 0, months: 4, months_done: 4, tickers: 8 });
  expect(built.rows_written).toBe(32);
});
afterAll(() => universe.stop());

const closeOf = async (ticker: string, date: string) => {
  const { body } = await universe.service.get<{ data: { close: number }[] }>(
    `/api/v1/price/data/${ticker}?start_date=${date}&end_date=${date}`,
  );
  return body.data[0]?.close;
};

describe("a row", () => {
  test("close as GET /price/data has it, count and accession as the reports have them", async () => {
    const row = await universe.row("2025-06-30", "ZORP");
    expect(row.close_price).toBe((await closeOf("ZORP", "2025-06-30")) ?? 0);
    // The count on the newest report's cover, which is later than that of its balance sheet.
    const [newest] = await universe.service.app().lake.query<Row>(
      `SELECT value, accession_number, tag, period_end FROM financial_facts
       WHERE cik = '0009079327' AND line = 'shares_outstanding' ORDER BY period_end DESC LIMIT 1`,
    );
    expect(newest?.tag).toBe("EntityCommonStockSharesOutstanding");
    expect([row.shares_outstanding, row.shares_accession, row.shares_as_of]).toEqual([
      newest?.value ?? null,
      newest?.accession_number ?? null,
      newest?.period_end ?? null,
    ]);
    expect(row).toMatchObject({
      snapshot_date: "2025-06-30",
      shares_source: "regulator",
      basis_date: "2026-09-09",
      currency: "USD",
      exchange: "Nasdaq",
      security_type: "common",
      missing: null,
    });
    expect(row.market_cap).toBeCloseTo(Number(row.shares_outstanding) * Number(row.close_price), 0);
    expect(row.market_cap_pit).toBeCloseTo(
      Number(row.shares_outstanding_pit) * Number(row.close_price_unadjusted),
      0,
    );
  });

  test("the count of the day is that of a report that could be read then", async () => {
    for (const date of ["2025-03-31", "2025-04-30", "2025-05-30", "2025-06-30"]) {
      const { shares_pit_known_at, shares_pit_as_of, shares_as_of } = await universe.row(date, "ZORP");
      expect(Date.parse(String(shares_pit_known_at))).toBeLessThan(Date.parse(`${date}T23:59:59-04:00`) + 1);
      expect(String(shares_pit_as_of) <= date).toBe(true);
      expect(String(shares_as_of) > "2026-06-30").toBe(true);
    }
    const [march, june] = [
      await universe.row("2025-03-31", "ZORP"),
      await universe.row("2025-06-30", "ZORP"),
    ];
    expect(march.shares_pit_accession).not.toBe(june.shares_pit_accession);
  });

  test("a 2:1 split on 2025-04-21: prices and counts of either side are on one basis each", async () => {
    const [before, after] = [
      await universe.row("2025-03-31", "NURBL"),
      await universe.row("2025-04-30", "NURBL"),
    ];
    expect(Number(before.close_price_unadjusted) / Number(before.close_price)).toBeCloseTo(2, 6);
    expect(after.close_price_unadjusted).toBe(after.close_price as number);
    // One count was filed before the split; on the later day it is restated.
    const counted = Number(after.shares_outstanding_pit) / Number(before.shares_outstanding_pit);
    expect(counted).toBeGreaterThan(1.7);
    for (const row of [before, after])
      expect(Number(row.market_cap_pit) / Number(row.market_cap)).toBeWithin(0.5, 2);
  });

  test("classes, depositary shares, a warrant: what is not counted apart is null and says so", async () => {
    const row = (ticker: string) => universe.row("2025-06-30", ticker);
    for (const ticker of ["QUIB", "QUIB.B"])
      expect(await row(ticker)).toMatchObject({
        shares_source: "price_provider",
        market_cap_pit: null,
        missing: "several_classes",
      });
    expect((await row("QUIB")).shares_outstanding).not.toBe(
      (await row("QUIB.B")).shares_outstanding as number,
    );
    expect(await row("RUMBQ")).toMatchObject({ market_cap_pit: null, missing: "depositary_shares" });
    expect(await row("PIPZ.WS")).toMatchObject({
      market_cap: null,
      market_cap_pit: null,
      missing: "no_shares,no_shares_pit",
    });
  });

  test("a month end without a close is null, and the day before is not carried forward", async () => {
    const row = await universe.row("2025-05-30", "HALTZ");
    expect(row).toMatchObject({
      close_price: null,
      close_price_unadjusted: null,
      market_cap: null,
      market_cap_pit: null,
      missing: "no_close",
    });
    expect(row.shares_outstanding).toBeGreaterThan(0);
    expect((await universe.row("2025-04-30", "HALTZ")).close_price).toBeGreaterThan(0);
  });
});

describe("the screen", () => {
  const tickers = (rows: readonly Row[]) => rows.map(({ ticker }) => ticker);

  test("uses the newest snapshot at or before the date, and says what it is", async () => {
    const used = async (date: string) => (await universe.screen(`date=${date}`)).snapshot_date;
    expect(await used("2025-06-30")).toBe("2025-06-30");
    expect(await used("2025-06-29")).toBe("2025-05-30");
    expect(await used("2025-05-31")).toBe("2025-05-30");
    expect(await used("2099-01-01")).toBe("2025-06-30");
    const answer = await universe.screen("date=2025-06-30");
    expect(answer).toMatchObject({ survivorship_bias: true, snapshot_rows: 8, total: 8, count: 8 });
    expect(answer.listings_known_since).toStartWith("2026-09-09T");
    expect(answer.warnings).toEqual([]);
    expect((await universe.screen("date=2099-01-01")).warnings).toEqual([
      "2099-01-01 is in the future: the answer is the newest stored snapshot, that of 2025-06-30.",
    ]);
    // On 9 September 2026 the month end of August is the newest that is settled.
    for (const [date, missing] of [
      ["2025-07-30", []],
      ["2025-07-31", ["2025-07-31"]],
      ["2026-03-15", ["2026-02-27"]],
      ["2026-12-31", ["2026-08-31"]],
    ] as const)
      expect([
        date,
        (await universe.screen(`date=${date}`)).warnings.filter((each) => /not_read/.test(each)),
      ]).toEqual([
        date,
        missing.map(
          (day) => `not_read: The snapshot of ${day} is not stored: the answer is that of 2025-06-30.`,
        ),
      ]);
    const early = await universe.get<Problem>("/screen?date=2025-03-30");
    expect([early.status, early.body.code]).toEqual([404, "no_data"]);
  });

  test("filters and order; what is unknown passes no bound and comes last", async () => {
    const { data } = await universe.screen("date=2025-06-30");
    const caps = data.map(({ market_cap }) => (market_cap === null ? -1 : Number(market_cap)));
    expect(caps).toEqual([...caps].sort((a, b) => b - a));
    const middle = caps[3] ?? 0;
    const above = await universe.screen(`date=2025-06-30&market_cap_min=${middle}`);
    expect(tickers(above.data)).toEqual(tickers(data.slice(0, 4)));
    const below = await universe.screen(`date=2025-06-30&market_cap_max=${middle}`);
    expect(tickers(below.data)).toEqual(tickers(data.filter((row, i) => i >= 3 && row.market_cap !== null)));
    const nyse = await universe.screen("date=2025-06-30&exchange=NYSE&sort_by=ticker&sort_order=asc");
    expect(tickers(nyse.data)).toEqual(["FADEQ", "QUIB", "QUIB.B", "RUMBQ"]);
    const priced = await universe.screen("date=2025-06-30&price_min=100");
    for (const { close_price } of priced.data) expect(Number(close_price)).toBeGreaterThanOrEqual(100);
    expect(priced.total).toBe(data.filter(({ close_price }) => Number(close_price) >= 100).length);
    const sector = String(data.find(({ ticker }) => ticker === "ZORP")?.sector);
    const same = await universe.screen(`date=2025-06-30&sector=${sector.toUpperCase()}`);
    expect(tickers(same.data)).toEqual(tickers(data.filter((row) => row.sector === sector)));
    const ascending = await universe.screen("date=2025-06-30&sort_order=asc&limit=3&offset=5");
    expect([ascending.count, ascending.has_more, ascending.data.at(-1)?.market_cap]).toEqual([
      3,
      false,
      null,
    ]);
  });

  test("the same rows as csv, ndjson and parquet, and by the macro in the catalogue", async () => {
    const { data } = await universe.screen("date=2025-06-30");
    const asked = (format: string) => universe.service.fetch(`${U}/screen?date=2025-06-30&format=${format}`);
    const lines = (await (await asked("ndjson")).text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    // A row has the canonical symbol too, which a listing has as its ticker.
    expect(lines).toEqual(data.map((row) => ({ symbol: row.ticker, ...row })) as never);
    const csv = (await (await asked("csv")).text()).trim().split("\r\n");
    expect([csv.length, csv[0]?.split(",").slice(0, 2)]).toEqual([9, ["symbol", "ticker"]]);
    const header = csv[0]?.split(",") ?? [];
    const zorp = csv.find((line) => line.startsWith("ZORP,"))?.split(",") ?? [];
    expect(zorp.length).toBe(header.length);
    expect(zorp.at(-1)).toBe(String(data.find(({ ticker }) => ticker === "ZORP")?.known_at));
    const parquet = new Uint8Array(await (await asked("parquet")).arrayBuffer());
    expect(new TextDecoder().decode(parquet.subarray(0, 4))).toBe("PAR1");
    const wanted = data.map(({ ticker, market_cap, market_cap_pit }) => ({
      ticker,
      market_cap,
      market_cap_pit,
    }));
    const rows = await universe.service
      .app()
      .lake.query<(typeof wanted)[number]>(
        "SELECT symbol AS ticker, market_cap, market_cap_pit FROM universe('2025-07-15')",
      );
    const byTicker = (a: { readonly ticker: unknown }, b: { readonly ticker: unknown }) =>
      String(a.ticker) < String(b.ticker) ? -1 : 1;
    expect(rows.sort(byTicker)).toEqual(wanted.sort(byTicker));
  });

  test("nothing was known before it was built", async () => {
    const { status, body } = await universe.get<Problem>("/screen?date=2025-06-30&as_of=2026-09-08");
    expect([status, body.code]).toEqual([404, "no_data"]);
    const { lake } = universe.service.app();
    expect(await lake.query("FROM universe('2025-06-30', as_of := '2026-09-08')")).toEqual([]);
  });
});

test("what is stored is not built again; forced, only what differs is added, and the world before stays", async () => {
  const ask = { start_month: "2025-05", end_month: "2025-05", tickers: TICKERS };
  expect(await universe.build(ask)).toMatchObject({ status: "succeeded", rows_written: 0 });
  const before = universe.service.clock.now().toString();
  const known = await universe.row("2025-05-30", "HALTZ");
  universe.service.sample.dials.clear();
  expect((await universe.build({ ...ask, force: true })).rows_written).toBe(1);
  const now = await universe.row("2025-05-30", "HALTZ");
  expect(now.missing).toBeNull();
  expect(now.close_price).toBe((await closeOf("HALTZ", "2025-05-30")) ?? 0);
  expect(await universe.row("2025-05-30", "HALTZ", `&as_of=${before}`)).toEqual(known);
  expect((await universe.screen("date=2025-05-30")).snapshot_rows).toBe(8);
});
