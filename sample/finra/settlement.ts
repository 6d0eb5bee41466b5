// The two settlement dates of each month for which short interest is collected, and when its file comes out.
import { type Session, secondsAt } from "../sessions.ts";

/** Sessions between a settlement date and the afternoon its file is published. */
const SESSIONS_LATER = 8;
const NEW_YORK = "America/New_York";

/** One settlement date; `index` is its place among the sessions. */
export interface Settlement {
  readonly index: number;
  readonly session: Session;
  /** Epoch seconds; null where the table of sessions ends before. */
  readonly publishedAt: number | null;
}

/** The last session up to the 15th, and the last one, of each month of the table; oldest first. */
export function settlements(sessions: readonly Session[]): Settlement[] {
  return sessions.flatMap((session, index) => {
    const next = sessions[index + 1];
    if (!next) return [];
    const isMiddle =
      session.date.slice(8) <= "15" &&
      (next.date.slice(8) > "15" || next.date.slice(0, 7) !== session.date.slice(0, 7));
    const isEnd = next.date.slice(0, 7) !== session.date.slice(0, 7);
    if (!isMiddle && !isEnd) return [];
    const out = sessions[index + SESSIONS_LATER];
    return [{ index, session, publishedAt: out ? secondsAt(out.date, "16:00", NEW_YORK) : null }];
  });
}
