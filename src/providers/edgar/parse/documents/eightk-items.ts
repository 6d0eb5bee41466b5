// The items of Form 8-K before and since 2004-08-23: number, official title, kind of event.

/** Items are numbered 1.01 to 9.01 from this filing date on, and 1 to 12 before it. */
const NUMBERED_BY_SECTION_SINCE = "2004-08-23";

export type ItemEra = "legacy" | "modern";

interface ItemKind {
  readonly title: string;
  /** Earlier titles of the item, and short forms in common use. */
  readonly otherTitles: readonly string[];
  /** Null for the list of exhibits, which is not an event. */
  readonly event_type: string | null;
  /** The item that replaced it in 2004; null for a modern item and for one without a successor. */
  readonly modern_item: string | null;
}

const modern = (title: string, event_type: string | null, ...otherTitles: string[]): ItemKind => ({
  title,
  otherTitles,
  event_type,
  modern_item: null,
});

const legacy = (
  number: number,
  modern_item: string | null,
  title: string,
  ...otherTitles: string[]
): [string, ItemKind] => [
  String(number),
  { title, otherTitles, event_type: `legacy_${number}`, modern_item },
];

const OBLIGATION = "a Direct Financial Obligation or an Obligation under an Off-Balance Sheet Arrangement";

const ITEMS: ReadonlyMap<string, ItemKind> = new Map([
  ["1.01", modern("Entry into a Material Definitive Agreement", "material_agreement")],
  ["1.02", modern("Termination of a Material Definitive Agreement", "agreement_terminated")],
  ["1.03", modern("Bankruptcy or Receivership", "bankruptcy")],
  ["1.04", modern("Mine Safety – Reporting of Shutdowns and Patterns of Violations", "mine_safety")],
  ["1.05", modern("Material Cybersecurity Incidents", "cybersecurity_incident")],
  ["2.01", modern("Completion of Acquisition or Disposition of Assets", "acquisition_disposition")],
  ["2.02", modern("Results of Operations and Financial Condition", "earnings_results")],
  ["2.03", modern(`Creation of ${OBLIGATION} of a Registrant`, "debt_obligation")],
  ["2.04", modern(`Triggering Events That Accelerate or Increase ${OBLIGATION}`, "obligation_acceleration")],
  ["2.05", modern("Costs Associated with Exit or Disposal Activities", "exit_costs")],
  ["2.06", modern("Material Impairments", "impairment")],
  [
    "3.01",
    modern(
      "Notice of Delisting or Failure to Satisfy a Continued Listing Rule or Standard; Transfer of Listing",
      "delisting_notice",
    ),
  ],
  ["3.02", modern("Unregistered Sales of Equity Securities", "unregistered_sale")],
  ["3.03", modern("Material Modification to Rights of Security Holders", "holder_rights_change")],
  ["4.01", modern("Changes in Registrant’s Certifying Accountant", "auditor_change")],
  [
    "4.02",
    modern(
      "Non-Reliance on Previously Issued Financial Statements or a Related Audit Report or Completed Interim Review",
      "non_reliance",
    ),
  ],
  ["5.01", modern("Changes in Control of Registrant", "control_change")],
  [
    "5.02",
    modern(
      "Departure of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers; " +
        "Compensatory Arrangements of Certain Officers",
      "management_change",
      "Departure of Directors or Principal Officers; Election of Directors; Appointment of Principal Officers",
    ),
  ],
  [
    "5.03",
    modern("Amendments to Articles of Incorporation or Bylaws; Change in Fiscal Year", "bylaws_change"),
  ],
  [
    "5.04",
    modern(
      "Temporary Suspension of Trading Under Registrant’s Employee Benefit Plans",
      "benefit_plan_blackout",
    ),
  ],
  [
    "5.05",
    modern(
      "Amendments to the Registrant’s Code of Ethics, or Waiver of a Provision of the Code of Ethics",
      "ethics_code",
    ),
  ],
  ["5.06", modern("Change in Shell Company Status", "shell_status")],
  ["5.07", modern("Submission of Matters to a Vote of Security Holders", "shareholder_vote")],
  ["5.08", modern("Shareholder Director Nominations", "director_nomination", "Shareholder Nominations")],
  ["6.01", modern("ABS Informational and Computational Material", "asset_backed")],
  ["6.02", modern("Change of Servicer or Trustee", "asset_backed")],
  ["6.03", modern("Change in Credit Enhancement or Other External Support", "asset_backed")],
  ["6.04", modern("Failure to Make a Required Distribution", "asset_backed")],
  ["6.05", modern("Securities Act Updating Disclosure", "asset_backed")],
  ["6.06", modern("Static Pool", "asset_backed")],
  ["7.01", modern("Regulation FD Disclosure", "regulation_fd")],
  ["8.01", modern("Other Events", "other_event", "Other Events and Regulation FD Disclosure")],
  [
    "9.01",
    modern(
      "Financial Statements and Exhibits",
      null,
      "Exhibits",
      "Financial Statements, Pro Forma Financial Information and Exhibits",
    ),
  ],
  legacy(1, "5.01", "Changes in Control of Registrant"),
  legacy(2, "2.01", "Acquisition or Disposition of Assets"),
  legacy(3, "1.03", "Bankruptcy or Receivership"),
  legacy(4, "4.01", "Changes in Registrant’s Certifying Accountant"),
  legacy(
    5,
    "8.01",
    "Other Events",
    "Other Events and Required FD Disclosure",
    "Other Events and Regulation FD Disclosure",
    "Other Materially Important Events",
  ),
  legacy(6, "5.02", "Resignations of Registrant’s Directors"),
  legacy(
    7,
    "9.01",
    "Financial Statements and Exhibits",
    "Exhibits",
    "Financial Statements, Pro Forma Financial Information and Exhibits",
  ),
  legacy(8, "5.03", "Change in Fiscal Year"),
  legacy(9, "7.01", "Regulation FD Disclosure", "Sales of Equity Securities Pursuant to Regulation S"),
  legacy(
    10,
    null,
    "Amendments to the Registrant’s Code of Ethics, or Waiver of a Provision of the Code of Ethics",
  ),
  legacy(11, null, "Temporary Suspension of Trading Under Registrant’s Employee Benefit Plans"),
  legacy(
    12,
    "2.02",
    "Results of Operations and Financial Condition",
    "Disclosure of Results of Operations and Financial Condition",
  ),
]);

const SMALL_WORDS = new Set("a an the of or and to in on under that with into".split(" "));

/**
 * Normalises a word for the comparison of titles: no plural s, case or apostrophes. Null for words in which
 * titles vary.
 */
export function titleWord(word: string): string | null {
  const plain = word.toLowerCase().replace(/['’]/g, "");
  return SMALL_WORDS.has(plain) ? null : plain.replace(/s$/, "");
}

function titleWords(title: string): string[] {
  return (title.match(/[\p{L}'’]+/gu) ?? []).map(titleWord).filter((word) => word !== null);
}

const TITLES: ReadonlyMap<string, readonly (readonly string[])[]> = new Map(
  [...ITEMS].map(([number, kind]) => [number, [kind.title, ...kind.otherTitles].map(titleWords)]),
);

/** The era of a filing by its filing date (YYYY-MM-DD). */
export function itemEra(filing_date: string): ItemEra {
  return filing_date < NUMBERED_BY_SECTION_SINCE ? "legacy" : "modern";
}

/** The era of item numbers such as "5" or "5.02"; null for an empty list. */
export function eraOfNumbers(numbers: readonly string[]): ItemEra | null {
  if (numbers.length === 0) return null;
  return numbers.some((number) => number.includes(".")) ? "modern" : "legacy";
}

/** True for an item that Form 8-K has or had: "1.01" to "9.01", "1" to "12". */
export function isItem(number: string): boolean {
  return ITEMS.has(number);
}

/** The item's official title. Callers check the number with `isItem` first. */
export function itemTitle(number: string): string {
  return ITEMS.get(number)?.title ?? `Item ${number}`;
}

/** The `event_type` of an item (docs/contract.md); null for 9.01 and for a number that is not an item. */
export function itemEventType(number: string): string | null {
  return ITEMS.get(number)?.event_type ?? null;
}

/** Today's number of an item: "12" → "2.02", "2.02" → "2.02"; null when it has no successor. */
export function modernItem(number: string): string | null {
  const kind = ITEMS.get(number);
  if (kind === undefined) return null;
  return number.includes(".") ? number : kind.modern_item;
}

/** The normalised words of every title of an item, the official title first. */
export function itemTitleWords(number: string): readonly (readonly string[])[] {
  return TITLES.get(number) ?? [];
}

/** Sorts by number: "2.02" before "9.01", "5" before "12". */
export function compareItems(a: string, b: string): number {
  return Number(a) - Number(b);
}

/**
 * The number of the item with this title, as a submission header's ITEM INFORMATION gives it; null when no
 * item of the era has it. Headers cut long titles, so the first three words are enough.
 */
export function itemOfTitle(title: string, era: ItemEra): string | null {
  const words = titleWords(title);
  if (words.length === 0) return null;
  const begins = (full: readonly string[]) => words.every((word, i) => word === full[i]);
  for (const [number, titles] of TITLES) {
    if (number.includes(".") !== (era === "modern")) continue;
    if (titles.some((full) => begins(full) && words.length >= Math.min(3, full.length))) return number;
  }
  return null;
}
