// Puts the earnings per share of a history on one basis of splits, or says on which each row is. Pure.
import { type StoredSplits, shareRatio } from "../../market/share-split.ts";
import type { SurpriseRow } from "./revise.ts";

/** A row with the day up to which its figures include every split. */
export type BasedRow = SurpriseRow & { readonly split_basis: string };

const scaled = (eps: number | null, ratio: number) =>
  eps === null || ratio === 1 ? eps : Number((eps / ratio).toFixed(6));

/**
 * The rows on the basis of the last day up to which splits are known. A row is on the basis of the day of its
 * reading, and stays on it where the splits since are not known.
 */
// Made up: 2.00 read in May, then 4:1 in June: 0.50, also where the provider no longer lists the quarter.
export function onOneBasis(rows: readonly SurpriseRow[], known: StoredSplits): BasedRow[] {
  const { splits, from, through, wanted } = known;
  const day = through === null || through > wanted ? wanted : through;
  return rows.map((row) => {
    const read = row.as_of_date;
    const isCovered = through !== null && from !== null && from <= read && read <= day;
    const ratio = isCovered ? shareRatio(splits, read, day) : null;
    if (ratio === null) return { ...row, split_basis: read };
    const [eps_actual, eps_estimate] = [scaled(row.eps_actual, ratio), scaled(row.eps_estimate, ratio)];
    return { ...row, eps_actual, eps_estimate, split_basis: day };
  });
}
