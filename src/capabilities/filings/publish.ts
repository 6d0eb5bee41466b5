// Brings what changed in the index and the events into the lake. What is not there yet is marked, so a crash loses nothing.
import { and, eq, inArray, max } from "drizzle-orm";
import { filingEvents } from "../../datasets/filing-events.ts";
import { filings as filingsDataset } from "../../datasets/filings.ts";
import type { Clock } from "../../platform/clock.ts";
import { batchOf, type Lake } from "../../platform/lake/lake.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import type { FilingsLog } from "./sources.ts";
import { filing_events, filings } from "./tables.ts";

const DELAY_MS = 2_000;
const ROWS_AT_ONCE = 5_000;
const EVENTS_AT_ONCE = 500;

type FilingRow = typeof filings.$inferSelect;

export interface PublishDeps {
  readonly sqlite: Store;
  readonly lake: Lake;
  readonly clock: Clock;
  readonly log: FilingsLog;
}

export function lakePublisher({ sqlite, lake, clock, log }: PublishDeps) {
  const markFilings = (rows: readonly FilingRow[]) =>
    sqlite.write((db) => {
      for (const { accession_number, cik, indexed_at } of rows)
        db.update(filings)
          .set({ published: true })
          // A row that changed meanwhile stays marked.
          .where(
            and(
              eq(filings.accession_number, accession_number),
              eq(filings.cik, cik),
              eq(filings.indexed_at, indexed_at),
            ),
          )
          .run();
    });

  const publishFilings = async (): Promise<number> => {
    const rows = sqlite.use((db) =>
      db.select().from(filings).where(eq(filings.published, false)).limit(ROWS_AT_ONCE).all(),
    );
    if (rows.length === 0) return 0;
    const published = rows.map(({ published: _, precision: __, ...row }) => row);
    await lake.append([batchOf(filingsDataset, published)]);
    markFilings(rows);
    return rows.length;
  };

  const unpublishedEvents = () =>
    sqlite.use((db) => {
      const events = db
        .select()
        .from(filing_events)
        .where(eq(filing_events.published, false))
        .limit(EVENTS_AT_ONCE)
        .all();
      const accessions = [...new Set(events.map((event) => event.accession_number))];
      const rows = db
        .select({
          accession_number: filings.accession_number,
          cik: max(filings.cik),
          filing_date: filings.filing_date,
          known_at: filings.known_at,
        })
        .from(filings)
        .where(inArray(filings.accession_number, accessions))
        .groupBy(filings.accession_number)
        .all();
      return { events, rows: new Map(rows.map((row) => [row.accession_number, row])) };
    });

  const publishEvents = async (): Promise<number> => {
    const { events, rows } = unpublishedEvents();
    if (events.length === 0) return 0;
    const published = events.flatMap(({ published: _, ...event }) => {
      const filing = rows.get(event.accession_number);
      if (!filing?.cik) return [];
      return { ...event, cik: filing.cik, filing_date: filing.filing_date, known_at: filing.known_at };
    });
    await lake.append([batchOf(filingEvents, published)]);
    sqlite.write((db) => {
      for (const { accession_number, item_number, parsed_at } of events)
        db.update(filing_events)
          .set({ published: true })
          .where(
            and(
              eq(filing_events.accession_number, accession_number),
              eq(filing_events.item_number, item_number),
              eq(filing_events.parsed_at, parsed_at),
            ),
          )
          .run();
    });
    return events.length;
  };

  const drain = async (): Promise<void> => {
    try {
      // What comes while this runs is for the next one.
      while ((await publishFilings()) === ROWS_AT_ONCE);
      while ((await publishEvents()) === EVENTS_AT_ONCE);
    } catch (error) {
      log.error("filings could not be published in the lake", { error });
    }
  };
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let isDue = false;
  const stopping = new AbortController();

  /** Publishes what waits now. Never rejects: a lake that refuses is logged, and the rows wait for the next time. */
  const publish = (): Promise<void> => {
    if (running === null) {
      running = drain().finally(() => {
        running = null;
      });
      return running;
    }
    // One that is under way may have passed these rows by.
    next ??= running.then(() => {
      next = null;
      return publish();
    });
    return next;
  };

  return {
    publish,
    /** Publishes in a moment, together with what comes until then: a small write costs the lake as much as a large one. */
    soon(): void {
      if (isDue || stopping.signal.aborted) return;
      isDue = true;
      clock.sleep(DELAY_MS, stopping.signal).then(
        () => {
          isDue = false;
          return publish();
        },
        () => {},
      );
    },
    /** Publishes what waits, and nothing more after that. */
    async stop(): Promise<void> {
      stopping.abort();
      await publish();
    },
  };
}

export type LakePublisher = ReturnType<typeof lakePublisher>;
