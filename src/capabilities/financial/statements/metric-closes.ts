// The closing prices that metrics use: for each period, the stored close of the day the period became known.
import { newYorkDate } from "../../../market/calendar.ts";
import { addDays } from "../../../market/date.ts";
import { AsofError } from "../../../platform/errors.ts";
import { type FinancialFact, knownAt } from "../../../providers/edgar/index.ts";
import type { CloseOn, Statements } from "./records.ts";
import type { ClosesOf } from "./stored-closes.ts";

/** The symbol whose stored closes the metrics may use, or why there is none. */
export type PricedSymbol = { readonly symbol: string } | { readonly why: string | null };

/** The closes of a company's periods. */
export interface MetricCloses {
  readonly closeOn: CloseOn;
  /** Why metrics with a price are null. To be read after the metrics are computed. */
  warnings(): readonly string[];
  /** Why stored prices could not be read; null when they could. */
  readonly priceError: string | null;
}

/**
 * Longest time between the end of a period and its first report. A period first met later was already known from a
 * report that is not stored: each year's figures are repeated in the next year's report.
 */
const FIRST_REPORT_DAYS_MAX = 365;

/** The New York date on which each period was first reported, by period end; periods whose first report is not stored are absent. */
export function firstKnownDates(facts: readonly FinancialFact[]): ReadonlyMap<string, string> {
  const firsts = new Map<string, string>();
  for (const fact of facts) {
    if (fact.statement !== "income_statement" || fact.flags.some((flag) => flag.endsWith("_form"))) continue;
    const at = knownAt(fact);
    const before = firsts.get(fact.period_end);
    if (at !== null && (before === undefined || at < before)) firsts.set(fact.period_end, at);
  }
  const dates = [...firsts].map(([end, at]) => [end, newYorkDate(Temporal.Instant.from(at))] as const);
  return new Map(dates.filter(([end, date]) => date <= addDays(end, FIRST_REPORT_DAYS_MAX)));
}

/** Forms of foreign companies, whose US-traded share may represent several ordinary ones. */
const FOREIGN_FORM = /^(20-F|6-K)/;

const noCloses = (why: string | null, priceError: string | null = null): MetricCloses => ({
  closeOn: () => null,
  warnings: () => (why === null ? [] : [`Metrics with a price are null: ${why}`]),
  priceError,
});

/**
 * Finds the closes for the metrics of a company whose `facts` were known at `asOf`. Never throws an AsofError: prices
 * that cannot be read are reported in `priceError`.
 */
export async function metricCloses(
  closesOf: ClosesOf,
  facts: readonly FinancialFact[],
  statements: Statements,
  { priced, asOf }: { readonly priced: PricedSymbol; readonly asOf: Temporal.Instant | null },
  signal: AbortSignal,
): Promise<MetricCloses> {
  if ("why" in priced) return noCloses(priced.why);
  const { income_statement, balance_sheet, cash_flow } = statements;
  if ([...income_statement, ...balance_sheet, ...cash_flow].some((row) => FOREIGN_FORM.test(row.form)))
    return noCloses(
      "the company reports on form 20-F, and a share traded in the US may represent several of its ordinary shares.",
    );
  const known = firstKnownDates(facts);
  const dates = income_statement.flatMap((row) => known.get(row.period_end_date) ?? []);
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
    return noCloses(null, error.message);
  }
}
