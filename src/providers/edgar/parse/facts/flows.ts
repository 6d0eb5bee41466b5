// The items of investing and financing cash flow, and what their sums prove about one of them.
import type { Get } from "./proofs.ts";

type Direction = "in" | "out";
/**
 * Items whose direction is in their name. Sums of payments less receipts are stated with the sign of their
 * first word.
 */
interface Section {
  /** Totals of the section; the first that the filing has counts. */
  readonly totals: readonly string[];
  readonly in: readonly string[];
  readonly out: readonly string[];
}

const INVESTING: Section = {
  totals: [
    "NetCashProvidedByUsedInInvestingActivities",
    "NetCashProvidedByUsedInInvestingActivitiesContinuingOperations",
  ],
  in: [
    "CashProvidedByUsedInInvestingActivitiesDiscontinuedOperations",
    "ProceedsFromCollectionOfNotesReceivable",
    "ProceedsFromDivestitureOfBusinesses",
    "ProceedsFromDivestitureOfBusinessesAndInterestsInAffiliates",
    "ProceedsFromDivestitureOfBusinessesNetOfCashDivested",
    "ProceedsFromDivestitureOfInterestInSubsidiariesAndAffiliates",
    "ProceedsFromInsuranceSettlementInvestingActivities",
    "ProceedsFromMaturitiesPrepaymentsAndCallsOfAvailableForSaleSecurities",
    "ProceedsFromMaturitiesPrepaymentsAndCallsOfHeldToMaturitySecurities",
    "ProceedsFromMaturitiesPrepaymentsAndCallsOfOtherInvestments",
    "ProceedsFromPaymentsForOtherInvestingActivities",
    "ProceedsFromSaleAndMaturityOfAvailableForSaleSecurities",
    "ProceedsFromSaleAndMaturityOfMarketableSecurities",
    "ProceedsFromSaleAndMaturityOfOtherInvestments",
    "ProceedsFromSaleMaturityAndCollectionsOfInvestments",
    "ProceedsFromSaleOfAvailableForSaleSecurities",
    "ProceedsFromSaleOfAvailableForSaleSecuritiesDebt",
    "ProceedsFromSaleOfAvailableForSaleSecuritiesEquity",
    "ProceedsFromSaleOfOilAndGasPropertyAndEquipment",
    "ProceedsFromSaleOfOtherInvestments",
    "ProceedsFromSaleOfOtherProductiveAssets",
    "ProceedsFromSaleOfProductiveAssets",
    "ProceedsFromSaleOfPropertyPlantAndEquipment",
    "ProceedsFromSaleOfShortTermInvestments",
  ],
  out: [
    "IncreaseDecreaseInRestrictedCash",
    "PaymentsForCapitalImprovements",
    "PaymentsForProceedsFromBusinessesAndInterestInAffiliates",
    "PaymentsForProceedsFromInvestments",
    "PaymentsForProceedsFromLoansAndLeases",
    "PaymentsForProceedsFromOtherInvestingActivities",
    "PaymentsForProceedsFromProductiveAssets",
    "PaymentsForProceedsFromShortTermInvestments",
    "PaymentsToAcquireAvailableForSaleSecurities",
    "PaymentsToAcquireAvailableForSaleSecuritiesDebt",
    "PaymentsToAcquireAvailableForSaleSecuritiesEquity",
    "PaymentsToAcquireBusinessesAndInterestInAffiliates",
    "PaymentsToAcquireBusinessesNetOfCashAcquired",
    "PaymentsToAcquireEquityMethodInvestments",
    "PaymentsToAcquireHeldToMaturitySecurities",
    "PaymentsToAcquireIntangibleAssets",
    "PaymentsToAcquireInterestInSubsidiariesAndAffiliates",
    "PaymentsToAcquireInvestments",
    "PaymentsToAcquireMachineryAndEquipment",
    "PaymentsToAcquireMarketableSecurities",
    "PaymentsToAcquireOilAndGasProperty",
    "PaymentsToAcquireOilAndGasPropertyAndEquipment",
    "PaymentsToAcquireOtherInvestments",
    "PaymentsToAcquireOtherProductiveAssets",
    "PaymentsToAcquireOtherPropertyPlantAndEquipment",
    "PaymentsToAcquireProductiveAssets",
    "PaymentsToAcquirePropertyPlantAndEquipment",
    "PaymentsToAcquireRealEstate",
    "PaymentsToAcquireShortTermInvestments",
    "PaymentsToAcquireSoftware",
    "PaymentsToDevelopRealEstateAssets",
    "PaymentsToDevelopSoftware",
    "PaymentsToExploreAndDevelopOilAndGasProperties",
  ],
};

const FINANCING: Section = {
  totals: [
    "NetCashProvidedByUsedInFinancingActivities",
    "NetCashProvidedByUsedInFinancingActivitiesContinuingOperations",
  ],
  in: [
    "CashProvidedByUsedInFinancingActivitiesDiscontinuedOperations",
    "ExcessTaxBenefitFromShareBasedCompensationFinancingActivities",
    "IncreaseDecreaseInDeposits",
    "IncreaseDecreaseInOutstandingChecksFinancingActivities",
    "ProceedsFromBankDebt",
    "ProceedsFromConvertibleDebt",
    "ProceedsFromIssuanceOfCommercialPaper",
    "ProceedsFromIssuanceOfCommonStock",
    "ProceedsFromIssuanceOfLongTermDebt",
    "ProceedsFromIssuanceOfLongTermDebtAndCapitalSecuritiesNet",
    "ProceedsFromIssuanceOfOtherLongTermDebt",
    "ProceedsFromIssuanceOfSecuredDebt",
    "ProceedsFromIssuanceOfSeniorLongTermDebt",
    "ProceedsFromIssuanceOfSharesUnderIncentiveAndShareBasedCompensationPlans",
    "ProceedsFromIssuanceOfSharesUnderIncentiveAndShareBasedCompensationPlansIncludingStockOptions",
    "ProceedsFromIssuanceOrSaleOfEquity",
    "ProceedsFromLinesOfCredit",
    "ProceedsFromLongTermLinesOfCredit",
    "ProceedsFromMinorityShareholders",
    "ProceedsFromNotesPayable",
    "ProceedsFromOtherDebt",
    "ProceedsFromPaymentsForOtherFinancingActivities",
    "ProceedsFromPaymentsToMinorityShareholders",
    "ProceedsFromRepaymentsOfBankOverdrafts",
    "ProceedsFromRepaymentsOfCommercialPaper",
    "ProceedsFromRepaymentsOfDebt",
    "ProceedsFromRepaymentsOfLinesOfCredit",
    "ProceedsFromRepaymentsOfLongTermDebtAndCapitalSecurities",
    "ProceedsFromRepaymentsOfNotesPayable",
    "ProceedsFromRepaymentsOfOtherDebt",
    "ProceedsFromRepaymentsOfShortTermDebt",
    "ProceedsFromRepaymentsOfShortTermDebtMaturingInThreeMonthsOrLess",
    "ProceedsFromSaleOfTreasuryStock",
    "ProceedsFromShortTermDebt",
    "ProceedsFromStockOptionsExercised",
    "ProceedsFromStockPlans",
  ],
  out: [
    "PaymentsForProceedsFromHedgeFinancingActivities",
    "PaymentsForRepurchaseOfCommonStock",
    "PaymentsForRepurchaseOfEquity",
    "PaymentsForRepurchaseOfOtherEquity",
    "PaymentsForRepurchaseOfPreferredStockAndPreferenceStock",
    "PaymentsOfCapitalDistribution",
    "PaymentsOfDebtIssuanceCosts",
    "PaymentsOfDividends",
    "PaymentsOfDividendsCommonStock",
    "PaymentsOfDividendsMinorityInterest",
    "PaymentsOfDividendsPreferredStockAndPreferenceStock",
    "PaymentsOfFinancingCosts",
    "PaymentsOfOrdinaryDividends",
    "PaymentsOfStockIssuanceCosts",
    "PaymentsRelatedToTaxWithholdingForShareBasedCompensation",
    "PaymentsToAcquireAdditionalInterestInSubsidiaries",
    "PaymentsToMinorityShareholders",
    "RepaymentsOfBankDebt",
    "RepaymentsOfCommercialPaper",
    "RepaymentsOfConvertibleDebt",
    "RepaymentsOfDebt",
    "RepaymentsOfLinesOfCredit",
    "RepaymentsOfLongTermCapitalLeaseObligations",
    "RepaymentsOfLongTermDebt",
    "RepaymentsOfLongTermDebtAndCapitalSecurities",
    "RepaymentsOfLongTermLinesOfCredit",
    "RepaymentsOfNotesPayable",
    "RepaymentsOfOtherDebt",
    "RepaymentsOfOtherLongTermDebt",
    "RepaymentsOfRelatedPartyDebt",
    "RepaymentsOfSecuredDebt",
    "RepaymentsOfSeniorDebt",
    "RepaymentsOfShortTermDebt",
    "RepaymentsOfShortTermDebtMaturingInMoreThanThreeMonths",
    "RepaymentsOfUnsecuredDebt",
  ],
};
const SECTIONS = [INVESTING, FINANCING];

/**
 * Payments for property, plant and equipment under different names. One may be a part of another, or stand
 * beside it.
 */
const CAPITAL_PAYMENTS = [
  "PaymentsToAcquirePropertyPlantAndEquipment",
  "PaymentsToAcquireProductiveAssets",
  "PaymentsToAcquireOtherPropertyPlantAndEquipment",
  "PaymentsForCapitalImprovements",
  "PaymentsToDevelopRealEstateAssets",
  "PaymentsToAcquireMachineryAndEquipment",
  "PaymentsToAcquireOilAndGasProperty",
  "PaymentsToAcquireOilAndGasPropertyAndEquipment",
  "PaymentsToExploreAndDevelopOilAndGasProperties",
];
const PROPERTY = "PaymentsToAcquirePropertyPlantAndEquipment";
const OTHER_PROPERTY = "PaymentsToAcquireOtherPropertyPlantAndEquipment";
const PRODUCTIVE = "PaymentsToAcquireProductiveAssets";

/** Every tag that the functions of this file read. */
export const FLOW_TAGS: readonly string[] = SECTIONS.flatMap((one) => [...one.totals, ...one.in, ...one.out]);

interface Item {
  readonly tag: string;
  readonly value: number;
  readonly direction: Direction;
}

/** The items of a section that are not zero, and its total; null when the filing has no total. */
function readSection(
  section: Section,
  get: Get,
): { readonly items: readonly Item[]; readonly total: number } | null {
  const total = section.totals.map(get).find((value) => value !== undefined);
  if (total === undefined) return null;
  const itemsOf = (direction: Direction): Item[] =>
    section[direction].flatMap((tag) => {
      const value = get(tag) ?? 0;
      return value === 0 ? [] : [{ tag, value, direction }];
    });
  return { items: [...itemsOf("in"), ...itemsOf("out")], total };
}

/** Every way to leave out some of `items`, the complete list first. */
function subsets(items: readonly Item[]): (readonly Item[])[] {
  const [first, ...rest] = items;
  if (!first) return [[]];
  const others = subsets(rest);
  return [...others.map((one) => [first, ...one]), ...others];
}

const effectOf = ({ value, direction }: Item): number => (direction === "in" ? value : -value);

/**
 * True when investing cash flow is the sum of the payment named `tag`, any of the other payments for
 * property, and every other item of the filing. The payment is then a line of the statement, not a figure of
 * a note.
 */
function isLineOfInvesting(tag: string, get: Get, tolerance: number): boolean {
  const section = readSection(INVESTING, get);
  if (!section) return false;
  const rivals = section.items.filter((item) => CAPITAL_PAYMENTS.includes(item.tag) && item.tag !== tag);
  const fixed = section.items.filter((item) => !rivals.includes(item));
  const sum = (items: readonly Item[]) => items.reduce((before, item) => before + effectOf(item), 0);
  return subsets(rivals).some((lines) => Math.abs(sum(fixed) + sum(lines) - section.total) <= tolerance);
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

/** Payments less receipts: their sign is their direction. */
const NET = /^(?:PaymentsForProceedsFrom|IncreaseDecreaseIn)/;

/**
 * True when a payment that is filed as a negative number is a payment: its section sums to its total only
 * with every payment counted as a use of cash. Payments less receipts may have the sign of their name or that
 * of the cash.
 */
export function isPaymentBySums(tag: string, value: number, get: Get, tolerance: number): boolean {
  const of = SECTIONS.find(({ out }) => out.includes(tag));
  const section = of && readSection(of, get);
  if (!section || value >= -tolerance || NET.test(tag)) return false;
  const sumWith = (netSign: 1 | -1) =>
    section.items.reduce((sum, item) => {
      if (item.direction === "in") return sum + item.value;
      return sum + (NET.test(item.tag) ? netSign * item.value : -Math.abs(item.value));
    }, 0);
  return [sumWith(-1), sumWith(1)].some((sum) => Math.abs(sum - section.total) <= tolerance);
}
