// Finds headings without the word "Item" ("8.01 Other Events", or the title alone on a line). They are
// searched only for listed items that have no other heading.
import { lineEnd, readNamedItems, skipSeparator } from "./eightk-heading-words.ts";
import { type Before, type Heading, lookBack, textAfter } from "./eightk-headings.ts";
import { type ItemEra, itemTitleWords, titleWord } from "./eightk-items.ts";
import { matchTitle } from "./eightk-title.ts";
import type { ParseBudget } from "./filing-text-budget.ts";

/** Allowed before the number on its line: rules, bullets, at most two short words ("Iten No."). */
const LEAD = /^[\s=_*•·●◦▪■>#|[\]☐☒–—-]{0,80}(?:\p{L}[\p{L}.]{0,7}[ \t]{1,4}){0,2}(?=\d)/u;
const TITLE_LEAD = /^[\s=_*•·●◦▪■>#|[\]☐☒–—-]{0,80}/;
/** A title of one word ("Exhibits") is not enough for a heading without its number. */
const TITLE_WORDS_MIN = 2;
const STEPS_PER_LINE = 20;
/** The longest word of a title. */
const WORD_CHARS_MAX = 40;

export interface BareHeadingOptions {
  readonly era: ItemEra;
  /** Items without another heading. */
  readonly missing: ReadonlySet<string>;
  /** Headings that were found before, in order. */
  readonly known: readonly Heading[];
}

const opensLine = ({ isOpenAbove, isWrapped }: Before) => !isOpenAbove && !isWrapped;

/**
 * True when the first word starts the title and has a capital. Other words before the title belong to a
 * sentence.
 */
function beginsTitle(words: string, number: string): boolean {
  const first = /^\p{Lu}[\p{L}'’]*/u.exec(words)?.[0];
  return first !== undefined && itemTitleWords(number).some((title) => title[0] === titleWord(first));
}

/** The words after a number and its parts: "5.02(b) Departure" → "Departure". */
const wordsFrom = (text: string, at: number): string =>
  text.slice(at, at + 60).replace(/^(?:[^\p{L}(]+|\([a-z0-9]{0,4}\)?)+/iu, "");

/** Reads a line that starts with an item's number and title. */
function numberedAt(text: string, lineStart: number, { era, missing }: BareHeadingOptions): Heading | null {
  const lead = LEAD.exec(text.slice(lineStart, lineEnd(text, lineStart)))?.[0];
  if (lead === undefined) return null;
  const at = lineStart + lead.length;
  const named = readNamedItems(text, at, era);
  const isMeant = named?.numbers.some(
    (number) => missing.has(number) && beginsTitle(wordsFrom(text, at), number),
  );
  if (!named?.isTitled || !isMeant) return null;
  const end = textAfter(text, named);
  return end === null ? null : { numbers: named.numbers, kind: "bare", start: lineStart, end };
}

/** Reads a line that is the whole title of an item, or a title that continues on the next line. */
function titleAt(text: string, lineStart: number, missing: ReadonlySet<string>): Heading | null {
  const line = text.slice(lineStart, lineEnd(text, lineStart));
  const at = lineStart + (TITLE_LEAD.exec(line)?.[0].length ?? 0);
  const words = text.slice(at, at + WORD_CHARS_MAX);
  for (const number of missing) {
    if (!beginsTitle(words, number)) continue;
    const match = matchTitle(text, at, number);
    if (match === null || match.found < match.of || match.of < TITLE_WORDS_MIN) continue;
    if (/[\p{L}\p{N}]/u.test(text.slice(match.end, lineEnd(text, match.end)))) continue;
    return { numbers: [number], kind: "bare", start: lineStart, end: skipSeparator(text, match.end) };
  }
  return null;
}

/** Finds headings of the missing items outside the known headings, in order. */
export function findBareHeadings(text: string, options: BareHeadingOptions, budget: ParseBudget): Heading[] {
  const { missing, known } = options;
  const found: Heading[] = [];
  let passed = 0;
  for (let start = 0; start < text.length; start = lineEndOf(text, start) + 1) {
    budget.spend(STEPS_PER_LINE);
    while ((known[passed]?.end ?? text.length) <= start) passed += 1;
    const isInside = (known[passed]?.start ?? text.length) <= start || start < (found.at(-1)?.end ?? 0);
    if (isInside) continue;
    const heading = numberedAt(text, start, options) ?? titleAt(text, start, missing);
    if (heading && opensLine(lookBack(text, start))) found.push(heading);
  }
  return found;
}

/** The end of the line at `at`, however long it is. */
function lineEndOf(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}
