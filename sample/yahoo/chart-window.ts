// Which bars a chart request asks for: interval, range or period1/period2, and the refusals upstream has for
// them.
import { dateAt, firstAtOrAfter, type Session, secondsAt } from "../sessions.ts";
import type { View } from "../view.ts";

/** A refusal in the provider's words. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly description: string;
}

/** The request. `range` is empty where period1 and period2 were given, as upstream echoes it. */
export interface Window {
  readonly interval: string;
  /** Minutes of an intraday bar; null for days and longer. */
  readonly minutes: number | null;
  readonly range: string;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

const INTRADAY_MINUTES: Readonly<Record<string, number>> = {
  "1m": 1,
  "2m": 2,
  "5m": 5,
  "15m": 15,
  "30m": 30,
  "60m": 60,
  "90m": 90,
  "1h": 60,
};
const DAILY = ["1d", "5d", "1wk", "1mo", "3mo"];
const DAY_S = 86_400;
/** Days back that intraday bars reach; the wall itself is refused, and so is a window that straddles it. */
const LOOKBACK_DAYS: Readonly<Record<string, number>> = { "1m": 30, "60m": 730, "1h": 730 };
const LOOKBACK_DAYS_OTHERS = 60;
const MINUTE_DAYS_A_REQUEST = 8;

const bad = (description: string): Refusal => ({ status: 400, code: "Bad Request", description });
const tooFar = (window: Window, description: string): Refusal => ({
  status: 422,
  code: "Unprocessable Entity",
  description: `${window.interval} data not available for startTime=${window.from} and endTime=${window.to}. ${description}`,
});
const nothingThen = (from: number, to: number) =>
  bad(`Data doesn't exist for startDate = ${from}, endDate = ${to}`);

/** Start of a `range` such as 5d, 6mo, ytd or max; null when it is none. */
function rangeStart(range: string, view: View, zone: string): number | null {
  const { sessions } = view.history;
  const today = dateAt(view.now, zone);
  if (range === "max") return sessions[0]?.open ?? 0;
  if (range === "ytd") return secondsAt(`${today.slice(0, 4)}-01-01`, "00:00", zone);
  const match = /^(\d{1,3})(d|wk|mo|y)$/.exec(range);
  const count = Number(match?.[1]);
  if (!match || count === 0) return null;
  if (match[2] === "d") {
    const session = sessions[Math.max(0, view.lastIndex - count + 1)];
    return session ? secondsAt(session.date, "00:00", zone) : view.now;
  }
  const unit = { wk: "weeks", mo: "months", y: "years" }[match[2] ?? ""] ?? "months";
  return secondsAt(
    Temporal.PlainDate.from(today)
      .subtract({ [unit]: count })
      .toString(),
    "00:00",
    zone,
  );
}

function readPeriod(text: string | null): number | null {
  return text !== null && /^-?\d{1,12}$/.test(text) ? Number(text) : null;
}

function lookbackRefusal(window: Window, now: number): Refusal | null {
  if (window.minutes === null) return null;
  if (window.interval === "1m" && window.to - window.from > MINUTE_DAYS_A_REQUEST * DAY_S)
    return tooFar(
      window,
      `Only ${MINUTE_DAYS_A_REQUEST} days worth of 1m granularity data are allowed to be fetched per request.`,
    );
  const days = LOOKBACK_DAYS[window.interval] ?? LOOKBACK_DAYS_OTHERS;
  if (window.from <= now - days * DAY_S)
    return tooFar(window, `The requested range must be within the last ${days} days.`);
  return null;
}

/** Reads the query of a chart request about what `view` shows. */
export function readWindow(query: URLSearchParams, view: View, zone: string): Window | Refusal {
  const period = query.has("period1") || query.has("period2");
  const range = period ? "" : (query.get("range") ?? "1d");
  const interval = query.get("interval") ?? (range === "1d" ? "1m" : "1d");
  const minutes = INTRADAY_MINUTES[interval] ?? null;
  if (minutes === null && !DAILY.includes(interval)) {
    const valid = [...Object.keys(INTRADAY_MINUTES), ...DAILY].join(", ");
    return bad(`Invalid input - interval=${interval} is not supported. Valid intervals: [${valid}]`);
  }
  const from = period ? readPeriod(query.get("period1") ?? "0") : rangeStart(range, view, zone);
  const to = period && query.has("period2") ? readPeriod(query.get("period2")) : view.now + 1;
  if (from === null || to === null)
    return bad(
      period
        ? "Invalid input - period1 and period2 must be epoch seconds"
        : `Invalid input - range=${range} is not supported.`,
    );
  if (from > to)
    return bad(`Invalid input - start date cannot be after end date. startDate = ${from}, endDate = ${to}`);
  const window: Window = { interval, minutes, range, from, to };
  const refused = lookbackRefusal(window, view.now);
  if (refused) return refused;
  const first = view.history.sessions[0];
  const never = !first || to <= first.open || from > view.now || from === to;
  return period && never ? nothingThen(from, to) : window;
}

/**
 * First and last index of the sessions that open in the window and have opened by now; last < first when none
 * does.
 */
export function sessionSpan(view: View, window: Window): [first: number, last: number] {
  const { sessions } = view.history;
  const first = firstAtOrAfter(sessions, "open", window.from);
  const last = Math.min(view.lastIndex, firstAtOrAfter(sessions, "open", window.to) - 1);
  return [first, last];
}

/** Sessions any part of whose day, early and late trading included, lies in the window. */
export function sessionsTouched(view: View, window: Window): { index: number; session: Session }[] {
  const { sessions } = view.history;
  const touched: { index: number; session: Session }[] = [];
  for (let i = Math.max(0, firstAtOrAfter(sessions, "open", window.from) - 1); i < sessions.length; i++) {
    const session = sessions[i];
    if (!session || session.pre >= window.to || session.pre > view.now) break;
    if (session.post > window.from) touched.push({ index: i, session });
  }
  return touched;
}
