// Reads the filings of a day apart from the requests for it: a request waits a while, and the reading goes on
// after its answer.
import type { Services } from "../../market/services.ts";
import type { FilingStore } from "./filing-store.ts";
import type { Kind } from "./forms.ts";
import type { OwnershipReader, ReadCounts } from "./reader.ts";
import type { OwnershipVersions } from "./version-state.ts";

/** How long the first part of a reading lasts. What was read by then is stored and can be answered with. */
// Of 400 pending filings of a day some 56 are read by then, at eight a second.
const FIRST_PART_MS = 7_000;
/**
 * How long a request waits for a reading. A filing that is on its way when the first part ends may take a few
 * seconds.
 */
const WAIT_MS_MAX = 9_000;

interface Reading {
  /** The newest part that has begun; replaced when the next one begins. */
  part: Promise<ReadCounts>;
}

export interface DayReadingDeps extends Pick<Services, "clock" | "log"> {
  readonly filings: Pick<FilingStore, "find">;
  readonly reader: Pick<OwnershipReader, "read">;
  readonly versions: Pick<OwnershipVersions, "noteDays">;
}

export function dayReading({ filings, reader, versions, clock, log }: DayReadingDeps) {
  const stopping = new AbortController();
  const readings = new Map<string, Reading>();
  const running = new Set<Promise<void>>();

  const readPart = (date: string, kind: Kind, untilMs: number) => {
    const pending = filings.find({ kind, from: date, to: date, status: ["pending"] });
    return reader.read(pending, { signal: stopping.signal, untilMs });
  };

  /** Starts to read what is pending of a day. */
  const start = (key: string, date: string, kind: Kind): Reading => {
    const reading: Reading = { part: readPart(date, kind, clock.nowMs() + FIRST_PART_MS) };
    const whole = async () => {
      const { outage, read } = await reading.part;
      if (outage !== null || stopping.signal.aborted) return;
      reading.part = readPart(date, kind, Number.POSITIVE_INFINITY);
      const rest = await reading.part;
      if (read + rest.read > 0) await versions.noteDays([date]);
    };
    const work = whole()
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) log.error("the filings of a day could not be read", { date, error });
      })
      .finally(() => {
        readings.delete(key);
        running.delete(work);
      });
    readings.set(key, reading);
    running.add(work);
    return reading;
  };

  return {
    /**
     * Reads what is pending of a day, and resolves when it is read or after some 9 s; the rest is then read
     * in the background. Resolves to null when the reading goes on. Throws the signal's reason, and as the
     * reader does.
     */
    async read(date: string, kind: Kind, signal: AbortSignal): Promise<ReadCounts | null> {
      const key = `${kind} ${date}`;
      const { part } = readings.get(key) ?? start(key, date, kind);
      const over = new AbortController();
      const wait = clock.sleep(WAIT_MS_MAX, AbortSignal.any([signal, over.signal])).then(
        () => null,
        () => null,
      );
      const counts = await Promise.race([part, wait]);
      over.abort();
      signal.throwIfAborted();
      return counts;
    },

    /** Starts no further filing and waits for those in progress. */
    async stop(): Promise<void> {
      stopping.abort(new Error("the service is stopping"));
      await Promise.all(running);
    },
  };
}

export type DayReading = ReturnType<typeof dayReading>;
