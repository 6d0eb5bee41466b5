// Parses newly indexed current reports in the background, a few at a time, and reads acceptance times that a list left open.
import { type AsofError, isProviderFailure } from "../../platform/errors.ts";
import type { FilingParser } from "./parse-filing.ts";
import type { LakePublisher } from "./publish.ts";
import type { FilingsLog } from "./sources.ts";
import type { FilingsStore } from "./store.ts";

/** Few, so that requests are not slowed down by the regulator's rate limit. */
const WORKERS = 2;
/** Filings that do not fit stay pending and are parsed when their events are requested. */
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

  /** Processes one filing. Returns the outage it met, else null. */
  const one = async (accession: string): Promise<AsofError | null> => {
    const { signal } = stopping;
    const filing = store.byAccession(accession);
    try {
      if (filing?.parsed_status === "pending") return (await parser.parse(accession, false, signal)).outage;
      if (filing) await parser.readAcceptance(filing, signal);
    } catch (error) {
      if (signal.aborted) return null;
      if (isProviderFailure(error)) return error;
      log.error("a new filing could not be parsed", { accession_number: accession, error });
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
      // The other filings would meet the same outage. They are parsed on request, or queued again by the next refresh.
      log.warn("parsing of new filings is postponed", { reason: outage.message, filings: queue.size + 1 });
      queue.clear();
    }
    // Synchronous with the last look at the queue, so that a later `add` starts a new worker.
    active--;
    publisher.soon();
  };

  const start = () => {
    const worker = run().finally(() => workers.delete(worker));
    workers.add(worker);
  };

  return {
    /** Queues filings, newest first. */
    add(accessions: readonly string[]): void {
      if (stopping.signal.aborted) return;
      for (const accession of accessions) if (queue.size < QUEUE_MAX) queue.add(accession);
      while (active < Math.min(WORKERS, queue.size)) start();
    },
    isBusy: (): boolean => workers.size > 0,
    /** Resolves when the queue is empty and no work is in progress. */
    async idle(): Promise<void> {
      while (workers.size > 0) await Promise.all(workers);
    },
    /** Starts no further filing and waits for those in progress. */
    async stop(): Promise<void> {
      stopping.abort(new Error("the service is stopping"));
      await Promise.all(workers);
    },
  };
}

export type Background = ReturnType<typeof backgroundParsing>;
