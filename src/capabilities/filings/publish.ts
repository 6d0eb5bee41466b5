// Copies changed filings and events from the operational database to the lake. Unpublished rows are marked in
// the database, so that a crash loses nothing.
import { and, eq, inArray, max } from "drizzle-orm";
import { filingEvents } from "../../datasets/filing-events.ts";
import { filings as filingsDataset } from "../../datasets/filings.ts";
import type { Services } from "../../market/services.ts";
import { batchOf } from "../../platform/lake/lake.ts";
import type { FilingsLog } from "./sources.ts";
import { filing_events, filings, unpublished } from "./tables.ts";

/** How long `soon` waits for further rows. */
const DELAY_MS = 2_000;
const ROWS_AT_ONCE = 5_000;
const EVENTS_AT_ONCE = 500;

type FilingRow = typeof filings.$inferSelect;

export interface PublishDeps extends Pick<Services, "sqlite" | "lake" | "clock"> {
  readonly log: FilingsLog;
}

/**
 * Copies filings and events that are not published yet to the lake, a batch per call; returns the size of the
 * batch.
 */
function batchPublisher({ sqlite, lake }: Pick<PublishDeps, "sqlite" | "lake">) {
  const markFilings = (rows: readonly FilingRow[]) =>
    sqlite.write((db) => {
      for (const { accession_number, cik, indexed_at } of rows)
        db.update(filings)
          .set({ published: true })
          // A row that changed in the meantime stays marked.
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
      db.select().from(filings).where(unpublished(filings)).limit(ROWS_AT_ONCE).all(),
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
        .where(unpublished(filing_events))
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

  return { publishFilings, publishEvents };
}

export function lakePublisher({ sqlite, lake, clock, log }: PublishDeps) {
  const { publishFilings, publishEvents } = batchPublisher({ sqlite, lake });
  const drain = async (): Promise<void> => {
    try {
      while ((await publishFilings()) === ROWS_AT_ONCE);
      while ((await publishEvents()) === EVENTS_AT_ONCE);
    } catch (error) {
      log.error("filings could not be published to the lake", { error });
    }
  };
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let isDue = false;
  const stopping = new AbortController();

  /**
   * Publishes all waiting rows. Never rejects: an error of the lake is logged, and the rows wait for the next
   * run.
   */
  const publish = (): Promise<void> => {
    if (running === null) {
      running = drain().finally(() => {
        running = null;
      });
      return running;
    }
    // The run in progress may have read its rows before these were written.
    next ??= running.then(() => {
      next = null;
      return publish();
    });
    return next;
  };

  return {
    publish,
    /**
     * Publishes after a short delay, so that one write takes all rows that arrive until then: a small write
     * costs as much as a large one.
     */
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
    /** Publishes all waiting rows, then no more. */
    async stop(): Promise<void> {
      stopping.abort();
      await publish();
    },
  };
}

export type LakePublisher = ReturnType<typeof lakePublisher>;
