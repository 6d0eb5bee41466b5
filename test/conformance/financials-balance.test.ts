// The recorded statements add up; where they do not, the filings themselves do not, and it is said why.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Row, Statements } from "../../src/capabilities/financial/statements/records.ts";
import { selectStatements } from "../../src/capabilities/financial/statements/select.ts";
import {
  CASH_FLOW_LINES,
  type FinancialFact,
  INCOME_LINES,
  roundingOf,
  type StatementLine,
} from "../../src/providers/edgar/index.ts";
import {
  hasFinancials,
  type RawCompany,
  rawFacts,
  recordedFiles,
  recording,
} from "./financials-recordings.ts";

setDefaultTimeout(1_200_000);

if (!hasFinancials) test("skipped: no recordings", () => {});

/** A sum that does not come out. */
interface Miss {
  readonly sum: string;
  readonly off: number;
  /** Figures by which it may be explained. */
  readonly line: StatementLine | null;
  readonly rows: readonly Pick<Row, "accession_number" | "period_end_date" | "period_months">[];
  readonly unit: number;
}
interface Sums {
  readonly misses: readonly Miss[];
  readonly checked: number;
}
type Items = Readonly<Partial<Record<StatementLine, number | null>>>;

const unitOf = (rows: readonly { readonly items: Items }[]): number =>
  Math.max(
    ...rows.map(({ items }) =>
      roundingOf(Object.values(items).filter((v): v is number => Math.abs(v ?? 0) > 1e4)),
    ),
  );
/** Null unless every term is there. */
function total(items: Items, lines: readonly StatementLine[]): number | null {
  let sum = 0;
  for (const line of lines) {
    const value = items[line];
    if (value === null || value === undefined) return null;
    sum += value;
  }
  return sum;
}

/** Both sides of the balance sheet, and the cash flow statement. */
function withinRows({ balance_sheet, cash_flow }: Statements): Sums {
  const misses: Miss[] = [];
  let checked = 0;
  const hold = (
    sum: string,
    row: Miss["rows"][number] & { items: Items },
    left: number | null,
    right: number | null,
  ) => {
    if (left === null || right === null) return;
    checked++;
    const off = left - right;
    if (off !== 0)
      misses.push({
        sum: `${sum} ${row.period_end_date}`,
        off,
        line: null,
        rows: [row],
        unit: unitOf([row]),
      });
  };
  for (const row of balance_sheet) {
    const { items } = row;
    const apart = items.temporary_equity ?? 0;
    hold("assets = right side", row, items.total_assets, items.liabilities_and_equity);
    const claims = total(items, ["total_liabilities", "total_equity"]);
    hold("assets = liabilities + equity", row, items.total_assets, claims === null ? null : claims + apart);
    const owned = total(items, ["parent_equity", "noncontrolling_interest"]);
    hold("equity = parent's + others'", row, items.total_equity, owned);
  }
  for (const row of cash_flow) {
    const { items } = row;
    const flows = total(items, ["operating_cash_flow", "investing_cash_flow", "financing_cash_flow"]);
    const all = flows === null ? null : flows + (items.exchange_rate_effect ?? 0);
    hold("cash flows = change", row, items.net_change_in_cash, all);
  }
  return { misses, checked };
}

/** Four reported quarters against their year. */
function overQuarters({ income_statement, cash_flow }: Statements): Sums {
  const misses: Miss[] = [];
  let checked = 0;
  const lists = [
    {
      rows: income_statement as readonly (Row & { items: Items })[],
      lines: INCOME_LINES as readonly StatementLine[],
    },
    {
      rows: cash_flow as unknown as readonly (Row & { items: Items })[],
      lines: CASH_FLOW_LINES as readonly StatementLine[],
    },
  ];
  for (const { rows, lines } of lists)
    for (const year of rows.filter(({ fiscal_period }) => fiscal_period === "FY")) {
      const quarters = rows.filter((row) => row.period_months === 3 && row.fiscal_year === year.fiscal_year);
      if (quarters.length !== 4) continue;
      for (const line of lines.filter((name) => !/^(eps|weighted)/.test(name))) {
        const terms = quarters.map(({ items }) => items[line] ?? null);
        const whole = year.items[line];
        if (whole === null || whole === undefined || terms.includes(null)) continue;
        checked++;
        const off = terms.reduce((sum: number, term) => sum + (term ?? 0), 0) - whole;
        const unit = unitOf([year, ...quarters]);
        if (off !== 0)
          misses.push({
            sum: `quarters of ${line} ${year.fiscal_year}`,
            off,
            line,
            rows: [year, ...quarters],
            unit,
          });
      }
    }
  return { misses, checked };
}

/** Five rounded terms may be half a unit off each. */
const ROUNDED_TERMS = 5;

/**
 * Why a sum does not come out, by the filings: rounding of its terms, or a restatement between two of them.
 */
function reasonOf(miss: Miss, facts: readonly FinancialFact[]): string | null {
  if (Math.abs(miss.off) <= (ROUNDED_TERMS * miss.unit) / 2) return `rounded to ${miss.unit}`;
  const restated = facts.some(
    (f) =>
      f.line === miss.line &&
      f.revision === "restated" &&
      miss.rows.some((row) => row.period_end_date === f.period_end && row.period_months === f.period_months),
  );
  return restated ? "restated" : null;
}

/**
 * True when the report itself has a figure of just what is off: a part of the statement that is none of our
 * lines.
 */
function ownFigure({ off, rows }: Miss, raw: RawCompany): boolean {
  return [...rawFacts(raw)].some(
    ({ accn, end, val }) =>
      Math.abs(val) === Math.abs(off) &&
      rows.some((row) => row.accession_number === accn && row.period_end_date === end),
  );
}

/** Every sum of the recordings known here that is off, with the filing's reason. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  "AAPL latest": [],
  // 10-K/A 0001193125-10-012091 adopts new revenue accounting backwards: the year's 10-K has the old,
  // quarters the new.
  "AAPL first": [
    "quarters of revenue 2009: 4971000000, restated",
    "quarters of gross_profit 2009: 3122000000, restated",
    "quarters of net_income 2009: 1932000000, restated",
  ],
  // 10-K 0001045810-15-000036 gives quarters in thousands, 10-K 0001045810-16-000205 their year in millions.
  "NVDA latest": [
    "quarters of net_income 2020: -1000000, rounded to 1000000",
    "quarters of net_income 2019: 1000000, rounded to 1000000",
    "quarters of net_income 2018: -1000000, rounded to 1000000",
    "quarters of revenue 2014: 162000, rounded to 1000000",
    "quarters of cost_of_revenue 2014: 399000, rounded to 1000000",
    "quarters of gross_profit 2014: -237000, rounded to 1000000",
    "quarters of net_income 2014: -10000, rounded to 1000000",
  ],
  // Fiscal 2017: 10-K 0001045810-17-000027 adopts new accounting for share-based pay from the year's start.
  "NVDA first": [
    "quarters of net_income 2020: -1000000, rounded to 1000000",
    "quarters of net_income 2019: 1000000, rounded to 1000000",
    "quarters of net_income 2018: -1000000, rounded to 1000000",
    "quarters of net_income 2017: -20000000, restated",
    "quarters of cost_of_revenue 2016: -1000000, rounded to 1000000",
    "quarters of gross_profit 2016: 1000000, rounded to 1000000",
    "quarters of net_income 2016: -1000000, rounded to 1000000",
  ],
  "SNOW latest": [],
  "SNOW first": [],
  "LPA latest": [],
  "LPA first": [],
  "JPM latest": [],
  "JPM first": [],
  "WMT latest": [],
  "WMT first": [],
};
const nameOf = (file: string): string => /_([A-Z]+)/.exec(file)?.[1] ?? file;

for (const file of recordedFiles)
  for (const vintage of ["latest", "first"] as const)
    describe(`${file}, ${vintage}`, () => {
      const { facts, raw } = recording(file);
      const statements = selectStatements(facts, { vintage });
      const within = withinRows(statements);
      const over = overQuarters(statements);
      const name = `${nameOf(file)} ${vintage}`;

      test("balance sheets and cash flow statements add up, each from its own report", () => {
        expect(within.checked).toBeGreaterThan(0);
        const unexplained = within.misses.filter((miss) => !ownFigure(miss, raw));
        expect(unexplained.map((miss) => `${miss.sum}: ${miss.off}`)).toEqual([]);
        if (name in KNOWN) expect(within.misses).toEqual([]);
      });

      test("four quarters make a year, or the filings say why not", () => {
        const explained = over.misses.map(
          (m) => `${m.sum}: ${m.off}, ${reasonOf(m, facts) ?? "UNEXPLAINED"}`,
        );
        expect(explained.filter((text) => text.endsWith("UNEXPLAINED"))).toEqual([]);
        expect(explained).toEqual([...(KNOWN[name] ?? explained)]);
      });
    });
