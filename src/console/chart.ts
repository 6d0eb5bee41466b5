// Charts of prices: candles with volume, the short-volume ratio and markers; or lines of several symbols.
import {
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  type SeriesMarker,
  type SeriesType,
  type Time,
} from "lightweight-charts";
import type { DailyBar, Ohlcv } from "../market/bar.ts";
import { colour, LINES } from "./colours.ts";
import type { ComparedSymbol } from "./comparison.ts";

export type Bar = Ohlcv & Pick<DailyBar, "date" | "dividend" | "split_ratio">;
export interface Ratio {
  readonly date: string;
  readonly short_volume_ratio: number | null;
}
export interface Mark {
  /** YYYY-MM-DD; shown on the next session in the chart. */
  readonly date: string;
  readonly kind: "buy" | "sell" | "event" | "earnings" | "dividend" | "split";
  readonly text: string;
}

/** A drawn chart whose crosshair can be moved from bar to bar. */
export interface DrawnChart {
  /** The days of its bars, ascending. */
  readonly days: readonly string[];
  /** Puts the crosshair on a day. */
  point(day: string): void;
}

const SHAPES = {
  buy: { position: "belowBar", shape: "arrowUp", colour: "--good" },
  sell: { position: "aboveBar", shape: "arrowDown", colour: "--bad" },
  event: { position: "aboveBar", shape: "circle", colour: "--accent" },
  earnings: { position: "belowBar", shape: "square", colour: "--warn" },
  dividend: { position: "belowBar", shape: "circle", colour: "--quiet" },
  split: { position: "aboveBar", shape: "square", colour: "--quiet" },
} as const;

/** The marks on the bars that show them: each on the first day of the chart that is not before its own. */
export function placed(marks: readonly Mark[], days: readonly string[]): readonly Mark[] {
  return marks.flatMap((mark) => {
    const day = days.find((each) => each >= mark.date);
    return day === undefined || mark.date < (days[0] ?? "") ? [] : [{ ...mark, date: day }];
  });
}

/** In a narrower chart the texts of markers would cover each other: the line above it says them. */
const TEXTS_FROM_PX = 600;

/** Combines several marks of the same kind on one day into one marker with their number. */
function markers(marks: readonly Mark[], width: number): SeriesMarker<Time>[] {
  const groups = [...Map.groupBy(marks, ({ date, kind }) => `${date} ${kind}`).values()];
  return groups
    .flatMap((group) => {
      const [first] = group;
      if (!first) return [];
      const { position, shape, colour: name } = SHAPES[first.kind];
      // Names of insiders would cover each other; the line above the chart says them.
      const isTrade = first.kind === "buy" || first.kind === "sell";
      const text = group.length > 1 ? `${group.length}×` : isTrade || width < TEXTS_FROM_PX ? "" : first.text;
      return [{ time: first.date as Time, position, shape, color: colour(name), text }];
    })
    .sort((a, b) => String(a.time).localeCompare(String(b.time)));
}

const charts = new WeakMap<HTMLElement, IChartApi>();

/** An empty chart in a box, in place of what the box held. */
function emptyChart(box: HTMLElement): IChartApi {
  charts.get(box)?.remove();
  box.replaceChildren();
  const chart = createChart(box, {
    autoSize: true,
    layout: {
      // The page names the library below the chart: a link within it could not be reached by keyboard.
      attributionLogo: false,
      background: { color: "transparent" },
      textColor: colour("--quiet"),
      panes: { separatorColor: colour("--line") },
    },
    grid: { vertLines: { color: colour("--line") }, horzLines: { color: colour("--line") } },
    rightPriceScale: { borderColor: colour("--line") },
    timeScale: { borderColor: colour("--line") },
  });
  charts.set(box, chart);
  return chart;
}

/** Whether a bar is drawn: only reported values are. */
export const isComplete = ({ open, high, low, close }: Bar): boolean =>
  open !== null && high !== null && low !== null && close !== null;

/** Bars without unknown values. */
const completeBars = (bars: readonly Bar[]) =>
  bars.flatMap(({ date, open, high, low, close, volume }) =>
    open === null || high === null || low === null || close === null
      ? []
      : [{ time: date as Time, open, high, low, close, volume }],
  );

type CompleteBar = ReturnType<typeof completeBars>[number];

function addCandles(chart: IChartApi, bars: readonly CompleteBar[]) {
  const [up, down] = [colour("--good"), colour("--bad")];
  const candles = chart.addSeries(CandlestickSeries, {
    upColor: up,
    downColor: down,
    borderVisible: false,
    wickUpColor: up,
    wickDownColor: down,
  });
  candles.setData(bars.map(({ volume: _, ...bar }) => bar));
  return candles;
}

function addVolumes(chart: IChartApi, bars: readonly CompleteBar[]): void {
  const volumes = chart.addSeries(
    HistogramSeries,
    {
      priceFormat: { type: "volume" },
      color: colour("--line"),
      priceLineVisible: false,
      lastValueVisible: false,
    },
    1,
  );
  volumes.setData(bars.flatMap(({ time, volume }) => (volume === null ? [] : [{ time, value: volume }])));
}

/** The ratio has a scale of its own, on the left of the volumes. */
function addRatios(chart: IChartApi, ratios: readonly Ratio[]): void {
  const known = ratios.flatMap(({ date, short_volume_ratio: value }) =>
    value === null ? [] : [{ time: date as Time, value }],
  );
  if (known.length === 0) return;
  const line = chart.addSeries(
    LineSeries,
    {
      color: colour("--accent"),
      lineWidth: 1,
      priceLineVisible: false,
      priceScaleId: "left",
      priceFormat: {
        type: "custom",
        minMove: 0.01,
        formatter: (ratio: number) => `${Math.round(100 * ratio)} %`,
      },
    },
    1,
  );
  chart.applyOptions({ leftPriceScale: { visible: true, borderColor: colour("--line") } });
  line.setData(known.sort((a, b) => String(a.time).localeCompare(String(b.time))));
}

/**
 * The chart with a way to point at its bars; `shown` hears of the day under the crosshair, null when there is
 * none.
 */
function pointed(
  chart: IChartApi,
  series: ISeriesApi<SeriesType> | undefined,
  values: ReadonlyMap<string, number>,
  shown: (day: string | null) => void,
): DrawnChart {
  chart.subscribeCrosshairMove(({ time }) => shown(time === undefined ? null : String(time)));
  return {
    days: [...values.keys()],
    point(day) {
      const value = values.get(day);
      if (value !== undefined && series) chart.setCrosshairPosition(value, day as Time, series);
      shown(day);
    },
  };
}

/** Draws one symbol into `box`, replacing its content. `marks` lie on days of bars. */
export function drawChart(
  box: HTMLElement,
  { bars, ratios, marks }: { bars: readonly Bar[]; ratios: readonly Ratio[]; marks: readonly Mark[] },
  shown: (day: string | null) => void,
): DrawnChart {
  const chart = emptyChart(box);
  const complete = completeBars(bars);
  const candles = addCandles(chart, complete);
  addVolumes(chart, complete);
  addRatios(chart, ratios);
  createSeriesMarkers(candles, markers(marks, box.clientWidth));
  chart.panes()[1]?.setHeight(90);
  chart.timeScale().fitContent();
  const closes = new Map(complete.map(({ time, close }) => [String(time), close]));
  return pointed(chart, candles, closes, shown);
}

/** Draws several symbols as lines in percent into `box`, replacing its content. */
export function drawLines(
  box: HTMLElement,
  symbols: readonly ComparedSymbol[],
  shown: (day: string | null) => void,
): DrawnChart {
  const chart = emptyChart(box);
  const lines = symbols.map(({ symbol, points }, i) => {
    const line = chart.addSeries(LineSeries, {
      color: colour(LINES[i] ?? "--ink"),
      lineWidth: 2,
      priceLineVisible: false,
      title: symbol,
      priceFormat: { type: "custom", formatter: (percent: number) => `${percent.toFixed(1)} %` },
    });
    line.setData(points.map(({ date, percent }) => ({ time: date as Time, value: percent })));
    return line;
  });
  chart.timeScale().fitContent();
  const own = symbols[0]?.points ?? [];
  return pointed(chart, lines[0], new Map(own.map(({ date, percent }) => [date, percent])), shown);
}
