// The tags of lines that are parts, or other totals, of the contract's items: what filers report where the item itself
// has no tag. None of them is summed here.
import type { Candidate, Entry } from "./facts-line.ts";
import { DEPRECIATION_TOTALS, exceedsItsCosts, isAllCosts, isBesideDepreciation } from "./facts-proofs.ts";
import type { BalancePart, CashFlowPart, IncomePart } from "./facts-records.ts";

export const INCOME_PART_TAGS: Readonly<Record<IncomePart, readonly Entry[]>> = {
  costs_and_expenses: [
    { tag: "CostsAndExpenses", proof: exceedsItsCosts },
    "BenefitsLossesAndExpenses",
    { tag: "OperatingCostsAndExpenses", proof: isAllCosts },
  ],
  selling_and_marketing: [
    "SellingAndMarketingExpense",
    { tag: "SellingExpense", unless: ["MarketingExpense", "MarketingAndAdvertisingExpense"] },
    { tag: "MarketingExpense", unless: ["SellingExpense"] },
    { tag: "MarketingAndAdvertisingExpense", unless: ["SellingExpense"] },
  ],
  general_and_administrative: ["GeneralAndAdministrativeExpense"],
};

export const BALANCE_PART_TAGS: Readonly<Record<BalancePart, readonly Entry[]>> = {
  commercial_paper: ["CommercialPaper"],
};

/** A part of depreciation and amortization. Beside a total it is mostly the figure of another statement or a note. */
const besideNoTotal = (tag: string): Candidate => ({
  tag,
  unless: [...DEPRECIATION_TOTALS, "DepreciationAndAmortization"],
});
export const CASH_FLOW_PART_TAGS: Readonly<Record<CashFlowPart, readonly Entry[]>> = {
  depreciation: [besideNoTotal("Depreciation")],
  amortization: [besideNoTotal("AdjustmentForAmortization")],
  amortization_of_intangible_assets: [
    { ...besideNoTotal("AmortizationOfIntangibleAssets"), proof: isBesideDepreciation },
  ],
};
