// A file of FINRA's as text, and its columns by the names in its header line. Pure.
import { gunzipSync } from "node:zlib";
import { UpstreamFailed } from "../../../platform/errors.ts";
import { isGzip } from "../classify.ts";

/** A day's file unpacked is half a megabyte, a short-interest file two. */
const TEXT_BYTES_MAX = 50_000_000;

export const unreadable = (file: string, why: string): UpstreamFailed =>
  new UpstreamFailed("finra", `finra's ${file} cannot be used: ${why}`);

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
  const [header, ...rest] = lines;
  const names = (header ?? "").split("|").map((name) => name.replace(/\s/g, "").toLowerCase());
  return { file, columns: new Map(names.map((name, at) => [name, at])), width: names.length, lines: rest };
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

/** A figure with an optional sign; null when blank. NaN is never given: what is no number is `undefined`. */
export function readFigure(text: string | undefined): number | null | undefined {
  const trimmed = text?.trim() ?? "";
  if (trimmed === "") return null;
  return SIGNED.test(trimmed) ? Number(trimmed) : undefined;
}
