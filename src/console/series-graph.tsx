// A graph of a series in several vintages, drawn with uPlot, and the line above it that says its values in
// figures.
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import uPlot from "uplot";
import uPlotStyle from "uplot/dist/uPlot.min.css" with { type: "text" };
import { colour, LINES } from "./colours.ts";
import { walkByKeys } from "./readout.ts";
import { onTheme } from "./theme.ts";
import type { Aligned } from "./vintages.ts";

const sheet = new CSSStyleSheet();
sheet.replaceSync(uPlotStyle);
document.adoptedStyleSheets.push(sheet);

const HEIGHT_PX = 320;
const CHAR_PX = 7;
const FONT = "12px system-ui, sans-serif";
const YEAR_S = 365 * 86_400;
const MONTH_S = 28 * 86_400;
/**
 * The newest vintage is a whole line, each earlier one is dashed in its own way: colours alone do not tell
 * them apart.
 */
const DASHES: readonly (number[] | undefined)[] = [undefined, [8, 4], [3, 3], [10, 3, 2, 3], [1, 4]];

const secondsOf = (day: string): number => Date.parse(day) / 1000;
const figureText = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 8 });

/** Periods are days, not moments: they are the same in every time zone. */
const dayAt = (seconds: number, step: number): string =>
  new Date(seconds * 1000).toISOString().slice(0, step >= YEAR_S ? 4 : step >= MONTH_S ? 7 : 10);

/** The room for a label of the periods: longer where they are near each other and days are named. */
const spaceFor = (from: number, to: number): number => (to - from < 3 * YEAR_S ? 90 : 64);

function axes(units: string): uPlot.Axis[] {
  const common: uPlot.Axis = {
    stroke: () => colour("--quiet"),
    grid: { stroke: () => colour("--line"), width: 1 },
    ticks: { stroke: () => colour("--line"), width: 1 },
    font: FONT,
    labelFont: FONT,
  };
  return [
    {
      ...common,
      space: (_, __, from, to) => spaceFor(from, to),
      values: (_, splits, __, ___, step) => splits.map((at) => dayAt(at, step)),
    },
    {
      ...common,
      label: units,
      values: (_, splits) => splits.map(figureText),
      size: (_, texts) => 16 + CHAR_PX * Math.max(3, ...(texts ?? []).map(({ length }) => length)),
    },
  ];
}

function series(names: readonly string[]): uPlot.Series[] {
  return [
    {},
    ...names.map((label, i): uPlot.Series => {
      const dash = DASHES[i];
      return {
        label,
        stroke: () => colour(LINES[i] ?? "--ink"),
        width: i === 0 ? 2 : 1.5,
        points: { fill: () => colour("--card") },
        spanGaps: false,
        ...(dash === undefined ? {} : { dash }),
      };
    }),
  ];
}

/** Draws the lines into a box; `shown` hears of the place under the cursor, null when there is none. */
function drawn(
  box: HTMLElement,
  { days, values }: Aligned,
  units: string,
  names: readonly string[],
  shown: (index: number | null) => void,
) {
  const x = days.map(secondsOf);
  const width = () => Math.max(200, box.clientWidth);
  const plot = new uPlot(
    {
      width: width(),
      height: HEIGHT_PX,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
      axes: axes(units),
      series: series(names),
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false } },
      hooks: { setCursor: [({ cursor }) => shown(cursor.idx ?? null)] },
    },
    [x, ...values.map((each) => [...each])],
    box,
  );
  walkByKeys(box, {
    days,
    point: (day) => plot.setCursor({ left: plot.valToPos(secondsOf(day), "x"), top: 0 }),
  });
  const resized = new ResizeObserver(() => plot.setSize({ width: width(), height: HEIGHT_PX }));
  resized.observe(box);
  const unfollow = onTheme(() => plot.redraw(false, true));
  return () => {
    unfollow();
    resized.disconnect();
    plot.destroy();
  };
}

/** The last place where the first line has a value. */
const lastKnown = ({ values }: Aligned): number => (values[0] ?? []).findLastIndex((value) => value !== null);

/** `names` are those of the lines, the newest vintage first. */
export function SeriesGraph({
  data,
  units,
  names,
}: {
  data: Aligned;
  units: string;
  names: readonly string[];
}) {
  const box = useRef<HTMLDivElement>(null);
  const index = useSignal<number | null>(null);
  const key = names.join("\n");
  const lines = useMemo(() => names, [key]);
  useLayoutEffect(() => {
    if (!box.current) return;
    return drawn(box.current, data, units, lines, (at) => {
      index.value = at;
    });
  }, [data, units, lines]);
  const at = index.value ?? lastKnown(data);
  return (
    <>
      <p id="readout" class="legend">
        <strong>{data.days[at] ?? ""}</strong>{" "}
        {names.map((name, i) => {
          const value = data.values[i]?.[at] ?? null;
          return (
            <span key={name}>
              <span class={`line-${i}`}>
                {i === 0 ? "——" : "– –"} {name}
              </span>{" "}
              {value === null ? "no value" : figureText(value)}{" "}
            </span>
          );
        })}
        <span class="quiet">{units}</span>
      </p>
      <div
        id="graph"
        ref={box}
        role="slider"
        tabIndex={0}
        aria-label="Period of the graph"
        aria-describedby="readout"
        aria-valuemin={0}
        aria-valuemax={0}
        aria-valuenow={0}
      />
    </>
  );
}
