// Reads companyfacts JSON: its filings, its periods, and the figures of the tags that stand for statement
// lines.
import { shapeChanged } from "../../wire.ts";
import { type Cell, Column, type Filing, Tag } from "./column.ts";
import { splitTag, WANTED_TAGS } from "./lines.ts";
import { isLong, type LeftOutPeriod, type LongFigure, LongPeriods } from "./long-periods.ts";
import { monthsOfDays, type Period, readDayNumber } from "./period.ts";
import type { NormaliseOptions } from "./records.ts";
import { type Series, settleCurrencies, settleRounding } from "./units.ts";
import { knownOf, tierOf } from "./vintage.ts";

export interface FactTable {
  readonly cik: string;
  /** Its tags by their id. */
  readonly tags: ReadonlyMap<string, Tag>;
  /**
   * Rows that lack a field or have an impossible one, counted by accession number; null: rows that name no
   * filing.
   */
  readonly unread: ReadonlyMap<string | null, number>;
  /** Accession numbers of filings in two currencies of equal weight. */
  readonly undecided: readonly string[];
  /**
   * Periods of more than 400 days that are left out, though their report has no others up to the same day.
   */
  readonly leftOut: readonly LeftOutPeriod[];
}

const DOCUMENT = "companyfacts";

/** A company that begins in the last days of a quarter or year gives its first report about so many days. */
const DAYS_MIN = 2;
/** Reports compare with at most the ten years before them. A period that is much older is a typing error. */
const AGE_DAYS_MAX = 20 * 366;

const MONEY = /^[A-Z]{3}(?:\/shares)?$/;
type Json = Readonly<Record<string, unknown>>;
const objectAt = (value: unknown, path: string): Json => {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw shapeChanged(DOCUMENT, path, "an object");
  return value as Json;
};

/** The tags, filings, periods and columns found so far, one object each. */
class Index {
  readonly tags = new Map<string, Tag>();
  readonly filings = new Map<string, Filing>();
  readonly #periods = new Map<string, Map<string, Period | null>>();
  readonly #days = new Map<string, number | null>();
  #periodCount = 0;
  #columnCount = 0;
  #last: { readonly start: unknown; readonly end: unknown; readonly period: Period | null } = {
    start: null,
    end: null,
    period: null,
  };
  constructor(readonly untilDay: number) {}

  #day(text: unknown): number | null {
    if (typeof text !== "string") return null;
    return this.#days.getOrInsertComputed(text, readDayNumber);
  }

  /**
   * Returns the filing that a row names. Null until one of the filing's rows has all three fields and a
   * filing date that exists and is not after `untilDay`.
   */
  filing({ accn, form, filed }: Json): Filing | null {
    const known = this.filings.get(accn as string);
    if (known?.filed === filed) return known ?? null;
    const filedDay = this.#day(filed);
    if (typeof accn !== "string" || typeof form !== "string" || typeof filed !== "string")
      return known ?? null;
    if (filedDay === null || filedDay > this.untilDay) return known ?? null;
    if (known) {
      if (filedDay > known.filedDay) [known.filed, known.filedDay] = [filed, filedDay];
      return known;
    }
    const filing: Filing = {
      index: this.filings.size,
      accession: accn,
      form,
      filed,
      filedDay,
      tier: tierOf(form),
      currency: "",
      rounding: 1,
      fiscalYear: undefined,
      fiscalPeriod: undefined,
      columns: [],
    };
    this.filings.set(accn, filing);
    return filing;
  }

  column(filing: Filing, period: Period): Column {
    filing.columns[period.index] ??= new Column(this.#columnCount++, filing, period, this.tags);
    return filing.columns[period.index] as Column;
  }

  /**
   * Null when a date does not exist. A period that ends before it starts is dropped later, by its length. The
   * rows of one period mostly follow each other.
   */
  period(start: unknown, end: unknown): Period | null {
    if (this.#last.end !== end || this.#last.start !== start)
      this.#last = { start, end, period: this.#find(start, end) };
    return this.#last.period;
  }

  #find(start: unknown, end: unknown): Period | null {
    if (typeof end !== "string") return null;
    const from = start === undefined || start === null ? "" : start;
    if (typeof from !== "string") return null;
    let ends = this.#periods.get(from);
    if (!ends) {
      ends = new Map();
      this.#periods.set(from, ends);
    }
    let period = ends.get(end);
    if (period === undefined) {
      period = this.#newPeriod(from, end);
      ends.set(end, period);
    }
    return period;
  }

  #newPeriod(start: string, end: string): Period | null {
    const [startDay, endDay] = [start === "" ? null : this.#day(start), this.#day(end)];
    if (endDay === null || (start !== "" && startDay === null)) return null;
    const months = startDay === null ? null : monthsOfDays(endDay - startDay + 1);
    return { index: this.#periodCount++, start: start || null, end, startDay, endDay, months };
  }
}

/**
 * False for dates after the filing (schedules of future payments, forecasts) and for impossible ones (typing
 * errors).
 */
function isReported({ filedDay }: Filing, { startDay, endDay }: Period): boolean {
  if (endDay > filedDay || endDay < filedDay - AGE_DAYS_MAX) return false;
  return startDay === null || endDay - startDay + 1 >= DAYS_MIN;
}

/** Number of significant digits. */
const precision = (value: number): number => String(Math.abs(value)).replace(/\.|0+$/g, "").length;

/**
 * Merges a second number for a tag and period: the more exact one when the other is its rounding, else a
 * conflict.
 */
function merge(cell: Cell, other: Cell): void {
  if (cell.value === other.value || Number.isNaN(other.value)) return;
  const { value, unit, conflicting } = merged(cell, other);
  Object.assign(cell, { value, unit, conflicting });
}

function merged(one: Cell, other: Cell): Cell {
  if (Number.isNaN(one.value)) return other;
  const [fine, coarse] = precision(one.value) >= precision(other.value) ? [one, other] : [other, one];
  const digits = Math.max(1, precision(coarse.value));
  if (Number(fine.value.toPrecision(digits)) === coarse.value && digits > 1) return fine;
  return { ...one, conflicting: true };
}

/** Notes the part of the fiscal year that a row gives its filing. Rows that differ leave it unknown. */
function noteFiscalPeriod(filing: Filing, period: unknown): void {
  if (typeof period !== "string") return;
  const isSame = filing.fiscalPeriod === undefined || filing.fiscalPeriod === period;
  filing.fiscalPeriod = isSame ? period : null;
}

/** Notes the fiscal year that a row gives its filing. Rows that differ leave it unknown. */
function noteFiscalYear(filing: Filing, year: unknown): void {
  if (typeof year !== "number" || !Number.isInteger(year)) return;
  filing.fiscalYear = filing.fiscalYear === undefined || filing.fiscalYear === year ? year : null;
}

/**
 * Reads the rows of a file. Rows that do not identify their filing are read last, when other rows may have
 * done so.
 */
class RowReader {
  readonly all: Series[] = [];
  readonly #long: LongFigure[] = [];
  readonly #unassigned: { readonly series: Series; readonly row: Json | null }[] = [];
  readonly unread = new Map<string | null, number>();
  constructor(readonly index: Index) {}

  read(tag: Tag, units: Json): void {
    this.index.tags.set(tag.id, tag);
    for (const [unit, rows] of Object.entries(units)) {
      if (unit !== "shares" && !MONEY.test(unit)) continue;
      if (!Array.isArray(rows)) throw shapeChanged(DOCUMENT, `${tag.id}.${unit}`, "a list");
      const series: Series = { tag, unit, currency: unit === "shares" ? null : unit.slice(0, 3), cells: [] };
      this.all.push(series);
      for (const row of rows as (Json | null)[]) {
        const filing = row && this.index.filing(row);
        if (filing) this.#take(series, row, filing);
        else this.#unassigned.push({ series, row });
      }
    }
  }

  /** Reads the last rows. Returns the long periods that are left out. */
  finish(knownMs: (filing: Filing) => number): LeftOutPeriod[] {
    for (const { series, row } of this.#unassigned) {
      const filing = row && this.index.filings.get(row.accn as string);
      if (!filing) {
        this.#countUnread(null);
        continue;
      }
      const last = { ...series, cells: [] };
      this.all.push(last);
      this.#take(last, row, filing);
    }
    return this.#settleLong(knownMs);
  }

  #countUnread(accession: string | null): void {
    this.unread.set(accession, (this.unread.get(accession) ?? 0) + 1);
  }

  /** Keeps a value that cannot be read as NaN: the filing has the tag, but its number is unknown. */
  #take(series: Series, row: Json, filing: Filing): void {
    noteFiscalYear(filing, row.fy);
    noteFiscalPeriod(filing, row.fp);
    const period = this.index.period(row.start, row.end);
    const value = typeof row.val === "number" && Number.isFinite(row.val) ? row.val : Number.NaN;
    if (!period || Number.isNaN(value)) this.#countUnread(filing.accession);
    if (!period || !isReported(filing, period)) return;
    if (isLong(period)) this.#long.push({ series, filing, period, value });
    else this.#keep(series, filing, period, value);
  }

  #keep({ tag, unit, cells }: Series, filing: Filing, period: Period, value: number): void {
    cells.push({ tag, column: this.index.column(filing, period), value, unit, conflicting: false });
  }

  /**
   * Keeps the figures of first fiscal years that are long. Returns the other long periods that a reader
   * misses.
   */
  #settleLong(knownMs: (filing: Filing) => number): LeftOutPeriod[] {
    if (this.#long.length === 0) return [];
    const periods = new LongPeriods(this.all, this.#long, knownMs);
    const kept = this.#long.filter((figure) => periods.isFirstYear(figure));
    const leftOut = periods.leftOut();
    for (const { series, filing, period, value } of kept) this.#keep(series, filing, period, value);
    return leftOut;
  }
}

/** Gives the cells to their tags, without those in another currency than their filing's. */
function assign(all: readonly Series[]): void {
  for (const { tag, currency, cells } of all)
    for (const cell of cells) {
      const own = cell.column.filing.currency;
      if (own === "" || (currency !== null && currency !== own)) continue;
      const earlier = tag.in(cell.column);
      if (earlier) merge(earlier, cell);
      else tag.add(cell);
    }
}

function readCik(json: Json): string {
  const text = String(json.cik);
  if (!/^\d{1,10}$/.test(text)) throw shapeChanged(DOCUMENT, "companyfacts.cik", "a CIK");
  return text.padStart(10, "0");
}

/**
 * Reads the file. Rows that cannot be read, and rows filed after `until`, are left out and counted. Throws
 * UpstreamFailed when the JSON is not companyfacts.
 */
export function readCompanyFacts(
  companyFacts: unknown,
  { until, acceptedAt }: Pick<NormaliseOptions, "until" | "acceptedAt"> = {},
): FactTable {
  const json = objectAt(companyFacts, DOCUMENT);
  const cik = readCik(json);
  const taxonomies = objectAt(json.facts, `${DOCUMENT}.facts`);
  const index = new Index(readDayNumber(until) ?? Infinity);
  const reader = new RowReader(index);
  for (const id of WANTED_TAGS) {
    const { taxonomy, name } = splitTag(id);
    const concept =
      taxonomies[taxonomy] && objectAt(taxonomies[taxonomy], `${DOCUMENT}.facts.${taxonomy}`)[name];
    if (concept)
      reader.read(new Tag(id, taxonomy, name), objectAt(objectAt(concept, id).units, `${id}.units`));
  }
  const leftOut = reader.finish((filing) => knownOf(filing, acceptedAt).knownMs);
  const { all, unread } = reader;
  const filings = [...index.filings.values()];
  const undecided = settleCurrencies(all, filings);
  settleRounding(all, filings);
  assign(all);
  return { cik, tags: index.tags, unread, undecided, leftOut };
}
