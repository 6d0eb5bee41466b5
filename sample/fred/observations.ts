// series/observations and series/vintagedates of the fictional series: vintages, transformations,
// aggregation.
import { isRealDay } from "../../src/market/date.ts";
import type { SampleSeries } from "./catalogue.ts";
import type { RealTime } from "./real-time.ts";
import { page, refuse, wholeOf } from "./reply.ts";
import { type Period, valueOn } from "./vintages.ts";

const OBSERVATIONS_MAX = 100_000;
const VINTAGES_MAX = 10_000;
const PER_YEAR = { D: 260, W: 52, M: 12, Q: 4, A: 1 } as const;

type Value = number | null;
interface Row {
  readonly date: string;
  readonly value: Value;
  readonly start: string;
  readonly end: string;
}

const minDay = (a: string, b: string) => (a < b ? a : b);
const maxDay = (a: string, b: string) => (a > b ? a : b);

/** A row for each vintage that was in force within the period, cut to it. */
function vintageRows(periods: readonly Period[], { start, end }: RealTime): Row[] {
  return periods.flatMap(({ date, vintages }) =>
    vintages
      .filter(({ from, to }) => from <= end && (to === null || to >= start))
      .map(({ from, to, value }) => ({
        date,
        value,
        start: maxDay(from, start),
        end: minDay(to ?? "9999-12-31", end),
      })),
  );
}

function transformed(rows: readonly Row[], units: string, perYear: number): Row[] {
  const back = units === "ch1" || units === "pc1" ? perYear : 1;
  return rows.map((row, i) => {
    const before = rows[i - back]?.value ?? null;
    const { value } = row;
    if (value === null || (before === null && units !== "log")) return { ...row, value: null };
    const old = before ?? 1;
    const values: Record<string, number> = {
      chg: value - old,
      ch1: value - old,
      pch: (value / old - 1) * 100,
      pc1: (value / old - 1) * 100,
      pca: ((value / old) ** perYear - 1) * 100,
      cch: Math.log(value / old) * 100,
      cca: Math.log(value / old) * 100 * perYear,
      log: Math.log(value),
    };
    return { ...row, value: values[units] ?? refuse("Bad value for variable units.") };
  });
}

const MONTHS_OF: Readonly<Record<string, number>> = { m: 1, q: 3, sa: 6, a: 12 };

function aggregated(rows: readonly Row[], frequency: string, method: string): Row[] {
  const months = MONTHS_OF[frequency] ?? refuse("The sample market aggregates to m, q, sa and a only.");
  const groups = Map.groupBy(rows, ({ date }) => {
    const month = Math.floor((Number(date.slice(5, 7)) - 1) / months) * months + 1;
    return `${date.slice(0, 4)}-${String(month).padStart(2, "0")}-01`;
  });
  return [...groups].map(([date, group]) => {
    const values = group.map(({ value }) => value).filter((value) => value !== null);
    const sum = values.reduce((total, value) => total + value, 0);
    const value = method === "sum" ? sum : method === "eop" ? (values.at(-1) ?? null) : sum / values.length;
    const first = group[0];
    return {
      date,
      value: values.length === 0 ? null : value,
      start: first?.start ?? "",
      end: first?.end ?? "",
    };
  });
}

const textOf = (value: Value, decimals: number) => (value === null ? "." : value.toFixed(decimals));

function dayOf(query: URLSearchParams, name: string, preset: string): string {
  const day = query.get(name) ?? preset;
  if (!isRealDay(day)) refuse(`The value for variable ${name} is not a valid date (YYYY-MM-DD).`);
  return day;
}

/** Days on which anything of the series changed. */
export function vintageDates(periods: readonly Period[]): string[] {
  return [...new Set(periods.flatMap(({ vintages }) => vintages.map(({ from }) => from)))].sort();
}

/** One column for each of the days, named SERIES_YYYYMMDD. */
function columns(series: SampleSeries, periods: readonly Period[], days: readonly string[]) {
  return periods.flatMap((period) => {
    const cells = days.flatMap((day) => {
      const value = valueOn(period, day);
      if (value === undefined) return [];
      return [[`${series.id}_${day.replaceAll("-", "")}`, textOf(value, series.decimals)] as const];
    });
    return cells.length === 0 ? [] : [{ date: period.date, ...Object.fromEntries(cells) }];
  });
}

export function observationsOf(
  series: SampleSeries,
  periods: readonly Period[],
  query: URLSearchParams,
  time: RealTime,
): Readonly<Record<string, unknown>> {
  const from = dayOf(query, "observation_start", "1600-01-01");
  const to = dayOf(query, "observation_end", "9999-12-31");
  const units = query.get("units") ?? "lin";
  const outputType = wholeOf(query, "output_type", 1, 4, 1);
  const frequency = query.get("frequency");
  let rows = vintageRows(periods, time);
  if (outputType === 4) {
    const firstOf = new Map(periods.map(({ date, vintages }) => [date, vintages[0]?.from]));
    rows = rows.filter(({ date, start }) => firstOf.get(date) === start);
  }
  if (units !== "lin") rows = transformed(rows, units, PER_YEAR[series.frequency]);
  if (frequency !== null && frequency !== series.frequency.toLowerCase())
    rows = aggregated(rows, frequency, query.get("aggregation_method") ?? "avg");
  const isWithin = ({ date }: { date: string }) => date >= from && date <= to;
  const decimals = units === "lin" && frequency === null ? series.decimals : 5;
  const wanted: object[] =
    outputType === 2 || outputType === 3
      ? columns(
          series,
          periods,
          vintageDates(periods).filter((day) => day >= time.start && day <= time.end),
        ).filter(isWithin)
      : rows.filter(isWithin).map(({ date, value, start, end }) => ({
          realtime_start: start,
          realtime_end: end,
          date,
          value: textOf(value, decimals),
        }));
  const { facts, rows: shown } = page(query, wanted, {
    orderBy: "observation_date",
    limitMax: OBSERVATIONS_MAX,
  });
  return {
    realtime_start: time.start,
    realtime_end: time.end,
    observation_start: from,
    observation_end: to,
    units,
    output_type: outputType,
    file_type: "json",
    ...facts,
    observations: shown,
  };
}

export function vintageDatesOf(
  periods: readonly Period[],
  query: URLSearchParams,
  { start, end }: RealTime,
): Readonly<Record<string, unknown>> {
  const days = vintageDates(periods).filter((day) => day >= start && day <= end);
  const { facts, rows } = page(query, days, { orderBy: "vintage_date", limitMax: VINTAGES_MAX });
  return { realtime_start: start, realtime_end: end, ...facts, vintage_dates: rows };
}
