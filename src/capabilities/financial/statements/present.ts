// Turns a company's stored facts into the statements, metrics and coverage of an answer.
import type { TimeSpan } from "../../../market/time-span.ts";
import {
  coverageOf,
  type FactsCoverage,
  type FigureWarning,
  type FinancialFact,
  knownAt,
  type StatementLine,
} from "../../../providers/edgar/index.ts";
import type { Presentations } from "../presentations.ts";
import { type DatedRow, requestedDays, requestedRows } from "../requested-periods.ts";
import type { FinancialDataResponse, FinancialOptions } from "../schema.ts";
import type { BalanceRow, CashFlowRow, IncomeRow, Source } from "../schema-rows.ts";
import type { TimeBudget } from "../time-budget.ts";
import { note } from "../warnings.ts";
import { adjuster, shareFigures } from "./adjust.ts";
import { NOT_DERIVED } from "./derive.ts";
import { addSums, derivableWarnings } from "./derived-lines.ts";
import { spanWarnings } from "./empty-spans.ts";
import {
  type CloseSources,
  FOREIGN_FORM,
  FOREIGN_SHARES,
  metricCloses,
  type PricedSymbol,
} from "./metric-closes.ts";
import { metricsOf } from "./metrics.ts";
import { placedFacts } from "./places.ts";
import type { FigureSource, Metrics, Row, SelectOptions, Statements } from "./records.ts";
import { selectStatements } from "./select.ts";
import { knownSplits, type SplitSources } from "./share-splits.ts";
import { NOT_TRAILING } from "./trailing.ts";
import { NOT_PER_SHARE, oldestSummed, withTrailingShares } from "./trailing-shares.ts";

/** The parts of an answer that come from stored facts. */
export interface Presented
  extends Pick<
    FinancialDataResponse,
    "income_statement" | "balance_sheet" | "cash_flow" | "metrics" | "coverage" | "currency"
  > {
  readonly warnings: readonly FigureWarning[];
  /** The rows of every period, requested or not. */
  readonly allRows: readonly { readonly period_end_date: string }[];
  /** The first and the last day of what was asked for. */
  readonly days: ReturnType<typeof requestedDays>;
  /** Why the price provider could not be asked for closes; null when nothing failed. */
  readonly priceError: string | null;
}

/** The request of a client. */
export interface PresentRequest {
  readonly span: TimeSpan;
  readonly asOf: Temporal.Instant | null;
  readonly choices: Pick<
    FinancialOptions,
    "period_type" | "vintage" | "include_derived" | "include_sources" | "include_metrics" | "adjusted"
  >;
  /** The filer of the ticker; its predecessors' shares may be others. */
  readonly cik: string | null;
  readonly priced: PricedSymbol;
  /** Time left for prices in the whole request. */
  readonly limit: TimeBudget;
  /**
   * The presentations of the reports of figures with an unproven statement; a report that is missing is not
   * read.
   */
  readonly presentations?: Presentations;
}

function shownSource({ operands, operation, isSignUnproven: _, ...given }: FigureSource): Source {
  const source = { ...given, known_at: toMs(given.known_at) };
  if (operands === null || operation === null) return source;
  return {
    ...source,
    operation,
    operands: operands.map(({ value, filed_value, sign, ...operand }) => {
      const { period_start, period_end, tag, accession_number, filed_date } = operand;
      const given = { ...(filed_value === undefined ? {} : { filed_value }), ...(sign ? { sign } : {}) };
      return { value, ...given, period_start, period_end, tag, accession_number, filed_date };
    }),
  };
}

/** An instant in milliseconds; the end of a day is stated in nanoseconds. */
const toMs = (at: string | null): string | null => at?.replace(/(\.\d{3})\d+/, "$1") ?? null;

/** A row as the answer shows it: its items are fields of the row. */
function shown<L extends StatementLine>(row: Row<L>, choices: PresentRequest["choices"]) {
  const { statement: _, items, sources, derived_lines, ...rest } = row;
  const derived = choices.include_derived ? { derived_lines: [...derived_lines] } : {};
  const head = { ...rest, known_at: toMs(rest.known_at), ...derived };
  if (!choices.include_sources) return { ...head, ...items };
  const itemSources = Object.entries<FigureSource | undefined>(sources).flatMap(([item, source]) =>
    source ? [[item, shownSource(source)] as const] : [],
  );
  return { ...head, ...items, sources: Object.fromEntries(itemSources) };
}

/** A warning for each period of these metrics and each reason why a price is missing in it. */
function priceWarnings(metrics: readonly Metrics[], reasons: ReadonlySet<string>): FigureWarning[] {
  const byEnd = Map.groupBy(metrics, ({ period_end_date }) => period_end_date);
  return [...byEnd].flatMap(([period_end, own]) => {
    const given = new Set(own.flatMap(({ null_reasons }) => Object.values(null_reasons)));
    return [...given]
      .filter((reason) => reasons.has(reason))
      .map((reason) => ({
        ...note("price_ratios_null", `Ratios with a price are null: ${reason}`),
        period_end,
      }));
  });
}

/** The facts that were public at `asOf`. */
export function knownFacts(
  facts: readonly FinancialFact[],
  asOf: Temporal.Instant | null,
): readonly FinancialFact[] {
  if (asOf === null) return facts;
  return facts.filter((fact) => {
    const at = knownAt(fact);
    return at !== null && Temporal.Instant.compare(Temporal.Instant.from(at), asOf) <= 0;
  });
}

function shownCoverage(coverage: FactsCoverage): FinancialDataResponse["coverage"] {
  const one = ({ from, to, gaps, sources }: FactsCoverage["cash_flow"]) => ({
    from,
    to,
    gaps: gaps.map(({ after, before }) => ({ after, before })),
    sources: [...sources],
  });
  return {
    income_statement: one(coverage.income_statement),
    balance_sheet: one(coverage.balance_sheet),
    cash_flow: one(coverage.cash_flow),
  };
}

/** Computes the metrics of the requested periods, and says why their prices are missing. */
async function measure(
  sources: CloseSources,
  known: readonly FinancialFact[],
  statements: Statements,
  isRequested: (row: DatedRow) => boolean,
  { priced, asOf, limit }: PresentRequest,
  signal: AbortSignal,
) {
  const ends = statements.income_statement.filter(isRequested).map((row) => row.period_end_date);
  const request = { facts: known, statements, ends, priced, asOf, limit };
  const { closeOn, priceError } = await metricCloses(sources, request, signal);
  const priceReasons = new Set<string>();
  const metrics = metricsOf(statements, {
    closeOn: (...question) => {
      const found = closeOn(...question);
      if ("why" in found) priceReasons.add(found.why);
      return found;
    },
  }).filter(isRequested);
  return { metrics, priceError, warnings: priceWarnings(metrics, priceReasons) };
}

/** The rows that an answer shows. */
type ShownRows = Pick<Statements, "income_statement" | "balance_sheet" | "cash_flow">;

/** Makes the judge of figures per share, with the splits known since the oldest of their bases. */
async function scalerOf(
  sources: SplitSources,
  facts: readonly FinancialFact[],
  oldest: string,
  request: PresentRequest,
  signal: AbortSignal,
) {
  const isForeign = facts.some(({ form }) => FOREIGN_FORM.test(form));
  const priced = isForeign ? { why: FOREIGN_SHARES } : request.priced;
  const { history, priceError } = await knownSplits(sources, { ...request, oldest, priced }, signal);
  return { scaler: adjuster({ facts, history, cik: request.cik }), priceError };
}

/** Scales share counts and per-share figures of the rows to the basis of `as_of` or of today. */
async function adjust(
  sources: SplitSources,
  facts: readonly FinancialFact[],
  rows: ShownRows,
  request: PresentRequest,
  signal: AbortSignal,
) {
  const { income_statement, balance_sheet, cash_flow } = rows;
  const figures = [...income_statement.flatMap(shareFigures), ...balance_sheet.flatMap(shareFigures)];
  const oldest = figures.map(({ basis }) => basis).sort()[0];
  if (oldest === undefined) return { rows, warnings: [], priceError: null };
  const { scaler, priceError } = await scalerOf(sources, facts, oldest, request, signal);
  const adjusted: ShownRows = {
    income_statement: scaler.rows(income_statement),
    balance_sheet: scaler.rows(balance_sheet),
    cash_flow,
  };
  return { rows: adjusted, warnings: scaler.warnings(), priceError };
}

/** Selects statements. Figures per share of twelve months need the splits between their quarters. */
async function select(
  sources: SplitSources,
  facts: readonly FinancialFact[],
  known: readonly FinancialFact[],
  request: PresentRequest,
  signal: AbortSignal,
): Promise<Statements> {
  const statements = selectStatements(facts, selectionOf(request));
  if (request.choices.period_type !== "ttm") return statements;
  const oldest = oldestSummed(statements.income_statement);
  const scaled = oldest === undefined ? null : await scalerOf(sources, known, oldest, request, signal);
  const { rows, warnings } = withTrailingShares(statements.income_statement, (line, operands) =>
    scaled ? scaled.scaler.whyNotAdded(line, operands) : null,
  );
  return { ...statements, income_statement: rows, warnings: [...statements.warnings, ...warnings] };
}

/** Codes of warnings that are given for requested periods alone. */
const OF_PERIOD = [NOT_DERIVED, NOT_TRAILING, NOT_PER_SHARE];

/** How statements are selected for a request. */
function selectionOf({ choices, span, asOf, presentations }: PresentRequest): SelectOptions {
  const { period_type, vintage, include_derived } = choices;
  const asksQuarters = span.quarters !== null && period_type !== "annual";
  return {
    ...(asOf ? { as_of: asOf } : {}),
    period_type,
    vintage,
    include_derived,
    presentations,
    year_end_as_q4: asksQuarters || period_type === "quarterly",
  };
}

/**
 * Makes the presenter: it selects statements, computes their metrics, and shapes both as an answer shows
 * them.
 */
export function presenter(sources: CloseSources & SplitSources) {
  return async (
    stored: readonly FinancialFact[],
    request: PresentRequest,
    signal: AbortSignal,
  ): Promise<Presented> => {
    const { choices, span, asOf } = request;
    const facts = placedFacts(stored, request.presentations ?? new Map());
    const known = knownFacts(facts, asOf);
    const coverage = coverageOf(known);
    const statements = await select(sources, facts, known, request, signal);
    const allRows = [...statements.income_statement, ...statements.balance_sheet, ...statements.cash_flow];
    const isRequested = requestedRows(span, allRows);
    const ends = new Set(allRows.filter(isRequested).map(({ period_end_date }) => period_end_date));
    const isOfRequest = ({ code, period_end }: FigureWarning) =>
      !OF_PERIOD.includes(code) || (period_end !== null && ends.has(period_end));
    const whole = addSums(statements);
    const measured =
      (choices.include_metrics ?? true)
        ? await measure(sources, known, { ...statements, ...whole }, isRequested, request, signal)
        : null;
    const { income_statement, balance_sheet, cash_flow } = choices.include_derived ? whole : statements;
    const derivable = derivableWarnings(whole);
    const isDerivable = ({ code, line, period_end }: FigureWarning) =>
      code === "line_not_found" &&
      derivable.some((reason) => reason.line === line && reason.period_end === period_end);
    const requested: ShownRows = {
      income_statement: income_statement.filter(isRequested),
      balance_sheet: balance_sheet.filter(isRequested),
      cash_flow: cash_flow.filter(isRequested),
    };
    const adjusted = choices.adjusted ? await adjust(sources, known, requested, request, signal) : null;
    const rows = adjusted?.rows ?? requested;
    return {
      income_statement: rows.income_statement.map((row): IncomeRow => shown(row, choices)),
      balance_sheet: rows.balance_sheet.map((row): BalanceRow => shown(row, choices)),
      cash_flow: rows.cash_flow.map((row): CashFlowRow => shown(row, choices)),
      metrics: measured?.metrics ?? null,
      coverage: shownCoverage(coverage),
      currency: income_statement[0]?.currency ?? balance_sheet[0]?.currency ?? null,
      warnings: [
        ...statements.warnings.filter((warning) => isOfRequest(warning) && !isDerivable(warning)),
        ...(choices.include_derived ? [] : derivable.filter(({ period_end }) => ends.has(period_end ?? ""))),
        ...(measured?.warnings ?? []),
        ...(adjusted?.warnings ?? []),
        ...spanWarnings({ span, choices, rows: statements, coverage }),
      ],
      allRows: allRows.map((row) => ({ period_end_date: row.period_end_date, ...row.items })),
      days: requestedDays(span, allRows),
      priceError: measured?.priceError ?? adjusted?.priceError ?? null,
    };
  };
}

export type Present = ReturnType<typeof presenter>;
