// A heat map of the number of rows of each dataset by month.
import type { MonthlyCoverage } from "../capabilities/database/schema.ts";
import { element } from "./elements.ts";
import { count } from "./format.ts";

export type Month = MonthlyCoverage["data"][number];

const MONTHS_MAX = 120;
const SHADES = 5;

function monthsBetween(first: string, last: string): string[] {
  const months: string[] = [];
  let [year = 0, month = 1] = first.split("-").map(Number);
  for (let at = first; at <= last && months.length < 2_000; ) {
    months.push(at);
    [year, month] = month === 12 ? [year + 1, 1] : [year, month + 1];
    at = `${year}-${String(month).padStart(2, "0")}`;
  }
  return months;
}

/**
 * The shade of a cell: logarithmic, relative to the month with the most rows of the dataset; 0 without rows.
 */
function shadeOf(rows: number, most: number): number {
  if (rows === 0) return 0;
  return Math.max(1, Math.ceil((Math.log(rows + 1) / Math.log(most + 1)) * SHADES));
}

export function heatMap(all: readonly Month[]): HTMLElement {
  if (all.length === 0)
    return element("p", { class: "quiet" }, "Nothing was stored when the rows were counted.");
  const known = all.map(({ month }) => month).sort();
  const months = monthsBetween(known[0] ?? "", known.at(-1) ?? "").slice(-MONTHS_MAX);
  const byDataset = Map.groupBy(all, ({ dataset }) => dataset);
  const years = element(
    "tr",
    {},
    element("th", {}),
    ...months.map((month) =>
      element("th", { class: "year" }, month.endsWith("-01") ? element("span", {}, month.slice(0, 4)) : ""),
    ),
  );
  const rows = [...byDataset].map(([name, own]) => {
    const counts = new Map(own.map(({ month, rows }) => [month, rows]));
    const most = Math.max(...counts.values());
    const cells = months.map((month) => {
      const n = counts.get(month) ?? 0;
      return element("td", {
        class: `heat shade-${shadeOf(n, most)}`,
        title: `${name}, ${month}: ${count(n)} rows`,
      });
    });
    return element("tr", {}, element("th", { scope: "row" }, name), ...cells);
  });
  const map = element(
    "table",
    { class: "heat-map" },
    element("thead", {}, years),
    element("tbody", {}, ...rows),
  );
  const box = element("div", { class: "scroll", tabindex: "0" }, map);
  // Scroll to the newest months.
  requestAnimationFrame(() => {
    box.scrollLeft = box.scrollWidth;
  });
  return box;
}
