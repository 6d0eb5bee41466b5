// What a filing's own figures bear out: whether a tag that may mean two things is the statement's line.

/** The value of a tag in the same filing and for the same period; undefined where the filing has none. */
export type Get = (tag: string) => number | undefined;

export const CONTRACT = "RevenueFromContractWithCustomerExcludingAssessedTax";
export const CONTRACT_TAXED = "RevenueFromContractWithCustomerIncludingAssessedTax";
const COST_TAGS = ["CostOfRevenue", "CostOfGoodsAndServicesSold", "CostOfGoodsSold"];
const PRETAX = "IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest";
/** What banks, insurers and landlords earn beside contracts with customers. */
const NET_EARNINGS = [
  "InterestIncomeExpenseNet",
  "PremiumsEarnedNet",
  "PremiumsEarnedNetPropertyAndCasualty",
  "OperatingLeaseLeaseIncome",
  "OperatingLeasesIncomeStatementLeaseRevenue",
];
/** Before interest expense: more than the revenue of a bank that states it net. */
const OTHER_EARNINGS = ["InterestAndDividendIncomeOperating", ...NET_EARNINGS];
/** Totals under a name of their trade, some of them a part where the statement has another total. */
const SALES = [
  "SalesRevenueNet",
  "SalesRevenueGoodsNet",
  "SalesRevenueServicesNet",
  "RealEstateRevenueNet",
  "RegulatedAndUnregulatedOperatingRevenue",
  "ElectricUtilityRevenue",
  "OilAndGasRevenue",
  "HealthCareOrganizationRevenue",
];
/** From this share of contract revenue on, other earnings make it a part. */
const OTHER_SHARE_MIN = 0.1;
/** Tags that `bearsOut` and other proofs ask for. */
export const PROOF_TAGS = [
  ...COST_TAGS,
  ...OTHER_EARNINGS,
  PRETAX,
  "BenefitsLossesAndExpenses",
  "GrossProfit",
  "OperatingExpenses",
  "OperatingIncomeLoss",
  "CostsAndExpenses",
  "SellingGeneralAndAdministrativeExpense",
  "Revenues",
  CONTRACT,
  CONTRACT_TAXED,
  "ifrs-full:CashFlowsFromUsedInInvestingActivities",
  "ifrs-full:CashFlowsFromUsedInFinancingActivities",
  "ifrs-full:EffectOfExchangeRateChangesOnCashAndCashEquivalents",
  "ifrs-full:IncreaseDecreaseInCashAndCashEquivalents",
];

const near = (a: number, b: number, tolerance: number) => Math.abs(a - b) <= tolerance;

/** True when the statement's own sums arrive at `revenue`: all costs + income, or gross profit + cost. */
export function bearsOut(revenue: number, get: Get, tolerance: number): boolean {
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
    return ["OperatingExpenses", "SellingGeneralAndAdministrativeExpense"].some((rest) => {
      const other = get(rest);
      return income !== undefined && other !== undefined && near(cost + other + income, revenue, tolerance);
    });
  });
}

const contractOf = (get: Get): number | undefined => get(CONTRACT) ?? get(CONTRACT_TAXED);

/**
 * `Revenues` is the total and contract revenue a part of it (Walmart's memberships, leases, interest). It stands back
 * when the statement's sums arrive at contract revenue instead, or when another revenue, or what a bank earns by interest
 * alone, is more and no sum arrives at it: then it is a segment's or a note's.
 */
export function isTotalRevenue(value: number, get: Get, tolerance: number): boolean {
  if (bearsOut(value, get, tolerance)) return true;
  const contract = contractOf(get) ?? value;
  if (contract > value || (contract < value && bearsOut(contract, get, tolerance))) return false;
  return ![...SALES, ...NET_EARNINGS].some((tag) => (get(tag) ?? 0) > value);
}

/**
 * Contract revenue beside another `Revenues` or a greater total, or beside interest, premiums or rents that are no small
 * matter against it (a bank's fees told in a note): only when the sums arrive at it.
 */
export function isOnlyRevenue(value: number, get: Get, tolerance: number): boolean {
  const isBeside = OTHER_EARNINGS.some((tag) => (get(tag) ?? 0) > OTHER_SHARE_MIN * value);
  const isPart = SALES.some((tag) => (get(tag) ?? 0) > value);
  return (get("Revenues") === undefined && !isBeside && !isPart) || bearsOut(value, get, tolerance);
}

/** A total of its trade beside another `Revenues`, or beside contract revenue that is more: only when the sums arrive at it. */
export function isOnlySales(value: number, get: Get, tolerance: number): boolean {
  const total = get("Revenues") ?? value;
  return (total === value && (contractOf(get) ?? value) <= value) || bearsOut(value, get, tolerance);
}

/** IFRS has cash generated before interest and tax under this tag, and some filers their operating cash flow. */
export function addsUpToChange(value: number, get: Get, tolerance: number): boolean {
  const investing = get("ifrs-full:CashFlowsFromUsedInInvestingActivities");
  const financing = get("ifrs-full:CashFlowsFromUsedInFinancingActivities");
  const change = get("ifrs-full:IncreaseDecreaseInCashAndCashEquivalents");
  if (investing === undefined || financing === undefined || change === undefined) return false;
  const fx = get("ifrs-full:EffectOfExchangeRateChangesOnCashAndCashEquivalents") ?? 0;
  const sum = value + investing + financing;
  return near(sum, change, tolerance) || near(sum + fx, change, tolerance);
}
