// The tags that may stand for each statement line, in order of preference. The choice is made per filing and period.

import {
  ALL_CASH,
  CASH_CHANGES,
  CASH_CHANGES_BEFORE_RATES,
  CASH_PROOF_TAGS,
  closesOnChange,
  EFFECT_CONTINUING,
  EFFECT_DISCONTINUED,
  EXCHANGE_EFFECTS,
  isCashOfTotal,
  isCurrentAsset,
  RESTRICTED_CASH,
} from "./facts-cash.ts";
import { FLOW_TAGS, isCapitalExpenditure } from "./facts-flows.ts";
import { type Candidate, COVER_SHARES, type Entry, kindOf, type LineSpec, POSITIVE } from "./facts-line.ts";
import { BALANCE_PART_TAGS, CASH_FLOW_PART_TAGS, INCOME_PART_TAGS } from "./facts-part-lines.ts";
import {
  AMORTIZED,
  CURRENT_PART,
  DISCONTINUED,
  HELD_FOR_SALE,
  INDEFINITE,
  OTHER_TRADES,
  OWNERS_APART,
} from "./facts-parts.ts";
import {
  addsUpToChange,
  COMMON_INCOME,
  CONTRACT,
  CONTRACT_TAXED,
  closesBalance,
  DEPRECIATION_TOTALS,
  isConfirmedBySums,
  isOnlyRevenue,
  isOnlySales,
  isTotalRevenue,
  isWholeDepreciation,
  isWholeIncome,
  isWholeProperty,
  isWithinCurrentLiabilities,
  PROOF_TAGS,
} from "./facts-proofs.ts";
import type {
  BalanceLine,
  CashFlowLine,
  IncomeLine,
  LineKind,
  Statement,
  StatementLine,
} from "./facts-records.ts";

const INCOME: Readonly<Record<IncomeLine, readonly Entry[]>> = {
  revenue: [
    "RevenuesNetOfInterestExpense",
    { tag: "Revenues", proof: isTotalRevenue },
    { tag: CONTRACT, proof: isOnlyRevenue },
    { tag: CONTRACT_TAXED, proof: isOnlyRevenue },
    { tag: "SalesRevenueNet", proof: isOnlySales },
    { tag: "SalesRevenueGoodsNet", unless: ["SalesRevenueServicesNet"], proof: isOnlySales },
    { tag: "SalesRevenueServicesNet", unless: ["SalesRevenueGoodsNet"], proof: isOnlySales },
    { tag: "RealEstateRevenueNet", proof: isOnlySales },
    { tag: "RegulatedAndUnregulatedOperatingRevenue", proof: isOnlySales },
    { tag: "ElectricUtilityRevenue", proof: isOnlySales },
    { tag: "OilAndGasRevenue", proof: isOnlySales },
    { tag: "HealthCareOrganizationRevenue", proof: isOnlySales },
    // Total investment income of a fund or business development company.
    { tag: "GrossInvestmentIncomeOperating", unless: OTHER_TRADES, proof: isOnlySales },
    { tag: "OperatingLeaseLeaseIncome", proof: isConfirmedBySums },
    { tag: "OperatingLeasesIncomeStatementLeaseRevenue", proof: isConfirmedBySums },
    "ifrs-full:Revenue",
  ],
  cost_of_revenue: [
    "CostOfRevenue",
    "CostOfGoodsAndServicesSold",
    { tag: "CostOfGoodsSold", unless: ["CostOfServices"] },
    { tag: "CostOfServices", unless: ["CostOfGoodsSold"] },
    "CostOfGoodsAndServiceExcludingDepreciationDepletionAndAmortization",
    "ifrs-full:CostOfSales",
  ],
  gross_profit: ["GrossProfit", "ifrs-full:GrossProfit"],
  research_and_development: [
    "ResearchAndDevelopmentExpense",
    "ResearchAndDevelopmentExpenseExcludingAcquiredInProcessCost",
    "ResearchAndDevelopmentExpenseSoftwareExcludingAcquiredInProcessCost",
    "ifrs-full:ResearchAndDevelopmentExpense",
  ],
  selling_general_administrative: [
    "SellingGeneralAndAdministrativeExpense",
    "ifrs-full:SellingGeneralAndAdministrativeExpense",
  ],
  operating_expenses: ["OperatingExpenses"],
  operating_income: ["OperatingIncomeLoss", "ifrs-full:ProfitLossFromOperatingActivities"],
  interest_expense: [
    "InterestExpense",
    "InterestExpenseNonoperating",
    "InterestExpenseDebt",
    "InterestExpenseOperating",
    "InterestAndDebtExpense",
    "ifrs-full:InterestExpense",
  ],
  income_before_tax: [
    "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest",
    "IncomeLossFromContinuingOperationsBeforeIncomeTaxesMinorityInterestAndIncomeLossFromEquityMethodInvestments",
    "ifrs-full:ProfitLossBeforeTax",
  ],
  income_tax_expense: [
    "IncomeTaxExpenseBenefit",
    "IncomeTaxExpenseBenefitContinuingOperations",
    "ifrs-full:IncomeTaxExpenseContinuingOperations",
  ],
  net_income: [
    "NetIncomeLoss",
    "ifrs-full:ProfitLossAttributableToOwnersOfParent",
    { tag: "ProfitLoss", unlessInFiling: OWNERS_APART },
    { tag: "ifrs-full:ProfitLoss", unlessInFiling: OWNERS_APART },
    { tag: COMMON_INCOME, proof: isWholeIncome },
  ],
  eps_basic: [
    "EarningsPerShareBasic",
    "EarningsPerShareBasicAndDiluted",
    { tag: "IncomeLossFromContinuingOperationsPerBasicShare", unlessInFiling: DISCONTINUED },
    "ifrs-full:BasicEarningsLossPerShare",
    "ifrs-full:BasicAndDilutedEarningsLossPerShare",
  ],
  eps_diluted: [
    "EarningsPerShareDiluted",
    "EarningsPerShareBasicAndDiluted",
    { tag: "IncomeLossFromContinuingOperationsPerDilutedShare", unlessInFiling: DISCONTINUED },
    "ifrs-full:DilutedEarningsLossPerShare",
    "ifrs-full:BasicAndDilutedEarningsLossPerShare",
  ],
  weighted_average_shares_basic: [
    "WeightedAverageNumberOfSharesOutstandingBasic",
    "WeightedAverageNumberOfShareOutstandingBasicAndDiluted",
    "ifrs-full:WeightedAverageShares",
  ],
  weighted_average_shares_diluted: [
    "WeightedAverageNumberOfDilutedSharesOutstanding",
    "WeightedAverageNumberOfShareOutstandingBasicAndDiluted",
    "ifrs-full:AdjustedWeightedAverageShares",
  ],
  net_income_with_noncontrolling: ["ProfitLoss", "ifrs-full:ProfitLoss"],
  net_interest_income: ["InterestIncomeExpenseNet"],
  noninterest_income: ["NoninterestIncome"],
  noninterest_expense: ["NoninterestExpense"],
  provision_for_credit_losses: [
    "ProvisionForLoanLeaseAndOtherLosses",
    "ProvisionForLoanAndLeaseLosses",
    "ProvisionForLoanLossesExpensed",
    "ProvisionForCreditLosses",
    "FinancingReceivableCreditLossExpenseReversal",
  ],
  premiums_earned: ["PremiumsEarnedNet", "PremiumsEarnedNetPropertyAndCasualty"],
  net_investment_income: ["NetInvestmentIncome", "InvestmentIncomeOperatingAfterExpenseAndTax"],
  policyholder_benefits: ["PolicyholderBenefitsAndClaimsIncurredNet"],
  discontinued_operations: [
    "IncomeLossFromDiscontinuedOperationsNetOfTax",
    "IncomeLossFromDiscontinuedOperationsNetOfTaxAttributableToReportingEntity",
    "ifrs-full:ProfitLossFromDiscontinuedOperations",
  ],
  equity_method_income: [
    "IncomeLossFromEquityMethodInvestments",
    "ifrs-full:ShareOfProfitLossOfAssociatesAndJointVenturesAccountedForUsingEquityMethod",
  ],
  ...INCOME_PART_TAGS,
};

const BALANCE: Readonly<Record<BalanceLine, readonly Entry[]>> = {
  total_assets: ["Assets", "ifrs-full:Assets"],
  current_assets: ["AssetsCurrent", "ifrs-full:CurrentAssets"],
  // The total of all cash is this line only where the filer has no restricted cash.
  cash_and_equivalents: [
    "CashAndCashEquivalentsAtCarryingValue",
    "CashCashEquivalentsAndFederalFundsSold",
    { tag: "CashAndDueFromBanks", proof: isCashOfTotal },
    {
      tag: "CashCashEquivalentsAndShortTermInvestments",
      onlyClosing: true,
      unlessInFiling: HELD_FOR_SALE,
    },
    { tag: "Cash", unlessInFiling: ["CashEquivalentsAtCarryingValue"], proof: isCashOfTotal },
    { tag: ALL_CASH, unlessInFiling: RESTRICTED_CASH, proof: isCurrentAsset },
    "ifrs-full:CashAndCashEquivalents",
  ],
  short_term_investments: [
    "ShortTermInvestments",
    "MarketableSecuritiesCurrent",
    "AvailableForSaleSecuritiesDebtSecuritiesCurrent",
    "AvailableForSaleSecuritiesCurrent",
  ],
  accounts_receivable: [
    "AccountsReceivableNetCurrent",
    "ReceivablesNetCurrent",
    "AccountsNotesAndLoansReceivableNetCurrent",
    "ifrs-full:TradeAndOtherCurrentReceivables",
  ],
  inventory: ["InventoryNet", "ifrs-full:Inventories"],
  property_plant_equipment: [
    { tag: "PropertyPlantAndEquipmentNet", proof: isWholeProperty },
    { tag: "PublicUtilitiesPropertyPlantAndEquipmentNet", unless: ["PropertyPlantAndEquipmentNet"] },
    "PropertyPlantAndEquipmentAndFinanceLeaseRightOfUseAssetAfterAccumulatedDepreciationAndAmortization",
    "ifrs-full:PropertyPlantAndEquipment",
  ],
  goodwill: ["Goodwill", "ifrs-full:Goodwill"],
  intangible_assets: [
    "IntangibleAssetsNetExcludingGoodwill",
    {
      tag: "FiniteLivedIntangibleAssetsNet",
      unlessInFiling: INDEFINITE,
    },
    "ifrs-full:IntangibleAssetsOtherThanGoodwill",
  ],
  total_liabilities: ["Liabilities", "ifrs-full:Liabilities"],
  current_liabilities: ["LiabilitiesCurrent", "ifrs-full:CurrentLiabilities"],
  accounts_payable: [
    "AccountsPayableCurrent",
    "AccountsPayableTradeCurrent",
    "AccountsPayableAndAccruedLiabilitiesCurrent",
    { tag: "AccountsPayable", proof: isWithinCurrentLiabilities },
    { tag: "AccountsPayableCurrentAndNoncurrent", proof: isWithinCurrentLiabilities },
    "ifrs-full:TradeAndOtherCurrentPayables",
  ],
  short_term_debt: ["DebtCurrent", { tag: "ShortTermBorrowings", unless: CURRENT_PART }],
  long_term_debt: [
    "LongTermDebtNoncurrent",
    "LongTermDebtAndCapitalLeaseObligations",
    { tag: "LongTermDebt", unless: [...CURRENT_PART, "DebtCurrent"] },
    "ifrs-full:LongtermBorrowings",
  ],
  deferred_revenue: [
    "ContractWithCustomerLiabilityCurrent",
    "DeferredRevenueCurrent",
    "ifrs-full:CurrentContractLiabilities",
  ],
  total_equity: [
    "StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest",
    { tag: "StockholdersEquity", unless: ["MinorityInterest"] },
    "PartnersCapitalIncludingPortionAttributableToNoncontrollingInterest",
    { tag: "PartnersCapital", unless: ["MinorityInterest"] },
    { tag: "LimitedLiabilityCompanyLLCMembersEquity", unless: ["MinorityInterest"] },
    { tag: "MembersEquity", unless: ["MinorityInterest"] },
    { tag: "AssetsNet", proof: closesBalance },
    "ifrs-full:Equity",
  ],
  retained_earnings: ["RetainedEarningsAccumulatedDeficit", "ifrs-full:RetainedEarnings"],
  // The count on the cover is dated some weeks after the period's end.
  shares_outstanding: ["CommonStockSharesOutstanding", "ifrs-full:NumberOfSharesOutstanding", COVER_SHARES],
  short_term_borrowings: ["ShortTermBorrowings", "CommercialPaper", "ifrs-full:CurrentBorrowings"],
  long_term_debt_current: [...CURRENT_PART, "ifrs-full:CurrentPortionOfLongtermBorrowings"],
  parent_equity: [
    "StockholdersEquity",
    "CommonStockholdersEquity",
    "PartnersCapital",
    "MembersEquity",
    "ifrs-full:EquityAttributableToOwnersOfParent",
  ],
  noncontrolling_interest: ["MinorityInterest", "ifrs-full:NoncontrollingInterests"],
  temporary_equity: [
    "TemporaryEquityCarryingAmountIncludingPortionAttributableToNoncontrollingInterests",
    "TemporaryEquityCarryingAmountAttributableToParent",
    "TemporaryEquityValueExcludingAdditionalPaidInCapital",
    "RedeemableNoncontrollingInterestEquityCarryingAmount",
  ],
  liabilities_and_equity: [
    "LiabilitiesAndStockholdersEquity",
    "LiabilitiesAndPartnersCapital",
    "ifrs-full:EquityAndLiabilities",
  ],
  loans: [
    "FinancingReceivableExcludingAccruedInterestAfterAllowanceForCreditLoss",
    "LoansAndLeasesReceivableNetReportedAmount",
  ],
  deposits: ["Deposits"],
  ...BALANCE_PART_TAGS,
};

const continuing = (activity: string): Candidate => ({
  tag: `NetCashProvidedByUsedIn${activity}ActivitiesContinuingOperations`,
  unless: [`CashProvidedByUsedIn${activity}ActivitiesDiscontinuedOperations`],
  proof: closesOnChange,
});
const capital = (tag: string): Candidate => ({ tag, proof: isCapitalExpenditure(tag) });
const CASH_FLOW: Readonly<Record<CashFlowLine, readonly Entry[]>> = {
  operating_cash_flow: [
    "NetCashProvidedByUsedInOperatingActivities",
    continuing("Operating"),
    "ifrs-full:CashFlowsFromUsedInOperatingActivities",
    { tag: "ifrs-full:CashFlowsFromUsedInOperations", proof: addsUpToChange },
  ],
  capital_expenditure: [
    capital("PaymentsToAcquirePropertyPlantAndEquipment"),
    capital("PaymentsToAcquireProductiveAssets"),
    capital("PaymentsToAcquireOtherPropertyPlantAndEquipment"),
    capital("PaymentsForCapitalImprovements"),
    capital("PaymentsToDevelopRealEstateAssets"),
    "ifrs-full:PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities",
  ],
  investing_cash_flow: [
    "NetCashProvidedByUsedInInvestingActivities",
    continuing("Investing"),
    "ifrs-full:CashFlowsFromUsedInInvestingActivities",
  ],
  financing_cash_flow: [
    "NetCashProvidedByUsedInFinancingActivities",
    continuing("Financing"),
    "ifrs-full:CashFlowsFromUsedInFinancingActivities",
  ],
  dividends_paid: [
    "PaymentsOfDividends",
    {
      tag: "PaymentsOfDividendsCommonStock",
      unless: ["PaymentsOfDividendsPreferredStockAndPreferenceStock"],
    },
    "PaymentsOfOrdinaryDividends",
    "ifrs-full:DividendsPaidClassifiedAsFinancingActivities",
  ],
  share_repurchases: [
    "PaymentsForRepurchaseOfCommonStock",
    "PaymentsForRepurchaseOfEquity",
    "ifrs-full:PaymentsToAcquireOrRedeemEntitysShares",
  ],
  depreciation_amortization: [
    { tag: "DepreciationDepletionAndAmortization", proof: isWholeDepreciation(DEPRECIATION_TOTALS) },
    { tag: "DepreciationAmortizationAndAccretionNet", proof: isWholeDepreciation(DEPRECIATION_TOTALS) },
    {
      tag: "DepreciationAndAmortization",
      proof: isWholeDepreciation([...DEPRECIATION_TOTALS, "OtherDepreciationAndAmortization"]),
    },
    {
      tag: "Depreciation",
      unless: [...DEPRECIATION_TOTALS, "DepreciationAndAmortization"],
      unlessInFiling: AMORTIZED,
    },
    "ifrs-full:AdjustmentsForDepreciationAndAmortisationExpense",
  ],
  stock_based_compensation: [
    "ShareBasedCompensation",
    "AllocatedShareBasedCompensationExpense",
    "ifrs-full:AdjustmentsForSharebasedPayments",
  ],
  net_change_in_cash: [
    ...CASH_CHANGES,
    ...CASH_CHANGES_BEFORE_RATES.map((tag) => ({ tag, unlessInFiling: EXCHANGE_EFFECTS })),
    "ifrs-full:IncreaseDecreaseInCashAndCashEquivalents",
  ],
  // The effect on cash of continuing operations is the whole effect where no other operation holds cash.
  exchange_rate_effect: [
    ...EXCHANGE_EFFECTS.map((tag) =>
      tag === EFFECT_CONTINUING ? { tag, unless: [EFFECT_DISCONTINUED] } : { tag },
    ),
    "ifrs-full:EffectOfExchangeRateChangesOnCashAndCashEquivalents",
  ],
  operating_cash_flow_continuing: ["NetCashProvidedByUsedInOperatingActivitiesContinuingOperations"],
  investing_cash_flow_continuing: ["NetCashProvidedByUsedInInvestingActivitiesContinuingOperations"],
  financing_cash_flow_continuing: ["NetCashProvidedByUsedInFinancingActivitiesContinuingOperations"],
  ...CASH_FLOW_PART_TAGS,
};

function specsOf(statement: Statement, table: Readonly<Record<string, readonly Entry[]>>): LineSpec[] {
  return Object.entries(table).map(([line, entries]) => ({
    line: line as StatementLine,
    statement,
    kind: kindOf(line, statement),
    instant: statement === "balance_sheet",
    positive: POSITIVE.has(line),
    candidates: entries.map((entry) => (typeof entry === "string" ? { tag: entry } : entry)),
  }));
}

export const LINES: readonly LineSpec[] = [
  ...specsOf("income_statement", INCOME),
  ...specsOf("balance_sheet", BALANCE),
  ...specsOf("cash_flow", CASH_FLOW),
];

const SPEC_BY_LINE = new Map(LINES.map((spec) => [spec.line, spec]));
export function lineSpec(line: StatementLine): LineSpec {
  const spec = SPEC_BY_LINE.get(line);
  if (!spec) throw new RangeError(`no such line: ${line}`);
  return spec;
}
export const lineKind = (line: StatementLine): LineKind => lineSpec(line).kind;

const tagsOf = (candidate: Candidate) => [
  candidate.tag,
  ...(candidate.unless ?? []),
  ...(candidate.unlessInFiling ?? []),
];
/** Every tag that the table or a proof reads. */
export const WANTED_TAGS: ReadonlySet<string> = new Set([
  ...LINES.flatMap((spec) => spec.candidates.flatMap(tagsOf)),
  ...PROOF_TAGS,
  ...CASH_PROOF_TAGS,
  ...FLOW_TAGS,
]);

/** Splits `us-gaap:Assets` or `Assets` into taxonomy and name. */
export function splitTag(tag: string): { readonly taxonomy: string; readonly name: string } {
  const at = tag.indexOf(":");
  return at < 0
    ? { taxonomy: "us-gaap", name: tag }
    : { taxonomy: tag.slice(0, at), name: tag.slice(at + 1) };
}
