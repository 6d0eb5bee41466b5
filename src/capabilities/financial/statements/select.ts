// Selects a company's statements from its facts: one row per period, from the report of the requested
// vintage, using nothing that became known after `as_of`.
import {
  BALANCE_LINES,
  CASH_FLOW_LINES,
  COVER_SHARES,
  type FigureWarning,
  type FinancialFact,
  INCOME_LINES,
  readDayNumber,
  type Statement,
  type StatementLine,
} from "../../../providers/edgar/index.ts";
import { deriveQuarters } from "./derive.ts";
import { FiscalLabels } from "./fiscal-labels.ts";
import { identityWarnings } from "./identities.ts";
import { noRowWarnings } from "./no-row.ts";
import { gatherPeriods, isSuspect, knownFacts, Moments, type PeriodReports, type Report } from "./periods.ts";
import { doubtOf } from "./places.ts";
import type { Comparison, Row, SelectOptions, Statements } from "./records.ts";
import { headOf, type RowHead, sourceOf, statementRow } from "./rows.ts";
import { trailingYears } from "./trailing.ts";
import { uncoveredWarnings } from "./uncovered.ts";
import { unlabelledWarnings } from "./unlabelled.ts";
import { type ChosenReports, chooseReports, figuresOf, statingReports, type Vintage } from "./vintage.ts";

/** A share count on a report's cover is dated at most this many days after the period the report is about. */
const COVER_DAYS_MAX = 120;
const COVER_NAME = COVER_SHARES.replace("dei:", "");
/** Days between two periods a year apart, of 52 or 53 weeks. */
const [YEAR_DAYS_MIN, YEAR_DAYS_MAX] = [350, 380];

type Selection = Pick<
  SelectOptions,
  "period_type" | "include_derived" | "year_end_as_q4" | "presentations"
> & {
  readonly vintage: Vintage;
  readonly labels: FiscalLabels;
};

interface Cover {
  /** Date of the report's last balance sheet: the period the report is about. */
  readonly endDay: number;
  readonly shares: FinancialFact | undefined;
}

/** The period each report is about and the share count on its cover, by accession number. */
function reportCovers(balances: readonly PeriodReports[]): Map<string, Cover> {
  const covers = new Map<string, Cover>();
  for (const { reports } of balances)
    for (const { accession_number, facts, states, period } of reports) {
      const { endDay = -Infinity, shares } = covers.get(accession_number) ?? {};
      const fact = facts.get("shares_outstanding");
      covers.set(accession_number, {
        endDay: states ? Math.max(endDay, period.endDay) : endDay,
        shares: fact?.tag === COVER_NAME ? fact : shares,
      });
    }
  return covers;
}

/**
 * The cover's share count of the report about this period, not of later reports that repeat the period for
 * comparison. A count in doubt is given where no other is.
 */
function coverShares(
  { base, others }: ChosenReports,
  covers: ReadonlyMap<string, Cover>,
): FinancialFact | undefined {
  let doubted: FinancialFact | undefined;
  for (const { accession_number } of [base, ...others]) {
    const cover = covers.get(accession_number);
    if (!cover?.shares || cover.endDay !== base.period.endDay) continue;
    const days = (readDayNumber(cover.shares.period_end) ?? 0) - base.period.endDay;
    if (days < 0 || days > COVER_DAYS_MAX) continue;
    if (!isSuspect(cover.shares)) return cover.shares;
    doubted ??= cover.shares;
  }
  return doubted;
}

const words = (line: string) => line.replaceAll("_", " ");

/** Warnings about figures of the row's report, and its cover, that are in doubt and left out of the row. */
function withheldWarnings(
  { base }: ChosenReports,
  figures: ReadonlyMap<StatementLine, FinancialFact>,
  cover: FinancialFact | undefined,
  presentations: SelectOptions["presentations"],
): FigureWarning[] {
  const isReplaced = ({ line, accession_number }: FinancialFact) =>
    figures.has(line) && figures.get(line)?.accession_number !== accession_number;
  const withheld = [...base.facts.values(), ...(cover ? [cover] : [])].filter(
    (fact) => isSuspect(fact) || (fact.flags.includes("sign_unproven") && isReplaced(fact)),
  );
  return withheld.flatMap((fact) => {
    const other = figures.get(fact.line);
    const instead = other ? `${other.value} of ${other.accession_number} is given instead` : "null is given";
    const doubt = doubtOf(fact, presentations);
    if (!doubt) return [];
    return [
      {
        code: doubt.code,
        line: fact.line,
        period_end: base.period.end,
        accession_number: base.accession_number,
        detail: `${words(fact.line)} to ${fact.period_end} is ${fact.value} ${fact.unit} in ${fact.form} ${fact.accession_number}, ${doubt.clause}: ${instead}.`,
      },
    ];
  });
}

/**
 * Warnings about figures that are given with the sign that the statement's sums prove, and about those whose
 * sign no sum proves.
 */
function signWarnings(
  { base }: ChosenReports,
  figures: ReadonlyMap<StatementLine, FinancialFact>,
): FigureWarning[] {
  return [...figures.values()].flatMap(({ line, value, unit, form, accession_number, flags }) => {
    const code = flags.find((flag) => flag === "reversed_sign" || flag === "sign_unproven");
    if (!code) return [];
    const isReversed = code === "reversed_sign";
    const filed = `${words(line)} to ${base.period.end} is ${isReversed ? -value : value} ${unit} in ${form} ${accession_number}`;
    const why = isReversed
      ? `and its statement adds up only with the opposite sign: ${value} is given`
      : "and no sum of its statement proves the sign: it is given as filed, and no ratio is made of it";
    return [{ code, line, period_end: base.period.end, accession_number, detail: `${filed}, ${why}.` }];
  });
}

/** The total of each statement that a reader looks for first. */
const MAIN_LINES: Readonly<Record<Statement, StatementLine>> = {
  income_statement: "net_income",
  balance_sheet: "total_assets",
  cash_flow: "operating_cash_flow",
};
const OTHER_ACTIVITIES = ["investing_cash_flow", "financing_cash_flow"] as const;

/**
 * Warnings when the report has a statement but its main line has no tag that is read, or a part of another
 * activity's cash flow and not its total.
 */
function notFoundWarnings(
  { base }: ChosenReports,
  statement: Statement,
  figures: ReadonlyMap<StatementLine, FinancialFact>,
): FigureWarning[] {
  const parted = OTHER_ACTIVITIES.filter((line) => figures.has(`${line}_continuing`));
  const name = statement === "cash_flow" ? "cash flow statement" : words(statement);
  return [MAIN_LINES[statement], ...parted].flatMap((line) => {
    if (base.source !== "xbrl" || base.facts.has(line) || figures.has(line)) return [];
    return [
      {
        code: "line_not_found",
        line,
        period_end: base.period.end,
        accession_number: base.accession_number,
        detail: `${words(line)} to ${base.period.end} was not found in ${base.form} ${base.accession_number}: the report has the rest of the ${name}, null is given.`,
      },
    ];
  });
}

/** A warning when no report presents the statement as a whole, so that its first vintage is a part of it. */
function partWarnings({ base }: ChosenReports, statement: Statement, vintage: Vintage): FigureWarning[] {
  if (vintage !== "first" || base.isWhole) return [];
  const name = statement === "cash_flow" ? "cash flow statement" : words(statement);
  return [
    {
      code: "statement_in_part",
      line: null,
      period_end: base.period.end,
      accession_number: base.accession_number,
      detail: `No report presents the whole ${name} to ${base.period.end}: the few figures that ${base.form} ${base.accession_number} gives of it are given.`,
    },
  ];
}

/** A warning when an older report has lines the newest lacks, but states the period differently. */
function restatedWarnings({ base }: ChosenReports, differing: readonly Report[]): FigureWarning[] {
  const newest = differing.find(({ facts }) => [...facts.keys()].some((line) => !base.facts.has(line)));
  if (!newest) return [];
  const lines = [...newest.facts.keys()].filter((line) => !base.facts.has(line)).map(words);
  return [
    {
      code: "stated_differently",
      line: null,
      period_end: base.period.end,
      accession_number: base.accession_number,
      detail: `${base.form} ${base.accession_number} states the period to ${base.period.end} differently from ${newest.form} ${newest.accession_number}, whose figures for ${lines.join(", ")} are therefore not used.`,
    },
  ];
}

interface Selected<L extends StatementLine> {
  readonly rows: readonly Row<L>[];
  readonly warnings: readonly FigureWarning[];
}

type RowPlace = Pick<Row, "period_end_date" | "basis" | "period_months">;
/** Newest first; with the same end, reported before derived and longer before shorter. */
const newestFirst = (a: RowPlace, b: RowPlace): number => {
  if (a.period_end_date !== b.period_end_date) return a.period_end_date < b.period_end_date ? 1 : -1;
  if (a.basis !== b.basis) return a.basis === "reported" ? -1 : 1;
  return (b.period_months ?? 0) - (a.period_months ?? 0);
};

/**
 * Removes year-to-date rows when a quarter with the same end is reported. Cash flows keep theirs: they are
 * reported for the year to date, and a quarter beside them is an extra, or only two lines of a restatement.
 */
function withoutYearToDate<L extends StatementLine>(
  statement: Statement,
  rows: readonly Row<L>[],
): readonly Row<L>[] {
  if (statement === "cash_flow") return rows;
  const quarters = new Set(rows.filter((row) => row.period_months === 3).map((row) => row.period_end_date));
  const isSum = ({ period_months }: Row<L>) => period_months !== 3;
  return rows.filter(
    (row) => row.period_type === "annual" || !isSum(row) || !quarters.has(row.period_end_date),
  );
}

/** The head of a balance sheet, which at the end of a year is that of the fourth quarter too. */
const asFourthQuarter = (head: RowHead): RowHead =>
  head.fiscal_period === "FY" ? { ...head, fiscal_period: "Q4", period_type: "quarterly" } : head;

function selectRows<L extends StatementLine>(
  statement: Statement,
  groups: readonly PeriodReports[],
  lines: readonly L[],
  { vintage, period_type, include_derived, year_end_as_q4, labels, presentations }: Selection,
  moments: Moments,
): Selected<L> {
  const covers = statement === "balance_sheet" ? reportCovers(groups) : new Map<string, Cover>();
  const isQuarterEnd = statement === "balance_sheet" && year_end_as_q4;
  const reported: Row<L>[] = [];
  const without: PeriodReports[] = [];
  const warnings: FigureWarning[] = [];
  const isTrailing = period_type === "ttm";
  const isRequested = (type: Row["period_type"]) =>
    isTrailing || (period_type ?? "all") === "all" || period_type === type;
  for (const group of groups) {
    const shown = chooseReports(group, vintage);
    const dated = shown && headOf(statement, shown, labels, group.reports);
    if (!shown || !dated) {
      without.push(group);
      continue;
    }
    const head = isQuarterEnd ? asFourthQuarter(dated) : dated;
    const { shown: figures, differing } = figuresOf(shown);
    const cover = figures.has("shares_outstanding") ? undefined : coverShares(shown, covers);
    if (cover && !isSuspect(cover)) figures.set("shares_outstanding", cover);
    const row = statementRow(head, lines, (line) => {
      const fact = figures.get(line);
      return fact && { value: fact.value, source: sourceOf(fact, moments) };
    });
    reported.push(row);
    if (isRequested(head.period_type))
      warnings.push(
        ...notFoundWarnings(shown, statement, figures),
        ...partWarnings(shown, statement, vintage),
        ...withheldWarnings(shown, figures, cover, presentations),
        ...signWarnings(shown, figures),
        ...restatedWarnings(shown, differing),
      );
  }
  const derived =
    include_derived && statement !== "balance_sheet"
      ? deriveQuarters(groups, lines, reported, { vintage, labels, moments })
      : { reported, rows: [], warnings: [] };
  warnings.push(...noRowWarnings(statement, without, reported));
  if (isTrailing && statement !== "balance_sheet") {
    const rows = [...derived.reported, ...derived.rows];
    const trailing = trailingYears({ groups, rows, lines, vintage, moments });
    return { rows: trailing.rows, warnings: [...warnings, ...trailing.warnings] };
  }
  const rows = [...withoutYearToDate(statement, derived.reported), ...derived.rows].filter((row) =>
    isRequested(row.period_type),
  );
  const ofDerived = isRequested("quarterly") ? derived.warnings : [];
  return { rows: rows.sort(newestFirst), warnings: [...warnings, ...ofDerived] };
}

/** A line of two periods in one report; null when either is missing or in doubt. */
function pairOf(line: StatementLine, now: Report, before: Report): readonly [number, number] | null {
  const [a, b] = [now.facts.get(line), before.facts.get(line)];
  if (!a || !b || a.tag !== b.tag || isSuspect(a) || isSuspect(b)) return null;
  return [a.value, b.value];
}

/**
 * Compares each period with the one a year before, using the newest report that states both (the oldest for
 * vintage first).
 */
function comparisonsOf(groups: readonly PeriodReports[], vintage: Vintage): Comparison[] {
  const stated = groups.map((group) => ({ group, reports: statingReports(group) }));
  return stated.flatMap(({ group, reports }) => {
    const shown = chooseReports(group, vintage)?.base;
    const months = shown?.period.months;
    if (!shown || !months) return [];
    const yearBefore = stated.find(({ reports: [other] }) => {
      const days = shown.period.endDay - (other?.period.endDay ?? 0);
      return other?.period.months === months && days >= YEAR_DAYS_MIN && days <= YEAR_DAYS_MAX;
    });
    const ordered = vintage === "first" ? reports : reports.toReversed();
    for (const now of ordered) {
      const before = yearBefore?.reports.find((r) => r.accession_number === now.accession_number);
      if (!before || before.currency !== now.currency) continue;
      return [
        {
          period_end_date: shown.period.end,
          period_months: months,
          accession_number: now.accession_number,
          revenue: pairOf("revenue", now, before),
          net_income: pairOf("net_income", now, before),
          eps_diluted: pairOf("eps_diluted", now, before),
        },
      ];
    }
    return [];
  });
}

/**
 * Selects the statements as they stood at `as_of`: one row per period, taken from the newest periodic report
 * that states it (`vintage: "first"`: from the oldest). A figure that report lacks comes from an older one
 * only when the two agree on everything they share. Figures in doubt are left out and named in `warnings`.
 */
export function selectStatements(facts: readonly FinancialFact[], options: SelectOptions = {}): Statements {
  const moments = new Moments();
  const known = knownFacts(facts, options.as_of, moments);
  const periods = gatherPeriods(known, moments);
  const selection: Selection = {
    ...options,
    vintage: options.vintage ?? "latest",
    labels: new FiscalLabels(known),
  };
  const income = selectRows("income_statement", periods.income_statement, INCOME_LINES, selection, moments);
  const balance = selectRows("balance_sheet", periods.balance_sheet, BALANCE_LINES, selection, moments);
  const cashFlow = selectRows("cash_flow", periods.cash_flow, CASH_FLOW_LINES, selection, moments);
  const rows = { income_statement: income.rows, balance_sheet: balance.rows, cash_flow: cashFlow.rows };
  return {
    ...rows,
    comparisons: comparisonsOf(periods.income_statement, selection.vintage),
    warnings: [
      ...income.warnings,
      ...balance.warnings,
      ...cashFlow.warnings,
      ...uncoveredWarnings(rows),
      ...unlabelledWarnings(rows),
      ...identityWarnings(rows),
    ],
  };
}
