// The tags of the IFRS taxonomy that may stand for each line, read after those of us-gaap. Foreign private
// issuers report in it on forms 20-F and 40-F.
import type { Entry } from "./line.ts";
import { OWNERS_APART } from "./parts.ts";
import { type Get, near } from "./proofs.ts";
import type { StatementLine } from "./records.ts";

const REVENUE = "ifrs-full:Revenue";
const OPERATING = "ifrs-full:CashFlowsFromUsedInOperatingActivities";
const INVESTING = "ifrs-full:CashFlowsFromUsedInInvestingActivities";
const FINANCING = "ifrs-full:CashFlowsFromUsedInFinancingActivities";
const FLOWS = [OPERATING, INVESTING, FINANCING];
const CHANGE = "ifrs-full:IncreaseDecreaseInCashAndCashEquivalents";
const CHANGE_BEFORE_RATES = `${CHANGE}BeforeEffectOfExchangeRateChanges`;
const EFFECT = "ifrs-full:EffectOfExchangeRateChangesOnCashAndCashEquivalents";
const DISCONTINUED = ["ifrs-full:ProfitLossFromDiscontinuedOperations"];
/** Revenue that is not from contracts with customers. */
const OTHER_REVENUE = [
  "ifrs-full:RevenueFromInterest",
  "ifrs-full:InterestRevenueCalculatedUsingEffectiveInterestMethod",
  "ifrs-full:InterestRevenueExpense",
  "ifrs-full:InsuranceRevenue",
  "ifrs-full:RentalIncome",
  "ifrs-full:OtherRevenue",
];

const continuingOf = (flow: string): string => `${flow}ContinuingOperations`;
const discontinuedOf = (flow: string): string => `${flow}DiscontinuedOperations`;

/** Every tag that the proofs below read. */
export const IFRS_PROOF_TAGS = [
  ...[REVENUE, CHANGE, CHANGE_BEFORE_RATES, EFFECT, ...OTHER_REVENUE],
  ...FLOWS.flatMap((flow) => [flow, continuingOf(flow), discontinuedOf(flow)]),
];

/**
 * When other revenue exceeds this share of contract revenue, contract revenue may be only a part of the
 * total.
 */
const OTHER_SHARE_MIN = 0.1;
/**
 * Accepts revenue from contracts with customers as the total where the filing gives no total, and little
 * other revenue.
 */
const isOnlyIfrsRevenue = (value: number, get: Get): boolean =>
  get(REVENUE) === undefined && OTHER_REVENUE.every((tag) => (get(tag) ?? 0) <= OTHER_SHARE_MIN * value);

/**
 * Accepts a figure as the total of its activity when it adds up, with the other two, to the change in cash.
 * Each of those counts as its total, else as its continuing and discontinued parts. The proof is for cash
 * generated before interest and tax, which some filers tag as their operating cash flow.
 */
const addsUpToChange =
  (activity: string) =>
  (value: number, get: Get, tolerance: number): boolean => {
    const others = FLOWS.filter((flow) => flow !== activity).map((flow) => {
      const continuing = get(continuingOf(flow));
      const parts = continuing === undefined ? undefined : continuing + (get(discontinuedOf(flow)) ?? 0);
      return get(flow) ?? parts;
    });
    if (others.includes(undefined)) return false;
    const sum = others.reduce((all: number, flow) => all + (flow ?? 0), value);
    const ways = [
      [sum, get(CHANGE)],
      [sum + (get(EFFECT) ?? 0), get(CHANGE)],
      [sum, get(CHANGE_BEFORE_RATES)],
    ] as const;
    return ways.some(([all, change]) => change !== undefined && near(all, change, tolerance));
  };

/**
 * The continuing part of an activity as its total: only where nothing of it is discontinued; beside a
 * discontinued result only where the flows add up.
 */
const onlyContinuing = (activity: string): Entry => ({
  tag: continuingOf(activity),
  unless: [discontinuedOf(activity)],
  proof: (value, get, tolerance) =>
    DISCONTINUED.every((tag) => (get(tag) ?? 0) === 0) || addsUpToChange(activity)(value, get, tolerance),
});

/** A line that is absent here is not read from reports under IFRS. */
export const IFRS_TAGS: Readonly<Partial<Record<StatementLine, readonly Entry[]>>> = {
  revenue: [REVENUE, { tag: "ifrs-full:RevenueFromContractsWithCustomers", proof: isOnlyIfrsRevenue }],
  cost_of_revenue: ["ifrs-full:CostOfSales"],
  gross_profit: ["ifrs-full:GrossProfit"],
  research_and_development: ["ifrs-full:ResearchAndDevelopmentExpense"],
  selling_general_administrative: ["ifrs-full:SellingGeneralAndAdministrativeExpense"],
  selling_and_marketing: ["ifrs-full:SalesAndMarketingExpense"],
  general_and_administrative: [
    "ifrs-full:GeneralAndAdministrativeExpense",
    "ifrs-full:AdministrativeExpense",
  ],
  operating_expenses: ["ifrs-full:OperatingExpense"],
  operating_income: ["ifrs-full:ProfitLossFromOperatingActivities"],
  interest_expense: ["ifrs-full:InterestExpense"],
  income_before_tax: ["ifrs-full:ProfitLossBeforeTax"],
  income_tax_expense: ["ifrs-full:IncomeTaxExpenseContinuingOperations"],
  net_income: [
    "ifrs-full:ProfitLossAttributableToOwnersOfParent",
    { tag: "ifrs-full:ProfitLoss", unlessInFiling: OWNERS_APART },
  ],
  net_income_with_noncontrolling: ["ifrs-full:ProfitLoss"],
  eps_basic: [
    "ifrs-full:BasicEarningsLossPerShare",
    "ifrs-full:BasicAndDilutedEarningsLossPerShare",
    { tag: "ifrs-full:BasicEarningsLossPerShareFromContinuingOperations", unlessInFiling: DISCONTINUED },
  ],
  eps_diluted: [
    "ifrs-full:DilutedEarningsLossPerShare",
    "ifrs-full:BasicAndDilutedEarningsLossPerShare",
    { tag: "ifrs-full:DilutedEarningsLossPerShareFromContinuingOperations", unlessInFiling: DISCONTINUED },
  ],
  weighted_average_shares_basic: ["ifrs-full:WeightedAverageShares"],
  weighted_average_shares_diluted: ["ifrs-full:AdjustedWeightedAverageShares"],
  net_interest_income: ["ifrs-full:InterestRevenueExpense"],
  discontinued_operations: DISCONTINUED,
  equity_method_income: [
    "ifrs-full:ShareOfProfitLossOfAssociatesAndJointVenturesAccountedForUsingEquityMethod",
  ],

  total_assets: ["ifrs-full:Assets"],
  current_assets: ["ifrs-full:CurrentAssets"],
  cash_and_equivalents: ["ifrs-full:CashAndCashEquivalents"],
  accounts_receivable: ["ifrs-full:TradeAndOtherCurrentReceivables", "ifrs-full:CurrentTradeReceivables"],
  inventory: ["ifrs-full:Inventories"],
  property_plant_equipment: [
    "ifrs-full:PropertyPlantAndEquipment",
    "ifrs-full:PropertyPlantAndEquipmentIncludingRightofuseAssets",
  ],
  goodwill: ["ifrs-full:Goodwill"],
  intangible_assets: ["ifrs-full:IntangibleAssetsOtherThanGoodwill"],
  loans: ["ifrs-full:LoansAndAdvancesToCustomers"],
  total_liabilities: ["ifrs-full:Liabilities"],
  current_liabilities: ["ifrs-full:CurrentLiabilities"],
  accounts_payable: [
    "ifrs-full:TradeAndOtherCurrentPayables",
    "ifrs-full:TradeAndOtherCurrentPayablesToTradeSuppliers",
  ],
  deposits: ["ifrs-full:DepositsFromCustomers"],
  short_term_debt: ["ifrs-full:CurrentBorrowingsAndCurrentPortionOfNoncurrentBorrowings"],
  short_term_borrowings: ["ifrs-full:ShorttermBorrowings"],
  long_term_debt_current: ["ifrs-full:CurrentPortionOfLongtermBorrowings"],
  long_term_debt: ["ifrs-full:LongtermBorrowings"],
  deferred_revenue: ["ifrs-full:CurrentContractLiabilities"],
  deferred_revenue_noncurrent: ["ifrs-full:NoncurrentContractLiabilities"],
  deferred_revenue_total: ["ifrs-full:ContractLiabilities"],
  total_equity: ["ifrs-full:Equity"],
  parent_equity: ["ifrs-full:EquityAttributableToOwnersOfParent"],
  noncontrolling_interest: ["ifrs-full:NoncontrollingInterests"],
  retained_earnings: ["ifrs-full:RetainedEarnings"],
  liabilities_and_equity: ["ifrs-full:EquityAndLiabilities"],
  shares_outstanding: ["ifrs-full:NumberOfSharesOutstanding"],

  operating_cash_flow: [
    OPERATING,
    { tag: "ifrs-full:CashFlowsFromUsedInOperations", proof: addsUpToChange(OPERATING) },
    onlyContinuing(OPERATING),
  ],
  investing_cash_flow: [INVESTING, onlyContinuing(INVESTING)],
  financing_cash_flow: [FINANCING, onlyContinuing(FINANCING)],
  operating_cash_flow_continuing: [continuingOf(OPERATING)],
  investing_cash_flow_continuing: [continuingOf(INVESTING)],
  financing_cash_flow_continuing: [continuingOf(FINANCING)],
  operating_cash_flow_discontinued: [discontinuedOf(OPERATING)],
  investing_cash_flow_discontinued: [discontinuedOf(INVESTING)],
  financing_cash_flow_discontinued: [discontinuedOf(FINANCING)],
  capital_expenditure: ["ifrs-full:PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities"],
  dividends_paid: [
    "ifrs-full:DividendsPaidClassifiedAsFinancingActivities",
    "ifrs-full:DividendsPaidToEquityHoldersOfParentClassifiedAsFinancingActivities",
  ],
  share_repurchases: ["ifrs-full:PaymentsToAcquireOrRedeemEntitysShares"],
  depreciation_amortization: ["ifrs-full:AdjustmentsForDepreciationAndAmortisationExpense"],
  depreciation: ["ifrs-full:AdjustmentsForDepreciationExpense"],
  amortization: ["ifrs-full:AdjustmentsForAmortisationExpense"],
  stock_based_compensation: ["ifrs-full:AdjustmentsForSharebasedPayments"],
  net_change_in_cash: [CHANGE, { tag: CHANGE_BEFORE_RATES, unlessInFiling: [EFFECT] }],
  exchange_rate_effect: [EFFECT],
};
