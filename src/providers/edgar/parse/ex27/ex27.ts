// Normalises the Financial Data Schedules of a company (EX-27, 1993 to 2000) into facts marked "ex27".

import { coverageOf } from "../facts/coverage.ts";
import { lineSpec } from "../facts/lines.ts";
import { FiscalCalendar, type Months, monthsOfDays, readDayNumber } from "../facts/period.ts";
import type {
  Ex27Document,
  FactFlag,
  FigureWarning,
  FinancialFact,
  NormalisedFacts,
} from "../facts/records.ts";
import { isAnnualForm, revisionOf, tierOf } from "../facts/vintage.ts";
import { SCHEDULE_LINES, type ScheduleLine, stands } from "./lines.ts";
import { type Column, readSchedules, type Schedule } from "./read.ts";

/** Version of this parser, raised as FACTS_READING is. */
export const SCHEDULES_READING = 4;

const MONTHS_BY_TYPE: Readonly<Record<string, Months>> = {
  YEAR: 12,
  "12-MOS": 12,
  "9-MOS": 9,
  "6-MOS": 6,
  "3-MOS": 3,
  "QTR-1": 3,
  "QTR-2": 3,
  "QTR-3": 3,
  "QTR-4": 3,
};
/** Restated columns go back at most this far. */
const AGE_DAYS_MAX = 11 * 366;
const BORROWABLE = [1, 1_000, 1_000_000];
/** From one schedule of a company to the next, total assets change by less than this factor. */
const SIZE_FACTOR_MAX = 5;
const POWER_SLACK = 0.3;

/** A column of a schedule with everything needed to make facts of it. */
interface Entry {
  readonly document: Ex27Document;
  readonly schedule: Schedule;
  readonly column: Column;
  readonly end: string;
  readonly endDay: number;
  readonly lines: readonly ScheduleLine[];
}

/** A warning about a document, or about one period of it. */
const warningOf = (
  { accession_number }: Ex27Document,
  code: string,
  what: string,
  period_end: string | null = null,
): FigureWarning => ({
  code,
  line: null,
  period_end,
  accession_number,
  detail: `the schedule of ${accession_number} ${what}`,
});

function entriesOf(document: Ex27Document, warnings: FigureWarning[]): Entry[] {
  const filedDay = readDayNumber(document.filed_date) ?? 0;
  const schedules = readSchedules(document.text);
  if (schedules.length === 0) warnings.push(warningOf(document, "schedule_missing", "has no schedule in it"));
  return schedules.flatMap((schedule) => {
    const lines = SCHEDULE_LINES[schedule.article ?? ""];
    if (schedule.cik !== null && schedule.cik !== document.cik) return [];
    if (!lines) {
      warnings.push(
        warningOf(
          document,
          "schedule_article",
          `is of article ${schedule.article ?? "(none)"} and is not read`,
        ),
      );
      return [];
    }
    const unread = schedule.unread.filter((tag) => lines.some((line) => line.tag === tag));
    if (unread.length > 0)
      warnings.push(
        warningOf(document, "schedule_values_unread", `has unreadable values: ${unread.join(", ")}`),
      );
    return schedule.columns.flatMap((column) => {
      const end = column.periodEnd;
      const endDay = readDayNumber(end);
      if (end !== null && endDay !== null && endDay <= filedDay && filedDay - endDay <= AGE_DAYS_MAX)
        return [{ document, schedule, column, end, endDay, lines }];
      warnings.push(
        warningOf(document, "schedule_period_unread", `has an impossible period end: ${end ?? "none"}`),
      );
      return [];
    });
  });
}

/** Total assets of the schedules whose multiplier is known. */
class Sizes {
  readonly #known: { readonly endDay: number; readonly assets: number }[] = [];

  learn({ endDay }: Entry, assets: number): void {
    if (assets > 0) this.#known.push({ endDay, assets });
  }

  #nearest(endDay: number): number | undefined {
    return this.#known.toSorted((a, b) => Math.abs(a.endDay - endDay) - Math.abs(b.endDay - endDay))[0]
      ?.assets;
  }

  /**
   * Returns the multiplier that brings a schedule's total assets to the size of the nearest known ones; null
   * unless exactly one does.
   */
  borrow({ endDay, column }: Entry): number | null {
    const [near, own] = [this.#nearest(endDay), column.values.get("TOTAL-ASSETS") ?? 0];
    if (near === undefined || own <= 0) return null;
    const fitting = BORROWABLE.filter((m) => {
      const factor = (own * m) / near;
      return factor < SIZE_FACTOR_MAX && factor > 1 / SIZE_FACTOR_MAX;
    });
    return fitting.length === 1 ? (fitting[0] ?? null) : null;
  }

  /** True when total assets are a thousand or a million times off the nearest known ones. */
  isOff({ endDay }: Entry, assets: number): boolean {
    const near = this.#nearest(endDay);
    if (near === undefined || assets <= 0) return false;
    const power = Math.abs(Math.log10(assets / near));
    return [3, 6].some((off) => Math.abs(power - off) <= POWER_SLACK);
  }
}

/**
 * Length of a column's flows; null when the stated length contradicts the dates. Many columns state three
 * months but start with the year: their figures may be those of the quarter or of the year to date.
 */
function monthsOf({ column: { periodType, periodStart }, endDay }: Entry): Months {
  const stated = MONTHS_BY_TYPE[periodType] ?? null;
  const startDay = readDayNumber(periodStart);
  return startDay === null || monthsOfDays(endDay - startDay + 1) === stated ? stated : null;
}

/** Days after the end of a fiscal year on which its first quarter ends: 12 to 17 weeks. */
const [FIRST_QUARTER_MIN, FIRST_QUARTER_MAX] = [75, 125];
const YEAR_DAYS = 365.25;

/** Whether a column's period ends with the first quarter of a fiscal year, by the end of any of its years. */
function isFirstQuarter({ column, endDay }: Entry): boolean {
  const yearEnd = readDayNumber(column.fiscalYearEnd);
  if (yearEnd === null) return false;
  const days = (((endDay - yearEnd) % YEAR_DAYS) + YEAR_DAYS) % YEAR_DAYS;
  return days >= FIRST_QUARTER_MIN && days <= FIRST_QUARTER_MAX;
}

/** Whether the schedule has a longer period with the same end and other figures beside the column. */
function isBesideLonger({ schedule, column }: Entry): boolean {
  return schedule.columns.some(
    (other) =>
      other.periodEnd === column.periodEnd &&
      (MONTHS_BY_TYPE[other.periodType] ?? 0) > 3 &&
      [...other.values].some(([tag, value]) => value !== (column.values.get(tag) ?? value)),
  );
}

const labelOf = ({ column, endDay, document }: Entry, months: Months) => {
  const calendar = new FiscalCalendar();
  const yearEnd = readDayNumber(column.fiscalYearEnd);
  if (yearEnd !== null) calendar.learn(yearEnd);
  // An annual report may restate quarters; only its schedules of twelve months end a fiscal year.
  else if (isAnnualForm(document.form) && MONTHS_BY_TYPE[column.periodType] === 12) calendar.learn(endDay);
  const startDay = months === null ? null : endDay - 1;
  return calendar.labelOf({ index: 0, start: null, end: "", startDay, endDay, months });
};

class Reader {
  readonly #sizes = new Sizes();
  /** Revenue of the schedules so far, by fiscal year and currency. */
  readonly #revenues = new Map<string, { readonly endDay: number; readonly revenue: number }[]>();
  readonly #earlier = new Map<string, { count: number; value: number }>();
  readonly facts: FinancialFact[] = [];
  constructor(readonly warnings: FigureWarning[]) {}

  read(entry: Entry): void {
    const { schedule, document, column } = entry;
    const multiplier = schedule.multiplier ?? this.#sizes.borrow(entry);
    const assets = (column.values.get("TOTAL-ASSETS") ?? 0) * (multiplier ?? 0);
    const isOff = this.#sizes.isOff(entry, assets);
    if (multiplier === null)
      this.warnings.push(
        warningOf(
          document,
          "multiplier_missing",
          `omits its multiplier: its amounts to ${entry.end} are left out`,
          entry.end,
        ),
      );
    else if (isOff)
      this.warnings.push(
        warningOf(document, "suspect_scale", "is a power of a thousand off the company's others", entry.end),
      );
    else this.#sizes.learn(entry, assets);
    const flags: FactFlag[] = [];
    if (tierOf(document.form) === "other") flags.push("other_form");
    if (isOff) flags.push("suspect_scale");
    if (schedule.multiplier === null) flags.push("borrowed_multiplier");
    if (column.periodType in MONTHS_BY_TYPE && monthsOf(entry) === null)
      this.warnings.push(
        warningOf(
          document,
          "period_length_unclear",
          `states ${column.periodType} for ${column.periodStart} to ${entry.end}: its figures of that period are left out`,
          entry.end,
        ),
      );
    this.#readLines(entry, multiplier, flags, this.#lengthDoubts(entry, multiplier));
  }

  /**
   * A doubt about the length of a column of three months without a start, which may be of the year to date;
   * none where something proves it: the year begins with the quarter, the year to date stands beside it, or a
   * year to date could not have less revenue than an earlier part of its year.
   */
  #lengthDoubts(entry: Entry, multiplier: number | null): FactFlag[] {
    const { column, lines, schedule, endDay } = entry;
    const tag = lines.find((spec) => spec.line === "revenue" && column.values.get(spec.tag))?.tag;
    const revenue = (tag === undefined ? 0 : (column.values.get(tag) ?? 0)) * (multiplier ?? 0);
    const year = labelOf(entry, 3).fiscal_year;
    const ofYear = this.#revenues.getOrInsertComputed(`${year} ${schedule.currency}`, () => []);
    const isBelow = year !== null && ofYear.some((one) => one.endDay < endDay && one.revenue > revenue);
    if (revenue > 0) ofYear.push({ endDay, revenue });
    if (column.periodType !== "3-MOS" || column.periodStart !== null) return [];
    const isProven = isFirstQuarter(entry) || isBesideLonger(entry) || (isBelow && revenue > 0);
    return isProven ? [] : ["suspect_length"];
  }

  #readLines(
    entry: Entry,
    multiplier: number | null,
    ofSchedule: readonly FactFlag[],
    ofLength: readonly FactFlag[],
  ): void {
    const { lines, column, schedule, document } = entry;
    if (schedule.currency === null) {
      this.warnings.push(
        warningOf(
          document,
          "currency_unclear",
          "is in a currency that is not known and is left out",
          entry.end,
        ),
      );
      return;
    }
    const done = new Set<string>();
    for (const spec of lines) {
      const value = column.values.get(spec.tag);
      if (value === undefined || done.has(spec.line)) continue;
      if (!stands(spec, value, column.values)) continue;
      done.add(spec.line);
      const { kind, positive, instant } = lineSpec(spec.line);
      const flags = instant ? ofSchedule : [...ofSchedule, ...ofLength];
      const doubts: readonly FactFlag[] = positive && value < 0 ? [...flags, "suspect_sign"] : flags;
      if (kind === "per_share") this.#add(entry, spec, value, schedule.currency, perShareFlags(spec, flags));
      else if (multiplier !== null)
        this.#add(entry, spec, scaled(value, multiplier), schedule.currency, doubts);
    }
  }

  #add(entry: Entry, spec: ScheduleLine, value: number, currency: string, flags: readonly FactFlag[]): void {
    const { document, column, end } = entry;
    const { statement, kind, instant } = lineSpec(spec.line);
    const months = instant ? null : monthsOf(entry);
    if (!instant && months === null) return;
    const earlier = this.#next(`${spec.line} ${months} ${end}`, value);
    this.facts.push({
      cik: document.cik,
      line: spec.line,
      statement,
      period_start: instant ? null : column.periodStart,
      period_end: end,
      ...labelOf(entry, months),
      period_months: months,
      value,
      unit: kind === "per_share" ? `${currency}/shares` : currency,
      currency,
      tag: spec.tag,
      taxonomy: "ex27",
      accession_number: document.accession_number,
      form: document.form,
      filed_date: document.filed_date,
      accepted_at: document.accepted_at ?? null,
      vintage: earlier.count + 1,
      revision: revisionOf(value, earlier.count === 0 ? undefined : earlier.value, kind, 1),
      flags,
      filing_fiscal_year: null,
      split_basis: kind === "per_share" ? document.filed_date : null,
      source: "ex27",
    });
  }

  #next(key: string, value: number): { readonly count: number; readonly value: number } {
    const earlier = this.#earlier.get(key) ?? { count: 0, value };
    this.#earlier.set(key, { count: earlier.count + 1, value });
    return earlier;
  }
}

/**
 * Flags of earnings per share. They have no multiplier, so no scale flags; before 1998 they were primary or
 * fully diluted.
 */
function perShareFlags({ tag }: ScheduleLine, flags: readonly FactFlag[]): FactFlag[] {
  const applicable = flags.filter((flag) => flag === "other_form" || flag === "suspect_length");
  return tag === "EPS-PRIMARY" ? [...applicable, "primary_eps"] : applicable;
}

/** Multiplies a decimal by a power of ten without binary rounding noise. */
const scaled = (value: number, multiplier: number): number => Number((value * multiplier).toPrecision(15));

/** Flags figures for which two schedules of one filing differ: one is a subsidiary's, or a mistake. */
function withConflicts(facts: readonly FinancialFact[]): FinancialFact[] {
  const figureKey = (f: FinancialFact) =>
    `${f.accession_number} ${f.line} ${f.period_months} ${f.period_end}`;
  const groups = Map.groupBy(facts, figureKey);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    if (group.every(({ value }) => value === first.value)) return [first];
    return [{ ...first, flags: [...first.flags, "conflicting" as const] }];
  });
}

/**
 * Makes facts of the schedules of ONE company, earliest filing first. Amounts are in whole units of their
 * currency. A schedule without a multiplier borrows the one that brings its total assets to the size of the
 * nearest known schedule; without one it gives its earnings per share only. `warnings` names what cannot be
 * read. Never throws.
 */
export function normaliseEx27(documents: readonly Ex27Document[]): NormalisedFacts {
  const warnings: FigureWarning[] = [];
  const reader = new Reader(warnings);
  const moment = (d: Ex27Document) => `${d.accepted_at ?? d.filed_date} ${d.accession_number}`;
  const ordered = documents.toSorted((a, b) => (moment(a) < moment(b) ? -1 : 1));
  for (const group of Map.groupBy(ordered, (d) => d.accession_number).values()) {
    const entries = group.flatMap((document) => entriesOf(document, warnings));
    // Schedules with a multiplier come first: others of the filing may borrow it.
    const rank = ({ schedule }: Entry) => (schedule.multiplier === null ? 1 : 0);
    for (const entry of entries.toSorted((a, b) => rank(a) - rank(b))) reader.read(entry);
  }
  const facts = withConflicts(reader.facts);
  return { facts, coverage: coverageOf(facts), warnings };
}
