// Finds the item headings in the plain text of an 8-K, and distinguishes them from mentions of items in its
// prose.
import { saysNothing } from "./eightk-bounds.ts";
import { lineEnd, type NamedItems, readNamedItems, skipSeparator } from "./eightk-heading-words.ts";
import type { ItemEra } from "./eightk-items.ts";
import type { ParseBudget } from "./filing-text-budget.ts";

/**
 * How certain a heading is. `titled`: number and the item's own title at the start of a line. `untitled`: a
 * number at the start of a line without the title; a heading only if the filing has that item. `inline`:
 * number and title in the middle of a line; a heading only if nothing better is found. `bare`: without the
 * word Item.
 */
export type HeadingKind = "titled" | "untitled" | "inline" | "bare";

export interface Heading {
  /** The items under it: several for "Items 2.02 and 7.01". */
  readonly numbers: readonly string[];
  readonly kind: HeadingKind;
  /** Start of its line. */
  readonly start: number;
  /** Start of the text after it. */
  readonly end: number;
}

/**
 * Bounds the cost of a heading: the characters that are examined before it. Looks ahead and patterns are
 * bounded too.
 */
const LOOK_BACK_CHARS = 200;
const STEPS_PER_HEADING = 500;

/** Allowed before "Item" on its line: rules, bullets, check boxes; below, the name of the section. */
const LINE_LEAD = /^[\s=_*•·●◦▪■>#|[\]☐☒–—-]{0,200}$/;
const SECTION_LEAD = /^\s{0,80}section\s{1,8}\d[^.!?]{0,120}$/i;
/** A line with such an end continues on the next one; an item at the start of that one is a mention. */
const OPEN_LINE =
  /(?:[,(“"‘]|(?:^|[\s("“])(?:in|under|see|by|of|to|and|or|with|from|pursuant|per|that|this|the|into|also|both|at|for|our|its|on|each))$/i;
const WRAPPED_LINE_CHARS = 50;

/** A number followed by one of these is a mention: "Item 8.01 of this report", "(see Item 8.01)". */
const MENTION = /^\p{Ll}|^(?:OF|ABOVE|BELOW|HEREIN|HEREOF|HERETO|AND|OR|IS|ARE|WAS|SHALL)\b/u;
const MENTION_MARK = /^[ \t]{0,4}[,;)”"’\]]/;
const MENTION_AFTER_TITLE =
  /^[ \t]{0,8}(?:[)”"’]|(?:of\s(?:this|that|our|its|such)|above|below|here(?:of|in|to)|in\s(?:this|our|the)|is|are|was|were|shall|will|which|that|under|as|contained|set\sforth|to\sthis)\b)/;

/** The word Item, also with its letters spaced out: I T E M. */
const ITEM = /i[ \t]?t[ \t]?e[ \t]?m(?:[ \t]?s(?![a-z]))?/gi;
/** At least this many single letters are a heading that is spaced out: O T H E R E V E N T S. */
const SPACED_LETTERS_MIN = 6;

/** True when the rest of a line belongs to its heading: it is short, and its longer words have capitals. */
function isHeadingRest(rest: string): boolean {
  const words = rest.match(/[\p{L}'’]+/gu) ?? [];
  if (words.length >= SPACED_LETTERS_MIN && words.every((word) => word.length === 1)) return true;
  if (rest.length > 120 || saysNothing(rest) || /[.:]\s{1,4}\S/.test(rest)) return false;
  return words.length <= 14 && words.every((word) => word.length < 4 || /^\p{Lu}/u.test(word));
}

/** True when a sentence about the item follows the numbers or the title. */
function isMention(text: string, { end, isTitled }: NamedItems, rest: string): boolean {
  if (!isTitled) {
    const next = text.slice(skipSeparator(text, end), skipSeparator(text, end) + 10);
    return MENTION_MARK.test(text.slice(end, end + 8)) || MENTION.test(next);
  }
  if (MENTION_AFTER_TITLE.test(text.slice(end, end + 40))) return true;
  return /^[ \t]{0,4},/.test(text.slice(end, end + 8)) && !isHeadingRest(rest);
}

/** The start of the text after a heading; null when the words are a mention. */
export function textAfter(text: string, named: NamedItems): number | null {
  const start = skipSeparator(text, named.end);
  const stop = lineEnd(text, named.end);
  const rest = text.slice(start, Math.max(start, stop));
  if (isMention(text, named, rest)) return null;
  if (start >= stop) return start;
  // "Other Events. None." has a text; "Other Events ..... 2" and "Other Events – Dividend" are headings
  // alone.
  const isSentence = named.isTitled && /[.:]/.test(text.slice(named.end, start)) && /\p{L}/u.test(rest);
  return !isSentence && isHeadingRest(rest) ? skipSeparator(text, stop) : start;
}

export interface Before {
  readonly lineStart: number;
  readonly isAtStart: boolean;
  /** The end of the line above shows that it continues on this one. */
  readonly isOpenAbove: boolean;
  /** The line above looks wrapped. */
  readonly isWrapped: boolean;
}

/** Describes the text before `at`, on its line and the line above. */
export function lookBack(text: string, at: number): Before {
  const before = text.slice(Math.max(0, at - LOOK_BACK_CHARS), at);
  const lineAt = before.lastIndexOf("\n");
  const lead = before.slice(lineAt + 1);
  const isWhole = lineAt >= 0 || at <= LOOK_BACK_CHARS;
  const above = before.slice(0, Math.max(0, lineAt));
  const previous = above.slice(above.lastIndexOf("\n") + 1).trimEnd();
  const isLong = previous.length >= WRAPPED_LINE_CHARS && !SECTION_LEAD.test(previous);
  return {
    lineStart: at - lead.length,
    isAtStart: isWhole && (LINE_LEAD.test(lead) || SECTION_LEAD.test(lead)),
    isOpenAbove: OPEN_LINE.test(previous),
    isWrapped: isLong && /\p{Ll}$/u.test(previous),
  };
}

function kindOf(text: string, at: number, named: NamedItems, before: Before): HeadingKind | null {
  if (before.isAtStart && !before.isOpenAbove) {
    if (named.isTitled) return "titled";
    return before.isWrapped ? null : "untitled";
  }
  const isNewSentence = /(?:^|[.:;)\]”"])\s{0,8}$/.test(text.slice(Math.max(0, at - 12), at));
  return named.isTitled && text[at] === "I" && isNewSentence ? "inline" : null;
}

/** Finds all possible item headings in `text`, in order. */
export function findHeadings(text: string, era: ItemEra, budget: ParseBudget): Heading[] {
  const headings: Heading[] = [];
  budget.spend(text.length);
  for (const match of text.matchAll(ITEM)) {
    const at = match.index;
    if (at > 0 && /[\p{L}\p{N}]/u.test(text.charAt(at - 1))) continue;
    const named = readNamedItems(text, at + match[0].length, era);
    if (named === null) continue;
    budget.spend(STEPS_PER_HEADING);
    const end = textAfter(text, named);
    const before = lookBack(text, at);
    const kind = end === null ? null : kindOf(text, at, named, before);
    // "and Item 7.01" may be part of the heading before it.
    if (end === null || kind === null || at < (headings.at(-1)?.end ?? 0)) continue;
    headings.push({ numbers: named.numbers, kind, start: kind === "inline" ? at : before.lineStart, end });
  }
  return headings;
}
