// Reads the equity of a balance sheet, and the redeemable equity outside it. Both stand between liabilities
// and the end of the balance sheet, whose sum shows which tag is which.
import type { Entry } from "./line.ts";
import { NONCONTROLLING_EQUITY } from "./parts.ts";
import { type Get, near } from "./proofs.ts";

/** Redeemable equity as a line of the balance sheet. */
const REDEEMABLE = [
  "TemporaryEquityCarryingAmountIncludingPortionAttributableToNoncontrollingInterests",
  "TemporaryEquityCarryingAmountAttributableToParent",
  "TemporaryEquityCarryingAmount",
  "TemporaryEquityValueExcludingAdditionalPaidInCapital",
  "RedeemableNoncontrollingInterestEquityCarryingAmount",
];
/**
 * Redeemable equity by other measures, which a note may give as well. A figure is the line only where the
 * balance sheet closes with it.
 */
const REDEEMABLE_BY_MEASURE = [
  "TemporaryEquityRedemptionValue",
  "RedeemableNoncontrollingInterestEquityRedemptionValue",
  "RedeemableNoncontrollingInterestEquityFairValue",
  "RedeemableNoncontrollingInterestEquityCommonCarryingAmount",
  "RedeemableNoncontrollingInterestEquityPreferredCarryingAmount",
  "RedeemableNoncontrollingInterestEquityOtherCarryingAmount",
  "TemporaryEquityAggregateAmountOfRedemptionRequirement",
  "OtherMinorityInterests",
  "MinorityInterestInPreferredUnitHolders",
];
const ALL_REDEEMABLE = [...REDEEMABLE, ...REDEEMABLE_BY_MEASURE];
const ALL_EQUITY = [
  "StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest",
  "PartnersCapitalIncludingPortionAttributableToNoncontrollingInterest",
  "LimitedLiabilityCompanyLlcMembersEquityIncludingPortionAttributableToNoncontrollingInterest",
];
const PARENT_EQUITY = [
  "StockholdersEquity",
  "PartnersCapital",
  "LimitedLiabilityCompanyLLCMembersEquity",
  "MembersEquity",
];
/** Preferred shares within equity. */
const PREFERRED_EQUITY = [
  "PreferredStockValue",
  "PreferredStockValueOutstanding",
  "PreferredStockIncludingAdditionalPaidInCapital",
  "PreferredStockIncludingAdditionalPaidInCapitalNetOfDiscount",
];
const [ASSETS, ASSETS_AGAIN, LIABILITIES] = ["Assets", "LiabilitiesAndStockholdersEquity", "Liabilities"];

/** Every tag that the proofs below read. */
export const EQUITY_PROOF_TAGS = [
  ...REDEEMABLE,
  ...REDEEMABLE_BY_MEASURE,
  ...ALL_EQUITY,
  ...PARENT_EQUITY,
  ...NONCONTROLLING_EQUITY,
  ...PREFERRED_EQUITY,
  ASSETS,
  ASSETS_AGAIN,
  LIABILITIES,
];

/** The tags of redeemable equity. */
export const TEMPORARY_EQUITY_TAGS: readonly Entry[] = [
  ...REDEEMABLE,
  ...REDEEMABLE_BY_MEASURE.map((tag): Entry => ({ tag, onlyClosing: true })),
];

/** Returns assets less liabilities; null when the filing lacks either. */
function restOf(get: Get): number | null {
  const [assets, claims] = [get(ASSETS) ?? get(ASSETS_AGAIN), get(LIABILITIES)];
  return assets === undefined || claims === undefined ? null : assets - claims;
}

/** True when assets = liabilities + temporary equity + this equity. */
export function closesBalance(equity: number, get: Get, tolerance: number): boolean {
  const rest = restOf(get);
  if (rest === null) return false;
  if (near(equity, rest, tolerance)) return true;
  for (const tag of ALL_REDEEMABLE) if (near((get(tag) ?? 0) + equity, rest, tolerance)) return true;
  return false;
}

/**
 * Accepts the equity of common shares as the parent's: it is all equity less the noncontrolling owners', or,
 * without such a total, no preferred shares are reported.
 */
export function isAllOfParent(value: number, get: Get, tolerance: number): boolean {
  const others = NONCONTROLLING_EQUITY.map((tag) => get(tag) ?? 0);
  const totals = ALL_EQUITY.flatMap((tag) => get(tag) ?? []);
  if (totals.length > 0)
    return totals.some((all) => others.some((other) => near(all - other, value, tolerance)));
  return PREFERRED_EQUITY.every((tag) => (get(tag) ?? 0) === 0);
}

/** True when assets = liabilities + this temporary equity + equity. */
export function closesBesideEquity(apart: number, get: Get, tolerance: number): boolean {
  const rest = restOf(get);
  if (rest === null || apart === 0) return false;
  const [others = 0] = NONCONTROLLING_EQUITY.flatMap((tag) => get(tag) ?? []);
  const parents = PARENT_EQUITY.flatMap((tag) => get(tag) ?? []);
  const totals = [
    ...ALL_EQUITY.flatMap((tag) => get(tag) ?? []),
    ...parents,
    ...parents.map((one) => one + others),
  ];
  return totals.some((equity) => near(apart + equity, rest, tolerance));
}
