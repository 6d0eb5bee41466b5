// Derives a line as the sum of its parts where a report gives the parts and not the line.
import type { StatementLine } from "../../../providers/edgar/index.ts";
import { type AnyRow, balanceChecks, type Check, cashChecks } from "./identities.ts";
import type { FigureSource, Row, Statements } from "./records.ts";
import { latestMoment } from "./rows.ts";

interface Sum {
  readonly line: StatementLine;
  readonly parts: readonly StatementLine[];
  /** Figures that may be further parts: with one of them the sum would not be known to be whole. */
  readonly unless?: readonly StatementLine[];
  /** Checks of the statement with its sums. Without a check, or with one that fails, the sum is not made. */
  readonly proof?: (row: AnyRow) => readonly Check[];
}

/** The parts of an activity are its whole where the activities then sum to the change in cash. */
const activity = (line: "operating_cash_flow" | "investing_cash_flow" | "financing_cash_flow"): Sum => ({
  line,
  parts: [`${line}_continuing`, `${line}_discontinued`],
  proof: cashChecks,
});

/** Each line has one sum at most: its terms are all the parts that a report gives. */
const SUMS: readonly Sum[] = [
  {
    line: "selling_general_administrative",
    parts: ["selling_and_marketing", "general_and_administrative"],
  },
  {
    line: "short_term_debt",
    parts: ["short_term_borrowings", "long_term_debt_current"],
    unless: [
      "notes_payable_current",
      "loans_payable_current",
      "convertible_debt_current",
      "line_of_credit_current",
    ],
  },
  { line: "deferred_revenue_total", parts: ["deferred_revenue", "deferred_revenue_noncurrent"] },
  { line: "depreciation_amortization", parts: ["depreciation", "amortization"] },
  {
    line: "depreciation_amortization",
    parts: ["depreciation", "amortization_of_intangible_assets"],
    unless: ["amortization"],
  },
  activity("operating_cash_flow"),
  activity("investing_cash_flow"),
  activity("financing_cash_flow"),
  {
    line: "total_equity",
    parts: ["parent_equity", "noncontrolling_interest"],
    proof: (row) => (typeof row.items.total_liabilities === "number" ? balanceChecks(row) : []),
  },
];

interface Term {
  readonly value: number;
  readonly source: FigureSource;
}

/**
 * A figure of the row that its own report gives. A figure that an older report supplies is no term of a sum.
 */
function termOf<L extends StatementLine>(row: Row<L>, line: StatementLine): Term | null {
  const value = row.items[line as L] ?? null;
  const source = row.sources[line as L];
  if (value === null || source?.accession_number !== row.accession_number) return null;
  return { value, source };
}

/**
 * Whether borrowings are all borrowings: commercial paper of another amount may be within them or beside
 * them.
 */
function isWhole<L extends StatementLine>(row: Row<L>, parts: readonly StatementLine[]): boolean {
  if (!parts.includes("short_term_borrowings")) return true;
  const paper = row.items["commercial_paper" as L] ?? null;
  return paper === null || paper === row.items["short_term_borrowings" as L];
}

/** The sum of a row's parts; null unless its report gives every part in one unit, and not the line. */
function sumOf<L extends StatementLine>(row: Row<L>, { line, parts, unless }: Sum): Term | null {
  if (!(line in row.items) || row.items[line as L] !== null) return null;
  if (unless?.some((other) => row.items[other as L] !== null) || !isWhole(row, parts)) return null;
  const terms = parts.flatMap((part) => termOf(row, part) ?? []);
  const [first] = terms;
  if (!first || terms.length < parts.length) return null;
  if (terms.some(({ source }) => source.unit !== first.source.unit)) return null;
  const operands = terms.map(({ value, source }) => ({
    value,
    unit: source.unit,
    period_start: row.period_start_date,
    period_end: source.period_end,
    tag: source.tag,
    taxonomy: source.taxonomy,
    accession_number: source.accession_number,
    filed_date: source.filed_date,
  }));
  return {
    value: terms.reduce((total, { value }) => total + value, 0),
    source: { ...first.source, operation: "sum", operands },
  };
}

/**
 * The figures that a row's own report gives. Another report's figure proves nothing: the sum would be known
 * before it.
 */
function ownItems<L extends StatementLine>({ items, sources, accession_number }: Row<L>): AnyRow["items"] {
  const own = Object.entries<number | null>(items).filter(
    ([line]) => sources[line as L]?.accession_number === accession_number,
  );
  return Object.fromEntries(own);
}

/**
 * The sums of a row's parts; those that need a proof only where the report's statement closes with all of
 * them.
 */
function provenSums<L extends StatementLine>(row: Row<L>): ReadonlyMap<string, Term> {
  const found = new Map<string, { readonly term: Term; readonly proof: Sum["proof"] }>();
  for (const sum of SUMS) {
    const term = found.has(sum.line) ? null : sumOf(row, sum);
    if (term) found.set(sum.line, { term, proof: sum.proof });
  }
  const values = Object.fromEntries([...found].map(([line, { term }]) => [line, term.value]));
  const summed: AnyRow = { ...row, items: { ...ownItems(row), ...values } };
  const isProven = (proof: Sum["proof"]) => {
    if (!proof) return true;
    const checks = proof(summed);
    return checks.length > 0 && checks.every(({ holds }) => holds);
  };
  return new Map(
    [...found].flatMap(([line, { term, proof }]) => (isProven(proof) ? [[line, term] as const] : [])),
  );
}

/** A row with the sums alone, beside the reported row of the same period; null when there is none. */
function summedRow<L extends StatementLine>(row: Row<L>): Row<L> | null {
  if (row.basis !== "reported") return null;
  const sums = provenSums(row);
  if (sums.size === 0) return null;
  const lines = Object.keys(row.items);
  return {
    ...row,
    basis: "derived",
    // The sums are of money.
    split_basis: null,
    known_at: latestMoment([...sums.values()].map(({ source }) => source.known_at)),
    items: Object.fromEntries(lines.map((line) => [line, sums.get(line)?.value ?? null])) as Row<L>["items"],
    sources: Object.fromEntries([...sums].map(([line, { source }]) => [line, source])) as Row<L>["sources"],
  };
}

/** The rows with a derived row after each reported one that has parts without their sum. */
const withSums = <L extends StatementLine>(rows: readonly Row<L>[]): readonly Row<L>[] =>
  rows.flatMap((row) => {
    const summed = summedRow(row);
    return summed ? [row, summed] : [row];
  });

type Rows = Pick<Statements, "income_statement" | "balance_sheet" | "cash_flow">;

/** Adds the derived sums to each statement. */
export const addSums = ({ income_statement, balance_sheet, cash_flow }: Rows): Rows => ({
  income_statement: withSums(income_statement),
  balance_sheet: withSums(balance_sheet),
  cash_flow: withSums(cash_flow),
});
