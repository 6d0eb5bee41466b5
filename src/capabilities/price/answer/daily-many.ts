// Answers on the daily, weekly or monthly bars of many symbols side by side: as one body, or symbol by symbol
// as rows.
import type { PeriodBar } from "../../../market/bar.ts";
import type { DailyInterval } from "../../../market/interval.ts";
import { asOfInstant } from "../../../market/known-at.ts";
import type { TickerRequest } from "../../../market/ticker.ts";
import type { TimeSpan } from "../../../market/time-span.ts";
import { JsonParts, type RowNotes } from "../../../platform/answer.ts";
import { notesOf } from "../../../platform/row-notes.ts";
import type { History, HistoryDeps } from "../fetch/history.ts";
import type { Adjustment } from "../request/adjustment.ts";
import { type DailyQuery, dailyIntervalOf, timeSpanOf, viewpointOf } from "../request/daily-query.ts";
import type { MultiBarsResponse } from "../schema.ts";
import {
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
import type { ReadSeries, Series } from "./read-series.ts";

/** The bars of one of many symbols. */
interface TickerBars {
  readonly ticker: string;
  readonly symbol: string;
  readonly adjusted_through: string | null;
  readonly bars: readonly PeriodBar[];
}

/** The history of many symbols for row formats. */
export interface ManyRows {
  readonly interval: DailyInterval;
  readonly adjustment: Adjustment;
  /** The warnings and errors of all symbols: they are known before the first row is made. */
  readonly notes: RowNotes;
  /** The symbols in the order of the request. The bars of each are made when it is reached. */
  series(): Iterable<TickerBars>;
}

/** The history of many symbols as JSON: a `MultiBarsResponse`, whose bars are written symbol by symbol. */
export interface ManyJson {
  readonly count: number;
  readonly json: JsonParts;
}

type Found = Awaited<ReturnType<typeof sideBySide>>;

/** The facts that an answer states beside its bars. */
export interface ManySaid {
  readonly found: Found;
  readonly span: TimeSpan;
  readonly query: DailyQuery;
  /** The source where no other is known. */
  readonly source: string;
}

/** The JSON of an answer before the bars of its first symbol, and after those of its last. */
function aroundBars(symbols: number, { found, span, query, source }: ManySaid) {
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

/** The bars of a symbol in the JSON of an answer. */
const seriesJson = (ticker: string, bars: readonly PeriodBar[]) =>
  `${JSON.stringify(ticker)}:${JSON.stringify(bars.map(multiBar))}`;

/**
 * The JSON of an answer whose bars are read while it is sent: a list for each of the requests. Throws, so
 * that the answer is cut off, when the bars are not as many as it says.
 */
export async function* jsonTexts(
  requests: readonly TickerRequest[],
  series: AsyncIterable<readonly PeriodBar[]>,
  said: ManySaid,
): AsyncGenerator<string> {
  const { opening, closing } = aroundBars(requests.length, said);
  let [text, at, count] = [opening, 0, 0];
  for await (const bars of series) {
    text += `${at === 0 ? "" : ","}${seriesJson(requests[at]?.ticker ?? "", bars)}`;
    yield text;
    text = "";
    at += 1;
    count += bars.length;
  }
  if (count !== said.found.count || at !== requests.length)
    throw new Error(
      `${count} bars of ${at} symbols were read, not ${said.found.count} of ${requests.length}`,
    );
  yield text + closing;
}

export function manyAnswers(
  { calendar, clock, source, store }: Pick<HistoryDeps, "calendar" | "clock" | "source" | "store">,
  history: Pick<History, "facts" | "actionsThrough">,
  read: ReadSeries,
) {
  /**
   * Reads what many symbols need. `describe` makes the bars of each symbol in turn, gives them to `take` and
   * drops them.
   */
  const readMany = async (requests: readonly TickerRequest[], query: DailyQuery) => {
    const interval = dailyIntervalOf(query.interval);
    const asOf = asOfInstant(query.as_of);
    const span = timeSpanOf(query, viewpointOf(asOf, { calendar, clock }), undefined);
    const symbols = requests.map(({ symbol }) => symbol);
    const seriesOf = await read(symbols, span.ranges, interval, query);
    const symbolFacts = history.facts(symbols);
    const actionsThrough = await history.actionsThrough(symbols, span);
    const views: SymbolViews<Series> = {
      seriesOf,
      sourceOf: (series) => seriesSource(series) ?? source.name,
      warningsOf: (symbol, series) =>
        seriesWarnings(series, { facts: symbolFacts(symbol), ranges: span.ranges }),
      unsettledOf: ({ bars }) => provisionalDays(bars),
      throughOf: (symbol) => throughAt(actionsThrough(symbol), asOf),
      noBars: noBarsOf(query),
    };
    const describe = async (take: Parameters<typeof sideBySide<Series>>[2]) =>
      withLeftOut(await sideBySide(requests, views, take, query.signal), {
        store,
        requests,
        ranges: span.ranges,
        asOf,
      });
    return { interval, span, seriesOf, describe };
  };

  const many = async (requests: readonly TickerRequest[], query: DailyQuery): Promise<ManyJson> => {
    const { span, describe } = await readMany(requests, query);
    const texts: string[] = [];
    const found = await describe((ticker, series) => {
      texts.push(`${texts.length === 0 ? "" : ","}${seriesJson(ticker, series.bars)}`);
    });
    const said = { found, span, query, source: source.name };
    const { opening, closing } = aroundBars(requests.length, said);
    return { count: found.count, json: new JsonParts([opening, ...texts, closing]) };
  };

  const manyRows = async (requests: readonly TickerRequest[], query: DailyQuery): Promise<ManyRows> => {
    const { interval, seriesOf, describe } = await readMany(requests, query);
    const found = await describe(() => {});
    return {
      interval,
      adjustment: query.adjustment ?? "split",
      notes: notesOf(found),
      *series() {
        for (const { ticker, symbol } of requests) {
          const adjusted_through = found.adjusted_through[ticker];
          if (adjusted_through === undefined) continue;
          yield { ticker, symbol, adjusted_through, bars: seriesOf(symbol).bars };
        }
      },
    };
  };

  return { many, manyRows };
}
