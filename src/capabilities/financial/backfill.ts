// Fills the lake with reported figures: of named tickers through the same act as the routes, or of everybody from the
// regulator's nightly archive.
import { and, eq } from "drizzle-orm";
import { mapSettled } from "../../market/bulk.ts";
import type { Clock } from "../../platform/clock.ts";
import { AsofError, StorageUnavailable } from "../../platform/errors.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import { backfill_items } from "../../platform/sqlite/tables.ts";
import { BrokenArchive, type ZipArchive, type ZipEntry } from "../../platform/zip.ts";
import { type NormalisedFacts, readCik } from "../../providers/edgar/index.ts";
import type { FinancialAnswers } from "./answers.ts";
import type { Collector } from "./collect.ts";

/** Told of each ticker or file as it ends; the error, when it failed. */
export type OnItem = (item: string, error: Error | null) => void;

export interface ArchiveRequest {
  readonly archive: ZipArchive;
  /** Tells this archive from others: a run of the same one goes on where the last stopped. */
  readonly name: string;
  /** When the archive was made: reports accepted later are not in it. */
  readonly madeMs: number;
  readonly signal: AbortSignal;
}

/** One entity's file: `CIK0000320193.json`. */
const ENTITY_FILE = /^CIK(\d{10})\.json$/;
/** The largest files are some 40 MB; a larger one is refused rather than read into memory. */
const FILE_BYTES_MAX = 128_000_000;
const TICKERS_AT_ONCE = 4;
/** Figures, and files, stored together: few enough to lie in memory beside the file that is read. */
const FIGURES_PER_WRITE = 12_000;
const FILES_PER_WRITE = 250;

/** A file of an archive on its way into the store. */
interface ReadFile {
  readonly entry: string;
  readonly cik: string;
  readonly read: NormalisedFacts | null;
  readonly fault: Error | null;
  /** A former run took it in. */
  readonly isKnown: boolean;
}

export interface BackfillDeps {
  readonly answers: Pick<FinancialAnswers, "collect">;
  readonly collector: Pick<Collector, "read" | "storeFiles">;
  readonly sqlite: Store;
  readonly clock: Clock;
}

/** A failure of one ticker or file, which does not end the run. */
const isItemError = (error: unknown): error is Error =>
  (error instanceof AsofError && !(error instanceof StorageUnavailable)) ||
  error instanceof BrokenArchive ||
  error instanceof SyntaxError;

export function financialBackfill({ answers, collector, sqlite, clock }: BackfillDeps) {
  const isDone = (backfill: string, item: string) =>
    sqlite.use((db) =>
      db
        .select({ status: backfill_items.status })
        .from(backfill_items)
        .where(and(eq(backfill_items.backfill, backfill), eq(backfill_items.item, item)))
        .get(),
    )?.status === "done";

  const note = (backfill: string, item: string, error: Error | null) => {
    const row = {
      status: error ? "failed" : "done",
      error: error?.message ?? null,
      finished_at: instantText(clock.nowMs()),
    };
    sqlite.write((db) =>
      db
        .insert(backfill_items)
        .values({ backfill, item, ...row })
        .onConflictDoUpdate({ target: [backfill_items.backfill, backfill_items.item], set: row })
        .run(),
    );
  };

  const readFile = async (archive: ZipArchive, entry: ZipEntry, cik: string) => {
    const bytes = await archive.read(entry, FILE_BYTES_MAX);
    return collector.read(cik, JSON.parse(new TextDecoder().decode(bytes)));
  };

  /** Stores what was read of some files, and tells of each. */
  const storeFiles = async (files: readonly ReadFile[], { name, madeMs }: ArchiveRequest, onItem: OnItem) => {
    const refused = await collector.storeFiles(
      files.flatMap(({ cik, read }) => (read === null ? [] : [{ cik, read }])),
      madeMs,
    );
    for (const { entry, cik, fault, isKnown } of files) {
      const error = fault ?? refused.get(cik) ?? null;
      if (!isKnown) note(name, cik, error);
      onItem(entry, error);
    }
  };

  return {
    /** Brings tickers up to date; those whose newest report is stored are not asked for again. */
    async tickers(
      tickers: readonly string[],
      force: boolean,
      signal: AbortSignal,
      onItem: OnItem,
    ): Promise<void> {
      const outcomes = await mapSettled(
        tickers,
        async (ticker) => {
          try {
            await answers.collect(ticker, force, signal);
            onItem(ticker, null);
          } catch (error) {
            if (signal.aborted || !isItemError(error)) throw error;
            onItem(ticker, error);
          }
        },
        { concurrency: TICKERS_AT_ONCE, signal },
      );
      for (const outcome of outcomes) if (!outcome.ok && !signal.aborted) throw outcome.error;
    },

    /** The files of an archive that hold an entity's figures. */
    files: (archive: ZipArchive): readonly ZipEntry[] =>
      archive.entries.filter(({ name }) => ENTITY_FILE.test(name)),

    /**
     * Takes in the files of an archive, some together: a write costs as much for one filer as for a dozen. Those a former
     * run took in are passed over. A file that cannot be read is told and left; a store that refuses ends the run.
     */
    async archive(ask: ArchiveRequest, onItem: OnItem): Promise<void> {
      const { archive, name, signal } = ask;
      let files: ReadFile[] = [];
      for (const entry of archive.entries) {
        const cik = readCik(ENTITY_FILE.exec(entry.name)?.[1] ?? "");
        if (cik === null) continue;
        if (signal.aborted) break;
        const file = { entry: entry.name, cik, read: null, fault: null, isKnown: isDone(name, cik) };
        if (file.isKnown) files.push(file);
        else {
          try {
            files.push({ ...file, read: await readFile(archive, entry, cik) });
          } catch (error) {
            if (!isItemError(error)) throw error;
            files.push({ ...file, fault: error });
          }
        }
        const figures = files.reduce((sum, { read }) => sum + (read?.facts.length ?? 0), 0);
        if (figures < FIGURES_PER_WRITE && files.length < FILES_PER_WRITE) continue;
        await storeFiles(files, ask, onItem);
        files = [];
        // Each file leaves ten times its size behind, which would otherwise be swept when memory is short on the machine.
        Bun.gc(true);
      }
      await storeFiles(files, ask, onItem);
    },
  };
}

export type FinancialBackfill = ReturnType<typeof financialBackfill>;
