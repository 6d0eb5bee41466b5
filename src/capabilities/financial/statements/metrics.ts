// Computes metrics (ROE, margins, ratios, growth, valuation) from statement rows; null when an operand is missing.
import { addDays } from "../../../market/date.ts";
import type { BalanceLine, CashFlowLine, IncomeLine } from "../../../providers/edgar/index.ts";
import type { CloseOn, Comparison, Metrics, Row, Statements } from "./records.ts";

type Operand = number | null | undefined;

const ratio = (a: Operand, b: Operand): number | null => {
  if (a === null || a === undefined || !b) return null;
  const result = a / b;
  return Number.isFinite(result) ? result : null;
};
/** Growth from the earlier to the later value; null when the earlier one is zero or negative. */
const growth = (pair: readonly [Operand, Operand] | null | undefined): number | null => {
  const [now, before] = pair ?? [];
  if (now === null || now === undefined || !before || before <= 0) return null;
  return ratio(now - before, before);
};
const sum = (...operands: readonly Operand[]): number | null => {
  let total = 0;
  for (const operand of operands) {
    if (operand === null || operand === undefined) return null;
    total += operand;
  }
  return total;
};
const less = (a: Operand, b: Operand): number | null =>
  a === null || a === undefined || b === null || b === undefined ? null : a - b;
const times = (a: Operand, b: Operand): number | null =>
  a === null || a === undefined || b === null || b === undefined ? null : a * b;

/** The rows of one period end. */
interface Period {
  readonly income: Row<IncomeLine>;
  readonly balance: Row<BalanceLine> | undefined;
  readonly cashFlow: Row<CashFlowLine> | undefined;
  readonly before: Row<IncomeLine> | undefined;
  readonly comparison: Comparison | undefined;
}

/** Short-term plus long-term debt; short-term debt is summed from its two parts when no total is reported. */
function debtOf(balance: Period["balance"]): number | null {
  if (!balance) return null;
  const { short_term_debt, short_term_borrowings, long_term_debt_current, long_term_debt } = balance.items;
  return sum(short_term_debt ?? sum(short_term_borrowings, long_term_debt_current), long_term_debt);
}

/** Income over equity of the same owners: the parent's over the parent's, else all owners' over all owners'. */
function returnOnEquity(
  income: Row<IncomeLine>["items"],
  balance: Row<BalanceLine>["items"] | undefined,
): number | null {
  if (!balance) return null;
  const { total_equity, noncontrolling_interest } = balance;
  const parent = balance.parent_equity ?? (noncontrolling_interest === 0 ? total_equity : null);
  if (income.net_income !== null && parent !== null) return ratio(income.net_income, parent);
  if (income.net_income_with_noncontrolling !== null)
    return ratio(income.net_income_with_noncontrolling, total_equity);
  // A report that names no noncontrolling interest has one owner: total equity is the parent's.
  return noncontrolling_interest === null ? ratio(income.net_income, total_equity) : null;
}

function profitability({ income, balance }: Period) {
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
    roe: returnOnEquity(items, balance?.items),
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
    debt_to_equity: ratio(debtOf(balance), balance?.items.total_equity),
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

/** Ratios with a price: only of whole years and balance sheets, since a quarter's would be four times too high. */
function valuation({ income, balance, cashFlow }: Period, closeOn: CloseOn | undefined) {
  const close = (date: string, basis: string | null | undefined) =>
    basis ? (closeOn?.(date, basis, income.currency) ?? null) : null;
  const date = income.period_end_date;
  const isYear = income.period_months === 12;
  const yearly = (value: number | null) => (isYear ? value : null);
  const { items } = income;
  const shares = balance?.sources.shares_outstanding;
  const marketValue = times(close(date, shares?.split_basis), balance?.items.shares_outstanding);
  const parentEquity = balance?.items.parent_equity ?? balance?.items.total_equity;
  const ebitda = sum(items.operating_income, cashFlow?.items.depreciation_amortization);
  const enterprise = less(sum(marketValue, debtOf(balance)), balance?.items.cash_and_equivalents);
  const positive = (value: number | null) => (value !== null && value > 0 ? value : null);
  return {
    pe_ratio: yearly(
      ratio(close(date, income.sources.eps_diluted?.split_basis), positive(items.eps_diluted)),
    ),
    pb_ratio: ratio(marketValue, positive(parentEquity ?? null)),
    ps_ratio: yearly(ratio(marketValue, positive(items.revenue))),
    ev_to_ebitda: yearly(ratio(enterprise, positive(ebitda))),
  };
}

function metricsOfPeriod(period: Period, closeOn: CloseOn | undefined): Metrics {
  const { income, cashFlow } = period;
  const { fiscal_year, fiscal_period, period_end_date, period_months, basis } = income;
  const free_cash_flow = less(cashFlow?.items.operating_cash_flow, cashFlow?.items.capital_expenditure);
  return {
    fiscal_year,
    fiscal_period,
    period_end_date,
    period_months,
    basis,
    ...profitability(period),
    ...solvency(period),
    free_cash_flow,
    fcf_margin: ratio(free_cash_flow, income.items.revenue),
    ...growths(period),
    ...valuation(period, closeOn),
  };
}

/**
 * Computes one record per row of the income statement, in its order. All operands are from rows of the same selection
 * and period; growth over a year compares figures of one report, and cash flows must cover the same months.
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
