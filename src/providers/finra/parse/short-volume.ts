// Reads the daily short-volume files: five or six columns, found by name, with or without fractions of
// shares. Pure.
import { isDate } from "../../../market/date.ts";
import { fromFinra } from "../../../market/spelling.ts";
import type { ShortVolumeLine } from "../records.ts";
import { fieldsOf, placeOf, readTable, unreadable } from "./file-text.ts";
import { isTestSymbol } from "./test-symbols.ts";

/** The contents of a text, which may be a whole file or lines of several files. */
export interface ShortVolumeLines {
  readonly lines: readonly ShortVolumeLine[];
  readonly test_lines: number;
  /** The record count in the last line; null when there is none. */
  readonly trailer: number | null;
}

type Spelling = { readonly symbol: string; readonly isTest: boolean };

/** Some ten thousand spellings recur every day, so each is parsed once. */
const spellings = new Map<string, Spelling>();
/** At this size the cache is cleared: tracking recent use would cost more than parsing some again. */
const SPELLINGS_MAX = 30_000;
const ORDINARY = /^[A-Y][A-Z]{0,2}$/;

function readSpelling(spelled: string): Spelling {
  // Up to three letters not beginning with Z are canonical: neither a test symbol nor one with a suffix.
  if (ORDINARY.test(spelled)) return { symbol: spelled, isTest: false };
  const known = spellings.get(spelled);
  if (known) return known;
  // A text that is not a tape spelling stays as it is instead of being guessed at.
  const read = { symbol: fromFinra(spelled) ?? spelled, isTest: isTestSymbol(spelled) };
  if (spellings.size >= SPELLINGS_MAX) spellings.clear();
  spellings.set(spelled, read);
  return read;
}

/** Creates a parser of dates that keeps the last one, since all lines of a file have the same date. */
function dateReader(): (text: string) => string | null {
  let last = "";
  let found: string | null = null;
  return (text) => {
    if (text === last) return found;
    last = text;
    const date = /^\d{8}$/.test(text) ? `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}` : "";
    found = isDate(date) ? date : null;
    return found;
  };
}

/** Reads header, lines and trailer. Throws UpstreamFailed naming the first invalid line. */
export function readShortVolume(text: string, file: string): ShortVolumeLines {
  const table = readTable(text, file);
  const at = {
    date: placeOf(table, ["date"]),
    symbol: placeOf(table, ["symbol"]),
    short: placeOf(table, ["shortvolume"]),
    exempt: placeOf(table, ["shortexemptvolume"], true),
    total: placeOf(table, ["totalvolume"]),
    market: placeOf(table, ["market", "marketcenter"]),
  };
  const last = table.lines.at(-1)?.trim() ?? "";
  const trailer = /^\d+$/.test(last) ? Number(last) : null;
  const count = trailer === null ? table.lines.length : table.lines.length - 1;
  const readDate = dateReader();
  const fields = fieldsOf(table);
  const lines: ShortVolumeLine[] = [];
  let test_lines = 0;
  for (let row = 0; row < count; row++) {
    const isWhole = fields.take(table.lines[row] ?? "");
    const date = isWhole ? readDate(fields.word(at.date)) : null;
    const spelled = isWhole ? fields.word(at.symbol) : "";
    const short_volume = isWhole ? fields.shares(at.short) : null;
    const total_volume = isWhole ? fields.shares(at.total) : null;
    const short_exempt_volume = isWhole && at.exempt >= 0 ? fields.shares(at.exempt) : null;
    const isRead =
      date !== null &&
      spelled !== "" &&
      short_volume !== null &&
      total_volume !== null &&
      (at.exempt < 0 || short_exempt_volume !== null);
    if (!isRead) throw unreadable(file, `line ${row + 2} is not a valid record`);
    const { symbol, isTest } = readSpelling(spelled);
    if (isTest) {
      test_lines++;
      continue;
    }
    const market = fields.word(at.market);
    lines.push({ date, symbol, short_volume, short_exempt_volume, total_volume, market });
  }
  return { lines, test_lines, trailer };
}

/**
 * Reads the file of one day. The trailer must count every line, each line must be of that day, and no symbol
 * may be there twice. Throws UpstreamFailed otherwise, since a truncated file would look like a complete day.
 */
// A file of 9,999 records whose last line says 10,000 is refused as a whole.
export function readShortVolumeFile(text: string, date: string, file: string): ShortVolumeLines {
  const read = readShortVolume(text, file);
  const { lines, test_lines, trailer } = read;
  const found = lines.length + test_lines;
  if (trailer === null)
    throw unreadable(file, `it is truncated: ${found} records and no count of them at its end`);
  if (trailer !== found) throw unreadable(file, `it is truncated: ${found} of ${trailer} records`);
  const seen = new Set<string>();
  for (const line of lines) {
    if (line.date !== date) throw unreadable(file, `it contains lines of ${line.date}`);
    if (seen.has(line.symbol)) throw unreadable(file, `it contains ${line.symbol} twice`);
    seen.add(line.symbol);
  }
  return read;
}
