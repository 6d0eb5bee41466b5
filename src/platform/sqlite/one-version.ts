// Reads a part of an answer from the operational database at a moment at which the lake has the same, so that
// the answer can name a version.
import { LRUCache } from "lru-cache";
import { StorageUnavailable } from "../errors.ts";
import type { Lake } from "../lake/lake.ts";
import { currentReading, isReplaying } from "../reading.ts";
import type { Store } from "./sqlite.ts";

/** Rows of the operational database that the lake gets too. */
export interface CopiedRows {
  /** Whether the lake has those about these subjects. */
  isReady(subjects: readonly string[]): boolean;
  /** Copies those that it lacks. */
  bringUp(subjects: readonly string[]): Promise<void>;
  /** Whether work in the background is changing such rows, so that no answer should wait for them. */
  isBusy?(): boolean;
}

/** How often an answer is read that other work may overtake. */
// Rows that the lake lacks are copied, and once more where others came meanwhile; then no version is named.
const ATTEMPTS = 2;
/** Subjects of which it is cached that the lake has them. */
const CACHED_MAX = 20_000;

/** The change of the database up to which subjects were found ready, by the rows that were looked for. */
const marksBySources = new WeakMap<readonly CopiedRows[], LRUCache<string, string>>();

function marksOf(sources: readonly CopiedRows[]): LRUCache<string, string> {
  const marks = marksBySources.get(sources) ?? new LRUCache<string, string>({ max: CACHED_MAX });
  marksBySources.set(sources, marks);
  return marks;
}

/**
 * Runs `read`, which must not wait, once the newest version of the lake has the rows of `sources` about the
 * subjects, and notes that version. Pass one array of `sources` each time. An answer that other work
 * overtakes names no version, and an error of the disk fails none.
 */
export async function readOfOneVersion<T>(
  { lake, sqlite }: { readonly lake: Pick<Lake, "generation">; readonly sqlite: Store },
  sources: readonly CopiedRows[],
  subjects: readonly string[],
  read: () => T,
): Promise<T> {
  const reading = currentReading();
  if (!reading || isReplaying()) return read();
  const marks = marksOf(sources);
  const key = subjects.join(" ");
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const generation = await lake.generation();
    const mark = sqlite.changeMark();
    const missing = marks.get(key) === mark ? [] : sources.filter((source) => !source.isReady(subjects));
    if (missing.length === 0) {
      marks.set(key, mark);
      const result = read();
      reading.saw(generation, generation);
      reading.saw(generation, await lake.generation());
      if (reading.pinned !== null && reading.pinned !== generation) reading.ranAhead();
      return result;
    }
    if (missing.some((source) => source.isBusy?.())) {
      // The next answer names a version; the lake reports its own failures.
      for (const source of missing) source.bringUp(subjects).catch(() => undefined);
      break;
    }
    try {
      await Promise.all(missing.map((source) => source.bringUp(subjects)));
    } catch (error) {
      if (!(error instanceof StorageUnavailable)) throw error;
      break;
    }
  }
  reading.ranAhead();
  return read();
}
