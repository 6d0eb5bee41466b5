// Fills the lake with insiders' trades from the regulator's quarterly data sets, a quarter at a time.
import { and, eq } from "drizzle-orm";
import { insiderTransactions } from "../../datasets/insider-transactions.ts";
import { addDays } from "../../market/date.ts";
import { federalBusinessDays } from "../../market/federal-days.ts";
import type { Clock } from "../../platform/clock.ts";
import { instantText } from "../../platform/instant-text.ts";
import { batchOf, type Lake } from "../../platform/lake/lake.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import { backfill_items } from "../../platform/sqlite/tables.ts";
import type { ZipArchive } from "../../platform/zip.ts";
import {
  type InsiderDataSetFiling,
  isUnread,
  readInsiderDataSet,
  type UnreadDataSetFiling,
} from "../../providers/edgar/index.ts";
import { DATA_SET_NAME, type OwnershipStore } from "./store.ts";
import { DATA_SET_READING, tradeRows } from "./trade-rows.ts";
import { voidTrades } from "./void-trades.ts";

export interface DataSetAsk {
  readonly archive: ZipArchive;
  /** Tells this data set from others: a run of the same one goes on where the last stopped. */
  readonly name: string;
  readonly signal: AbortSignal;
}

export interface DataSetOutcome {
  filings: number;
  rows: number;
  /** Filings that could not be read, with why. */
  unread: string[];
}

/** Filings kept by one write. */
const FILINGS_AT_ONCE = 2_000;

export interface BackfillDeps {
  readonly store: OwnershipStore;
  readonly lake: Lake;
  readonly sqlite: Store;
  readonly clock: Clock;
}

type DataSetEntry = InsiderDataSetFiling | UnreadDataSetFiling;

/** All days of the calendar quarter a day lies in. */
function quarterOf(date: string): [string, string] {
  const first = Temporal.PlainDate.from(date).with({ day: 1 });
  const start = first.subtract({ months: (first.month - 1) % 3 });
  return [start.toString(), addDays(start.add({ months: 3 }).toString(), -1)];
}

/** Filings by day, and days of which one could not be read. */
function dayBook() {
  const counts = new Map<string, number>();
  let hasUndated = false;
  return {
    add(filing: DataSetEntry): void {
      if (isUnread(filing)) hasUndated = true;
      else counts.set(filing.filing_date, (counts.get(filing.filing_date) ?? 0) + 1);
    },
    /** The quarter's business days with their filings; none where one filing is missing somewhere. */
    whole(): { date: string; filings: number }[] {
      const [first] = counts.keys();
      if (hasUndated || first === undefined) return [];
      const [start, end] = quarterOf(first);
      if ([...counts.keys()].some((date) => date < start || date > end)) return [];
      return federalBusinessDays(start, end).map((date) => ({ date, filings: counts.get(date) ?? 0 }));
    },
  };
}

export function insiderBackfill({ store, lake, sqlite, clock }: BackfillDeps) {
  const isDone = (backfill: string, item: string): boolean =>
    sqlite.use((db) =>
      db
        .select({ status: backfill_items.status })
        .from(backfill_items)
        .where(and(eq(backfill_items.backfill, backfill), eq(backfill_items.item, item)))
        .get(),
    )?.status === "done";

  const note = (backfill: string, item: string) => {
    const row = { status: "done", error: null, finished_at: instantText(clock.nowMs()) };
    sqlite.write((db) =>
      db
        .insert(backfill_items)
        .values({ backfill, item, ...row })
        .onConflictDoUpdate({ target: [backfill_items.backfill, backfill_items.item], set: row })
        .run(),
    );
  };

  /** What was read from the filing itself is better: it has its moment. */
  const readThemselves = (accessions: readonly string[]): Set<string> =>
    new Set(
      store
        .byAccessions(accessions)
        .filter(({ reading }) => (reading ?? DATA_SET_READING) > DATA_SET_READING)
        .map((filing) => filing.accession_number),
    );

  const keep = async (filings: readonly InsiderDataSetFiling[]): Promise<number> => {
    const accessions = filings.map((filing) => filing.accession_number);
    const better = readThemselves(accessions);
    const origin = { reading: DATA_SET_READING, sha256: null };
    const rows = filings
      .filter(({ accession_number }) => !better.has(accession_number))
      .flatMap((filing) => tradeRows(filing, origin));
    const [done] = await lake.append([batchOf(insiderTransactions, rows)]);
    await voidTrades(lake, rows);
    store.settleByDataSet(accessions);
    return done?.written ?? 0;
  };

  return {
    /**
     * Takes a data set in, some thousand filings a write. What a former run took in is passed over. Its days count as
     * covered once all of it is in. Throws BrokenArchive, UpstreamFailed for tables of another shape, StorageUnavailable.
     */
    async dataSet(
      { archive, name: given, signal }: DataSetAsk,
      onStep: (filings: number) => void,
    ): Promise<DataSetOutcome> {
      const name = `${DATA_SET_NAME}${given}`;
      // Before the first row: from now on a company's list is held against what data sets brought.
      note(name, "begun");
      const outcome: DataSetOutcome = { filings: 0, rows: 0, unread: [] };
      const book = dayBook();
      let batch: InsiderDataSetFiling[] = [];
      let number = 0;
      const flush = async () => {
        const item = String(number++);
        if (batch.length > 0 && !isDone(name, item)) {
          outcome.rows += await keep(batch);
          note(name, item);
        }
        onStep(outcome.filings);
        batch = [];
      };
      for await (const filing of readInsiderDataSet(archive, { signal })) {
        signal.throwIfAborted();
        outcome.filings += 1;
        book.add(filing);
        if (isUnread(filing)) outcome.unread.push(`${filing.accession_number}: ${filing.message}`);
        else batch.push(filing);
        if (batch.length >= FILINGS_AT_ONCE) await flush();
      }
      await flush();
      store.saveDays("insider", book.whole(), "data_set");
      return outcome;
    },
  };
}

export type InsiderBackfill = ReturnType<typeof insiderBackfill>;
