// The line above a chart that says in figures what is under its crosshair. The arrow keys move it from bar to
// bar.
import type { Bar, DrawnChart, Mark, Ratio } from "./chart.ts";
import type { ComparedSymbol } from "./comparison.ts";
import { byId, element } from "./elements.ts";
import { count, price } from "./format.ts";

const NAMES: Readonly<Record<Mark["kind"], string>> = {
  buy: "insider bought",
  sell: "insider sold",
  event: "8-K",
  earnings: "earnings",
  dividend: "dividend",
  split: "split",
};

const term = (name: string, value: string) =>
  element("span", {}, element("span", { class: "quiet" }, `${name} `), value);

/** Describes one day in words. */
function dayParts(bar: Bar, ratio: number | null, marks: readonly Mark[]): HTMLElement[] {
  const { date, open, high, low, close, volume } = bar;
  return [
    element("strong", {}, date),
    term("open", price(open)),
    term("high", price(high)),
    term("low", price(low)),
    term("close", price(close)),
    term("volume", volume === null ? "–" : count(volume)),
    ...(ratio === null ? [] : [term("short volume", `${(100 * ratio).toFixed(1)} %`)]),
    ...marks.map(({ kind, text }) => term(NAMES[kind], text)),
  ];
}

/** Shows a day of one symbol; null shows the last one. */
export function dayReadout(
  bars: readonly Bar[],
  ratios: readonly Ratio[],
  marks: readonly Mark[],
): (day: string | null) => void {
  const byDay = new Map(bars.map((bar) => [bar.date, bar]));
  const ratioOf = new Map(ratios.map(({ date, short_volume_ratio }) => [date, short_volume_ratio]));
  const marksOf = Map.groupBy(marks, ({ date }) => date);
  return (day) => {
    const bar = (day === null ? undefined : byDay.get(day)) ?? bars.at(-1);
    if (!bar) return;
    byId("readout").replaceChildren(
      ...dayParts(bar, ratioOf.get(bar.date) ?? null, marksOf.get(bar.date) ?? []),
    );
  };
}

/** Shows a day of compared symbols; null shows the last one of the page's own. */
export function comparisonReadout(
  symbols: readonly ComparedSymbol[],
  from: string,
): (day: string | null) => void {
  const last = symbols[0]?.points.at(-1)?.date ?? from;
  const points = symbols.map((one) => new Map(one.points.map((point) => [point.date, point])));
  return (day) => {
    const date = day ?? last;
    byId("readout").replaceChildren(
      element("strong", {}, date),
      ...symbols.map(({ symbol }, i) => {
        const point = points[i]?.get(date);
        const text = point ? `${point.percent.toFixed(1)} % (${price(point.close)})` : "no bar";
        return element("span", {}, element("span", { class: `line-${i}` }, `${symbol} `), text);
      }),
      element("span", { class: "quiet" }, `${from} is 100 %`),
    );
  };
}

const STEPS: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowLeft: (index) => Math.max(0, index - 1),
  ArrowRight: (index, last) => Math.min(last, index + 1),
  Home: () => 0,
  End: (_, last) => last,
};

/** Moves the crosshair of the chart in `box` with the arrow keys, Home and End. */
export function walkByKeys(box: HTMLElement, chart: DrawnChart): void {
  const last = chart.days.length - 1;
  let index = last;
  const describe = () => {
    box.setAttribute("aria-valuemax", String(Math.max(0, last)));
    box.setAttribute("aria-valuenow", String(Math.max(0, index)));
    box.setAttribute("aria-valuetext", chart.days[index] ?? "no bars");
  };
  describe();
  box.onkeydown = (event) => {
    const step = STEPS[event.key];
    if (!step || last < 0) return;
    event.preventDefault();
    index = step(index, last);
    describe();
    chart.point(chart.days[index] ?? "");
  };
}
