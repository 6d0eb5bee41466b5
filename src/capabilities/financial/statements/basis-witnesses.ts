// Compares the share counts that several reports give for one period: they show whether the splits between
// the reports are in their figures.
import { agree } from "../../../market/share-count.ts";
import { shareRatio } from "../../../market/share-split.ts";
import type { FinancialFact, StatementLine } from "../../../providers/edgar/index.ts";
import { isOfCover } from "./figure-basis.ts";
import { isSuspect } from "./periods.ts";
import type { SplitHistory } from "./share-splits.ts";

/** Two reports that give share counts of the same period. */
interface Pair {
  readonly earlier: FinancialFact;
  readonly later: FinancialFact;
  readonly agrees: boolean;
  /** The splits between the two change nothing. */
  readonly isUnsplit: boolean;
}

const COUNTS: ReadonlySet<StatementLine> = new Set<StatementLine>([
  "weighted_average_shares_basic",
  "weighted_average_shares_diluted",
  "shares_outstanding",
]);

function pairsOf(counts: readonly FinancialFact[], { splits }: SplitHistory): Pair[] {
  const ordered = counts.toSorted((a, b) => (a.filed_date < b.filed_date ? -1 : 1));
  return ordered.flatMap((earlier, nth) =>
    ordered.slice(nth + 1).flatMap((later) => {
      if (later.accession_number === earlier.accession_number) return [];
      const ratio = shareRatio(splits, earlier.filed_date, later.filed_date);
      if (ratio === null) return [];
      const agrees = agree(earlier.value, later.value, ratio);
      return [{ earlier, later, agrees, isUnsplit: ratio === 1 }];
    }),
  );
}

/** Reports that at least two other reports contradict, and more than confirm them. */
function oddReports(pairs: readonly Pair[]): ReadonlySet<string> {
  const votes = new Map<string, Map<string, boolean>>();
  const vote = (of: FinancialFact, by: FinancialFact, agrees: boolean) => {
    const own = votes.getOrInsertComputed(of.accession_number, () => new Map<string, boolean>());
    own.set(by.accession_number, agrees && (own.get(by.accession_number) ?? true));
  };
  for (const { earlier, later, agrees } of pairs) {
    vote(earlier, later, agrees);
    vote(later, earlier, agrees);
  }
  const odd = [...votes].filter(([, by]) => {
    const against = [...by.values()].filter((agrees) => !agrees).length;
    return against >= 2 && against > by.size - against;
  });
  return new Set(odd.map(([report]) => report));
}

/** Judges whether the reports' own share counts contradict the splits of the price provider. */
export interface BasisWitnesses {
  /** Whether figures of a report on this basis may be scaled by the splits after it. */
  contradict(report: string, basis: string): boolean;
}

/**
 * Makes the judge of a company's reports. A report that most others contradict is doubted alone. Where two
 * reports contradict each other and neither is doubted, a split is missing, was none of these shares, or is
 * in the earlier report already: all figures on the bases before are doubted, and where a split lies between
 * the two, those of the later report as well.
 */
export function basisWitnesses(facts: readonly FinancialFact[], history: SplitHistory): BasisWitnesses {
  const counts = facts.filter(
    (fact) => COUNTS.has(fact.line) && fact.value > 0 && !isOfCover(fact) && !isSuspect(fact),
  );
  const groups = Map.groupBy(counts, ({ line, period_start, period_end }) =>
    [line, period_start, period_end].join(" "),
  );
  const pairs = [...groups.values()].flatMap((group) => pairsOf(group, history));
  const odd = oddReports(pairs);
  const disputed = pairs
    .filter(
      ({ earlier, later, agrees }) =>
        !agrees && !odd.has(earlier.accession_number) && !odd.has(later.accession_number),
    )
    .map(({ earlier, later, isUnsplit }) => (isUnsplit ? earlier : later).filed_date)
    .sort()
    .at(-1);
  return {
    contradict: (report, basis) => odd.has(report) || (disputed !== undefined && basis <= disputed),
  };
}
