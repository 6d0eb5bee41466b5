// The panel of prices: candles of one symbol with what was filed about it, or several symbols on one scale.
import type { SurpriseResponse } from "../capabilities/earnings/schema.ts";
import type { FilingEvent } from "../capabilities/filings/schema.ts";
import type { Transaction } from "../capabilities/insider/schema.ts";
import { fetchJson, pathOf } from "./api.ts";
import type { Moment } from "./as-of.ts";
import { type Bar, drawChart, drawLines, isComplete, type Mark, placed, type Ratio } from "./chart.ts";
import { type Close, compare } from "./comparison.ts";
import { byId, element } from "./elements.ts";
import { firstSession, type SessionEnd, sessionAfter } from "./first-session.ts";
import { price } from "./format.ts";
import { comparisonReadout, dayReadout, walkByKeys } from "./readout.ts";
import { failureLine, stateLine, stateOfEmpty } from "./states.ts";
import { onTheme } from "./theme.ts";

export interface Rows<T> {
  readonly data: readonly T[];
  /** Why rows are missing. */
  readonly warnings?: readonly string[];
}
export type Trade = Transaction;
export type FiledEvent = FilingEvent;
export type Surprise = SurpriseResponse["data"][number];

/** The data drawn beside the prices; each part may fail by itself. */
export interface ChartParts {
  readonly short: Promise<Rows<Ratio>>;
  readonly trades: Promise<Rows<Trade>>;
  readonly events: Promise<Rows<FiledEvent>>;
  readonly surprises: Promise<Rows<Surprise>>;
  readonly sessions: Promise<Rows<SessionEnd>>;
}

const ADJUSTMENTS = ["split", "raw", "all"] as const;
export type Adjustment = (typeof ADJUSTMENTS)[number];

/** The adjustment that an address asks for; by splits when it names none. */
export const adjustmentOf = (text: string | null): Adjustment =>
  ADJUSTMENTS.find((each) => each === text) ?? "split";

/** Rows of a part of the chart; where the request failed, none, with a note below the chart. */
async function partOf<T>(name: string, work: Promise<Rows<T>>): Promise<readonly T[]> {
  try {
    return (await work).data;
  } catch (error) {
    byId("notes").append(element("li", { "data-part": name }, `${name}: `, failureLine(error)));
    return [];
  }
}

/** Rows that have a panel of their own too, which says why there are none. */
const shownBelow = <T>(work: Promise<Rows<T>>): Promise<readonly T[]> =>
  work.then(
    ({ data }) => data,
    () => [],
  );

/** Waits for every part. */
const allOf = (parts: ChartParts) =>
  Promise.all([
    partOf("Short volume", parts.short),
    shownBelow(parts.trades),
    shownBelow(parts.events),
    partOf("Earnings", parts.surprises),
    partOf("Marks of filings", parts.sessions),
  ]);

/** Dividends and splits stand on their own bars. */
const actionMarks = (bars: readonly Bar[]): Mark[] =>
  bars.flatMap(({ date, dividend, split_ratio }) => [
    ...(typeof dividend === "number" ? [{ date, kind: "dividend", text: price(dividend) } as const] : []),
    ...(split_ratio === undefined ? [] : [{ date, kind: "split", text: `${split_ratio}:1` } as const]),
  ]);

/** `end` is the last day shown. */
function filedMarks(
  [, trades, events, surprises, sessions]: Awaited<ReturnType<typeof allOf>>,
  end: string,
): Mark[] {
  return [
    // By the filing, not by the day of the trade, because the trade became public with its filing.
    ...trades.flatMap((trade) => {
      const { transaction_type: kind, owner_name } = trade;
      const date = firstSession(trade, sessions);
      if ((kind !== "buy" && kind !== "sell") || date === null) return [];
      return [{ date, kind, text: owner_name.split(" ")[0] ?? "" } as const];
    }),
    ...events.flatMap((event) => {
      const date = firstSession(event, sessions);
      return date === null ? [] : [{ date, kind: "event", text: event.item_number } as const];
    }),
    ...surprises.flatMap(({ report_date: day, report_time, fiscal_period, result }) => {
      if (day === null || day > end) return [];
      const date = report_time === "amc" ? sessionAfter(day, sessions) : day;
      const text = `${fiscal_period ?? ""} ${result ?? ""}`.trim();
      return date === null ? [] : [{ date, kind: "earnings", text } as const];
    }),
  ];
}

/** Draws the chart again: its colours are those of the theme in which it was drawn. */
let redraw = () => {};
onTheme(() => redraw());

function draw(box: HTMLElement, bars: readonly Bar[], ratios: readonly Ratio[], filed: readonly Mark[]) {
  const marks = placed(
    [...actionMarks(bars), ...filed],
    // A mark on a bar that is not drawn would appear on an earlier one.
    bars.filter(isComplete).map(({ date }) => date),
  );
  redraw = () => draw(box, bars, ratios, filed);
  const readout = dayReadout(bars, ratios, marks);
  walkByKeys(box, drawChart(box, { bars, ratios, marks }, readout));
  readout(null);
  box.dataset.bars = String(bars.length);
  box.dataset.marks = String(marks.length);
}

/** Shows one symbol: its prices at once, the rest when it is there. */
export async function showPrices(path: string, parts: ChartParts, end: string): Promise<void> {
  const box = byId("chart");
  if (box.childElementCount === 0) box.replaceChildren(stateLine("loading"));
  // Listened to before the prices are there: each part reports its own failure, also where there are no
  // prices.
  const others = allOf(parts);
  const { data, warnings = [] } = await fetchJson<Rows<Bar>>(path).catch((error: unknown) => {
    box.replaceChildren(failureLine(error));
    return { data: null, warnings: [] };
  });
  if (data !== null && data.length > 0) draw(box, data, [], []);
  const found = await others;
  if (data === null) return;
  if (data.length > 0) draw(box, data, found[0], filedMarks(found, end));
  else {
    box.replaceChildren(stateLine(stateOfEmpty(warnings), "No prices were known in this span."));
    box.dataset.bars = "0";
  }
}

interface ManyBars {
  readonly bars: Readonly<
    Record<string, readonly { readonly timestamp: string; readonly close: number | null }[]>
  >;
  readonly errors: Readonly<Record<string, string>>;
}

/** The address of the closes of several symbols. */
export const comparisonPath = (
  symbols: readonly string[],
  { start, end, asOf }: Moment,
  clock: Readonly<Record<string, string | null>>,
): string =>
  pathOf("/price/data", {
    tickers: symbols.join(","),
    start_date: start,
    end_date: end,
    ...clock,
    as_of: asOf,
  });

/** Compares symbols, the page's own first. A symbol without bars is named below the chart. */
export async function showComparison(path: string, symbols: readonly string[]): Promise<void> {
  const box = byId("chart");
  if (box.childElementCount === 0) box.replaceChildren(stateLine("loading"));
  try {
    const { bars, errors } = await fetchJson<ManyBars>(path);
    const closes = symbols.flatMap((symbol): [string, Close[]][] => {
      const own = bars[symbol] ?? [];
      return own.length === 0 ? [] : [[symbol, own.map(({ timestamp: date, close }) => ({ date, close }))]];
    });
    for (const symbol of symbols)
      if (!bars[symbol]?.length || errors[symbol] !== undefined)
        byId("notes").append(
          element("li", { "data-part": symbol }, `${symbol}: ${errors[symbol] ?? "No bars in this span."}`),
        );
    const found = compare(new Map(closes));
    if (found.from === null) {
      box.replaceChildren(stateLine("empty", "These symbols have no day with a close of each."));
      return;
    }
    const { from } = found;
    redraw = () => {
      const readout = comparisonReadout(found.symbols, from);
      walkByKeys(box, drawLines(box, found.symbols, readout));
      readout(null);
    };
    redraw();
    box.dataset.compared = found.symbols.map(({ symbol }) => symbol).join(",");
  } catch (error) {
    box.replaceChildren(failureLine(error));
  }
}
