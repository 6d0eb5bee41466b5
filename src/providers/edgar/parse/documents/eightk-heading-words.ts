// Reads the numbers and titles that follow the word "Item" or "Items".
import { type ItemEra, isItem } from "./eightk-items.ts";
import { matchTitle } from "./eightk-title.ts";

export interface NamedItems {
  readonly numbers: readonly string[];
  /** The title of at least one of them follows. */
  readonly isTitled: boolean;
  /** Position right after the last number or title. */
  readonly end: number;
}

/**
 * Accepts a number that is split over cells, lines or spans ("2. 02", "9.0 1", "Item⏎2.02") or mistyped
 * ("2:02").
 */
const MODERN = /[\s:#.–—|-]{0,80}(?:no\.?\s{0,4})?(\d)(?:\s{0,8}[.:]\s{0,8}|,)(\d\s?\d)(?!\d)/iy;
const LEGACY = /[\s:#.–—|-]{0,80}(?:no\.?\s{0,4})?(\d{1,2})(?!\d|\.\d|,\d|%)/iy;
/** Parts of an item after its number: "(b), (c) and (e)". */
const PARTS = /(?:\s{0,4}(?:,|&|and|[-–])?\s{0,4}\(\s?[a-z0-9]{1,4}\s?\)){1,8}/iy;
const ANOTHER = /\s{0,20}(,?\s{0,4}(?:and|&)|[,;/+]|through|to|[-–—])\s{0,20}(items?)?(?=[\s\d])/iy;
const SEPARATOR = /[\s.:;,–—|*_=-]{0,200}/y;
/** A longer line is not a heading. */
const LINE_CHARS_MAX = 300;
/** More items than any filing has in one heading. */
const NUMBERS_MAX = 30;

interface NumberRead {
  readonly number: string;
  readonly end: number;
}

/** Returns the position after white space and the punctuation that separates a number, a title and a text. */
export function skipSeparator(text: string, at: number): number {
  SEPARATOR.lastIndex = at;
  return SEPARATOR.test(text) ? SEPARATOR.lastIndex : at;
}

/** The end of the line at `at`, or the longest heading's end if that comes first. */
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

/** The numbers strictly between two of an old filing: "Items 1 through 4". */
function between(from: string, to: string): string[] {
  const [low, high] = [Number(from), Number(to)];
  if (from.includes(".") || !(low < high)) return [];
  return Array.from({ length: high - low - 1 }, (_, i) => String(low + i + 1));
}

/**
 * Reads one more item of the same heading: "and 7.01". After a title the word Item is required: "and Item
 * 7.01".
 */
function readAnother(text: string, at: number, era: ItemEra, isAfterTitle: boolean) {
  ANOTHER.lastIndex = at;
  const match = ANOTHER.exec(text);
  if (match === null || (isAfterTitle && match[2] === undefined)) return null;
  const next = readNumber(text, ANOTHER.lastIndex, era);
  return next && { ...next, isRange: /^(?:through|to|[-–—])$/i.test(match[1] ?? "") };
}

/**
 * The end of the item's title when it follows the number that ends at `at`. Null when it does not follow, or
 * when the item's text only starts with words of its title ("Item 2.02⏎The results of operations for May …").
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

/** Reads the items named at `at`, right after the word "Item"; null when no item number follows. */
export function readNamedItems(text: string, at: number, era: ItemEra): NamedItems | null {
  let next: (NumberRead & { isRange?: boolean }) | null = readNumber(text, at, era);
  if (next === null) return null;
  const numbers: string[] = [];
  let end = at;
  let isTitled = false;
  while (next !== null && numbers.length < NUMBERS_MAX) {
    if (next.isRange) numbers.push(...between(numbers.at(-1) ?? "", next.number));
    numbers.push(next.number);
    end = next.end;
    next = readAnother(text, end, era, false);
    if (next !== null) continue;
    for (const number of numbers) {
      const titleEnd = readTitle(text, end, number);
      if (titleEnd === null) continue;
      end = titleEnd;
      isTitled = true;
    }
    next = isTitled ? readAnother(text, end, era, true) : null;
  }
  return { numbers: [...new Set(numbers)], isTitled, end };
}
