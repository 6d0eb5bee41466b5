// Tags beside which another is a part of its line, or more than it.

/** Profit and equity that are not the parent's alone. */
export const OWNERS_APART = [
  "MinorityInterest",
  "NetIncomeLossAttributableToNoncontrollingInterest",
  "NetIncomeLossAttributableToRedeemableNoncontrollingInterest",
  "RedeemableNoncontrollingInterestEquityCarryingAmount",
  "ifrs-full:NoncontrollingInterests",
  "ifrs-full:ProfitLossAttributableToNoncontrollingInterests",
];
/** Results beside those of what goes on. */
export const DISCONTINUED = [
  "IncomeLossFromDiscontinuedOperationsNetOfTax",
  "IncomeLossFromDiscontinuedOperationsNetOfTaxAttributableToReportingEntity",
];
/** Intangible assets that finite-lived ones are not all of. */
export const INDEFINITE = [
  "IndefiniteLivedIntangibleAssetsExcludingGoodwill",
  "IndefiniteLivedTrademarks",
  "IndefiniteLivedTradeNames",
  "IndefiniteLivedFranchiseRights",
  "IndefiniteLivedLicenseAgreements",
  "OtherIndefiniteLivedIntangibleAssets",
];
/** What is written off beside depreciation, or what it is written off from. */
export const AMORTIZED = [
  "AmortizationOfIntangibleAssets",
  "AdjustmentForAmortization",
  "CapitalizedComputerSoftwareAmortization1",
  "OtherDepreciationAndAmortization",
  "FiniteLivedIntangibleAssetsNet",
];
/** What of long-term debt falls due within a year. */
export const CURRENT_PART = ["LongTermDebtCurrent", "LongTermDebtAndCapitalLeaseObligationsCurrent"];
