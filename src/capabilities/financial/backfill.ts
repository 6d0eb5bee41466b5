// Fills the lake with reported figures: for named tickers the way the routes do it, or for all companies from
// the regulator's nightly archive.
import { and, eq } from "drizzle-orm";
import { mapSettled } from "../../market/bulk.ts";
import type { Services } from "../../market/services.ts";
import { AsofError, StorageUnavailable } from "../../platform/errors.ts";
import { instantText } from "../../platform/instant-text.ts";
import { backfill_items } from "../../platform/sqlite/tables.ts";
import { BrokenArchive, type ZipArchive, type ZipEntry } from "../../platform/zip.ts";
import { type NormalisedFacts, readCik } from "../../providers/edgar/index.ts";
import type { FinancialAnswers } from "./answers.ts";
import type { FactsFiles } from "./facts-files.ts";

/** Called after each ticker or file, with the error when it failed. */
export type OnItem = (item: string, error: Error | null) => void;

export interface ArchiveRequest {
  readonly archive: ZipArchive;
  /** Identifies the archive: a run over the same archive continues where the last one stopped. */
  readonly name: string;
  /** When the archive was made: it has no reports accepted later. */
  readonly madeMs: number;
  readonly signal: AbortSignal;
}

/** One entity's file: `CIK0000320193.json`. */
const ENTITY_FILE = /^CIK(\d{10})\.json$/;
/** The largest files are about 40 MB; anything above this limit is refused rather than read into memory. */
const FILE_BYTES_MAX = 128_000_000;
const TICKERS_AT_ONCE = 4;
/** Figures and files stored in one write: few enough to fit in memory beside the file being read. */
const FIGURES_PER_WRITE = 12_000;
const FILES_PER_WRITE = 250;

/** A file of the archive that is about to be stored. */
interface ReadFile {
  readonly entry: string;
  readonly cik: string;
  readonly read: NormalisedFacts | null;
  readonly error: Error | null;
  /** A former run stored it. */
  readonly isDone: boolean;
}

export interface BackfillDeps extends Pick<Services, "sqlite" | "clock"> {
  readonly answers: Pick<FinancialAnswers, "collect">;
  readonly files: Pick<FactsFiles, "read" | "storeFiles">;
}

/** Whether the error is about one ticker or file, so that the run goes on. */
const isItemError = (error: unknown): error is Error =>
  (error instanceof AsofError && !(error instanceof StorageUnavailable)) ||
  error instanceof BrokenArchive ||
  error instanceof SyntaxError;

export function financialBackfill({ answers, files, sqlite, clock }: BackfillDeps) {
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
    return files.read(cik, JSON.parse(new TextDecoder().decode(bytes)));
  };

  /** Stores the files, marks each as done or failed, and reports it. */
  const storeBatch = async (batch: readonly ReadFile[], { name, madeMs }: ArchiveRequest, onItem: OnItem) => {
    const refused = await files.storeFiles(
      batch.flatMap(({ cik, read }) => (read === null ? [] : [{ cik, read }])),
      madeMs,
    );
    for (const { entry, cik, error: readError, isDone } of batch) {
      const error = readError ?? refused.get(cik) ?? null;
      if (!isDone) note(name, cik, error);
      onItem(entry, error);
    }
  };

  return {
    /** Brings tickers up to date; a ticker whose newest report is stored causes no request for figures. */
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
     * Stores the files of an archive, several per write: a write costs as much for one filer as for a dozen.
     * Skips files that a former run stored. A file that cannot be read is reported and skipped; a store that
     * fails ends the run.
     */
    async archive(request: ArchiveRequest, onItem: OnItem): Promise<void> {
      const { archive, name, signal } = request;
      let batch: ReadFile[] = [];
      for (const entry of archive.entries) {
        const cik = readCik(ENTITY_FILE.exec(entry.name)?.[1] ?? "");
        if (cik === null) continue;
        if (signal.aborted) break;
        const file = { entry: entry.name, cik, read: null, error: null, isDone: isDone(name, cik) };
        if (file.isDone) batch.push(file);
        else {
          try {
            batch.push({ ...file, read: await readFile(archive, entry, cik) });
          } catch (error) {
            if (!isItemError(error)) throw error;
            batch.push({ ...file, error });
          }
        }
        const figures = batch.reduce((sum, { read }) => sum + (read?.facts.length ?? 0), 0);
        if (figures < FIGURES_PER_WRITE && batch.length < FILES_PER_WRITE) continue;
        await storeBatch(batch, request, onItem);
        batch = [];
        // Parsing leaves garbage of ten times the file's size, otherwise collected only when memory is short.
        Bun.gc(true);
      }
      await storeBatch(batch, request, onItem);
    },
  };
}

export type FinancialBackfill = ReturnType<typeof financialBackfill>;
