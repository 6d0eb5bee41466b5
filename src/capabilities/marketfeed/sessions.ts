// From the feed's bars to rows of sessions: the day and the part of the day of each bar, and which days are
// over.
import type { FeedBar } from "../../market/bar.ts";
import type { Calendar } from "../../market/calendar.ts";
import type { IntradayRow } from "./timeframes.ts";

/** The consolidated feed lags by 15 minutes on the basic plan; one more minute for clocks that differ. */
// A session whose late trading ends at 20:00 is whole from 20:16 on.
export const SIP_DELAY_S = 16 * 60;

/** Epoch milliseconds. */
interface Hours {
  readonly date: string;
  readonly pre: number;
  readonly open: number;
  readonly close: number;
  readonly end: number;
}

/** After the official end of late trading on half days a few trades are still reported. */
// On the half day of 27 November 2026 bars up to 20:00 count, not only those up to 17:00.
const EVENING_MS = 3 * 3_600_000;

function hoursOf(date: string, calendar: Calendar): Hours {
  const ms = (at: Temporal.Instant) => at.epochMilliseconds;
  return {
    date,
    pre: ms(calendar.preMarketOpen(date)),
    open: ms(calendar.sessionOpen(date)),
    close: ms(calendar.sessionClose(date)),
    end: ms(calendar.postMarketClose(date)) + (calendar.isHalfDay(date) ? EVENING_MS : 0),
  };
}

/**
 * Assigns bars of the days from `start` to `end` to their sessions; leaves out bars outside any, or without a
 * close.
 */
export function sessionRows(
  bars: readonly FeedBar[],
  start: string,
  end: string,
  calendar: Calendar,
): IntradayRow[] {
  const days = calendar.sessionsBetween(start, end).map((date) => hoursOf(date, calendar));
  const rows: IntradayRow[] = [];
  let place = 0;
  for (const { at, close, ...bar } of bars) {
    const ms = at.epochMilliseconds;
    while (place < days.length && ms >= (days[place]?.end ?? 0)) place++;
    const day = days[place];
    if (!day || ms < day.pre || close === null) continue;
    const session = ms < day.open ? "pre" : ms < day.close ? "regular" : "post";
    rows.push({ ...bar, at: ms, close, date: day.date, session });
  }
  return rows;
}

/** The newest session of which the consolidated feed has every bar, late trading included. */
export function lastWholeSession(now: Temporal.Instant, calendar: Calendar): string {
  const session = calendar.lastClosedSession(now);
  const whole = hoursOf(session, calendar).end + SIP_DELAY_S * 1000;
  return now.epochMilliseconds >= whole ? session : calendar.previousSession(session);
}
