// Reads the equity of a balance sheet, and the redeemable equity outside it. Both stand between liabilities
// and the end of the balance sheet, whose sum shows which tag is which.
import type { Entry } from "./line.ts";
import { NONCONTROLLING_EQUITY, words } from "./parts.ts";
import { type Get, near } from "./proofs.ts";

/** Redeemable equity as a line of the balance sheet. */
const REDEEMABLE = words(`
  TemporaryEquityCarryingAmountIncludingPortionAttributableToNoncontrollingInterests
  TemporaryEquityCarryingAmountAttributableToParent TemporaryEquityCarryingAmount
  TemporaryEquityValueExcludingAdditionalPaidInCapital RedeemableNoncontrollingInterestEquityCarryingAmount`);
/**
 * Redeemable equity by other measures, which a note may give as well. A figure is the line only where the
 * balance sheet closes with it.
 */
const REDEEMABLE_BY_MEASURE = words(`
  TemporaryEquityRedemptionValue RedeemableNoncontrollingInterestEquityRedemptionValue
  RedeemableNoncontrollingInterestEquityFairValue RedeemableNoncontrollingInterestEquityCommonCarryingAmount
  RedeemableNoncontrollingInterestEquityPreferredCarryingAmount
  RedeemableNoncontrollingInterestEquityOtherCarryingAmount
  TemporaryEquityAggregateAmountOfRedemptionRequirement OtherMinorityInterests
  MinorityInterestInPreferredUnitHolders`);
const ALL_REDEEMABLE = [...REDEEMABLE, ...REDEEMABLE_BY_MEASURE];
export const ALL_EQUITY = [
  "StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest",
  "PartnersCapitalIncludingPortionAttributableToNoncontrollingInterest",
  "LimitedLiabilityCompanyLlcMembersEquityIncludingPortionAttributableToNoncontrollingInterest",
];
export const PARENT_EQUITY = [
  "StockholdersEquity",
  "PartnersCapital",
  "LimitedLiabilityCompanyLLCMembersEquity",
  "MembersEquity",
];
/** Preferred shares within equity. */
export const PREFERRED_EQUITY = [
  "PreferredStockValue",
  "PreferredStockValueOutstanding",
  "PreferredStockIncludingAdditionalPaidInCapital",
  "PreferredStockIncludingAdditionalPaidInCapitalNetOfDiscount",
];
const LONG_DEBT = ["LongTermDebtNoncurrent", "LongTermDebtAndCapitalLeaseObligations", "LongTermDebt"];
const [ASSETS, ASSETS_AGAIN, LIABILITIES] = ["Assets", "LiabilitiesAndStockholdersEquity", "Liabilities"];

/** Every tag that the proofs below read. */
export const EQUITY_PROOF_TAGS = [
  ...REDEEMABLE,
  ...REDEEMABLE_BY_MEASURE,
  ...ALL_EQUITY,
  ...PARENT_EQUITY,
  ...NONCONTROLLING_EQUITY,
  ...PREFERRED_EQUITY,
  ...LONG_DEBT,
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

const firstOf = (tags: readonly string[], get: Get): number | undefined => {
  for (const tag of tags) if (get(tag) !== undefined) return get(tag);
  return undefined;
};
const othersOf = (get: Get): number => firstOf(NONCONTROLLING_EQUITY, get) ?? 0;

/** How far assets are from liabilities, temporary equity and this equity; infinite where one is missing. */
function offBalance(equity: number, get: Get): number {
  const rest = restOf(get);
  if (rest === null) return Infinity;
  let off = Math.abs(equity - rest);
  for (const tag of ALL_REDEEMABLE) off = Math.min(off, Math.abs((get(tag) ?? 0) + equity - rest));
  return off;
}

/**
 * True when assets = liabilities + temporary equity + this equity, and not rather with that of other owners
 * added. Made up: of a rest of 4,557 and others of 1, an equity of 4,556 is the parent's.
 */
export function closesBalance(equity: number, get: Get, tolerance: number): boolean {
  const off = offBalance(equity, get);
  return off <= tolerance && off <= offBalance(equity + othersOf(get), get);
}

/** True when total and parent are exchanged: the one named total and that of others sum to the other. */
const areExchanged = (total: number, parent: number, others: number, tolerance: number): boolean =>
  others > tolerance && near(total + others, parent, tolerance);

/**
 * Rejects a total that the parts disprove: the balance sheet closes with them and not with it, it is
 * exchanged with the parent's equity, or it is the capitalisation, with long-term debt in it.
 */
export function isTotalEquity(value: number, get: Get, tolerance: number): boolean {
  const [parent, others] = [firstOf(PARENT_EQUITY, get), othersOf(get)];
  if (parent === undefined || near(parent + others, value, tolerance)) return true;
  if (offBalance(parent + others, get) <= tolerance) return false;
  if (areExchanged(value, parent, others, tolerance)) return false;
  const preferred = firstOf(PREFERRED_EQUITY, get) ?? 0;
  return ![0, preferred].some((more) =>
    LONG_DEBT.some((tag) => near(parent + others + more + (get(tag) || Number.NaN), value, tolerance)),
  );
}

/** Accepts the parent's equity as the total where the two are exchanged. */
export const isTotalOfParent = (value: number, get: Get, tolerance: number): boolean =>
  areExchanged(firstOf(ALL_EQUITY, get) ?? Number.NaN, value, othersOf(get), tolerance);

/** Accepts the total as the parent's equity where the two are exchanged. */
export const isParentOfTotal = (value: number, get: Get, tolerance: number): boolean =>
  areExchanged(value, firstOf(PARENT_EQUITY, get) ?? Number.NaN, othersOf(get), tolerance);

/**
 * Rejects a parent's equity that is the total: the balance sheet closes with it alone though others have a
 * part, or it is exchanged with the total.
 */
export function isParentEquity(value: number, get: Get, tolerance: number): boolean {
  const [total, others] = [firstOf(ALL_EQUITY, get), othersOf(get)];
  if (others === 0 || (total !== undefined && near(value + others, total, tolerance))) return true;
  return !(closesBalance(value, get, tolerance) || isTotalOfParent(value, get, tolerance));
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
