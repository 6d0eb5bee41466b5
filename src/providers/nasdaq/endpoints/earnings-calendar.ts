// Nasdaq's earnings calendar of one day: the companies that report, the time of day, and the expectations.

import { fromNasdaq } from "../../../market/spelling.ts";
import { UpstreamRefused } from "../../../platform/errors.ts";
import { fetchDecoded } from "../../../platform/upstream/decode.ts";
import type { Upstream, UpstreamAnswer } from "../../../platform/upstream/policy.ts";
import { readEnvelope } from "../envelope.ts";
import { API_HOST } from "../policy.ts";
import type { Wire } from "../wire.ts";

export type ReportTime = "bmo" | "amc" | "unknown";

/** One company on the calendar. Amounts in dollars per share. */
export interface CalendarEarnings {
  /** Canonical. */
  readonly symbol: string;
  readonly name: string | null;
  readonly report_time: ReportTime;
  /** YYYY-MM: the month in which the fiscal quarter ends. */
  readonly fiscal_quarter: string | null;
  readonly eps_estimate: number | null;
  readonly estimate_count: number | null;
  /** Only on days in the past. */
  readonly eps_actual: number | null;
  readonly eps_last_year: number | null;
  readonly last_year_report_date: string | null;
}

export interface EarningsDay {
  readonly date: string;
  readonly rows: readonly CalendarEarnings[];
  /** Number of rows left out because of a symbol of no known convention. */
  readonly unread: number;
  readonly received_at: Temporal.Instant;
}

const DOCUMENT = "earnings calendar";

const TIMES: Readonly<Record<string, ReportTime>> = {
  "time-pre-market": "bmo",
  "time-after-hours": "amc",
};

function readRow(row: Wire, symbol: string): CalendarEarnings {
  const eps = row.at("eps");
  const count = row.at("noOfEsts").numberOrNull();
  return {
    symbol,
    name: row.at("name").textOrNull(),
    report_time: TIMES[row.at("time").textOrNull() ?? ""] ?? "unknown",
    fiscal_quarter: row.at("fiscalQuarterEnding").monthOrNull(),
    eps_estimate: row.at("epsForecast").numberOrNull(),
    estimate_count: count === null || !Number.isInteger(count) ? null : count,
    eps_actual: eps.numberOrNull(),
    eps_last_year: row.at("lastYearEPS").numberOrNull(),
    last_year_report_date: row.at("lastYearRptDt").dateOrNull(),
  };
}

/** Reads one answer. Pure. */
export function readEarningsDay(date: string, answer: UpstreamAnswer): EarningsDay {
  const { data, refusal } = readEnvelope(DOCUMENT, answer);
  if (refusal !== null) throw new UpstreamRefused("nasdaq", `Nasdaq refused its ${DOCUMENT}: ${refusal}`);
  const found = data === null ? [] : data.at("rows").itemsOrNone();
  const rows = found.flatMap((row) => {
    const symbol = fromNasdaq(row.at("symbol").text());
    return symbol === null ? [] : [readRow(row, symbol)];
  });
  return { date, rows, unread: found.length - rows.length, received_at: answer.receivedAt };
}

/** Fetches one New York day; empty when no company reports. Throws Upstream*. */
export async function askEarningsDay(
  upstream: Upstream,
  date: string,
  signal?: AbortSignal,
): Promise<EarningsDay> {
  const url = `https://${API_HOST}/api/calendar/earnings?date=${date}`;
  return fetchDecoded(upstream, { url, signal }, (answer) => readEarningsDay(date, answer));
}
