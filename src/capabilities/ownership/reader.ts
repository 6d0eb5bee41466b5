// Reads many ownership filings: several at a time at the regulator's pace, stored in few large writes.
import { mapSettled } from "../../market/bulk.ts";
import type { Services } from "../../market/services.ts";
import { type AsofError, isProviderFailure } from "../../platform/errors.ts";
import { FailedFetches } from "./failed-fetches.ts";
import type { FilingState, FilingStore } from "./filing-store.ts";
import { FilingWriter } from "./filing-writer.ts";
import { fetchFailed, readFiling } from "./read-filing.ts";
import type { OwnershipSource } from "./sources.ts";

/** Enough to keep the regulator's pace while some filings wait for their answer and some for the disk. */
const CONCURRENCY = 8;

export interface ReadOptions {
  readonly signal: AbortSignal;
  /** No further filing is started after this moment, milliseconds. */
  readonly untilMs?: number;
  /** Called after each filing, with why it could not be read. */
  readonly onRead?: (filing: FilingState, error: string | null) => void;
}

export interface ReadCounts {
  /** Filings read, including those that turned out unreadable. */
  read: number;
  failed: number;
  /** Rows stored. */
  rows: number;
  /** The outage that ended the run. The remaining filings stay pending. */
  outage: AsofError | null;
}

export interface ReaderDeps extends Pick<Services, "lake" | "clock"> {
  readonly source: OwnershipSource;
  readonly filings: FilingStore;
}

export function ownershipReader({ source, filings: store, lake, clock }: ReaderDeps) {
  /** Filings being read, by accession number. Each promise resolves when its rows are stored. */
  const inFlight = new Map<string, Promise<void>>();

  const readAll = async (filings: readonly FilingState[], options: ReadOptions): Promise<ReadCounts> => {
    const { signal, untilMs = Number.POSITIVE_INFINITY, onRead } = options;
    const counts: ReadCounts = { read: 0, failed: 0, rows: 0, outage: null };
    const writer = new FilingWriter({ filings: store, lake });
    const failures = new FailedFetches();
    const one = async (filing: FilingState) => {
      if (counts.outage !== null || clock.nowMs() > untilMs) return;
      try {
        const result = await readFiling(source, filing, signal);
        failures.succeeded();
        counts.read += 1;
        if (result.state.status === "failed") counts.failed += 1;
        onRead?.(filing, result.state.error);
        await writer.add(result);
      } catch (error) {
        if (signal.aborted || !isProviderFailure(error)) throw error;
        if (failures.add(filing, error)) counts.outage ??= error;
      }
    };
    const outcomes = await mapSettled(filings, one, { concurrency: CONCURRENCY, signal });
    const { own, uncertain, outage } = failures.byCause(counts.outage !== null);
    for (const { filing, error } of own) await writer.add(fetchFailed(filing, error));
    for (const { filing, error } of uncertain) await writer.add(fetchFailed(filing, error, true));
    counts.outage ??= outage;
    // The rows that were read are stored, whatever ended the run.
    await writer.flush();
    counts.rows = writer.rows;
    signal.throwIfAborted();
    for (const outcome of outcomes) if (!outcome.ok) throw outcome.error;
    return counts;
  };

  /** Waits for readings of other callers, but not longer than the options allow. */
  const waitFor = async (others: ReadonlySet<Promise<void>>, { signal, untilMs }: ReadOptions) => {
    if (others.size === 0) return;
    const all = Promise.all(others);
    if (untilMs === undefined || untilMs === Number.POSITIVE_INFINITY) return void (await all);
    const over = new AbortController();
    const ends = AbortSignal.any([signal, over.signal]);
    const wait = clock.sleep(Math.max(0, untilMs - clock.nowMs()), ends).catch(() => {});
    await Promise.race([all, wait]);
    over.abort();
    signal.throwIfAborted();
  };

  return {
    /**
     * Reads filings and stores their rows. Waits for filings that another caller is reading. An outage ends
     * the run and is reported in the counts. Throws StorageUnavailable and the signal's reason; what was read
     * before is stored.
     */
    async read(filings: readonly FilingState[], options: ReadOptions): Promise<ReadCounts> {
      const others = new Set(filings.flatMap((f) => inFlight.get(f.accession_number) ?? []));
      const own = filings.filter((filing) => !inFlight.has(filing.accession_number));
      const work = readAll(own, options);
      const over = work.then(
        () => {},
        () => {},
      );
      for (const { accession_number } of own) inFlight.set(accession_number, over);
      try {
        const counts = await work;
        await waitFor(others, options);
        return counts;
      } finally {
        for (const { accession_number } of own) inFlight.delete(accession_number);
      }
    },
  };
}

export type OwnershipReader = ReturnType<typeof ownershipReader>;
