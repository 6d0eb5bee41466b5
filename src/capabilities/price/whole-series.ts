// Which symbols have exactly the stored days that are expected of them: counted by the lake's engine, since the days of many
// symbols are millions and mostly none is missing.
import type { DateRange } from "../../market/time-span.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import { among, barDays, isHeavy, OWN, within } from "./stored-bars.ts";

/** The days that are expected of a symbol, ascending. Symbols may share one list. */
export interface ExpectedOf {
  readonly symbol: string;
  readonly days: readonly string[];
}

const isEndOf = (list: readonly string[], days: readonly string[]): boolean => {
  const from = list.length - days.length;
  return from >= 0 && days.every((day, i) => day === list[from + i]);
};

/** The longest of the lists, of which all others are ends: most symbols differ in the day of their first trade only. */
function longestLists(lists: Iterable<readonly string[]>) {
  const longest: (readonly string[])[] = [];
  const places = new Map<readonly string[], number>();
  for (const days of [...new Set(lists)].sort((a, b) => b.length - a.length)) {
    const known = longest.findIndex((list) => isEndOf(list, days));
    places.set(days, known < 0 ? longest.push(days) - 1 : known);
  }
  return { longest, places };
}

const listed = (name: string, columns: string) =>
  `(SELECT unnest(from_json($${name}, '[{${columns}}]'), recursive := true))`;
const ASKED = listed("asked", '"symbol":"VARCHAR","list":"INTEGER","first":"DATE"');
const EXPECTED = listed("expected", '"list":"INTEGER","date":"DATE"');

/** The symbols whose stored days within the ranges are other days than expected, fewer or more. */
export async function incompleteSymbols(
  lake: Lake,
  asked: readonly ExpectedOf[],
  ranges: readonly DateRange[],
): Promise<string[]> {
  const [range, own] = [within(ranges), among(asked.map(({ symbol }) => symbol))];
  const { longest, places } = longestLists(asked.map(({ days }) => days));
  const rows = await lake.query<{ symbol: string; stored: number; expected: number }>(
    // The first day is compared after the join: within it, DuckDB takes fifty times as long.
    `SELECT b.symbol, count(*) AS stored, count(e.date) FILTER (b.date >= a.first) AS expected
     FROM (SELECT symbol, date FROM bars_daily WHERE ${own.sql} AND ${range.sql} AND ${OWN}) b
     JOIN ${ASKED} a ON b.symbol = a.symbol
     LEFT JOIN ${EXPECTED} e ON a.list = e.list AND b.date = e.date GROUP BY b.symbol`,
    {
      ...range.params,
      ...own.params,
      asked: JSON.stringify(
        asked.map(({ symbol, days }) => ({ symbol, list: places.get(days), first: days[0] ?? null })),
      ),
      expected: JSON.stringify(longest.flatMap((days, list) => days.map((date) => ({ list, date })))),
    },
    { heavy: isHeavy(asked.map(({ symbol }) => symbol)), days: barDays(ranges) },
  );
  const found = new Map(rows.map((row) => [row.symbol, row]));
  return asked.flatMap(({ symbol, days: { length } }) => {
    const { stored = 0, expected = 0 } = found.get(symbol) ?? {};
    // A day is stored once, so that equal counts are equal days.
    return stored === length && expected === length ? [] : [symbol];
  });
}
