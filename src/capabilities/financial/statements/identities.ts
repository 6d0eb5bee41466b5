// Checks the sums that a statement must keep, and words a warning for each row whose served figures break
// one.
import {
  type FigureWarning,
  roundingOf,
  type Statement,
  type StatementLine,
} from "../../../providers/edgar/index.ts";
import type { Row, Statements } from "./records.ts";

type Items = Readonly<Partial<Record<StatementLine, number | null>>>;
/** A row of any statement; lines of other statements are absent. */
export type AnyRow = Omit<Row, "items" | "sources"> & { readonly items: Items };

export const IDENTITIES = [
  "assets = liabilities + temporary equity + equity",
  "sum of flows + exchange rates = change in cash",
  "EPS x weighted shares = income",
  "pre-tax income - tax = income",
  "gross profit = revenue - cost",
  "quarters sum to the year",
  "selling, general and administrative = selling + administrative",
  "deferred revenue = current + noncurrent",
  "total equity = parent + noncontrolling (+ preferred)",
  "no part above its whole",
] as const;
export type Identity = (typeof IDENTITIES)[number];

/** An identity that could be checked for one row. */
export interface Check {
  readonly identity: Identity;
  readonly row: AnyRow;
  readonly holds: boolean;
  /**
   * The stated total less what the other figures give; the smallest difference where several readings are
   * allowed.
   */
  readonly off: number;
  /** The lines compared. */
  readonly lines: readonly StatementLine[];
}

/** Earnings per share are rounded to a cent; half a cent and a little for binary fractions. */
const CENT_SLACK = 0.0051;
/** Preferred dividends and participating shares lie between income and earnings per share × shares. */
const SHARES_SLACK = 0.1;
/** Only amounts above this tell the unit to which a report rounds. */
const UNIT_FROM = 1e4;
const PER_SHARE = /^(?:eps|weighted)_/;

/** The lines and the sum of their figures; null unless all that are required have one. */
function sumOf(
  items: Items,
  required: readonly StatementLine[],
  optional: readonly StatementLine[] = [],
): number | null {
  let sum = 0;
  for (const line of required) {
    const value = items[line] ?? null;
    if (value === null) return null;
    sum += value;
  }
  for (const line of optional) sum += items[line] ?? 0;
  return sum;
}

const unitOf = (rows: readonly { readonly items: Items }[]): number =>
  Math.max(
    ...rows.map(({ items }) =>
      roundingOf(Object.values(items).filter((value): value is number => Math.abs(value ?? 0) > UNIT_FROM)),
    ),
  );

/** Compares a total with the readings of its parts; null when either is unknown. */
function compared(
  identity: Identity,
  row: AnyRow,
  total: number | null,
  readings: readonly (number | null)[],
  lines: readonly StatementLine[],
): Check[] {
  const known = readings.filter((reading) => reading !== null);
  if (total === null || known.length === 0) return [];
  const offs = known.map((reading) => total - reading).sort((a, b) => Math.abs(a) - Math.abs(b));
  const off = offs[0] ?? 0;
  return [{ identity, row, holds: Math.abs(off) <= (lines.length * unitOf([row])) / 2, off, lines }];
}

/** Compares total assets with liabilities, temporary equity and equity. */
export function balanceChecks(row: AnyRow): Check[] {
  const { items } = row;
  const claims = sumOf(items, ["total_liabilities"]);
  // The parts of equity stand for a total that is not served; they do not excuse one that is.
  const byParts = (items.total_equity ?? null) === null;
  const equity = byParts
    ? (["parent_equity", "noncontrolling_interest"] as const)
    : (["total_equity"] as const);
  const ways = [sumOf(items, ["total_liabilities", ...equity], ["temporary_equity"])];
  const lines = ["total_assets", "total_liabilities", "temporary_equity", "total_equity"] as const;
  const total = sumOf(items, ["total_assets"]);
  if (claims !== null && ways.some((way) => way !== null))
    return compared(IDENTITIES[0], row, total, ways, lines);
  return compared(
    IDENTITIES[0],
    row,
    total,
    [sumOf(items, ["liabilities_and_equity"])],
    ["total_assets", "liabilities_and_equity"],
  );
}

/** Compares total equity with that of the parent and of others, and with preferred shares beside them. */
function equityChecks(row: AnyRow): Check[] {
  const { items } = row;
  const parts = ["parent_equity", "noncontrolling_interest"] as const;
  const ways = [sumOf(items, parts), sumOf(items, [...parts, "preferred_stock"])];
  return compared(IDENTITIES[8], row, sumOf(items, ["total_equity"]), ways, ["total_equity", ...parts]);
}

/** Amounts of a balance sheet that are parts of another. */
const PARTS: readonly (readonly [whole: StatementLine, parts: readonly StatementLine[]])[] = [
  ["current_assets", ["cash_and_equivalents", "short_term_investments", "accounts_receivable", "inventory"]],
  ["total_assets", ["current_assets", "property_plant_equipment", "goodwill", "intangible_assets", "loans"]],
  ["total_liabilities", ["current_liabilities", "long_term_debt", "deposits"]],
  ["current_liabilities", ["accounts_payable", "short_term_debt", "deferred_revenue"]],
];

/** Compares each part with its whole. Made up: inventory of 1,980 is above current assets of 1,001. */
function wholeChecks(row: AnyRow): Check[] {
  return PARTS.flatMap(([whole, parts]) =>
    parts.flatMap((part) => {
      const [total, value] = [row.items[whole] ?? null, row.items[part] ?? null];
      if (total === null || value === null) return [];
      const rest = Math.min(0, total - value);
      return compared(IDENTITIES[9], row, rest, [0], [part, whole]);
    }),
  );
}

/** Compares a total with its two parts, all three as reported. */
function partsCheck(row: AnyRow, nth: 6 | 7, total: StatementLine, parts: readonly StatementLine[]): Check[] {
  const { items } = row;
  return compared(IDENTITIES[nth], row, sumOf(items, [total]), [sumOf(items, parts)], [total, ...parts]);
}

/** Compares the change in cash with the flows of the three activities and the effect of exchange rates. */
export function cashChecks(row: AnyRow): Check[] {
  const flows = ["operating_cash_flow", "investing_cash_flow", "financing_cash_flow"] as const;
  const { items } = row;
  const ways = [sumOf(items, flows, ["exchange_rate_effect"]), sumOf(items, flows)];
  return compared(IDENTITIES[1], row, sumOf(items, ["net_change_in_cash"]), ways, [
    "net_change_in_cash",
    ...flows,
    "exchange_rate_effect",
  ]);
}

function shareChecks(row: AnyRow): Check[] {
  const { items } = row;
  const income = items.net_income ?? null;
  const pairs = [
    ["eps_basic", "weighted_average_shares_basic"],
    ["eps_diluted", "weighted_average_shares_diluted"],
  ] as const;
  return pairs.flatMap(([perShare, shares]) => {
    const [each, count] = [items[perShare] ?? null, items[shares] ?? null];
    if (income === null || each === null || count === null) return [];
    const off = income - each * count;
    const slack = CENT_SLACK * count + SHARES_SLACK * Math.abs(income);
    return [
      {
        identity: IDENTITIES[2],
        row,
        holds: Math.abs(off) <= slack,
        off,
        lines: ["net_income", perShare, shares],
      },
    ];
  });
}

function incomeChecks(row: AnyRow): Check[] {
  const { items } = row;
  const [gross, before, tax] = [items.gross_profit, items.income_before_tax, items.income_tax_expense];
  const made = sumOf(items, ["revenue"]);
  const cost = items.cost_of_revenue ?? null;
  const checks = [
    ...shareChecks(row),
    ...partsCheck(row, 6, "selling_general_administrative", [
      "selling_and_marketing",
      "general_and_administrative",
    ]),
  ];
  if (made !== null && cost !== null)
    checks.push(
      ...compared(
        IDENTITIES[4],
        row,
        gross ?? null,
        [made - cost],
        ["gross_profit", "revenue", "cost_of_revenue"],
      ),
    );
  if (typeof before !== "number" || typeof tax !== "number") return checks;
  const total = items.net_income_with_noncontrolling ?? items.net_income ?? null;
  const [ended, others] = [items.discontinued_operations ?? 0, items.equity_method_income ?? 0];
  const rest = before - tax;
  const ways = [rest, rest + ended, rest + others, rest + ended + others];
  checks.push(
    ...compared(IDENTITIES[3], row, total, ways, ["net_income", "income_before_tax", "income_tax_expense"]),
  );
  return checks;
}

/** Compares each year with its four quarters of three months. */
function quarterChecks(rows: readonly AnyRow[]): Check[] {
  const years = rows.filter(({ fiscal_period }) => fiscal_period === "FY");
  return years.flatMap((year) => {
    const { fiscal_year, currency, period_start_date: start, period_end_date: end } = year;
    const quarters = rows.filter(
      (row) =>
        row.period_months === 3 &&
        row.fiscal_year === fiscal_year &&
        row.currency === currency &&
        (row.period_start_date ?? "") >= (start ?? "") &&
        row.period_end_date <= end,
    );
    if (quarters.length !== 4) return [];
    const slack = (5 * unitOf([year, ...quarters])) / 2;
    return Object.entries<number | null>(year.items).flatMap(([name, total]): Check[] => {
      const line = name as StatementLine;
      const terms = quarters.map(({ items }) => items[line] ?? null);
      if (PER_SHARE.test(name) || total === null || terms.includes(null)) return [];
      const off = total - terms.reduce((sum: number, term) => sum + (term ?? 0), 0);
      return [{ identity: IDENTITIES[5], row: year, holds: Math.abs(off) <= slack, off, lines: [line] }];
    });
  });
}

type Rows = Pick<Statements, "income_statement" | "balance_sheet" | "cash_flow">;

/** The row with its reported figures alone. */
function reportedOf(row: AnyRow): AnyRow {
  if (row.derived_lines.length === 0) return row;
  const own = Object.entries(row.items).filter(([line]) => !row.derived_lines.includes(line));
  return { ...row, items: Object.fromEntries(own) };
}

/** Checks every identity whose figures are served as reported. */
export function checkIdentities(rows: Rows): readonly Check[] {
  const reported = (all: readonly AnyRow[]) =>
    all.filter(({ basis }) => basis === "reported").map(reportedOf);
  const [income_statement, balance_sheet, cash_flow] = [
    reported(rows.income_statement),
    reported(rows.balance_sheet),
    reported(rows.cash_flow),
  ];
  return [
    ...income_statement.flatMap(incomeChecks),
    ...balance_sheet.flatMap((row) => [...balanceChecks(row), ...equityChecks(row), ...wholeChecks(row)]),
    ...balance_sheet.flatMap((row) =>
      partsCheck(row, 7, "deferred_revenue_total", ["deferred_revenue", "deferred_revenue_noncurrent"]),
    ),
    ...cash_flow.flatMap(cashChecks),
    ...quarterChecks(income_statement),
    ...quarterChecks(cash_flow),
  ];
}

const STATEMENT_NAMES: Readonly<Record<Statement, string>> = {
  income_statement: "Income statement",
  balance_sheet: "Balance sheet",
  cash_flow: "Cash flow statement",
};

/** A warning for each row and identity that does not hold, with the identity's name. */
export function identityWarnings(rows: Rows): FigureWarning[] {
  const broken = checkIdentities(rows).filter(({ holds }) => !holds);
  const groups = Map.groupBy(
    broken,
    ({ row, identity }) =>
      `${row.accession_number} ${row.period_start_date} ${row.period_end_date} ${identity}`,
  );
  return [...groups.values()].flatMap((checks) => {
    const [first] = checks;
    if (!first) return [];
    const { row, identity } = first;
    const offs = checks.map(({ lines, off }) => `${lines[0]?.replaceAll("_", " ")} by ${off}`).join(", ");
    return [
      {
        code: "identity_broken",
        line: first.lines[0] ?? null,
        period_end: row.period_end_date,
        accession_number: row.accession_number,
        detail: `${STATEMENT_NAMES[row.statement]} to ${row.period_end_date} in ${row.form} ${row.accession_number} does not keep the identity "${identity}": off ${offs}. The figures are given as reported.`,
      },
    ];
  });
}
