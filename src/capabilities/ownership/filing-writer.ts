// Stores filings that were read, in few large writes: their rows in the lake, then their state in the index.
import { insiderTransactions } from "../../datasets/insider-transactions.ts";
import { ownershipEvents } from "../../datasets/ownership-events.ts";
import { AsofError } from "../../platform/errors.ts";
import { batchOf, type Lake } from "../../platform/lake/lake.ts";
import { checkPrices, issuersOf, voidTrades } from "./derived-rows.ts";
import type { FilingStore } from "./filing-store.ts";
import type { ReadFiling } from "./read-filing.ts";

/** Filings per write: a write costs the lake much the same whatever its size. */
const FILINGS_PER_WRITE = 250;

interface WriterDeps {
  readonly filings: FilingStore;
  readonly lake: Lake;
}

async function appendRows(lake: Lake, read: readonly ReadFiling[]): Promise<void> {
  const trades = read.flatMap((filing) => filing.trades);
  const events = read.flatMap((filing) => filing.events);
  await lake.append([batchOf(insiderTransactions, trades), batchOf(ownershipEvents, events)]);
  // After the rows are stored: if two processes write filings that correct each other, the later one sees the
  // earlier.
  await voidTrades(lake, issuersOf(trades));
}

/**
 * Stores filings and returns the number of their rows. Rows come before states: after a crash in between, the
 * filing is read again, to the same rows.
 */
async function writeFilings(deps: WriterDeps, read: readonly ReadFiling[]): Promise<number> {
  try {
    await appendRows(deps.lake, read);
    deps.filings.saveReadStates(
      read.map(({ state }) => state),
      read.map(({ state, parties }) => ({ accession_number: state.accession_number, parties })),
    );
    return read.reduce((sum, { trades, events }) => sum + trades.length + events.length, 0);
  } catch (error) {
    if (error instanceof AsofError) throw error;
    // A row that does not fit its column fails its own filing only, so each filing is tried alone.
    if (read.length > 1) {
      let rows = 0;
      for (const filing of read) rows += await writeFilings(deps, [filing]);
      return rows;
    }
    const reason = `its figures do not fit: ${error instanceof Error ? error.message : String(error)}`;
    deps.filings.saveReadStates(
      read.map(({ state }) => ({ ...state, status: "failed", error: reason, reading: null, rows: null })),
    );
    return 0;
  }
}

/** Queues filings and writes them in batches, while more are being read. */
export class FilingWriter {
  readonly #deps: WriterDeps;
  #buffer: ReadFiling[] = [];
  #writing: Promise<void> = Promise.resolve();
  #writesWaiting = 0;
  #rows = 0;

  constructor(deps: WriterDeps) {
    this.#deps = deps;
  }

  /** Rows stored so far. */
  get rows(): number {
    return this.#rows;
  }

  /** Adds a filing. Resolves at once, unless two writes are waiting already. */
  async add(filing: ReadFiling): Promise<void> {
    this.#buffer.push(filing);
    if (this.#buffer.length < FILINGS_PER_WRITE) return;
    const written = this.flush();
    if (this.#writesWaiting > 1) await written;
    // `flush` at the end of the run rejects with the same error.
    else written.catch(() => {});
  }

  /** Writes what is queued. Resolves when all of it is stored. */
  flush(): Promise<void> {
    const batch = this.#buffer;
    this.#buffer = [];
    if (batch.length === 0) return this.#writing;
    this.#writesWaiting++;
    this.#writing = this.#writing
      .then(async () => {
        this.#rows += await writeFilings(this.#deps, batch);
        await checkPrices(this.#deps.lake, issuersOf(batch.flatMap(({ trades }) => trades)));
      })
      .finally(() => {
        this.#writesWaiting--;
      });
    return this.#writing;
  }
}
