// Daily and full index files: a row for each filer of each filing, in the three sorts upstream writes.
import { LRUCache } from "lru-cache";
import { dateOf, dayOf } from "../sessions.ts";
import { indexPublishedAt, isBusinessDay } from "./days.ts";
import { nameOn } from "./filers.ts";
import { compact, type Filing, partiesOf } from "./filing.ts";
import type { Register } from "./register.ts";

type Sort = "master" | "form" | "company";

/** A file and when it was last written, epoch seconds. */
export interface IndexFile {
  readonly body: string;
  readonly modifiedAt: number;
}

interface Row {
  readonly cik: string;
  readonly name: string;
  readonly form: string;
  readonly date: string;
  readonly file: string;
}

const FIRST_YEAR = 1993;
const SATURDAY_S = (2 * 24 + 7) * 3600 + 5 * 60;
const WEEK_S = 7 * 86_400;

function rowsOf(filings: readonly Filing[], iso: boolean): Row[] {
  return filings.flatMap((filing) =>
    partiesOf(filing).map((filer) => ({
      cik: String(filer.cik),
      name: nameOn(filer, filing.filingDate),
      form: filing.form,
      date: iso ? filing.filingDate : compact(filing.filingDate),
      file: `edgar/data/${filer.cik}/${filing.accession}.txt`,
    })),
  );
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** One line; the fixed widths are upstream's. */
const LINE: Readonly<Record<Sort, (row: Row) => string>> = {
  master: (r) => `${r.cik}|${r.name}|${r.form}|${r.date}|${r.file}`,
  form: (r) =>
    `${r.form.padEnd(12)}${r.name.padEnd(62)}${r.cik.padEnd(12)}${r.date.padEnd(12)}${r.file.padEnd(52)}`,
  company: (r) =>
    `${r.name.padEnd(62)}${r.form.padEnd(12)}${r.cik.padEnd(12)}${r.date.padEnd(12)}${r.file.padEnd(52)}`,
};
const ORDER: Readonly<Record<Sort, (a: Row, b: Row) => number>> = {
  master: (a, b) => compare(a.cik, b.cik) || compare(a.form, b.form) || compare(a.file, b.file),
  form: (a, b) => compare(a.form, b.form) || compare(a.name, b.name) || compare(a.file, b.file),
  company: (a, b) => compare(a.name, b.name) || compare(a.form, b.form) || compare(a.file, b.file),
};
const TITLE: Readonly<Record<Sort, string>> = {
  master: "",
  form: " by Form Type",
  company: " by Company Name",
};

function head(sort: Sort, daily: boolean, lastDate: string): string[] {
  const last = Temporal.PlainDate.from(lastDate);
  const month = last.toLocaleString("en-US", { month: daily ? "short" : "long" });
  const kind = daily ? "Daily Index" : "Master Index";
  const file = daily ? "File Name" : "Filename";
  const columns = {
    master: `CIK|Company Name|Form Type|Date Filed|${file}`,
    form: `${"Form Type".padEnd(12)}${"Company Name".padEnd(62)}${"CIK".padEnd(12)}Date Filed  File Name`,
    company: `${"Company Name".padEnd(62)}${"Form Type".padEnd(12)}${"CIK".padEnd(12)}Date Filed  File Name`,
  }[sort];
  return [
    `Description:           ${kind} of EDGAR Dissemination Feed${TITLE[sort]}`,
    `Last Data Received:    ${month} ${daily ? String(last.day).padStart(2) : last.day}, ${last.year}`,
    "Comments:              webmaster@sec.gov",
    "Anonymous FTP:         ftp://ftp.sec.gov/edgar/",
    ...(daily ? [""] : ["Cloud HTTP:            https://www.sec.gov/Archives/", "", "", "", ""]),
    columns,
    "-".repeat(sort === "master" ? 80 : 141),
  ];
}

function write(sort: Sort, daily: boolean, lastDate: string, filings: readonly Filing[]): string {
  const rows = rowsOf(filings, !daily).sort(ORDER[sort]);
  return `${[...head(sort, daily, lastDate), ...rows.map(LINE[sort])].join("\n")}\n`;
}

function dailyFile(register: Register, sort: Sort, date: string): IndexFile | null {
  const day = dayOf(date);
  if (!isBusinessDay(day) || indexPublishedAt(day) > register.now()) return null;
  return {
    body: write(sort, true, date, register.filedBetween(date, date)),
    modifiedAt: indexPublishedAt(day),
  };
}

/** The newest business day whose index can be read. */
function lastPublished(register: Register): number {
  let day = dayOf(register.today());
  while (!isBusinessDay(day) || indexPublishedAt(day) > register.now()) day--;
  return day;
}

/**
 * A quarter up to what has been published of it; on its first day without a row. Rebuilt on Saturdays when
 * over.
 */
function fullFile(register: Register, sort: Sort, year: number, quarter: number): IndexFile | null {
  const month = (quarter - 1) * 3 + 1;
  const start = `${year}-${String(month).padStart(2, "0")}-01`;
  if (year < FIRST_YEAR || start > register.today()) return null;
  const end = dateOf(Date.UTC(year, month + 2, 1) / 86_400_000 - 1);
  const published = lastPublished(register);
  const last = dateOf(Math.min(published, dayOf(end)));
  const filings = last < start ? [] : register.filedBetween(start, last);
  const saturday = Math.floor((register.now() - SATURDAY_S) / WEEK_S) * WEEK_S + SATURDAY_S;
  const over = last === end || dateOf(published) > end;
  return {
    body: write(sort, false, last, filings),
    modifiedAt: over ? saturday : indexPublishedAt(published),
  };
}

const SORT = "(master|form|company)";
const DAILY = new RegExp(`^/Archives/edgar/daily-index/(\\d{4})/QTR([1-4])/${SORT}\\.(\\d{8})\\.idx$`);
const FULL = new RegExp(`^/Archives/edgar/full-index/(\\d{4})/QTR([1-4])/${SORT}\\.idx$`);

/** True for paths under which index files lie, the missing ones included. */
export const isIndexPath = (path: string): boolean => /^\/Archives\/edgar\/(daily|full)-index\//.test(path);

function indexFile(register: Register, path: string): IndexFile | null {
  const [, year = "", quarter = "", sort = "", digits = ""] = DAILY.exec(path) ?? FULL.exec(path) ?? [];
  if (!sort) return null;
  if (!digits) return fullFile(register, sort as Sort, Number(year), Number(quarter));
  const date = `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
  const real = !Number.isNaN(dayOf(date)) && dateOf(dayOf(date)) === date;
  const inPlace = date.startsWith(year) && Math.ceil(Number(digits.slice(4, 6)) / 3) === Number(quarter);
  return real && inPlace ? dailyFile(register, sort as Sort, date) : null;
}

/** Files kept ready: a full index of a large market is some megabytes. */
const FILES_MAX = 8;

/** Gives the index file at a path; null when there is none (yet). */
export function createIndexes(register: Register): (path: string) => IndexFile | null {
  const files = new LRUCache<string, IndexFile>({ max: FILES_MAX });
  return (path) => {
    // A file changes only when another day's index comes out.
    const name = `${path} ${register.today()} ${lastPublished(register)}`;
    const file = files.get(name) ?? indexFile(register, path);
    if (file) files.set(name, file);
    return file;
  };
}
