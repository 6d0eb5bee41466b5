// Normalises companyfacts: assigns every figure of every filing to a statement line, with its period, vintage
// and flags.
import { shapeChanged } from "../../wire.ts";
import { chooseFigures } from "./choose.ts";
import type { Chosen, Column, Report } from "./column.ts";
import { judgeContext } from "./context.ts";
import { coverageOfReports } from "./coverage.ts";
import type { LineHistory } from "./history.ts";
import { FiscalCalendar, isMonthBoundary, isYearsApart, monthsOfDays, yearBefore } from "./period.ts";
import { StatementPlaces } from "./place.ts";
import { type FactTable, readCompanyFacts } from "./read.ts";
import type { FactFlag, FigureWarning, FinancialFact, NormalisedFacts, NormaliseOptions } from "./records.ts";
import { ScaleDetector } from "./scale.ts";
import { judgeSums } from "./sums.ts";
import { type FormTier, isAnnualForm, isTransitionForm, knownOf, revisionOf } from "./vintage.ts";
import {
  firstDayOf,
  firstYearEnd,
  isNearMonthStart,
  isOfStatement,
  isToDate,
  lastDayOf,
  ownColumns,
  yearEndSaid,
  yearEndShown,
} from "./year-start.ts";

/**
 * Version of this parser. Raise it with every change of what is read from companyfacts: figures that an
 * earlier version stored are then read again.
 */
export const FACTS_READING = 35;

/** A report with the moment it became public. Reports are read in the order of that moment. */
interface DatedReport {
  readonly report: Report;
  readonly accepted_at: string | null;
  readonly knownMs: number;
}

function inOrder(reports: readonly Report[], { acceptedAt }: NormaliseOptions): DatedReport[] {
  const dated = reports.map((report) => ({ report, ...knownOf(report.filing, acceptedAt) }));
  const accession = ({ report }: DatedReport) => report.filing.accession;
  return dated.sort((a, b) => a.knownMs - b.knownMs || (accession(a) < accession(b) ? -1 : 1));
}

/** Reports may date a company's first day differently by this many days. */
const FIRST_DAYS_SLACK = 10;

/** Current reports of foreign issuers. */
const CURRENT_FOREIGN = /^6-K(?:\/A)?$/;

const NO_FLAGS: readonly FactFlag[] = [];
/** The flags of every figure of a report. */
const FORM_FLAGS: Readonly<Record<FormTier, readonly FactFlag[]>> = {
  periodic: NO_FLAGS,
  proxy: ["proxy_form"],
  other: ["other_form"],
};

/** The figures of one report that are in doubt. */
interface Doubts {
  readonly scale: ReadonlySet<Chosen>;
  readonly context: ReadonlySet<Chosen>;
  readonly sums: ReadonlySet<Chosen>;
}

/** The flags of a figure that is in doubt; null for a sound one. */
function doubtsOf(figure: Chosen, { scale, context, sums }: Doubts): FactFlag[] | null {
  const isNegative = figure.spec.positive && figure.value < 0;
  const isOfSign = isNegative || figure.isContradicted;
  const isAmongSound = scale.size === 0 && context.size === 0 && sums.size === 0;
  if (isAmongSound && !isOfSign && !figure.cell.conflicting) return null;
  const flags: FactFlag[] = [];
  if (scale.has(figure) || sums.has(figure)) flags.push("suspect_scale");
  if (context.has(figure)) flags.push("suspect_context");
  if (isOfSign) flags.push("suspect_sign");
  if (figure.cell.conflicting) flags.push("conflicting");
  return flags.length === 0 ? null : flags;
}

/** The flags of a figure of which its report says nothing against the number itself. */
function notesOn(figure: Chosen, unproven: ReadonlySet<Chosen>): readonly FactFlag[] {
  if (!unproven.has(figure) && !figure.isReversed && !figure.isSignUnproven) return NO_FLAGS;
  const notes: FactFlag[] = unproven.has(figure) ? ["unproven_statement"] : [];
  if (figure.isReversed) notes.push("reversed_sign");
  return figure.isSignUnproven ? [...notes, "sign_unproven"] : notes;
}

/** Reads a company's filings oldest first, so that no fact depends on a later filing. */
class Reader {
  readonly #calendar = new FiscalCalendar();
  readonly #scale: ScaleDetector;
  readonly #places = new StatementPlaces();
  /** The first day of the earliest period of a statement so far. */
  #firstDay = Infinity;
  readonly facts: FinancialFact[] = [];
  constructor(
    readonly cik: string,
    histories: readonly LineHistory[],
  ) {
    this.#scale = new ScaleDetector(histories);
  }

  read({ report, accepted_at }: DatedReport): void {
    const { filing, figures, columns } = report;
    if (filing.tier === "periodic") this.#learnYear(report);
    else if (CURRENT_FOREIGN.test(filing.form)) this.#learnForeignYear(columns);
    const doubts: Doubts = {
      scale: this.#scale.judge(report),
      context: judgeContext(figures),
      sums: judgeSums(columns),
    };
    const unproven = this.#places.unproven(report);
    const ofForm = FORM_FLAGS[filing.tier];
    const sound: Chosen[] = [];
    for (const figure of figures) {
      const doubted = doubtsOf(figure, doubts);
      if (doubted === null && filing.tier !== "proxy") sound.push(figure);
      const notes = notesOn(figure, unproven);
      const flags =
        doubted === null && notes === NO_FLAGS ? ofForm : [...(doubted ?? []), ...notes, ...ofForm];
      this.facts.push(this.#factOf(figure, accepted_at, flags));
    }
    for (const figure of sound) {
      this.#scale.learn(figure);
      figure.past.learn(figure.value, filing.rounding);
    }
  }

  /**
   * Learns the ends of fiscal years from annual reports. Until the first annual report, a quarterly one shows
   * where its fiscal year began.
   */
  #learnYear(report: Report): void {
    const { filing, columns } = report;
    const { form } = filing;
    const flows = columns.filter(isOfStatement);
    const last = lastDayOf(flows);
    this.#firstDay = Math.min(this.#firstDay, firstDayOf(flows));
    if (!isAnnualForm(form)) {
      this.#learnToDate(report, flows);
      return;
    }
    // A transition report gives certain bounds for its own months only, not for the years shown beside them.
    if (isTransitionForm(form)) {
      this.#learnTransition(flows.filter(({ period }) => period.endDay === last));
      return;
    }
    const years = flows.filter(({ period }) => period.months === 12);
    for (const { period } of years) this.#learnBounds(period.startDay ?? Infinity, period.endDay);
    this.#learnFirstYear(flows, firstDayOf(years));
    this.#learnOddYear(report, flows);
    if (years.length === 0) this.#learnFromBalance(columns, last);
  }

  /**
   * Learns a company's first fiscal year, of any length, from an annual report that shows it for comparison:
   * its cash flows end on the day before the oldest whole year begins.
   */
  #learnFirstYear(flows: readonly Column[], yearStart: number): void {
    const ending = flows.filter(
      (column) => isToDate(column) && Math.abs(column.period.endDay + 1 - yearStart) <= FIRST_DAYS_SLACK,
    );
    const startDay = firstDayOf(ending);
    // Three, six or nine months that begin with a month may also lie between two fiscal years of different
    // ends.
    const months = monthsOfDays(lastDayOf(ending) - startDay + 1);
    const isClear = months === null || !isNearMonthStart(startDay);
    if (isClear && this.#isFirst(startDay))
      this.#calendar.learnOdd({ startDay, endDay: lastDayOf(ending), is: "year" });
  }

  /**
   * Learns the years of a filer that tags them in a current report, not in its 40-F: twelve months up to the
   * report's last day and the twelve before them, with nothing shorter, which months of a later quarter have.
   */
  #learnForeignYear(columns: readonly Column[]): void {
    const flows = columns.filter(isOfStatement);
    const last = lastDayOf(flows);
    const hasSheet = columns.some(({ period, figures }) => period.endDay === last && figures.total_assets);
    if (!hasSheet || flows.length < 2 || flows.some(({ period }) => period.months !== 12)) return;
    for (const { period } of flows) this.#learnBounds(period.startDay ?? Infinity, period.endDay);
  }

  /** Learns the end of a year from the balance sheet of an annual report that has no flows up to it. */
  #learnFromBalance(columns: readonly Column[], lastFlow: number): void {
    const end = lastDayOf(columns.filter(({ figures }) => figures.total_assets));
    if (Number.isFinite(end) && end > lastFlow) this.#calendar.learn(end);
  }

  /**
   * Learns the months between two fiscal years. Twelve months up to the same day are shown for comparison
   * only.
   */
  #learnTransition(ending: readonly Column[]): void {
    const isYear = ({ period }: Column) => period.months === 12;
    const months = ending.filter((column) => !isYear(column));
    const own = months.length > 0 ? months : ending;
    const [startDay, endDay] = [firstDayOf(own), lastDayOf(own)];
    this.#learnBounds(startDay, endDay);
    if (months.length === 0) return;
    for (const from of [startDay, ...ending.filter(isYear).map(({ period }) => period.startDay ?? endDay)])
      this.#calendar.learnOdd({ startDay: from, endDay, is: "transition" });
  }

  /**
   * Learns the fiscal year of an annual report that is about no whole one, as it begins with the company. It
   * is the longest period up to the report's balance sheet. A period of income is one only where the company
   * has none before it: its cash flows show the true one, but single figures of a quarter may stand in an
   * annual report.
   */
  #learnOddYear({ figures }: Report, flows: readonly Column[]): void {
    const own = ownColumns(figures, flows, this.#firstDay);
    const last = lastDayOf(flows);
    if (flows.some(({ period }) => period.endDay === last && period.months === 12)) return;
    const toDate = own.filter(isToDate);
    const [startDay, endDay] = [firstDayOf(toDate.length > 0 ? toDate : own), lastDayOf(own)];
    const isOnlyIncome = toDate.length === 0;
    if (isOnlyIncome && (!this.#isFirst(startDay) || monthsOfDays(endDay - startDay + 1) === 3)) return;
    this.#calendar.learn(endDay);
    this.#calendar.learnOdd({ startDay, endDay, is: "year" });
  }

  /**
   * Supposes where the year of a quarterly report began, and learns what its year to date is where that
   * begins with the company: the day on which a company began says nothing about the end of its years.
   */
  #learnToDate({ filing, figures }: Report, flows: readonly Column[]): void {
    const shown = yearEndShown(filing, figures, flows, this.#firstDay);
    const own = ownColumns(figures, flows, this.#firstDay);
    const toDate = own.filter(isToDate);
    const [startDay, endDay] = [firstDayOf(toDate.length > 0 ? toDate : own), lastDayOf(own)];
    if (!this.#isFirst(startDay)) {
      this.#suppose(shown, lastDayOf(flows));
      this.#learnYearAgo(flows);
      return;
    }
    const months = monthsOfDays(endDay - startDay + 1);
    const said = yearEndSaid(filing, endDay);
    const isOdd = months === null || months === 12;
    this.#suppose(isOdd ? (said ?? yearBefore(endDay)) : firstYearEnd(said, shown, startDay), endDay);
    if (months !== 3) this.#calendar.learnOdd({ startDay, endDay, is: "to_date" });
  }

  /** Learns the company's first months where a quarterly report shows them beside those of a year later. */
  #learnYearAgo(flows: readonly Column[]): void {
    for (const { period } of flows) {
      const { startDay, endDay, months } = period;
      const isYearAgo = endDay !== lastDayOf(flows) && isYearsApart(endDay, lastDayOf(flows));
      if (startDay !== null && months === null && isYearAgo && this.#isFirst(startDay))
        this.#calendar.learnOdd({ startDay, endDay, is: "to_date" });
    }
  }

  /** True for the first day of the company's earliest period. */
  #isFirst(startDay: number): boolean {
    return startDay - this.#firstDay <= FIRST_DAYS_SLACK;
  }

  /**
   * Supposes where the year of a quarterly report begins. The report is not about the last quarter of its
   * year: a supposed year end that would make it so is not taken.
   */
  #suppose(yearEnd: number | null, last: number): void {
    if (yearEnd !== null && !isYearsApart(yearEnd, last)) this.#calendar.suppose(yearEnd);
  }

  #learnBounds(startDay: number, endDay: number): void {
    if (!Number.isFinite(startDay)) return;
    this.#calendar.learn(endDay);
    // A first year of nearly twelve months may begin within a month, with the company.
    if (isMonthBoundary(startDay)) this.#calendar.learn(startDay - 1);
  }

  #factOf(figure: Chosen, accepted_at: string | null, flags: readonly FactFlag[]): FinancialFact {
    const { past, spec, value, cell } = figure;
    const { tag, unit, column } = cell;
    const { filing, period } = column;
    past.count++;
    const rounding = Math.max(filing.rounding, past.rounding);
    column.label ??= this.#calendar.labelOf(period);
    const { fiscal_year, fiscal_period } = column.label;
    return {
      cik: this.cik,
      line: spec.line,
      statement: spec.statement,
      period_start: period.start,
      period_end: period.end,
      fiscal_year,
      filing_fiscal_year: filing.fiscalYear ?? null,
      fiscal_period,
      period_months: period.months,
      value,
      unit,
      currency: filing.currency,
      tag: tag.name,
      taxonomy: tag.taxonomy,
      accession_number: filing.accession,
      form: filing.form,
      filed_date: filing.filed,
      accepted_at,
      vintage: past.count,
      revision: revisionOf(value, past.value, spec.kind, rounding),
      flags,
      split_basis: spec.kind === "shares" || spec.kind === "per_share" ? filing.filed : null,
      source: "xbrl",
    };
  }
}

/** Warnings about the file. Figures in doubt carry flags; the selected rows tell of them. */
function warningsOf(table: FactTable): FigureWarning[] {
  const ofNone = { line: null, period_end: null, accession_number: null };
  return [
    ...[...table.unread].map(([accession_number, count]) => ({
      ...ofNone,
      code: "rows_unread",
      accession_number,
      detail: `${count} ${count === 1 ? "row" : "rows"} of companyfacts${accession_number ? ` in ${accession_number}` : ""} could not be read: left out`,
    })),
    ...table.undecided.map((accession_number) => ({
      ...ofNone,
      code: "currency_unclear",
      accession_number,
      detail: `the currency of ${accession_number} is unclear, its figures are left out`,
    })),
    ...table.leftOut.map(({ accession, start, end }) => ({
      ...ofNone,
      code: "long_period_left_out",
      period_end: end,
      accession_number: accession,
      detail: `the figures from ${start} to ${end} in ${accession} are left out: nothing shows that these more than 400 days are the company's first fiscal year`,
    })),
  ];
}

/**
 * Returns every figure of a company's XBRL filings that belongs to a statement line, oldest filing first. A
 * figure depends only on its own and earlier filings, so a longer file gives the same facts and more.
 * `companyFacts` is parsed JSON. Throws UpstreamFailed when its shape is unknown or its entity is not
 * `options.cik`.
 */
export function normaliseFacts(companyFacts: unknown, options: NormaliseOptions = {}): NormalisedFacts {
  const table = readCompanyFacts(companyFacts, options);
  if (options.cik !== undefined && table.cik !== options.cik)
    throw shapeChanged("companyfacts", "companyfacts.cik", options.cik);
  const { reports, histories, warnings } = chooseFigures(table);
  const reader = new Reader(table.cik, histories);
  for (const dated of inOrder(reports, options)) reader.read(dated);
  return {
    facts: reader.facts,
    coverage: coverageOfReports(reports),
    warnings: [...warningsOf(table), ...warnings],
  };
}
