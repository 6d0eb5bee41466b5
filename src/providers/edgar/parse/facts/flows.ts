// The items of the three activities of a cash flow statement, and what their sums prove about one of them.
import { words } from "./parts.ts";
import { type Get, sumsOf } from "./proofs.ts";

/**
 * Items whose direction is in their name. Sums of payments less receipts are stated with the sign of their
 * first word.
 */
export interface Section {
  /** Totals of the section; the first that the filing has counts. */
  readonly totals: readonly string[];
  readonly in: readonly string[];
  /** Of names joined by a bar the first that the filing has counts. */
  readonly out: readonly string[];
}

const totalsOf = (activity: string) => [
  `NetCashProvidedByUsedIn${activity}Activities`,
  `NetCashProvidedByUsedIn${activity}ActivitiesContinuingOperations`,
];

const OPERATING: Section = {
  totals: totalsOf("Operating"),
  in: words(`
    ProfitLoss|NetIncomeLoss|IncomeLossFromContinuingOperations
    DepreciationDepletionAndAmortization|DepreciationAmortizationAndAccretionNet|DepreciationAndAmortization|Depreciation
    AdjustmentForAmortization AmortizationOfFinancingCosts AmortizationOfFinancingCostsAndDiscounts
    AmortizationOfDebtDiscountPremium ShareBasedCompensation ProvisionForDoubtfulAccounts
    AssetImpairmentCharges GoodwillImpairmentLoss InventoryWriteDown RestructuringCharges
    RestructuringCosts PensionAndOtherPostretirementBenefitExpense OtherNoncashExpense
    DeferredIncomeTaxExpenseBenefit DeferredIncomeTaxesAndTaxCredits TaxBenefitFromStockOptionsExercised
    EquityMethodInvestmentDividendsOrDistributions OtherOperatingActivitiesCashFlowStatement
    AdjustmentsNoncashItemsToReconcileNetIncomeLossToCashProvidedByUsedInOperatingActivitiesOther
    IncreaseDecreaseInAccountsPayable IncreaseDecreaseInAccountsPayableTrade
    IncreaseDecreaseInAccountsPayableAndAccruedLiabilities IncreaseDecreaseInAccruedLiabilities
    IncreaseDecreaseInOtherAccruedLiabilities IncreaseDecreaseInEmployeeRelatedLiabilities
    IncreaseDecreaseInDeferredRevenue IncreaseDecreaseInContractWithCustomerLiability
    IncreaseDecreaseInAccruedIncomeTaxesPayable IncreaseDecreaseInInterestPayableNet
    IncreaseDecreaseInOtherOperatingLiabilities IncreaseDecreaseInOtherCurrentLiabilities
    IncreaseDecreaseInOtherNoncurrentLiabilities IncreaseDecreaseInOperatingLeaseLiability
    IncreaseDecreaseInOperatingLiabilities`),
  out: words(`
    IncreaseDecreaseInAccountsReceivable IncreaseDecreaseInReceivables
    IncreaseDecreaseInAccountsAndNotesReceivable IncreaseDecreaseInAccountsAndOtherReceivables
    IncreaseDecreaseInInventories IncreaseDecreaseInPrepaidExpense
    IncreaseDecreaseInPrepaidDeferredExpenseAndOtherAssets IncreaseDecreaseInOtherOperatingAssets
    IncreaseDecreaseInOtherCurrentAssets IncreaseDecreaseInOtherNoncurrentAssets
    IncreaseDecreaseInOperatingCapital IncreaseDecreaseInOtherOperatingCapitalNet
    IncreaseDecreaseInIncomeTaxesReceivable IncreaseDecreaseInDeferredIncomeTaxes
    ExcessTaxBenefitFromShareBasedCompensationOperatingActivities GainLossOnSaleOfPropertyPlantEquipment
    GainLossOnDispositionOfAssets GainLossOnSaleOfOtherAssets GainLossOnInvestments
    GainLossOnSaleOfInvestments GainsLossesOnExtinguishmentOfDebt
    ForeignCurrencyTransactionGainLossUnrealized UnrealizedGainLossOnDerivatives
    IncomeLossFromEquityMethodInvestments|IncomeLossFromEquityMethodInvestmentsNetOfDividendsOrDistributions
    PaymentsForRestructuring PensionContributions PensionAndOtherPostretirementBenefitContributions
    OtherNoncashIncomeExpense`),
};

const INVESTING: Section = {
  totals: totalsOf("Investing"),
  in: words(`
    CashProvidedByUsedInInvestingActivitiesDiscontinuedOperations ProceedsFromCollectionOfNotesReceivable
    ProceedsFromDivestitureOfBusinesses ProceedsFromDivestitureOfBusinessesAndInterestsInAffiliates
    ProceedsFromDivestitureOfBusinessesNetOfCashDivested
    ProceedsFromDivestitureOfInterestInSubsidiariesAndAffiliates
    ProceedsFromInsuranceSettlementInvestingActivities
    ProceedsFromMaturitiesPrepaymentsAndCallsOfAvailableForSaleSecurities
    ProceedsFromMaturitiesPrepaymentsAndCallsOfHeldToMaturitySecurities
    ProceedsFromMaturitiesPrepaymentsAndCallsOfOtherInvestments
    ProceedsFromPaymentsForOtherInvestingActivities
    ProceedsFromSaleAndMaturityOfAvailableForSaleSecurities
    ProceedsFromSaleAndMaturityOfMarketableSecurities ProceedsFromSaleAndMaturityOfOtherInvestments
    ProceedsFromSaleMaturityAndCollectionsOfInvestments ProceedsFromSaleOfAvailableForSaleSecurities
    ProceedsFromSaleOfAvailableForSaleSecuritiesDebt ProceedsFromSaleOfAvailableForSaleSecuritiesEquity
    ProceedsFromSaleOfOilAndGasPropertyAndEquipment ProceedsFromSaleOfOtherInvestments
    ProceedsFromSaleOfOtherProductiveAssets ProceedsFromSaleOfProductiveAssets
    ProceedsFromSaleOfPropertyPlantAndEquipment ProceedsFromSaleOfShortTermInvestments`),
  out: words(`
    IncreaseDecreaseInRestrictedCash PaymentsForCapitalImprovements
    PaymentsForProceedsFromBusinessesAndInterestInAffiliates PaymentsForProceedsFromInvestments
    PaymentsForProceedsFromLoansAndLeases PaymentsForProceedsFromOtherInvestingActivities
    PaymentsForProceedsFromProductiveAssets PaymentsForProceedsFromShortTermInvestments
    PaymentsToAcquireAvailableForSaleSecurities PaymentsToAcquireAvailableForSaleSecuritiesDebt
    PaymentsToAcquireAvailableForSaleSecuritiesEquity PaymentsToAcquireBusinessesAndInterestInAffiliates
    PaymentsToAcquireBusinessesNetOfCashAcquired PaymentsToAcquireEquityMethodInvestments
    PaymentsToAcquireHeldToMaturitySecurities PaymentsToAcquireIntangibleAssets
    PaymentsToAcquireInterestInSubsidiariesAndAffiliates PaymentsToAcquireInvestments
    PaymentsToAcquireMachineryAndEquipment PaymentsToAcquireMarketableSecurities
    PaymentsToAcquireOilAndGasProperty PaymentsToAcquireOilAndGasPropertyAndEquipment
    PaymentsToAcquireOtherInvestments PaymentsToAcquireOtherProductiveAssets
    PaymentsToAcquireOtherPropertyPlantAndEquipment PaymentsToAcquireProductiveAssets
    PaymentsToAcquirePropertyPlantAndEquipment PaymentsToAcquireRealEstate
    PaymentsToAcquireShortTermInvestments PaymentsToAcquireSoftware PaymentsToDevelopRealEstateAssets
    PaymentsToDevelopSoftware PaymentsToExploreAndDevelopOilAndGasProperties`),
};

const FINANCING: Section = {
  totals: totalsOf("Financing"),
  in: words(`
    CashProvidedByUsedInFinancingActivitiesDiscontinuedOperations
    ExcessTaxBenefitFromShareBasedCompensationFinancingActivities IncreaseDecreaseInDeposits
    IncreaseDecreaseInOutstandingChecksFinancingActivities ProceedsFromBankDebt
    ProceedsFromConvertibleDebt ProceedsFromIssuanceOfCommercialPaper ProceedsFromIssuanceOfCommonStock
    ProceedsFromIssuanceOfLongTermDebt ProceedsFromIssuanceOfLongTermDebtAndCapitalSecuritiesNet
    ProceedsFromIssuanceOfOtherLongTermDebt ProceedsFromIssuanceOfSecuredDebt
    ProceedsFromIssuanceOfSeniorLongTermDebt
    ProceedsFromIssuanceOfSharesUnderIncentiveAndShareBasedCompensationPlans
    ProceedsFromIssuanceOfSharesUnderIncentiveAndShareBasedCompensationPlansIncludingStockOptions
    ProceedsFromIssuanceOrSaleOfEquity ProceedsFromLinesOfCredit ProceedsFromLongTermLinesOfCredit
    ProceedsFromMinorityShareholders ProceedsFromNotesPayable ProceedsFromOtherDebt
    ProceedsFromPaymentsForOtherFinancingActivities ProceedsFromPaymentsToMinorityShareholders
    ProceedsFromRepaymentsOfBankOverdrafts ProceedsFromRepaymentsOfCommercialPaper
    ProceedsFromRepaymentsOfDebt ProceedsFromRepaymentsOfLinesOfCredit
    ProceedsFromRepaymentsOfLongTermDebtAndCapitalSecurities ProceedsFromRepaymentsOfNotesPayable
    ProceedsFromRepaymentsOfOtherDebt ProceedsFromRepaymentsOfShortTermDebt
    ProceedsFromRepaymentsOfShortTermDebtMaturingInThreeMonthsOrLess ProceedsFromSaleOfTreasuryStock
    ProceedsFromShortTermDebt ProceedsFromStockOptionsExercised ProceedsFromStockPlans`),
  out: words(`
    PaymentsForProceedsFromHedgeFinancingActivities PaymentsForRepurchaseOfCommonStock
    PaymentsForRepurchaseOfEquity PaymentsForRepurchaseOfOtherEquity
    PaymentsForRepurchaseOfPreferredStockAndPreferenceStock PaymentsOfCapitalDistribution
    PaymentsOfDebtIssuanceCosts PaymentsOfDividends PaymentsOfDividendsCommonStock
    PaymentsOfDividendsMinorityInterest PaymentsOfDividendsPreferredStockAndPreferenceStock
    PaymentsOfFinancingCosts PaymentsOfOrdinaryDividends PaymentsOfStockIssuanceCosts
    PaymentsRelatedToTaxWithholdingForShareBasedCompensation
    PaymentsToAcquireAdditionalInterestInSubsidiaries PaymentsToMinorityShareholders RepaymentsOfBankDebt
    RepaymentsOfCommercialPaper RepaymentsOfConvertibleDebt RepaymentsOfDebt RepaymentsOfLinesOfCredit
    RepaymentsOfLongTermCapitalLeaseObligations RepaymentsOfLongTermDebt
    RepaymentsOfLongTermDebtAndCapitalSecurities RepaymentsOfLongTermLinesOfCredit
    RepaymentsOfNotesPayable RepaymentsOfOtherDebt RepaymentsOfOtherLongTermDebt
    RepaymentsOfRelatedPartyDebt RepaymentsOfSecuredDebt RepaymentsOfSeniorDebt RepaymentsOfShortTermDebt
    RepaymentsOfShortTermDebtMaturingInMoreThanThreeMonths RepaymentsOfUnsecuredDebt`),
};
export const SECTIONS: readonly Section[] = [OPERATING, INVESTING, FINANCING];

/**
 * Payments for property, plant and equipment under different names. One may be a part of another, or stand
 * beside it.
 */
const CAPITAL_PAYMENTS = words(`
  PaymentsToAcquirePropertyPlantAndEquipment PaymentsToAcquireProductiveAssets
  PaymentsToAcquireOtherPropertyPlantAndEquipment PaymentsForCapitalImprovements
  PaymentsToDevelopRealEstateAssets PaymentsToAcquireMachineryAndEquipment
  PaymentsToAcquireOilAndGasProperty PaymentsToAcquireOilAndGasPropertyAndEquipment
  PaymentsToExploreAndDevelopOilAndGasProperties`);
const PROPERTY = "PaymentsToAcquirePropertyPlantAndEquipment";
const OTHER_PROPERTY = "PaymentsToAcquireOtherPropertyPlantAndEquipment";
const PRODUCTIVE = "PaymentsToAcquireProductiveAssets";

/** Every tag that the sections name. */
export const FLOW_TAGS: readonly string[] = SECTIONS.flatMap((one) =>
  [...one.totals, ...one.in, ...one.out].flatMap((names) => names.split("|")),
);

/**
 * True when investing cash flow is the sum of the payment named `tag`, any of the other payments for
 * property, and every other item of the filing. The payment is then a line of the statement, not a figure of
 * a note.
 */
function isLineOfInvesting(tag: string, get: Get, tolerance: number): boolean {
  const total = INVESTING.totals.map(get).find((value) => value !== undefined);
  if (total === undefined) return false;
  const isRival = (other: string) => CAPITAL_PAYMENTS.includes(other) && other !== tag;
  const amounts = (tags: readonly string[]) => tags.map((one) => get(one) ?? 0);
  const sum = (tags: readonly string[]) => amounts(tags).reduce((all, amount) => all + amount, 0);
  const rest = sum(INVESTING.in) - sum(INVESTING.out.filter((other) => !isRival(other))) - total;
  const rivals = amounts(INVESTING.out.filter(isRival)).filter((amount) => amount !== 0);
  return sumsOf(rivals).some((paid) => Math.abs(rest - paid) <= tolerance);
}

/**
 * Accepts a payment as the capital expenditure. A larger payment for property shows that it is only a part.
 * Productive assets beside property may be the total or acquisitions: the sum of investing cash flow decides.
 */
export function isCapitalExpenditure(tag: string) {
  return (value: number, get: Get, tolerance: number): boolean => {
    const size = (other: string) => Math.abs(get(other) ?? 0);
    const differs = (other: string) => other !== tag && size(other) !== 0 && size(other) !== Math.abs(value);
    const isDisputed =
      tag === PRODUCTIVE ? differs(PROPERTY) || differs(OTHER_PROPERTY) : differs(PRODUCTIVE);
    // A payment that another one exceeds is not the whole, though both are lines of the statement.
    const exceeding = CAPITAL_PAYMENTS.filter((other) => size(other) > Math.abs(value));
    if (tag === PRODUCTIVE && exceeding.length > 0) return false;
    // Other property alone is all of it only where nothing is missing from investing cash flow.
    if (tag === OTHER_PROPERTY && size(PROPERTY) === 0 && size(PRODUCTIVE) === 0)
      return exceeding.length === 0 && isLineOfInvesting(tag, get, tolerance);
    return isDisputed ? isLineOfInvesting(tag, get, tolerance) : exceeding.length === 0;
  };
}
