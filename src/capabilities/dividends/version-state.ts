// What an earlier data version knows of a ticker's dividends: the moment that counts as now, and the newest reading it holds.
import { absent } from "../../market/absence.ts";
import { newYorkDate } from "../../market/calendar.ts";
import type { Services } from "../../market/services.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import { refuseInReplay } from "../../platform/reading.ts";
import type { DividendStore, StoredReading } from "./store.ts";

export interface VersionStateDeps extends Pick<Services, "calendar"> {
  readonly store: Pick<DividendStore, "readingOf" | "versionMoment">;
}

const UNSTORED = "what was read of the ticker's dividends";

export function versionState({ store, calendar }: VersionStateDeps) {
  /** Whether a reading is older than what an answer of a moment would have asked for. */
  const isOlder = ({ read_at }: StoredReading, past: Temporal.Instant | null, now: Temporal.Instant) =>
    Temporal.Instant.compare(
      Temporal.Instant.from(read_at),
      past ?? calendar.sessionOpen(calendar.latestSession(now)),
    ) < 0;

  return {
    /**
     * The moment that counts as now: the version's commit. Throws `not_replayable` for a later `as_of_date`, since the version does not
     * tell whether that day had come.
     */
    async moment(as_of_date: string | undefined, signal: AbortSignal): Promise<Temporal.Instant> {
      const now = await store.versionMoment(signal);
      if (now === null)
        throw new InvalidRequest("not_replayable", "The time of this data version was not noted.", {
          hint: "Leave out data_version.",
        });
      const today = newYorkDate(now);
      if (as_of_date !== undefined && as_of_date > today)
        refuseInReplay(`the state of ${as_of_date}`, `Give an as_of_date up to ${today}, or none.`);
      return now;
    },

    /**
     * The newest reading of a symbol, with the warnings of an answer; `past` is null for an answer as of the version's moment. Throws
     * `not_replayable` where the version holds none: how far splits were known decides adjusted amounts.
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
      // A past day is answered from any whole reading after it, whatever that one could not read of later days.
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

export type VersionState = ReturnType<typeof versionState>;
