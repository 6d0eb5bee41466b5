// Which sessions are to be scored again, because figures that were public by their end were stored after
// their run.
import { addDays } from "../../market/date.ts";
import type { Services } from "../../market/services.ts";
import type { OverlayStore } from "./store.ts";

/**
 * Sessions scored again by every run: bars, headlines and insiders' forms do not say when this service stored
 * them.
 */
const RECENT_SESSIONS = 5;
/** Sessions that one run scores again because of late files and page views, the oldest first. */
// Late files of 100 sessions are scored in two runs.
const LATE_MAX = 60;
/** Calendar days before a session whose files and page views its score looks at. */
const FILE_DAYS = 45;
const VIEW_DAYS = 24;

const LATE = `WITH scored AS (SELECT unnest($dates)::DATE AS date, unnest($run_at)::TIMESTAMPTZ AS run_at),
  arrived AS (SELECT date, known_at, fetched_at, ${FILE_DAYS} AS days FROM finra_files
      WHERE facility = 'CNMS' AND fetched_at > $since::TIMESTAMPTZ
    UNION SELECT date, known_at, fetched_at, ${VIEW_DAYS} FROM page_views WHERE fetched_at > $since::TIMESTAMPTZ)
  SELECT DISTINCT s.date FROM scored s JOIN arrived a
    ON a.date BETWEEN s.date - a.days::INTEGER AND s.date AND a.fetched_at > s.run_at
      AND a.known_at <= known_by(s.date::VARCHAR)
  ORDER BY s.date LIMIT ${LATE_MAX}`;

interface LateInputsDeps extends Pick<Services, "lake" | "calendar"> {
  readonly store: OverlayStore;
}

export function lateInputs({ lake, calendar, store }: LateInputsDeps) {
  return {
    /** Scored sessions before `date` that are to be scored again, oldest first. */
    async sessions(date: string, signal: AbortSignal): Promise<string[]> {
      const runs = store.runs().filter((run) => run.date < date);
      const since = runs.map(({ run_at }) => run_at).sort()[0];
      if (since === undefined) return [];
      const found = await lake.query<{ date: string }>(
        LATE,
        { dates: runs.map((run) => run.date), run_at: runs.map(({ run_at }) => run_at), since },
        { signal },
      );
      const recent = calendar.sessionsBetween(addDays(date, -3 * RECENT_SESSIONS), addDays(date, -1));
      const again = new Set([...found.map((row) => row.date), ...recent.slice(-RECENT_SESSIONS)]);
      return runs.map((run) => run.date).filter((day) => again.has(day));
    },
  };
}
