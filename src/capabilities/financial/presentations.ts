// Reads which tags the cash-flow statements of reports present, where a figure depends on it: from the lake,
// else from the regulator.

import { presentedStatements } from "../../datasets/presented-statements.ts";
import { PRESENTATIONS_FIRST_PART_S } from "../../limits.ts";
import { mapSettled } from "../../market/bulk.ts";
import type { Services } from "../../market/services.ts";
import { backgroundQueue } from "../../platform/background-queue.ts";
import { batcher } from "../../platform/batcher.ts";
import {
  type AsofError,
  isProviderFailure,
  StorageUnavailable,
  UpstreamMisread,
} from "../../platform/errors.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import type { RowOf } from "../../platform/lake/dataset.ts";
import { batchOf, type Lake } from "../../platform/lake/lake.ts";
import { currentReading, isReplaying } from "../../platform/reading.ts";
import type { FigureSource } from "./sources.ts";

type PresentationRow = RowOf<typeof presentedStatements>;
type StoredPresentation = Pick<PresentationRow, "accession_number" | "reading" | "tags" | "read_at">;

const LAST_READINGS = `SELECT accession_number, reading, tags, read_at FROM ${presentedStatements.name}
  WHERE accession_number = ANY($accessions)
  QUALIFY row_number() OVER (PARTITION BY accession_number ORDER BY reading DESC) = 1`;

function presentationStore(lake: Lake) {
  const reads = batcher<string, StoredPresentation | undefined>({
    async run(accessions) {
      const rows = await lake.query<StoredPresentation>(LAST_READINGS, {
        accessions: [...new Set(accessions)],
      });
      const byAccession = new Map(rows.map((row) => [row.accession_number, row]));
      return accessions.map((accession) => byAccession.get(accession));
    },
  });
  return {
    /**
     * The last reading of a report; undefined when it was never read. Reads requested at about the same time
     * share one query.
     */
    last: (accession: string) => reads.add(accession),
    async add(rows: readonly PresentationRow[]): Promise<void> {
      await lake.append([batchOf(presentedStatements, rows)]);
    },
  };
}

/** A report whose presented statement decides about a figure. */
export type NeededReport = Pick<PresentationRow, "accession_number" | "cik" | "filed_date" | "known_at">;

/**
 * The tags that a report presents, or why they are unknown. none: the regulator renders no such statement.
 * not_read: it is not read yet; not_in_version: the earlier version that answers has not read it.
 * unavailable: the regulator did not answer, or its answer cannot be read.
 */
export type Presentation =
  | { readonly kind: "presented"; readonly tags: ReadonlySet<string> }
  | { readonly kind: "none" | "not_read" | "not_in_version" }
  | { readonly kind: "unavailable"; readonly error: AsofError };

/** By accession number. */
export type Presentations = ReadonlyMap<string, Presentation>;

/** Reports that one request reads at the same time. */
const AT_ONCE = 4;
const WORKERS = 2;
/** Reports that do not fit are read when they are needed again. */
const QUEUE_MAX = 20_000;
/** The background stores what it reads within this time in one write, which is a version of the store. */
const WRITE_WAIT_MS = 1_000;
const WRITE_ROWS_MAX = 50;
/**
 * The regulator renders statements within minutes of a report; a report of this age without them never has
 * any.
 */
// Read without a statement an hour after the report: read again ten minutes later. Three days after it: never
// again.
const RENDERED_MS_MAX = 2 * 86_400_000;
const RETRY_MS = 10 * 60_000;

const shown = (tags: string | null): Presentation =>
  tags === null ? { kind: "none" } : { kind: "presented", tags: new Set(tags.split(" ")) };

/** Whether a report must be read: it never was, or it had no rendered statement and may have one by now. */
function isDue(
  stored: StoredPresentation | undefined,
  { known_at }: NeededReport,
  force: boolean,
  nowMs: number,
): boolean {
  if (!stored) return true;
  if (stored.tags !== null) return false;
  const readMs = instantMs(stored.read_at);
  const isNew = known_at !== null && readMs - instantMs(known_at) <= RENDERED_MS_MAX;
  return force || (isNew && nowMs - readMs > RETRY_MS);
}

/** A report that must be read, with its last reading. */
interface Due {
  readonly report: NeededReport;
  readonly stored: StoredPresentation | undefined;
}

export interface PresentationDeps extends Pick<Services, "lake" | "clock" | "log"> {
  readonly source: Pick<FigureSource, "cashFlowElements">;
}

/** Makes the function that reads one report at the regulator. */
function reportReader({ source, clock }: Pick<PresentationDeps, "source" | "clock">) {
  return async ({ report, stored }: Due, signal: AbortSignal): Promise<PresentationRow> => {
    const { accession_number, cik } = report;
    const tags = await source.cashFlowElements({ accession_number, cik }, { signal });
    return {
      ...report,
      statement: "cash_flow",
      reading: (stored?.reading ?? 0) + 1,
      tags: tags?.join(" ") ?? null,
      read_at: instantText(clock.nowMs()),
    };
  };
}

/** Makes the queue of reports that are read in the background. */
function backgroundReading(deps: PresentationDeps, store: ReturnType<typeof presentationStore>) {
  const { clock, log } = deps;
  const read = reportReader(deps);
  const waiting = new Map<string, NeededReport>();
  const writes = batcher<PresentationRow, null>({
    waitMs: WRITE_WAIT_MS,
    sizeMax: WRITE_ROWS_MAX,
    async run(rows) {
      await store.add(rows);
      return rows.map(() => null);
    },
  });
  const unwritten = new Set<Promise<unknown>>();
  const write = (row: PresentationRow) => {
    const { accession_number } = row;
    const failed = (error: unknown) =>
      log.error("a presented statement could not be stored", { accession_number, error });
    const written: Promise<unknown> = writes
      .add(row)
      .catch(failed)
      .finally(() => unwritten.delete(written));
    unwritten.add(written);
  };
  const queue = backgroundQueue({
    workers: WORKERS,
    itemsMax: QUEUE_MAX,
    async run(accession, signal) {
      const report = waiting.get(accession);
      waiting.delete(accession);
      if (!report) return null;
      try {
        const stored = await store.last(accession);
        if (isDue(stored, report, false, clock.nowMs())) write(await read({ report, stored }, signal));
      } catch (error) {
        if (signal.aborted) return null;
        if (isProviderFailure(error) && !(error instanceof UpstreamMisread)) return error;
        log.error("a presented statement could not be read", { accession_number: accession, error });
      }
      return null;
    },
    onOutage(outage, reports) {
      waiting.clear();
      log.warn("reading of presented statements is postponed", { reason: outage.message, reports });
    },
  });
  const written = async () => {
    writes.flush();
    await Promise.all(unwritten);
  };
  return {
    add(reports: readonly NeededReport[]): void {
      for (const report of reports) waiting.set(report.accession_number, report);
      queue.add(reports.map(({ accession_number }) => accession_number));
    },
    idle: () => queue.idle().then(written),
    stop: () => queue.stop().then(written),
  };
}

export function presentations(deps: PresentationDeps) {
  const { lake, clock, log } = deps;
  const store = presentationStore(lake);
  const background = backgroundReading(deps, store);
  const read = reportReader(deps);

  /**
   * Stores what a request has read. A full disk does not fail the request: its answer then names no version.
   */
  const keep = async (rows: readonly PresentationRow[]): Promise<void> => {
    try {
      await store.add(rows);
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error;
      currentReading()?.ranAhead();
      log.warn("presented statements could not be stored", { reason: error.message, reports: rows.length });
    }
  };

  /**
   * Reads reports, newest first, for some seconds, and leaves the others to the background. Stops at the
   * first outage.
   */
  const readDue = async (
    due: readonly Due[],
    found: Map<string, Presentation>,
    signal: AbortSignal,
  ): Promise<void> => {
    const untilMs = clock.nowMs() + PRESENTATIONS_FIRST_PART_S * 1000;
    const rows: PresentationRow[] = [];
    const left: NeededReport[] = [];
    let outage: AsofError | null = null;
    const readOne = async (one: Due) => {
      const accession = one.report.accession_number;
      if (outage !== null) return void found.set(accession, { kind: "unavailable", error: outage });
      if (clock.nowMs() >= untilMs) return void left.push(one.report);
      try {
        const row = await read(one, signal);
        rows.push(row);
        found.set(accession, shown(row.tags));
      } catch (error) {
        if (signal.aborted || !isProviderFailure(error)) throw error;
        if (!(error instanceof UpstreamMisread)) outage = error;
        found.set(accession, { kind: "unavailable", error });
      }
    };
    const outcomes = await mapSettled(due, readOne, { concurrency: AT_ONCE, signal });
    if (rows.length > 0) await keep(rows);
    signal.throwIfAborted();
    for (const outcome of outcomes) if (!outcome.ok) throw outcome.error;
    if (outage === null) background.add(left);
    else
      for (const { accession_number } of left)
        found.set(accession_number, { kind: "unavailable", error: outage });
  };

  return {
    /**
     * Returns what each report presents; reports are given newest first. `force` asks the regulator again for
     * those without a rendered statement. Throws only when the store cannot be read, and the signal's reason.
     */
    async of(needed: readonly NeededReport[], force: boolean, signal: AbortSignal): Promise<Presentations> {
      const all = await Promise.all(
        needed.map(async (report) => ({ report, stored: await store.last(report.accession_number) })),
      );
      const notRead: Presentation = { kind: isReplaying() ? "not_in_version" : "not_read" };
      const found = new Map<string, Presentation>(
        all.map(({ report, stored }) => [report.accession_number, stored ? shown(stored.tags) : notRead]),
      );
      const due = all.filter(({ report, stored }) => isDue(stored, report, force, clock.nowMs()));
      if (due.length > 0 && !isReplaying()) await readDue(due, found, signal);
      return found;
    },
    /** Resolves when nothing is left to be read in the background. */
    idle: background.idle,
    /** Ends reading in the background; what it has read is stored. Call it before closing the stores. */
    stop: background.stop,
  };
}

export type PresentationReader = ReturnType<typeof presentations>;
