// Reads a company's next (or last) report and its dividend dates from quoteSummary's calendarEvents.
import { newYorkDate } from "../../../market/calendar.ts";
import type { Wire } from "../wire.ts";

export type ReportTime = "bmo" | "amc" | "unknown";

/** Dates are New York days. Dollars per share; revenue in whole units of the company's currency. */
export interface CalendarEvents {
  readonly symbol: string;
  /** The day of the report, or the first day of a window; null when Yahoo has none. */
  readonly report_date: string | null;
  /** Last day of the window, where Yahoo gives one. */
  readonly report_date_end: string | null;
  readonly report_time: ReportTime;
  /** True when Yahoo marks the day as confirmed, false as an estimate; null when it does not say. */
  readonly is_confirmed: boolean | null;
  readonly eps_estimate: number | null;
  readonly revenue_estimate: number | null;
  readonly ex_dividend_date: string | null;
  readonly dividend_payment_date: string | null;
  readonly received_at: string;
}

const DAY_MS = 86_400_000;
const OPENS = Temporal.PlainTime.from("09:30");
const CLOSES = Temporal.PlainTime.from("16:00");

/**
 * Yahoo stamps a day without a time as midnight UTC (SIX 2021-02-24), which means that day, not the evening
 * before.
 */
const isDayAlone = (at: Temporal.Instant) => at.epochMilliseconds % DAY_MS === 0;

const dayOf = (at: Temporal.Instant): string =>
  isDayAlone(at) ? at.toString().slice(0, 10) : newYorkDate(at);

/** Dividend dates are written as midnight UTC. */
const utcDay = (wire: Wire): string | null => wire.instantOrNull()?.toString().slice(0, 10) ?? null;

/** Yahoo lists instants as numbers or as `{raw, fmt}`. */
const instantsOf = (list: Wire): Temporal.Instant[] =>
  (list.isMissing ? [] : list.items()).flatMap((item) => item.instantOrNull() ?? []);

function timeOf(at: Temporal.Instant): ReportTime {
  if (isDayAlone(at)) return "unknown";
  const time = at.toZonedDateTimeISO("America/New_York").toPlainTime();
  if (Temporal.PlainTime.compare(time, OPENS) < 0) return "bmo";
  return Temporal.PlainTime.compare(time, CLOSES) >= 0 ? "amc" : "unknown";
}

/** Reads the module. Throws UpstreamFailed for a field of another type. */
export function readCalendarEvents(
  symbol: string,
  module: Wire,
  receivedAt: Temporal.Instant,
): CalendarEvents {
  const earnings = module.at("earnings");
  const at = (key: string) => (earnings.isMissing ? earnings : earnings.at(key));
  const instants = instantsOf(at("earningsDate")).sort(Temporal.Instant.compare);
  const [first, last] = [instants[0], instants.at(-1)];
  const estimated = at("isEarningsDateEstimate");
  const isEstimate = typeof estimated.value === "boolean" ? estimated.value : null;
  const isWindow = first !== undefined && last !== undefined && dayOf(first) !== dayOf(last);
  const isConfirmed = isWindow ? false : isEstimate === null ? null : !isEstimate;
  return {
    symbol,
    report_date: first === undefined ? null : dayOf(first),
    report_date_end: isWindow ? dayOf(last) : null,
    // The time of an estimated day only repeats earlier quarters, so it is not used.
    report_time: first !== undefined && isConfirmed === true ? timeOf(first) : "unknown",
    is_confirmed: first === undefined ? null : isConfirmed,
    eps_estimate: at("earningsAverage").numberOrNull(),
    revenue_estimate: at("revenueAverage").numberOrNull(),
    ex_dividend_date: utcDay(module.at("exDividendDate")),
    dividend_payment_date: utcDay(module.at("dividendDate")),
    received_at: receivedAt.toString({ smallestUnit: "millisecond" }),
  };
}
