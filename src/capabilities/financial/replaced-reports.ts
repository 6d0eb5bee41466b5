// Decides which stored reports a newly read file of figures replaces. A filing never changes. When its
// figures now differ, either the regulator's file was corrected or our parser was, so the new figures are
// what the filing said all along.
import { UpstreamFailed } from "../../platform/errors.ts";
import type { FinancialFact } from "../../providers/edgar/index.ts";
import { periodKey } from "./fact-rows.ts";

/** The figures of one filer as read from one source. */
export interface FactsUpdate {
  readonly cik: string;
  readonly source: FinancialFact["source"];
  readonly facts: readonly FinancialFact[];
  /**
   * add: only adds figures. correct: also replaces stored reports whose figures differ. replace: also removes
   * stored reports the file no longer has, for when an earlier version of the parser read what is stored.
   */
  readonly mode: "add" | "correct" | "replace";
}

const factKey = (fact: FinancialFact) => `${fact.line} ${periodKey(fact)} ${fact.filed_date}`;

/**
 * The fields compared between two reads. The acceptance time is not among them: it is learned later, from the
 * index.
 */
const COMPARED = [
  ...["cik", "line", "statement", "period_start", "period_end", "period_months", "fiscal_year"],
  ...["fiscal_period", "value", "unit", "currency", "tag", "taxonomy", "accession_number", "form"],
  ...["filed_date", "vintage", "revision", "split_basis", "source", "filing_fiscal_year"],
] as readonly (keyof FinancialFact)[];

const isSame = (a: FinancialFact, b: FinancialFact): boolean =>
  COMPARED.every((name) => a[name] === b[name]) && a.flags.join() === b.flags.join();

/** Whether every stored figure of a report is unchanged in what was read of it; the latter may have more. */
function contains(stored: readonly FinancialFact[], read: readonly FinancialFact[]): boolean {
  const byKey = new Map(read.map((fact) => [factKey(fact), fact]));
  return stored.every((fact) => {
    const now = byKey.get(factKey(fact));
    return now !== undefined && isSame(fact, now);
  });
}

/** Accession numbers of the stored reports that the update replaces. */
// A stored report with a revenue of 100 that now is 101 stays under `add`; `correct` and `replace` replace
// it.
export function replacedReports(
  { mode, facts, source }: FactsUpdate,
  stored: readonly FinancialFact[],
): string[] {
  if (mode === "add") return [];
  const read = Map.groupBy(facts, (fact) => fact.accession_number);
  const before = Map.groupBy(
    stored.filter((fact) => fact.source === source),
    (fact) => fact.accession_number,
  );
  return [...before].flatMap(([accession, own]) => {
    const now = read.get(accession);
    const isUnchanged = now ? contains(own, now) : mode === "correct";
    return isUnchanged ? [] : [accession];
  });
}

/**
 * An error when the update has less than half of what is stored: such a file is broken, not corrected. Null
 * when it may be stored. Schedules are counted by report: each is a file of its own, and a better parser may
 * drop half its figures.
 */
// Made up: 4,000 figures are stored; a file with 2,000 is used, one with 1,999 is refused.
export function dataLossError(
  { cik, facts, source }: FactsUpdate,
  stored: readonly FinancialFact[],
): UpstreamFailed | null {
  const sizeOf = (some: readonly FinancialFact[]) =>
    source === "ex27" ? new Set(some.map((fact) => fact.accession_number)).size : some.length;
  const [before, now] = [sizeOf(stored.filter((fact) => fact.source === source)), sizeOf(facts)];
  if (now * 2 >= before) return null;
  const what = source === "ex27" ? "schedules" : "figures";
  return new UpstreamFailed(
    "edgar",
    `The SEC's file of CIK ${cik} has ${now} ${what} where ${before} are stored; it is not used.`,
  );
}
