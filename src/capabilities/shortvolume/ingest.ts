// Fetches and stores the daily files, each version once: run by the evening job, the admin route and the
// command line.
import { mapSettled } from "../../market/bulk.ts";
import { addDays } from "../../market/date.ts";
import type { Services } from "../../market/services.ts";
import { AsofError, StorageUnavailable } from "../../platform/errors.ts";
import type { Log } from "../../platform/log.ts";
import type { ShortVolumeFile, ShortVolumeLine } from "../../providers/finra/index.ts";
import type { DueFiles } from "./due-files.ts";
import { isOverdue, knownAt } from "./publication.ts";
import { emptyReport, type IngestReport, sorted } from "./report.ts";
import type { Facility, ShortVolumeSource } from "./sources.ts";
import type { ShortVolumeStore, StoredFile } from "./store.ts";

/** Files fetched at the same time. Files that arrive together are stored together. */
const CONCURRENCY = 3;

export interface IngestDeps extends Pick<Services, "clock" | "calendar"> {
  readonly source: ShortVolumeSource;
  readonly store: ShortVolumeStore;
  readonly log: Pick<Log, "info" | "warn" | "error">;
}

export interface IngestOptions {
  readonly dates: readonly string[];
  readonly facility: Facility;
  /** Fetch stored days too. */
  readonly force: boolean;
  readonly signal: AbortSignal;
  /** Called after each date. */
  readonly onStep?: (report: IngestReport, date: string) => void;
}

/** All days from `start` to `end`, including weekends and holidays. */
export function everyDay(start: string, end: string): string[] {
  const days: string[] = [];
  for (let date = start; date <= end; date = addDays(date, 1)) days.push(date);
  return days;
}

/** An error that fails one date and not the whole ingest. */
export const failsOneDate = (error: unknown, signal: AbortSignal): error is AsofError =>
  !signal.aborted && error instanceof AsofError && !(error instanceof StorageUnavailable);

const figures = (line: Omit<ShortVolumeLine, "date">) =>
  `${line.short_volume}|${line.short_exempt_volume}|${line.total_volume}|${line.market}`;

export function volumeIngest(deps: IngestDeps & { readonly due: DueFiles }) {
  const { source, store, calendar, clock, log, due } = deps;

  /** Number of rows in which a correction differs from the version before, including removed rows. */
  const countChanges = async (
    facility: Facility,
    date: string,
    former: StoredFile,
    file: ShortVolumeFile,
  ): Promise<number> => {
    const before = new Map(
      (await store.fileLines(facility, date, former.known_at)).map((row) => [row.symbol, figures(row)]),
    );
    let changed = 0;
    for (const line of file.lines) {
      if (before.get(line.symbol) !== figures(line)) changed++;
      before.delete(line.symbol);
    }
    return changed + before.size;
  };

  const save = (facility: Facility, date: string, former: StoredFile | undefined, file: ShortVolumeFile) => {
    const { fetched_at, last_modified, sha256, lines, test_lines } = file;
    const isSame = former?.sha256 === sha256;
    const known_at = isSame
      ? former.known_at
      : knownAt(calendar, { date, fetched_at, last_modified, former: former?.known_at ?? null });
    const shared = { facility, known_at, fetched_at, source: "finra" };
    return store.saveVolume(
      { ...shared, date, rows: lines.length, test_rows: test_lines, sha256, last_modified },
      lines.map((line) => ({ ...line, ...shared })),
    );
  };

  /** Fetches and stores the file of one date, and adds the outcome to the report. */
  const ingestDate = async (
    date: string,
    stored: StoredFile | undefined,
    options: IngestOptions,
    report: IngestReport,
  ): Promise<void> => {
    const { facility, force, signal } = options;
    const reason = due.skipReason(date, stored, force);
    if (reason) return void report.skipped.push({ date, reason });
    const plainOnly = !isOverdue(date, clock.now());
    const file = await source.shortVolume(facility, date, { plainOnly, signal });
    if (!file) {
      // A file that is overdue is lost. Before that it is only late.
      if (!plainOnly && !stored) log.error("a trading day has no short-volume file", { facility, date });
      return void report.skipped.push({ date, reason: stored ? "already_ingested" : "not_published" });
    }
    const isSame = stored?.sha256 === file.sha256;
    if (isSame && !force) return void report.skipped.push({ date, reason: "already_ingested" });
    const changed = stored && !isSame ? await countChanges(facility, date, stored, file) : 0;
    const saved = await save(facility, date, stored, file);
    // Rows of the same file were lost, and are known from when they were.
    if (isSame && saved === 0) return void report.skipped.push({ date, reason: "already_ingested" });
    report.ingested.push({ date, rows: file.lines.length });
    if (!stored || isSame) report.rows_inserted += isSame ? saved : file.lines.length;
    else {
      report.rows_updated += changed;
      log.info("a short-volume file was corrected", { facility, date, rows: changed });
    }
  };

  return {
    /** Ingests dates. A date that fails does not stop the others; a failure to write to the store does. */
    async ingest(options: IngestOptions): Promise<IngestReport> {
      const { dates, facility, signal, onStep } = options;
      const report = emptyReport(dates);
      const files = await store.files(facility);
      const stored = new Map(files.map((file) => [file.date, file]));
      const outcomes = await mapSettled(
        dates,
        async (date) => {
          try {
            await ingestDate(date, stored.get(date), options, report);
          } catch (error) {
            if (!failsOneDate(error, signal)) throw error;
            report.failed.push({ date, error: error.message });
          }
          onStep?.(report, date);
        },
        { concurrency: CONCURRENCY, signal },
      );
      if (report.ingested.length > 0) store.readFilesAhead();
      signal.throwIfAborted();
      for (const outcome of outcomes) if (!outcome.ok) throw outcome.error;
      return sorted(report);
    },
  };
}

export type VolumeIngest = ReturnType<typeof volumeIngest>;
