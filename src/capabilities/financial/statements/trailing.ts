// Trailing twelve months: the last fiscal year and the year to date, less the year to date a year before;
// else the sum of four quarters.
import { priceDigits } from "../../../market/float.ts";
import {
  dateOfDay,
  type FigureWarning,
  type FinancialFact,
  lineKind,
  monthsOfDays,
  readDayNumber,
  type StatementLine,
} from "../../../providers/edgar/index.ts";
import { isSameFigure, statedOf } from "./derive.ts";
import { type Moments, type PeriodReports, SAME_DAYS } from "./periods.ts";
import type { FigureSource, Row } from "./records.ts";
import { latestMoment, signedOperands, statementRow } from "./rows.ts";
import type { Vintage } from "./vintage.ts";

/** The code of a warning about lines of twelve months that their periods have, but not alike. */
export const NOT_TRAILING = "trailing_not_derived";
const PARTS_OF_YEAR = [9, 6, 3];
const QUARTERS = 4;

const dayOf = (date: string | null): number => readDayNumber(date) ?? Number.NaN;
const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= SAME_DAYS;
type Place = Pick<Row, "period_start_date" | "period_end_date" | "period_months" | "fiscal_period">;
const firstDay = ({ period_start_date }: Place): number => dayOf(period_start_date);
const lastDay = ({ period_end_date }: Place): number => dayOf(period_end_date);
const isYear = ({ fiscal_period, period_months }: Place): boolean =>
  fiscal_period === "FY" && period_months === 12;

/** A period that is added, or subtracted. */
interface Term<L extends StatementLine> {
  readonly row: Row<L>;
  readonly sign: 1 | -1;
  readonly group: PeriodReports | undefined;
}
/** Periods that together are twelve months; those that a line must have under one tag stand side by side. */
type Terms<L extends StatementLine> = readonly Term<L>[];

/** The periods from which twelve months are made, and how. */
interface Trailing<L extends StatementLine> {
  readonly groups: readonly PeriodReports[];
  readonly rows: readonly Row<L>[];
  readonly lines: readonly L[];
  readonly vintage: Vintage;
  readonly moments: Moments;
}

/** The periods that make up the twelve months to the end of a row; empty without one of them. */
function termsOf<L extends StatementLine>(
  { groups }: Trailing<L>,
  signed: readonly (readonly [row: Row<L> | undefined, sign: 1 | -1])[],
): Terms<L> {
  const terms = signed.flatMap(([row, sign]): Term<L>[] => {
    if (!row) return [];
    const group = groups.find(({ reports }) =>
      reports.some(
        ({ period, accession_number }) =>
          accession_number === row.accession_number &&
          period.start === row.period_start_date &&
          period.end === row.period_end_date,
      ),
    );
    return [{ row, sign, group: row.basis === "reported" ? group : undefined }];
  });
  return terms.length < signed.length ? [] : terms;
}

/** The year before the period, less its part of the same length, and the period. */
function yearToDate<L extends StatementLine>(row: Row<L>, from: Trailing<L>): Terms<L> {
  if (!PARTS_OF_YEAR.includes(row.period_months ?? 0)) return [];
  const { rows } = from;
  const year = rows.find((one) => isYear(one) && isNear(lastDay(one) + 1, firstDay(row)));
  const before = rows.find(
    (one) => year && one.period_months === row.period_months && isNear(firstDay(one), firstDay(year)),
  );
  return termsOf(from, [
    [year, 1],
    [before, -1],
    [row, 1],
  ]);
}

/** The quarter and the three before it. */
function fourQuarters<L extends StatementLine>(last: Row<L>, from: Trailing<L>): Terms<L> {
  const chain: (Row<L> | undefined)[] = [last];
  while (chain.length < QUARTERS) {
    const next = chain[0];
    const before = ({ period_months, ...row }: Row<L>) =>
      next !== undefined && period_months === 3 && isNear(dayOf(row.period_end_date) + 1, firstDay(next));
    chain.unshift(from.rows.find(before));
  }
  return termsOf(
    from,
    chain.map((row) => [row, 1]),
  );
}

/** The line as each periodic report gives it for the period, oldest first, and whether the row agrees. */
function statementsOf<L extends StatementLine>({ group, row }: Term<L>, line: L) {
  const stated = group ? statedOf(group, line) : [];
  const own = stated.find(({ fact }) => fact.accession_number === row.sources[line]?.accession_number);
  return stated.map((one) => ({ ...one, isSame: own !== undefined && isSameFigure(one, own) }));
}

/**
 * Whether one of the figures was restated, and another neither given since nor restated itself: the two are
 * on different footings. Made up: six months of 40 are stated as 38 in August 2026, without a part that was
 * sold; the year of 100 in the report of February 2026 still has that part. An amendment of July with a year
 * of 98 has it no more.
 */
function isRestated<L extends StatementLine>(terms: Terms<L>, line: L, moments: Moments): boolean {
  const knownMs = (fact: FinancialFact) => moments.of(fact).ms ?? Infinity;
  const footings = terms.map((term) => {
    const { row } = term;
    const stated = statementsOf(term, line);
    const { known_at } = row.sources[line] ?? {};
    const moment = known_at ? Temporal.Instant.from(known_at).epochMilliseconds : Infinity;
    const nth = stated.findLastIndex(({ isSame }) => !isSame);
    const [old, since] = [stated[nth], stated[nth + 1]];
    return {
      newest: Math.max(moment, ...stated.map(({ fact }) => knownMs(fact))),
      restated: old ? { old: knownMs(old.fact), since: since ? knownMs(since.fact) : Infinity } : null,
    };
  });
  return footings.some(({ restated }, nth) =>
    footings.some((other, otherNth) => {
      if (restated === null || nth === otherNth || other.newest >= restated.since) return false;
      return (other.restated?.since ?? -Infinity) <= restated.old;
    }),
  );
}

/** Whether periods that stand side by side have the line under one tag, as any of their reports gives it. */
function areAlike<L extends StatementLine>(terms: Terms<L>, line: L): boolean {
  const tags = terms.map((term) => {
    const same = statementsOf(term, line).filter(({ isSame }) => isSame);
    return new Set([term.row.sources[line]?.tag, ...same.map(({ fact }) => fact.tag)]);
  });
  const source = ({ row }: Term<L>) => row.sources[line];
  const [first] = terms;
  return (
    tags.every((own, nth) => nth === 0 || !own.isDisjointFrom(tags[nth - 1] ?? own)) &&
    terms.every((term) => {
      const [one, other] = [source(term), first && source(first)];
      return one?.unit === other?.unit && one?.isSignUnproven === other?.isSignUnproven;
    })
  );
}

type Figure = { readonly value: number; readonly source: FigureSource };

/** Why the figures of a line are not to be added. */
type Unlike = "restated" | "retagged";

/** The line of the twelve months; null where a period lacks it. */
function figureOf<L extends StatementLine>(
  terms: Terms<L>,
  line: L,
  { vintage, moments }: Trailing<L>,
): Figure | Unlike | null {
  const last = terms.at(-1)?.row.sources[line];
  const values = terms.map(({ row, sign }) => sign * (row.items[line] ?? Number.NaN));
  if (!last || values.some(Number.isNaN)) return null;
  if (vintage === "latest" && isRestated(terms, line, moments)) return "restated";
  if (!areAlike(terms, line)) return "retagged";
  const sources = terms.flatMap(({ row }) => row.sources[line] ?? []);
  const { filed_value: _, ...source }: FigureSource = last;
  const total = values.reduce((sum, value) => sum + value, 0);
  return {
    value: lineKind(line) === "flow" ? total : priceDigits(total),
    source: {
      ...source,
      known_at: latestMoment(sources.map(({ known_at }) => known_at)),
      // Whether the quarters are on one basis is judged where splits are known.
      split_basis:
        sources
          .flatMap(({ split_basis }) => split_basis ?? [])
          .sort()
          .at(-1) ?? null,
      operation: "signed_sum",
      operands: terms.flatMap(({ row, sign }) => signedOperands(row, line, sign)),
    },
  };
}

interface TrailingRow<L extends StatementLine> {
  readonly row: Row<L> | null;
  readonly unlike: readonly L[];
}

/** The twelve months to the end of these rows, which have one end. */
function trailingRow<L extends StatementLine>(ending: readonly Row<L>[], from: Trailing<L>): TrailingRow<L> {
  const year = ending.find(isYear);
  if (year) return { row: { ...year, period_type: "ttm" }, unlike: [] };
  const quarter = ending.find(({ period_months }) => period_months === 3);
  const toDate = ending.map((row) => yearToDate(row, from)).find(({ length }) => length > 0) ?? [];
  const quarters = quarter ? fourQuarters(quarter, from) : [];
  const unlike: L[] = [];
  const figures = new Map<L, Figure>();
  for (const line of from.lines) {
    const kind = lineKind(line);
    if (kind === "shares") continue;
    // Earnings per share are never subtracted: each period has another count of shares.
    const flow = kind === "flow" ? figureOf(toDate, line, from) : null;
    const isOpen = flow === null || flow === "retagged";
    const found = (isOpen ? figureOf(quarters, line, from) : null) ?? flow;
    // Figures per share have a reason of their own.
    if (typeof found === "string") unlike.push(...(kind === "flow" ? [line] : []));
    else if (found) figures.set(line, found);
  }
  const { row: last } = toDate.at(-1) ?? quarters.at(-1) ?? {};
  const first = toDate[1] ? lastDay(toDate[1].row) + 1 : quarters[0] ? firstDay(quarters[0].row) : null;
  if (!last || first === null || monthsOfDays(lastDay(last) - first + 1) !== 12) return { row: null, unlike };
  const period = { period_start_date: dateOfDay(first), period_months: 12, period_type: "ttm" } as const;
  const head = { ...last, ...period, basis: "derived" } as const;
  return { row: statementRow(head, from.lines, (line) => figures.get(line)), unlike };
}

function unlikeWarnings({ row, unlike }: TrailingRow<StatementLine>): FigureWarning[] {
  if (!row || unlike.length === 0) return [];
  const { period_end_date: period_end, accession_number } = row;
  const names = unlike.map((line) => line.replaceAll("_", " ")).join(", ");
  const detail = `Of the twelve months to ${period_end} these lines are null, because a period was restated and another was not given since, or because reports give them under different tags: ${names}.`;
  return [{ code: NOT_TRAILING, line: null, period_end, accession_number, detail }];
}

/**
 * Makes a row of twelve months for each end of a fiscal year or of a part of one, newest first. One to the
 * end of a year is that year as reported.
 */
export function trailingYears<L extends StatementLine>(
  from: Trailing<L>,
): {
  readonly rows: readonly Row<L>[];
  readonly warnings: readonly FigureWarning[];
} {
  const ends: Row<L>[][] = [];
  for (const row of from.rows.toSorted((a, b) => lastDay(b) - lastDay(a))) {
    const [newest] = ends.at(-1) ?? [];
    if (newest && isNear(lastDay(newest), lastDay(row))) ends.at(-1)?.push(row);
    else ends.push([row]);
  }
  const found = ends.map((ending) => {
    const isAlike = ({ currency }: Row<L>) => currency === ending[0]?.currency;
    return trailingRow(ending.filter(isAlike), { ...from, rows: from.rows.filter(isAlike) });
  });
  return {
    rows: found.flatMap(({ row }) => row ?? []),
    warnings: found.flatMap((one) => unlikeWarnings(one as unknown as TrailingRow<StatementLine>)),
  };
}
