// The rows of statements and metrics as answers show them, each item with its meaning.
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { oneOf } from "../../market/params.ts";
import type { BalanceLine, CashFlowLine, IncomeLine } from "../../providers/edgar/index.ts";
import type { Metrics } from "./statements/records.ts";

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const text = (description: string) => orNull(Type.String({ description }));
const figure = (description: string) => orNull(Type.Number({ description }));

/** A field for each entry, its text the description. */
function figures<Name extends string>(description: Readonly<Record<Name, string>>) {
  const fields = Object.entries<string>(description).map(([name, description]) => [
    name,
    figure(description),
  ]);
  return Object.fromEntries(fields) as Record<Name, ReturnType<typeof figure>>;
}

const INCOME: Readonly<Record<IncomeLine, string>> = {
  revenue: "All revenue; of a bank net of interest expense.",
  cost_of_revenue: "Cost of what was sold.",
  gross_profit: "As reported; not computed where it is not.",
  research_and_development: "Research and development expense.",
  selling_general_administrative: "Selling, general and administrative expense.",
  operating_expenses: "Operating expenses as the company totals them.",
  operating_income: "Operating income or loss.",
  interest_expense: "Interest expense.",
  income_before_tax: "Income of continuing operations before tax.",
  income_tax_expense: "Income tax; negative for a benefit.",
  net_income: "Net income that belongs to the parent's owners.",
  eps_basic:
    "Earnings per share, basic, in currency a share, on the share basis of the report: not adjusted for later splits. Of schedules up to 1997 (source ex27) primary.",
  eps_diluted:
    "Earnings per share, diluted, in currency a share, on the share basis of the report: not adjusted for later splits. Of schedules up to 1997 (source ex27) fully diluted.",
  weighted_average_shares_basic: "Average number of shares, on the share basis of the report.",
  weighted_average_shares_diluted: "Average number of shares, diluted, on the share basis of the report.",
  net_income_with_noncontrolling: "Net income of all owners, those of subsidiaries included.",
  net_interest_income: "Of a bank: interest income less interest expense.",
  noninterest_income: "Of a bank: income beside interest.",
  noninterest_expense: "Of a bank: expense beside interest.",
  provision_for_credit_losses: "Of a bank: provision for credit losses.",
  premiums_earned: "Of an insurer: premiums earned, net.",
  net_investment_income: "Of an insurer: net investment income.",
  policyholder_benefits: "Of an insurer: benefits and claims incurred, net.",
};

const BALANCE: Readonly<Record<BalanceLine, string>> = {
  total_assets: "All assets.",
  current_assets: "Assets that turn to cash within a year.",
  cash_and_equivalents: "Cash and equivalents.",
  short_term_investments: "Investments that fall due within a year.",
  accounts_receivable: "Receivables, net, within a year.",
  inventory: "Inventory, net.",
  property_plant_equipment: "Property, plant and equipment, net.",
  goodwill: "Goodwill.",
  intangible_assets: "Intangible assets without goodwill, net.",
  total_liabilities: "All liabilities, where the company states a total.",
  current_liabilities: "Liabilities due within a year.",
  accounts_payable: "Payables within a year.",
  short_term_debt: "Debt due within a year, where the company states a total.",
  long_term_debt: "Debt due after a year.",
  deferred_revenue: "Revenue received and not yet earned, within a year.",
  total_equity: "Equity of all owners, those of subsidiaries included.",
  retained_earnings: "Retained earnings, or accumulated deficit when negative.",
  shares_outstanding:
    "Number of shares outstanding, as the report states them at this date: not adjusted for later splits.",
  short_term_borrowings: "Short-term borrowings, a part of short-term debt.",
  long_term_debt_current: "The part of long-term debt due within a year.",
  parent_equity: "Equity of the parent's owners.",
  noncontrolling_interest: "Equity of the other owners of subsidiaries.",
  temporary_equity: "Redeemable equity outside permanent equity.",
  liabilities_and_equity: "The total of the right-hand side.",
  loans: "Of a bank: loans, net; of schedules up to 2001 (source ex27) before the allowance for losses.",
  deposits: "Of a bank: deposits.",
};

const CASH_FLOW: Readonly<Record<CashFlowLine, string>> = {
  operating_cash_flow: "Cash from operations.",
  capital_expenditure: "Paid for property, plant and equipment: a positive figure is a payment.",
  investing_cash_flow: "Cash from investing; negative for a use.",
  financing_cash_flow: "Cash from financing; negative for a use.",
  dividends_paid: "Dividends paid, positive.",
  share_repurchases: "Paid for own shares, positive.",
  depreciation_amortization: "Depreciation and amortization.",
  stock_based_compensation: "Pay in shares.",
  net_change_in_cash: "Change of cash over the period.",
  exchange_rate_effect: "What exchange rates did to cash.",
};

const Operand = Type.Object({
  value: Type.Number({
    description:
      "The reported figure, in the unit of its line: the row's currency, currency per share, or shares.",
  }),
  period_start: text("First day of its period, YYYY-MM-DD."),
  period_end: Type.String({ description: "Last day of its period, YYYY-MM-DD." }),
  tag: Type.String({ description: "The company's tag it was read from." }),
  accession_number: Type.String({ description: "The report." }),
  filed_date: Type.String({ description: "When that was filed, YYYY-MM-DD." }),
});

const Source = Type.Object({
  tag: Type.String({ description: "The company's tag the figure was read from." }),
  taxonomy: Type.String({ description: "us-gaap, ifrs-full, dei or ex27." }),
  accession_number: Type.String({ description: "The report." }),
  form: Type.String({ description: "Form of the report." }),
  filed_date: Type.String({ description: "When it was filed, YYYY-MM-DD." }),
  known_at: text("From when anybody could read it, RFC 3339 UTC."),
  period_end: Type.String({
    description:
      "End of the figure's own period: the row's, but for shares by a report's cover, which are of some weeks later.",
  }),
  unit: Type.String({ description: "USD, USD/shares, shares, …" }),
  split_basis: text("Of shares and figures per share: stated with every split before this day."),
  operands: Type.Optional(
    Type.Array(Operand, { description: "Of a derived figure: the first less the second." }),
  ),
});
export type Source = Static<typeof Source>;

const Sources = Type.Optional(
  Type.Record(Type.String(), Source, {
    description: "Only with include_sources: a receipt for each figure.",
  }),
);

const PLACE = {
  fiscal_year: orNull(
    Type.Integer({
      description:
        "Calendar year in which the fiscal year ends (ending 1 to 7 January: the year before). Null where it cannot be told.",
    }),
  ),
  fiscal_period: orNull(
    oneOf(
      ["Q1", "Q2", "Q3", "Q4", "FY"],
      "By the dates of the period, never by the filing's own label: the quarter with whose end it ends, FY for years.",
    ),
  ),
  period_end_date: Type.String({ format: "date", description: "Last day of the period." }),
  period_months: orNull(
    oneNumberOf([3, 6, 9, 12], "Length of the period in months; null for balance sheets and odd lengths."),
  ),
  basis: oneOf(
    ["reported", "derived"],
    "derived: an exact difference of two reported figures, only with include_derived.",
  ),
};

/** One of a few numbers. */
function oneNumberOf(values: readonly number[], description: string) {
  return Type.Integer({ enum: [...values], description });
}

const HEAD = {
  ...PLACE,
  period_start_date: text("First day; null for balance sheets."),
  period_type: oneOf(["quarterly", "annual"], "Kind of period."),
  form: Type.String({ description: "Form of the report the row is taken from." }),
  filed_date: Type.String({ format: "date", description: "The SEC's date of filing of that report." }),
  accession_number: Type.String({ description: "Its number at the SEC." }),
  known_at: text(
    "From when every figure of the row could be read, RFC 3339 UTC: the moment as_of is held against. Null where it is not known.",
  ),
  currency: Type.String({ description: "ISO 4217; nothing is converted." }),
  source: oneOf(["xbrl", "ex27"], "ex27: from a financial data schedule of the years up to 2001."),
};

export const IncomeRow = Type.Object({ ...HEAD, ...figures(INCOME), sources: Sources });
export const BalanceRow = Type.Object({ ...HEAD, ...figures(BALANCE), sources: Sources });
export const CashFlowRow = Type.Object({ ...HEAD, ...figures(CASH_FLOW), sources: Sources });
export type IncomeRow = Static<typeof IncomeRow>;
export type BalanceRow = Static<typeof BalanceRow>;
export type CashFlowRow = Static<typeof CashFlowRow>;

type MetricName = Exclude<
  keyof Metrics,
  "fiscal_year" | "fiscal_period" | "period_end_date" | "period_months" | "basis"
>;

const PRICED =
  "Price: the stored close of the day the period first became known; null without it, and where that day is not known because the first report of the period is not read.";
const METRICS: Readonly<Record<MetricName, string>> = {
  gross_margin: "gross_profit / revenue, a fraction (0.25 is 25 %).",
  operating_margin: "operating_income / revenue, a fraction.",
  net_margin: "net_income / revenue, a fraction.",
  roe: "Return on equity, a fraction, of the period itself: nothing is annualised.",
  roa: "Return on assets, a fraction, of the period itself.",
  roic: "Return on invested capital, a fraction, of the period itself.",
  current_ratio: "current_assets / current_liabilities, a ratio.",
  quick_ratio: "(current_assets - inventory) / current_liabilities, a ratio.",
  debt_to_equity: "Debt / equity, a ratio.",
  interest_coverage: "operating_income / interest_expense, a ratio.",
  asset_turnover: "revenue / total_assets, a ratio, of the period itself.",
  free_cash_flow: "operating_cash_flow - capital_expenditure, whole units of the statements' currency.",
  fcf_margin: "free_cash_flow / revenue of the same months, a fraction.",
  revenue_growth_yoy:
    "Against the same period a year before, a fraction (0.1 is 10 %), both as one report states them.",
  net_income_growth_yoy: "The same of net income, a fraction; null where the year before was no profit.",
  eps_growth_yoy: "The same of diluted earnings per share, a fraction.",
  revenue_growth_qoq: "Revenue against the quarter before, a fraction.",
  pe_ratio: `Of fiscal years: price / eps_diluted, null for a loss. ${PRICED}`,
  pb_ratio: `Price * shares_outstanding / equity. ${PRICED}`,
  ps_ratio: `Of fiscal years: price * shares_outstanding / revenue. ${PRICED}`,
  ev_to_ebitda: `Of fiscal years: (price * shares_outstanding + debt - cash) / (operating income + depreciation and amortization). ${PRICED}`,
};

export const Metric = Type.Object(
  { ...PLACE, ...figures(METRICS) },
  {
    description:
      "Made of rows of one vintage; fractions (0.25 is 25 %), null where an operand is missing or the divisor is zero.",
  },
);
