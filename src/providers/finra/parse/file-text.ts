// Decodes a FINRA file to text and splits it into columns named by its header line. Pure.
import { gunzipSync } from "node:zlib";
import { type UpstreamFailed, UpstreamMisread } from "../../../platform/errors.ts";
import { isGzip } from "../classify.ts";

/** Limit for a decompressed file: a day's file has half a megabyte, a short-interest file two. */
const TEXT_BYTES_MAX = 50_000_000;

export const unreadable = (file: string, why: string): UpstreamFailed =>
  new UpstreamMisread("finra", `finra's ${file} cannot be used: ${why}`);

/** The text of a file; some days are gzip under their plain name. Throws UpstreamFailed for broken gzip. */
export function fileText(bytes: Uint8Array, file: string): string {
  if (!isGzip(bytes)) return new TextDecoder().decode(bytes);
  try {
    return new TextDecoder().decode(gunzipSync(bytes, { maxOutputLength: TEXT_BYTES_MAX }));
  } catch {
    throw unreadable(file, "its gzip is broken or truncated");
  }
}

/**
 * A table with `|` between its fields. `columns` gives the index of each name, in lower case without white
 * space.
 */
export interface BarTable {
  readonly file: string;
  readonly columns: ReadonlyMap<string, number>;
  readonly width: number;
  readonly lines: readonly string[];
}

/** Splits a file into its header and lines, without blank lines at the end. */
export function readTable(text: string, file: string): BarTable {
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  while (lines.length > 0 && lines.at(-1)?.trim() === "") lines.pop();
  const header = lines.shift() ?? "";
  const names = header.split("|").map((name) => name.replace(/\s/g, "").toLowerCase());
  return { file, columns: new Map(names.map((name, at) => [name, at])), width: names.length, lines };
}

/**
 * Reads the fields of a line by index. Reads numbers without creating a string, which would cost more than
 * parsing.
 */
export interface Fields {
  /** Moves to the next line; false when its number of fields differs from the header's. */
  take(line: string): boolean;
  /** The text of a field, untrimmed; "" when there is no such field. */
  text(at: number): string;
  /** The trimmed text of a field. */
  word(at: number): string;
  /** The field as `readShares` reads it. */
  shares(at: number): number | null;
}

/** True for a printable ASCII character other than a space. */
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
      // Very few fields need trimming, and checking is cheaper.
      const isBare = isVisible(word.charCodeAt(0)) && isVisible(word.charCodeAt(word.length - 1));
      return isBare ? word : word.trim();
    },
    shares(at) {
      const quick = plainShares(line, startOf(at), ends[at] ?? 0);
      return Number.isNaN(quick) ? readShares(text(at)) : quick;
    },
  };
}

/**
 * The index of the first of `names` in the header. Without any of them: -1 when `optional`, else throws
 * UpstreamFailed.
 */
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

/** A number of shares: digits with an optional fraction; null for any other text. */
export function readShares(text: string | undefined): number | null {
  const trimmed = text?.trim() ?? "";
  return DECIMAL.test(trimmed) ? Number(trimmed) : null;
}

/** A double holds every whole number of up to this many digits exactly. */
const EXACT_DIGITS_MAX = 15;
const TENS = Array.from({ length: EXACT_DIGITS_MAX + 1 }, (_, power) => 10 ** power);

/**
 * Returns the number that `Number` gives for digits with an optional fraction; NaN for texts left to
 * `readShares`. The quotient of two exact numbers is rounded once, as `Number` rounds the text.
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

/** A number with an optional sign; null when blank, undefined when the text is not a number. */
export function readFigure(text: string | undefined): number | null | undefined {
  const trimmed = text?.trim() ?? "";
  if (trimmed === "") return null;
  return SIGNED.test(trimmed) ? Number(trimmed) : undefined;
}
