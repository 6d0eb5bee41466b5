// The tags that may stand for each statement line, in order of preference. The choice is made per filing and
// period.

import {
  ALL_CASH,
  CASH_CHANGES,
  CASH_CHANGES_BEFORE_RATES,
  CASH_PROOF_TAGS,
  EFFECT_CONTINUING,
  EFFECT_DISCONTINUED,
  EXCHANGE_EFFECTS,
  HELD_CASH,
  isCashOfTotal,
  isCurrentAsset,
  isOfAllOperations,
  RESTRICTED_CASH,
} from "./cash.ts";
import {
  ALL_EQUITY,
  closesBalance,
  EQUITY_PROOF_TAGS,
  isAllOfParent,
  isParentEquity,
  isParentOfTotal,
  isTotalEquity,
  isTotalOfParent,
  PARENT_EQUITY,
  TEMPORARY_EQUITY_TAGS,
} from "./equity.ts";
import { FLOW_TAGS, isCapitalExpenditure } from "./flows.ts";
import { IFRS_PROOF_TAGS, IFRS_TAGS } from "./ifrs.ts";
import {
  type Candidate,
  CHARGES,
  COVER_SHARES,
  type Entry,
  isCompared,
  kindOf,
  type LineSpec,
  POSITIVE,
} from "./line.ts";
import { BALANCE_PART_TAGS, CASH_FLOW_PART_TAGS, INCOME_PART_TAGS } from "./part-lines.ts";
import {
  BELOW_CONTINUING,
  CURRENT_PART,
  DISCONTINUED,
  HELD_FOR_SALE,
  INDEFINITE,
  NONCONTROLLING_EQUITY,
  OTHER_CURRENT_DEBT,
  OTHER_SHORT_BORROWINGS,
  OTHER_TRADES,
  OWNERS_APART,
} from "./parts.ts";
import {
  BASIC_SHARES,
  BOTH_SHARES,
  COMMON_INCOME,
  CONTRACT,
  CONTRACT_TAXED,
  DEPRECIATION_TOTALS,
  DILUTED_INCOME,
  DILUTED_SHARES,
  DILUTION,
  isAllDividends,
  isAllOperating,
  isAllSales,
  isConfirmedBySums,
  isNoTotal,
  isOfBothCounts,
  isOfOneOwner,
  isOnlyRevenue,
  isOnlySales,
  isTotalRevenue,
  isWholeDepreciation,
  isWholeIncome,
  isWholeProperty,
  isWithinCurrentAssets,
  isWithinCurrentLiabilities,
  isWithPaper,
  PROOF_TAGS,
} from "./proofs.ts";
import { PROVISION_PROOF_TAGS, PROVISION_TAGS } from "./provision.ts";
import type { BalanceLine, CashFlowLine, IncomeLine, LineKind, Statement, StatementLine } from "./records.ts";
import { SIGN_TAGS } from "./signs.ts";

/**
 * Income of continuing operations: net income where nothing is discontinued and no other owner has a share.
 */
const CONTINUING_INCOME = [
  "IncomeLossFromContinuingOperations",
  "IncomeLossFromContinuingOperationsIncludingPortionAttributableToNoncontrollingInterest",
];
const CONTINUING_PER_SHARE = "IncomeLossFromContinuingOperationsPerBasicAndDilutedShare";
const INCOME: Readonly<Record<IncomeLine, readonly Entry[]>> = {
  revenue: [
    "RevenuesNetOfInterestExpense",
    { tag: "Revenues", proof: isTotalRevenue },
    { tag: CONTRACT, proof: isOnlyRevenue },
    { tag: CONTRACT_TAXED, proof: isOnlyRevenue },
    { tag: "SalesRevenueNet", proof: isAllSales("total") },
    { tag: "SalesRevenueGoodsNet", unless: ["SalesRevenueServicesNet"], proof: isAllSales("part") },
    { tag: "SalesRevenueServicesNet", unless: ["SalesRevenueGoodsNet"], proof: isAllSales("part") },
    { tag: "RealEstateRevenueNet", proof: isAllSales("part") },
    { tag: "RegulatedAndUnregulatedOperatingRevenue", proof: isAllSales("total") },
    { tag: "ElectricUtilityRevenue", proof: isAllSales("part") },
    { tag: "OilAndGasRevenue", proof: isAllSales("part") },
    { tag: "HealthCareOrganizationRevenue", proof: isAllSales("part") },
    // Total investment income of a fund or business development company.
    { tag: "GrossInvestmentIncomeOperating", unless: OTHER_TRADES, proof: isOnlySales },
    { tag: "OperatingLeaseLeaseIncome", proof: isConfirmedBySums },
    { tag: "OperatingLeasesIncomeStatementLeaseRevenue", proof: isConfirmedBySums },
  ],
  cost_of_revenue: [
    "CostOfRevenue",
    "CostOfGoodsAndServicesSold",
    { tag: "CostOfGoodsSold", unless: ["CostOfServices"] },
    { tag: "CostOfServices", unless: ["CostOfGoodsSold"] },
    "CostOfGoodsAndServiceExcludingDepreciationDepletionAndAmortization",
  ],
  gross_profit: ["GrossProfit"],
  research_and_development: [
    "ResearchAndDevelopmentExpense",
    "ResearchAndDevelopmentExpenseExcludingAcquiredInProcessCost",
    "ResearchAndDevelopmentExpenseSoftwareExcludingAcquiredInProcessCost",
  ],
  selling_general_administrative: ["SellingGeneralAndAdministrativeExpense"],
  operating_expenses: [{ tag: "OperatingExpenses", proof: isAllOperating }],
  operating_income: ["OperatingIncomeLoss"],
  interest_expense: [
    "InterestExpense",
    "InterestExpenseNonoperating",
    "InterestExpenseDebt",
    "InterestExpenseOperating",
    "InterestAndDebtExpense",
  ],
  income_before_tax: [
    "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest",
    "IncomeLossFromContinuingOperationsBeforeIncomeTaxesMinorityInterestAndIncomeLossFromEquityMethodInvestments",
  ],
  income_tax_expense: ["IncomeTaxExpenseBenefit", "IncomeTaxExpenseBenefitContinuingOperations"],
  net_income: [
    "NetIncomeLoss",
    { tag: "ProfitLoss", unlessInFiling: OWNERS_APART, proof: isOfOneOwner },
    { tag: COMMON_INCOME, proof: isWholeIncome },
    { tag: DILUTED_INCOME, unless: [COMMON_INCOME, ...DILUTION], proof: isWholeIncome },
    ...CONTINUING_INCOME.map((tag) => ({ tag, unlessInFiling: [...BELOW_CONTINUING, ...OWNERS_APART] })),
  ],
  eps_basic: [
    "EarningsPerShareBasic",
    "EarningsPerShareBasicAndDiluted",
    { tag: "IncomeLossFromContinuingOperationsPerBasicShare", unlessInFiling: DISCONTINUED },
    { tag: CONTINUING_PER_SHARE, unlessInFiling: DISCONTINUED },
  ],
  eps_diluted: [
    "EarningsPerShareDiluted",
    "EarningsPerShareBasicAndDiluted",
    { tag: "IncomeLossFromContinuingOperationsPerDilutedShare", unlessInFiling: DISCONTINUED },
    { tag: CONTINUING_PER_SHARE, unlessInFiling: DISCONTINUED },
    { tag: "EarningsPerShareBasic", proof: isOfBothCounts },
  ],
  weighted_average_shares_basic: [BASIC_SHARES, BOTH_SHARES],
  weighted_average_shares_diluted: [DILUTED_SHARES, BOTH_SHARES],
  net_income_with_noncontrolling: ["ProfitLoss"],
  net_interest_income: ["InterestIncomeExpenseNet"],
  noninterest_income: ["NoninterestIncome"],
  noninterest_expense: ["NoninterestExpense"],
  provision_for_credit_losses: PROVISION_TAGS,
  premiums_earned: ["PremiumsEarnedNet", "PremiumsEarnedNetPropertyAndCasualty"],
  net_investment_income: ["NetInvestmentIncome", "InvestmentIncomeOperatingAfterExpenseAndTax"],
  policyholder_benefits: ["PolicyholderBenefitsAndClaimsIncurredNet"],
  discontinued_operations: [
    "IncomeLossFromDiscontinuedOperationsNetOfTax",
    "IncomeLossFromDiscontinuedOperationsNetOfTaxAttributableToReportingEntity",
  ],
  equity_method_income: ["IncomeLossFromEquityMethodInvestments"],
  ...INCOME_PART_TAGS,
};

const BALANCE: Readonly<Record<BalanceLine, readonly Entry[]>> = {
  total_assets: ["Assets"],
  current_assets: ["AssetsCurrent"],
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
    { tag: ALL_CASH, unlessInFiling: [...RESTRICTED_CASH, ...HELD_CASH], proof: isCurrentAsset },
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
    {
      tag: "AccountsReceivableNet",
      unlessInFiling: ["AccountsReceivableNetNoncurrent"],
      proof: isWithinCurrentAssets,
    },
  ],
  inventory: ["InventoryNet"],
  property_plant_equipment: [
    { tag: "PropertyPlantAndEquipmentNet", proof: isWholeProperty },
    { tag: "PublicUtilitiesPropertyPlantAndEquipmentNet", unless: ["PropertyPlantAndEquipmentNet"] },
    "PropertyPlantAndEquipmentAndFinanceLeaseRightOfUseAssetAfterAccumulatedDepreciationAndAmortization",
  ],
  goodwill: ["Goodwill"],
  intangible_assets: [
    "IntangibleAssetsNetExcludingGoodwill",
    {
      tag: "FiniteLivedIntangibleAssetsNet",
      unlessInFiling: INDEFINITE,
    },
  ],
  total_liabilities: ["Liabilities"],
  current_liabilities: ["LiabilitiesCurrent"],
  accounts_payable: [
    "AccountsPayableCurrent",
    "AccountsPayableTradeCurrent",
    "AccountsPayableAndAccruedLiabilitiesCurrent",
    { tag: "AccountsPayable", proof: isWithinCurrentLiabilities },
    { tag: "AccountsPayableCurrentAndNoncurrent", proof: isWithinCurrentLiabilities },
  ],
  short_term_debt: [
    "DebtCurrent",
    { tag: "ShortTermBorrowings", unless: [...CURRENT_PART, ...OTHER_CURRENT_DEBT], proof: isWithPaper },
  ],
  long_term_debt: [
    "LongTermDebtNoncurrent",
    "LongTermDebtAndCapitalLeaseObligations",
    { tag: "LongTermDebt", unless: [...CURRENT_PART, "DebtCurrent"] },
  ],
  deferred_revenue: ["ContractWithCustomerLiabilityCurrent", "DeferredRevenueCurrent"],
  total_equity: [
    ...ALL_EQUITY.map((tag) => ({ tag, proof: isTotalEquity })),
    ...PARENT_EQUITY.flatMap((tag) => [
      { tag, unless: NONCONTROLLING_EQUITY },
      { tag, proof: isTotalOfParent },
    ]),
    { tag: "AssetsNet", proof: closesBalance },
  ],
  retained_earnings: ["RetainedEarningsAccumulatedDeficit"],
  // The count on the cover is dated some weeks after the period's end.
  shares_outstanding: ["CommonStockSharesOutstanding", COVER_SHARES],
  short_term_borrowings: ["ShortTermBorrowings", { tag: "CommercialPaper", unless: OTHER_SHORT_BORROWINGS }],
  long_term_debt_current: [...CURRENT_PART],
  parent_equity: [
    { tag: "StockholdersEquity", proof: isParentEquity },
    { tag: "CommonStockholdersEquity", proof: isAllOfParent },
    { tag: "PartnersCapital", proof: isParentEquity },
    { tag: "MembersEquity", proof: isParentEquity },
    ...ALL_EQUITY.map((tag) => ({ tag, proof: isParentOfTotal })),
  ],
  noncontrolling_interest: NONCONTROLLING_EQUITY,
  temporary_equity: TEMPORARY_EQUITY_TAGS,
  liabilities_and_equity: ["LiabilitiesAndStockholdersEquity", "LiabilitiesAndPartnersCapital"],
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
  proof: isOfAllOperations,
});
const capital = (tag: string): Candidate => ({ tag, proof: isCapitalExpenditure(tag) });
const CASH_FLOW: Readonly<Record<CashFlowLine, readonly Entry[]>> = {
  operating_cash_flow: ["NetCashProvidedByUsedInOperatingActivities", continuing("Operating")],
  capital_expenditure: [
    capital("PaymentsToAcquirePropertyPlantAndEquipment"),
    capital("PaymentsToAcquireProductiveAssets"),
    capital("PaymentsToAcquireOtherPropertyPlantAndEquipment"),
    capital("PaymentsToAcquireMachineryAndEquipment"),
    capital("PaymentsForCapitalImprovements"),
    capital("PaymentsToDevelopRealEstateAssets"),
  ],
  investing_cash_flow: ["NetCashProvidedByUsedInInvestingActivities", continuing("Investing")],
  financing_cash_flow: ["NetCashProvidedByUsedInFinancingActivities", continuing("Financing")],
  dividends_paid: [
    "PaymentsOfDividends",
    { tag: "PaymentsOfDividendsCommonStock", proof: isAllDividends },
    "PaymentsOfOrdinaryDividends",
  ],
  share_repurchases: ["PaymentsForRepurchaseOfCommonStock", "PaymentsForRepurchaseOfEquity"],
  depreciation_amortization: [
    { tag: "DepreciationDepletionAndAmortization", proof: isWholeDepreciation(DEPRECIATION_TOTALS) },
    { tag: "DepreciationAmortizationAndAccretionNet", proof: isWholeDepreciation(DEPRECIATION_TOTALS) },
    {
      tag: "DepreciationAndAmortization",
      proof: isWholeDepreciation([...DEPRECIATION_TOTALS, "OtherDepreciationAndAmortization"]),
    },
    { tag: "Depreciation", proof: isNoTotal },
  ],
  stock_based_compensation: ["ShareBasedCompensation", "AllocatedShareBasedCompensationExpense"],
  net_change_in_cash: [
    ...CASH_CHANGES,
    ...CASH_CHANGES_BEFORE_RATES.map((tag) => ({ tag, unlessInFiling: EXCHANGE_EFFECTS })),
  ],
  // The effect on cash of continuing operations is the whole effect where no other operation holds cash.
  exchange_rate_effect: [
    ...EXCHANGE_EFFECTS.map((tag) =>
      tag === EFFECT_CONTINUING ? { tag, unless: [EFFECT_DISCONTINUED] } : { tag },
    ),
  ],
  operating_cash_flow_continuing: ["NetCashProvidedByUsedInOperatingActivitiesContinuingOperations"],
  investing_cash_flow_continuing: ["NetCashProvidedByUsedInInvestingActivitiesContinuingOperations"],
  financing_cash_flow_continuing: ["NetCashProvidedByUsedInFinancingActivitiesContinuingOperations"],
  operating_cash_flow_discontinued: ["CashProvidedByUsedInOperatingActivitiesDiscontinuedOperations"],
  investing_cash_flow_discontinued: ["CashProvidedByUsedInInvestingActivitiesDiscontinuedOperations"],
  financing_cash_flow_discontinued: ["CashProvidedByUsedInFinancingActivitiesDiscontinuedOperations"],
  ...CASH_FLOW_PART_TAGS,
};

function specsOf(statement: Statement, table: Readonly<Record<string, readonly Entry[]>>): LineSpec[] {
  return Object.entries(table).map(([line, entries]) => ({
    line: line as StatementLine,
    compared: isCompared(line) ? line : null,
    statement,
    kind: kindOf(line, statement),
    instant: statement === "balance_sheet",
    positive: POSITIVE.has(line),
    isCharge: CHARGES.has(line),
    candidates: [...entries, ...(IFRS_TAGS[line as StatementLine] ?? [])].map((entry) =>
      typeof entry === "string" ? { tag: entry } : entry,
    ),
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
  ...EQUITY_PROOF_TAGS,
  ...CASH_PROOF_TAGS,
  ...FLOW_TAGS,
  ...SIGN_TAGS,
  ...IFRS_PROOF_TAGS,
  ...PROVISION_PROOF_TAGS,
]);

/** Lines of a statement for which no tag of the IFRS taxonomy is read. */
export const linesNotInIfrs = (statement: Statement): readonly StatementLine[] =>
  LINES.filter((spec) => spec.statement === statement && IFRS_TAGS[spec.line] === undefined).map(
    ({ line }) => line,
  );

/** Splits `us-gaap:Assets` or `Assets` into taxonomy and name. */
export function splitTag(tag: string): { readonly taxonomy: string; readonly name: string } {
  const at = tag.indexOf(":");
  return at < 0
    ? { taxonomy: "us-gaap", name: tag }
    : { taxonomy: tag.slice(0, at), name: tag.slice(at + 1) };
}
