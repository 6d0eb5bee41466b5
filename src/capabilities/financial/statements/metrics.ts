// Computes metrics (ROE, margins, ratios, growth, valuation) from statement rows; null when an operand is
// missing.
import { addDays } from "../../../market/date.ts";
import type { BalanceLine, IncomeLine, StatementLine } from "../../../providers/edgar/index.ts";
import { METRIC_NAMES, type MetricName } from "../schema-rows.ts";
import { debtOf, less, type Operand, ratio, sum, times } from "./operands.ts";
import type { CloseOn, Comparison, FigureSource, Metrics, NullReasons, Row, Statements } from "./records.ts";
import { type ValuedPeriod, valuation } from "./valuation.ts";

/** Growth from the earlier to the later value; null when the earlier one is zero or negative. */
const growth = (pair: readonly [Operand, Operand] | null | undefined): number | null => {
  const [now, before] = pair ?? [];
  if (now === null || now === undefined || !before || before <= 0) return null;
  return ratio(now - before, before);
};

/** The rows of one period end, and what its growth is measured by. */
interface Period extends ValuedPeriod {
  readonly before: Row<IncomeLine> | undefined;
  readonly comparison: Comparison | undefined;
}

/** The ending of tags of equity that includes the owners of parts of subsidiaries. */
const ALL_OWNERS = "IncludingPortionAttributableToNoncontrollingInterest";

/** Whether the tag of total equity includes other owners than the parent's. The one of IFRS always does. */
const includesAllOwners = (source: FigureSource | undefined): boolean =>
  source !== undefined && (source.tag.endsWith(ALL_OWNERS) || source.taxonomy === "ifrs-full");

/**
 * Equity of the parent's shareholders: as reported, or total equity where the report shows that it has no
 * other owners. A report that names no noncontrolling interest has none, unless the tag of its total equity
 * includes one.
 */
function parentEquityOf(balance: Row<BalanceLine> | undefined): number | null {
  if (!balance) return null;
  const { parent_equity, total_equity, noncontrolling_interest } = balance.items;
  if (parent_equity !== null) return parent_equity;
  if (noncontrolling_interest === 0) return total_equity;
  const isOfAllOwners = includesAllOwners(balance.sources.total_equity);
  return noncontrolling_interest === null && !isOfAllOwners ? total_equity : null;
}

/**
 * Income and equity of the same owners: the parent's with the parent's, else all owners' with all owners'.
 */
function ownersOf({ income, balance }: Period): { readonly income: Operand; readonly equity: Operand } {
  const { net_income, net_income_with_noncontrolling } = income.items;
  const parent = parentEquityOf(balance);
  if (net_income !== null && parent !== null) return { income: net_income, equity: parent };
  return { income: net_income_with_noncontrolling, equity: balance?.items.total_equity };
}

/** A ratio to equity; null where that is negative: a loss on it would be a gain. */
const toEquity = (value: Operand, equity: Operand): number | null =>
  (equity ?? 0) < 0 ? null : ratio(value, equity);

/** Why ratios to equity are null where it is negative. */
function equityReasons(period: Period): NullReasons {
  const why = "Equity is not above zero.";
  return {
    ...((ownersOf(period).equity ?? 0) < 0 ? { roe: why } : {}),
    ...((period.balance?.items.total_equity ?? 0) < 0 ? { debt_to_equity: why } : {}),
  };
}

function profitability(period: Period) {
  const { income, balance } = period;
  const owners = ownersOf(period);
  const { items } = income;
  const debt = debtOf(balance);
  const equity = balance?.items.total_equity;
  const taxRate = ratio(items.income_tax_expense, items.income_before_tax);
  // A loss has no meaningful tax rate.
  const afterTax = taxRate !== null && (items.income_before_tax ?? 0) > 0 ? 1 - taxRate : null;
  return {
    gross_margin: ratio(items.gross_profit, items.revenue),
    operating_margin: ratio(items.operating_income, items.revenue),
    net_margin: ratio(items.net_income, items.revenue),
    roe: toEquity(owners.income, owners.equity),
    roa: ratio(items.net_income, balance?.items.total_assets),
    roic: ratio(times(items.operating_income, afterTax), sum(debt, equity)),
    interest_coverage: ratio(items.operating_income, items.interest_expense),
    asset_turnover: ratio(items.revenue, balance?.items.total_assets),
  };
}

function solvency({ balance }: Period) {
  const { current_assets, current_liabilities, inventory } = balance?.items ?? {};
  return {
    current_ratio: ratio(current_assets, current_liabilities),
    quick_ratio: ratio(less(current_assets, inventory), current_liabilities),
    debt_to_equity: toEquity(debtOf(balance), balance?.items.total_equity),
  };
}

function growths({ income, before, comparison }: Period) {
  return {
    revenue_growth_yoy: growth(comparison?.revenue),
    net_income_growth_yoy: growth(comparison?.net_income),
    eps_growth_yoy: growth(comparison?.eps_diluted),
    revenue_growth_qoq: growth(before && [income.items.revenue, before.items.revenue]),
  };
}

function ratiosOf(period: Period, closeOn: CloseOn | undefined) {
  const { income, cashFlow } = period;
  const free_cash_flow = less(cashFlow?.items.operating_cash_flow, cashFlow?.items.capital_expenditure);
  return {
    ...profitability(period),
    ...solvency(period),
    free_cash_flow,
    fcf_margin: ratio(free_cash_flow, income.items.revenue),
    ...growths(period),
    ...valuation(period, parentEquityOf, closeOn),
  };
}

/** The row without some of its lines. */
function without<L extends StatementLine>(row: Row<L> | undefined, lines: readonly string[]) {
  if (!row || !lines.some((line) => line in row.items)) return row;
  const nulls = Object.fromEntries(lines.filter((line) => line in row.items).map((line) => [line, null]));
  return { ...row, items: { ...row.items, ...nulls } };
}

const withoutLines = (period: Period, lines: readonly string[]): Period => ({
  ...period,
  income: without(period.income, lines) ?? period.income,
  balance: without(period.balance, lines),
  cashFlow: without(period.cashFlow, lines),
});

/** The lines of the period whose sign no sum proves. */
const unprovenLines = ({ income, balance, cashFlow }: Period): string[] =>
  [income, balance, cashFlow].flatMap((row) =>
    Object.entries<FigureSource>(row?.sources ?? {}).flatMap(([line, source]) =>
      source.isSignUnproven ? [line] : [],
    ),
  );

/** The metrics that have another value without a line. */
const metricsOn = (period: Period, line: string, closeOn?: CloseOn): MetricName[] => {
  const [whole, rest] = [period, withoutLines(period, [line])].map((one) => ratiosOf(one, closeOn));
  return METRIC_NAMES.filter((name) => whole?.[name] !== rest?.[name]);
};

function metricsOfPeriod(period: Period, closeOn: CloseOn | undefined): Metrics {
  const { fiscal_year, label_source, fiscal_period, period_end_date, period_months, basis } = period.income;
  const unproven = unprovenLines(period);
  const reasons = unproven.flatMap((line) =>
    metricsOn(period, line).map((name) => [name, `No sum of its statement proves the sign of ${line}.`]),
  );
  const proven = withoutLines(period, unproven);
  const { null_reasons, ...ratios } = ratiosOf(proven, closeOn);
  const derived = [period.income, period.balance, period.cashFlow].flatMap((row) => row?.derived_lines ?? []);
  return {
    fiscal_year,
    label_source,
    fiscal_period,
    period_end_date,
    period_months,
    basis,
    ...ratios,
    null_reasons: { ...equityReasons(proven), ...Object.fromEntries(reasons), ...null_reasons },
    derived_operands: derived.filter((line) => metricsOn(proven, line, closeOn).length > 0),
  };
}

/**
 * Computes one record per row of the income statement, in its order. All operands are from rows of the same
 * selection and period; growth over a year compares figures of one report, and cash flows must cover the same
 * months.
 */
export function metricsOf(
  statements: Pick<Statements, "income_statement" | "balance_sheet" | "cash_flow" | "comparisons">,
  { closeOn }: { readonly closeOn?: CloseOn | undefined } = {},
): Metrics[] {
  const { income_statement, balance_sheet, cash_flow, comparisons } = statements;
  const endings = new Map<string, Row<IncomeLine>>();
  for (const row of income_statement) if (row.period_months === 3) endings.set(row.period_end_date, row);
  return income_statement.map((income) => {
    const { period_end_date: end, period_months: months, period_start_date: start, currency } = income;
    const same = (row: Pick<Row, "period_end_date" | "currency">) =>
      row.period_end_date === end && row.currency === currency;
    const before = months === 3 && start !== null ? endings.get(addDays(start, -1)) : undefined;
    const period: Period = {
      income,
      balance: balance_sheet.find(same),
      cashFlow: cash_flow.find((row) => same(row) && row.period_months === months),
      before: before?.currency === currency ? before : undefined,
      comparison: comparisons.find((c) => c.period_end_date === end && c.period_months === months),
    };
    return metricsOfPeriod(period, closeOn);
  });
}
