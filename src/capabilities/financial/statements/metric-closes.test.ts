import { expect, test } from "bun:test";
import type { FinancialFact } from "../../../providers/edgar/index.ts";
import { firstKnownDates } from "./metric-closes.ts";

const fact = (period_end: string, accepted_at: string, more: Partial<FinancialFact> = {}) =>
  ({
    period_end,
    accepted_at,
    filed_date: accepted_at.slice(0, 10),
    statement: "income_statement",
    source: "xbrl",
    flags: [],
    ...more,
  }) as unknown as FinancialFact;

test("a period became known with its first report, dated in New York; one first met a year late has no known date", () => {
  const dates = firstKnownDates([
    fact("2024-12-31", "2025-02-14T02:00:00Z"),
    fact("2024-12-31", "2026-02-13T12:00:00Z"),
    // Repeated beside 2024 by the oldest stored report.
    fact("2023-12-31", "2025-02-14T02:00:00Z"),
    // Reported late, but within a year.
    fact("2022-12-31", "2023-12-29T21:00:00Z"),
    fact("2021-12-31", "2022-03-01T21:00:00Z", { flags: ["proxy_form"] }),
  ]);
  expect([...dates]).toEqual([
    ["2024-12-31", "2025-02-13"],
    ["2022-12-31", "2023-12-29"],
  ]);
});
