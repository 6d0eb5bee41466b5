// Which revisions an observation adds to what is stored of reports and surprises. Pure.
import type { earningsCalendar } from "../../datasets/earnings-calendar.ts";
import type { earningsSurprises } from "../../datasets/earnings-surprises.ts";
import type { RowOf } from "../../platform/lake/dataset.ts";

export type ReportRow = RowOf<typeof earningsCalendar>;
export type SurpriseRow = RowOf<typeof earningsSurprises>;

type Stamp = "symbol" | "as_of_date" | "revision" | "known_at" | "source";
export type SeenReport = Omit<ReportRow, Exclude<Stamp, "symbol"> | "withdrawn">;
export type SeenSurprise = Omit<SurpriseRow, Stamp>;

/** Who saw it, and when. */
export interface Sight {
  readonly source: string;
  /** New York day and moment. */
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

const stampOf = ({ source, today, known_at }: Sight) => ({ as_of_date: today, known_at, source });

/** Surprises that are new or differ from the newest word on their quarter; a quarter no longer listed stays. */
export function reviseSurprises(
  symbol: string,
  stored: readonly SurpriseRow[],
  seen: readonly SeenSurprise[],
  sight: Sight,
): SurpriseRow[] {
  const before = new Map(stored.map((row) => [row.fiscal_quarter_end, row]));
  // Of two rows on one quarter the first, which is the newer, holds.
  const unique = new Map(seen.toReversed().map((row) => [row.fiscal_quarter_end, row]));
  return [...unique.values()].flatMap((row) => {
    const old = before.get(row.fiscal_quarter_end);
    if (old && SURPRISE_FIELDS.every((field) => old[field] === row[field])) return [];
    return [{ ...row, ...stampOf(sight), symbol, revision: (old?.revision ?? 0) + 1 }];
  });
}

const keyOf = (row: { readonly symbol: string; readonly event: string }) => `${row.symbol} ${row.event}`;

/**
 * Reports that are new or differ from the newest word on them, and those that were expected in the part of the
 * calendar that was read and are no longer in it. `stored` holds the newest rows of all events that are seen or that
 * lie in that part.
 */
export function reviseReports(
  stored: readonly ReportRow[],
  seen: readonly SeenReport[],
  sight: Sight,
  withdraws: (row: ReportRow) => boolean,
): ReportRow[] {
  const before = new Map(stored.map((row) => [keyOf(row), row]));
  const unique = new Map(seen.map((row) => [keyOf(row), row]));
  const changed = [...unique].flatMap(([key, row]) => {
    const old = before.get(key);
    if (old && !old.withdrawn && REPORT_FIELDS.every((field) => old[field] === row[field])) return [];
    return [{ ...row, ...stampOf(sight), withdrawn: false, revision: (old?.revision ?? 0) + 1 }];
  });
  const gone = [...before]
    .filter(([key, row]) => !unique.has(key) && !row.withdrawn && withdraws(row))
    .map(([, row]) => ({ ...row, ...stampOf(sight), withdrawn: true, revision: row.revision + 1 }));
  return [...changed, ...gone];
}
