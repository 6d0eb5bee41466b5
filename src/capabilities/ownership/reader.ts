// Reads many ownership filings: some at a time behind the regulator's pace, kept in few large writes.
import { insiderTransactions } from "../../datasets/insider-transactions.ts";
import { ownershipEvents } from "../../datasets/ownership-events.ts";
import { mapSettled } from "../../market/bulk.ts";
import type { Clock } from "../../platform/clock.ts";
import {
  AsofError,
  InvalidRequest,
  NotFound,
  StorageUnavailable,
  UpstreamFailed,
  UpstreamTimeout,
} from "../../platform/errors.ts";
import { batchOf, type Lake } from "../../platform/lake/lake.ts";
import { ParseFailed } from "../../providers/edgar/index.ts";
import { notHad, type ReadFiling, readFiling } from "./read-filing.ts";
import type { OwnershipSource } from "./sources.ts";
import type { FilingState, OwnershipStore } from "./store.ts";
import { voidTrades } from "./void-trades.ts";

/** Enough that the pace is kept while some wait for their answer and some for the disk. */
const AT_ONCE = 8;
/** Filings kept by one write; a write costs the lake much the same whatever its size. */
const KEPT_AT_ONCE = 250;

/** A failure of the outside, or a missing setting: nothing is known of the filing, and the next would meet the same. */
export const isOutage = (error: unknown): error is AsofError =>
  error instanceof AsofError &&
  !(error instanceof NotFound || error instanceof InvalidRequest || error instanceof StorageUnavailable);

/** What may be the fault of one filing alone, while others can be had. */
const mayBeItsOwn = (error: AsofError) => error instanceof UpstreamFailed || error instanceof UpstreamTimeout;
/** So many failures without one success are an outage. */
const FAILURES_MAX = 10;

interface Missed {
  readonly filing: FilingState;
  readonly fault: AsofError;
}

/**
 * Filings that could not be had, told apart: those between others that were had have used one of their attempts, those
 * after which nothing was had met an outage.
 */
function missedFilings() {
  const own: Missed[] = [];
  let sinceHad: Missed[] = [];
  let wasHad = false;
  return {
    had(): void {
      wasHad = true;
      own.push(...sinceHad);
      sinceHad = [];
    },
    /** True when it is an outage. */
    add(filing: FilingState, error: AsofError): boolean {
      sinceHad.push({ filing, fault: error });
      return !mayBeItsOwn(error) || sinceHad.length >= FAILURES_MAX;
    },
    /**
     * Whose fault it was. The last ones of a run in which others were had, and that no outage ended, are their own.
     * Where nothing was had, those that were answered with something that is no filing may be at fault.
     */
    end(isOutage: boolean): { own: Missed[]; alone: Missed[]; outage: AsofError | null } {
      if (isOutage) return { own, alone: [], outage: null };
      if (wasHad) return { own: [...own, ...sinceHad], alone: [], outage: null };
      const alone = sinceHad.filter(({ fault: error }) => error instanceof ParseFailed);
      return { own, alone, outage: sinceHad[0]?.fault ?? null };
    },
  };
}

export interface ReadOptions {
  readonly signal: AbortSignal;
  /** No further filing is begun after this moment, milliseconds. */
  readonly untilMs?: number;
  /** Told of each filing as it is read. */
  readonly onRead?: (filing: FilingState, error: string | null) => void;
}

export interface ReadCounts {
  /** Read now, those that cannot be read among them. */
  read: number;
  failed: number;
  /** Rows kept. */
  rows: number;
  /** Why the rest was left; they are pending still. */
  outage: AsofError | null;
}

export interface ReaderDeps {
  readonly source: OwnershipSource;
  readonly store: OwnershipStore;
  readonly lake: Lake;
  readonly clock: Clock;
}

export function ownershipReader({ source, store, lake, clock }: ReaderDeps) {
  /** Filings under way, by number; over when what was read is kept. */
  const underWay = new Map<string, Promise<void>>();

  const append = async (filings: readonly ReadFiling[]) => {
    const trades = filings.flatMap((filing) => filing.trades);
    const events = filings.flatMap((filing) => filing.events);
    await lake.append([batchOf(insiderTransactions, trades), batchOf(ownershipEvents, events)]);
    // After the rows, whoever else writes: of two that meet, the later to be written sees the other.
    await voidTrades(lake, trades);
  };

  /** Rows first, then the state: a crash between them reads the filing again, to the same rows. */
  const keep = async (filings: readonly ReadFiling[]): Promise<number> => {
    try {
      await append(filings);
      store.mapSettled(
        filings.map(({ state }) => state),
        filings.map(({ state, parties }) => ({ accession_number: state.accession_number, parties })),
      );
      return filings.reduce((sum, { trades, events }) => sum + trades.length + events.length, 0);
    } catch (fault) {
      if (fault instanceof AsofError) throw fault;
      // A row that does not fit spoils its own filing, not those beside it.
      if (filings.length > 1) {
        let rows = 0;
        for (const filing of filings) rows += await keep([filing]);
        return rows;
      }
      const error = `its figures do not fit: ${fault instanceof Error ? fault.message : String(fault)}`;
      store.mapSettled(
        filings.map(({ state }) => ({ ...state, status: "failed", error, reading: null, rows: null })),
      );
      return 0;
    }
  };

  /** A queue of what is read and not kept; `add` resolves at once, but while two writes wait. */
  const keeper = (counts: ReadCounts) => {
    let buffer: ReadFiling[] = [];
    let writing: Promise<void> = Promise.resolve();
    let waiting = 0;
    const flush = (): Promise<void> => {
      const batch = buffer;
      buffer = [];
      if (batch.length === 0) return writing;
      waiting++;
      writing = writing
        .then(async () => {
          counts.rows += await keep(batch);
        })
        .finally(() => {
          waiting--;
        });
      return writing;
    };
    return {
      async add(filing: ReadFiling): Promise<void> {
        buffer.push(filing);
        if (buffer.length < KEPT_AT_ONCE) return;
        const written = flush();
        if (waiting > 1) await written;
        // Its failure comes out at the end.
        else written.catch(() => {});
      },
      end: flush,
    };
  };

  const readAll = async (filings: readonly FilingState[], options: ReadOptions): Promise<ReadCounts> => {
    const { signal, untilMs = Number.POSITIVE_INFINITY, onRead } = options;
    const counts: ReadCounts = { read: 0, failed: 0, rows: 0, outage: null };
    const kept = keeper(counts);
    const missed = missedFilings();
    const one = async (filing: FilingState) => {
      if (counts.outage !== null || clock.nowMs() > untilMs) return;
      try {
        const done = await readFiling(source, filing, signal);
        missed.had();
        counts.read += 1;
        if (done.state.status === "failed") counts.failed += 1;
        onRead?.(filing, done.state.error);
        await kept.add(done);
      } catch (error) {
        if (signal.aborted || !isOutage(error)) throw error;
        if (missed.add(filing, error)) counts.outage ??= error;
      }
    };
    const outcomes = await mapSettled(filings, one, { concurrency: AT_ONCE, signal });
    const { own, alone, outage } = missed.end(counts.outage !== null);
    for (const { filing, fault: error } of own) await kept.add(notHad(filing, error));
    for (const { filing, fault: error } of alone) await kept.add(notHad(filing, error, true));
    counts.outage ??= outage;
    // What came until then is kept whatever ended the rest.
    await kept.end();
    signal.throwIfAborted();
    for (const outcome of outcomes) if (!outcome.ok) throw outcome.error;
    return counts;
  };

  return {
    /**
     * Reads filings and keeps what they say; those that another caller is reading are waited for. An outage ends it
     * and is in the counts. Throws StorageUnavailable, and the signal's reason; what was read until then is kept.
     */
    async read(filings: readonly FilingState[], options: ReadOptions): Promise<ReadCounts> {
      const others = new Set(filings.flatMap((f) => underWay.get(f.accession_number) ?? []));
      const own = filings.filter((filing) => !underWay.has(filing.accession_number));
      const work = readAll(own, options);
      const over = work.then(
        () => {},
        () => {},
      );
      for (const { accession_number } of own) underWay.set(accession_number, over);
      try {
        const counts = await work;
        await Promise.all(others);
        return counts;
      } finally {
        for (const { accession_number } of own) underWay.delete(accession_number);
      }
    },
  };
}

export type OwnershipReader = ReturnType<typeof ownershipReader>;
