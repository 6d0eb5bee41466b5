// The statements of a company from its facts: for each period the report that is asked for, and nothing known later.

import {
  BALANCE_LINES,
  CASH_FLOW_LINES,
  COVER_SHARES,
  type FinancialFact,
  INCOME_LINES,
  readDayNumber,
  type Statement,
  type StatementLine,
} from "../../../providers/edgar/index.ts";
import { deriveQuarters } from "./derive.ts";
import { gatherPeriods, isSuspect, Moments, type PeriodReports, type Report } from "./periods.ts";
import type { Comparison, Row, SelectOptions, Statements } from "./records.ts";
import {
  figuresOf,
  headOf,
  rowOf,
  type ShownPeriod,
  showPeriod,
  sourceOf,
  statingReports,
  type Vintage,
} from "./rows.ts";

/** A cover's count of shares belongs to the period its report is about: at most these days before. */
const COVER_DAYS_MAX = 120;
const COVER_NAME = COVER_SHARES.replace("dei:", "");
/** Two periods a year apart, of 52 or 53 weeks. */
const [YEAR_DAYS_MIN, YEAR_DAYS_MAX] = [350, 380];

type Choice = Pick<SelectOptions, "period_type" | "include_derived"> & { readonly vintage: Vintage };

interface Cover {
  /** The last day the report has a balance sheet of: the period it is about. */
  readonly endDay: number;
  readonly shares: FinancialFact | undefined;
}

/** What reports are about, and the shares on their covers, by accession number. */
function coversOf(balances: readonly PeriodReports[]): Map<string, Cover> {
  const covers = new Map<string, Cover>();
  for (const { reports } of balances)
    for (const { accession_number, facts, states, period } of reports) {
      const { endDay = -Infinity, shares } = covers.get(accession_number) ?? {};
      const fact = facts.get("shares_outstanding");
      covers.set(accession_number, {
        endDay: states ? Math.max(endDay, period.endDay) : endDay,
        shares: fact?.tag === COVER_NAME && !isSuspect(fact) ? fact : shares,
      });
    }
  return covers;
}

/** The count on the cover of the report about this very period, not of later ones that repeat it for comparison. */
function coverShares(
  { base, others }: ShownPeriod,
  covers: ReadonlyMap<string, Cover>,
): FinancialFact | undefined {
  for (const { accession_number } of [base, ...others]) {
    const cover = covers.get(accession_number);
    if (!cover?.shares || cover.endDay !== base.period.endDay) continue;
    const days = (readDayNumber(cover.shares.period_end) ?? 0) - base.period.endDay;
    if (days >= 0 && days <= COVER_DAYS_MAX) return cover.shares;
  }
  return undefined;
}

const words = (line: string) => line.replaceAll("_", " ");

/** Why a figure of the row's report is not in it. */
function withheld({ base }: ShownPeriod, figures: ReadonlyMap<StatementLine, FinancialFact>): string[] {
  return [...base.facts.values()].filter(isSuspect).map((fact) => {
    const other = figures.get(fact.line);
    const instead = other ? `${other.value} of ${other.accession_number} is given instead` : "null is given";
    const doubts = fact.flags.filter((flag) => /^suspect_|^conflicting/.test(flag)).join(", ");
    return `${words(fact.line)} to ${fact.period_end} is ${fact.value} ${fact.unit} in ${base.form} ${base.accession_number}, which is in doubt (${doubts}): ${instead}.`;
  });
}

/** Lines a report had that the newest one leaves out of a period it states otherwise. */
function restated({ base }: ShownPeriod, differing: readonly Report[]): string[] {
  const newest = differing.find(({ facts }) => [...facts.keys()].some((line) => !base.facts.has(line)));
  if (!newest) return [];
  const lines = [...newest.facts.keys()].filter((line) => !base.facts.has(line)).map(words);
  return [
    `${base.form} ${base.accession_number} states the period to ${base.period.end} otherwise than ${newest.form} ${newest.accession_number}, whose ${lines.join(", ")} are therefore not taken over.`,
  ];
}

interface Selected<L extends StatementLine> {
  readonly rows: readonly Row<L>[];
  readonly warnings: readonly string[];
}

type RowPlace = Pick<Row, "period_end_date" | "basis" | "period_months">;
/** Newest first; at one end the reported before the derived, the longer before the shorter. */
const newestFirst = (a: RowPlace, b: RowPlace): number => {
  if (a.period_end_date !== b.period_end_date) return a.period_end_date < b.period_end_date ? 1 : -1;
  if (a.basis !== b.basis) return a.basis === "reported" ? -1 : 1;
  return (b.period_months ?? 0) - (a.period_months ?? 0);
};

/**
 * Year-to-date rows stand only where no quarter is reported for the same end. Cash flows are reported for the year to
 * date: beside them a quarter is a remnant (two lines of a restatement) or a bonus, and takes no place.
 */
function withoutSums<L extends StatementLine>(
  statement: Statement,
  rows: readonly Row<L>[],
): readonly Row<L>[] {
  if (statement === "cash_flow") return rows;
  const quarters = new Set(rows.filter((row) => row.period_months === 3).map((row) => row.period_end_date));
  const isSum = ({ period_months }: Row<L>) => period_months === 6 || period_months === 9;
  return rows.filter(
    (row) => row.period_type === "annual" || !isSum(row) || !quarters.has(row.period_end_date),
  );
}

function selectRows<L extends StatementLine>(
  statement: Statement,
  groups: readonly PeriodReports[],
  lines: readonly L[],
  { vintage, period_type, include_derived }: Choice,
  moments: Moments,
): Selected<L> {
  const covers = statement === "balance_sheet" ? coversOf(groups) : new Map<string, Cover>();
  const reported: Row<L>[] = [];
  const warnings: string[] = [];
  const wanted = (type: Row["period_type"]) => (period_type ?? "all") === "all" || period_type === type;
  for (const group of groups) {
    const shown = showPeriod(group, vintage);
    const head = shown && headOf(statement, shown);
    if (!shown || !head) continue;
    const { shown: figures, differing } = figuresOf(shown);
    const cover = figures.has("shares_outstanding") ? undefined : coverShares(shown, covers);
    if (cover) figures.set("shares_outstanding", cover);
    const row = rowOf(head, lines, (line) => {
      const fact = figures.get(line);
      return fact && { value: fact.value, source: sourceOf(fact, moments) };
    });
    reported.push(row);
    if (wanted(head.period_type)) warnings.push(...withheld(shown, figures), ...restated(shown, differing));
  }
  const derived =
    include_derived && statement !== "balance_sheet"
      ? deriveQuarters(groups, lines, vintage, reported, moments)
      : [];
  const rows = [...withoutSums(statement, reported), ...derived].filter((row) => wanted(row.period_type));
  return { rows: rows.sort(newestFirst), warnings };
}

/** A line of two periods in one report; null where either is missing or in doubt. */
function pairOf(line: StatementLine, now: Report, before: Report): readonly [number, number] | null {
  const [a, b] = [now.facts.get(line), before.facts.get(line)];
  if (!a || !b || a.tag !== b.tag || isSuspect(a) || isSuspect(b)) return null;
  return [a.value, b.value];
}

/** Each period against the one a year before, by the newest report that states both (the oldest for vintage first). */
function comparisonsOf(groups: readonly PeriodReports[], vintage: Vintage): Comparison[] {
  const stated = groups.map((group) => ({ group, reports: statingReports(group) }));
  return stated.flatMap(({ group, reports }) => {
    const shown = showPeriod(group, vintage)?.base;
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
 * The statements as they stood at `as_of`: one row per period, taken from the newest periodic report that states it
 * (`vintage: "first"`: from the oldest). A figure that report lacks comes from an older one only where the two agree
 * on everything they share. Figures in doubt are left out and named in `warnings`.
 */
export function selectStatements(facts: readonly FinancialFact[], options: SelectOptions = {}): Statements {
  const moments = new Moments();
  const periods = gatherPeriods(facts, options.as_of, moments);
  const choice: Choice = { ...options, vintage: options.vintage ?? "latest" };
  const income = selectRows("income_statement", periods.income_statement, INCOME_LINES, choice, moments);
  const balance = selectRows("balance_sheet", periods.balance_sheet, BALANCE_LINES, choice, moments);
  const cashFlow = selectRows("cash_flow", periods.cash_flow, CASH_FLOW_LINES, choice, moments);
  return {
    income_statement: income.rows,
    balance_sheet: balance.rows,
    cash_flow: cashFlow.rows,
    comparisons: comparisonsOf(periods.income_statement, choice.vintage),
    warnings: [...income.warnings, ...balance.warnings, ...cashFlow.warnings],
  };
}
