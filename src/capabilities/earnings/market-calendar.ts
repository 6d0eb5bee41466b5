// GET /earnings/calendar: everybody who reports in a span of days.

import { EARNINGS_CALENDAR_DAYS_MAX } from "../../limits.ts";
import { mapSettled } from "../../market/bulk.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import { Answer } from "../../platform/answer.ts";
import type { Memory } from "../../platform/cache/cache.ts";
import type { Clock } from "../../platform/clock.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import type { EarningsCollector, Reading } from "./collect.ts";
import { checkSpan, reportOf } from "./company-calendar.ts";
import { eventOf } from "./events.ts";
import { cacheOf, oldWarning, type Refreshed, refresh } from "./reader.ts";
import { reportTable } from "./report-table.ts";
import type { ReportRow } from "./revise.ts";
import { MARKET_ROWS, type MarketAsk, type MarketResponse } from "./schema.ts";
import type { EarningsStore } from "./store.ts";

/** Days asked for at once; the provider's pace holds all the same. */
const DAYS_AT_ONCE = 4;

export interface MarketDeps {
  readonly collector: EarningsCollector;
  readonly days: Memory<Reading>;
  readonly store: EarningsStore;
  readonly clock: Clock;
  readonly main: string;
  asOf(text: string | undefined): Temporal.Instant | null;
}

function spanOf(ask: MarketAsk, today: string): readonly string[] {
  const { date, from_date, to_date } = ask;
  if (date !== undefined && (from_date !== undefined || to_date !== undefined))
    throw new InvalidRequest("conflicting_time_selection", "Give date, or from_date with to_date, not both.");
  if ((from_date === undefined) !== (to_date === undefined))
    throw new InvalidRequest("invalid_date_range", "from_date and to_date are used together.");
  checkSpan({ ...(from_date ? { from_date } : {}), ...(to_date ? { to_date } : {}) });
  const from = date ?? from_date ?? today;
  const to = date ?? to_date ?? today;
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    if (days.length === EARNINGS_CALENDAR_DAYS_MAX)
      throw new InvalidRequest(
        "invalid_date_range",
        `${from} to ${to} is more than ${EARNINGS_CALENDAR_DAYS_MAX} days.`,
        { hint: "Ask for the span in parts." },
      );
    days.push(day);
  }
  return days;
}

/** One list a day: the main source's where it has any, else the other's. */
function chosen(rows: readonly ReportRow[], main: string): ReportRow[] {
  const own = new Set(rows.filter((row) => row.source === main).map((row) => row.report_date));
  return rows.filter((row) => row.source === main || !own.has(row.report_date));
}

export function marketCalendar({ collector, days: memory, store, clock, main, asOf: readAsOf }: MarketDeps) {
  const readDays = async (days: readonly string[], force: boolean, signal: AbortSignal) => {
    const outcomes = await mapSettled(
      days,
      (day) => refresh(memory, day, (shared) => collector.readDay(day, shared), force, signal),
      { concurrency: DAYS_AT_ONCE, signal },
    );
    return outcomes.map((outcome): Refreshed => {
      if (outcome.ok) return outcome.value;
      throw outcome.error;
    });
  };

  /** The failure that leaves nothing to serve; else what is missing, in words. */
  const missing = (
    reads: readonly Refreshed[],
    days: readonly string[],
    isEmpty: boolean,
    force: boolean,
  ) => {
    const failed = days.filter((_, i) => reads[i]?.fault);
    const error = reads.find((read) => read.fault)?.fault;
    if (error && (force || isEmpty)) throw error;
    const said = reads.flatMap((read) => read.warnings);
    return error ? [...said, `${oldWarning(error)} Days: ${failed.join(", ")}.`] : said;
  };

  return async (ask: MarketAsk, signal: AbortSignal): Promise<Answer<MarketResponse>> => {
    const asOf = readAsOf(ask.as_of);
    const days = spanOf(ask, newYorkDate(asOf ?? clock.now()));
    const force = ask.force_refresh ?? false;
    const reads = asOf === null ? await readDays(days, force, signal) : [];
    const [from_date = "", to_date = ""] = [days[0], days.at(-1)];
    const rows = chosen(await store.reportsBetween(from_date, to_date, asOf, signal), main);
    const warnings = missing(reads, days, rows.length === 0, force);
    if (asOf !== null)
      warnings.push("With as_of only what this service had read by then is known, and nothing is fetched.");
    const { limit = MARKET_ROWS.preset, offset = 0 } = ask;
    const data = rows.slice(offset, offset + limit).map((row) => reportOf(row.symbol, eventOf(row)));
    const body: MarketResponse = {
      from_date,
      to_date,
      count: data.length,
      total: rows.length,
      limit,
      offset,
      has_more: offset + data.length < rows.length,
      as_of: asOf?.toString({ smallestUnit: "millisecond" }) ?? null,
      warnings,
      data,
    };
    const table = reportTable(`earnings_${from_date}_${to_date}`, data);
    return new Answer(() => body, {
      table,
      ...(asOf === null ? { cache: cacheOf(reads, clock.nowMs()) } : {}),
    });
  };
}
