// Groups facts by statement, period and report: what each report states about a period, oldest report first.
import {
  type FactFlag,
  type FinancialFact,
  knownAt,
  LINES_BY_MEANING,
  readDayNumber,
  type Statement,
  type StatementLine,
  SUSPECT_FLAGS,
  tierOf,
} from "../../../providers/edgar/index.ts";

/** One statement of one period as one report has it. */
export interface Report {
  readonly accession_number: string;
  readonly form: string;
  readonly filed_date: string;
  readonly currency: string;
  readonly source: FinancialFact["source"];
  readonly known_at: string | null;
  readonly period: PeriodDates;
  readonly facts: ReadonlyMap<StatementLine, FinancialFact>;
  /**
   * True for a full statement, false for single figures of it in another one (equity at the start of a later
   * year).
   */
  readonly states: boolean;
  /**
   * True when it states the statement about as fully as any period of the report: false for a few figures of
   * a note.
   */
  readonly isWhole: boolean;
  /**
   * True for a period up to the report's last day of which it states no statement: few of its lines have a
   * tag that is read. It is the statement where no other report states the period.
   */
  readonly isRemainder: boolean;
  /** True for what may be left of a statement, for any period of the report. */
  readonly isLeft: boolean;
  /** True for a statement of which no other in the report is a sum or part: none shares days or its end. */
  readonly isOwn: boolean;
  readonly isPeriodic: boolean;
  /** True for a period that ends with the report's statements. */
  readonly isAtEnd: boolean;
}

export interface PeriodDates {
  readonly start: string | null;
  readonly end: string;
  readonly startDay: number | null;
  readonly endDay: number;
  readonly months: FinancialFact["period_months"];
}

/** All reports of a period, oldest first. */
export interface PeriodReports {
  readonly statement: Statement;
  readonly reports: readonly Report[];
}

/** A statement with fewer lines than this share of the report's fullest one of its kind is a part of it. */
export const WHOLE_SHARE = 0.5;
/** Days by which reports may date the same period differently (the last Saturday, the end of the month). */
export const SAME_DAYS = 4;

export const isSuspect = ({ flags }: Pick<FinancialFact, "flags">): boolean =>
  flags.length > 0 && flags.some((flag: FactFlag) => SUSPECT_FLAGS.includes(flag));

/** Totals of a cash-flow statement; the continuing part of one counts as the total does. */
const CASH_TOTALS: readonly (readonly StatementLine[])[] = [
  ["operating_cash_flow", "operating_cash_flow_continuing"],
  ["investing_cash_flow", "investing_cash_flow_continuing"],
  ["financing_cash_flow", "financing_cash_flow_continuing"],
  ["net_change_in_cash"],
];
/**
 * Lines that notes do not repeat for other periods. Many of them state a statement whose total has no known
 * tag.
 */
const INCOME_BODY: readonly StatementLine[] = [
  ...(["revenue", "income_before_tax", "operating_income", "net_interest_income"] as const),
  ...(["income_tax_expense", "eps_basic", "eps_diluted", "net_investment_income"] as const),
];
const INCOME_BODY_MIN = 3;
const BALANCE_BODY: readonly StatementLine[] = [
  ...([
    "current_liabilities",
    "accounts_payable",
    "retained_earnings",
    "long_term_debt",
    "deposits",
  ] as const),
  ...(["current_assets", "total_equity", "parent_equity"] as const),
];
const BALANCE_BODY_MIN = 4;

type Has = (line: StatementLine) => boolean;

/** Net income and two other lines, or most of the lines around it when it has no known tag. */
function isIncomeStated(has: Has, lineCount: number): boolean {
  const isAny = INCOME_BODY.some(has);
  if (has("net_income") || has("net_income_with_noncontrolling")) return isAny || lineCount >= 3;
  return INCOME_BODY.filter(has).length >= INCOME_BODY_MIN;
}

/** Whether the figures amount to a statement: its totals must be there, single figures are not enough. */
function isStated(
  { statement, source }: Pick<FinancialFact, "statement" | "source">,
  facts: ReadonlyMap<StatementLine, FinancialFact>,
): boolean {
  const has: Has = (line) => facts.has(line);
  if (statement === "income_statement") return isIncomeStated(has, facts.size);
  if (statement === "balance_sheet") {
    if (has("liabilities_and_equity")) return true;
    if (!has("total_assets")) return false;
    return has("total_liabilities") || BALANCE_BODY.filter(has).length >= BALANCE_BODY_MIN;
  }
  // A schedule of the 1990s has no other cash flow line.
  if (source === "ex27") return has("operating_cash_flow");
  // A trust that neither invests nor borrows has one total, and the lines above it.
  if (has("operating_cash_flow")) return facts.size >= 2;
  return CASH_TOTALS.filter((forms) => forms.some(has)).length >= 2;
}

/** Lines of which a statement shows one beside another, though few of its lines have a tag that is read. */
const REMAINDER_HEADS: Readonly<Record<Statement, readonly StatementLine[]>> = {
  income_statement: ["net_income", "operating_income", "income_before_tax", "eps_basic", "eps_diluted"],
  balance_sheet: ["total_assets", "total_liabilities", "total_equity"],
  cash_flow: CASH_TOTALS.flat(),
};
const REMAINDER_MIN = 2;
/**
 * Earnings and costs of funds, banks, insurers and partnerships, whose results may have a tag that is not
 * read.
 */
const EARNINGS: readonly StatementLine[] = ["revenue", "net_interest_income", "premiums_earned"];
const COSTS: readonly StatementLine[] = [
  ...(["operating_expenses", "costs_and_expenses"] as const),
  ...(["noninterest_expense", "policyholder_benefits", "cost_of_revenue"] as const),
  ...(["selling_general_administrative", "general_and_administrative"] as const),
];

/** Lines that the statement of equity gives as well. */
const OF_EQUITY: readonly StatementLine[] = ["net_income_with_noncontrolling", "parent_equity"];

/**
 * Whether the figures can be what is left of a statement: operating cash flow; one of its heads, and another
 * line that notes do not give; earnings beside costs; or a balance sheet without its totals.
 */
function isLeftOf(statement: Statement, facts: ReadonlyMap<StatementLine, FinancialFact>): boolean {
  const isOwn = (line: StatementLine) => !LINES_BY_MEANING.has(line) && !OF_EQUITY.includes(line);
  const lines = [...facts.keys()].filter(isOwn);
  const has: Has = (line) => facts.has(line);
  if (has("operating_cash_flow") || (EARNINGS.some(has) && COSTS.some(has))) return true;
  if (BALANCE_BODY.filter(has).length >= BALANCE_BODY_MIN) return true;
  return lines.length >= REMAINDER_MIN && REMAINDER_HEADS[statement].some(has);
}

interface Draft {
  readonly first: FinancialFact;
  readonly facts: Map<StatementLine, FinancialFact>;
}

/** When each report became known, computed once for all its figures. */
export class Moments {
  readonly #byAccession = new Map<string, { known_at: string | null; ms: number | null }>();

  of(fact: FinancialFact): { readonly known_at: string | null; readonly ms: number | null } {
    let moment = this.#byAccession.get(fact.accession_number);
    if (!moment) {
      const known_at = knownAt(fact);
      const ms = known_at === null ? null : Temporal.Instant.from(known_at).epochMilliseconds;
      moment = { known_at, ms };
      this.#byAccession.set(fact.accession_number, moment);
    }
    return moment;
  }
}

/**
 * The facts that were public at `asOf`, or all of them without one. Facts of proxy statements are never used.
 */
export function knownFacts(
  facts: readonly FinancialFact[],
  asOf: Temporal.Instant | undefined,
  moments: Moments,
) {
  const until = asOf?.epochMilliseconds;
  return facts.filter((fact) => {
    if (fact.flags.includes("proxy_form")) return false;
    if (until === undefined) return true;
    const { ms } = moments.of(fact);
    return ms !== null && ms <= until;
  });
}

function draftsOf(facts: readonly FinancialFact[]): Draft[] {
  const drafts: Draft[] = [];
  const byReport = new Map<string, Map<string, Draft>>();
  for (const fact of facts) {
    const { statement, period_start, period_months, period_end, accession_number } = fact;
    const own = byReport.getOrInsertComputed(accession_number, () => new Map<string, Draft>());
    const key = `${period_end}${period_start ?? period_months}${statement}`;
    let draft = own.get(key);
    if (!draft) {
      draft = { first: fact, facts: new Map() };
      own.set(key, draft);
      drafts.push(draft);
    }
    draft.facts.set(fact.line, fact);
  }
  return drafts;
}

/** The extent of one statement in a report, over all periods. */
interface Extent {
  /** The number of lines of the fullest period. */
  size: number;
  /** The last day of the periods that may be a statement. */
  last: string;
  stated: Draft[];
  /** Periods that are not stated, but may be what is left of a statement. */
  readonly left: Draft[];
}

/** Periods of one length that end together begin at most so many days apart. */
const DOUBLE_DAYS_MAX = 30;

/**
 * Whether the period, which ends with that of `other` and begins some days before or after it, is no
 * statement of its own: few figures of a note, or a sum since the company began, before which the report
 * states nothing.
 */
function isDouble({ first, facts }: Draft, other: Draft, stated: readonly Draft[]): boolean {
  if (first.period_end !== other.first.period_end || first.period_months !== other.first.period_months)
    return false;
  const startOf = ({ period_start }: FinancialFact) => readDayNumber(period_start) ?? 0;
  const days = startOf(other.first) - startOf(first);
  if (Math.abs(days) <= SAME_DAYS || Math.abs(days) > DOUBLE_DAYS_MAX) return false;
  if (facts.size < WHOLE_SHARE * other.facts.size) return true;
  const isFirst = stated.every((draft) => startOf(draft.first) >= startOf(first));
  return days > 0 && isFirst && other.facts.size >= WHOLE_SHARE * facts.size;
}

/** The extent of the statement in each report, by accession number. */
function extentsOf(drafts: readonly Draft[]): ReadonlyMap<string, Extent> {
  const extents = new Map<string, Extent>();
  for (const draft of drafts) {
    const { first, facts } = draft;
    const extent = extents.getOrInsertComputed(first.accession_number, () => ({
      size: 0,
      last: "",
      stated: [],
      left: [],
    }));
    extent.size = Math.max(extent.size, facts.size);
    const isLeft = first.source === "xbrl" && isLeftOf(first.statement, facts);
    const list = isStated(first, facts) ? extent.stated : isLeft ? extent.left : null;
    list?.push(draft);
    if (list && first.period_end > extent.last) extent.last = first.period_end;
  }
  for (const extent of extents.values())
    extent.stated = extent.stated.filter(
      (draft) => !extent.stated.some((other) => isDouble(draft, other, extent.stated)),
    );
  return extents;
}

const isAtEnd = ({ first }: Draft, end: string): boolean => first.period_end === end;
const shareDays = ({ first: a }: Draft, { first: b }: Draft): boolean =>
  (a.period_start ?? a.period_end) <= b.period_end && (b.period_start ?? b.period_end) <= a.period_end;

/**
 * The last day of the statements in each report, by accession number. A balance sheet without its totals
 * shows none: later events name assets of other days.
 */
function lastDays(drafts: readonly Draft[]): ReadonlyMap<string, string> {
  const days = new Map<string, string>();
  for (const { first, facts } of drafts) {
    const { accession_number, period_end, statement, source } = first;
    if (period_end <= (days.get(accession_number) ?? "")) continue;
    const isLeft = statement !== "balance_sheet" && source === "xbrl" && isLeftOf(statement, facts);
    if (isStated(first, facts) || isLeft) days.set(accession_number, period_end);
  }
  return days;
}

/** Whether the period is what is left of the report's own statement. */
const isRemainderOf = (draft: Draft, { stated, left }: Extent, lastDay: string): boolean =>
  left.includes(draft) &&
  isAtEnd(draft, lastDay) &&
  !stated.some((other) => isAtEnd(other, draft.first.period_end));

function isOwnOf(draft: Draft, { stated, left, last }: Extent, isRemainder: boolean): boolean {
  if (isRemainder) return left.filter((other) => isAtEnd(other, draft.first.period_end)).length === 1;
  if (!stated.includes(draft)) return false;
  const isOnly = isAtEnd(draft, last) && stated.filter((other) => isAtEnd(other, last)).length === 1;
  return isOnly || !stated.some((other) => other !== draft && shareDays(draft, other));
}

function reportOf(draft: Draft, extent: Extent, lastDay: string, moments: Moments): Report {
  const { first, facts } = draft;
  const { period_start: start, period_end: end, period_months: months } = first;
  const states = extent.stated.includes(draft);
  const isRemainder = isRemainderOf(draft, extent, lastDay);
  const isPeriodic = tierOf(first.form) === "periodic";
  return {
    accession_number: first.accession_number,
    form: first.form,
    filed_date: first.filed_date,
    currency: first.currency,
    source: first.source,
    known_at: moments.of(first).known_at,
    period: {
      start,
      end,
      startDay: start === null ? null : readDayNumber(start),
      endDay: readDayNumber(end) ?? 0,
      months,
    },
    facts,
    states,
    isWhole: states && facts.size >= WHOLE_SHARE * extent.size,
    isRemainder,
    isLeft: extent.left.includes(draft),
    isOwn: isPeriodic && isOwnOf(draft, extent, isRemainder),
    isPeriodic,
    isAtEnd: end === lastDay,
  };
}

const isSamePeriod = (a: PeriodDates, b: PeriodDates): boolean =>
  a.months === b.months &&
  Math.abs(a.endDay - b.endDay) <= SAME_DAYS &&
  (a.startDay === b.startDay ||
    a.startDay === null ||
    b.startDay === null ||
    Math.abs(a.startDay - b.startDay) <= SAME_DAYS);

/** Groups reports by period, oldest period first; within a period they keep their order. */
function byPeriod(statement: Statement, reports: readonly Report[]): PeriodReports[] {
  const groups: { nth: number; report: Report }[][] = [];
  const numbered = reports.map((report, nth) => ({ nth, report }));
  for (const entry of numbered.sort((a, b) => a.report.period.endDay - b.report.period.endDay)) {
    const { period } = entry.report;
    const near = groups.findLast(
      ([first]) => first !== undefined && isSamePeriod(first.report.period, period),
    );
    if (near) near.push(entry);
    else groups.push([entry]);
  }
  return groups.map((group) => ({
    statement,
    reports: fullest(group.sort((a, b) => a.nth - b.nth).map(({ report }) => report)),
  }));
}

/**
 * Keeps one entry per report when a report has two balance sheet dates a few days apart: the one with more
 * figures. That is the last day of the year, not the first of the next, which only shows the effect of a new
 * accounting rule.
 */
function fullest(reports: readonly Report[]): Report[] {
  const best = new Map<string, Report>();
  for (const report of reports) {
    const other = best.get(report.accession_number);
    if (!other || report.facts.size > other.facts.size) best.set(report.accession_number, report);
  }
  return reports.filter((report) => best.get(report.accession_number) === report);
}

/** Groups `facts` by statement and period; the reports of a period are oldest first. */
export function gatherPeriods(
  facts: readonly FinancialFact[],
  moments: Moments,
): Readonly<Record<Statement, readonly PeriodReports[]>> {
  const drafts = draftsOf(facts);
  const sortKey = ({ first }: Draft) =>
    moments.of(first).ms ?? (readDayNumber(first.filed_date) ?? 0) * 86_400_000;
  const sorted = drafts.sort(
    (a, b) => sortKey(a) - sortKey(b) || (a.first.accession_number < b.first.accession_number ? -1 : 1),
  );
  const byStatement = Map.groupBy(sorted, ({ first }) => first.statement);
  const extents = new Map([...byStatement].map(([statement, own]) => [statement, extentsOf(own)]));
  const days = lastDays(drafts);
  const of = (statement: Statement) => {
    const reportsOf = (draft: Draft): readonly Report[] => {
      const { accession_number } = draft.first;
      const extent = extents.get(statement)?.get(accession_number);
      return extent ? [reportOf(draft, extent, days.get(accession_number) ?? extent.last, moments)] : [];
    };
    return byPeriod(statement, (byStatement.get(statement) ?? []).flatMap(reportsOf));
  };
  return {
    income_statement: of("income_statement"),
    balance_sheet: of("balance_sheet"),
    cash_flow: of("cash_flow"),
  };
}
