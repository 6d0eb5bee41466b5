// SQL macros that say when a bar is known: the sessions of New York's exchanges, as market/calendar.ts has
// them.
import type { Calendar } from "../market/calendar.ts";
import { addDays, weekday } from "../market/date.ts";
import { literal, type Macro } from "../platform/lake/dataset.ts";

const AS_OF = ["as_of := NULL"];
const NEW_YORK = "'America/New_York'";
const OPEN = "INTERVAL '9 hours 30 minutes'";
/**
 * Days without a session between two sessions at most: the exchanges were closed for six days in September
 * 2001.
 */
// After Monday 10 September 2001 the next session was Monday the 17th: six days without one.
const WITHOUT_SESSION_DAYS_MAX = 7;

/** How many days each day of a span is from its nearest session, as one text with a digit for each day. */
interface SessionSteps {
  readonly first: string;
  readonly last: string;
  /** To the session on or before the day. */
  readonly back: string;
  /** To the session after the day. */
  readonly ahead: string;
}

/** The steps of a calendar's days and of those around it, of which every weekday counts as a session. */
function stepsOf({ firstDate, lastDate, isSession }: Calendar): SessionSteps {
  const first = addDays(firstDate, -WITHOUT_SESSION_DAYS_MAX);
  const last = addDays(lastDate, WITHOUT_SESSION_DAYS_MAX);
  const end = addDays(last, WITHOUT_SESSION_DAYS_MAX);
  const [before, sessions]: [number, boolean[]] = [WITHOUT_SESSION_DAYS_MAX, []];
  for (let date = addDays(first, -before); date <= end; date = addDays(date, 1))
    sessions.push(date < firstDate || date > lastDate ? weekday(date) <= 5 : isSession(date));
  let [back, ahead] = ["", ""];
  for (let at = before; at < sessions.length - WITHOUT_SESSION_DAYS_MAX; at++) {
    back += at - sessions.lastIndexOf(true, at);
    ahead += sessions.indexOf(true, at + 1) - at;
  }
  return { first, last, back, ahead };
}

/**
 * SQL of a digit of `steps` at a day. A lookup in a text: planning a query with a list of so many days is
 * slow, and so is trying one day after the other in each row. `otherwise` says it of days outside the span.
 */
const stepSql = (day: string, { first, last }: SessionSteps, steps: string, otherwise: string) =>
  `(CASE WHEN (${day}) BETWEEN DATE ${literal(first)} AND DATE ${literal(last)}
    THEN ascii(substring(${literal(steps)}, ((${day})::DATE - DATE ${literal(first)})::INTEGER + 1, 1)) - 48
    ELSE ${otherwise} END)::INTEGER`;

const lastSession = (day: string, steps: SessionSteps) =>
  `(${day}) - ${stepSql(day, steps, steps.back, `CASE WHEN isodow(${day}) > 5 THEN isodow(${day}) - 5 WHEN isodow(${day}) <= 5 THEN 0 END`)}`;

const nextSession = (day: string, steps: SessionSteps) =>
  `(${day}) + ${stepSql(day, steps, steps.ahead, `CASE WHEN isodow(${day}) > 4 THEN 8 - isodow(${day}) WHEN isodow(${day}) <= 4 THEN 1 END`)}`;

type StepsOnce = () => SessionSteps;

const isSession = (steps: StepsOnce): Macro => ({
  name: "is_session",
  kind: "scalar",
  parameters: ["day"],
  description:
    "Whether a day is a session of the New York exchanges, from 1990 to 2030, without the days of EXTRA_CLOSURES; of other years, whether it is a weekday.",
  returns: { type: "BOOLEAN" },
  body: () => `${lastSession("day", steps())} = day`,
});

const openAfter = (steps: StepsOnce): Macro => ({
  name: "open_after",
  kind: "scalar",
  parameters: ["day"],
  description: "The open of the next session after a day: the moment from which its daily bar is known.",
  returns: { type: "TIMESTAMPTZ" },
  body: () => `((${nextSession("day", steps())})::TIMESTAMP + ${OPEN}) AT TIME ZONE ${NEW_YORK}`,
});

const knownDay: Macro = {
  name: "known_day",
  kind: "scalar",
  parameters: AS_OF,
  description:
    "The last day whose splits and dividends prices include at as_of: its day in New York, until 09:30 the day before; infinity for null.",
  returns: { type: "DATE" },
  // The day of `known_by(as_of)`, written out: planning a query that has it many times takes half as long.
  body: () =>
    `CASE WHEN as_of IS NULL THEN DATE 'infinity' WHEN length(as_of::VARCHAR) = 10 THEN as_of::DATE
      ELSE ((as_of::TIMESTAMPTZ AT TIME ZONE ${NEW_YORK}) - ${OPEN})::DATE END`,
};

const settledBefore = (steps: StepsOnce): Macro => ({
  name: "settled_before",
  kind: "scalar",
  parameters: AS_OF,
  description:
    "The newest session that had opened by as_of, infinity for null: daily bars of earlier days are known by as_of.",
  returns: { type: "DATE" },
  body: () =>
    `CASE WHEN as_of IS NULL THEN DATE 'infinity'
      ELSE ${lastSession("known_day(as_of)", steps())} END`,
});

/** The steps of each calendar: counting them takes 20 ms. */
const counted = new WeakMap<Calendar, SessionSteps>();

/**
 * The macros for the sessions of a calendar, in dependency order, after `known_by`. The steps are counted on
 * first use, as the calendar's own table is.
 */
export function sessionMacros(calendar: Calendar): readonly Macro[] {
  const steps = () => {
    const known = counted.get(calendar) ?? stepsOf(calendar);
    counted.set(calendar, known);
    return known;
  };
  return [isSession(steps), openAfter(steps), knownDay, settledBefore(steps)];
}
