// Reads newly indexed filings behind the requests that brought them, a few at a time: events, and moments left open.
import type { AsofError } from "../../platform/errors.ts";
import type { FilingParser } from "./parse-filing.ts";
import type { LakePublisher } from "./publish.ts";
import { isOutage } from "./requested-filer.ts";
import type { FilingsLog } from "./sources.ts";
import type { FilingsStore } from "./store.ts";

/** So few that requests find the regulator's pace free. */
const WORKERS = 2;
/** What does not fit stays pending: it is parsed when its events are asked for. */
const QUEUE_MAX = 20_000;

export interface BackgroundDeps {
  readonly store: FilingsStore;
  readonly parser: FilingParser;
  readonly publisher: LakePublisher;
  readonly log: FilingsLog;
}

export function backgroundParsing({ store, parser, publisher, log }: BackgroundDeps) {
  const queue = new Set<string>();
  const stopping = new AbortController();
  const workers = new Set<Promise<void>>();
  let active = 0;

  /** The outage that one filing met; null when it was dealt with. */
  const one = async (accession: string): Promise<AsofError | null> => {
    const { signal } = stopping;
    const filing = store.byAccession(accession);
    try {
      if (filing?.parsed_status === "pending") return (await parser.parse(accession, false, signal)).outage;
      if (filing) await parser.settleMoment(filing, signal);
    } catch (error) {
      if (signal.aborted) return null;
      if (isOutage(error)) return error;
      log.error("a new filing could not be read", { accession_number: accession, error });
    }
    return null;
  };

  const run = async () => {
    active++;
    for (const accession of queue) {
      if (stopping.signal.aborted) break;
      queue.delete(accession);
      const outage = await one(accession);
      if (outage === null) continue;
      // The rest would meet the same; it waits until it is asked for, or for the next visit.
      log.warn("the reading of new filings is put off", { reason: outage.message, filings: queue.size + 1 });
      queue.clear();
    }
    // In the same turn as the last look at the queue: whoever adds later starts a new worker.
    active--;
    publisher.soon();
  };

  const start = () => {
    const worker = run().finally(() => workers.delete(worker));
    workers.add(worker);
  };

  return {
    /** Newest first. */
    add(accessions: readonly string[]): void {
      if (stopping.signal.aborted) return;
      for (const accession of accessions) if (queue.size < QUEUE_MAX) queue.add(accession);
      while (active < Math.min(WORKERS, queue.size)) start();
    },
    /** Resolves when nothing waits and nothing is under way. */
    async idle(): Promise<void> {
      while (workers.size > 0) await Promise.all(workers);
    },
    /** Begins nothing more and waits for what is under way. */
    async stop(): Promise<void> {
      stopping.abort(new Error("the service is stopping"));
      await Promise.all(workers);
    },
  };
}

export type Background = ReturnType<typeof backgroundParsing>;
