// Computes ROE, margins and free cash flow of fifty companies a second time: from the served lines, by the
// formulas of the OpenAPI description, in exact integers. Prints the counts. Every difference fails.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { presenter } from "../../src/capabilities/financial/statements/present.ts";
import type { FinancialFact } from "../../src/providers/edgar/index.ts";
import { hasFinancials, normalisedOf, recordedFiles, recording } from "./financials-recordings.ts";
import { readQuarter, recordedQuarters } from "./fsds.ts";

setDefaultTimeout(1_200_000);

const COMPANIES = 50;
const ALL_DAYS = { start: null, end: "2099-12-31" };
/** Digits after the point of an exact quotient. */
const DIGITS = 25n;
/** Figures are whole ten-thousandths of their unit at the finest. */
const FINEST = 10_000;
/** A quotient of binary numbers is off by less than this part of itself. */
const BINARY_PART_MAX = 1e-14;

type Figures = Readonly<Record<string, unknown>>;

/** The answer of the use case with its metrics, as a client receives it. */
async function servedAnswer(facts: readonly FinancialFact[], vintage: "latest" | "first") {
  const noPrices = () => Promise.reject(new Error("no prices are asked for"));
  const present = presenter({ closesOf: noPrices, splitsOf: noPrices, fill: noPrices });
  return present(
    facts,
    {
      span: { ...ALL_DAYS, period: null, quarters: null, ranges: [ALL_DAYS] },
      asOf: null,
      cik: null,
      choices: {
        vintage,
        period_type: "all",
        include_sources: true,
        include_metrics: true,
        include_derived: true,
      },
      priced: { why: "No prices are asked for." },
      limit: { within: noPrices },
    },
    new AbortController().signal,
  );
}
type Answer = Awaited<ReturnType<typeof servedAnswer>>;

const exact = (value: number): bigint => BigInt(Math.round(value * FINEST));
const figure = (row: Figures | undefined, line: string): bigint | null => {
  const value = row?.[line];
  return typeof value === "number" ? exact(value) : null;
};

/** The quotient to `DIGITS` decimals; null without both numbers or with a divisor of zero. */
function quotient(above: bigint | null, below: bigint | null): number | null {
  if (above === null || below === null || below === 0n) return null;
  const scaled = (above * 10n ** DIGITS) / below;
  const sign = scaled < 0n ? "-" : "";
  const digits = (scaled < 0n ? -scaled : scaled).toString().padStart(Number(DIGITS) + 1, "0");
  return Number(`${sign}${digits.slice(0, -Number(DIGITS))}.${digits.slice(-Number(DIGITS))}`);
}

/** Income over the equity of the same owners. */
function returnOnEquity(income: Figures, balance: Figures | undefined): number | null {
  const parentIncome = figure(income, "net_income");
  const [parent, total] = [figure(balance, "parent_equity"), figure(balance, "total_equity")];
  const others = figure(balance, "noncontrolling_interest");
  const sources = balance?.sources as Readonly<Record<string, { readonly tag: string }>> | undefined;
  const includesOthers = /IncludingPortionAttributableToNoncontrollingInterest$/.test(
    sources?.total_equity?.tag ?? "",
  );
  const isParents = others === 0n || (others === null && !includesOthers);
  const ofParent = parent ?? (isParents ? total : null);
  const [above, below] =
    parentIncome !== null && ofParent !== null
      ? [parentIncome, ofParent]
      : [figure(income, "net_income_with_noncontrolling"), total];
  return below !== null && below < 0n ? null : quotient(above, below);
}

/** The metrics of an income statement's period, from the rows of the answer that belong to it. */
function expectedMetrics(income: Answer["income_statement"][number], answer: Answer) {
  const isSame = (row: { readonly period_end_date: string; readonly currency: string }) =>
    row.period_end_date === income.period_end_date && row.currency === income.currency;
  const balance = answer.balance_sheet.find(isSame);
  const flows = answer.cash_flow.find((row) => isSame(row) && row.period_months === income.period_months);
  const revenue = figure(income, "revenue");
  const isUnproven = answer.warnings.some(
    ({ code, line, period_end, accession_number }) =>
      code === "sign_unproven" &&
      line === "capital_expenditure" &&
      period_end === flows?.period_end_date &&
      accession_number === flows?.accession_number,
  );
  const operating = figure(flows, "operating_cash_flow");
  const capital = isUnproven ? null : figure(flows, "capital_expenditure");
  const free = operating === null || capital === null ? null : operating - capital;
  return {
    gross_margin: quotient(figure(income, "gross_profit"), revenue),
    operating_margin: quotient(figure(income, "operating_income"), revenue),
    net_margin: quotient(figure(income, "net_income"), revenue),
    roe: returnOnEquity(income, balance),
    free_cash_flow: free === null ? null : Number(free) / FINEST,
    fcf_margin: quotient(free, revenue),
  };
}

function isEqual(served: number | null, expected: number | null): boolean {
  if (served === null || expected === null) return served === expected;
  // Quotients beyond the last digit kept are zero in both.
  return Math.abs(served - expected) <= Math.abs(expected) * BINARY_PART_MAX + 10 ** -Number(DIGITS);
}

interface Counts {
  equal: number;
  bothNull: number;
}

/** Compares every metric of an answer; returns what differs. */
function compare(name: string, answer: Answer, counts: Record<string, Counts>): string[] {
  const { metrics, income_statement } = answer;
  if (metrics?.length !== income_statement.length) return [`${name}: ${metrics?.length} metrics`];
  return income_statement.flatMap((income, nth) => {
    const served = metrics[nth];
    const { period_end_date: end, period_months: months } = income;
    if (served?.period_end_date !== end || served.period_months !== months)
      return [`${name}: metrics of ${served?.period_end_date} beside income to ${end}`];
    return Object.entries(expectedMetrics(income, answer)).flatMap(([metric, expected]) => {
      const value = served[metric as keyof ReturnType<typeof expectedMetrics>];
      counts[metric] ??= { equal: 0, bothNull: 0 };
      if (!isEqual(value, expected))
        return [`${name} ${end} ${months}: ${metric} ${value}, computed here ${expected}`];
      if (expected === null) counts[metric].bothNull++;
      else counts[metric].equal++;
      return [];
    });
  });
}

/** The companies: every recording, then those of the quarter at even steps by CIK, whatever they are. */
async function chosen(): Promise<[name: string, facts: readonly FinancialFact[]][]> {
  const recorded = recordedFiles.map((file): [string, readonly FinancialFact[]] => [
    file,
    recording(file).facts,
  ]);
  const [quarter] = recordedQuarters;
  if (quarter === undefined) return recorded;
  const { companies } = await readQuarter(quarter);
  const ordered = companies.toSorted((a, b) => a.cik - b.cik);
  const wanted = COMPANIES - recorded.length;
  const step = Math.floor(ordered.length / wanted);
  const taken = ordered.filter((_, nth) => nth % step === 0).slice(0, wanted);
  return [
    ...recorded,
    ...taken.map((company): [string, readonly FinancialFact[]] => [
      company.entityName,
      normalisedOf(company).facts,
    ]),
  ];
}

const isRecorded = hasFinancials && recordedQuarters.length > 0;
if (!isRecorded) test("skipped: no recordings and data sets", () => {});

describe("metrics computed a second time from the served lines", () => {
  for (const vintage of ["latest", "first"] as const)
    test.if(isRecorded)(`of fifty companies, ${vintage}: none differs`, async () => {
      const companies = await chosen();
      const counts: Record<string, Counts> = {};
      const different: string[] = [];
      let rows = 0;
      for (const [name, facts] of companies) {
        const answer = await servedAnswer(facts, vintage);
        rows += answer.income_statement.length;
        different.push(...compare(name, answer, counts));
      }
      console.info(`metrics of ${companies.length} companies, ${rows} periods, ${vintage}`, counts);
      expect(different).toEqual([]);
      expect(companies).toHaveLength(COMPANIES);
      // A comparison of nulls alone would prove nothing.
      for (const { equal } of Object.values(counts)) expect(equal).toBeGreaterThan(COMPANIES);
    });
});
