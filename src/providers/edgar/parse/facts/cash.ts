// Proofs about cash: which tag is the cash of the balance sheet, and whether the flows of a period sum to its
// change.
import { DISCONTINUED, words } from "./parts.ts";
import { type Get, near, sumsOf } from "./proofs.ts";

/** All cash including restricted cash; most filers give it only below their cash flows. */
export const ALL_CASH = "CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents";
/** Restricted cash. Where a filing has any, the total of all cash is more than its cash and equivalents. */
export const RESTRICTED_CASH = words(`
  RestrictedCash RestrictedCashCurrent RestrictedCashNoncurrent RestrictedCashEquivalents
  RestrictedCashEquivalentsCurrent RestrictedCashEquivalentsNoncurrent RestrictedCashAndCashEquivalents
  RestrictedCashAndCashEquivalentsAtCarryingValue RestrictedCashAndCashEquivalentsNoncurrent
  RestrictedCashAndInvestments RestrictedCashAndInvestmentsCurrent RestrictedCashAndInvestmentsNoncurrent`);
/** Cash of operations held for sale, which the total of all cash includes. */
export const HELD_CASH = [
  "DisposalGroupIncludingDiscontinuedOperationCashAndCashEquivalents",
  "DisposalGroupIncludingDiscontinuedOperationCash",
  "CashIncludedInCurrentAssetsOfDisposalGroup",
  "CashAndCashEquivalentsIncludedInAssetsOfDisposalGroup",
];
const CURRENT_ASSETS = "AssetsCurrent";
/** Current assets of operations held for sale. */
const HELD_CURRENT = [
  "AssetsHeldForSaleCurrent",
  "AssetsOfDisposalGroupIncludingDiscontinuedOperationCurrent",
];
/** Current assets beside cash. Tags of one group name the same amount, or a part of it. */
const OTHER_CURRENT_ASSETS = [
  HELD_CURRENT,
  ["AccountsReceivableNetCurrent", "ReceivablesNetCurrent", "AccountsNotesAndLoansReceivableNetCurrent"],
  ["ShortTermInvestments", "MarketableSecuritiesCurrent", "AvailableForSaleSecuritiesCurrent"],
  ["InventoryNet"],
  ["DeferredTaxAssetsNetCurrent"],
  ["DerivativeAssetsCurrent"],
  ["PrepaidExpenseAndOtherAssetsCurrent"],
  ["PrepaidExpenseCurrent"],
  ["OtherAssetsCurrent"],
];

/** Changes in cash that include the effect of exchange rates. */
export const CASH_CHANGES = [
  `${ALL_CASH}PeriodIncreaseDecreaseIncludingExchangeRateEffect`,
  "CashAndCashEquivalentsPeriodIncreaseDecrease",
  "CashPeriodIncreaseDecrease",
];
/** Changes in cash before the effect of exchange rates. */
export const CASH_CHANGES_BEFORE_RATES = [
  `${ALL_CASH}PeriodIncreaseDecreaseExcludingExchangeRateEffect`,
  "CashAndCashEquivalentsPeriodIncreaseDecreaseExcludingExchangeRateEffect",
  "CashPeriodIncreaseDecreaseExcludingExchangeRateEffect",
];
const EFFECT = "EffectOfExchangeRateOnCashAndCashEquivalents";
/** The effect of exchange rates on cash that a discontinued operation holds. */
export const EFFECT_DISCONTINUED = `${EFFECT}DiscontinuedOperations`;
export const EFFECT_CONTINUING = `${EFFECT}ContinuingOperations`;
/** Effects of exchange rates on cash, those on the total first. */
export const EXCHANGE_EFFECTS = [
  `EffectOfExchangeRateOn${ALL_CASH}`,
  `EffectOfExchangeRateOn${ALL_CASH}IncludingDisposalGroupAndDiscontinuedOperations`,
  EFFECT,
  EFFECT_CONTINUING,
  "EffectOfExchangeRateOnCash",
  "EffectOfExchangeRateOnCashContinuingOperations",
];

const ACTIVITIES = ["Operating", "Investing", "Financing"].map((name) => ({
  total: `NetCashProvidedByUsedIn${name}Activities`,
  continuing: `NetCashProvidedByUsedIn${name}ActivitiesContinuingOperations`,
  discontinued: `CashProvidedByUsedIn${name}ActivitiesDiscontinuedOperations`,
}));
const DISCONTINUED_CASH = "NetCashProvidedByUsedInDiscontinuedOperations";

/** Every tag that the proofs below read. */
export const CASH_PROOF_TAGS = [
  ALL_CASH,
  CURRENT_ASSETS,
  ...RESTRICTED_CASH,
  ...OTHER_CURRENT_ASSETS.flat(),
  ...CASH_CHANGES,
  ...CASH_CHANGES_BEFORE_RATES,
  ...EXCHANGE_EFFECTS,
  ...ACTIVITIES.flatMap(({ total, continuing, discontinued }) => [total, continuing, discontinued]),
  DISCONTINUED_CASH,
  EFFECT_DISCONTINUED,
];

/** Accepts the total of all cash as cash and equivalents: it is a current asset. */
export function isCurrentAsset(value: number, get: Get, tolerance: number): boolean {
  const assets = get(CURRENT_ASSETS);
  return assets === undefined || value <= assets + tolerance;
}

/**
 * Accepts the tag `Cash` as cash and equivalents where no total of all cash stands for the day, or where it
 * is that total less the restricted cash. It is else the figure of a note.
 */
export function isCashOfTotal(value: number, get: Get, tolerance: number): boolean {
  const total = get(ALL_CASH);
  if (total === undefined || near(value, total, tolerance)) return true;
  const apart = RESTRICTED_CASH.map((tag) => get(tag) ?? 0).filter((amount) => amount !== 0);
  const sum = apart.reduce((all, amount) => all + amount, 0);
  return [sum, ...apart].some((restricted) => restricted !== 0 && near(value + restricted, total, tolerance));
}

/**
 * True when cash holds that of operations held for sale, as the cash with which the cash flows end may: with
 * the other current assets it is more than all of them, and with none of them it is as much.
 */
export function exceedsCurrentAssets(cash: number, get: Get, tolerance: number): boolean {
  const assets = get(CURRENT_ASSETS);
  if (assets === undefined || HELD_CURRENT.every((tag) => (get(tag) ?? 0) === 0)) return false;
  const others = OTHER_CURRENT_ASSETS.map((group) => Math.max(...group.map((tag) => get(tag) ?? 0)));
  const all = others.reduce((sum, amount) => sum + amount, cash);
  if (all <= assets + tolerance) return false;
  return !sumsOf(others.filter((amount) => amount > 0)).some((sum) => near(cash + sum, assets, tolerance));
}

/**
 * True when a change in cash follows from operating, investing and financing cash flow, each as its total,
 * else of continuing operations, with or without the discontinued ones, and one of the effects of exchange
 * rates.
 */
function closes(change: number, effects: readonly number[], get: Get, tolerance: number): boolean {
  let sum = 0;
  let apart = 0;
  for (const { total, continuing, discontinued } of ACTIVITIES) {
    const whole = get(total);
    const flow = whole ?? get(continuing);
    if (flow === undefined) return false;
    sum += flow;
    if (whole === undefined) apart += get(discontinued) ?? 0;
  }
  return effects.some(
    (effect) => near(sum + effect, change, tolerance) || near(sum + apart + effect, change, tolerance),
  );
}

function valuesOf(tags: readonly string[], get: Get): number[] {
  const values: number[] = [];
  for (const tag of tags) {
    const value = get(tag);
    if (value !== undefined) values.push(value);
  }
  return values;
}

/**
 * True when the flows of the three activities and the effect of exchange rates sum to this change in cash.
 */
export function closesChange(change: number, get: Get, tolerance: number): boolean {
  const effects = valuesOf(EXCHANGE_EFFECTS, get).filter((effect) => effect !== 0);
  return closes(change, effects.length > 0 ? effects : [0], get, tolerance);
}

/** True when a change in cash is the sum of the flows and this effect of exchange rates. */
export const closesWithEffect = (effect: number, get: Get, tolerance: number): boolean =>
  valuesOf(CASH_CHANGES, get).some((change) => closes(change, [effect], get, tolerance));

/**
 * Accepts the cash flow of continuing operations as the total when nothing of the activity is discontinued in
 * the period: no result is, or the flows close, or the cash of all discontinued operations is that of the
 * other activities. Without a discontinued result, a sum that is open for a line that is not read is no
 * disproof, as an effect under a tag of the filer's own.
 */
export function isOfAllOperations(_value: number, get: Get, tolerance: number): boolean {
  const parts = valuesOf([...ACTIVITIES.map(({ discontinued }) => discontinued), EFFECT_DISCONTINUED], get);
  const apart = parts.reduce((sum, part) => sum + part, 0);
  const all = get(DISCONTINUED_CASH) ?? 0;
  if (all !== 0) return near(apart, all, tolerance);
  if (DISCONTINUED.every((tag) => (get(tag) ?? 0) === 0)) return true;
  const effects = [0, ...valuesOf(EXCHANGE_EFFECTS, get)];
  const changes = valuesOf([...CASH_CHANGES, ...CASH_CHANGES_BEFORE_RATES], get);
  return parts.length > 0 || changes.some((change) => closes(change, effects, get, 2 * tolerance));
}
