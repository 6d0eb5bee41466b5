// The state of a ticker's dividends in an earlier data version: the moment that counts as now, and the newest
// reading it holds.
import { absent } from "../../market/absence.ts";
import { newYorkDate } from "../../market/calendar.ts";
import type { Services } from "../../market/services.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import { refuseInReplay } from "../../platform/reading.ts";
import { type MomentFields, momentOf } from "./asked-moment.ts";
import { DAY_GOOD_S } from "./collect.ts";
import type { DividendStore, StoredReading } from "./store.ts";

export interface VersionStateDeps extends Pick<Services, "calendar"> {
  readonly store: Pick<DividendStore, "dayReadings" | "readingOf" | "versionMoment">;
}

const UNSTORED = "what was read of the ticker's dividends";
/**
 * How long before a version the lists of its answers were read at most: as long as they count as new, and a
 * little.
 */
const LIST_AGE_S = DAY_GOOD_S + 60;

/** Days whose lists a version lacks, or has as they were some time before. */
export interface UnreadDays {
  readonly never: readonly string[];
  readonly old: readonly string[];
}

export function versionState({ store, calendar }: VersionStateDeps) {
  /** Whether a reading is older than what an answer of a moment would have asked for. */
  const isOlder = ({ read_at }: StoredReading, past: Temporal.Instant | null, now: Temporal.Instant) =>
    Temporal.Instant.compare(
      Temporal.Instant.from(read_at),
      past ?? calendar.sessionOpen(calendar.latestSession(now)),
    ) < 0;

  return {
    /**
     * The moment that counts as now: the version's commit. Throws `not_replayable` for a moment of a later
     * day, since the version does not tell whether that day had come.
     */
    async moment(asked: MomentFields, signal: AbortSignal): Promise<Temporal.Instant> {
      const now = await store.versionMoment(signal);
      if (now === null)
        throw new InvalidRequest("not_replayable", "The time of this data version was not noted.", {
          hint: "Leave out data_version.",
        });
      const today = newYorkDate(now);
      const moment = momentOf(asked);
      const day = moment === null ? today : newYorkDate(moment);
      if (day > today) refuseInReplay(`the state of ${day}`, `Give an as_of up to ${today}, or none.`);
      return now;
    },

    /** Which of the days a version's answer of a moment misses. */
    async unreadDays(
      sessions: readonly string[],
      { asOf, now }: { readonly asOf: Temporal.Instant; readonly now: Temporal.Instant },
      signal: AbortSignal,
    ): Promise<UnreadDays> {
      const [from, to] = [sessions[0], sessions.at(-1)];
      if (from === undefined || to === undefined) return { never: [], old: [] };
      const readAt = await store.dayReadings({ from, to }, signal);
      const good = now.subtract({ seconds: LIST_AGE_S });
      const needed = Temporal.Instant.compare(asOf, good) < 0 ? asOf : good;
      const never = sessions.filter((day) => !readAt.has(day));
      const old = sessions.filter((day) => {
        const at = readAt.get(day);
        return at !== undefined && Temporal.Instant.compare(at, needed) < 0;
      });
      return { never, old };
    },

    /**
     * The newest reading of a symbol, with the warnings of an answer; `past` is null for an answer as of the
     * version's moment. Throws `not_replayable` where the version holds none: how far splits were known
     * decides adjusted amounts.
     */
    async reading(
      symbol: string,
      past: Temporal.Instant | null,
      now: Temporal.Instant,
      signal: AbortSignal,
    ): Promise<StoredReading> {
      const reading = await store.readingOf(symbol, signal);
      if (reading === null) {
        refuseInReplay(UNSTORED);
        throw new Error("only an earlier version is without the reading of an answer");
      }
      const { read_at, coverage, splits_through, warnings } = reading;
      const isOld = isOlder(reading, past, now);
      // A past day is answered from any whole reading after it, whatever that one could not read of later
      // days.
      if (past !== null && !isOld && coverage !== null && splits_through !== null)
        return { ...reading, warnings: [] };
      if (!isOld || warnings.length > 0) return reading;
      return {
        ...reading,
        warnings: [absent("not_read", `This data version has the ticker as of ${read_at}.`)],
      };
    },
  };
}
