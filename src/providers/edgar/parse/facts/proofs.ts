// Decides whether a tag with two possible meanings is the statement's line, by the filing's own figures.

import { words } from "./parts.ts";

/**
 * Returns the value of a tag in the same filing and for the same period; undefined when the filing has none.
 */
export type Get = (tag: string) => number | undefined;

export const CONTRACT = "RevenueFromContractWithCustomerExcludingAssessedTax";
export const CONTRACT_TAXED = "RevenueFromContractWithCustomerIncludingAssessedTax";
const COST_TAGS = ["CostOfRevenue", "CostOfGoodsAndServicesSold", "CostOfGoodsSold"];
const PRETAX = "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest";
/** Earnings of banks, insurers and landlords that are not from contracts with customers. */
const NET_EARNINGS = words(`
  InterestIncomeExpenseNet PremiumsEarnedNet PremiumsEarnedNetPropertyAndCasualty OperatingLeaseLeaseIncome
  OperatingLeasesIncomeStatementLeaseRevenue`);
/**
 * These earnings with interest before interest expense. It exceeds the revenue of a bank that states revenue
 * net.
 */
const OTHER_EARNINGS = ["InterestAndDividendIncomeOperating", ...NET_EARNINGS];
/** Revenue totals of particular industries. Some are only a part when the statement has another total. */
const SALES = words(`
  SalesRevenueNet SalesRevenueGoodsNet SalesRevenueServicesNet RealEstateRevenueNet
  RegulatedAndUnregulatedOperatingRevenue ElectricUtilityRevenue OilAndGasRevenue
  HealthCareOrganizationRevenue`);
/**
 * When other earnings exceed this share of contract revenue, contract revenue may be only a part of the
 * total.
 */
const OTHER_SHARE_MIN = 0.1;
/** Income after the dividends of preferred shares. */
export const COMMON_INCOME = "NetIncomeLossAvailableToCommonStockholdersBasic";
/** Income of common shares with the interest of convertible debt and the like added back. */
export const DILUTED_INCOME = "NetIncomeLossAvailableToCommonStockholdersDiluted";
/** Tags that the income of diluted shares adds to that of common shares. */
export const DILUTION = words(`
  DilutiveSecurities InterestOnConvertibleDebtNetOfTax DilutiveSecuritiesEffectOnBasicEarningsPerShare
  DilutiveSecuritiesEffectOnBasicEarningsPerShareDilutiveConvertibleSecurities
  DilutiveSecuritiesEffectOnBasicEarningsPerShareOther`);
const NONCONTROLLING_INCOME = [
  "NetIncomeLossAttributableToNoncontrollingInterest",
  "NetIncomeLossAttributableToRedeemableNoncontrollingInterest",
  "NetIncomeLossAttributableToNonredeemableNoncontrollingInterest",
];
const PREFERRED_PAYMENTS = "PaymentsOfDividendsPreferredStockAndPreferenceStock";
/** Tags between net income and the income of common shares. */
const PREFERRED = [
  "PreferredStockDividendsIncomeStatementImpact",
  "PreferredStockDividendsAndOtherAdjustments",
  "PreferredStockDividends",
  "DividendsPreferredStock",
  "DividendsPreferredStockCash",
  "DividendsPreferredStockStock",
  "DividendsPreferredStockPaidinkind",
  PREFERRED_PAYMENTS,
  "PreferredStockAccretionOfRedemptionDiscount",
  "PreferredStockDiscountAccretion",
  "PreferredStockRedemptionPremium",
  "PreferredStockConversionsInducements",
  "TemporaryEquityAccretionToRedemptionValueAdjustment",
  "UndistributedEarningsLossAllocatedToParticipatingSecuritiesBasic",
  "ParticipatingSecuritiesDistributedAndUndistributedEarningsLossBasic",
];
/** Totals of depreciation and amortization. */
export const DEPRECIATION_TOTALS = [
  "DepreciationDepletionAndAmortization",
  "DepreciationAmortizationAndAccretionNet",
];
/** The two lines of a cash-flow statement that has no total of them. */
export const DEPRECIATION_PARTS = ["Depreciation", "AdjustmentForAmortization"];
const UTILITY_PROPERTY = "PublicUtilitiesPropertyPlantAndEquipmentNet";
/** Tags that operating income may include beside revenue less costs. */
const OTHER_OPERATING = words(`
  IncomeLossFromEquityMethodInvestments GainLossOnDispositionOfAssets GainLossOnDispositionOfAssets1
  GainLossOnSaleOfPropertyPlantEquipment GainLossOnSaleOfBusiness OtherOperatingIncome
  OtherOperatingIncomeExpenseNet`);
/** Costs of every statement that names them, between gross profit and operating income. */
const MAIN_COSTS = [
  ...["SellingGeneralAndAdministrativeExpense", "ResearchAndDevelopmentExpense"],
  ...["GeneralAndAdministrativeExpense", "SellingAndMarketingExpense"],
];
/** Costs that are a line of their own there, or a part of another cost. */
const OTHER_COSTS = [
  ...["RestructuringCharges", "AmortizationOfIntangibleAssets", "DepreciationDepletionAndAmortization"],
  ...["DepreciationAndAmortization", "AssetImpairmentCharges", "GoodwillImpairmentLoss"],
  "OtherCostAndExpenseOperating",
];
/** Every tag that the proofs below read. */
export const PROOF_TAGS = [
  UTILITY_PROPERTY,
  ...DEPRECIATION_PARTS,
  "AmortizationOfIntangibleAssets",
  "OtherDepreciationAndAmortization",
  COMMON_INCOME,
  ...NONCONTROLLING_INCOME,
  ...PREFERRED,
  ...OTHER_OPERATING,
  "ProfitLoss",
  ...COST_TAGS,
  ...OTHER_EARNINGS,
  PRETAX,
  "BenefitsLossesAndExpenses",
  "GrossProfit",
  "OperatingExpenses",
  "OperatingIncomeLoss",
  "CostsAndExpenses",
  ...MAIN_COSTS,
  ...OTHER_COSTS,
  "Revenues",
  CONTRACT,
  CONTRACT_TAXED,
];

export const near = (a: number, b: number, tolerance: number) => Math.abs(a - b) <= tolerance;

/** Every sum of some of the amounts, nothing included. */
export function sumsOf(amounts: readonly number[]): number[] {
  const sums = [0];
  for (const amount of amounts) sums.push(...sums.map((sum) => sum + amount));
  return sums;
}

/** True when an amount is the sum of the main costs of the statement and some of the others. */
function areCosts(amount: number, get: Get, tolerance: number): boolean {
  const [all = 0, research = 0, administration = 0, selling = 0] = MAIN_COSTS.map(get);
  const main = (all || administration + selling) + research;
  const others = OTHER_COSTS.map((tag) => get(tag) ?? 0).filter((cost) => cost !== 0);
  return main > 0 && sumsOf(others).some((other) => near(main + other, amount, tolerance));
}

/**
 * True when a revenue total is less than the cost of revenue and an operating profit: it is a part. Made up:
 * 2,038 beside a cost of 12,925.
 */
function isBelowCosts(revenue: number, get: Get, tolerance: number): boolean {
  const profit = Math.max(get("OperatingIncomeLoss") ?? 0, 0);
  return COST_TAGS.some((tag) => (get(tag) ?? Number.NaN) + profit > revenue + tolerance);
}

/**
 * True when a sum of the statement gives `revenue`: all costs + income, or cost of revenue + gross profit.
 */
export function isConfirmedBySums(revenue: number, get: Get, tolerance: number): boolean {
  const income = get("OperatingIncomeLoss");
  const sumsUp = (costs: string, rest: number | undefined) => {
    const cost = get(costs);
    return cost !== undefined && rest !== undefined && near(cost + rest, revenue, tolerance);
  };
  if (sumsUp("CostsAndExpenses", income) || sumsUp("OperatingExpenses", income)) return true;
  if (["CostsAndExpenses", "BenefitsLossesAndExpenses"].some((all) => sumsUp(all, get(PRETAX)))) return true;
  const gross = get("GrossProfit");
  return COST_TAGS.some((tag) => {
    const cost = get(tag);
    if (cost === undefined) return false;
    if (gross !== undefined && near(cost + gross, revenue, tolerance)) return true;
    if (income === undefined) return false;
    const rest = revenue - cost - income;
    return near(get("OperatingExpenses") ?? Number.NaN, rest, tolerance) || areCosts(rest, get, tolerance);
  });
}

const contractOf = (get: Get): number | undefined => get(CONTRACT) ?? get(CONTRACT_TAXED);

/**
 * Accepts `Revenues` as the total. Contract revenue is normally a part of it: Walmart also has memberships,
 * leases and interest. Rejects it when a sum of the statement gives contract revenue instead. Also rejects it
 * when no sum gives it and another revenue, or a bank's net interest alone, is larger: it is then the figure
 * of a segment or a note.
 */
export function isTotalRevenue(value: number, get: Get, tolerance: number): boolean {
  if (isConfirmedBySums(value, get, tolerance)) return true;
  const contract = contractOf(get) ?? value;
  if (contract > value || (contract < value && isConfirmedBySums(contract, get, tolerance))) return false;
  return ![...SALES, ...NET_EARNINGS].some((tag) => (get(tag) ?? 0) > value);
}

/**
 * True when sums of the statement show more revenue: cost of revenue + gross profit, or all costs + operating
 * income without the other income that it may count in.
 */
function isExceededBySums(revenue: number, get: Get, tolerance: number): boolean {
  const sum = (...tags: readonly string[]) => tags.reduce((all, tag) => all + (get(tag) ?? Number.NaN), 0);
  if (COST_TAGS.some((tag) => sum(tag, "GrossProfit") > revenue + tolerance)) return true;
  const rest = sum("CostsAndExpenses", "OperatingIncomeLoss") - revenue;
  const others = OTHER_OPERATING.map((tag) => get(tag) ?? 0);
  const all = others.reduce((total, other) => total + other, 0);
  return rest > tolerance && ![all, ...others].some((other) => other !== 0 && near(other, rest, tolerance));
}

/**
 * Accepts contract revenue as the total when nothing contradicts it, or when a sum of the statement gives it.
 * It is contradicted by any `Revenues` that may be the total, by a larger industry total, by sums that show
 * more, and by interest, premiums or rents of more than a small share of it: a bank may give its fees in
 * a note under this tag.
 */
export function isOnlyRevenue(value: number, get: Get, tolerance: number): boolean {
  const isBeside = OTHER_EARNINGS.some((tag) => (get(tag) ?? 0) > OTHER_SHARE_MIN * value);
  const isPart = SALES.some((tag) => (get(tag) ?? 0) > value);
  const total = get("Revenues");
  const isLone = total === undefined || (total < value && isBelowCosts(total, get, tolerance));
  const isUndisputed = isLone && !isBeside && !isPart;
  return (
    (isUndisputed && !isExceededBySums(value, get, tolerance)) || isConfirmedBySums(value, get, tolerance)
  );
}

/**
 * Accepts the revenue of one kind of sales as the total, where neither cost of revenue + gross profit nor,
 * for the `part` that its name says it is, all costs + operating income are more. Operating income may count
 * other income in.
 */
export function isAllSales(kind: "total" | "part") {
  return (value: number, get: Get, tolerance: number): boolean => {
    const isLess = (...tags: readonly string[]) =>
      tags.reduce((sum, tag) => sum + (get(tag) ?? Number.NaN), 0) > value + tolerance;
    if (!isOnlySales(value, get, tolerance)) return false;
    if (COST_TAGS.some((tag) => isLess(tag, "GrossProfit"))) return false;
    return kind === "total" || !isLess("CostsAndExpenses", "OperatingIncomeLoss");
  };
}

/**
 * Accepts an industry's revenue total. When the filing has a different `Revenues`, or a larger contract
 * revenue, the total is accepted only when a sum of the statement gives it.
 */
export function isOnlySales(value: number, get: Get, tolerance: number): boolean {
  const total = get("Revenues") ?? value;
  const isLone = total === value || (total < value && isBelowCosts(total, get, tolerance));
  const isUndisputed = isLone && (contractOf(get) ?? value) <= value;
  return isUndisputed || isConfirmedBySums(value, get, tolerance);
}

/**
 * Accepts the income of common shares as net income: when it is the income of all owners less the
 * noncontrolling ones', or, without such a total, when the filing reports nothing for the period that lies
 * between the two.
 */
export function isWholeIncome(value: number, get: Get, tolerance: number): boolean {
  const total = get("ProfitLoss");
  if (total !== undefined) {
    const others = NONCONTROLLING_INCOME.reduce((sum, tag) => sum + (get(tag) ?? 0), 0);
    return near(total - others, value, tolerance);
  }
  return PREFERRED.every((tag) => (get(tag) ?? 0) === 0);
}

/**
 * Accepts the income of all owners as the parent's, unless the filing gives another income of common shares
 * and nothing that explains the difference: other owners may then have a share under a tag that is not read.
 */
export function isOfOneOwner(value: number, get: Get, tolerance: number): boolean {
  const common = get(COMMON_INCOME);
  if (common === undefined || near(common, value, tolerance)) return true;
  return PREFERRED.some((tag) => (get(tag) ?? 0) !== 0);
}

export const BASIC_SHARES = "WeightedAverageNumberOfSharesOutstandingBasic";
export const DILUTED_SHARES = "WeightedAverageNumberOfDilutedSharesOutstanding";
export const BOTH_SHARES = "WeightedAverageNumberOfShareOutstandingBasicAndDiluted";

/** Accepts basic earnings per share as the diluted ones where one count of shares stands for both. */
export const isOfBothCounts = (_value: number, get: Get): boolean =>
  get(BOTH_SHARES) !== undefined ||
  (get(DILUTED_SHARES) !== undefined && get(DILUTED_SHARES) === get(BASIC_SHARES));

/** Rejects the dividends of common shares as all dividends where preferred shares were paid too. */
export const isAllDividends = (_value: number, get: Get): boolean => (get(PREFERRED_PAYMENTS) ?? 0) === 0;

/** Rejects short-term borrowings that are less than the commercial paper among them. */
export const isWithPaper = (value: number, get: Get): boolean => (get("CommercialPaper") ?? value) <= value;

/**
 * True when depreciation and its adjustment for amortization, the lines of a cash-flow statement, are not the
 * total that the filing gives: the total is then of the income statement. Depreciation and the amortization
 * of intangible assets may show it whole.
 */
function isDisprovedByParts(total: number, get: Get, tolerance: number): boolean {
  const [depreciation = 0, adjustment = 0] = DEPRECIATION_PARTS.map(get);
  if (depreciation === 0 || adjustment === 0) return false;
  return [adjustment, get("AmortizationOfIntangibleAssets") ?? adjustment].every(
    (amortization) => !near(depreciation + amortization, total, tolerance),
  );
}

/**
 * Accepts depreciation and amortization as the total of the cash flow statement, unless depreciation alone or
 * one of the `totals` is more, or the parts of that statement are another total. The income statement names
 * by the same tags what is not within its cost of revenue.
 */
export function isWholeDepreciation(totals: readonly string[]) {
  return (value: number, get: Get, tolerance: number): boolean =>
    ["Depreciation", ...totals].every((tag) => (get(tag) ?? value) <= value) &&
    !isDisprovedByParts(value, get, tolerance);
}

/**
 * Rejects depreciation as depreciation and amortization: it is a line of its own, of a report that may give
 * the total under a tag of its own.
 */
export const isNoTotal = (): boolean => false;

/**
 * Accepts a part of depreciation and amortization where the filing has no total of them, or one that the
 * parts disprove.
 */
export function isApartFromTotals(_value: number, get: Get, tolerance: number): boolean {
  const totals = [...DEPRECIATION_TOTALS, "DepreciationAndAmortization"].map((tag) => get(tag) ?? 0);
  return totals.every((total) => total === 0 || isDisprovedByParts(total, get, tolerance));
}

/**
 * Rejects property that is less than the property of the filer's public utilities: it is what they do not
 * own.
 */
export const isWholeProperty = (value: number, get: Get): boolean =>
  (get(UTILITY_PROPERTY) ?? value) <= value;

/** Accepts operating costs as all costs and expenses when revenue less them is operating income. */
export function isAllCosts(value: number, get: Get, tolerance: number): boolean {
  const income = get("OperatingIncomeLoss");
  if (income === undefined) return false;
  return ["Revenues", CONTRACT, CONTRACT_TAXED, ...SALES].some((tag) => {
    const revenue = get(tag);
    return revenue !== undefined && near(revenue - value, income, tolerance);
  });
}

/**
 * Rejects operating expenses that are only one of the costs: all costs of the statement are more than they
 * and the cost of revenue, and gross profit less them is not operating income.
 */
export function isAllOperating(value: number, get: Get, tolerance: number): boolean {
  const [all, gross, income] = [get("CostsAndExpenses"), get("GrossProfit"), get("OperatingIncomeLoss")];
  if (all === undefined || value >= all - tolerance) return true;
  if (gross !== undefined && income !== undefined && near(gross - value, income, tolerance)) return true;
  return COST_TAGS.some((tag) => near((get(tag) ?? Number.NaN) + value, all, tolerance));
}

/**
 * Accepts receivables without a term where they fit into current assets, or where the balance sheet has none.
 */
export const isWithinCurrentAssets = (value: number, get: Get, tolerance: number): boolean =>
  value <= (get("AssetsCurrent") ?? value) + tolerance;

/**
 * Accepts payables without a term where they fit into current liabilities, or where the balance sheet has
 * none.
 */
export const isWithinCurrentLiabilities = (value: number, get: Get, tolerance: number): boolean =>
  value <= (get("LiabilitiesCurrent") ?? value) + tolerance;

/** Rejects a total of costs that is less than one of them: it is the total of the others. */
export const exceedsItsCosts = (value: number, get: Get): boolean =>
  [
    ...COST_TAGS,
    "CostOfServices",
    "SellingGeneralAndAdministrativeExpense",
    "BenefitsLossesAndExpenses",
  ].every((tag) => Math.abs(get(tag) ?? value) <= Math.abs(value));

/**
 * Accepts amortization of intangible assets where depreciation stands apart too: the cash flow statement then
 * gives the two as two lines. Beside another amount of amortization it is the figure of a note, or of the
 * income statement.
 */
export function isBesideDepreciation(value: number, get: Get, tolerance: number): boolean {
  if (!isApartFromTotals(value, get, tolerance)) return false;
  const line = get("AdjustmentForAmortization");
  return get("Depreciation") !== undefined && (line === undefined || line === value);
}
