// GET /earnings/calendar: all reports in a span of days.

import { pageFacts, pageOf } from "../../market/answer-fields.ts";
import { mapSettled } from "../../market/bulk.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { daysOfSpan } from "../../market/day-span.ts";
import { asOfInstant } from "../../market/known-at.ts";
import type { Services } from "../../market/services.ts";
import { Answer } from "../../platform/answer.ts";
import type { ReadingCaches } from "./caches.ts";
import type { EarningsCollector } from "./collect.ts";
import { reportOf } from "./company-calendar.ts";
import { eventOf, onePerDay } from "./events.ts";
import { asOfText, cacheOf, explainedReports, oldWarning, type Refreshed, refresh } from "./reader.ts";
import { reportTable } from "./report-table.ts";
import type { ReportRow } from "./revise.ts";
import { MARKET_ROWS, type MarketRequest, type MarketResponse } from "./schema.ts";
import type { EarningsStore } from "./store.ts";

/** How many days are read at once; the provider's pace limits them further. */
const DAYS_AT_ONCE = 4;

export interface MarketCalendarDeps extends Pick<Services, "clock">, Pick<ReadingCaches, "days"> {
  readonly collector: EarningsCollector;
  readonly store: EarningsStore;
  /** The source whose list of a day goes before the others'. */
  readonly mainSource: string;
}

/** The reports of one source per day: the main source's if it has any, else the other's. */
function chosen(rows: readonly ReportRow[], main: string): ReportRow[] {
  const own = new Set(rows.filter((row) => row.source === main).map((row) => row.report_date));
  return rows.filter((row) => row.source === main || !own.has(row.report_date));
}

export function marketCalendar({ collector, days: cache, store, clock, mainSource }: MarketCalendarDeps) {
  const readDays = async (days: readonly string[], force: boolean, signal: AbortSignal) => {
    const outcomes = await mapSettled(
      days,
      (day) => refresh(cache, day, (shared) => collector.readDay(day, shared), force, signal),
      { concurrency: DAYS_AT_ONCE, signal },
    );
    return outcomes.map((outcome): Refreshed => {
      if (outcome.ok) return outcome.value;
      throw outcome.error;
    });
  };

  /**
   * Warnings about what is missing. Throws the readings' error when nothing is left to serve or fresh data
   * was forced.
   */
  const warningsOf = (
    reads: readonly Refreshed[],
    days: readonly string[],
    isEmpty: boolean,
    force: boolean,
  ) => {
    const failed = days.filter((_, i) => reads[i]?.error);
    const error = reads.find((read) => read.error)?.error;
    if (error && (force || isEmpty)) throw error;
    const warnings = reads.flatMap((read) => read.warnings);
    return error ? [...warnings, `${oldWarning(error)} Days: ${failed.join(", ")}.`] : warnings;
  };

  return async (query: MarketRequest, signal: AbortSignal): Promise<Answer<MarketResponse>> => {
    const asOf = asOfInstant(query.as_of);
    const days = daysOfSpan(query, newYorkDate(asOf ?? clock.now()));
    const force = query.force_refresh ?? false;
    const reads = asOf === null ? await readDays(days, force, signal) : [];
    const [from_date = "", to_date = ""] = [days[0], days.at(-1)];
    const stored = chosen(await store.reportsBetween(from_date, to_date, asOf, signal), mainSource);
    const { rows, warnings: left } = onePerDay(stored);
    const warnings = [...warningsOf(reads, days, rows.length === 0, force), ...left];
    const { limit = MARKET_ROWS.preset, offset = 0 } = query;
    const data = rows.slice(offset, offset + limit).map((row) => reportOf(row.symbol, eventOf(row)));
    const body: MarketResponse = {
      from_date,
      to_date,
      ...pageOf(data.length, rows.length, { limit, offset }),
      as_of: asOfText(asOf),
      warnings: explainedReports(data, warnings, asOf),
      data,
    };
    const table = reportTable(`earnings_${from_date}_${to_date}`, data);
    return new Answer(() => body, {
      table,
      page: pageFacts(body),
      ...(asOf === null ? { cache: cacheOf(reads, clock.nowMs()) } : {}),
    });
  };
}
