// The items of one 8-K: which there are, and what its body says under each.
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
  /** What stands under its heading; null when the heading, or any text under it, was not found. */
  readonly content: string | null;
  readonly content_source: "body";
}

export interface EightK {
  /** By number. Each item once: parts under repeated headings are joined in their order. */
  readonly items: readonly EightKItem[];
  /** What a reader of these items should know, in sentences. */
  readonly problems: readonly string[];
}

export interface EightKText {
  /** The body in plain text (toPlainText). */
  readonly text: string;
  /** YYYY-MM-DD. */
  readonly filing_date: string;
  /** The items the filing itself lists (submissions, header); they alone exist. Null or empty when unknown. */
  readonly items: readonly string[] | null;
}

const CONTENT_LEAD = /^[\s.:;–—|*_=-]{0,200}/;

/** The list of exhibits, modern and old. */
const EXHIBIT_LIST: Readonly<Record<ItemEra, string>> = { modern: "9.01", legacy: "7" };

function isExhibitList(number: string): boolean {
  return number === EXHIBIT_LIST.modern || number === EXHIBIT_LIST.legacy;
}

function hasLetters(text: string): boolean {
  return /\p{L}/u.test(text);
}

/** Text between `start` and `end` without page numbers and the name of the next section at its end; null if empty. */
function cleanContent(text: string, start: number, end: number): string | null {
  const lines = text.slice(start, end).replace(CONTENT_LEAD, "").split("\n");
  while (lines.length > 0 && isTrailingLine(lines.at(-1) ?? "")) lines.pop();
  const content = lines.join("\n").trim();
  return hasLetters(content) ? content : null;
}

interface Section {
  readonly heading: Heading;
  readonly content: string | null;
  /** Nothing that ends an item stands between it and the next heading. */
  readonly isOpen: boolean;
}

interface Body {
  readonly text: string;
  readonly bounds: Bounds;
}

/** Every heading with its text, which ends where the next heading or a stop begins. */
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

/** Without headings that only say what comes: those with no text of their own whose items all come again. */
function withoutContents(body: Body, headings: readonly Heading[]): Heading[] {
  const later = new Set<string>();
  const kept: Heading[] = [];
  for (const { heading, content } of cutSections(body, headings).toReversed()) {
    if (content !== null || !heading.numbers.every((number) => later.has(number))) kept.push(heading);
    for (const number of heading.numbers) later.add(number);
  }
  return kept.reverse();
}

/** Without rows of the list of exhibits that name an item again ("Item 2.02 Results …⇥Press release"). */
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

/** The headings to go by: the sure ones, and of the others those of items that have no surer one. */
function chooseHeadings(headings: readonly Heading[], listed: ReadonlySet<string> | null): Heading[] {
  const sure = new Set(headings.filter((h) => h.kind === "titled").flatMap((h) => h.numbers));
  const isWanted = (number: string) => !sure.has(number) && (listed?.has(number) ?? true);
  const chosen = headings.filter(
    (h) => h.kind === "titled" || (h.kind === "untitled" && h.numbers.some(isWanted)),
  );
  const found = new Set(chosen.flatMap((h) => h.numbers));
  const isMissing = (number: string) => (listed?.has(number) ?? false) && !found.has(number);
  const isChosen = new Set(chosen);
  return headings.filter((h) => isChosen.has(h) || (h.kind === "inline" && h.numbers.some(isMissing)));
}

/** With headings that lack the word Item, for listed items that have no other. */
function withBare(
  body: Body,
  headings: readonly Heading[],
  { listed, era }: { readonly listed: readonly string[]; readonly era: ItemEra },
  budget: ParseBudget,
): readonly Heading[] {
  const found = new Set(headings.flatMap((heading) => heading.numbers));
  const missing = new Set(listed.filter((number) => !found.has(number)));
  if (missing.size === 0) return headings;
  // Lists leave it out now and then: it ends the item before all the same.
  if (!found.has(EXHIBIT_LIST[era])) missing.add(EXHIBIT_LIST[era]);
  const bare = findBareHeadings(body.text, { era, wanted: missing, known: headings }, budget).filter(
    (heading) => heading.start < body.bounds.signatures,
  );
  if (bare.length === 0) return headings;
  return withoutContents(
    body,
    [...headings, ...bare].sort((a, b) => a.start - b.start),
  );
}

/** The text of every item. A heading right above another one shares its text, unless that lists exhibits. */
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
  const say = (numbers: readonly string[], what: string) => {
    if (numbers.length > 0) problems.push(`${what}: ${namesOf(numbers)}`);
  };
  const wanted = listed ?? [...found.keys()];
  say(
    wanted.filter((n) => !found.has(n)),
    "listed by the filing, but without a heading in its text",
  );
  say(
    wanted.filter((n) => found.get(n)?.length === 0),
    "nothing is said under the heading",
  );
  if (listed)
    say(
      [...found.keys()].filter((n) => !listed.includes(n)),
      "under a heading, but not listed by the filing",
    );
  return problems;
}

/**
 * The items of an 8-K by its plain text. Where the filing lists its items, exactly those are given: the text only
 * says where they are. Where it does not, the headings found decide, and items said not to apply are left out.
 *
 * ParseFailed `no_body` for a text without words, `no_item_headings` when no heading of any of its items is found.
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
    problems.push(`listed by the filing, but no item of Form 8-K: ${unknown.join(", ")}`);
  return { items: listed ? items : items.filter((item) => !saysNothing(item.content ?? "")), problems };
}
