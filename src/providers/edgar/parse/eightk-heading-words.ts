// Reads the numbers and titles that follow the word "Item" or "Items".
import { type ItemEra, isItem } from "./eightk-items.ts";
import { matchTitle } from "./eightk-title.ts";

export interface NamedItems {
  readonly numbers: readonly string[];
  /** The title of one of them at least follows. */
  readonly isTitled: boolean;
  /** Right after the last number or title. */
  readonly end: number;
}

/** A number split over cells, lines or spans still is one: "2. 02", "9.0 1", "Item⏎2.02"; so is one mistyped, "2:02". */
const MODERN = /[\s:#.–—|-]{0,80}(?:no\.?\s{0,4})?(\d)(?:\s{0,8}[.:]\s{0,8}|,)(\d\s?\d)(?!\d)/iy;
const LEGACY = /[\s:#.–—|-]{0,80}(?:no\.?\s{0,4})?(\d{1,2})(?!\d|\.\d|,\d|%)/iy;
/** "(b), (c) and (e)" after a number. */
const PARTS = /(?:\s{0,4}(?:,|&|and|[-–])?\s{0,4}\(\s?[a-z0-9]{1,4}\s?\)){1,8}/iy;
const ANOTHER = /\s{0,20}(,?\s{0,4}(?:and|&)|[,;/+]|through|to|[-–—])\s{0,20}(items?)?(?=[\s\d])/iy;
const SEPARATOR = /[\s.:;,–—|*_=-]{0,200}/y;
/** Beyond it a line is no heading. */
const LINE_CHARS_MAX = 300;
/** More items than any form has in one heading. */
const NUMBERS_MAX = 30;

interface NumberRead {
  readonly number: string;
  readonly end: number;
}

/** Past white space and the punctuation that sets a number, a title and a text apart. */
export function skipSeparator(text: string, at: number): number {
  SEPARATOR.lastIndex = at;
  return SEPARATOR.test(text) ? SEPARATOR.lastIndex : at;
}

/** Where the line of `at` ends, or as far as a heading is looked at. */
export function lineEnd(text: string, at: number): number {
  const ahead = text.slice(at, at + LINE_CHARS_MAX);
  const end = ahead.indexOf("\n");
  return at + (end < 0 ? ahead.length : end);
}

function readNumber(text: string, at: number, era: ItemEra): NumberRead | null {
  const pattern = era === "modern" ? MODERN : LEGACY;
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (match === null) return null;
  const minor = match[2]?.replace(/\s/, "");
  const number = minor === undefined ? String(Number(match[1])) : `${match[1]}.${minor}`;
  if (!isItem(number)) return null;
  PARTS.lastIndex = pattern.lastIndex;
  return { number, end: PARTS.test(text) ? PARTS.lastIndex : pattern.lastIndex };
}

/** What lies between two ends: "Items 1 through 4" of an old filing. */
function between(from: string, to: string): string[] {
  const [low, high] = [Number(from), Number(to)];
  if (from.includes(".") || !(low < high)) return [];
  return Array.from({ length: high - low - 1 }, (_, i) => String(low + i + 1));
}

/** One more item of the same heading: "and 7.01"; after a title only with its word, "and Item 7.01". */
function readAnother(text: string, at: number, era: ItemEra, isAfterTitle: boolean) {
  ANOTHER.lastIndex = at;
  const match = ANOTHER.exec(text);
  if (match === null || (isAfterTitle && match[2] === undefined)) return null;
  const next = readNumber(text, ANOTHER.lastIndex, era);
  return next && { ...next, isRange: /^(?:through|to|[-–—])$/i.test(match[1] ?? "") };
}

/**
 * The end of the item's title when it follows the number that ends at `at`; null when it does not, or when the
 * item's text merely begins with words of its title ("Item 2.02⏎The results of operations for May …").
 */
function readTitle(text: string, at: number, number: string): number | null {
  const match = matchTitle(text, skipSeparator(text, at), number);
  if (match === null) return null;
  const rest = text.slice(match.end, Math.min(lineEnd(text, match.end), match.end + 40));
  const goesOn = /^[ \t]{1,4}\p{Ll}/u.test(rest);
  const isComplete = match.found === match.of;
  if (!text.slice(at, match.end).includes("\n"))
    return goesOn && match.found < match.of * 0.6 ? null : match.end;
  return goesOn || (!isComplete && /[\p{L}\p{N}]/u.test(rest)) ? null : match.end;
}

/** The items named from `at` on, right after the word "Item"; null when what follows is no number of the form. */
export function readNamedItems(text: string, at: number, era: ItemEra): NamedItems | null {
  let more: (NumberRead & { isRange?: boolean }) | null = readNumber(text, at, era);
  if (more === null) return null;
  const numbers: string[] = [];
  let end = at;
  let isTitled = false;
  while (more !== null && numbers.length < NUMBERS_MAX) {
    if (more.isRange) numbers.push(...between(numbers.at(-1) ?? "", more.number));
    numbers.push(more.number);
    end = more.end;
    more = readAnother(text, end, era, false);
    if (more !== null) continue;
    for (const number of numbers) {
      const titleEnd = readTitle(text, end, number);
      if (titleEnd === null) continue;
      end = titleEnd;
      isTitled = true;
    }
    more = isTitled ? readAnother(text, end, era, true) : null;
  }
  return { numbers: [...new Set(numbers)], isTitled, end };
}
