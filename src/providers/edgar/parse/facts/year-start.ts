// Where the fiscal year of a quarterly report begins, by that report alone: its figures for the year to date,
// the balance sheets beside its own, and the quarter it says it is about.
import type { Chosen, Column, Filing } from "./column.ts";
import { dateOfDay, isMonthBoundary, isYearsApart, QUARTER_DAYS, yearEndBefore, yearOf } from "./period.ts";
import type { StatementLine } from "./records.ts";

/** True for a column with a figure of the cash-flow statement, which is reported for the year to date. */
export const isToDate = ({ figures }: Column): boolean =>
  (figures.operating_cash_flow ??
    figures.operating_cash_flow_continuing ??
    figures.investing_cash_flow ??
    figures.financing_cash_flow ??
    figures.net_change_in_cash) !== undefined;

/**
 * True for a column with a figure of a statement over a period: its period is that of the statement, not of a
 * note.
 */
export function isOfStatement(column: Column): boolean {
  const { net_income, revenue, income_before_tax, net_income_with_noncontrolling } = column.figures;
  const income = net_income ?? revenue ?? income_before_tax ?? net_income_with_noncontrolling;
  return income !== undefined || isToDate(column);
}

/** The first day of the columns' periods; Infinity when there are none. */
export const firstDayOf = (columns: readonly Column[]): number =>
  Math.min(...columns.map(({ period }) => period.startDay ?? Infinity));
/** Their last day; -Infinity when there are none. */
export const lastDayOf = (columns: readonly Column[]): number =>
  Math.max(...columns.map(({ period }) => period.endDay));

const SHEET_LINES: readonly StatementLine[] = ["total_assets", "liabilities_and_equity"];
const QUARTERS = [1, 2, 3] as const;
/** Days by which quarters of 12 to 17 weeks end before or after those of three months. */
const QUARTER_SLACK_DAYS = 30;
type Quarter = (typeof QUARTERS)[number];

/**
 * Days of earlier balance sheets by the quarters that lie between them and the report's own. A report without
 * any total has its balance sheet by its other amounts.
 */
function sheetsBefore(figures: readonly Chosen[], last: number): ReadonlyMap<Quarter, number> {
  const sheets = new Map<Quarter, number>();
  const totals = figures.filter(({ spec }) => SHEET_LINES.includes(spec.line));
  for (const { spec, period } of totals.length > 0 ? totals : figures) {
    const days = last - period.endDay;
    const quarters = QUARTERS.find((nth) => Math.abs(days - nth * QUARTER_DAYS) <= QUARTER_SLACK_DAYS);
    if (quarters && spec.kind === "stock") sheets.set(quarters, period.endDay);
  }
  return sheets;
}

/**
 * The quarter that a report says it is about; undefined where its year is none of those that its last day may
 * be in.
 */
function quarterSaid({ fiscalYear, fiscalPeriod }: Filing, last: number): Quarter | undefined {
  if (typeof fiscalYear !== "number" || Math.abs(fiscalYear - yearOf(last)) > 1) return undefined;
  return QUARTERS.find((nth) => fiscalPeriod === `Q${nth}`);
}

/**
 * The year end before a quarterly report's last day, by the quarter that it says it is about; null where it
 * says none.
 */
export function yearEndSaid(filing: Filing, last: number): number | null {
  const quarter = quarterSaid(filing, last);
  return quarter === undefined ? null : Math.round(last - quarter * QUARTER_DAYS);
}

/**
 * The quarter of a report that has figures of a quarter alone. The other balance sheet is that of the last
 * year end; one of the quarter before may stand beside it. Null where the evidence is missing or contradicts
 * itself.
 */
function quarterShown(
  sheets: ReadonlyMap<Quarter, number>,
  said: Quarter | undefined,
  hasCashFlow: boolean,
): Quarter | null {
  const oldest = QUARTERS.findLast((nth) => sheets.has(nth)) ?? null;
  if (oldest === null || oldest === 1) {
    if (said === undefined) return oldest === 1 && hasCashFlow ? 1 : null;
    return said === 1 && (oldest === 1 || hasCashFlow) ? 1 : null;
  }
  if (said !== undefined) return sheets.has(said) ? said : null;
  return sheets.size === 1 || (sheets.size === 2 && sheets.has(1) && !hasCashFlow) ? oldest : null;
}

/** Two year ends this far apart are of one year: quarters have 12 to 17 weeks. */
const SAME_YEAR_DAYS = 45;
/**
 * Days between the end of a year and the first day of the next, and between a year's first day and a month's,
 * as reports date them.
 */
const NEXT_DAYS = 4;

/**
 * The columns of statements up to the report's last day, where it has a balance sheet of that day. A sum
 * since inception is none: it begins with the company, and the year to date begins after a balance sheet
 * within it.
 *
 * @param flows the columns of its statements that are of periods
 * @param firstDay the first day of the company's earliest period
 */
export function ownColumns(
  figures: readonly Chosen[],
  flows: readonly Column[],
  firstDay: number,
): readonly Column[] {
  const last = lastDayOf(flows);
  const ending = flows.filter(({ period }) => period.endDay === last);
  const sheets = figures
    .filter(({ spec }) => SHEET_LINES.includes(spec.line))
    .map(({ period }) => period.endDay);
  if (!sheets.includes(last)) return [];
  const isSum = ({ period: { startDay } }: Column) =>
    startDay !== null &&
    startDay <= firstDay + NEXT_DAYS &&
    ending.some((other) => {
      const start = other.period.startDay ?? startDay;
      const isAfterSheet = sheets.some((day) => Math.abs(start - day - 1) <= NEXT_DAYS);
      return start > startDay + NEXT_DAYS && isAfterSheet && isToDate(other);
    });
  return ending.filter((column) => !isSum(column));
}

/** True for a day within some days of the first of a month. */
export function isNearMonthStart(day: number): boolean {
  const near = [day - NEXT_DAYS, day + NEXT_DAYS].map((each) => dateOfDay(each).slice(0, 7));
  return near[0] !== near[1] || dateOfDay(day - NEXT_DAYS).endsWith("-01");
}

/**
 * The year end before the first fiscal year of a company. Where the company began within a month, what its
 * report says decides; where it began with one, its figures do, unless the report contradicts them: then
 * either may be wrong.
 *
 * @param said by the quarter that the report says it is about
 * @param shown by its figures; null where they show none
 * @param startDay the company's first day
 */
export function firstYearEnd(said: number | null, shown: number | null, startDay: number): number | null {
  if (said === null) return shown;
  if (!isNearMonthStart(startDay)) return said;
  return shown !== null && isYearsApart(said, shown, SAME_YEAR_DAYS) ? shown : null;
}

/**
 * The end of the fiscal year before the one of a quarterly report; null where the report alone does not show
 * it.
 *
 * @param flows the columns of its statements that are of periods
 */
export function yearEndShown(
  filing: Filing,
  figures: readonly Chosen[],
  flows: readonly Column[],
  firstDay: number,
): number | null {
  const last = lastDayOf(flows);
  if (!Number.isFinite(last)) return null;
  const own = new Set(ownColumns(figures, flows, firstDay));
  const ending = flows.filter(
    (column) =>
      column.period.endDay === last && column.period.months !== 12 && (own.size === 0 || own.has(column)),
  );
  const cash = ending.filter(isToDate);
  // Cash flows that begin within a month begin with the company.
  const isFirst = ({ period: { startDay } }: Column) => startDay !== null && !isMonthBoundary(startDay);
  const toDate = [
    ...cash.filter((column) => column.period.months !== 3 || isFirst(column)),
    ...ending.filter(({ period: { months } }) => months === 6 || months === 9),
  ];
  if (toDate.length > 0) return yearEndBefore(firstDayOf(toDate));
  const sheets = sheetsBefore(figures, last);
  const quarter = quarterShown(sheets, quarterSaid(filing, last), cash.length > 0);
  if (quarter === null) return null;
  return sheets.get(quarter) ?? yearEndBefore(firstDayOf(ending));
}
