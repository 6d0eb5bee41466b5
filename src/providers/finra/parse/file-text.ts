// A file of FINRA's as text, and its columns by the names in its header line. Pure.
import { gunzipSync } from "node:zlib";
import { type UpstreamFailed, UpstreamMisread } from "../../../platform/errors.ts";
import { isGzip } from "../classify.ts";

/** A day's file unpacked is half a megabyte, a short-interest file two. */
const TEXT_BYTES_MAX = 50_000_000;

export const unreadable = (file: string, why: string): UpstreamFailed =>
  new UpstreamMisread("finra", `finra's ${file} cannot be used: ${why}`);

/** The text of a file; some days were seen packed under their plain name. Throws UpstreamFailed for a broken pack. */
export function textOf(bytes: Uint8Array, file: string): string {
  if (!isGzip(bytes)) return new TextDecoder().decode(bytes);
  try {
    return new TextDecoder().decode(gunzipSync(bytes, { maxOutputLength: TEXT_BYTES_MAX }));
  } catch {
    throw unreadable(file, "its gzip is broken or cut off");
  }
}

/** A table between bars: places of its columns by name in small letters without blanks, and its lines. */
export interface BarTable {
  readonly file: string;
  readonly columns: ReadonlyMap<string, number>;
  readonly width: number;
  readonly lines: readonly string[];
}

/** Splits a file into header and lines; blank lines at the end are dropped. */
export function readTable(text: string, file: string): BarTable {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  while (lines.length > 0 && lines.at(-1)?.trim() === "") lines.pop();
  const header = lines.shift() ?? "";
  const names = header.split("|").map((name) => name.replace(/\s/g, "").toLowerCase());
  return { file, columns: new Map(names.map((name, at) => [name, at])), width: names.length, lines };
}

/** A line's fields by their places, each read where it stands: as strings of their own they cost more than their values. */
export interface Fields {
  /** Takes the next line; false when it has not as many fields as the header. */
  take(line: string): boolean;
  /** The text of a field as it stands; "" where there is no such field. */
  text(at: number): string;
  /** The text without blanks around it. */
  word(at: number): string;
  /** As `readShares` of the text. */
  shares(at: number): number | null;
}

/** A letter, digit or sign of ASCII: no blank of any kind. */
const isVisible = (code: number) => code > 32 && code < 127;

export function fieldsOf({ width }: BarTable): Fields {
  const ends = new Int32Array(width);
  let line = "";
  const startOf = (at: number) => (at === 0 ? 0 : (ends[at - 1] ?? 0) + 1);
  const text = (at: number) => (at < 0 || at >= width ? "" : line.slice(startOf(at), ends[at]));
  return {
    take(next) {
      line = next;
      let end = -1;
      for (let at = 0; at < width - 1; at++) {
        end = next.indexOf("|", end + 1);
        if (end < 0) return false;
        ends[at] = end;
      }
      ends[width - 1] = next.length;
      return next.indexOf("|", end + 1) < 0;
    },
    text,
    word(at) {
      const word = text(at);
      // Hardly any has blanks, and to look costs less than to trim.
      const isBare = isVisible(word.charCodeAt(0)) && isVisible(word.charCodeAt(word.length - 1));
      return isBare ? word : word.trim();
    },
    shares(at) {
      const quick = plainShares(line, startOf(at), ends[at] ?? 0);
      return Number.isNaN(quick) ? readShares(text(at)) : quick;
    },
  };
}

/** The place of the first of `names` that the header has; -1 when it has none and `optional`. */
export function placeOf({ columns, file }: BarTable, names: readonly string[], optional = false): number {
  for (const name of names) {
    const at = columns.get(name);
    if (at !== undefined) return at;
  }
  if (optional) return -1;
  throw unreadable(file, `its header has no column ${names[0]}`);
}

const DECIMAL = /^\d+(?:\.\d+)?$/;
const SIGNED = /^-?\d*\.?\d+$/;

/** A number of shares: digits with an optional fraction, nothing else. */
export function readShares(text: string | undefined): number | null {
  const trimmed = text?.trim() ?? "";
  return DECIMAL.test(trimmed) ? Number(trimmed) : null;
}

/** Digits up to here make a whole number that a double holds exactly. */
const EXACT_DIGITS_MAX = 15;
const TENS = Array.from({ length: EXACT_DIGITS_MAX + 1 }, (_, power) => 10 ** power);

/**
 * What `Number` gives for digits with an optional fraction, or NaN for `readShares` to decide. A quotient of two exact
 * numbers is rounded once, as `Number` rounds the text.
 */
function plainShares(text: string, from: number, to: number): number {
  if (to - from > EXACT_DIGITS_MAX + 1) return Number.NaN;
  let digits = 0;
  let point = -1;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 48;
    if (digit >= 0 && digit <= 9) digits = digits * 10 + digit;
    else if (digit === -2 && point < 0 && at > from && at < to - 1) point = at;
    else return Number.NaN;
  }
  if (from === to || (point < 0 && to - from > EXACT_DIGITS_MAX)) return Number.NaN;
  return point < 0 ? digits : digits / (TENS[to - 1 - point] ?? Number.NaN);
}

/** A figure with an optional sign; null when blank. NaN is never given: what is no number is `undefined`. */
export function readFigure(text: string | undefined): number | null | undefined {
  const trimmed = text?.trim() ?? "";
  if (trimmed === "") return null;
  return SIGNED.test(trimmed) ? Number(trimmed) : undefined;
}
