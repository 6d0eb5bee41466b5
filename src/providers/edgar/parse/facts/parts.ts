// Groups of tags. When a filing has one of a group, another tag is only a part of its line, or more than its
// line.

/** The words of a text: for long lists of tags. */
export const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Equity of the noncontrolling owners, by the forms of stock, partnerships and companies of members. */
export const NONCONTROLLING_EQUITY = [
  "MinorityInterest",
  "PartnersCapitalAttributableToNoncontrollingInterest",
  "MembersEquityAttributableToNoncontrollingInterest",
];
/** Noncontrolling interests: total profit and equity are then not the parent's alone. */
export const OWNERS_APART = [
  ...NONCONTROLLING_EQUITY,
  "NetIncomeLossAttributableToNoncontrollingInterest",
  "NetIncomeLossAttributableToRedeemableNoncontrollingInterest",
  "NetIncomeLossAttributableToNonredeemableNoncontrollingInterest",
  "IncomeLossFromContinuingOperationsAttributableToNoncontrollingEntity",
  "IncomeLossAttributableToNoncontrollingInterest",
  "MinorityInterestInNetIncomeLossOfConsolidatedEntities",
  "MinorityInterestInNetIncomeLossOperatingPartnerships",
  "MinorityInterestInNetIncomeLossLimitedPartnerships",
  "MinorityInterestInNetIncomeLossJointVenturePartners",
  "MinorityInterestInNetIncomeLossPreferredUnitHolders",
  "MinorityInterestInNetIncomeLossOtherMinorityInterests",
  "RedeemableNoncontrollingInterestEquityCarryingAmount",
  "ifrs-full:NoncontrollingInterests",
  "ifrs-full:ProfitLossAttributableToNoncontrollingInterests",
];
/** Results of discontinued operations. */
export const DISCONTINUED = [
  "IncomeLossFromDiscontinuedOperationsNetOfTax",
  "IncomeLossFromDiscontinuedOperationsNetOfTaxAttributableToReportingEntity",
];
/** Tags between the income of continuing operations and net income. */
export const BELOW_CONTINUING = [
  ...DISCONTINUED,
  "DiscontinuedOperationGainLossOnDisposalOfDiscontinuedOperationNetOfTax",
  "DiscontinuedOperationGainLossFromDisposalOfDiscontinuedOperationNetOfTax",
  "ExtraordinaryItemNetOfTax",
  "CumulativeEffectOfChangeInAccountingPrincipleNetOfTax",
];
/** Indefinite-lived intangible assets: the finite-lived ones are then not the total. */
export const INDEFINITE = words(`
  IndefiniteLivedIntangibleAssetsExcludingGoodwill IndefiniteLivedTrademarks IndefiniteLivedTradeNames
  IndefiniteLivedFranchiseRights IndefiniteLivedLicenseAgreements OtherIndefiniteLivedIntangibleAssets`);
/** The part of long-term debt that is due within a year. */
export const CURRENT_PART = ["LongTermDebtCurrent", "LongTermDebtAndCapitalLeaseObligationsCurrent"];
/** Other debt due within a year: beside it short-term borrowings are a part of such debt. */
export const OTHER_CURRENT_DEBT = words(`
  OtherLongTermDebtCurrent NotesPayableCurrent OtherNotesPayableCurrent
  NotesPayableRelatedPartiesClassifiedCurrent LoansPayableCurrent ConvertibleDebtCurrent
  ConvertibleNotesPayableCurrent ConvertibleSubordinatedDebtCurrent SecuredDebtCurrent UnsecuredDebtCurrent
  SeniorNotesCurrent SubordinatedDebtCurrent`);
/**
 * Borrowings for a short term, or of a term not stated: commercial paper beside one of them is a part of all
 * such borrowings.
 */
export const OTHER_SHORT_BORROWINGS = words(`
  ShortTermBankLoansAndNotesPayable ShortTermNonBankLoansAndNotesPayable OtherShortTermBorrowings
  OtherBorrowings NotesPayableCurrent LoansPayableCurrent OtherLoansPayableCurrent LinesOfCreditCurrent
  NotesPayable LoansPayable LineOfCredit`);
/**
 * Operations held for sale: cash at the end of the cash flow statement may include theirs, that of the
 * balance sheet does not.
 */
export const HELD_FOR_SALE = [
  "AssetsOfDisposalGroupIncludingDiscontinuedOperation",
  "AssetsOfDisposalGroupIncludingDiscontinuedOperationCurrent",
  "AssetsHeldForSaleCurrent",
];
/** Earnings of insurers and banks, whose investment income is only a part of their revenue. */
export const OTHER_TRADES = [
  "PremiumsEarnedNet",
  "PremiumsEarnedNetPropertyAndCasualty",
  "NoninterestIncome",
  "PolicyholderBenefitsAndClaimsIncurredNet",
];
