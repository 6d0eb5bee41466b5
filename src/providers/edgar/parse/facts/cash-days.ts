// Compares the cash of two days with the change in cash between them: shows which tag is the whole of a
// filer's cash.
import { ALL_CASH, CASH_CHANGES, EXCHANGE_EFFECTS, exceedsCurrentAssets } from "./cash.ts";
import { type Cell, type Filing, SUM_SLACK_UNITS } from "./column.ts";
import type { FactTable } from "./read.ts";

/**
 * whole: two days differ by the change in cash. part: they differ by something else. more: with other current
 * assets it is more than all of them. unknown: a figure is missing.
 */
export type CashVerdict = "whole" | "part" | "more" | "unknown";

/**
 * A change in cash: the days whose cash it compares, and its readings without and with the effect of exchange
 * rates.
 */
interface Change {
  readonly before: number;
  readonly after: number;
  readonly readings: readonly number[];
  /**
   * True for the change in all cash, which does not show that cash without restricted cash is only a part.
   */
  readonly isOfAllCash: boolean;
}

/** Days by which a filing may date the same balance sheet differently. */
const SAME_DAYS = 4;

/** Groups the cells of one tag by filing. */
function byFiling(table: FactTable, tag: string): ReadonlyMap<Filing, readonly Cell[]> {
  return Map.groupBy(table.tags.get(tag)?.cells ?? [], ({ column }) => column.filing);
}

function changesOf(table: FactTable): ReadonlyMap<Filing, readonly Change[]> {
  const changes = new Map<Filing, Change[]>();
  for (const tag of CASH_CHANGES)
    for (const { column, value } of table.tags.get(tag)?.cells ?? []) {
      const { filing, period, get } = column;
      if (period.startDay === null) continue;
      const effects = EXCHANGE_EFFECTS.map((name) => get(name) ?? 0);
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
  readonly #verdicts = new Map<string, ReadonlyMap<Filing, CashVerdict>>();
  #changes: ReadonlyMap<Filing, readonly Change[]> | null = null;
  constructor(readonly table: FactTable) {}

  verdict(tag: string, filing: Filing): CashVerdict {
    let verdicts = this.#verdicts.get(tag);
    if (!verdicts) {
      verdicts = this.#judge(tag);
      this.#verdicts.set(tag, verdicts);
    }
    return verdicts.get(filing) ?? "unknown";
  }

  #judge(tag: string): ReadonlyMap<Filing, CashVerdict> {
    this.#changes ??= changesOf(this.table);
    const verdicts = new Map<Filing, CashVerdict>();
    for (const [filing, cells] of byFiling(this.table, tag))
      verdicts.set(
        filing,
        verdictOn(cells, this.#changes.get(filing) ?? [], SUM_SLACK_UNITS * filing.rounding),
      );
    return verdicts;
  }
}

function verdictOn(cells: readonly Cell[], changes: readonly Change[], slack: number): CashVerdict {
  const days = cells.filter(({ column }) => column.period.startDay === null);
  if (days.some(({ column, value }) => exceedsCurrentAssets(value, column.get, slack))) return "more";
  const on = (day: number) =>
    days.find(({ column }) => Math.abs(column.period.endDay - day) <= SAME_DAYS)?.value;
  let verdict: CashVerdict = "unknown";
  for (const { before, after, readings, isOfAllCash } of changes) {
    const [first, last] = [on(before), on(after)];
    if (first === undefined || last === undefined) continue;
    if (readings.some((reading) => Math.abs(last - first - reading) <= slack)) return "whole";
    if (!isOfAllCash) verdict = "part";
  }
  return verdict;
}
