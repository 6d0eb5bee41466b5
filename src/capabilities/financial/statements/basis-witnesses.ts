// Compares the share counts that several reports give for one period: they show whether the splits between
// the reports are in their figures.
import { agree, basisOf, type CountBasis, type CountFact } from "../../../market/share-count.ts";
import { type Split, shareRatio } from "../../../market/share-split.ts";
import { COVER_SHARES, type FinancialFact, type StatementLine } from "../../../providers/edgar/index.ts";
import { isSuspect } from "./periods.ts";
import type { FigureSource } from "./records.ts";
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

const isOfCover = ({ taxonomy, tag }: Pick<FinancialFact, "taxonomy" | "tag">) =>
  `${taxonomy}:${tag}` === COVER_SHARES;

/** Makes the judge of the bases of a company's figures, with its reported counts of shares as witnesses. */
export function figureBases(facts: readonly FinancialFact[]) {
  const weighted = new Map<string, FinancialFact>();
  for (const fact of facts) {
    const before = weighted.get(fact.accession_number);
    if (!fact.line.startsWith("weighted_average_shares") || fact.value <= 0 || isSuspect(fact)) continue;
    if (!before || fact.period_end > before.period_end) weighted.set(fact.accession_number, fact);
  }
  const counts = facts.flatMap((fact): CountFact[] =>
    fact.line !== "shares_outstanding" || fact.value <= 0 || isSuspect(fact)
      ? []
      : [
          {
            ...fact,
            known_at: null,
            split_basis: fact.split_basis ?? fact.filed_date,
            is_cover: isOfCover(fact),
            weighted: weighted.get(fact.accession_number)?.value ?? null,
          },
        ],
  );
  return (source: FigureSource, split_basis: string, splits: readonly Split[]): CountBasis => {
    const own = counts.find(
      ({ is_cover, accession_number, period_end }) =>
        is_cover && accession_number === source.accession_number && period_end === source.period_end,
    );
    const is_cover = isOfCover(source);
    const plain = { ...source, value: 0, split_basis, is_cover, weighted: null };
    return basisOf(is_cover && own ? own : plain, splits, counts);
  };
}

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
