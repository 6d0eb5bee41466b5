// The basis of splits that a figure of a report is on, with the company's reported counts of shares as
// witnesses.
import { basisOf, type CountBasis, type CountFact, PLACEHOLDER_MAX } from "../../../market/share-count.ts";
import type { Split } from "../../../market/share-split.ts";
import { COVER_SHARES, type FinancialFact } from "../../../providers/edgar/index.ts";
import { isSuspect } from "./periods.ts";
import type { FigureSource } from "./records.ts";

/** Whether it is the count of shares on a report's cover. */
export const isOfCover = ({ taxonomy, tag }: Pick<FinancialFact, "taxonomy" | "tag">) =>
  `${taxonomy}:${tag}` === COVER_SHARES;

/** The facts of a company with a listed share: placeholders in place of its count are in doubt. */
export const ofListed = (facts: readonly FinancialFact[]): readonly FinancialFact[] =>
  facts.map((fact) =>
    fact.line === "shares_outstanding" && fact.value <= PLACEHOLDER_MAX && !isSuspect(fact)
      ? { ...fact, flags: [...fact.flags, "suspect_scale" as const] }
      : fact,
  );

/** The fields by which a figure of a report is found again. */
export type BasedFigure = Pick<
  FigureSource,
  "tag" | "taxonomy" | "accession_number" | "filed_date" | "period_end"
>;

/** Makes the judge of the bases of a company's figures, with its reported counts of shares as witnesses. */
export function figureBases(facts: readonly FinancialFact[]) {
  const weighted = new Map<string, FinancialFact>();
  for (const fact of facts) {
    const before = weighted.get(fact.accession_number);
    if (!fact.line.startsWith("weighted_average_shares") || fact.value <= 0 || isSuspect(fact)) continue;
    if (!before || fact.period_end > before.period_end) weighted.set(fact.accession_number, fact);
  }
  const counts: (CountFact & { readonly tag: string })[] = [];
  for (const fact of facts) {
    if (fact.line !== "shares_outstanding" || fact.value <= 0 || isSuspect(fact)) continue;
    const [split_basis, own] = [fact.split_basis ?? fact.filed_date, weighted.get(fact.accession_number)];
    const is_cover = isOfCover(fact);
    counts.push({ ...fact, known_at: null, split_basis, is_cover, weighted: own?.value ?? null });
  }
  return (source: BasedFigure, split_basis: string, splits: readonly Split[]): CountBasis => {
    const own = counts.find(
      ({ tag, accession_number, period_end }) =>
        tag === source.tag &&
        accession_number === source.accession_number &&
        period_end === source.period_end,
    );
    const plain = {
      ...source,
      known_at: null,
      value: 0,
      split_basis,
      is_cover: isOfCover(source),
      weighted: null,
    };
    return basisOf(own ?? plain, splits, counts);
  };
}
