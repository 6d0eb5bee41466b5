// Which report a period is taken from: the newest that states it (vintage "latest") or the first, and which of its
// missing figures older reports supply.
import {
  agree,
  type FinancialFact,
  lineKind,
  roundingOf,
  type StatementLine,
} from "../../../providers/edgar/index.ts";
import { isSuspect, type PeriodReports, type Report } from "./periods.ts";

/** latest: the newest report that states a period, restatements included. first: the report that first stated it. */
export type Vintage = "latest" | "first";

/** A period with the report its row is taken from. */
export interface ChosenReports {
  readonly base: Report;
  /** Older reports that may supply a figure the base lacks, newest first. */
  readonly others: readonly Report[];
}

/** The periodic reports that state the period; other filings only when no periodic report does. */
export function statingReports({ reports }: PeriodReports): readonly Report[] {
  const stating = reports.filter(({ states }) => states);
  const periodic = stating.filter(({ isPeriodic }) => isPeriodic);
  return periodic.length > 0 ? periodic : stating;
}

/**
 * Chooses the report a period is taken from. Null when no report states the period. The first vintage uses that report
 * alone; the latest may take missing figures from the reports before it.
 */
export function chooseReports(group: PeriodReports, vintage: Vintage): ChosenReports | null {
  const stating = statingReports(group);
  const base = vintage === "first" ? stating[0] : stating.at(-1);
  if (!base) return null;
  if (vintage === "first") return { base, others: [] };
  const before = group.reports.slice(0, group.reports.indexOf(base));
  return { base, others: before.filter((r) => r.isPeriodic && r.currency === base.currency).reverse() };
}

const MONEY_KINDS = ["flow", "stock"];
const isMoney = (line: StatementLine) => MONEY_KINDS.includes(lineKind(line));

const roundingOfReport = ({ facts }: Report): number =>
  roundingOf([...facts.values()].filter(({ line }) => isMoney(line)).map(({ value }) => value));

/**
 * True when a report shares figures with `shown` and none of them differs: the period was not restated between the two
 * reports. Quarters that were rounded to add up to their year may differ by one unit.
 */
function supports(
  report: Report,
  shown: ReadonlyMap<StatementLine, FinancialFact>,
  rounding: number,
): boolean {
  let shared = 0;
  for (const [line, fact] of shown) {
    const other = report.facts.get(line);
    if (!other || !isMoney(line) || isSuspect(other)) continue;
    if (!agree(fact.value, other.value, 2 * rounding)) return false;
    shared++;
  }
  return shared > 0;
}

/** Whether no share count or per-share figure of the report differs from those shown; a difference means a split lies between. */
function sharesAgree(report: Report, shown: ReadonlyMap<StatementLine, FinancialFact>): boolean {
  return [...shown].every(([line, fact]) => {
    const other = report.facts.get(line);
    return isMoney(line) || !other || isSuspect(other) || other.value === fact.value;
  });
}

export interface Figures {
  readonly shown: Map<StatementLine, FinancialFact>;
  /** Older reports that have further figures but state the period differently. */
  readonly differing: readonly Report[];
}

/** The figures of a period: those of its report, then missing ones from older reports that agree on every shared figure. */
export function figuresOf({ base, others }: ChosenReports): Figures {
  const shown = new Map([...base.facts].filter(([, fact]) => !isSuspect(fact)));
  const differing: Report[] = [];
  const baseRounding = roundingOfReport(base);
  for (const other of others) {
    const missing: [StatementLine, FinancialFact][] = [];
    for (const [line, fact] of other.facts)
      if (!shown.has(line) && !isSuspect(fact)) missing.push([line, fact]);
    if (missing.length === 0) continue;
    if (!supports(other, shown, Math.max(baseRounding, roundingOfReport(other)))) {
      if (other.states) differing.push(other);
      continue;
    }
    const isSameShareBasis = sharesAgree(other, shown);
    for (const [line, fact] of missing) if (isSameShareBasis || isMoney(line)) shown.set(line, fact);
  }
  return { shown, differing };
}
