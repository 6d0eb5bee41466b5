import { describe, expect, test } from "bun:test";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import { type FakeReply, fakeNasdaq } from "../../../../test/support/fake-nasdaq.ts";
import { NotFound, UpstreamFailed, UpstreamRateLimited, UpstreamRefused } from "../../../platform/errors.ts";
import { nasdaq } from "../index.ts";

const clock = fakeClock("2026-09-09T21:00:00Z");
const asked: string[] = [];
const saying = (reply: FakeReply) => nasdaq(fakeNasdaq(clock, () => reply, asked));
const enveloped = (data: unknown, message: string | null = null, rCode = 200, errorMessage?: string) => ({
  body: {
    data,
    message,
    status: {
      rCode,
      bCodeMessage: errorMessage === undefined ? null : [{ code: 1001, errorMessage }],
      developerMessage: null,
    },
  },
});
const unknown = enveloped(null, null, 400, "Symbol not exists.");
const NON_NASDAQ = "Dividend History for Non-Nasdaq symbols is not available";

describe("requests", () => {
  test.each([
    ["BRK.B", "https://api.nasdaq.com/api/company/BRK%2FB/earnings-surprise"],
    ["ABR.PRD", "https://api.nasdaq.com/api/company/ABR%5ED/earnings-surprise"],
    ["AAPL", "https://api.nasdaq.com/api/company/AAPL/earnings-surprise"],
  ])("%s is spelled as Nasdaq does", async (symbol, url) => {
    await saying(enveloped({ earningsSurpriseTable: null })).surprises(symbol);
    expect(asked.at(-1)).toBe(url);
  });

  test("sends nothing for an issue whose spelling there is unknown", async () => {
    const before = asked.length;
    await expect(saying(unknown).surprises("IFN.RT")).rejects.toBeInstanceOf(NotFound);
    await expect(saying(unknown).dividends("^GSPC", "stocks")).rejects.toBeInstanceOf(NotFound);
    expect(asked.length).toBe(before);
  });
});

describe("unknown symbols, no data, not covered", () => {
  test("a refusal with status 200 is an unknown symbol", async () => {
    await expect(saying(unknown).surprises("ZQX")).rejects.toMatchObject({ code: "unknown_ticker" });
    await expect(saying(unknown).dividends("ZQX", "etf")).rejects.toMatchObject({ code: "unknown_ticker" });
  });

  test("an error status without Nasdaq's envelope does not mean an unknown symbol", async () => {
    for (const body of [{ title: "Not Found" }, { title: "Not Found", status: 404 }])
      await expect(saying({ status: 404, body }).surprises("ZQX")).rejects.toThrow(
        "nasdaq answered earnings surprise with status 404",
      );
  });

  test("a refused day is a refusal, not an unknown symbol", async () => {
    await expect(saying(unknown).earningsOn("2026-09-09")).rejects.toBeInstanceOf(UpstreamRefused);
    await expect(saying(unknown).dividendsOn("2026-09-09")).rejects.toBeInstanceOf(UpstreamRefused);
  });

  test("a day without reports is empty", async () => {
    for (const data of [{ asOf: "Sat", headers: null, rows: null }, { rows: [] }, null])
      expect((await saying(enveloped(data)).earningsOn("2026-09-12")).rows).toEqual([]);
    expect((await saying(enveloped({ calendar: { rows: null } })).dividendsOn("2026-09-12")).rows).toEqual(
      [],
    );
  });

  test("no rows with the remark that the symbol is listed elsewhere do not mean that it pays nothing", async () => {
    const page = { dividends: { asOf: null, headers: null, rows: null } };
    expect(await saying(enveloped(page, NON_NASDAQ)).dividends("JPM", "stocks")).toMatchObject({
      is_covered: false,
      rows: [],
    });
    expect(await saying(enveloped(page)).dividends("ZUBB", "stocks")).toMatchObject({
      is_covered: true,
      rows: [],
    });
  });
});

describe("rows", () => {
  test("reads a report on a past day with its figures", async () => {
    const row = {
      symbol: "BRK/B",
      name: "Berkshire",
      time: "time-after-hours",
      fiscalQuarterEnding: "Jun/2026",
      epsForecast: "($0.35)",
      noOfEsts: "8",
      eps: "$0.10",
      surprise: "N/A",
      lastYearEPS: "N/A",
      lastYearRptDt: "8/05/2025",
    };
    const odd = { ...row, symbol: "no such form", time: "tns", fiscalQuarterEnding: "" };
    const bare = { symbol: "ZQX" };
    const day = await saying(enveloped({ rows: [row, odd, bare] })).earningsOn("2026-08-04");
    expect(day.unread).toBe(1);
    expect(day.rows).toEqual([
      {
        symbol: "BRK.B",
        name: "Berkshire",
        report_time: "amc",
        fiscal_quarter: "2026-06",
        eps_estimate: -0.35,
        estimate_count: 8,
        eps_actual: 0.1,
        eps_last_year: null,
        last_year_report_date: "2025-08-05",
      },
      {
        symbol: "ZQX",
        name: null,
        report_time: "unknown",
        fiscal_quarter: null,
        eps_estimate: null,
        estimate_count: null,
        eps_actual: null,
        eps_last_year: null,
        last_year_report_date: null,
      },
    ]);
  });

  test("reads dividends: types, a stock dividend, unknown dates", async () => {
    const row = (type: string | null, amount: string) => ({
      exOrEffDate: "09/18/2026",
      type,
      amount,
      declarationDate: "N/A",
      recordDate: "",
      paymentDate: "10/02/2026",
      currency: "USD",
    });
    const rows = [
      row("Cash", "$0.25"),
      row("Special Cash", "$1"),
      row("Stock", "5%"),
      row("Rights", "$2"),
      row(null, "N/A"),
    ];
    const page = await saying(enveloped({ dividends: { rows } })).dividends("ZORP", "stocks");
    expect(page.rows.map((r) => [r.dividend_type, r.amount, r.declaration_date, r.record_date])).toEqual([
      ["cash", 0.25, null, null],
      ["special", 1, null, null],
      ["stock", null, null, null],
      ["other", 2, null, null],
      ["other", null, null, null],
    ]);
    expect(page.rows[0]).toMatchObject({ payment_date: "2026-10-02", currency: "USD" });
  });

  test("reads a day of dividends and leaves out a row of another day", async () => {
    const row = {
      symbol: "ZORP",
      companyName: "Zorp",
      dividend_Ex_Date: "9/18/2026",
      payment_Date: "10/02/2026",
      record_Date: "N/A",
      dividend_Rate: 0.25,
      announcement_Date: "8/20/2026",
    };
    const rows = [row, { ...row, symbol: "ZQX", dividend_Ex_Date: "9/17/2026" }];
    const day = await saying(enveloped({ calendar: { rows } })).dividendsOn("2026-09-18");
    expect([day.rows.length, day.unread]).toEqual([1, 1]);
    expect(day.rows[0]).toEqual({
      symbol: "ZORP",
      name: "Zorp",
      ex_dividend_date: "2026-09-18",
      declaration_date: "2026-08-20",
      record_date: null,
      payment_date: "2026-10-02",
      amount: 0.25,
    });
  });
});

describe("failures", () => {
  test.each<[string, FakeReply, typeof UpstreamFailed | typeof UpstreamRateLimited]>([
    ["a page", { body: "<html>Access Denied</html>" }, UpstreamFailed],
    ["nothing", { body: "" }, UpstreamFailed],
    ["text", { body: "upstream connect error" }, UpstreamFailed],
    ["half an answer", { body: '{"data":{"rows":[' }, UpstreamFailed],
    ["no envelope", { body: {} }, UpstreamFailed],
    ["a failure in the envelope", enveloped(null, null, 500, "Internal"), UpstreamFailed],
    ["status 500", { status: 500, body: {} }, UpstreamFailed],
    ["a blocking page", { status: 403, body: "<HTML>Access Denied" }, UpstreamRateLimited],
    ["status 429", { status: 429, body: "slow down" }, UpstreamRateLimited],
    ["rows of another shape", enveloped({ rows: { a: 1 } }), UpstreamFailed],
    [
      "a figure of another shape",
      enveloped({ rows: [{ symbol: "ZQX", epsForecast: "soon" }] }),
      UpstreamFailed,
    ],
    [
      "a date of another shape",
      enveloped({ rows: [{ symbol: "ZQX", lastYearRptDt: "2026/1/1" }] }),
      UpstreamFailed,
    ],
  ])("%s", async (_, reply, kind) => {
    await expect(saying(reply).earningsOn("2026-09-09")).rejects.toBeInstanceOf(kind);
  });
});
