// Decides which revisions an observation adds to the stored reports and surprises. Pure.
import type { earningsCalendar } from "../../datasets/earnings-calendar.ts";
import type { earningsSurprises } from "../../datasets/earnings-surprises.ts";
import type { RowOf } from "../../platform/lake/dataset.ts";

export type ReportRow = RowOf<typeof earningsCalendar>;
export type SurpriseRow = RowOf<typeof earningsSurprises>;

type Stamp = "symbol" | "as_of_date" | "revision" | "known_at" | "source";
export type SeenReport = Omit<ReportRow, Exclude<Stamp, "symbol"> | "withdrawn">;
export type SeenSurprise = Omit<SurpriseRow, Stamp>;

/** The source of an observation and when it was made. */
export interface ObservedBy {
  readonly source: string;
  /** New York day and instant. */
  readonly today: string;
  readonly known_at: string;
}

const SURPRISE_FIELDS = ["report_date", "eps_actual", "eps_estimate"] as const;
const REPORT_FIELDS = [
  "report_date",
  "report_date_end",
  "report_time",
  "fiscal_quarter_end",
  "name",
  "eps_estimate",
  "estimate_count",
  "eps_actual",
  "eps_last_year",
  "revenue_estimate",
  "is_confirmed",
] as const;

const stampOf = ({ source, today, known_at }: ObservedBy) => ({ as_of_date: today, known_at, source });

/**
 * Returns the surprises that are new or differ from the newest revision of their quarter. A quarter that is
 * no longer listed stays.
 */
export function reviseSurprises(
  symbol: string,
  stored: readonly SurpriseRow[],
  seen: readonly SeenSurprise[],
  observedBy: ObservedBy,
): SurpriseRow[] {
  const before = new Map(stored.map((row) => [row.fiscal_quarter_end, row]));
  // Of two rows for one quarter the first is newer and counts.
  const unique = new Map(seen.toReversed().map((row) => [row.fiscal_quarter_end, row]));
  return [...unique.values()].flatMap((row) => {
    const old = before.get(row.fiscal_quarter_end);
    if (old && SURPRISE_FIELDS.every((field) => old[field] === row[field])) return [];
    return [{ ...row, ...stampOf(observedBy), symbol, revision: (old?.revision ?? 0) + 1 }];
  });
}

const eventKey = (row: { readonly symbol: string; readonly event: string }) => `${row.symbol} ${row.event}`;

/**
 * Returns the reports that are new or differ from their newest revision, and withdraws stored ones that the
 * part of the calendar that was read no longer lists. `stored` holds the newest rows of all events that are
 * seen or that lie in that part.
 */
// Made up: a stored report of 5 August is withdrawn by a reading of that day that lacks it, not by one of 6
// August.
export function reviseReports(
  stored: readonly ReportRow[],
  seen: readonly SeenReport[],
  observedBy: ObservedBy,
  withdraws: (row: ReportRow) => boolean,
): ReportRow[] {
  const before = new Map(stored.map((row) => [eventKey(row), row]));
  const unique = new Map(seen.map((row) => [eventKey(row), row]));
  const changed = [...unique].flatMap(([key, row]) => {
    const old = before.get(key);
    if (old && !old.withdrawn && REPORT_FIELDS.every((field) => old[field] === row[field])) return [];
    return [{ ...row, ...stampOf(observedBy), withdrawn: false, revision: (old?.revision ?? 0) + 1 }];
  });
  const gone = [...before]
    .filter(([key, row]) => !unique.has(key) && !row.withdrawn && withdraws(row))
    .map(([, row]) => ({ ...row, ...stampOf(observedBy), withdrawn: true, revision: row.revision + 1 }));
  return [...changed, ...gone];
}
