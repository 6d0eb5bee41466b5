// For tests: the files of tagged figures at a moment, read as one reads them.
import { allNamed } from "../../sample/edgar/filers.ts";
import { visit } from "./sample-edgar.ts";

/** A row of the regulator's file. */
export interface Row {
  start?: string;
  end: string;
  val: number;
  accn: string;
  fy: number | null;
  fp: string | null;
  form: string;
  filed: string;
  frame?: string;
}
/** By taxonomy and tag. */
export type Facts = Record<
  string,
  Record<string, { label: string | null; description: string | null; units: Record<string, Row[]> }>
>;
export type Visit = ReturnType<typeof visit>;

export const LATE = "2026-09-09T21:00:00Z";
export const late = visit(LATE, { symbols: 80 });
export const address = (cik: number) =>
  `data.sec.gov/api/xbrl/companyfacts/CIK${String(cik).padStart(10, "0")}.json`;
interface File {
  cik: number;
  entityName: string;
  facts: Facts;
}
const read = new Map<number, File>();
/** The file of an entity; that of the late visit is read once. */
export function fileOf(at: Visit, cik: number): File {
  const known = at === late ? read.get(cik) : undefined;
  const file: File = known ?? JSON.parse(at.text(address(cik)));
  if (at === late) read.set(cik, file);
  return file;
}
export const rowsOf = (at: Visit, cik: number, tag: string, unit = "USD", taxonomy = "us-gaap"): Row[] =>
  fileOf(at, cik).facts[taxonomy]?.[tag]?.units[unit] ?? [];
export const flat = (facts: Facts) =>
  Object.entries(facts).flatMap(([taxonomy, tags]) =>
    Object.entries(tags).flatMap(([tag, { units }]) =>
      Object.entries(units).flatMap(([unit, rows]) => rows.map((row) => ({ taxonomy, tag, unit, row }))),
    ),
  );
export const cikOf = (symbol: string) => allNamed().find((filer) => filer.symbol === symbol)?.cik ?? 0;
export const days = (from: string, to: string) =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1;
/** The value of a period in each filing that reports it: form and value. */
export const figuresOf = (rows: readonly Row[], start: string, end: string) =>
  rows.filter((row) => row.start === start && row.end === end).map(({ val, form }) => [form, val]);
