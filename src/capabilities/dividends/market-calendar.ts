// GET /dividends/calendar: the dividends of all companies in a span of ex-dividend days.
import { absenceOf, absent, explained } from "../../market/absence.ts";
import { pageFacts, pageOf } from "../../market/answer-fields.ts";
import { mapSettled } from "../../market/bulk.ts";
import { daysOfSpan } from "../../market/day-span.ts";
import type { Services } from "../../market/services.ts";
import { Answer } from "../../platform/answer.ts";
import type { Cache } from "../../platform/cache/cache.ts";
import { AsofError } from "../../platform/errors.ts";
import { isReplaying, refuseInReplay } from "../../platform/reading.ts";
import { askedMoment } from "./asked-moment.ts";
import type { DividendCollector } from "./collect.ts";
import { marketDividendOf, marketTable, rowWarnings } from "./rows.ts";
import { MARKET_ROWS, type MarketDividends, type MarketRequest } from "./schema.ts";
import type { DividendStore } from "./store.ts";
import { type UnreadDays, versionState } from "./version-state.ts";

/** How many days are read at once; the provider's pace limits them further. */
const DAYS_AT_ONCE = 4;

export interface MarketCalendarDeps extends Pick<Services, "clock" | "calendar"> {
  readonly collector: Pick<DividendCollector, "readDay">;
  /** When each ex-dividend day was last read. */
  readonly days: Cache<{ readonly read_at: string }>;
  readonly store: Pick<DividendStore, "dayReadings" | "knownBetween" | "readingOf" | "versionMoment">;
}

const UNCOVERED = absent("not_read", "Days outside of the exchange calendar are not read.");

const NONE_UNREAD: UnreadDays = { never: [], old: [] };

interface FailedDay {
  readonly day: string;
  readonly error: AsofError;
}

/**
 * Creates a function that reads the lists of days unless they were read lately. It returns the days whose
 * reading failed.
 */
function dayReader({ collector, days, clock }: Pick<MarketCalendarDeps, "collector" | "days" | "clock">) {
  return async (sessions: readonly string[], force: boolean, signal: AbortSignal): Promise<FailedDay[]> => {
    const read = (day: string) =>
      days.get(
        day,
        async (shared) => {
          await collector.readDay(day, shared);
          return { read_at: clock.now().toString() };
        },
        { force, signal },
      );
    const outcomes = await mapSettled(sessions, read, { concurrency: DAYS_AT_ONCE, signal });
    signal.throwIfAborted();
    return outcomes.flatMap((outcome) => {
      if (outcome.ok) return [];
      if (!(outcome.error instanceof AsofError)) throw outcome.error;
      return [{ day: outcome.item, error: outcome.error }];
    });
  };
}

/**
 * Names the days that could not be read. Throws their error when nothing is left to serve, or fresh data was
 * forced.
 */
function failureWarnings(failed: readonly FailedDay[], isEmpty: boolean, force: boolean): string[] {
  const [first] = failed;
  if (first === undefined) return [];
  if (force || isEmpty) throw first.error;
  const names = failed.map(({ day }) => day).join(", ");
  const sentence = `The lists of ${names} could not be read (${first.error.message}): what is stored of these days is served.`;
  return [absent(absenceOf(first.error), sentence)];
}

/**
 * Names the days whose lists an earlier version lacks. Throws `not_replayable` when nothing is left to serve.
 */
function unreadWarnings({ never, old }: UnreadDays, isEmpty: boolean): string[] {
  if (isEmpty && never.length > 0) refuseInReplay(`the lists of ${never.join(", ")}`);
  const sentence = (days: readonly string[], text: string) =>
    days.length === 0 ? [] : [absent("not_read", `The lists of ${days.join(", ")} ${text}`)];
  return [
    ...sentence(never, "were not read in this data version: what it has of these days is served."),
    ...sentence(
      old,
      "are in this data version as they were some time before: later declarations are missing.",
    ),
  ];
}

export function marketCalendar({ collector, days, store, clock, calendar }: MarketCalendarDeps) {
  const readDays = dayReader({ collector, days, clock });
  const version = versionState({ store, calendar });
  return async (query: MarketRequest, signal: AbortSignal): Promise<Answer<MarketDividends>> => {
    const moment = isReplaying() ? await version.moment(query, signal) : null;
    const { past, as_of_date } = askedMoment(query, moment ?? clock.now());
    const span = daysOfSpan(query, as_of_date);
    const [from_date = "", to_date = ""] = [span[0], span.at(-1)];
    const force = query.force_refresh ?? false;
    const covered = span.filter((day) => calendar.covers(day));
    const sessions = covered.filter(calendar.isSession);
    const failed = moment === null ? await readDays(sessions, force, signal) : [];
    // An answer as of now includes rows that were read a moment ago.
    const now = moment ?? clock.now();
    const asOf = past ?? now;
    const unread = moment === null ? NONE_UNREAD : await version.unreadDays(sessions, { asOf, now }, signal);
    const rows = await store.knownBetween(from_date, to_date, asOf, signal);
    const warnings = [
      ...failureWarnings(failed, rows.length === 0, force),
      ...unreadWarnings(unread, rows.length === 0),
      ...(covered.length < span.length ? [UNCOVERED] : []),
    ];
    const { limit = MARKET_ROWS, offset = 0 } = query;
    const served = rows.slice(offset, offset + limit);
    const data = served.map(marketDividendOf);
    const body: MarketDividends = {
      from_date,
      to_date,
      ...pageOf(data.length, rows.length, { limit, offset }),
      as_of: past?.toString() ?? null,
      as_of_date,
      warnings: [
        ...explained(
          data,
          warnings,
          "No dividend that was known then goes ex on these days, or none is on this page.",
        ),
        ...rowWarnings(served),
      ],
      data,
    };
    return new Answer(() => body, {
      table: marketTable(`dividends_${from_date}_${to_date}`, data),
      page: pageFacts(body),
    });
  };
}

export type MarketCalendar = ReturnType<typeof marketCalendar>;
