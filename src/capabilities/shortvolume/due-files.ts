// Which dates have a file that is due, and which dates to fetch.
import { newYorkDate } from "../../market/calendar.ts";
import type { Services } from "../../market/services.ts";
import { newestDue } from "./publication.ts";
import type { SkipReason } from "./report.ts";
import { type Facility, FIRST_FILE_DATE } from "./sources.ts";
import type { ShortVolumeStore, StoredFile } from "./store.ts";

/** Sessions whose files are fetched again to find corrections. */
// On a Friday evening the files of Monday to Friday are fetched again.
export const CORRECTED_SESSIONS = 5;
/** Missing files of the past that one evening run fetches, newest first. */
// Sixty missing files take three evenings.
const MISSING_MAX = 20;

interface DueFilesDeps extends Pick<Services, "clock" | "calendar"> {
  readonly store: ShortVolumeStore;
}

export function dueFiles({ store, calendar, clock }: DueFilesDeps) {
  /** The newest sessions whose files are due, oldest first. */
  const newestSessions = (count: number): string[] => {
    const sessions = [newestDue(calendar, clock.now())];
    while (sessions.length < count && (sessions[0] ?? "") > FIRST_FILE_DATE)
      sessions.unshift(calendar.previousSession(sessions[0] ?? ""));
    return sessions;
  };

  /** The first of the sessions whose files are fetched again. */
  const correctedFrom = () => {
    let date = newestDue(calendar, clock.now());
    for (let n = 1; n < CORRECTED_SESSIONS; n++) date = calendar.previousSession(date);
    return date;
  };

  /** Sessions since the first stored one that are due and have no file, oldest first. */
  const missing = async (facility: Facility): Promise<string[]> => {
    const files = await store.files(facility);
    const [first] = files;
    if (!first) return [];
    const stored = new Set(files.map(({ date }) => date));
    const due = calendar.sessionsBetween(first.date, newestDue(calendar, clock.now()));
    return due.filter((date) => !stored.has(date));
  };

  return {
    newestSessions,
    missing,

    /** Whether a file of a date was read. */
    isStored: async (facility: Facility, date: string): Promise<boolean> =>
      (await store.files(facility)).some((file) => file.date === date),

    /** Returns the dates that the evening run fetches: the newest sessions, and missing files of the past. */
    async toFetch(facility: Facility): Promise<string[]> {
      const past = (await missing(facility)).slice(-MISSING_MAX);
      return [...new Set([...past, ...newestSessions(CORRECTED_SESSIONS)])].sort();
    },

    /** Why the file of a date is not fetched; null if it is. */
    skipReason(date: string, stored: StoredFile | undefined, force: boolean): SkipReason | null {
      const now = clock.now();
      if (date < FIRST_FILE_DATE) return "before_history";
      if (!calendar.covers(date) || date > newYorkDate(now)) return "not_published";
      if (!calendar.isSession(date)) return "holiday";
      if (date > calendar.lastClosedSession(now)) return "not_published";
      if (stored && !force && date < correctedFrom()) return "already_ingested";
      return null;
    },
  };
}

export type DueFiles = ReturnType<typeof dueFiles>;
