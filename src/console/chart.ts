// Candles with volume, the short-volume ratio over them, and what was filed or reported as markers.
import {
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
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
  /** YYYY-MM-DD; moved to the next session that is shown. */
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

/** Several marks of a kind on one day become one, with their number. */
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

/** Draws into `box` what was there before it was drawn is removed. */
export function drawChart(
  box: HTMLElement,
  bars: readonly Bar[],
  ratios: readonly Ratio[],
  marks: readonly Mark[],
): void {
  box.replaceChildren();
  const chart = createChart(box, {
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
  const [up, down] = [colour("--good"), colour("--bad")];
  // A bar with an unknown figure is left out: nothing is drawn that was not reported.
  const whole = bars.flatMap(({ date, open, high, low, close, volume }) =>
    open === null || high === null || low === null || close === null
      ? []
      : [{ time: date as Time, open, high, low, close, volume }],
  );
  const candles = chart.addSeries(CandlestickSeries, {
    upColor: up,
    downColor: down,
    borderVisible: false,
    wickUpColor: up,
    wickDownColor: down,
  });
  candles.setData(whole.map(({ volume: _, ...bar }) => bar));
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
  volumes.setData(whole.flatMap(({ time, volume }) => (volume === null ? [] : [{ time, value: volume }])));
  const known = ratios.flatMap(({ date, short_volume_ratio: value }) =>
    value === null ? [] : [{ time: date as Time, value }],
  );
  if (known.length > 0) {
    const line = chart.addSeries(
      LineSeries,
      { color: colour("--accent"), lineWidth: 1, priceLineVisible: false, priceScaleId: "ratio" },
      1,
    );
    line.setData(known.sort((a, b) => String(a.time).localeCompare(String(b.time))));
  }
  createSeriesMarkers(
    candles,
    markers(
      marks,
      whole.map(({ time }) => String(time)),
    ),
  );
  chart.panes()[1]?.setHeight(90);
  chart.timeScale().fitContent();
}
