// The one act behind the evening job, the admin route and the command: takes files of days in, once each version.
import { mapSettled } from "../../market/bulk.ts";
import { type Calendar, newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import type { Clock } from "../../platform/clock.ts";
import { AsofError, StorageUnavailable } from "../../platform/errors.ts";
import type { ShortVolumeFile, ShortVolumeLine } from "../../providers/finra/index.ts";
import { isOverdue, knownAt, newestDue } from "./publication.ts";
import { emptyReport, type IngestReport, type SkipReason, sorted } from "./report.ts";
import { type Facility, FIRST_FILE_DATE, type ShortVolumeLog, type ShortVolumeSource } from "./sources.ts";
import type { ShortVolumeStore, StoredFile } from "./store.ts";

/** Sessions whose files are fetched again to find corrections. */
export const CORRECTED_SESSIONS = 5;
/** Files fetched at once; what arrives together is stored together. */
const AT_ONCE = 3;
/** Holes of the past that the evening job tries to fill, newest first. */
const HOLES_MAX = 20;

export interface IngestDeps {
  readonly source: ShortVolumeSource;
  readonly store: ShortVolumeStore;
  readonly calendar: Calendar;
  readonly clock: Clock;
  readonly log: ShortVolumeLog;
}

export interface IngestOptions {
  readonly dates: readonly string[];
  readonly facility: Facility;
  /** Fetch stored days too. */
  readonly force: boolean;
  readonly signal: AbortSignal;
  /** Told after each date. */
  readonly onStep?: (report: IngestReport, date: string) => void;
}

/** Days from `start` to `end`, weekends and holidays among them. */
export function everyDay(start: string, end: string): string[] {
  const days: string[] = [];
  for (let date = start; date <= end; date = addDays(date, 1)) days.push(date);
  return days;
}

const figures = (line: Omit<ShortVolumeLine, "date">) =>
  `${line.short_volume}|${line.short_exempt_volume}|${line.total_volume}|${line.market}`;

export function volumeIngest({ source, store, calendar, clock, log }: IngestDeps) {
  /** Why a date is not asked for at all; null when it is. */
  const reasonNotToAsk = (
    date: string,
    stored: StoredFile | undefined,
    force: boolean,
  ): SkipReason | null => {
    const now = clock.now();
    if (date < FIRST_FILE_DATE) return "before_history";
    if (!calendar.covers(date) || date > newYorkDate(now)) return "not_published";
    if (!calendar.isSession(date)) return "holiday";
    if (date > calendar.lastClosedSession(now)) return "not_published";
    if (stored && !force && date < recentFrom()) return "already_ingested";
    return null;
  };
  /** The first of the sessions that are looked at again. */
  const recentFrom = () => {
    let date = newestDue(calendar, clock.now());
    for (let n = 1; n < CORRECTED_SESSIONS; n++) date = calendar.previousSession(date);
    return date;
  };

  /** Rows of a correction that differ from the version before, rows gone among them. */
  const changedRows = async (facility: Facility, date: string, former: StoredFile, file: ShortVolumeFile) => {
    const before = new Map(
      (await store.rowsOf(facility, date, former.known_at)).map((row) => [row.symbol, figures(row)]),
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
    const known_at = knownAt(calendar, { date, fetched_at, last_modified, former: former?.known_at ?? null });
    const same = { facility, known_at, fetched_at, source: "finra" };
    return store.saveVolume(
      { ...same, date, rows: lines.length, test_rows: test_lines, sha256, last_modified },
      lines.map((line) => ({ ...line, ...same })),
    );
  };

  const one = async (
    date: string,
    stored: StoredFile | undefined,
    options: IngestOptions,
    report: IngestReport,
  ) => {
    const { facility, force, signal } = options;
    const reason = reasonNotToAsk(date, stored, force);
    if (reason) return void report.skipped.push({ date, reason });
    const plainOnly = !isOverdue(date, clock.now());
    const file = await source.shortVolume(facility, date, { plainOnly, signal });
    if (!file) {
      // The calendar tells a lost file from one that is not out yet.
      if (!plainOnly && !stored)
        log.error("there is no short-volume file of a trading day", { facility, date });
      return void report.skipped.push({ date, reason: stored ? "already_ingested" : "not_published" });
    }
    if (stored?.sha256 === file.sha256) return void report.skipped.push({ date, reason: "already_ingested" });
    const changed = stored ? await changedRows(facility, date, stored, file) : 0;
    await save(facility, date, stored, file);
    report.ingested.push({ date, rows: file.lines.length });
    if (!stored) report.rows_inserted += file.lines.length;
    else {
      report.rows_updated += changed;
      log.info("a short-volume file was corrected", { facility, date, rows: changed });
    }
  };

  return {
    /** Takes the dates in; a date that fails does not stop the others, a store that cannot be written does. */
    async ingest(options: IngestOptions): Promise<IngestReport> {
      const report = emptyReport(options.dates);
      const files = await store.files(options.facility);
      const stored = new Map(files.map((file) => [file.date, file]));
      const outcomes = await mapSettled(
        options.dates,
        async (date) => {
          try {
            await one(date, stored.get(date), options, report);
          } catch (error) {
            if (
              options.signal.aborted ||
              !(error instanceof AsofError) ||
              error instanceof StorageUnavailable
            )
              throw error;
            report.failed.push({ date, error: error.message });
          }
          options.onStep?.(report, date);
        },
        { concurrency: AT_ONCE, signal: options.signal },
      );
      if (report.ingested.length > 0) store.readFilesAhead();
      options.signal.throwIfAborted();
      const fault = outcomes.find((outcome) => !outcome.ok);
      if (fault && !fault.ok) throw fault.error;
      return sorted(report);
    },

    /** The newest sessions whose files are due, oldest first. */
    newestSessions(count: number): string[] {
      const sessions = [newestDue(calendar, clock.now())];
      while (sessions.length < count && (sessions[0] ?? "") > FIRST_FILE_DATE)
        sessions.unshift(calendar.previousSession(sessions[0] ?? ""));
      return sessions;
    },

    /** Sessions since the first stored one that are due and have no file, oldest first. */
    async missing(facility: Facility): Promise<string[]> {
      const files = await store.files(facility);
      const [first] = files;
      if (!first) return [];
      const have = new Set(files.map(({ date }) => date));
      const due = calendar.sessionsBetween(first.date, newestDue(calendar, clock.now()));
      return due.filter((date) => !have.has(date));
    },

    /** What the evening's run asks for: the newest sessions, and holes of the past. */
    async owed(facility: Facility): Promise<string[]> {
      const holes = (await this.missing(facility)).slice(-HOLES_MAX);
      return [...new Set([...holes, ...this.newestSessions(CORRECTED_SESSIONS)])].sort();
    },
  };
}

export type VolumeIngest = ReturnType<typeof volumeIngest>;
