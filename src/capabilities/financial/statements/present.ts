// From a company's stored figures to the statements, metrics and coverage of an answer.
import { newYorkDate } from "../../../market/calendar.ts";
import { addDays } from "../../../market/date.ts";
import type { TimeSpan } from "../../../market/time-span.ts";
import { AsofError } from "../../../platform/errors.ts";
import {
  coverageOf,
  type FactsCoverage,
  type FinancialFact,
  knownAt,
  type StatementLine,
} from "../../../providers/edgar/index.ts";
import { wantedRows } from "../requested-periods.ts";
import type { FinancialAsk, FinancialDataResponse } from "../schema.ts";
import type { BalanceRow, CashFlowRow, IncomeRow, Source } from "../schema-rows.ts";
import { metricsOf } from "./metrics.ts";
import type { CloseOn, FigureSource, Row, Statements } from "./records.ts";
import { selectStatements } from "./select.ts";
import type { ClosesOf } from "./stored-closes.ts";

export interface Presented
  extends Pick<
    FinancialDataResponse,
    "income_statement" | "balance_sheet" | "cash_flow" | "metrics" | "coverage" | "currency"
  > {
  readonly warnings: readonly string[];
  readonly priceError: string | null;
}

export interface PresentAsk {
  readonly span: TimeSpan;
  readonly asOf: Temporal.Instant | null;
  readonly choices: Pick<
    FinancialAsk,
    "period_type" | "vintage" | "include_derived" | "include_sources" | "include_metrics"
  >;
  /** The symbol whose stored closes metrics may be made with; else why none may. */
  readonly priced: { readonly symbol: string } | { readonly why: string | null };
}

function shownSource({ operands, ...given }: FigureSource): Source {
  const source = { ...given, known_at: toMs(given.known_at) };
  if (operands === null) return source;
  return {
    ...source,
    operands: operands.map(({ value, period_start, period_end, tag, accession_number, filed_date }) => ({
      value,
      period_start,
      period_end,
      tag,
      accession_number,
      filed_date,
    })),
  };
}

/** An instant to the millisecond; the end of a day comes to the nanosecond. */
const toMs = (at: string | null): string | null => at?.replace(/(\.\d{3})\d+/, "$1") ?? null;

/** A row as the answer shows it: its items among its own fields. */
function shown<L extends StatementLine>(row: Row<L>, withSources: boolean) {
  const { statement: _, items, sources, ...rest } = row;
  const head = { ...rest, known_at: toMs(rest.known_at) };
  if (!withSources) return { ...head, ...items };
  const receipts = Object.entries<FigureSource | undefined>(sources).flatMap(([item, source]) =>
    source ? [[item, shownSource(source)] as const] : [],
  );
  return { ...head, ...items, sources: Object.fromEntries(receipts) };
}

/** Facts anybody could read by `asOf`. */
function knownFacts(
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

/** A year's figures stand again beside those of the next: met so late, they were known before by a report that is not read. */
const FIRST_DAYS_MAX = 365;

/** New York dates on which the reports of periods could first be read, by period end; of those whose first is read. */
export function firstKnownDates(facts: readonly FinancialFact[]): ReadonlyMap<string, string> {
  const firsts = new Map<string, string>();
  for (const fact of facts) {
    if (fact.statement !== "income_statement" || fact.flags.some((flag) => flag.endsWith("_form"))) continue;
    const at = knownAt(fact);
    const before = firsts.get(fact.period_end);
    if (at !== null && (before === undefined || at < before)) firsts.set(fact.period_end, at);
  }
  const dates = [...firsts].map(([end, at]) => [end, newYorkDate(Temporal.Instant.from(at))] as const);
  return new Map(dates.filter(([end, date]) => date <= addDays(end, FIRST_DAYS_MAX)));
}

const FOREIGN = /^(20-F|6-K)/;

export function presenter({ closesOf }: { readonly closesOf: ClosesOf }) {
  const allRows = (s: Statements) => [...s.income_statement, ...s.balance_sheet, ...s.cash_flow];

  /** The closes metrics are made with, each of the day its period first became known, and why there are none. */
  const closes = async (
    facts: readonly FinancialFact[],
    statements: Statements,
    { priced, asOf }: PresentAsk,
    signal: AbortSignal,
  ) => {
    const none = (why: string | null, priceError: string | null = null) => ({
      closeOn: (() => null) as CloseOn,
      warnings: () => (why === null ? [] : [`Metrics with a price are null: ${why}`]),
      priceError,
    });
    if ("why" in priced) return none(priced.why);
    if (allRows(statements).some((row) => FOREIGN.test(row.form)))
      return none(
        "the company reports on form 20-F, and a share traded here may stand for several of its own.",
      );
    const known = firstKnownDates(facts);
    const dates = statements.income_statement.flatMap((row) => known.get(row.period_end_date) ?? []);
    try {
      const found = await closesOf(priced.symbol, [...new Set(dates)].sort(), asOf, signal);
      const closeOn: CloseOn = (end, basis, currency) => {
        const date = known.get(end);
        return date === undefined ? null : found.closeOn(date, basis, currency);
      };
      return { closeOn, warnings: found.warnings, priceError: null };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AsofError)) throw error;
      return none(null, error.message);
    }
  };

  return async (
    facts: readonly FinancialFact[],
    ask: PresentAsk,
    signal: AbortSignal,
  ): Promise<Presented> => {
    const { choices, span, asOf } = ask;
    const { period_type, vintage, include_derived } = choices;
    const known = knownFacts(facts, asOf);
    const statements = selectStatements(facts, {
      ...(asOf ? { as_of: asOf } : {}),
      period_type,
      vintage,
      include_derived,
    });
    const wanted = wantedRows(span, allRows(statements));
    const withSources = choices.include_sources ?? false;
    const found = (choices.include_metrics ?? true) ? await closes(known, statements, ask, signal) : null;
    const metrics = found && metricsOf(statements, { closeOn: found.closeOn }).filter(wanted);
    const { income_statement, balance_sheet, cash_flow } = statements;
    return {
      income_statement: income_statement.filter(wanted).map((row): IncomeRow => shown(row, withSources)),
      balance_sheet: balance_sheet.filter(wanted).map((row): BalanceRow => shown(row, withSources)),
      cash_flow: cash_flow.filter(wanted).map((row): CashFlowRow => shown(row, withSources)),
      metrics,
      coverage: shownCoverage(coverageOf(known)),
      currency: income_statement[0]?.currency ?? balance_sheet[0]?.currency ?? null,
      warnings: [...statements.warnings, ...(metrics?.length ? (found?.warnings() ?? []) : [])],
      priceError: found?.priceError ?? null,
    };
  };
}

export type Present = ReturnType<typeof presenter>;
