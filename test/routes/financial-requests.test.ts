// Requests that the financial routes take and refuse, and many tickers at once, over hand-made companies.
import { afterAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { FinancialDataResponse } from "../../src/capabilities/financial/schema.ts";
import { type FinancialApp, openFinancialApp } from "../support/financial-app.ts";
import { financialWorld } from "../support/financial-companies.ts";

setDefaultTimeout(1_200_000);

interface Problem {
  code: string;
  detail: string;
}
interface Bulk {
  total_requested: number;
  successful: number;
  failed: number;
  results: {
    ticker: string;
    success: boolean;
    data: FinancialDataResponse | null;
    error: string | null;
    error_code: string | null;
  }[];
}

let app: FinancialApp;
beforeEach(async () => {
  await app?.close();
  app = await openFinancialApp({ world: financialWorld() });
});
afterAll(() => app.close());

describe("bulk", () => {
  test("gives each ticker its own result in order, whatever fails for others", async () => {
    const { status, body } = await app.post<Bulk>("/data/bulk", {
      tickers: ["acme", "NOSUCH", "ACME", "NONE", "TWIN-A"],
      period: "max",
      include_metrics: false,
    });
    expect(status).toBe(200);
    expect([body.total_requested, body.successful, body.failed]).toEqual([4, 3, 1]);
    expect(body.results.map((r) => [r.ticker, r.success, r.error_code])).toEqual([
      ["acme", true, null],
      ["NOSUCH", false, "unknown_ticker"],
      ["NONE", true, null],
      ["TWIN-A", true, null],
    ]);
    expect(body.results[0]?.data?.income_statement.length).toBe(6);
    expect(body.results[0]?.data?.metrics).toBeNull();
    expect(body.results[1]?.error).toContain("NOSUCH");
  });
  test("a hundred tickers of one company cause one request", async () => {
    const tickers = Array.from({ length: 100 }, (_, i) => `ZQ${i}`);
    const acme = app.world.filers.get("ACME");
    if (!acme) throw new Error("no company");
    for (const ticker of tickers) app.world.add(ticker, acme);
    const { body } = await app.post<Bulk>("/data/bulk", { tickers, quarters: ["2024Q4"] });
    expect([body.successful, app.world.asked.length]).toEqual([100, 1]);
    expect(body.results.every((r) => r.data?.income_statement[0]?.revenue === 5_000_000)).toBe(true);
  });
});

describe("bad requests", () => {
  test.each<[string, unknown, number, string]>([
    ["no way to give the time", { ticker: "ACME" }, 400, "conflicting_time_selection"],
    ["two ways", { ticker: "ACME", period: "1y", quarters: ["2024Q1"] }, 400, "conflicting_time_selection"],
    ["an end without a start", { ticker: "ACME", end_date: "2024-01-01" }, 400, "invalid_date_range"],
    [
      "an end before its start",
      { ticker: "ACME", start_date: "2024-02-01", end_date: "2024-01-01" },
      400,
      "invalid_date_range",
    ],
    ["a quarter far ahead", { ticker: "ACME", quarters: ["2031Q1"] }, 400, "invalid_date_range"],
    ["no ticker", { period: "1y" }, 422, "body.ticker missing"],
    ["an empty ticker", { ticker: "", period: "1y" }, 422, "body.ticker string_pattern_mismatch"],
    ["a ticker that is a path", { ticker: "../etc", period: "1y", x: 1 }, 404, "unknown_ticker"],
    ["an unknown period", { ticker: "ACME", period: "3d" }, 422, "body.period literal_error"],
    [
      "an unknown kind of period",
      { ticker: "ACME", period: "1y", period_type: "monthly" },
      422,
      "body.period_type literal_error",
    ],
    [
      "an unknown vintage",
      { ticker: "ACME", period: "1y", vintage: "last" },
      422,
      "body.vintage literal_error",
    ],
    [
      "a day that is none",
      { ticker: "ACME", start_date: "2023-02-29", end_date: "2024-01-01" },
      422,
      "body.start_date date_from_datetime_parsing",
    ],
    [
      "an instant without zone",
      { ticker: "ACME", period: "1y", as_of: "2024-01-01T10:00" },
      422,
      "body.as_of value_error",
    ],
    [
      "a quarter of no year",
      { ticker: "ACME", quarters: ["24Q1"] },
      422,
      "body.quarters.0 string_pattern_mismatch",
    ],
    [
      "too many quarters",
      { ticker: "ACME", quarters: Array(81).fill("2024Q1") },
      422,
      "body.quarters too_long",
    ],
    ["no quarters", { ticker: "ACME", quarters: [] }, 422, "body.quarters too_short"],
    [
      "a flag that is none",
      { ticker: "ACME", period: "1y", include_metrics: "perhaps" },
      422,
      "body.include_metrics bool_parsing",
    ],
    ["a list for a body", [], 422, "body model_attributes_type"],
  ])("%s", async (_name, request, status, description) => {
    const { status: given, body } = await app.post<Problem & { detail: unknown }>("/data", request);
    const found =
      given === 422
        ? (body.detail as unknown as { loc: string[]; type: string }[])
            .map((f) => `${f.loc.join(".")} ${f.type}`)
            .join()
        : body.code;
    expect([given, found]).toEqual([status, description]);
  });

  test.each<[string, unknown, number]>([
    ["no tickers", { tickers: [], period: "1y" }, 422],
    ["101 tickers", { tickers: Array.from({ length: 101 }, (_, i) => `A${i}`), period: "1y" }, 422],
    ["tickers as text", { tickers: "ACME", period: "1y" }, 422],
    ["no time", { tickers: ["ACME"] }, 400],
    ["two ways", { tickers: ["ACME"], period: "1y", start_date: "2024-01-01", end_date: "2024-01-02" }, 400],
  ])("bulk: %s", async (_name, request, status) => {
    expect((await app.post("/data/bulk", request)).status).toBe(status);
    expect(app.world.asked).toEqual([]);
  });

  test("GET with period and dates", async () => {
    const { status, body } = await app.get<Problem>(
      "/data/ACME?period=1y&start_date=2024-01-01&end_date=2024-02-01",
    );
    expect([status, body.code]).toEqual([400, "conflicting_time_selection"]);
  });
});
