// A chart of candles with volume, the short-volume ratio, and markers for filings and earnings.
import {
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type IChartApi,
  LineSeries,
  type SeriesMarker,
  type Time,
} from "lightweight-charts";
import type { DailyBar, Ohlcv } from "../market/bar.ts";

export type Bar = Ohlcv & Pick<DailyBar, "date">;
export interface Ratio {
  readonly date: string;
  readonly short_volume_ratio: number | null;
}
export interface Mark {
  /** YYYY-MM-DD; shown on the next session in the chart. */
  readonly date: string;
  readonly kind: "buy" | "sell" | "event" | "earnings";
  readonly text: string;
}

const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const SHAPES = {
  buy: { position: "belowBar", shape: "arrowUp", colour: "--good" },
  sell: { position: "aboveBar", shape: "arrowDown", colour: "--bad" },
  event: { position: "aboveBar", shape: "circle", colour: "--accent" },
  earnings: { position: "belowBar", shape: "square", colour: "--warn" },
} as const;

/** Combines several marks of the same kind on one day into one marker with their number. */
function markers(marks: readonly Mark[], days: readonly string[]): SeriesMarker<Time>[] {
  const placed = marks.flatMap((mark) => {
    const day = days.find((each) => each >= mark.date);
    return day === undefined || mark.date < (days[0] ?? "") ? [] : [{ ...mark, date: day }];
  });
  const groups = [...Map.groupBy(placed, ({ date, kind }) => `${date} ${kind}`).values()];
  return groups
    .flatMap((group) => {
      const [first] = group;
      if (!first) return [];
      const { position, shape, colour: name } = SHAPES[first.kind];
      const text = group.length === 1 ? first.text : `${group.length}×`;
      return [{ time: first.date as Time, position, shape, color: colour(name), text }];
    })
    .sort((a, b) => String(a.time).localeCompare(String(b.time)));
}

const emptyChart = (box: HTMLElement): IChartApi =>
  createChart(box, {
    autoSize: true,
    layout: {
      background: { color: "transparent" },
      textColor: colour("--quiet"),
      panes: { separatorColor: colour("--line") },
    },
    grid: { vertLines: { color: colour("--line") }, horzLines: { color: colour("--line") } },
    rightPriceScale: { borderColor: colour("--line") },
    timeScale: { borderColor: colour("--line") },
  });

/** Bars without unknown values: only reported values are drawn. */
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

function addRatios(chart: IChartApi, ratios: readonly Ratio[]): void {
  const known = ratios.flatMap(({ date, short_volume_ratio: value }) =>
    value === null ? [] : [{ time: date as Time, value }],
  );
  if (known.length === 0) return;
  const line = chart.addSeries(
    LineSeries,
    { color: colour("--accent"), lineWidth: 1, priceLineVisible: false, priceScaleId: "ratio" },
    1,
  );
  line.setData(known.sort((a, b) => String(a.time).localeCompare(String(b.time))));
}

/** Draws the chart into `box`, replacing its content. */
export function drawChart(
  box: HTMLElement,
  bars: readonly Bar[],
  ratios: readonly Ratio[],
  marks: readonly Mark[],
): void {
  box.replaceChildren();
  const chart = emptyChart(box);
  const complete = completeBars(bars);
  const candles = addCandles(chart, complete);
  addVolumes(chart, complete);
  addRatios(chart, ratios);
  const days = complete.map(({ time }) => String(time));
  createSeriesMarkers(candles, markers(marks, days));
  chart.panes()[1]?.setHeight(90);
  chart.timeScale().fitContent();
}
