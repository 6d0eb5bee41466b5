// Answers on the daily, weekly or monthly bars of many symbols side by side: one table of rows, and the JSON
// around their lists.
import type { Calendar } from "../../../market/calendar.ts";
import { earlierDay, laterDay } from "../../../market/date.ts";
import { asOfInstant } from "../../../market/known-at.ts";
import type { TickerRequest } from "../../../market/ticker.ts";
import type { DateRange, TimeSpan } from "../../../market/time-span.ts";
import type { ListedRows } from "../../../platform/answer.ts";
import { tableOfRows } from "../../../platform/cells.ts";
import { yieldToEventLoop } from "../../../platform/event-loop.ts";
import { notesOf } from "../../../platform/row-notes.ts";
import type { Table } from "../../../platform/table.ts";
import type { History, HistoryDeps } from "../fetch/history.ts";
import {
  type DailyQuery,
  dailyIntervalOf,
  fetchPlan,
  knownRanges,
  timeSpanOf,
  viewpointOf,
} from "../request/daily-query.ts";
import type { MultiBarsResponse } from "../schema.ts";
import { adjustmentSuffix, barRows, barsOfBatch, batchOfBars, manyColumns } from "./bar-rows.ts";
import {
  type Described,
  lackWarnings,
  multiBar,
  noBarsOf,
  provisionalDays,
  type SymbolViews,
  seriesSource,
  seriesWarnings,
  sideBySide,
  throughAt,
  withLeftOut,
} from "./daily-answer.ts";
import { collectPlain, describePlain, type PlainSymbol, ROWS_MAX, StoredParts } from "./plain-bars.ts";
import type { ReadSeries, Series } from "./read-series.ts";

/** The history of many symbols. */
export interface ManyBars {
  readonly count: number;
  readonly table: Table;
  /** As JSON: a `MultiBarsResponse`. */
  readonly json: ListedRows;
}

type Found = Awaited<ReturnType<typeof sideBySide>>;

/**
 * Whether the stored columns are the rows: not of longer intervals, other adjustments, or a provider's
 * present values.
 */
export const isPlain = ({ interval, adjustment = "split", force_refresh }: DailyQuery): boolean =>
  interval === "1d" && adjustment === "split" && !force_refresh;

/** The sessions of the ranges that the calendar covers. */
export function sessionsWithin(calendar: Calendar, ranges: readonly DateRange[]): number {
  const { firstDate, lastDate } = calendar;
  return ranges.reduce((sum, { start, end }) => {
    const [from, to] = [laterDay(start ?? firstDate, firstDate), earlierDay(end, lastDate)];
    return sum + (from > to ? 0 : calendar.sessionsBetween(from, to).length);
  }, 0);
}

/** Rows of one batch: large enough that a batch costs nothing beside its rows, small enough for a turn. */
const BATCH_ROWS = 65_536;

/** The JSON of an answer before the bars of its first symbol, and after those of its last. */
function aroundBars(symbols: number, found: Found, span: TimeSpan, query: DailyQuery, source: string) {
  const sources = [...new Set(Object.values(found.sources).flatMap((text) => text.split(",")))].sort();
  const before = {
    source: sources.join(",") || source,
    interval: dailyIntervalOf(query.interval),
    adjustment: query.adjustment ?? "split",
    count: found.count,
  } satisfies Partial<MultiBarsResponse>;
  const after = {
    ...(sources.length > 1 ? { sources: found.sources } : {}),
    symbols_requested: symbols,
    symbols_returned: symbols - found.missing.length,
    missing: found.missing,
    errors: found.errors,
    ...(found.not_read.length > 0 ? { not_read: found.not_read } : {}),
    start_date: span.start ?? "",
    end_date: span.end,
    cached: found.cached,
    refreshed: found.refreshed,
    adjusted_through: found.adjusted_through,
    warnings: found.warnings,
  } satisfies Omit<MultiBarsResponse, "bars" | keyof typeof before>;
  return {
    opening: `${JSON.stringify(before).slice(0, -1)},"bars":{`,
    closing: `},${JSON.stringify(after).slice(1)}`,
  };
}

/** Consecutive symbols with about so many bars together. */
function* groupsOf<S extends Described>(symbols: readonly S[], rowsMax: number): Generator<S[]> {
  let [group, rows]: [S[], number] = [[], 0];
  for (const each of symbols) {
    if (group.length > 0 && rows + each.bars.length > rowsMax) {
      yield group;
      [group, rows] = [[], 0];
    }
    group.push(each);
    rows += each.bars.length;
  }
  if (group.length > 0) yield group;
}

/** Throws, so that the answer is cut off, where its bars are not as many as it says. */
async function* exactly<T>(
  bars: number,
  given: AsyncIterable<T> | Iterable<T>,
  barsIn: (part: T) => number,
): AsyncGenerator<T> {
  let found = 0;
  for await (const part of given) {
    found += barsIn(part);
    yield part;
  }
  if (found !== bars) throw new Error(`${found} bars were read, not ${bars}`);
}

/** How answers are made; tests take smaller parts, or the other way. */
export interface Ways {
  readonly isPlain: (query: DailyQuery) => boolean;
  /** Stored bars that are in memory at once. */
  readonly rowsMax: number;
}
const WAYS: Ways = { isPlain, rowsMax: ROWS_MAX };

type Through = (symbol: string) => string | null;

/** The rows of an answer, with the last day whose actions the prices of a symbol include. */
interface Makes {
  batches(throughOf: Through): Table["batches"];
  lists(throughOf: Through): ListedRows["lists"];
}

/** A request with what its fields mean. */
interface Asked {
  readonly requests: readonly TickerRequest[];
  readonly query: DailyQuery;
  readonly asOf: Temporal.Instant | null;
  readonly span: TimeSpan;
  readonly symbols: readonly string[];
}

export class ManyAnswers {
  constructor(
    private readonly deps: Pick<HistoryDeps, "calendar" | "clock" | "source" | "store">,
    private readonly history: History,
    private readonly read: ReadSeries,
    private readonly ways = WAYS,
  ) {}

  many(requests: readonly TickerRequest[], query: DailyQuery): Promise<ManyBars> {
    const asOf = asOfInstant(query.as_of);
    const span = timeSpanOf(query, viewpointOf(asOf, this.deps), undefined);
    const asked = { requests, query, asOf, span, symbols: requests.map(({ symbol }) => symbol) };
    return this.ways.isPlain(query) ? this.#plain(asked) : this.#made(asked);
  }

  /** Finds what an answer says of its symbols, and gives its rows. */
  async #answerOf<S extends Described>(
    { requests, query, span, symbols, asOf }: Asked,
    views: Omit<SymbolViews<S>, "noBars" | "throughOf">,
    makes: Makes,
  ): Promise<ManyBars> {
    const { source, store } = this.deps;
    const actionsThrough = await this.history.actionsThrough(symbols, span);
    const throughOf = (symbol: string) => throughAt(actionsThrough(symbol), asOf);
    const whole = { ...views, throughOf, noBars: noBarsOf(query) };
    const described = await sideBySide(requests, whole, query.signal);
    const found = await withLeftOut(described, { store, requests, ranges: span.ranges, asOf });
    const interval = dailyIntervalOf(query.interval);
    return {
      count: found.count,
      table: {
        name: `bars_${interval}${adjustmentSuffix(query)}`,
        isCanonical: true,
        columns: manyColumns(interval),
        notes: notesOf(found),
        batches: () => exactly(found.count, makes.batches(throughOf)(), ({ rows }) => rows),
      },
      json: {
        ...aroundBars(requests.length, found, span, query, source.name),
        lists: () => exactly(found.count, makes.lists(throughOf)(), ([, bars]) => bars.length),
      },
    };
  }

  /** Answers from the columns in which the bars are stored. */
  async #plain(asked: Asked): Promise<ManyBars> {
    const { store, calendar, source } = this.deps;
    const { requests, query, symbols, asOf } = asked;
    const { ranges } = asked.span;
    const span = { symbols, ranges, asOf, signal: query.signal };
    const symbolsMax = Math.floor(this.ways.rowsMax / Math.max(1, sessionsWithin(calendar, ranges)));
    const stored = new StoredParts(store, span, symbolsMax);
    const known = knownRanges(ranges, asOf, calendar);
    const fetched = { ...span, ranges: known, plan: fetchPlan(query) };
    const collected = await collectPlain(this.history, stored, fetched);
    const found = await describePlain(this.history, stored, span, collected);
    const bySymbol = new Map(found.map((each) => [each.symbol, each]));
    const facts = this.history.facts(symbols);
    /** The rows of some symbols at a time. */
    const batchesOf = (
      throughOf: Through,
      groups: (own: readonly PlainSymbol[]) => Iterable<PlainSymbol[]>,
    ) =>
      async function* () {
        for (const [at, own] of stored.parts.entries())
          for (const group of groups(own.map((symbol) => bySymbol.get(symbol) as PlainSymbol))) {
            const { columns } = await stored.read(at);
            const rows = group.map((each) => ({ ...each, adjustedThrough: throughOf(each.symbol) }));
            yield batchOfBars(rows, (symbol) => columns.runsOf(symbol));
          }
      };
    const views = {
      seriesOf: (symbol: string) => bySymbol.get(symbol) as PlainSymbol,
      sourceOf: (each: PlainSymbol) => each.source ?? source.name,
      warningsOf: (symbol: string, each: PlainSymbol) => lackWarnings(each, { facts: facts(symbol), ranges }),
      unsettledOf: ({ provisional }: PlainSymbol) => provisional.map(({ date }) => date),
    };
    return this.#answerOf(asked, views, {
      batches: (throughOf) => batchesOf(throughOf, (own) => groupsOf(own, BATCH_ROWS)),
      lists: (throughOf) =>
        async function* () {
          let at = 0;
          for await (const batch of batchesOf(throughOf, (own) => own.map((each) => [each]))())
            yield [requests[at++]?.ticker ?? "", barsOfBatch(batch)] as const;
        },
    });
  }

  /** Answers from the bars of one symbol after the other, made as they are sent. */
  async #made(asked: Asked): Promise<ManyBars> {
    const { requests, query, span, symbols } = asked;
    const { source } = this.deps;
    const interval = dailyIntervalOf(query.interval);
    const seriesOf = await this.read(symbols, span.ranges, interval, query);
    const facts = this.history.facts(symbols);
    const views = {
      seriesOf,
      sourceOf: (series: Series) => seriesSource(series) ?? source.name,
      warningsOf: (symbol: string, series: Series) =>
        seriesWarnings(series, { facts: facts(symbol), ranges: span.ranges }),
      unsettledOf: ({ bars }: Series) => provisionalDays(bars),
    };
    const { cells } = barRows(interval);
    const rows = (throughOf: Through) =>
      function* () {
        for (const symbol of symbols) {
          const through = throughOf(symbol);
          for (const bar of seriesOf(symbol).bars) yield [symbol, ...cells(bar, through)];
        }
      };
    return this.#answerOf(asked, views, {
      batches: (throughOf) => tableOfRows("", manyColumns(interval), rows(throughOf)).batches,
      lists: () =>
        async function* () {
          for (const { ticker, symbol } of requests) {
            await yieldToEventLoop();
            yield [ticker, seriesOf(symbol).bars.map(multiBar)] as const;
          }
        },
    });
  }
}
