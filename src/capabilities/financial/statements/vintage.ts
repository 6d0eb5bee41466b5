// Which report a period is taken from: the newest that states it (vintage "latest") or the first, and which
// of its missing figures older reports supply.
import {
  agree,
  type FinancialFact,
  lineKind,
  roundingOf,
  type StatementLine,
} from "../../../providers/edgar/index.ts";
import { isSuspect, type PeriodReports, type Report, WHOLE_SHARE } from "./periods.ts";

/**
 * latest: the newest report that states a period, restatements included. first: the report that first stated
 * it as a whole.
 */
export type Vintage = "latest" | "first";

/** A period with the report its row is taken from. */
export interface ChosenReports {
  readonly base: Report;
  /**
   * Reports that may supply a figure the base lacks: older ones, newest first, then parts of the statement
   * stated since.
   */
  readonly others: readonly Report[];
}

/**
 * Gives the rest of a statement in the periodic report about the period, and in those that state it again
 * about as fully. Made up: a sheet without equity gives liabilities of 2,410, and a year later 2,502.
 * A year that a foreign issuer tags in current reports alone is theirs.
 */
function remainders(reports: readonly Report[]): readonly Report[] {
  const isYear = ({ form, period }: Report) => form.startsWith("6-K") && period.months === 12;
  const isForeign = reports.every((one) => !one.isPeriodic && isYear(one));
  const own = reports.filter(({ isRemainder, isPeriodic }) => isRemainder && (isPeriodic || isForeign));
  const size = Math.max(...own.map(({ facts }) => facts.size), 0);
  const isAgain = ({ isLeft, isPeriodic, facts }: Report) =>
    isLeft && (isPeriodic || isForeign) && facts.size >= WHOLE_SHARE * size;
  return own.length === 0 ? own : reports.filter((one) => own.includes(one) || isAgain(one));
}

/**
 * The periodic reports that state the period; other filings only when no periodic report does, and what is
 * left of a statement in periodic reports only when no filing does.
 */
export function statingReports({ reports }: PeriodReports): readonly Report[] {
  const stating = reports.filter(({ states }) => states);
  const periodic = stating.filter(({ isPeriodic }) => isPeriodic);
  if (periodic.length > 0) return periodic;
  return stating.length > 0 ? stating : remainders(reports);
}

const MONEY_KINDS = ["flow", "stock"];
export const isMoney = (line: StatementLine) => MONEY_KINDS.includes(lineKind(line));

export const roundingOfReport = ({ facts }: Report): number =>
  roundingOf([...facts.values()].filter(({ line }) => isMoney(line)).map(({ value }) => value));

/**
 * True when a report shares figures with `shown` and none of them differs: the period was not restated
 * between the two reports. Quarters that were rounded to add up to their year may differ by one unit.
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

/**
 * Whether no share count or per-share figure of the report differs from those shown; a difference means a
 * split lies between.
 */
function sharesAgree(report: Report, shown: ReadonlyMap<StatementLine, FinancialFact>): boolean {
  return [...shown].every(([line, fact]) => {
    const other = report.facts.get(line);
    return isMoney(line) || !other || isSuspect(other) || other.value === fact.value;
  });
}

/** Whether every figure that both reports have is the same number in both, and they share one. */
function repeats(part: Report, whole: Report): boolean {
  const shared = [...part.facts].flatMap(([line, { value }]) => {
    const other = whole.facts.get(line);
    return other ? [other.value === value] : [];
  });
  return shared.length > 0 && !shared.includes(false);
}

/**
 * The report a period is taken from. A few figures of a note come second to a whole statement: for the first
 * vintage always, for the latest where they do not differ from it.
 */
function baseOf(stating: readonly Report[], vintage: Vintage): Report | undefined {
  if (vintage === "first") return stating.find(({ isWhole }) => isWhole) ?? stating[0];
  const newest = stating.at(-1);
  const whole = stating.findLast(({ isWhole }) => isWhole);
  return newest && whole && !newest.isWhole && repeats(newest, whole) ? whole : newest;
}

/**
 * Chooses the report a period is taken from. Null when no report states the period. The first vintage uses
 * that report alone; the latest may take missing figures from the reports before it, and from parts of it
 * stated again since.
 */
export function chooseReports(group: PeriodReports, vintage: Vintage): ChosenReports | null {
  const base = baseOf(statingReports(group), vintage);
  if (!base) return null;
  if (vintage === "first") return { base, others: [] };
  const others = group.reports.filter((r) => r !== base && r.isPeriodic && r.currency === base.currency);
  const at = group.reports.indexOf(base);
  const isBefore = (report: Report) => group.reports.indexOf(report) < at;
  return {
    base,
    others: [...others.filter(isBefore).reverse(), ...others.filter((r) => !isBefore(r) && r.states)],
  };
}

/** Neither in doubt nor of a sign that no sum proves: another report's figure comes first otherwise. */
const isSound = (fact: FinancialFact): boolean => !isSuspect(fact) && !fact.flags.includes("sign_unproven");

export interface Figures {
  readonly shown: Map<StatementLine, FinancialFact>;
  /** Older reports that have further figures but state the period differently. */
  readonly differing: readonly Report[];
}

/**
 * The figures of a period: those of its report, then missing ones from older reports that agree on every
 * shared figure.
 */
export function figuresOf({ base, others }: ChosenReports): Figures {
  const shown = new Map([...base.facts].filter(([, fact]) => isSound(fact)));
  const differing: Report[] = [];
  const baseRounding = roundingOfReport(base);
  for (const other of others) {
    const missing: [StatementLine, FinancialFact][] = [];
    for (const [line, fact] of other.facts) if (!shown.has(line) && isSound(fact)) missing.push([line, fact]);
    if (missing.length === 0) continue;
    if (!supports(other, shown, Math.max(baseRounding, roundingOfReport(other)))) {
      if (other.states) differing.push(other);
      continue;
    }
    const isSameShareBasis = sharesAgree(other, shown);
    for (const [line, fact] of missing) if (isSameShareBasis || isMoney(line)) shown.set(line, fact);
  }
  for (const [line, fact] of base.facts) if (!shown.has(line) && !isSuspect(fact)) shown.set(line, fact);
  return { shown, differing };
}
