// Derives a line that the other figures of its report fix exactly: a total whose parts the report gives, or
// the part that is the rest of a total.
import type { FigureWarning, StatementLine } from "../../../providers/edgar/index.ts";
import { type AnyRow, balanceChecks, type Check, cashChecks } from "./identities.ts";
import type { FigureSource, Row, Statements } from "./records.ts";
import { latestMoment, signedOperands } from "./rows.ts";

interface Sum {
  readonly line: StatementLine;
  /** All are added; of a difference the second is subtracted. */
  readonly parts: readonly StatementLine[];
  readonly operation?: "difference";
  /** Figures that may be further parts: with one of them the sum would not be known to be whole. */
  readonly unless?: readonly StatementLine[];
  /** Checks of the statement with its sums: all must hold, and one must be possible. */
  readonly proof?: (row: AnyRow) => readonly Check[];
}

/** The parts of an activity are its whole where the activities then sum to the change in cash. */
const activity = (line: "operating_cash_flow" | "investing_cash_flow" | "financing_cash_flow"): Sum => ({
  line,
  parts: [`${line}_continuing`, `${line}_discontinued`],
  proof: cashChecks,
});

/** Beside preferred shares the parent's equity may be of common shares alone: liabilities must be known. */
const equityProof = (row: AnyRow): readonly Check[] =>
  typeof row.items.total_liabilities === "number" || !row.items.preferred_stock ? balanceChecks(row) : [];

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
  { line: "total_equity", parts: ["parent_equity", "noncontrolling_interest"], proof: equityProof },
  {
    line: "parent_equity",
    parts: ["total_equity", "noncontrolling_interest"],
    operation: "difference",
    proof: balanceChecks,
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
function sumOf<L extends StatementLine>(row: Row<L>, { line, parts, unless, operation }: Sum): Term | null {
  if (!(line in row.items) || row.items[line as L] !== null) return null;
  if (unless?.some((other) => row.items[other as L] !== null) || !isWhole(row, parts)) return null;
  const terms = parts.flatMap((part) => termOf(row, part) ?? []);
  const [first] = terms;
  if (!first || terms.length < parts.length) return null;
  if (terms.some(({ source }) => source.unit !== first.source.unit)) return null;
  const sign = operation === undefined ? 1 : -1;
  const { filed_value: _, ...source } = first.source;
  const signed = parts.flatMap((part, nth) => signedOperands(row, part as L, nth === 0 ? 1 : sign));
  // A term of trailing twelve months is itself made of several figures, with signs of their own.
  const isPlain = terms.every((term) => term.source.operands === null);
  return {
    value: terms.slice(1).reduce((total, { value }) => total + sign * value, first.value),
    source: {
      ...source,
      ...unprovenOf(terms),
      known_at: latestMoment(terms.map((term) => term.source.known_at)),
      operation: isPlain ? (operation ?? "sum") : "signed_sum",
      operands: isPlain ? signed.map(({ sign: _, ...operand }) => operand) : signed,
    },
  };
}

const unprovenOf = (terms: readonly Term[]) =>
  terms.some(({ source }) => source.isSignUnproven) ? { isSignUnproven: true as const } : {};

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

/** The row with these lines, which it lacks. They are known with the last figure that they follow from. */
export function withLines<L extends StatementLine>(row: Row<L>, added: ReadonlyMap<string, Term>): Row<L> {
  if (added.size === 0) return row;
  const values = Object.fromEntries([...added].map(([line, { value }]) => [line, value]));
  const sources = Object.fromEntries([...added].map(([line, { source }]) => [line, source]));
  return {
    ...row,
    known_at: latestMoment([row.known_at, ...[...added.values()].map(({ source }) => source.known_at)]),
    items: { ...row.items, ...values },
    sources: { ...row.sources, ...sources },
    derived_lines: [...row.derived_lines, ...added.keys()],
  };
}

const withSums = <L extends StatementLine>(rows: readonly Row<L>[]): readonly Row<L>[] =>
  rows.map((row) =>
    row.basis === "reported" || row.period_type === "ttm" ? withLines(row, provenSums(row)) : row,
  );

type Rows = Pick<Statements, "income_statement" | "balance_sheet" | "cash_flow">;

/** Adds the lines that follow from a row's own figures to each statement. */
export const addSums = ({ income_statement, balance_sheet, cash_flow }: Rows): Rows => ({
  income_statement: withSums(income_statement),
  balance_sheet: withSums(balance_sheet),
  cash_flow: withSums(cash_flow),
});

const SENTENCE =
  "is null where its report does not give it. It follows exactly from figures of the report: ask for include_derived=true.";

/** The reason of each line that is null in a reported row and follows from its figures. */
export const derivableWarnings = (rows: Rows): FigureWarning[] =>
  Object.values(rows).flatMap((own) =>
    own.flatMap(({ basis, derived_lines, period_end_date, accession_number }) =>
      (basis === "reported" ? derived_lines : []).map((line) => ({
        code: "derivable",
        line: line as StatementLine,
        period_end: period_end_date,
        accession_number,
        detail: `${line.replaceAll("_", " ")} ${SENTENCE}`,
      })),
    ),
  );
