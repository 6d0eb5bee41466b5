// Warnings about requested periods without rows: which statements lack them, and why. All facts are those
// known at `as_of`.
import { type DateRange, quarterRange, type TimeSpan } from "../../../market/time-span.ts";
import type { FactsCoverage, FigureWarning, Statement } from "../../../providers/edgar/index.ts";
import { type DatedRow, requestedRows } from "../requested-periods.ts";
import type { SelectOptions } from "./records.ts";

interface EndingRow extends DatedRow {
  readonly accession_number: string;
}
type Lists = Readonly<Record<Statement, readonly EndingRow[]>>;

/** The request, rows and coverage from which an answer was selected. */
export interface SpanRequest {
  readonly span: TimeSpan;
  readonly choices: Pick<SelectOptions, "period_type" | "include_derived">;
  /** The rows of the requested period type, of every span. */
  readonly rows: Lists;
  readonly coverage: FactsCoverage;
}

/** A part of the request that should have rows of its own: a quarter label, else the whole span. */
interface Wanted {
  readonly name: string;
  readonly label: string | null;
  readonly range: DateRange;
  readonly has: (row: DatedRow) => boolean;
}

const NAMES: Readonly<Record<Statement, string>> = {
  income_statement: "income statements",
  balance_sheet: "balance sheets",
  cash_flow: "cash flow statements",
};
const STATEMENTS = Object.keys(NAMES) as Statement[];

/** Filers gave their figures as schedules up to this year, and as XBRL from the other one. */
const [SCHEDULES_UNTIL, XBRL_SINCE] = ["2001", "2009"];
const BETWEEN_SOURCES = `The SEC has no machine-readable figures between the schedules of filings until ${SCHEDULES_UNTIL} (EX-27) and XBRL, which began in ${XBRL_SINCE}.`;

const fourthQuarterReason = (yearEnds: string, isDerived: boolean): string =>
  isDerived
    ? `The fiscal year ends on ${yearEnds}. Reports give the year, not its fourth quarter, which cannot be derived from them: ask for period_type=annual.`
    : `The fiscal year ends on ${yearEnds}. Reports give the year, not its fourth quarter: ask for period_type=annual, or for include_derived=true, which gives the year less nine months where both are reported.`;

const wantedAll = (span: TimeSpan, rows: readonly DatedRow[]): Wanted[] => {
  if (span.quarters === null)
    return [
      {
        name: span.start === null ? `until ${span.end}` : `from ${span.start} to ${span.end}`,
        label: null,
        range: { start: span.start, end: span.end },
        has: requestedRows(span, rows),
      },
    ];
  return span.quarters.map((label) => {
    const range = quarterRange(label) ?? { start: span.start, end: span.end };
    return { name: `in ${label}`, label, range, has: requestedRows({ ...span, quarters: [label] }, rows) };
  });
};

/**
 * The end of a gap in the figures into which the range falls altogether; null when the range reaches a period
 * with figures.
 */
function gapOf({ start, end }: DateRange, { gaps }: FactsCoverage[Statement]) {
  return gaps.find(({ after, before }) => start !== null && after < start && end < before) ?? null;
}

const isBetweenSources = (from: string, to: string): boolean =>
  from <= `${XBRL_SINCE}-12-31` && to > `${SCHEDULES_UNTIL}-12-31`;

const KINDS = {
  annual: "fiscal year",
  quarterly: "quarter",
  ttm: "fiscal year, or period with those that together are twelve months,",
  all: "period",
} as const;

/** Why a statement has no row where one was wanted: a code and sentences that name no statement. */
function reasonOf(
  { name, label, range }: Wanted,
  coverage: FactsCoverage[Statement],
  { period_type, include_derived }: SpanRequest["choices"],
  yearEnds: string,
): readonly [code: string, reason: string] {
  const { from, to } = coverage;
  const rule = label === null ? "Periods are selected by the day on which they end. " : "";
  if (from === null || to === null) return ["periods_not_covered", "No figures of them are known."];
  if (range.end < from) {
    const why = isBetweenSources(range.end, from) ? ` ${BETWEEN_SOURCES}` : "";
    return ["periods_not_covered", `The oldest known figures are of a period to ${from}.${why}`];
  }
  const gap = gapOf(range, coverage);
  if (gap) {
    const why = isBetweenSources(gap.after, gap.before) ? ` ${BETWEEN_SOURCES}` : "";
    return [
      "periods_not_covered",
      `No figures are known of periods that end between ${gap.after} and ${gap.before}.${why}`,
    ];
  }
  if (range.start !== null && range.start > to)
    return ["no_period_in_span", `${rule}The newest known figures are of a period to ${to}.`];
  if (period_type === "quarterly" && yearEnds !== "")
    return ["fourth_quarter_not_reported", fourthQuarterReason(yearEnds, include_derived ?? false)];
  const kind = KINDS[period_type ?? "all"];
  return [
    "no_period_in_span",
    `${rule}No reported ${kind} ends ${name}; the newest known figures are of a period to ${to}.`,
  ];
}

/** The ends of fiscal years among the balance sheets that were wanted, as words. */
const yearEndsOf = (rows: readonly EndingRow[]): string =>
  rows
    .filter(({ fiscal_period }) => fiscal_period === "Q4" || fiscal_period === "FY")
    .map(({ period_end_date }) => period_end_date)
    .sort()
    .join(" and ");

/** One warning for each reason why a wanted part has no rows, with all statements that lack them. */
function emptyWarnings({ span, choices, rows, coverage }: SpanRequest): FigureWarning[] {
  const all = STATEMENTS.flatMap((statement) => rows[statement]);
  return wantedAll(span, all).flatMap((wanted) => {
    const yearEnds = yearEndsOf(rows.balance_sheet.filter(wanted.has));
    const lacking = STATEMENTS.filter((statement) => !rows[statement].some(wanted.has));
    const reasons = lacking.map((statement) => {
      const [code, reason] = reasonOf(wanted, coverage[statement], choices, yearEnds);
      return { code, reason, name: NAMES[statement] };
    });
    return [...Map.groupBy(reasons, ({ reason }) => reason)].map(([reason, of]) => ({
      code: of[0]?.code ?? "",
      line: null,
      period_end: null,
      accession_number: null,
      detail: `No ${of.map(({ name }) => name).join(", ")} ${wanted.name}: ${reason}`,
    }));
  });
}

/** Filers of every size gave XBRL by then: figures that begin later begin with the company, not with XBRL. */
const XBRL_BY_ALL = "2011-12-31";

/**
 * The times between two kinds of files into which a span reaches: those within the figures, and the one
 * before them.
 */
function gapsIn(start: string, end: string, { from, gaps }: FactsCoverage[Statement]): readonly string[] {
  const within = gaps
    .filter(({ after, before }) => isBetweenSources(after, before) && start < before && end > after)
    .map(({ after, before }) => `between ${after} and ${before}`);
  const isBefore = from !== null && from <= XBRL_BY_ALL && start < from && isBetweenSources(start, from);
  return isBefore ? [`before ${from}`, ...within] : within;
}

/** Warnings about the time between two kinds of files, when a span that does have rows reaches into it. */
function gapWarnings({ span, rows, coverage }: SpanRequest): FigureWarning[] {
  const { start, end } = span;
  if (start === null || span.quarters !== null) return [];
  const isWanted = requestedRows(
    span,
    STATEMENTS.flatMap((statement) => rows[statement]),
  );
  const found = STATEMENTS.filter((statement) => rows[statement].some(isWanted)).flatMap((statement) =>
    gapsIn(start, end, coverage[statement]).map((gap) => ({ name: NAMES[statement], gap })),
  );
  return [...Map.groupBy(found, ({ gap }) => gap)].map(([gap, of]) => ({
    code: "periods_not_covered",
    line: null,
    period_end: null,
    accession_number: null,
    detail: `No ${of.map(({ name }) => name).join(", ")} are known of periods that end ${gap}. ${BETWEEN_SOURCES}`,
  }));
}

/** Warnings about what a request covers no rows of; none for a company without any figures. */
export function spanWarnings(request: SpanRequest): FigureWarning[] {
  if (STATEMENTS.every((statement) => request.coverage[statement].from === null)) return [];
  return [...emptyWarnings(request), ...gapWarnings(request)];
}
