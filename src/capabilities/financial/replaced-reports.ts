// What a file of figures says otherwise than before: a filing never changes, so either the file was corrected or we
// read it wrongly, and in both cases the figures as read now are those the filing had all along.
import { UpstreamFailed } from "../../platform/errors.ts";
import type { FinancialFact } from "../../providers/edgar/index.ts";
import { periodKey } from "./fact-rows.ts";

/** What was read of a filer, of one source. */
export interface FactsUpdate {
  readonly cik: string;
  readonly source: FinancialFact["source"];
  readonly facts: readonly FinancialFact[];
  /**
   * add: what is stored stays. correct: reports the file tells otherwise are replaced. anew: also those it has nothing
   * of, for what is stored is of an earlier version of the reading.
   */
  readonly mode: "add" | "correct" | "anew";
}

const keyOf = (fact: FinancialFact) => `${fact.line} ${periodKey(fact)} ${fact.filed_date}`;

/** What a reading tells of a figure. When its filing was accepted is learnt later, and not from the file. */
const COMPARED = [
  ...["cik", "line", "statement", "period_start", "period_end", "period_months", "fiscal_year"],
  ...["fiscal_period", "value", "unit", "currency", "tag", "taxonomy", "accession_number", "form"],
  ...["filed_date", "vintage", "revision", "split_basis", "source"],
] as readonly (keyof FinancialFact)[];

const isSame = (a: FinancialFact, b: FinancialFact): boolean =>
  COMPARED.every((name) => a[name] === b[name]) && a.flags.join() === b.flags.join();

/** Whether all that is stored of a report stands in what was read of it; more may. */
function contains(stored: readonly FinancialFact[], read: readonly FinancialFact[]): boolean {
  const byKey = new Map(read.map((fact) => [keyOf(fact), fact]));
  return stored.every((fact) => {
    const now = byKey.get(keyOf(fact));
    return now !== undefined && isSame(fact, now);
  });
}

/** Accession numbers of the stored reports whose figures are replaced by those read. */
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
    const stays = now ? contains(own, now) : mode === "correct";
    return stays ? [] : [accession];
  });
}

/**
 * A file that lost most of what it had is broken, not corrected. Schedules are counted by their reports: each stands in a
 * file of its own, and a better reading may leave half of a schedule out. Null when it may be taken.
 */
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
    `What the SEC has of CIK ${cik} gives ${now} ${what} where ${before} are stored: it is not taken.`,
  );
}
