// SQL macros that say when a bar is known: the sessions of New York's exchanges, as market/calendar.ts has them.
import type { Calendar } from "../market/calendar.ts";
import { addDays, weekday } from "../market/date.ts";
import { literal, type Macro } from "../platform/lake/dataset.ts";

const AS_OF = ["as_of := NULL"];
const NEW_YORK = "'America/New_York'";
const OPEN = "INTERVAL '9 hours 30 minutes'";
/** Days without a session between two sessions at most: the exchanges were closed for six days in September 2001. */
const WITHOUT_SESSION_DAYS_MAX = 7;

/** The weekdays without a session, as `|1990-01-15|`: one text, since planning a query with a list of so many days is slow. */
function closuresOf({ firstDate, lastDate, isSession }: Calendar): string {
  let days = "|";
  for (let date = firstDate; date <= lastDate; date = addDays(date, 1))
    if (weekday(date) <= 5 && !isSession(date)) days += `${date}|`;
  return days;
}

/** The first session among the days from `day` on, in steps of `step`. */
const nearestSession = (day: string, step: "+" | "-", from: number) => {
  const days = Array.from({ length: WITHOUT_SESSION_DAYS_MAX }, (_, n) => `${day} ${step} ${n + from}`);
  return `list_filter([${days.join(", ")}], lambda d: is_session(d))[1]`;
};

/** Creates the macro for a calendar. The list of closures is built on first use, as the calendar's own table is. */
function isSession(calendar: Calendar): Macro {
  let days: string | undefined;
  const closures = () => (days ??= closuresOf(calendar));
  return {
    name: "is_session",
    kind: "scalar",
    parameters: ["day"],
    description:
      "Whether a day is a session of the New York exchanges, from 1990 to 2030, without the days of EXTRA_CLOSURES; of other years, whether it is a weekday.",
    body: () => `isodow(day) < 6 AND NOT contains(${literal(closures())}, day::VARCHAR)`,
  };
}

const openAfter: Macro = {
  name: "open_after",
  kind: "scalar",
  parameters: ["day"],
  description: "The open of the next session after a day: the moment from which its daily bar is known.",
  body: () => `((${nearestSession("day", "+", 1)})::TIMESTAMP + ${OPEN}) AT TIME ZONE ${NEW_YORK}`,
};

const knownDay: Macro = {
  name: "known_day",
  kind: "scalar",
  parameters: AS_OF,
  description:
    "The last day whose splits and dividends prices include at as_of: its day in New York, until 09:30 the day before; infinity for null.",
  body: () =>
    `CASE WHEN as_of IS NULL THEN DATE 'infinity'
      ELSE ((known_by(as_of) AT TIME ZONE ${NEW_YORK}) - ${OPEN})::DATE END`,
};

const settledBefore: Macro = {
  name: "settled_before",
  kind: "scalar",
  parameters: AS_OF,
  description:
    "The newest session that had opened by as_of, infinity for null: daily bars of earlier days are known by as_of.",
  body: () =>
    `CASE WHEN as_of IS NULL THEN DATE 'infinity'
      ELSE ${nearestSession("known_day(as_of)", "-", 0)} END`,
};

/** The macros for the sessions of a calendar, in dependency order, after `known_by`. */
export const sessionMacros = (calendar: Calendar): readonly Macro[] => [
  isSession(calendar),
  openAfter,
  knownDay,
  settledBefore,
];
