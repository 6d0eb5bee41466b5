// The tags of lines that are parts, or other totals, of the contract's items: what filers report where the
// item itself has no tag. None of them is summed here.
import { PREFERRED_EQUITY } from "./equity.ts";
import type { Entry } from "./line.ts";
import { exceedsItsCosts, isAllCosts, isApartFromTotals, isBesideDepreciation } from "./proofs.ts";
import type { BalancePart, CashFlowPart, IncomePart } from "./records.ts";

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
  notes_payable_current: ["NotesPayableCurrent"],
  loans_payable_current: ["LoansPayableCurrent", "ShortTermBankLoansAndNotesPayable"],
  convertible_debt_current: ["ConvertibleDebtCurrent", "ConvertibleNotesPayableCurrent"],
  line_of_credit: ["LineOfCredit"],
  line_of_credit_current: ["LinesOfCreditCurrent"],
  line_of_credit_noncurrent: ["LongTermLineOfCredit"],
  notes_payable: ["NotesPayable"],
  loans_payable: ["LoansPayable"],
  long_term_notes_payable: ["LongTermNotesPayable"],
  long_term_loans_payable: ["LongTermLoansPayable", "LongTermLoansFromBank"],
  convertible_debt_noncurrent: ["ConvertibleDebtNoncurrent", "ConvertibleLongTermNotesPayable"],
  // Beside the noncurrent part it is the rounded figure of a note.
  long_term_debt_with_current: [
    { tag: "LongTermDebt", unless: ["LongTermDebtNoncurrent", "LongTermDebtAndCapitalLeaseObligations"] },
    "LongTermDebtAndCapitalLeaseObligationsIncludingCurrentMaturities",
  ],
  deferred_revenue_noncurrent: ["ContractWithCustomerLiabilityNoncurrent", "DeferredRevenueNoncurrent"],
  deferred_revenue_total: ["ContractWithCustomerLiability", "DeferredRevenue"],
  utility_property: ["PublicUtilitiesPropertyPlantAndEquipmentNet"],
  cash_and_due_from_banks: ["CashAndDueFromBanks"],
  preferred_stock: PREFERRED_EQUITY,
};

/**
 * Parts of depreciation and amortization. Beside a total they are mostly figures of another statement or a
 * note.
 */
export const CASH_FLOW_PART_TAGS: Readonly<Record<CashFlowPart, readonly Entry[]>> = {
  depreciation: [{ tag: "Depreciation", proof: isApartFromTotals }],
  amortization: [{ tag: "AdjustmentForAmortization", proof: isApartFromTotals }],
  amortization_of_intangible_assets: [{ tag: "AmortizationOfIntangibleAssets", proof: isBesideDepreciation }],
};
