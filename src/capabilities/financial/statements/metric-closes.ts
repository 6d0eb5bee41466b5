// The closing prices that metrics use: for each period, the stored close of the day the period became known.
import { newYorkDate } from "../../../market/calendar.ts";
import { addDays } from "../../../market/date.ts";
import { type FinancialFact, knownAt } from "../../../providers/edgar/index.ts";
import { attempt } from "../outcome.ts";
import type { FillCloses } from "../sources.ts";
import type { TimeBudget } from "../time-budget.ts";
import { figureBases } from "./figure-basis.ts";
import type { CloseOn, Statements } from "./records.ts";
import type { ClosesOf } from "./stored-closes.ts";

/** The symbol whose stored closes the metrics may use, or why there is none. */
export type PricedSymbol = { readonly symbol: string } | { readonly why: string };

/** The closes of a company's periods. */
export interface MetricCloses {
  readonly closeOn: CloseOn;
  /** Why the price provider could not be asked for closes that are not stored; null when nothing failed. */
  readonly priceError: string | null;
}

/** Where closes come from. */
export interface CloseSources {
  readonly closesOf: ClosesOf;
  readonly fill: FillCloses;
}

/** The metrics for which closes are needed. */
export interface CloseRequest {
  /** The facts that were known at `asOf`. */
  readonly facts: readonly FinancialFact[];
  readonly statements: Statements;
  /** Ends of the periods whose metrics are shown. */
  readonly ends: readonly string[];
  readonly priced: PricedSymbol;
  readonly asOf: Temporal.Instant | null;
  /** Time left for prices in the whole request. */
  readonly limit: TimeBudget;
}

/**
 * Longest time between the end of a period and its first report. A period first met later was already known
 * from a report that is not stored: each year's figures are repeated in the next year's report.
 */
const FIRST_REPORT_DAYS_MAX = 365;

/**
 * The New York date on which each period was first reported, by period end; periods whose first report is not
 * stored are absent.
 */
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
export const FOREIGN_FORM = /^(20-F|6-K)/;
export const FOREIGN_SHARES =
  "The company reports on form 20-F, and a share traded in the US may represent several of its ordinary shares.";

const noCloses = (why: string): MetricCloses => ({ closeOn: () => ({ why }), priceError: null });

const UNKNOWN_DAY = "The day on which the period became known is not known: its first report is not stored.";

/**
 * Finds the closes for the metrics of a company, and asks the price provider for those that are not stored.
 * Never throws an AsofError: what fails or takes too long is reported in `priceError`, and stored closes are
 * used all the same.
 */
export async function metricCloses(
  { closesOf, fill }: CloseSources,
  { facts, statements, ends, priced, asOf, limit }: CloseRequest,
  signal: AbortSignal,
): Promise<MetricCloses> {
  if ("why" in priced) return noCloses(priced.why);
  const { income_statement, balance_sheet, cash_flow } = statements;
  if ([...income_statement, ...balance_sheet, ...cash_flow].some((row) => FOREIGN_FORM.test(row.form)))
    return noCloses(FOREIGN_SHARES);
  const { symbol } = priced;
  const known = firstKnownDates(facts);
  const dates = [...new Set(ends.flatMap((end) => known.get(end) ?? []))].sort();
  const read = () => attempt(closesOf(symbol, dates, asOf, signal), signal);
  const stored = await read();
  if (stored.error)
    return { ...noCloses("Stored prices could not be read."), priceError: stored.error.message };
  const { lacking } = stored.value;
  const failure =
    lacking.length === 0 ? null : await limit.within(signal, (limited) => fill(symbol, lacking, limited));
  const filled = lacking.length === 0 ? stored : await read();
  const { closeOn, splits } = (filled.error ? stored : filled).value;
  const basisOfFigure = figureBases(facts);
  return {
    closeOn: (end, figure, currency) => {
      const date = known.get(end);
      if (date === undefined) return { why: UNKNOWN_DAY };
      if (figure.split_basis === null) return { why: "The share basis of the figure is not known." };
      const found = basisOfFigure(figure, figure.split_basis, splits);
      return "doubt" in found
        ? { why: `It is not known whether the split of ${found.doubt} is included in the figure.` }
        : closeOn(date, found.basis, currency);
    },
    priceError: failure?.message ?? filled.error?.message ?? null,
  };
}
