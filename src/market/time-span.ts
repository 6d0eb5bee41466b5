// Turns the time selection of a request (period, two dates, or quarters) into the days it means.
import { QUARTERS_MAX } from "../limits.ts";
import { addDays, earlierDay, isDate, laterDay } from "./date.ts";

export { isDate } from "./date.ts";

export const PERIODS = ["1d", "7d", "30d", "1m", "3m", "6m", "1y", "2y", "5y", "max"] as const;
export type Period = (typeof PERIODS)[number];

/** Days from `start` to `end`, both inclusive; `start` null means from the first available day. */
export interface DateRange {
  start: string | null;
  end: string;
}

/**
 * A resolved time selection. `start` and `end` echo the request (the outer bounds when quarters leave gaps).
 * `ranges` are the days to read: ascending, not adjacent to each other, none after today.
 */
export interface TimeSpan extends DateRange {
  /** The period requested or used by default, else null. */
  period: Period | null;
  /** The quarters requested, ascending, each once, else null. */
  quarters: string[] | null;
  ranges: DateRange[];
}

/** The three ways to select time, as a request gives them; null means absent. */
export interface TimeSelection {
  period?: string | null | undefined;
  start_date?: string | null | undefined;
  /** Without it the selection ends today. */
  end_date?: string | null | undefined;
  quarters?: readonly string[] | null | undefined;
}

export interface TimeSpanContext {
  /** Today's date in New York, or the one of a past `as_of`. */
  today: string;
  /** Whether `today` is the date of a past `as_of`; messages then say so. */
  isPast?: boolean | undefined;
  /** Last day on which a quarter may begin, for fiscal labels that lie ahead. Default: today. */
  quartersUntil?: string;
  /** The newest session that has opened, on which period 1d begins. Default: today. */
  latestSession?: string | undefined;
  /** Used when the request selects nothing. */
  default?: Period | undefined;
  /** Whether start_date alone means all days since, as on lists whose rules the specification leaves open. */
  isOpen?: boolean | undefined;
  /** The request must use one of the three ways; `default` is then ignored. */
  required?: boolean | undefined;
}

export type TimeSpanError = "conflicting_time_selection" | "invalid_date_range" | "bad_request";
export type TimeSpanResult =
  | { ok: true; span: TimeSpan }
  | { ok: false; code: TimeSpanError; detail: string };

const refuse = (code: TimeSpanError, detail: string): TimeSpanResult => ({ ok: false, code, detail });
const todayWords = ({ today, isPast }: Pick<TimeSpanContext, "today" | "isPast">): string =>
  isPast ? `as_of is ${today} in New York` : `today in New York is ${today}`;
const isPeriod = (text: string): text is Period => (PERIODS as readonly string[]).includes(text);

const LENGTHS: Record<Exclude<Period, "1d" | "max">, Temporal.DurationLike> = {
  "7d": { days: 7 },
  "30d": { days: 30 },
  "1m": { months: 1 },
  "3m": { months: 3 },
  "6m": { months: 6 },
  "1y": { years: 1 },
  "2y": { years: 2 },
  "5y": { years: 5 },
};

/**
 * First day of a period that ends today, counted as the price provider does: the same day one length earlier,
 * inclusive. 7d on a Friday begins on the Friday before, 1m on 15 September on 15 August. When the earlier
 * month has no such day, its last day is used (1m on 31 March: 28 or 29 February). 1d begins on the latest
 * session, so it always holds a bar. max is null: the first available day.
 */
export function periodStart(period: Period, today: string, latestSession = today): string | null {
  if (period === "max") return null;
  if (period === "1d") return latestSession < today ? latestSession : today;
  return Temporal.PlainDate.from(today).subtract(LENGTHS[period]).toString();
}

/**
 * First and last day of a calendar quarter such as `2026Q1`; null for another form or a year outside
 * 1900–2100.
 */
export function quarterRange(label: string): { start: string; end: string } | null {
  const match = /^(\d{4})Q([1-4])$/.exec(label);
  if (!match) return null;
  const month = (quarter: number) => `${match[1]}-${String(quarter).padStart(2, "0")}`;
  const last = Number(match[2]) * 3;
  const end = `${month(last)}-${last === 3 || last === 12 ? 31 : 30}`;
  return isDate(end) ? { start: `${month(last - 2)}-01`, end } : null;
}

/** The days from `start` to `end`, which are used together where the span is not open. */
function fromDates(
  start: string | null,
  given: string | null,
  context: Pick<TimeSpanContext, "today" | "isPast" | "isOpen">,
): TimeSpanResult {
  const { today, isOpen = false } = context;
  // A start in the future is refused below, not as an end before its start.
  const end = isOpen && start !== null ? (given ?? laterDay(start, today)) : given;
  if (start === null || end === null)
    return refuse("invalid_date_range", "start_date and end_date are used together: give both.");
  for (const [name, date] of [
    ["start_date", start],
    ["end_date", end],
  ] as const) {
    if (!isDate(date)) return refuse("bad_request", `${name} is not an existing day written YYYY-MM-DD.`);
  }
  if (end < start)
    return refuse("invalid_date_range", `end_date ${end} is earlier than start_date ${start}.`);
  if (start > today)
    return refuse("invalid_date_range", `start_date ${start} is in the future: ${todayWords(context)}.`);
  const ranges = [{ start, end: earlierDay(end, today) }];
  return { ok: true, span: { start, end, period: null, quarters: null, ranges } };
}

function fromQuarters(labels: readonly string[], context: TimeSpanContext): TimeSpanResult {
  const until = context.quartersUntil ?? context.today;
  if (labels.length < 1 || labels.length > QUARTERS_MAX)
    return refuse("bad_request", `quarters takes 1 to ${QUARTERS_MAX} labels, not ${labels.length}.`);
  const quarters = [...new Set(labels)].sort();
  const ranges: { start: string; end: string }[] = [];
  let [first, last] = ["", ""];
  for (const label of quarters) {
    const range = quarterRange(label);
    if (!range) return refuse("bad_request", "A quarter is written <year>Q<1-4>, such as 2026Q1.");
    if (range.start > until)
      return refuse("invalid_date_range", `${label} has not begun: ${todayWords(context)}.`);
    first ||= range.start;
    last = range.end;
    const end = earlierDay(range.end, until);
    const before = ranges.at(-1);
    if (before && addDays(before.end, 1) === range.start) before.end = end;
    else ranges.push({ start: range.start, end });
  }
  return { ok: true, span: { start: first, end: last, period: null, quarters, ranges } };
}

/**
 * Resolves which days a request means. At most one way may be given; without one the default period applies.
 *
 * Error codes: `conflicting_time_selection` for several ways, or none where one is required;
 * `invalid_date_range` for one of the two days alone, an end before its start, or a start or quarter in the
 * future; `bad_request` for a malformed value (which a request's schema refuses earlier).
 */
export function resolveTimeSpan(input: TimeSelection, context: TimeSpanContext): TimeSpanResult {
  const { today } = context;
  const [start, end] = [input.start_date ?? null, input.end_date ?? null];
  const given = [
    ...((input.period ?? null) === null ? [] : ["period"]),
    ...(start === null && end === null ? [] : ["start_date/end_date"]),
    ...((input.quarters ?? null) === null ? [] : ["quarters"]),
  ];
  const rule = "Give exactly one of period, start_date with end_date, or quarters";
  if (given.length > 1)
    return refuse("conflicting_time_selection", `${rule}, not ${given.join(" and ")} together.`);
  if (input.quarters) return fromQuarters(input.quarters, context);
  if (start !== null || end !== null) return fromDates(start, end, context);
  const period = input.period ?? (context.required ? undefined : context.default);
  if (period === undefined) return refuse("conflicting_time_selection", `${rule}; none was given.`);
  if (!isPeriod(period)) return refuse("bad_request", `period is one of ${PERIODS.join(", ")}.`);
  const range = { start: periodStart(period, today, context.latestSession), end: today };
  return { ok: true, span: { ...range, period, quarters: null, ranges: [range] } };
}
