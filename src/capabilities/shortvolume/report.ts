// The outcome of an ingest, date by date, during and after the run.
export const SKIP_REASONS = ["already_ingested", "not_published", "holiday", "before_history"] as const;
export type SkipReason = (typeof SKIP_REASONS)[number];

export interface IngestReport {
  readonly requested_dates: readonly string[];
  readonly ingested: { date: string; rows: number }[];
  readonly skipped: { date: string; reason: SkipReason }[];
  readonly failed: { date: string; error: string }[];
  rows_inserted: number;
  rows_updated: number;
}

export const emptyReport = (requested_dates: readonly string[]): IngestReport => ({
  requested_dates,
  ingested: [],
  skipped: [],
  failed: [],
  rows_inserted: 0,
  rows_updated: 0,
});

/** Number of dates that are done. */
export const doneIn = ({ ingested, skipped, failed }: IngestReport): number =>
  ingested.length + skipped.length + failed.length;

/** The report with its lists sorted by date: files arrive out of order. */
export function sorted(report: IngestReport): IngestReport {
  const byDate = <T extends { date: string }>(list: readonly T[]) =>
    [...list].sort((a, b) => (a.date < b.date ? -1 : 1));
  return {
    ...report,
    ingested: byDate(report.ingested),
    skipped: byDate(report.skipped),
    failed: byDate(report.failed),
  };
}
