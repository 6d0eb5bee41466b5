// Lines of the daily short-volume files: five or six columns, told by their names, with or without fractions. Pure.
import { isDate } from "../../../market/date.ts";
import { fromFinra } from "../../../market/spelling.ts";
import type { ShortVolumeLine } from "../records.ts";
import { fieldsOf, placeOf, readTable, unreadable } from "./file-text.ts";
import { isTestSymbol } from "./test-symbols.ts";

/** What a text holds, whether it is a whole file or lines of several. */
export interface ShortVolumeLines {
  readonly lines: readonly ShortVolumeLine[];
  readonly test_lines: number;
  /** The record count in the last line; null when there is none. */
  readonly trailer: number | null;
}

/** What a spelling stands for. */
type Reading = { readonly symbol: string; readonly isTest: boolean };

/** Ten thousand spellings come back every day, so each is read once. */
const readings = new Map<string, Reading>();
/** Then all are forgotten: an order of use kept for each would cost more than reading some again. */
const READINGS_MAX = 30_000;
const ORDINARY = /^[A-Y][A-Z]{0,2}$/;

function readSpelling(spelled: string): Reading {
  // Three letters without Z in front are themselves: neither a test symbol nor one with a suffix.
  if (ORDINARY.test(spelled)) return { symbol: spelled, isTest: false };
  const known = readings.get(spelled);
  if (known) return known;
  // What is no spelling of the tape's is nobody's symbol but its own: it is kept, not guessed at.
  const reading = { symbol: fromFinra(spelled) ?? spelled, isTest: isTestSymbol(spelled) };
  if (readings.size >= READINGS_MAX) readings.clear();
  readings.set(spelled, reading);
  return reading;
}

/** Reads dates; the lines of a file bear the same one, so the last is remembered. */
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

/** Reads header, lines and trailer. Throws UpstreamFailed naming the first line that is none. */
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
    if (!isRead) throw unreadable(file, `line ${row + 2} is no line of the table`);
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
 * The file of one day, whole: its trailer counts every line, each line is of that day, no symbol comes twice. Throws
 * UpstreamFailed for anything else: half a day would look like a day without the other half.
 */
export function readShortVolumeFile(text: string, date: string, file: string): ShortVolumeLines {
  const read = readShortVolume(text, file);
  const { lines, test_lines, trailer } = read;
  const found = lines.length + test_lines;
  if (trailer === null)
    throw unreadable(file, `it is cut off: ${found} records and no count of them at its end`);
  if (trailer !== found) throw unreadable(file, `it is cut off: ${found} of ${trailer} records`);
  const seen = new Set<string>();
  for (const line of lines) {
    if (line.date !== date) throw unreadable(file, `it holds lines of ${line.date}`);
    if (seen.has(line.symbol)) throw unreadable(file, `${line.symbol} stands in it twice`);
    seen.add(line.symbol);
  }
  return read;
}
