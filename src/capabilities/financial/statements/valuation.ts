// Computes the ratios of a price to a period's figures, and says why one is null.
import type { BalanceLine, CashFlowLine, IncomeLine } from "../../../providers/edgar/index.ts";
import { debtOf, less, type Operand, ratio, sum, times } from "./operands.ts";
import type { CloseOn, FigureSource, NullReasons, PriceRatio, Row } from "./records.ts";

/** The rows of one period end. */
export interface ValuedPeriod {
  readonly income: Row<IncomeLine>;
  readonly balance: Row<BalanceLine> | undefined;
  readonly cashFlow: Row<CashFlowLine> | undefined;
}

/** A price: the close of the day the period became known, or why there is none. */
export type Priced = ReturnType<CloseOn>;

type Ratios = Readonly<Record<PriceRatio, number | null>>;
export type Valuation = Ratios & { readonly null_reasons: NullReasons };

/** A figure with the name it has in the answer. */
interface Named {
  readonly name: string;
  readonly value: Operand;
}

const named = (name: string, value: Operand): Named => ({ name, value });

/** Why a ratio cannot be computed from these figures; null when it can. `divisor` must be above zero. */
function whyNotOf(figures: readonly Named[], divisor: Named): string | null {
  for (const { name, value } of [...figures, divisor])
    if (value === null || value === undefined) return `${name} is null.`;
  return (divisor.value ?? 0) > 0 ? null : `${divisor.name} is not above zero.`;
}

const FISCAL_YEARS_ONLY = "It is given for fiscal years only.";

/** Looks up the price on the share basis of a figure. */
function priceOf(
  { income }: ValuedPeriod,
  source: FigureSource | undefined,
  closeOn: CloseOn | undefined,
): Priced {
  if (!closeOn) return { why: "No price was requested." };
  if (!source) return { why: "The share basis of the figure is not known." };
  return closeOn(income.period_end_date, source, income.currency);
}

interface Ratio {
  readonly isYearly: boolean;
  readonly whyNot: string | null;
  readonly price: () => Priced;
  readonly value: (price: number) => number | null;
}

function outcomeOf(
  { isYearly, whyNot, price, value }: Ratio,
  isYear: boolean,
): { readonly value: number | null; readonly why: string | null } {
  if (isYearly && !isYear) return { value: null, why: FISCAL_YEARS_ONLY };
  if (whyNot !== null) return { value: null, why: whyNot };
  const found = price();
  if ("why" in found) return { value: null, why: found.why };
  return { value: value(found.close), why: null };
}

/** Equity that belongs to the parent's shareholders. */
type ParentEquity = (balance: Row<BalanceLine> | undefined) => number | null;

/**
 * Computes the ratios. Those of income are only of whole years, since a quarter's would be four times too
 * high.
 */
export function valuation(
  period: ValuedPeriod,
  parentEquity: ParentEquity,
  closeOn: CloseOn | undefined,
): Valuation {
  const { income, balance, cashFlow } = period;
  const { items } = income;
  const shares = named("shares_outstanding", balance?.items.shares_outstanding);
  const debt = named("debt", debtOf(balance));
  const cash = named("cash_and_equivalents", balance?.items.cash_and_equivalents);
  const equity = named("parent_equity", parentEquity(balance));
  const revenue = named("revenue", items.revenue);
  const eps = named("eps_diluted", items.eps_diluted);
  const ebitda = named(
    "operating_income + depreciation_amortization",
    sum(items.operating_income, cashFlow?.items.depreciation_amortization),
  );
  const ofShare = () => priceOf(period, income.sources.eps_diluted, closeOn);
  const ofCompany = () => priceOf(period, balance?.sources.shares_outstanding, closeOn);
  const marketValue = (price: number) => times(price, shares.value);
  const ratios: Readonly<Record<PriceRatio, Ratio>> = {
    pe_ratio: {
      isYearly: true,
      whyNot: whyNotOf([], eps),
      price: ofShare,
      value: (price) => ratio(price, eps.value),
    },
    pb_ratio: {
      isYearly: false,
      whyNot: whyNotOf([shares], equity),
      price: ofCompany,
      value: (price) => ratio(marketValue(price), equity.value),
    },
    ps_ratio: {
      isYearly: true,
      whyNot: whyNotOf([shares], revenue),
      price: ofCompany,
      value: (price) => ratio(marketValue(price), revenue.value),
    },
    ev_to_ebitda: {
      isYearly: true,
      whyNot: whyNotOf([shares, debt, cash], ebitda),
      price: ofCompany,
      value: (price) => ratio(less(sum(marketValue(price), debt.value), cash.value), ebitda.value),
    },
  };
  const isYear = income.period_months === 12;
  const outcomes = Object.entries(ratios).map(([name, one]) => [name, outcomeOf(one, isYear)] as const);
  return {
    ...(Object.fromEntries(outcomes.map(([name, { value }]) => [name, value])) as Ratios),
    null_reasons: Object.fromEntries(
      outcomes.flatMap(([name, { why }]) => (why === null ? [] : [[name, why]])),
    ),
  };
}
