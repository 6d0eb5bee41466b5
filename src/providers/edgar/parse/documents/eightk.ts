// Finds the items of one 8-K and the text of its body under each.
import { findBareHeadings } from "./eightk-bare-headings.ts";
import { type Bounds, findBounds, isTrailingLine, saysNothing } from "./eightk-bounds.ts";
import { findHeadings, type Heading } from "./eightk-headings.ts";
import { compareItems, eraOfNumbers, type ItemEra, isItem, itemEra, itemTitle } from "./eightk-items.ts";
import { type ParseBudget, ParseFailed } from "./filing-text-budget.ts";

export interface EightKItem {
  /** "5.02", or "5" before 2004-08-23. */
  readonly item_number: string;
  /** The item's official title. */
  readonly event_title: string;
  /** The text under its heading; null when the heading or any text under it was not found. */
  readonly content: string | null;
  readonly content_source: "body";
}

export interface EightK {
  /** Sorted by number. Each item once: parts under repeated headings are joined in order. */
  readonly items: readonly EightKItem[];
  /** Sentences that say what is unusual about these items. */
  readonly problems: readonly string[];
}

export interface EightKText {
  /** The body in plain text (toPlainText). */
  readonly text: string;
  /** YYYY-MM-DD. */
  readonly filing_date: string;
  /**
   * The items that the filing itself lists (submissions, header); no others exist. Null or empty when
   * unknown.
   */
  readonly items: readonly string[] | null;
}

const CONTENT_LEAD = /^[\s.:;–—|*_=-]{0,200}/;

/** The item that lists the exhibits. */
const EXHIBIT_LIST: Readonly<Record<ItemEra, string>> = { modern: "9.01", legacy: "7" };

function isExhibitList(number: string): boolean {
  return number === EXHIBIT_LIST.modern || number === EXHIBIT_LIST.legacy;
}

function hasLetters(text: string): boolean {
  return /\p{L}/u.test(text);
}

/**
 * The text from `start` to `end`, without page numbers or the next section's name at its end; null when
 * empty.
 */
function cleanContent(text: string, start: number, end: number): string | null {
  const lines = text.slice(start, end).replace(CONTENT_LEAD, "").split("\n");
  while (lines.length > 0 && isTrailingLine(lines.at(-1) ?? "")) lines.pop();
  const content = lines.join("\n").trim();
  return hasLetters(content) ? content : null;
}

interface Section {
  readonly heading: Heading;
  readonly content: string | null;
  /** No end of an item lies between this heading and the next. */
  readonly isOpen: boolean;
}

interface Body {
  readonly text: string;
  readonly bounds: Bounds;
}

/** Pairs every heading with its text, which ends at the next heading or stop. */
function cutSections({ text, bounds }: Body, headings: readonly Heading[]): Section[] {
  let passed = 0;
  return headings.map((heading, i) => {
    while ((bounds.stops[passed] ?? text.length) < heading.end) passed += 1;
    const nextStart = headings[i + 1]?.start ?? text.length;
    const end = Math.min(nextStart, bounds.signatures, bounds.stops[passed] ?? text.length);
    const content = end > heading.end ? cleanContent(text, heading.end, end) : null;
    return { heading, content, isOpen: end === nextStart };
  });
}

/** Removes headings of a table of contents: those without text whose items all come again. */
function withoutContents(body: Body, headings: readonly Heading[]): Heading[] {
  const later = new Set<string>();
  const remaining: Heading[] = [];
  for (const { heading, content } of cutSections(body, headings).toReversed()) {
    if (content !== null || !heading.numbers.every((number) => later.has(number))) remaining.push(heading);
    for (const number of heading.numbers) later.add(number);
  }
  return remaining.reverse();
}

/** Removes rows of the exhibit list that name an item again ("Item 2.02 Results …⇥Press release"). */
function withoutExhibitRows(headings: readonly Heading[]): Heading[] {
  const seen = new Set<string>();
  let isInExhibits = false;
  return headings.filter(({ numbers }) => {
    if (isInExhibits && numbers.every((number) => seen.has(number))) return false;
    isInExhibits = numbers.every(isExhibitList);
    for (const number of numbers) seen.add(number);
    return true;
  });
}

/** Chooses all titled headings, and weaker headings only for items without a stronger one. */
function chooseHeadings(headings: readonly Heading[], listed: ReadonlySet<string> | null): Heading[] {
  const sure = new Set(headings.filter((h) => h.kind === "titled").flatMap((h) => h.numbers));
  const isNeeded = (number: string) => !sure.has(number) && (listed?.has(number) ?? true);
  const chosen = headings.filter(
    (h) => h.kind === "titled" || (h.kind === "untitled" && h.numbers.some(isNeeded)),
  );
  const found = new Set(chosen.flatMap((h) => h.numbers));
  const isMissing = (number: string) => (listed?.has(number) ?? false) && !found.has(number);
  const isChosen = new Set(chosen);
  return headings.filter((h) => isChosen.has(h) || (h.kind === "inline" && h.numbers.some(isMissing)));
}

/** Adds headings without the word Item, for listed items that have no other heading. */
function withBare(
  body: Body,
  headings: readonly Heading[],
  { listed, era }: { readonly listed: readonly string[]; readonly era: ItemEra },
  budget: ParseBudget,
): readonly Heading[] {
  const found = new Set(headings.flatMap((heading) => heading.numbers));
  const missing = new Set(listed.filter((number) => !found.has(number)));
  if (missing.size === 0) return headings;
  // Filings sometimes do not list the exhibit item, but its heading still ends the item before it.
  if (!found.has(EXHIBIT_LIST[era])) missing.add(EXHIBIT_LIST[era]);
  const bare = findBareHeadings(body.text, { era, missing, known: headings }, budget).filter(
    (heading) => heading.start < body.bounds.signatures,
  );
  if (bare.length === 0) return headings;
  return withoutContents(
    body,
    [...headings, ...bare].sort((a, b) => a.start - b.start),
  );
}

/**
 * Collects the text of every item. A heading right above another shares its text, unless that one lists
 * exhibits.
 */
function contentByItem(sections: readonly Section[]): Map<string, string[]> {
  const byItem = new Map<string, string[]>();
  let below: string | null = null;
  for (const { heading, content, isOpen } of sections.toReversed()) {
    const isList = heading.numbers.every(isExhibitList);
    const shared: string | null = content ?? (isOpen && !isList ? below : null);
    for (const number of heading.numbers) {
      const parts = byItem.get(number) ?? [];
      if (shared !== null) parts.push(shared);
      byItem.set(number, parts);
    }
    below = isList ? null : shared;
  }
  return byItem;
}

function namesOf(numbers: Iterable<string>): string {
  return [...numbers].sort(compareItems).join(", ");
}

function describeProblems(found: ReadonlyMap<string, string[]>, listed: readonly string[] | null): string[] {
  const problems: string[] = [];
  const report = (numbers: readonly string[], what: string) => {
    if (numbers.length > 0) problems.push(`${what}: ${namesOf(numbers)}`);
  };
  const expected = listed ?? [...found.keys()];
  report(
    expected.filter((n) => !found.has(n)),
    "listed by the filing, but without a heading in its text",
  );
  report(
    expected.filter((n) => found.get(n)?.length === 0),
    "no text under the heading",
  );
  if (listed)
    report(
      [...found.keys()].filter((n) => !listed.includes(n)),
      "under a heading, but not listed by the filing",
    );
  return problems;
}

/**
 * Reads the items of an 8-K from its plain text. When the filing lists its items, exactly those are returned,
 * and the text only shows where they are. Otherwise the headings decide, without items that are said not to
 * apply.
 *
 * Throws ParseFailed `no_body` for a text without words, `no_item_headings` when no heading of its items is
 * found.
 */
export function parseEightK(input: EightKText, budget: ParseBudget): EightK {
  const { text } = input;
  if (!hasLetters(text)) throw new ParseFailed("no_body", "the body of the filing has no text");
  const named = [...new Set(input.items?.map((number) => number.trim()))].filter((number) => number !== "");
  const listed = named.length > 0 ? named.filter(isItem) : null;
  const era = eraOfNumbers(listed ?? []) ?? itemEra(input.filing_date);
  const body: Body = { text, bounds: findBounds(text, budget) };
  const all = findHeadings(text, era, budget).filter((heading) => heading.start < body.bounds.signatures);
  const sure = chooseHeadings(withoutContents(body, all), listed && new Set(listed));
  const chosen = withBare(body, sure, { listed: listed ?? [], era }, budget);
  budget.spend(2 * text.length);
  const found = contentByItem(cutSections(body, withoutExhibitRows(chosen)));
  const numbers = (listed ?? [...found.keys()]).toSorted(compareItems);
  if (!numbers.some((number) => found.has(number)))
    throw new ParseFailed(
      "no_item_headings",
      `the text has no heading of ${listed ? namesOf(listed) : "any item"}`,
    );
  const items = numbers.map((item_number): EightKItem => {
    const parts = found.get(item_number)?.toReversed() ?? [];
    const content = parts.length > 0 ? parts.join("\n\n") : null;
    return { item_number, event_title: itemTitle(item_number), content, content_source: "body" };
  });
  const unknown = named.filter((number) => !isItem(number));
  const problems = describeProblems(found, listed);
  if (unknown.length > 0)
    problems.push(`listed by the filing, but not an item of Form 8-K: ${unknown.join(", ")}`);
  return { items: listed ? items : items.filter((item) => !saysNothing(item.content ?? "")), problems };
}
