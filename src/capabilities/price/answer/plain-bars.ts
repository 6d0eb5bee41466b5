// Daily bars of many symbols on the basis of splits, as the columns in which they are stored: what surrounds
// them is found here (missing days, provisional bars, actions, warnings), all known before the first row.

import type { ProviderBar } from "../../../market/bar.ts";
import { OUTLIER_TIMES, outlierDays } from "../../../market/outlier.ts";
import { daysOf } from "../../../platform/cells.ts";
import { systemTimers } from "../../../platform/clock.ts";
import type { Collected, History } from "../fetch/history.ts";
import type { FetchPlan } from "../request/daily-query.ts";
import type { BarColumns } from "../store/bar-columns.ts";
import type { PriceStore } from "../store/store.ts";
import type { StoredAction } from "../store/stored-actions.ts";
import type { StoredSpan } from "../store/stored-span.ts";
import { firstFrom, type Marks, type SymbolRows } from "./bar-rows.ts";
import { type Described, type SeriesLacks, sourceText } from "./daily-answer.ts";
import { atHand } from "./read-series.ts";
import { attachActions, withProvisional } from "./series.ts";

/** Stored bars that are in memory at once: some 75 bytes each. */
export const ROWS_MAX = 1_500_000;

/** A symbol of the answer: what it says of its bars, and what the stored ones lack. */
export interface PlainSymbol extends SeriesLacks, Described, Omit<SymbolRows, "adjustedThrough"> {
  /** Its providers; null when it has no bars. */
  readonly source: string | null;
}

interface Part {
  readonly columns: BarColumns;
  readonly actions: ReadonlyMap<string, readonly StoredAction[]>;
}

/**
 * The stored bars and actions of a span, in parts of symbols. The part that was read last stays in memory: of
 * most answers it is the only one.
 */
export class StoredParts {
  readonly parts: readonly (readonly string[])[];
  #last: { readonly at: number; readonly part: Part } | undefined;

  constructor(
    private readonly store: PriceStore,
    private readonly span: StoredSpan,
    symbolsMax: number,
  ) {
    const { symbols } = span;
    const size = Math.max(1, symbolsMax);
    this.parts = Array.from({ length: Math.ceil(symbols.length / size) }, (_, at) =>
      symbols.slice(at * size, (at + 1) * size),
    );
  }

  async read(at: number): Promise<Part> {
    if (this.#last?.at === at) return this.#last.part;
    this.#last = undefined;
    const span = { ...this.span, symbols: this.parts[at] ?? [] };
    const { columns, actions } = await this.store.columnsAndActions(span);
    const part = { columns, actions: Map.groupBy(actions, ({ symbol }) => symbol) };
    this.#last = { at, part };
    return part;
  }

  /** Forgets what was read: more has been stored since. */
  forget(): void {
    this.#last = undefined;
  }

  /** The stored days of all symbols. */
  async days(): Promise<(symbol: string) => Int32Array> {
    const found = new Map<string, Int32Array>();
    for (const [at, symbols] of this.parts.entries()) {
      const { columns } = await this.read(at);
      for (const symbol of symbols) {
        const days = columns.days(symbol);
        // Days of several parts are copied, so that their columns need not stay in memory.
        found.set(symbol, this.parts.length > 1 ? days.slice() : days);
      }
    }
    return (symbol) => found.get(symbol) ?? new Int32Array();
  }
}

/** Has what is missing fetched. What is stored then is read again where something was. */
export async function collectPlain(
  history: History,
  stored: StoredParts,
  { symbols, ranges, signal, plan }: Omit<StoredSpan, "asOf"> & { readonly plan: FetchPlan },
): Promise<ReadonlyMap<string, Collected>> {
  if (ranges.length === 0 || plan.source === "stored_only") return new Map();
  const days = { readAt: systemTimers.elapsedMs(), of: await stored.days() };
  const collected = await history.collect({ symbols, ranges, plan, signal }, days);
  if ([...collected.values()].some(({ asked }) => asked)) stored.forget();
  return collected;
}

/** The payments, split ratios and outliers of a symbol by day, and the actions that a warning names. */
function marksOf(actions: readonly StoredAction[], currency: string | null, outliers: readonly string[]) {
  const days = new Set([...actions.map(({ ex_date }) => ex_date), ...outliers]);
  const marks = [...days].map(
    (date): Marks => ({ date, ...(outliers.includes(date) ? { outlier: true } : {}) }),
  );
  const unshown = attachActions(marks, actions, currency);
  return { marks, unshown };
}

/** The days of outliers. Bars become objects only where their prices differ so much. */
function outliersOf(symbol: string, columns: BarColumns, provisional: readonly ProviderBar[]): string[] {
  const own = provisional.flatMap(({ high, low, close }) => [high ?? close, low ?? close]);
  const [lowest, highest] = columns.extremes(symbol);
  if (Math.max(highest, ...own) < OUTLIER_TIMES * Math.min(lowest, ...own)) return [];
  return outlierDays(withProvisional(columns.bars(symbol), provisional));
}

/** Describes the symbols of a part. */
function describePart(
  symbols: readonly string[],
  { columns, actions }: Part,
  { asOf }: Pick<StoredSpan, "asOf">,
  known: {
    readonly collected: ReadonlyMap<string, Collected>;
    readonly facts: ReturnType<History["facts"]>;
    readonly provisionalOf: ReturnType<typeof atHand>;
  },
): PlainSymbol[] {
  return symbols.map((symbol) => {
    const collected = known.collected.get(symbol);
    const { bars, seam, source: provisionalSource } = known.provisionalOf(symbol);
    const now = asOf === null ? bars : [];
    const days = columns.days(symbol);
    const isStored = (date: string) => {
      const day = daysOf(date) ?? 0;
      return days[firstFrom(days, day, 0, days.length)] === day;
    };
    const provisional = now.filter(({ date }) => !isStored(date));
    const hasBar = (date: string) => isStored(date) || provisional.some((bar) => bar.date === date);
    const outliers = outliersOf(symbol, columns, now);
    const { marks, unshown } = marksOf(actions.get(symbol) ?? [], known.facts(symbol).currency, outliers);
    const isProvisional = (daysOf(provisional.at(-1)?.date ?? "") ?? -Infinity) > (days.at(-1) ?? -Infinity);
    return {
      symbol,
      marks,
      provisional,
      outliers,
      seam: asOf === null ? seam : null,
      bars: { length: days.length + provisional.length },
      missing: (collected?.missing ?? []).filter((day) => !hasBar(day)),
      unshown: unshown.filter(({ ex_date, kind }) => kind === "unusable" || hasBar(ex_date)),
      unadjusted: columns.unadjusted(symbol),
      kept: [],
      unknown: [],
      collected,
      refreshed: undefined,
      source: sourceText({ sources: columns.sources(symbol), provisionalSource, isProvisional }),
    };
  });
}

/** Describes all symbols, in their order. */
export async function describePlain(
  history: History,
  stored: StoredParts,
  span: StoredSpan,
  collected: ReadonlyMap<string, Collected>,
): Promise<PlainSymbol[]> {
  const { symbols, ranges } = span;
  const known = {
    collected,
    facts: history.facts(symbols),
    provisionalOf: atHand(history, symbols, ranges),
  };
  const found: PlainSymbol[] = [];
  for (const [at, own] of stored.parts.entries())
    found.push(...describePart(own, await stored.read(at), span, known));
  return found;
}
