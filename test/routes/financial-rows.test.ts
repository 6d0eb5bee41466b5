// Statements as rows: long form, behind the edge, over hand-made companies whose every figure is known.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { FinancialDataResponse } from "../../src/capabilities/financial/schema.ts";
import { type FinancialApp, openFinancialApp } from "../support/financial-app.ts";
import { financialWorld, REPORTS } from "../support/financial-companies.ts";

setDefaultTimeout(1_200_000);

let app: FinancialApp;
beforeAll(async () => {
  app = await openFinancialApp({ world: financialWorld() });
});
afterAll(() => app.close());

interface FigureRow {
  readonly symbol: string;
  readonly ticker: string;
  readonly statement: "income_statement" | "balance_sheet" | "cash_flow";
  readonly line: string;
  readonly period_end_date: string;
}

test("are one per reported figure, each with its receipt", async () => {
  const text = await (await app.fetch("/data/acme?format=ndjson")).text();
  const rows = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as FigureRow);
  const { body } = await app.get<FinancialDataResponse>("/data/acme?include_sources=true");
  const figures = (["income_statement", "balance_sheet", "cash_flow"] as const).flatMap((statement) =>
    body[statement].flatMap((row) =>
      Object.keys(row.sources ?? {}).map((line) => `${statement} ${line} ${row.period_end_date}`),
    ),
  );
  const shown = rows.map(({ statement, line, period_end_date: end }) => `${statement} ${line} ${end}`);
  expect(shown.sort()).toEqual(figures.sort());
  const revenue = rows.filter(({ line, period_end_date: end }) => line === "revenue" && end === "2024-12-31");
  expect(revenue as unknown[]).toEqual([
    {
      symbol: "ACME",
      ticker: "acme",
      cik: "0009100001",
      statement: "income_statement",
      line: "revenue",
      value: 5_000_000,
      unit: "USD",
      currency: "USD",
      fiscal_year: 2024,
      fiscal_period: "FY",
      label_source: "filings",
      period_type: "annual",
      period_start_date: "2024-01-01",
      period_end_date: "2024-12-31",
      period_months: 12,
      basis: "reported",
      tag: "Revenues",
      taxonomy: "us-gaap",
      accession_number: REPORTS.fy2024,
      form: "10-K",
      filed_date: "2025-02-13",
      known_at: "2025-02-13T21:06:00Z",
      measured_on: "2024-12-31",
      split_basis: null,
      split_factor: null,
      filed_value: null,
      operands: null,
      source: "xbrl",
    },
  ]);
  // A line that the year does not report is no row, and metrics have no receipt.
  expect(rows.filter(({ line }) => line === "research_and_development" || line === "roe")).toEqual([]);
});

test("of a moment are those of its statements", async () => {
  const path = "/data/ACME?as_of=2024-05-15&format=csv";
  const lines = (await (await app.fetch(path)).text()).trimEnd().split("\r\n");
  const [head = "", ...rows] = lines.map((line) => line.split(","));
  const at = head.indexOf("period_end_date");
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every((row) => (row[at] ?? "") <= "2024-05-15")).toBe(true);
});
