// Reads EDGAR's index files: master (fields separated by bars), company and form (fields in columns). Pure.
import { readAccession, readCik } from "../accession.ts";
import type { IndexRow } from "../records.ts";
import { readDay, shapeChanged } from "../wire.ts";

/** The rows, and the lines that could not be read. */
export interface IndexLines {
  readonly rows: readonly IndexRow[];
  readonly unread: readonly string[];
}

type ReadLine = (line: string) => IndexRow | null;

/** The accession number in `edgar/data/1000228/0001209191-18-064398.txt`. */
function accessionIn(file: string): string | null {
  const name = /^edgar\/data\/\d{1,10}\/(?:\d{18}\/)?([^/]+)\.txt$/.exec(file.trim())?.[1];
  return name ? readAccession(name) : null;
}

function indexRow(cik = "", company = "", form = "", filed = "", file = ""): IndexRow | null {
  const parts = { cik: readCik(cik), filing_date: readDay(filed), accession_number: accessionIn(file) };
  const { filing_date, accession_number } = parts;
  if (!parts.cik || !filing_date || !accession_number || !form.trim()) return null;
  return {
    cik: parts.cik,
    company_name: company.trim(),
    form_type: form.trim(),
    filing_date,
    accession_number,
  };
}

/** `1000228|HENRY SCHEIN INC|4|20181231|edgar/data/…`; a name may hold anything but the bar. */
const readMasterLine: ReadLine = (line) => {
  const fields = line.split("|");
  return fields.length === 5 ? indexRow(...fields) : null;
};

/** The end of every line in columns: CIK, date and file. */
const TAIL = /^(.*?)\s+(\d{1,10})\s+(\d{8}|\d{4}-\d{2}-\d{2})\s+(edgar\/data\/\S+)\s*$/;

/** Form types that fill their column of twelve characters, or run into the column of the name. */
const LONG_FORM = /^(SCHEDULE 13[DG](?:\/A)?)(.*)$/;

/**
 * Reads a line in columns, split at `at`, the start of its second column. When the first field runs into the
 * second, the boundary is unknown and the line is unread, unless the field is one of the long form types.
 */
function readColumnsLine(at: number, isFormFirst: boolean): ReadLine {
  return (line) => {
    const [, before = "", cik, filed, file] = TAIL.exec(line) ?? [];
    const long = isFormFirst ? LONG_FORM.exec(before) : null;
    if (long) return indexRow(cik, long[2], long[1], filed, file);
    const [first, second] = [before.slice(0, at), before.slice(at)];
    if (!/\s$/.test(first)) return null;
    return isFormFirst
      ? indexRow(cik, second, first, filed, file)
      : indexRow(cik, first, second, filed, file);
  };
}

/** Returns the reader for lines below this heading; null for an unknown heading. */
function readerOf(heading: string): ReadLine | null {
  if (/^CIK\|Company Name\|Form Type\|Date Filed\|File ?name\s*$/i.test(heading)) return readMasterLine;
  const [form, company] = [heading.indexOf("Form Type"), heading.indexOf("Company Name")];
  if (!/Date Filed\s+File ?Name/i.test(heading) || form < 0 || company < 0) return null;
  return readColumnsLine(Math.max(form, company), form < company);
}

/**
 * Up to this many unreadable lines per thousand are tolerated. More mean that the file's format is unknown.
 */
const UNREAD_OF_1000_MAX = 10;

/**
 * Returns every row of an index file: none for a day without filings, 300,000 and more for a quarter, several
 * for one filing. Throws UpstreamFailed when the heading is unknown or too many lines cannot be read.
 */
export function readIndexFile(text: string, document: string): IndexLines {
  const lines = text.split(/\r?\n/);
  const rule = lines.findIndex((line) => /^-{20,}\s*$/.test(line));
  // In some files the heading is split over two lines.
  const above = rule < 1 ? [] : [lines[rule - 1] ?? "", `${lines[rule - 2] ?? ""} ${lines[rule - 1] ?? ""}`];
  const read = above.map(readerOf).find((reader) => reader !== null);
  if (!read) throw shapeChanged(document, "its heading", "CIK|Company Name|Form Type|Date Filed|File Name");
  const rows: IndexRow[] = [];
  const unread: string[] = [];
  for (const line of lines.slice(rule + 1)) {
    if (line.trim() === "") continue;
    const row = read(line);
    if (row) rows.push(row);
    else unread.push(line);
  }
  if (unread.length * 1000 > (rows.length + unread.length) * UNREAD_OF_1000_MAX)
    throw shapeChanged(
      document,
      `${unread.length} of ${rows.length + unread.length} lines`,
      "rows of the index",
    );
  return { rows, unread };
}
