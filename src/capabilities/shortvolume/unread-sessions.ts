// Says which sessions of a range have no stored file.
import { absent } from "../../market/absence.ts";
import { newYorkDate } from "../../market/calendar.ts";
import type { Services } from "../../market/services.ts";
import type { DayRange } from "./range.ts";
import { type Facility, FIRST_FILE_DATE } from "./sources.ts";
import type { ShortVolumeStore } from "./store.ts";

export interface ReadSpan extends DayRange {
  readonly asOf: Temporal.Instant | null;
  readonly facility: Facility;
}

type Deps = { readonly store: ShortVolumeStore } & Pick<Services, "clock" | "calendar">;

/**
 * Creates a function that warns of a range that begins before the first file, and of sessions in it that are
 * not stored.
 */
export function unreadSessions({ store, clock, calendar }: Deps) {
  /** Sessions of the range whose file was public at the moment and is not stored as of then, oldest first. */
  const unread = async ({ start, end, asOf, facility }: ReadSpan) => {
    const from = start < FIRST_FILE_DATE ? FIRST_FILE_DATE : start;
    const today = newYorkDate(asOf ?? clock.now());
    if (today <= FIRST_FILE_DATE || !calendar.covers(today)) return [];
    // Under as_of the file of a session counts from the day of the next one: on a Sunday, Friday's is not
    // known yet.
    const latest = asOf === null ? today : calendar.sessionOnOrBefore(today);
    const published = calendar.previousSession(latest);
    const until = end < published ? end : published;
    if (until < from) return [];
    const stored = new Set((await store.files(facility, asOf)).map(({ date }) => date));
    return calendar.sessionsBetween(from, until).filter((date) => !stored.has(date));
  };

  return async function findUnreadSessions(span: ReadSpan): Promise<string[]> {
    const sessions = await unread(span);
    return [
      ...(span.start < FIRST_FILE_DATE
        ? [absent("nothing_there", `FINRA's files begin on ${FIRST_FILE_DATE}: there is no earlier data.`)]
        : []),
      ...(sessions.length > 0
        ? [
            absent(
              "not_read",
              `The files of ${sessions.length} sessions from ${sessions[0]} to ${sessions.at(-1)} are not stored, so their rows are missing; POST /api/v1/shortvolume/admin/ingest reads them.`,
            ),
          ]
        : []),
    ];
  };
}

export type UnreadSessions = ReturnType<typeof unreadSessions>;
