// Fills the lake with insiders' trades from the regulator's quarterly data sets.
import { and, eq } from "drizzle-orm";
import { insiderTransactions } from "../../datasets/insider-transactions.ts";
import { addDays } from "../../market/date.ts";
import { federalBusinessDays } from "../../market/federal-days.ts";
import type { Services } from "../../market/services.ts";
import { instantText } from "../../platform/instant-text.ts";
import { batchOf } from "../../platform/lake/lake.ts";
import { backfill_items } from "../../platform/sqlite/tables.ts";
import type { ZipArchive } from "../../platform/zip.ts";
import {
  type InsiderDataSetFiling,
  isUnread,
  readInsiderDataSet,
  type UnreadDataSetFiling,
} from "../../providers/edgar/index.ts";
import { type CoverageStore, DATA_SET_NAME } from "./coverage-store.ts";
import { checkPrices, issuersOf, voidTrades } from "./derived-rows.ts";
import type { FilingStore } from "./filing-store.ts";
import { DATA_SET_READING, tradeRows } from "./trade-rows.ts";

export interface DataSetOptions {
  readonly archive: ZipArchive;
  /** Identifies the data set: another run with the same name continues where the last one stopped. */
  readonly name: string;
  readonly signal: AbortSignal;
}

export interface DataSetOutcome {
  filings: number;
  rows: number;
  /** Filings that could not be read, with the reason. */
  unread: string[];
}

/** Filings per write. */
const FILINGS_PER_WRITE = 2_000;

export interface BackfillDeps extends Pick<Services, "lake" | "sqlite" | "clock"> {
  readonly filings: FilingStore;
  readonly covered: CoverageStore;
}

/** First and last day of the calendar quarter of a day. */
function quarterOf(date: string): [string, string] {
  const first = Temporal.PlainDate.from(date).with({ day: 1 });
  const start = first.subtract({ months: (first.month - 1) % 3 });
  return [start.toString(), addDays(start.add({ months: 3 }).toString(), -1)];
}

/** Counts the filings of a data set by day. */
class DayCounts {
  #counts = new Map<string, number>();
  #hasUndated = false;

  add(filing: InsiderDataSetFiling | UnreadDataSetFiling): void {
    if (isUnread(filing)) this.#hasUndated = true;
    else this.#counts.set(filing.filing_date, (this.#counts.get(filing.filing_date) ?? 0) + 1);
  }

  /**
   * The quarter's business days with their filings; empty if a filing has no day or lies outside the quarter.
   */
  completeDays(): { date: string; filings: number }[] {
    const [first] = this.#counts.keys();
    if (this.#hasUndated || first === undefined) return [];
    const [start, end] = quarterOf(first);
    if ([...this.#counts.keys()].some((date) => date < start || date > end)) return [];
    return federalBusinessDays(start, end).map((date) => ({ date, filings: this.#counts.get(date) ?? 0 }));
  }
}

/** The ledger of what a backfill has done. */
function backfillLedger({ sqlite, clock }: Pick<Services, "sqlite" | "clock">) {
  return {
    isDone: (backfill: string, item: string): boolean =>
      sqlite.use((db) =>
        db
          .select({ status: backfill_items.status })
          .from(backfill_items)
          .where(and(eq(backfill_items.backfill, backfill), eq(backfill_items.item, item)))
          .get(),
      )?.status === "done",

    markDone(backfill: string, item: string): void {
      const row = { status: "done", error: null, finished_at: instantText(clock.nowMs()) };
      sqlite.write((db) =>
        db
          .insert(backfill_items)
          .values({ backfill, item, ...row })
          .onConflictDoUpdate({ target: [backfill_items.backfill, backfill_items.item], set: row })
          .run(),
      );
    },
  };
}

export function insiderBackfill({ filings: store, covered, lake, sqlite, clock }: BackfillDeps) {
  const ledger = backfillLedger({ sqlite, clock });

  /** Filings that were read themselves: those rows are better, since they have the moment of acceptance. */
  const alreadyRead = (accessions: readonly string[]): Set<string> =>
    new Set(
      store
        .byAccessions(accessions)
        .filter(({ reading }) => (reading ?? DATA_SET_READING) > DATA_SET_READING)
        .map((filing) => filing.accession_number),
    );

  /** Stores the trades of filings and returns the number of new rows. */
  const save = async (filings: readonly InsiderDataSetFiling[]): Promise<number> => {
    const accessions = filings.map((filing) => filing.accession_number);
    const skipped = alreadyRead(accessions);
    const origin = { reading: DATA_SET_READING, sha256: null };
    const rows = filings
      .filter(({ accession_number }) => !skipped.has(accession_number))
      .flatMap((filing) => tradeRows(filing, origin));
    const [appended] = await lake.append([batchOf(insiderTransactions, rows)]);
    const issuers = issuersOf(rows);
    await voidTrades(lake, issuers);
    await checkPrices(lake, issuers);
    store.markReadFromDataSet(accessions);
    return appended?.written ?? 0;
  };

  return {
    /**
     * Stores a data set, a few thousand filings per write. Skips batches that a former run stored. The days
     * of the data set count as covered once all of it is stored. Throws BrokenArchive, UpstreamFailed for
     * tables of another shape, StorageUnavailable.
     */
    async dataSet(options: DataSetOptions, onStep: (filings: number) => void): Promise<DataSetOutcome> {
      const { archive, signal } = options;
      const name = `${DATA_SET_NAME}${options.name}`;
      // Before the first row: from now on, a company's list is compared with what data sets brought.
      ledger.markDone(name, "begun");
      const outcome: DataSetOutcome = { filings: 0, rows: 0, unread: [] };
      const days = new DayCounts();
      let batch: InsiderDataSetFiling[] = [];
      let number = 0;
      const flush = async () => {
        const item = String(number++);
        if (batch.length > 0 && !ledger.isDone(name, item)) {
          outcome.rows += await save(batch);
          ledger.markDone(name, item);
        }
        onStep(outcome.filings);
        batch = [];
      };
      for await (const filing of readInsiderDataSet(archive, { signal })) {
        signal.throwIfAborted();
        outcome.filings += 1;
        days.add(filing);
        if (isUnread(filing)) outcome.unread.push(`${filing.accession_number}: ${filing.message}`);
        else batch.push(filing);
        if (batch.length >= FILINGS_PER_WRITE) await flush();
      }
      await flush();
      covered.saveDays("insider", days.completeDays(), "data_set");
      return outcome;
    },
  };
}

export type InsiderBackfill = ReturnType<typeof insiderBackfill>;
