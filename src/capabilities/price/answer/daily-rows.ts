// The daily bars of many symbols as rows that the lake's engine writes. What surrounds the stored bars is
// found here: which days are missing, what is provisional, the actions, and the warnings, all known before
// the first row.

import type { ProviderBar } from "../../../market/bar.ts";
import { inBatches } from "../../../market/bulk.ts";
import { adjustedDigits } from "../../../market/float.ts";
import { asOfInstant } from "../../../market/known-at.ts";
import { OUTLIER_TIMES, outlierDays } from "../../../market/outlier.ts";
import type { TickerRequest } from "../../../market/ticker.ts";
import type { RowNotes } from "../../../platform/answer.ts";
import { systemTimers } from "../../../platform/clock.ts";
import type { CopyFormat } from "../../../platform/lake/lake.ts";
import { notesOf } from "../../../platform/row-notes.ts";
import type { Collected, History, HistoryDeps } from "../fetch/history.ts";
import { type DailyQuery, fetchPlan, knownRanges, timeSpanOf, viewpointOf } from "../request/daily-query.ts";
import type { BarCounts } from "../store/bar-counts.ts";
import { barsOf, rowsByFirst } from "../store/columns.ts";
import type { PriceStore } from "../store/store.ts";
import type { StoredAction } from "../store/stored-actions.ts";
import type { RowParts } from "../store/stored-rows.ts";
import type { StoredSpan } from "../store/stored-span.ts";
import {
  type Described,
  lackWarnings,
  noBarsOf,
  type SeriesLacks,
  type SymbolViews,
  sideBySide,
  sourceText,
  throughAt,
  withLeftOut,
} from "./daily-answer.ts";
import { jsonTexts } from "./daily-many.ts";
import { atHand } from "./read-series.ts";
import { attachActions, withProvisional } from "./series.ts";

/**
 * Streams texts, each made once the reader has taken the one before. Resolves when the first is made, so that
 * an error until then can still become an error answer; a later one ends the stream with that error, never as
 * if it were whole.
 */
export async function streamOfTexts(texts: AsyncGenerator<string>): Promise<ReadableStream<Uint8Array>> {
  const encoder = new TextEncoder();
  let ready: IteratorResult<string> | undefined = await texts.next();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = ready ?? (await texts.next());
        ready = undefined;
        if (done) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await texts.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** The rows of many symbols, in the order of the request. */
export interface DailyRows {
  /** Opens the answer's JSON, which is written while its bars are read. Errors are those of `open`. */
  openJson(): Promise<ReadableStream<Uint8Array>>;
  /** The warnings and errors of all symbols. */
  notes(): Promise<RowNotes>;
  /**
   * Resolves when the first rows are written: a failure until then becomes an error answer, a later one
   * aborts the stream.
   */
  open(format: CopyFormat): Promise<ReadableStream<Uint8Array>>;
}

/**
 * Whether the engine can write the rows: not of longer intervals, other adjustments, or a provider's present
 * values.
 */
export const isPlain = ({ interval, adjustment = "split", force_refresh }: DailyQuery): boolean =>
  interval === "1d" && adjustment === "split" && !force_refresh;

interface Marks {
  readonly date: string;
  dividend?: number | null;
  capital_gain?: number | null;
  split_ratio?: number;
  outlier?: true;
}

/** A symbol of the answer: what it says of its bars, and what the stored ones lack. */
interface RowsOfSymbol extends SeriesLacks, Described {
  readonly symbol: string;
  readonly marks: readonly Marks[];
  readonly provisional: readonly ProviderBar[];
  /** Provider of the provisional bars; null when none are at hand. */
  readonly provisionalSource: string | null;
  /** The counts of stored bars; undefined where none is stored. */
  readonly stored: BarCounts | undefined;
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

function unadjustedOf(counts: BarCounts | undefined): SeriesLacks["unadjusted"] {
  const { unadjusted: count = 0, first_unadjusted: first, last_unadjusted: last } = counts ?? {};
  return count > 0 && first && last ? { count, first, last } : null;
}

/** Symbols whose bars are in memory at once: of 50 years some 600,000 bars. */
const SYMBOLS_READ = 50;

/**
 * The days of outliers by symbol. Only bars of symbols whose prices differ so much are read, since the bars
 * of many symbols are millions.
 */
async function readOutliers(
  store: PriceStore,
  { symbols, ranges, asOf, signal }: StoredSpan,
  counts: ReadonlyMap<string, BarCounts>,
  provisionalOf: ReturnType<typeof atHand>,
): Promise<(symbol: string) => readonly string[]> {
  const ownOf = (symbol: string) => (asOf === null ? provisionalOf(symbol).bars : []);
  const isWide = (symbol: string) => {
    const { lowest, highest } = counts.get(symbol) ?? {};
    const own = ownOf(symbol).flatMap(({ high, low, close }) => [high ?? close, low ?? close]);
    const [least, most] = [Math.min(lowest ?? Infinity, ...own), Math.max(highest ?? 0, ...own)];
    return most >= OUTLIER_TIMES * least;
  };
  const days = new Map<string, readonly string[]>();
  for (const batch of inBatches(symbols.filter(isWide), SYMBOLS_READ)) {
    const stored = await store.bars(batch, ranges, asOf, signal);
    const rows = rowsByFirst<string>(stored);
    for (const symbol of batch)
      days.set(symbol, outlierDays(withProvisional(barsOf(stored, rows.get(symbol)), ownOf(symbol))));
  }
  return (symbol) => days.get(symbol) ?? [];
}

interface Surroundings {
  readonly store: PriceStore;
  readonly history: History;
  readonly collected: ReadonlyMap<string, Collected>;
  /** Counts what is stored, after fetching. */
  counts(): Promise<readonly BarCounts[]>;
}

/** Reads what surrounds the stored bars of each symbol. */
async function readSymbols({ store, history, collected, counts: count }: Surroundings, span: StoredSpan) {
  const { symbols, ranges, asOf } = span;
  const [counted, acted] = await Promise.all([count(), store.actions(symbols, ranges, asOf)]);
  const counts = new Map(counted.map((each) => [each.symbol, each]));
  const actions = Map.groupBy(acted, ({ symbol }) => symbol);
  const symbolFacts = history.facts(symbols);
  const provisionalOf = atHand(history, symbols, ranges);
  const outliersOf = await readOutliers(store, span, counts, provisionalOf);
  const found = symbols.map((symbol) => {
    const { bars, seam, source } = provisionalOf(symbol);
    const outliers = outliersOf(symbol);
    const now = asOf === null ? { provisional: bars, seam } : { provisional: [], seam: null };
    const missing = collected.get(symbol)?.missing ?? [];
    return {
      symbol,
      ...marksOf(actions.get(symbol) ?? [], symbolFacts(symbol).currency, outliers),
      outliers,
      ...now,
      missing,
      provisionalSource: source,
    };
  });
  // Days of which it matters whether a bar is stored. They are few: most symbols have none.
  const daysOf = ({ unshown, provisional, missing }: (typeof found)[number]) => [
    ...missing,
    ...provisional.map(({ date }) => date),
    ...unshown.map(({ ex_date }) => ex_date),
  ];
  const open = found.filter((each) => daysOf(each).length > 0);
  const days = [...new Set(open.flatMap(daysOf))];
  const isStored = await store.daysAmong({ ...span, symbols: open.map(({ symbol }) => symbol) }, days);
  return found.map((each): RowsOfSymbol => {
    const { symbol } = each;
    const stored = counts.get(symbol);
    const provisional = each.provisional.filter(({ date }) => !isStored(symbol, date));
    const hasBar = (day: string) => provisional.some(({ date }) => date === day) || isStored(symbol, day);
    return {
      ...each,
      stored,
      provisional,
      bars: { length: (stored?.bars ?? 0) + provisional.length },
      missing: each.missing.filter((day) => !hasBar(day)),
      unshown: each.unshown.filter(({ ex_date, kind }) => kind === "unusable" || hasBar(ex_date)),
      unadjusted: unadjustedOf(stored),
      kept: [],
      unknown: [],
      collected: collected.get(symbol),
      refreshed: undefined,
    };
  });
}

/** The parts of the rows that are not stored bars. */
const rowParts = (rows: readonly RowsOfSymbol[], throughOf: (symbol: string) => string | null): RowParts => ({
  symbols: rows.map(({ symbol, bars }) => ({
    symbol,
    adjusted_through: throughOf(symbol),
    bars: bars.length,
  })),
  actions: rows.flatMap(({ symbol, marks }) =>
    marks.map((mark) => ({
      symbol,
      dividend: null,
      capital_gain: null,
      split_ratio: null,
      outlier: false,
      ...mark,
    })),
  ),
  provisional: rows.flatMap(({ symbol, provisional }) =>
    provisional.map(({ date, open, high, low, close, volume, adj_close }) => {
      const prices = { open, high, low, close, volume, adjusted_close: adjustedDigits(adj_close) };
      return { symbol, date, ...prices };
    }),
  ),
});

/** The providers of each symbol that has bars, by ticker as sent. */
function sourcesByTicker(
  requests: readonly TickerRequest[],
  rows: readonly RowsOfSymbol[],
  source: HistoryDeps["source"],
): Record<string, string> {
  const sources: Record<string, string> = Object.create(null);
  for (const [at, { symbol, bars, provisional, provisionalSource, stored }] of rows.entries()) {
    const isProvisional = (provisional.at(-1)?.date ?? "") > (stored?.last_date ?? "");
    if (bars.length > 0)
      sources[requests[at]?.ticker ?? symbol] =
        sourceText({ sources: stored?.sources ?? [], provisionalSource, isProvisional }) ?? source.name;
  }
  return sources;
}

export function dailyRows(
  { store, calendar, clock, source }: Pick<HistoryDeps, "store" | "calendar" | "clock" | "source">,
  history: History,
) {
  return async function readDailyRows(
    requests: readonly TickerRequest[],
    query: DailyQuery,
  ): Promise<DailyRows> {
    const { signal } = query;
    const asOf = asOfInstant(query.as_of);
    const whole = timeSpanOf(query, viewpointOf(asOf, { calendar, clock }), undefined);
    const { ranges } = whole;
    const symbols = requests.map(({ symbol }) => symbol);
    const known = knownRanges(ranges, asOf, calendar);
    const span = { symbols, ranges, asOf, signal };
    const readAt = systemTimers.elapsedMs();
    const scan = store.scan({ symbols, ranges: known, signal });
    const days = { ...scan, readAt, days: (own: readonly string[]) => store.days(own, known) };
    const collected: ReadonlyMap<string, Collected> =
      known.length === 0
        ? new Map()
        : await history.collect({ symbols, ranges: known, plan: fetchPlan(query), signal }, days);
    // Of the past other bars are served than are stored, and a fetch has stored more since the scan.
    const isScanned = asOf === null && ![...collected.values()].some(({ asked }) => asked);
    const counts = () => (isScanned ? scan.counts() : store.counts(span));
    const rows = await readSymbols({ store, history, collected, counts }, span);
    const bySymbol = new Map(rows.map((each) => [each.symbol, each]));
    const symbolFacts = history.facts(symbols);
    const actionsThrough = await history.actionsThrough(symbols, { ranges });
    const throughOf = (symbol: string) => throughAt(actionsThrough(symbol), asOf);
    const views: SymbolViews<RowsOfSymbol> = {
      seriesOf: (symbol) => bySymbol.get(symbol) as RowsOfSymbol,
      sourceOf: () => "",
      warningsOf: (symbol, own) => lackWarnings(own, { facts: symbolFacts(symbol), ranges }),
      unsettledOf: ({ provisional }) => provisional.map(({ date }) => date),
      throughOf,
      noBars: noBarsOf(query),
    };
    const described = await sideBySide(requests, views, () => {}, signal);
    const found = await withLeftOut(described, { store, requests, ranges, asOf });
    const parts = rowParts(rows, throughOf);
    return {
      notes: async () => notesOf(found),
      open: (format) => store.streamRows(span, parts, format),
      async openJson() {
        const sources = sourcesByTicker(requests, rows, source);
        const said = { found: { ...found, sources }, span: whole, query, source: source.name };
        return streamOfTexts(jsonTexts(requests, store.readSeries(span, parts), said));
      },
    };
  };
}
