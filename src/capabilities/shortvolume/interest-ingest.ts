// Fetches and stores short-interest files: two a month, each again while it may still be corrected.
import { type Calendar, newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import { failsOneDate, type IngestDeps } from "./ingest.ts";
import { emptyReport, type IngestReport } from "./report.ts";

/** Exchange-listed securities are in these files from this month on. */
const FIRST_MONTH = "2021-06-01";
/** How far back the daily run looks for new and corrected files. */
export const INTEREST_DAYS_BACK = 60;
/** A stored file is fetched again within this many days of its settlement date. */
// The file of 15 July is fetched again up to 29 August.
const CORRECTED_DAYS = 45;

/**
 * Settlement dates of short interest from `start` to `end`: the last session by the 15th, and the last of
 * each month.
 */
export function settlementDates(calendar: Calendar, start: string, end: string): string[] {
  const dates: string[] = [];
  let month = Temporal.PlainDate.from(start).with({ day: 1 });
  for (; month.toString() <= end; month = month.add({ months: 1 }))
    for (const day of [15, month.daysInMonth]) {
      const date = month.with({ day }).toString();
      if (calendar.covers(date)) dates.push(calendar.sessionOnOrBefore(date));
    }
  return dates.filter((date) => date >= start && date <= end);
}

export interface InterestOptions {
  readonly start: string;
  readonly end: string;
  readonly force: boolean;
  readonly signal: AbortSignal;
  readonly onStep?: (report: IngestReport, date: string) => void;
}

export function interestIngest({ source, store, calendar, clock, log }: IngestDeps) {
  /** Fetches and stores the file of one settlement date, and adds the outcome to the report. */
  const ingestDate = async (
    date: string,
    options: InterestOptions,
    report: IngestReport,
    stored: { sha256: string; known_at: string } | undefined,
  ) => {
    const isSettled = date < addDays(newYorkDate(clock.now()), -CORRECTED_DAYS);
    if (stored && isSettled && !options.force)
      return void report.skipped.push({ date, reason: "already_ingested" });
    const file = await source.shortInterest(date, options.signal);
    if (!file)
      return void report.skipped.push({ date, reason: stored ? "already_ingested" : "not_published" });
    const isSame = stored?.sha256 === file.sha256;
    if (isSame && !options.force) return void report.skipped.push({ date, reason: "already_ingested" });
    const { fetched_at, last_modified, sha256, lines } = file;
    // The file does not say when it was published, so it counts as known from the first fetch on.
    const shared = { known_at: isSame ? stored.known_at : fetched_at, source: "finra" };
    const saved = await store.saveInterest(
      {
        ...shared,
        facility: "SHRT",
        date,
        rows: lines.length,
        test_rows: 0,
        sha256,
        last_modified,
        fetched_at,
      },
      lines.map((line, i) => ({ ...line, ...shared, line: i + 1 })),
    );
    if (isSame && saved === 0) return void report.skipped.push({ date, reason: "already_ingested" });
    report.ingested.push({ date, rows: lines.length });
    if (isSame) report.rows_inserted += saved;
    else if (stored) report.rows_updated += lines.length;
    else report.rows_inserted += lines.length;
  };

  return {
    /** Ingests the files of the settlement dates in a range. A date that fails does not stop the others. */
    async ingest(options: InterestOptions): Promise<IngestReport> {
      const from = options.start < FIRST_MONTH ? FIRST_MONTH : options.start;
      const dates = settlementDates(calendar, from, options.end);
      const report = emptyReport(dates);
      const stored = new Map((await store.files("SHRT")).map((file) => [file.date, file]));
      for (const date of dates) {
        options.signal.throwIfAborted();
        try {
          await ingestDate(date, options, report, stored.get(date));
        } catch (error) {
          if (!failsOneDate(error, options.signal)) throw error;
          report.failed.push({ date, error: error.message });
          log.warn("a short-interest file could not be ingested", { date, error });
        }
        options.onStep?.(report, date);
      }
      return report;
    },
  };
}

export type InterestIngest = ReturnType<typeof interestIngest>;
