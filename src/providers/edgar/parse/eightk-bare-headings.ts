// Headings without the word "Item", looked for where an item the filing lists has none with it: "8.01 Other Events", or
// its title alone on a line.
import { lineEnd, readNamedItems, skipSeparator } from "./eightk-heading-words.ts";
import { type Before, type Heading, lookBack, textAfter } from "./eightk-headings.ts";
import { type ItemEra, itemTitleWords, titleWord } from "./eightk-items.ts";
import { matchTitle } from "./eightk-title.ts";
import type { ParseBudget } from "./filing-text-budget.ts";

/** What may stand before the number or the title on its line: rules, bullets, at most two short words ("Iten No."). */
const LEAD = /^[\s=_*•·●◦▪■>#|[\]☐☒–—-]{0,80}(?:\p{L}[\p{L}.]{0,7}[ \t]{1,4}){0,2}(?=\d)/u;
const TITLE_LEAD = /^[\s=_*•·●◦▪■>#|[\]☐☒–—-]{0,80}/;
/** A title of one word ("Exhibits") is too little to be taken for a heading without its number. */
const TITLE_WORDS_MIN = 2;
const STEPS_PER_LINE = 20;
/** No word of a title is longer. */
const WORD_CHARS_MAX = 40;

export interface BareHeadingOptions {
  readonly era: ItemEra;
  /** Items that have no other heading. */
  readonly wanted: ReadonlySet<string>;
  /** Headings that were found, in their order. */
  readonly known: readonly Heading[];
}

const opensLine = ({ isOpenAbove, isWrapped }: Before) => !isOpenAbove && !isWrapped;

/** Whether the very first word is one the title begins with, and has a capital: other words before it are a sentence's. */
function beginsTitle(words: string, number: string): boolean {
  const first = /^\p{Lu}[\p{L}'’]*/u.exec(words)?.[0];
  return first !== undefined && itemTitleWords(number).some((title) => title[0] === titleWord(first));
}

/** The words behind a number and its parts: "5.02(b) Departure" → "Departure". */
const wordsFrom = (text: string, at: number): string =>
  text.slice(at, at + 60).replace(/^(?:[^\p{L}(]+|\([a-z0-9]{0,4}\)?)+/iu, "");

/** A line that begins with the number of an item and its title. */
function numberedAt(text: string, lineStart: number, { era, wanted }: BareHeadingOptions): Heading | null {
  const lead = LEAD.exec(text.slice(lineStart, lineEnd(text, lineStart)))?.[0];
  if (lead === undefined) return null;
  const at = lineStart + lead.length;
  const named = readNamedItems(text, at, era);
  const isMeant = named?.numbers.some(
    (number) => wanted.has(number) && beginsTitle(wordsFrom(text, at), number),
  );
  if (!named?.isTitled || !isMeant) return null;
  const end = textAfter(text, named);
  return end === null ? null : { numbers: named.numbers, kind: "bare", start: lineStart, end };
}

/** A line that is the whole title of an item, or where it begins and goes on in the next line. */
function titleAt(text: string, lineStart: number, wanted: ReadonlySet<string>): Heading | null {
  const line = text.slice(lineStart, lineEnd(text, lineStart));
  const at = lineStart + (TITLE_LEAD.exec(line)?.[0].length ?? 0);
  const words = text.slice(at, at + WORD_CHARS_MAX);
  for (const number of wanted) {
    if (!beginsTitle(words, number)) continue;
    const match = matchTitle(text, at, number);
    if (match === null || match.found < match.of || match.of < TITLE_WORDS_MIN) continue;
    if (/[\p{L}\p{N}]/u.test(text.slice(match.end, lineEnd(text, match.end)))) continue;
    return { numbers: [number], kind: "bare", start: lineStart, end: skipSeparator(text, match.end) };
  }
  return null;
}

/** Headings of the wanted items, outside of the known ones; in their order. */
export function findBareHeadings(text: string, wish: BareHeadingOptions, budget: ParseBudget): Heading[] {
  const { wanted, known } = wish;
  const found: Heading[] = [];
  let passed = 0;
  for (let start = 0; start < text.length; start = lineEndOf(text, start) + 1) {
    budget.spend(STEPS_PER_LINE);
    while ((known[passed]?.end ?? text.length) <= start) passed += 1;
    const isInside = (known[passed]?.start ?? text.length) <= start || start < (found.at(-1)?.end ?? 0);
    if (isInside) continue;
    const heading = numberedAt(text, start, wish) ?? titleAt(text, start, wanted);
    if (heading && opensLine(lookBack(text, start))) found.push(heading);
  }
  return found;
}

/** Where the line of `at` ends, however long it is. */
function lineEndOf(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}
