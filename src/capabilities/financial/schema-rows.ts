// Rows of statements and metrics as answers show them, with the meaning of each item.
import { type Static, Type } from "@sinclair/typebox";
import { integerOrNull, numberOrNull, orNull, textOrNull } from "../../market/answer-fields.ts";
import { oneOf } from "../../market/params.ts";
import {
  type BalanceLine,
  type CashFlowLine,
  type IncomeLine,
  LINES_BY_MEANING,
  type StatementLine,
} from "../../providers/edgar/index.ts";

const isByMeaning = (name: string): boolean => LINES_BY_MEANING.has(name as StatementLine);
const BY_MEANING = "Given by its meaning: a report may show it in a note or another statement only.";

/** A nullable number field for each entry, described by its text. */
function figures<Name extends string>(description: Readonly<Record<Name, string>>) {
  const fields = Object.entries<string>(description).map(([name, description]) => [
    name,
    numberOrNull(isByMeaning(name) ? `${description} ${BY_MEANING}` : description),
  ]);
  return Object.fromEntries(fields) as Record<Name, ReturnType<typeof numberOrNull>>;
}

const INCOME: Readonly<Record<IncomeLine, string>> = {
  revenue:
    "Total revenue; for a bank net of interest expense, for an investment company total investment income.",
  cost_of_revenue: "Cost of goods and services sold.",
  gross_profit: "As reported; never computed.",
  research_and_development: "Research and development expense.",
  selling_general_administrative: "Selling, general and administrative expense.",
  operating_expenses: "Total operating expenses as the company reports them.",
  operating_income: "Operating income or loss.",
  interest_expense: "Interest expense.",
  income_before_tax: "Income from continuing operations before tax.",
  income_tax_expense: "Income tax; negative for a benefit.",
  net_income: "Net income attributable to the parent's shareholders.",
  eps_basic:
    "Earnings per share, basic, in currency per share, on the share basis of the report; with adjusted on that of split_basis. In schedules up to 1997 (source ex27) primary.",
  eps_diluted:
    "Earnings per share, diluted, in currency per share, on the share basis of the report; with adjusted on that of split_basis. In schedules up to 1997 (source ex27) fully diluted.",
  weighted_average_shares_basic:
    "Average number of shares, on the share basis of the report; with adjusted on that of split_basis.",
  weighted_average_shares_diluted:
    "Average number of shares, diluted, on the share basis of the report; with adjusted on that of split_basis.",
  net_income_with_noncontrolling: "Net income including the share of noncontrolling interests.",
  net_interest_income: "Banks: interest income less interest expense.",
  noninterest_income: "Banks: income other than interest.",
  noninterest_expense: "Banks: expense other than interest.",
  provision_for_credit_losses: "Provision for losses on loans and other credit.",
  premiums_earned: "Insurers: premiums earned, net.",
  net_investment_income:
    "Insurers: net investment income. Investment companies: investment income less expenses.",
  policyholder_benefits: "Insurers: benefits and claims incurred, net.",
  discontinued_operations: "Result of discontinued operations after tax.",
  equity_method_income: "Share of the results of companies accounted for by the equity method.",
  costs_and_expenses:
    "All costs and expenses as one total: cost of revenue and operating expenses, for some filers interest too.",
  selling_and_marketing: "Selling and marketing expense, where it is reported apart from administration.",
  general_and_administrative:
    "General and administrative expense, where it is reported apart from selling. For a filer without selling expense it may be all of both.",
};

const BALANCE: Readonly<Record<BalanceLine, string>> = {
  total_assets: "Total assets.",
  current_assets: "Assets that turn into cash within a year.",
  cash_and_equivalents:
    "Cash and equivalents, without restricted cash. The total of all cash is given where the filing has no restricted cash; for a bank the balance whose difference between two days is the change in cash. Null where the report gives only a part.",
  short_term_investments: "Investments that mature within a year.",
  accounts_receivable:
    "Receivables due within a year, net; all receivables where the balance sheet does not tell current assets apart.",
  inventory: "Inventory, net.",
  property_plant_equipment:
    "Property, plant and equipment, net. Null where a utility gives only its utility plant and its other property, and no total.",
  goodwill: "Goodwill.",
  intangible_assets: "Intangible assets without goodwill, net.",
  total_liabilities: "Total liabilities; null when the company states no total.",
  current_liabilities: "Liabilities due within a year.",
  accounts_payable:
    "Payables due within a year; all payables where the balance sheet does not tell current liabilities apart.",
  short_term_debt: "Debt due within a year; null when the company states no total.",
  long_term_debt: "Debt due after more than a year.",
  deferred_revenue: "Payments received for revenue to be earned within a year.",
  total_equity: "Total equity including noncontrolling interests.",
  retained_earnings: "Retained earnings, or accumulated deficit when negative.",
  shares_outstanding:
    "Shares outstanding as the report states them at this date; with adjusted on the basis of split_basis.",
  short_term_borrowings: "Short-term borrowings, a part of short-term debt.",
  long_term_debt_current: "The part of long-term debt due within a year.",
  parent_equity: "Equity attributable to the parent's shareholders.",
  noncontrolling_interest: "Equity of the noncontrolling shareholders of subsidiaries.",
  temporary_equity:
    "Redeemable equity outside permanent equity; by its redemption or fair value only where the balance sheet closes with it.",
  liabilities_and_equity: "Total liabilities and equity.",
  loans: "Banks: loans, net; in schedules up to 2001 (source ex27) before the allowance for losses.",
  deposits: "Banks: deposits.",
  commercial_paper: "Commercial paper, a part of short-term debt.",
  notes_payable_current: "Notes payable within a year, where they are reported apart.",
  loans_payable_current:
    "Loans payable within a year, where they are reported apart; with notes payable where the report gives bank loans and notes as one.",
  convertible_debt_current: "Convertible debt due within a year, where it is reported apart.",
  line_of_credit: "Drawn lines of credit whose term the report does not give.",
  line_of_credit_current: "Drawn lines of credit due within a year, where they are reported apart.",
  line_of_credit_noncurrent:
    "Drawn lines of credit due after more than a year, where they are reported apart.",
  notes_payable: "Notes payable whose term the report does not give.",
  loans_payable: "Loans payable whose term the report does not give.",
  long_term_notes_payable: "Notes payable after more than a year, where they are reported apart.",
  long_term_loans_payable: "Loans payable after more than a year, where they are reported apart.",
  convertible_debt_noncurrent: "Convertible debt due after more than a year, where it is reported apart.",
  long_term_debt_with_current:
    "Long-term debt including the part due within a year, as one total, where the report does not give the rest apart.",
  deferred_revenue_noncurrent: "Payments received for revenue to be earned after more than a year.",
  deferred_revenue_total: "Payments received for revenue to be earned at any time, as one total.",
  utility_property: "Property, plant and equipment of a filer's public utilities, net.",
  cash_and_due_from_banks:
    "Banks: cash on hand and balances due from banks as the balance sheet names them, often only a part of cash_and_equivalents.",
  preferred_stock:
    "Preferred shares within equity; part of parent_equity unless that is of common shares alone.",
};

const CASH_FLOW: Readonly<Record<CashFlowLine, string>> = {
  operating_cash_flow: "Cash from operations.",
  capital_expenditure:
    "Payments for property, plant and equipment; positive for a payment. Null where the report gives several such payments and no sum shows which is the total.",
  investing_cash_flow: "Cash from investing; negative for a use.",
  financing_cash_flow: "Cash from financing; negative for a use.",
  dividends_paid: "Dividends paid, positive.",
  share_repurchases: "Payments for own shares, positive.",
  depreciation_amortization:
    "Depreciation and amortization as one figure, as the cash flow statement adds it back. Null where the report gives depreciation alone, or shows that a figure is only a part of it, and where the cash flow statement has it under a tag of its own or does not show under which.",
  stock_based_compensation: "Compensation paid in shares.",
  net_change_in_cash: "Change in cash over the period.",
  exchange_rate_effect:
    "Effect of exchange rates on cash. Of several, the one with which the flows sum to the change in cash.",
  operating_cash_flow_continuing:
    "Cash from operations without discontinued operations, where it is reported by that name. operating_cash_flow is then null unless nothing is discontinued in the period or a total is reported too.",
  investing_cash_flow_continuing: "The same for cash from investing.",
  financing_cash_flow_continuing: "The same for cash from financing.",
  operating_cash_flow_discontinued:
    "Cash from operations of discontinued operations, where it is reported apart.",
  investing_cash_flow_discontinued: "The same for cash from investing.",
  financing_cash_flow_discontinued: "The same for cash from financing.",
  depreciation:
    "Depreciation alone. Only where the report gives no depreciation and amortization as one figure.",
  amortization:
    "Amortization alone. Only where the report gives no depreciation and amortization as one figure.",
  amortization_of_intangible_assets:
    "Amortization of intangible assets alone. Only where the report gives depreciation apart, and no figure for both.",
};

const FILED = Type.Optional(
  Type.Number({
    description:
      "Only for a figure whose sign is reversed: the number as the report gives it, in the same unit.",
  }),
);

const Operand = Type.Object({
  filed_value: FILED,
  sign: Type.Optional(
    oneNumberOf([1, -1], "Only of a signed_sum: 1 where the figure is added, -1 where it is subtracted."),
  ),
  value: Type.Number({
    description:
      "The reported figure, in the unit of its line: the row's currency, currency per share, or shares.",
  }),
  period_start: textOrNull("First day of its period, YYYY-MM-DD."),
  period_end: Type.String({ description: "Last day of its period, YYYY-MM-DD." }),
  tag: Type.String({ description: "The tag the company reported it under." }),
  accession_number: Type.String({ description: "Accession number of the report." }),
  filed_date: Type.String({ description: "Filing date of the report, YYYY-MM-DD." }),
});

const Source = Type.Object({
  filed_value: FILED,
  tag: Type.String({ description: "The tag the company reported the figure under." }),
  taxonomy: Type.String({ description: "us-gaap, ifrs-full, dei or ex27." }),
  accession_number: Type.String({ description: "Accession number of the report." }),
  form: Type.String({ description: "Form of the report." }),
  filed_date: Type.String({ description: "Filing date of the report, YYYY-MM-DD." }),
  known_at: textOrNull("When it became public, RFC 3339 UTC."),
  period_end: Type.String({
    description:
      "End of the figure's own period. It is the row's, except for a share count from a report's cover, which is dated some weeks later.",
  }),
  unit: Type.String({ description: "USD, USD/shares, shares, …" }),
  split_basis: textOrNull(
    "For shares and per-share figures: splits before this day are included in the figure as reported.",
  ),
  split_factor: Type.Optional(
    Type.Number({
      description:
        "Only with adjusted, for shares and per-share figures: new shares for one share of split_basis. A share count is the reported one multiplied by it, a per-share figure the reported one divided by it.",
    }),
  ),
  operation: Type.Optional(
    oneOf(
      ["difference", "sum", "signed_sum"],
      "For a derived figure: how it follows from its operands. difference: the first minus the second. sum: all added. signed_sum: all added, each multiplied by its `sign`.",
    ),
  ),
  operands: Type.Optional(
    Type.Array(Operand, { description: "For a derived figure: the reported figures that it follows from." }),
  ),
});
export type Source = Static<typeof Source>;

const Sources = Type.Optional(
  Type.Record(Type.String(), Source, {
    description: "Only with include_sources: the source of each figure.",
  }),
);

const PLACE = {
  fiscal_year: integerOrNull(
    "The fiscal year as the company names it: the calendar year in which it ends (ending on day 1 to 7 of a month: of the month before) or begins. Names are unique and rise by one a year. `label_source` says where the name comes from. Null when it cannot be determined.",
  ),
  label_source: orNull(
    oneOf(
      ["filings", "convention", "calendar"],
      "Where fiscal_year comes from. filings: all annual reports' own names agree. convention: they contradict each other, and the newest unbroken run of them names the whole series. calendar: the reports give no usable name, and the year in which the fiscal year ends is given. With as_of only reports that were public then count.",
    ),
  ),
  fiscal_period: orNull(
    oneOf(
      ["Q1", "Q2", "Q3", "Q4", "FY"],
      "Determined by the dates of the period, never by the filing's own label: the quarter with whose end it ends, FY for years. The first year of a company is FY whatever its length. The balance sheet of a year's end is FY with annual rows (also with `all`), and Q4 with `period_type` quarterly or where quarters are asked for.",
    ),
  ),
  period_end_date: Type.String({ format: "date", description: "Last day of the period." }),
  period_months: orNull(
    oneNumberOf(
      [3, 6, 9, 12],
      "Length of the period in months; null for balance sheets and odd lengths, as of a first period that begins with the company.",
    ),
  ),
  basis: oneOf(
    ["reported", "derived"],
    "derived: a quarter of exact differences of reported figures, only with include_derived; twelve months of several periods, with period_type=ttm. A reported row may have single derived lines: `derived_lines` names them.",
  ),
};

/** An integer out of a fixed set. */
function oneNumberOf(values: readonly number[], description: string) {
  return Type.Integer({ enum: [...values], description });
}

/** The fields of a statement's row beside its lines. */
export const HEAD = {
  ...PLACE,
  period_start_date: textOrNull("First day of the period; null for balance sheets."),
  period_type: oneOf(
    ["quarterly", "annual", "ttm"],
    "Kind of period. ttm: twelve months, only with period_type=ttm; the balance sheet of their last day keeps its own kind.",
  ),
  form: Type.String({ description: "Form of the report the row is taken from." }),
  filed_date: Type.String({ format: "date", description: "The SEC's date of filing of that report." }),
  accession_number: Type.String({ description: "The SEC's number of that report." }),
  known_at: textOrNull(
    "When every figure of the row was public, RFC 3339 UTC; as_of is compared with this. Null when unknown.",
  ),
  split_basis: textOrNull(
    "Share counts and per-share figures of the row include the splits before this day and no later ones, YYYY-MM-DD; rows of one series differ in it across a split. With adjusted: the day to which they are adjusted, the splits of that day included. Null in a row without such a figure.",
  ),
  currency: Type.String({ description: "ISO 4217; nothing is converted." }),
  source: oneOf(["xbrl", "ex27"], "ex27: from a financial data schedule of 1993 to 2001."),
  derived_lines: Type.Optional(
    Type.Array(Type.String(), {
      description:
        "Only with include_derived: the lines whose figure no report gives and that follows exactly from reported ones; `sources` has their operands.",
    }),
  ),
};

export const IncomeRow = Type.Object({ ...HEAD, ...figures(INCOME), sources: Sources });
export const BalanceRow = Type.Object({ ...HEAD, ...figures(BALANCE), sources: Sources });
export const CashFlowRow = Type.Object({ ...HEAD, ...figures(CASH_FLOW), sources: Sources });
export type IncomeRow = Static<typeof IncomeRow>;
export type BalanceRow = Static<typeof BalanceRow>;
export type CashFlowRow = Static<typeof CashFlowRow>;

const PRICED =
  "Price: the close of the day on which the period became known, on the share basis of the figure. `null_reasons` says why the ratio is null.";
const METRICS = {
  gross_margin: "gross_profit / revenue, a fraction (0.25 is 25 %).",
  operating_margin: "operating_income / revenue, a fraction.",
  net_margin: "net_income / revenue, a fraction.",
  roe: "Return on equity: net_income / parent_equity, both of the parent's shareholders; without parent_equity net_income_with_noncontrolling / total_equity, both of all owners; net_income / total_equity only where the report names no other owners and the tag of total_equity does not include any. A fraction, for the period itself: nothing is annualised.",
  roa: "Return on assets: net_income / total_assets, a fraction, for the period itself.",
  roic: "Return on invested capital: operating_income * (1 - income_tax_expense / income_before_tax) / (debt + total_equity), with the debt of debt_to_equity, a fraction, for the period itself.",
  current_ratio: "current_assets / current_liabilities, a ratio.",
  quick_ratio: "(current_assets - inventory) / current_liabilities, a ratio.",
  debt_to_equity:
    "(short_term_debt, else short_term_borrowings + long_term_debt_current, + long_term_debt) / total_equity, a ratio.",
  interest_coverage: "operating_income / interest_expense, a ratio.",
  asset_turnover: "revenue / total_assets, a ratio, for the period itself.",
  free_cash_flow:
    "operating_cash_flow - capital_expenditure of the same months, whole units of the statements' currency.",
  fcf_margin: "free_cash_flow / revenue of the same months, a fraction.",
  revenue_growth_yoy:
    "Growth against the same period a year before, a fraction (0.1 is 10 %), both as one report states them.",
  net_income_growth_yoy:
    "Growth of net_income against the same period a year before, a fraction, both as one report states them; null when the year before had no profit.",
  eps_growth_yoy:
    "Growth of eps_diluted against the same period a year before, a fraction, both as one report states them; null when the year before had no profit.",
  revenue_growth_qoq: "Growth of revenue against the quarter before, a fraction; quarters only.",
  pe_ratio: `Fiscal years and twelve months only: price / eps_diluted, null for a loss. ${PRICED}`,
  pb_ratio: `Price * shares_outstanding / parent_equity; without it total_equity where the report names no other owners and its tag does not include any. ${PRICED}`,
  ps_ratio: `Fiscal years and twelve months only: price * shares_outstanding / revenue. ${PRICED}`,
  ev_to_ebitda: `Fiscal years and twelve months only: (price * shares_outstanding + debt - cash_and_equivalents) / (operating_income + depreciation_amortization), with the debt of debt_to_equity. ${PRICED}`,
};
export type MetricName = keyof typeof METRICS;
export const METRIC_NAMES = Object.keys(METRICS) as MetricName[];

export const Metric = Type.Object(
  {
    ...PLACE,
    ...figures(METRICS),
    null_reasons: Type.Record(Type.String(), Type.String(), {
      description:
        "Why a ratio with a price (pe_ratio, pb_ratio, ps_ratio, ev_to_ebitda) is null, one of a line whose sign is not proven, and roe or debt_to_equity over negative equity: a sentence for each that is.",
      examples: [{ pb_ratio: "shares_outstanding is null." }],
    }),
    derived_operands: Type.Array(Type.String(), {
      description:
        "Lines that no report gives and that metrics of this period use, as they follow exactly from reported figures; include_derived shows them.",
      examples: [["operating_cash_flow"]],
    }),
  },
  {
    description:
      "Computed from rows of one vintage; fractions (0.25 is 25 %), null when an operand is missing or the divisor is zero.",
  },
);
