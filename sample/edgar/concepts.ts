// Which tag each line of the books has in a report: by kind of company, by filer, and by the time of the
// report.
import { keyOf, uniform } from "../randomness.ts";
import type { Filer } from "./filers.ts";
import type { Kind } from "./ledger.ts";

/** One figure of a report. */
export interface Figure {
  readonly taxonomy: "dei" | "us-gaap" | "ifrs-full";
  readonly tag: string;
  readonly unit: string;
  /** Without it the figure is of one day. */
  readonly start?: string;
  readonly end: string;
  readonly val: number;
}

/**
 * When a line is reported: `income` for quarter and year to date, `cash` for the year to date alone,
 * `balance` at ends.
 */
export type Statement = "income" | "cash" | "balance";

export interface Concept {
  readonly statement: Statement;
  readonly line: string;
  readonly tag: string;
}

const rows = (statement: Statement, text: string): Concept[] =>
  text
    .trim()
    .split(/\s*\n\s*/)
    .map((row) => {
      const [line = "", tag = ""] = row.split(/\s+/);
      return { statement, line, tag };
    });

const PRETAX = "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest";

const ORDINARY: readonly Concept[] = [
  ...rows(
    "income",
    `gross GrossProfit
     research ResearchAndDevelopmentExpense
     selling SellingGeneralAndAdministrativeExpense
     operatingExpenses OperatingExpenses
     operatingIncome OperatingIncomeLoss
     interestIncome InvestmentIncomeInterest
     interestExpense InterestExpense
     otherIncome NonoperatingIncomeExpense
     pretax ${PRETAX}
     tax IncomeTaxExpenseBenefit
     netIncome NetIncomeLoss`,
  ),
  ...rows(
    "cash",
    `depreciation DepreciationDepletionAndAmortization
     stockCompensation ShareBasedCompensation
     receivablesUp IncreaseDecreaseInAccountsReceivable
     inventoryUp IncreaseDecreaseInInventories
     prepaidUp IncreaseDecreaseInPrepaidDeferredExpenseAndOtherAssets
     payablesUp IncreaseDecreaseInAccountsPayable
     accruedUp IncreaseDecreaseInAccruedLiabilities
     deferredUp IncreaseDecreaseInContractWithCustomerLiability
     operatingCash NetCashProvidedByUsedInOperatingActivities
     investmentsBought PaymentsToAcquireInvestments
     investmentsSold ProceedsFromSaleMaturityAndCollectionsOfInvestments
     investingCash NetCashProvidedByUsedInInvestingActivities
     debtIssued ProceedsFromIssuanceOfLongTermDebt
     debtRepaid RepaymentsOfLongTermDebt
     stockIssued ProceedsFromIssuanceOfCommonStock
     dividends PaymentsOfDividends
     buybacks PaymentsForRepurchaseOfCommonStock
     financingCash NetCashProvidedByUsedInFinancingActivities`,
  ),
  ...rows(
    "balance",
    `cash CashAndCashEquivalentsAtCarryingValue
     investments ShortTermInvestments
     receivables AccountsReceivableNetCurrent
     inventory InventoryNet
     prepaid PrepaidExpenseAndOtherAssetsCurrent
     currentAssets AssetsCurrent
     property PropertyPlantAndEquipmentNet
     goodwill Goodwill
     otherAssets OtherAssetsNoncurrent
     assets Assets
     payables AccountsPayableCurrent
     accrued AccruedLiabilitiesCurrent
     deferred ContractWithCustomerLiabilityCurrent
     debtCurrent LongTermDebtCurrent
     currentLiabilities LiabilitiesCurrent
     debt LongTermDebtNoncurrent
     otherLiabilities OtherLiabilitiesNoncurrent
     liabilities Liabilities
     paidIn CommonStocksIncludingAdditionalPaidInCapital
     retained RetainedEarningsAccumulatedDeficit
     equity StockholdersEquity
     liabilitiesAndEquity LiabilitiesAndStockholdersEquity`,
  ),
];

const BANK: readonly Concept[] = [
  ...rows(
    "income",
    `interestIncome InterestAndDividendIncomeOperating
     interestExpense InterestExpense
     netInterest InterestIncomeExpenseNet
     provision ProvisionForLoanLeaseAndOtherLosses
     netInterestAfterProvision InterestIncomeExpenseAfterProvisionForLoanLoss
     noninterestIncome NoninterestIncome
     revenue RevenuesNetOfInterestExpense
     noninterestExpense NoninterestExpense
     pretax ${PRETAX}
     tax IncomeTaxExpenseBenefit
     netIncome NetIncomeLoss`,
  ),
  ...rows(
    "cash",
    `depreciation DepreciationDepletionAndAmortization
     otherAssetsUp IncreaseDecreaseInOtherOperatingAssets
     operatingCash NetCashProvidedByUsedInOperatingActivities
     loansUp PaymentsForProceedsFromLoansAndLeases
     securitiesUp PaymentsForProceedsFromInvestments
     capex PaymentsToAcquirePropertyPlantAndEquipment
     investingCash NetCashProvidedByUsedInInvestingActivities
     depositsUp IncreaseDecreaseInDeposits
     borrowingsUp ProceedsFromRepaymentsOfDebt
     dividends PaymentsOfDividends
     buybacks PaymentsForRepurchaseOfCommonStock
     financingCash NetCashProvidedByUsedInFinancingActivities`,
  ),
  ...rows(
    "balance",
    `cash CashAndDueFromBanks
     securities AvailableForSaleSecuritiesDebtSecurities
     loans LoansAndLeasesReceivableNetReportedAmount
     otherAssets OtherAssets
     assets Assets
     deposits Deposits
     borrowings LongTermDebt
     otherLiabilities OtherLiabilities
     liabilities Liabilities
     paidIn CommonStocksIncludingAdditionalPaidInCapital
     retained RetainedEarningsAccumulatedDeficit
     equity StockholdersEquity
     liabilitiesAndEquity LiabilitiesAndStockholdersEquity`,
  ),
];

const INSURER: readonly Concept[] = [
  ...rows(
    "income",
    `premiums PremiumsEarnedNet
     investmentIncome NetInvestmentIncome
     investmentGains GainLossOnInvestments
     revenue Revenues
     claims PolicyholderBenefitsAndClaimsIncurredNet
     underwritingExpense OtherUnderwritingExpense
     interestExpense InterestExpense
     expenses BenefitsLossesAndExpenses
     pretax ${PRETAX}
     tax IncomeTaxExpenseBenefit
     netIncome NetIncomeLoss`,
  ),
  ...rows(
    "cash",
    `premiumsReceivableUp IncreaseDecreaseInPremiumsReceivable
     acquisitionCostsUp IncreaseDecreaseInDeferredPolicyAcquisitionCosts
     claimsReserveUp IncreaseDecreaseInLiabilityForClaimsAndClaimsAdjustmentExpense
     unearnedPremiumsUp IncreaseDecreaseInUnearnedPremiums
     operatingCash NetCashProvidedByUsedInOperatingActivities
     investmentsBought PaymentsToAcquireInvestments
     investmentsSold ProceedsFromSaleMaturityAndCollectionsOfInvestments
     investingCash NetCashProvidedByUsedInInvestingActivities
     dividends PaymentsOfDividends
     buybacks PaymentsForRepurchaseOfCommonStock
     financingCash NetCashProvidedByUsedInFinancingActivities`,
  ),
  ...rows(
    "balance",
    `cash CashAndCashEquivalentsAtCarryingValue
     investments Investments
     premiumsReceivable PremiumsReceivableAtCarryingValue
     acquisitionCosts DeferredPolicyAcquisitionCosts
     otherAssets OtherAssets
     assets Assets
     claimsReserve LiabilityForClaimsAndClaimsAdjustmentExpense
     unearnedPremiums UnearnedPremiums
     debt LongTermDebt
     otherLiabilities OtherLiabilities
     liabilities Liabilities
     paidIn CommonStocksIncludingAdditionalPaidInCapital
     retained RetainedEarningsAccumulatedDeficit
     equity StockholdersEquity
     liabilitiesAndEquity LiabilitiesAndStockholdersEquity`,
  ),
];

const IFRS: readonly Concept[] = [
  ...rows(
    "income",
    `revenue Revenue
     cost CostOfSales
     gross GrossProfit
     research ResearchAndDevelopmentExpense
     selling SellingGeneralAndAdministrativeExpense
     operatingIncome ProfitLossFromOperatingActivities
     interestIncome FinanceIncome
     interestExpense FinanceCosts
     pretax ProfitLossBeforeTax
     tax IncomeTaxExpenseContinuingOperations
     netIncome ProfitLoss
     netIncome ProfitLossAttributableToOwnersOfParent`,
  ),
  ...rows(
    "cash",
    `depreciation AdjustmentsForDepreciationAndAmortisationExpense
     operatingCash CashFlowsFromUsedInOperatingActivities
     capex PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities
     investingCash CashFlowsFromUsedInInvestingActivities
     debtIssued ProceedsFromBorrowingsClassifiedAsFinancingActivities
     debtRepaid RepaymentsOfBorrowingsClassifiedAsFinancingActivities
     dividends DividendsPaidClassifiedAsFinancingActivities
     buybacks PaymentsToAcquireOrRedeemEntitysShares
     financingCash CashFlowsFromUsedInFinancingActivities
     cashUp IncreaseDecreaseInCashAndCashEquivalents`,
  ),
  ...rows(
    "balance",
    `cash CashAndCashEquivalents
     receivables TradeAndOtherCurrentReceivables
     inventory Inventories
     currentAssets CurrentAssets
     property PropertyPlantAndEquipment
     goodwill Goodwill
     noncurrentAssets NoncurrentAssets
     assets Assets
     payables TradeAndOtherCurrentPayables
     currentLiabilities CurrentLiabilities
     noncurrentLiabilities NoncurrentLiabilities
     liabilities Liabilities
     paidIn IssuedCapital
     retained RetainedEarnings
     equity Equity
     liabilitiesAndEquity EquityAndLiabilities`,
  ),
];

const TABLES: Readonly<Record<Kind, readonly Concept[]>> = {
  ordinary: ORDINARY,
  bank: BANK,
  insurer: INSURER,
  ifrs: IFRS,
};

/** The standard on revenue from contracts: reports of periods from here on have its tags. */
const CONTRACTS_FROM = "2018-03-31";
/** Restricted cash stands in the cash flow statement from here on. */
const RESTRICTED_FROM = "2018-03-31";
/** ZUBB, year to June, goes over with its fiscal year 2019; NIXOQ gives up its tag of capital spending. */
const ZUBB_FROM = "2018-09-30";
const NIXOQ_FROM = "2020-06-30";

/** The tags of revenue in a report for `period`; two for a filer that reports contract revenue separately. */
function revenueTags(filer: Filer, period: string): Concept[] {
  const contract = "RevenueFromContractWithCustomerExcludingAssessedTax";
  const one = (tag: string, line = "revenue"): Concept => ({ statement: "income", line, tag });
  if (filer.symbol === "SQUEQ") return [one("RegulatedAndUnregulatedOperatingRevenue")];
  if (filer.symbol === "CRUMQ" && period >= CONTRACTS_FROM)
    return [one("Revenues"), one(contract, "contractRevenue")];
  if (filer.symbol === "ZUBB") return [one(period < ZUBB_FROM ? "Revenues" : contract)];
  if (uniform(keyOf(0, `tags ${filer.cik}`), 0) < 0.5) return [one("Revenues")];
  return [one(period < CONTRACTS_FROM ? "SalesRevenueNet" : contract)];
}

/** Returns the tags that differ between ordinary filers. */
function ownTags(filer: Filer, period: string): Concept[] {
  const early = period < CONTRACTS_FROM ? "CostOfGoodsSold" : "CostOfGoodsAndServicesSold";
  const cost = uniform(keyOf(0, `tags ${filer.cik}`), 1) < 0.5 ? "CostOfRevenue" : early;
  const productive = filer.symbol === "NIXOQ" && period >= NIXOQ_FROM;
  return [
    ...revenueTags(filer, period),
    { statement: "income", line: "cost", tag: cost },
    {
      statement: "cash",
      line: "capex",
      tag: productive ? "PaymentsToAcquireProductiveAssets" : "PaymentsToAcquirePropertyPlantAndEquipment",
    },
  ];
}

const BY_FUNCTION = new Set(["gross", "cost", "operatingExpenses"]);

/**
 * The lines of SQUEQ, a utility: its income statement names costs by their nature, and depreciation is a line
 * of both statements under the same tag.
 */
function utilityLines(lines: readonly Concept[]): Concept[] {
  const tag = "DepreciationAndAmortization";
  const kept = lines.filter(({ line }) => !BY_FUNCTION.has(line) && line !== "depreciation");
  return [
    ...kept,
    { statement: "income", line: "depreciation", tag },
    { statement: "cash", line: "depreciation", tag },
  ];
}

/** Every line a filer tags in a report for `period` (a date). */
export function conceptsOf(filer: Filer, kind: Kind, period: string): Concept[] {
  if (kind === "ifrs") return [...TABLES[kind]];
  const own = kind === "ordinary" ? ownTags(filer, period) : [];
  const whole = [...TABLES[kind], ...own];
  const all = filer.symbol === "SQUEQ" ? utilityLines(whole) : whole;
  const restricted = "CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents";
  const cashUp =
    period < RESTRICTED_FROM
      ? "CashAndCashEquivalentsPeriodIncreaseDecrease"
      : `${restricted}PeriodIncreaseDecreaseIncludingExchangeRateEffect`;
  return [...all, { statement: "cash", line: "cashUp", tag: cashUp }];
}

/**
 * Returns the label and description of a tag in the regulator's files; those of IFRS have neither, nor have
 * the newest.
 */
export function wordsOf(taxonomy: string, tag: string): { label: string | null; description: string | null } {
  if (taxonomy === "ifrs-full" || tag === "IncreaseDecreaseInContractWithCustomerLiability")
    return { label: null, description: null };
  const label = tag.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ");
  return { label, description: `${label}, as a fictional company of the sample market reports it.` };
}
