// Compares the cash of two days with the change in cash between them: shows which tag is the whole of a filer's cash.
import { ALL_CASH, CASH_CHANGES, EXCHANGE_EFFECTS, exceedsCurrentAssets } from "./facts-cash.ts";
import type { Period } from "./facts-period.ts";
import type { Get } from "./facts-proofs.ts";
import { type Cell, cellKey, type FactTable, type Filing } from "./facts-read.ts";

/**
 * whole: two days differ by the change in cash. part: they differ by something else. more: with other current assets it
 * is more than all of them. unknown: a figure is missing.
 */
export type CashVerdict = "whole" | "part" | "more" | "unknown";

/** A change in cash: the days whose cash it compares, and its readings without and with the effect of exchange rates. */
interface Change {
  readonly before: number;
  readonly after: number;
  readonly readings: readonly number[];
  /** True for the change in all cash, which does not show that cash without restricted cash is only a part. */
  readonly isOfAllCash: boolean;
}

/** Days by which a filing may date the same balance sheet differently. */
const SAME_DAYS = 4;
/** The two days and the change may each be rounded. */
const SLACK_UNITS = 2;

/** Groups the cells of one tag by filing. */
function byFiling(table: FactTable, tag: string): ReadonlyMap<Filing, readonly Cell[]> {
  return Map.groupBy(table.tags.get(tag)?.values() ?? [], ({ filing }) => filing);
}

function changesOf(table: FactTable): ReadonlyMap<Filing, readonly Change[]> {
  const changes = new Map<Filing, Change[]>();
  for (const tag of CASH_CHANGES)
    for (const { filing, period, value } of table.tags.get(tag)?.values() ?? []) {
      if (period.startDay === null) continue;
      const key = cellKey(filing, period);
      const effects = EXCHANGE_EFFECTS.map((name) => table.tags.get(name)?.get(key)?.value ?? 0);
      changes
        .getOrInsertComputed(filing, () => [])
        .push({
          before: period.startDay - 1,
          after: period.endDay,
          isOfAllCash: tag.startsWith(ALL_CASH),
          readings: [value, ...effects.map((effect) => value + effect)],
        });
    }
  return changes;
}

/** Judges tags of cash by filing: one day that closes decides for every day of that filing. */
export class CashEvidence {
  readonly #cells = new Map<string, ReadonlyMap<Filing, readonly Cell[]>>();
  #changes: ReadonlyMap<Filing, readonly Change[]> | null = null;
  constructor(readonly table: FactTable) {}

  #valuesOf(filing: Filing, period: Period): Get {
    const key = cellKey(filing, period);
    return (tag) => this.table.tags.get(tag)?.get(key)?.value;
  }

  verdict(tag: string, filing: Filing): CashVerdict {
    this.#changes ??= changesOf(this.table);
    const cells = this.#cells.getOrInsertComputed(tag, () => byFiling(this.table, tag)).get(filing) ?? [];
    const slack = SLACK_UNITS * filing.rounding;
    const on = (day: number) =>
      cells.find(({ period }) => period.startDay === null && Math.abs(period.endDay - day) <= SAME_DAYS)
        ?.value;
    const isMore = cells.some(
      ({ period, value }) =>
        period.startDay === null && exceedsCurrentAssets(value, this.#valuesOf(filing, period), slack),
    );
    if (isMore) return "more";
    let verdict: CashVerdict = "unknown";
    for (const { before, after, readings, isOfAllCash } of this.#changes.get(filing) ?? []) {
      const [first, last] = [on(before), on(after)];
      if (first === undefined || last === undefined) continue;
      if (readings.some((reading) => Math.abs(last - first - reading) <= slack)) return "whole";
      if (!isOfAllCash) verdict = "part";
    }
    return verdict;
  }
}
