// The reading of one request: the version of the store it asked for, or the versions that its reads saw.
import { AsyncLocalStorage } from "node:async_hooks";
import { InvalidRequest, StorageUnavailable } from "./errors.ts";

/** A request that is answered from an earlier version. */
export interface Replay {
  /** The generation whose rows are read. */
  readonly version: number;
  /** The moment that counts as now: it never moves with the clock. */
  readonly now: Temporal.Instant;
  /** The rows of the operational database that the version has, as far as this request has loaded them. */
  tables?: VersionRows;
}

/** Rows of the operational database as a version has them. */
export interface VersionRows {
  /** A database in memory; a table that no version has is not in it. */
  readonly db: object;
  /** Names of the states that were loaded, chosen by the loader. */
  readonly loaded: Set<string>;
}

const current = new AsyncLocalStorage<Reading | undefined>();

/** A damaged file of which an answer could have had a row. */
export interface DamagedFile {
  readonly path: string;
  readonly dataset: string;
  /** Its partition and ranges. */
  readonly of: string;
  /** The first moment from which the world could know a row of it; absent where its rows count at any. */
  readonly publicFrom?: Temporal.Instant | undefined;
  readonly description: string;
}

/** The warnings about damaged files: one for each dataset, with the ranges of the first. */
export const damageWarnings = (files: Iterable<DamagedFile>): string[] =>
  [...Map.groupBy(files, ({ dataset }) => dataset)].map(([dataset, [first, ...others]]) => {
    const of = [first?.of, others.length > 0 && `${others.length} more files`].filter(Boolean).join("; ");
    const why = `their file${others.length > 0 ? ", the first," : ""} ${first?.description}`;
    return `damaged: rows of ${dataset}${of && ` (${of})`} may be missing, because ${why}.`;
  });

/**
 * The reads of one request. Work that is shared between requests has a reading of its own, which each of them
 * takes over.
 */
export class Reading {
  /** Set where the request is answered from an earlier version. */
  replay: Replay | null = null;
  /** The moment that the request asks as of; null for now, and for work that other moments share. */
  readonly asOf: Temporal.Instant | null;
  /** The version that later reads see, while rows are prepared and sent. */
  pinned: number | null = null;
  /** Set once the answer has named `pinned`: until then what the request itself stores moves it on. */
  isNamed = false;
  #oldest = Number.POSITIVE_INFINITY;
  #newest = Number.NEGATIVE_INFINITY;
  #isAhead = false;
  /** The damaged files of which the answer could have had a row, by path. */
  readonly damage = new Map<string, DamagedFile>();
  /** Set where an answer without the rows of a damaged file would be none, such as a page of the ledger. */
  refusesDamage = false;
  /** Commits of rows that this request waited for. */
  readonly #own = new Set<number>();

  constructor(replay: Replay | null = null, asOf: Temporal.Instant | null = null) {
    this.replay = replay;
    this.asOf = asOf;
  }

  /** Runs `work` with all it awaits under this reading. */
  run<T>(work: () => T): T {
    return current.run(this, work);
  }

  /** Notes a read: the generation was `first` before it and `last` after it. */
  saw(first: number, last: number): void {
    this.#oldest = Math.min(this.#oldest, first);
    this.#newest = Math.max(this.#newest, last);
  }

  /** Notes that the answer has what no version has yet: it then names none. */
  ranAhead(): void {
    this.#isAhead = true;
  }

  /**
   * Notes damaged files. Throws where the answer may not go without their rows, and where the headers are
   * sent, which would have named them.
   */
  noteDamage(files: Iterable<DamagedFile>): void {
    for (const file of this.#knownOf(files)) {
      const isLate = this.isNamed && !this.damage.has(file.path);
      if (isLate) throw damaged([file]);
      this.damage.set(file.path, file);
    }
    this.refuseDamaged();
  }

  /** The files as a moment may name them: none whose rows all became known later, and no ranges of days. */
  #knownOf(files: Iterable<DamagedFile>): DamagedFile[] {
    const { asOf } = this;
    if (asOf === null) return [...files];
    const isKnown = ({ publicFrom }: DamagedFile) =>
      publicFrom === undefined || Temporal.Instant.compare(publicFrom, asOf) <= 0;
    return [...files].filter(isKnown).map((file) => ({ ...file, of: "" }));
  }

  /** Throws where damaged files are noted without whose rows the answer would be none. */
  refuseDamaged(): void {
    if ((this.replay || this.refusesDamage) && this.damage.size > 0) throw damaged(this.damage.values());
  }

  /** Whether anything was read of the store that a version has. */
  hasRead(): boolean {
    return this.#newest >= 0 && !this.#isAhead;
  }

  /** Notes a commit of rows that the request waited for. */
  wrote(generation: number): void {
    this.#own.add(generation);
    this.saw(generation, generation);
    this.#moveOn(generation);
  }

  /** The rows of an answer hold what the request has stored for them. */
  #moveOn(generation: number): void {
    if (this.pinned !== null && !this.isNamed && !this.replay)
      this.pinned = Math.max(this.pinned, generation);
  }

  /** Takes over what a piece of shared work read and wrote. */
  absorb(other: Reading): void {
    if (other === this) return;
    for (const file of this.#knownOf(other.damage.values())) this.damage.set(file.path, file);
    this.#isAhead ||= other.#isAhead;
    if (!other.hasRead()) return;
    this.saw(other.#oldest, other.#newest);
    for (const each of other.#own) {
      this.#own.add(each);
      this.#moveOn(each);
    }
  }

  /**
   * The version that holds all that was read: null where nothing was, where rows of a damaged file may be
   * missing, which the version has once the file is put back, and where commits that the request did
   * not wait for fell between its reads. `isRowless` says which commits changed no row.
   */
  version(isRowless: (generation: number) => boolean): number | null {
    if (this.replay) return this.replay.version;
    if (!this.hasRead() || this.damage.size > 0) return null;
    for (let each = this.#newest; each > this.#oldest; each--)
      if (!this.#own.has(each) && !isRowless(each)) return null;
    return this.#newest;
  }
}

/**
 * Lets the current answer, or what a job computes and stores, fail where rows of a damaged file may be
 * missing from it, read before or later.
 */
export function refuseDamage(): void {
  const reading = current.getStore();
  if (reading === undefined) return;
  reading.refusesDamage = true;
  reading.refuseDamaged();
}

/** The error of a question whose answer needs every row, where one of these files may be missing. */
export const damaged = (files: Iterable<DamagedFile>): StorageUnavailable =>
  new StorageUnavailable("damaged", `The answer may lack rows. ${damageWarnings(files).join(" ")}`, {
    hint: "The machine's owner runs `bun run cli doctor --repair`; then the rows are read again.",
  });

/** The reading of the current work; undefined outside requests. */
export const currentReading = (): Reading | undefined => current.getStore();

/**
 * Whether the current request is answered from an earlier version: nothing is asked, and nothing is stored.
 */
export const isReplaying = (): boolean => (current.getStore()?.replay ?? null) !== null;

/** Part of the key of work that requests share: only requests for the same version and moment share it. */
export const sharedKey = (key: string): string => {
  const { replay, asOf } = current.getStore() ?? {};
  return replay ? `version ${replay.version} at ${replay.now} as of ${asOf} ${key}` : key;
};

/** Gives shared work a reading of its own; `absorb` passes what it read on to a request that waits for it. */
export function sharedReading(): Reading {
  const { replay, asOf } = current.getStore() ?? {};
  return replay ? new Reading(replay, asOf) : new Reading();
}

/** Throws `not_replayable` where the current request is answered from an earlier version. */
export function refuseInReplay(what: string, hint = "Leave out data_version."): void {
  if (isReplaying())
    throw new InvalidRequest(
      "not_replayable",
      `This answer needs ${what}, which an earlier data version does not have.`,
      { hint },
    );
}

/** Runs `work`, which reads what is the same in every version, such as the zone of an exchange. */
export const ofEveryVersion = <T>(work: () => T): T =>
  isReplaying() ? current.run(undefined, work) : work();

/** Runs `work` without noting what it reads: reads that an answer does not show. */
export const unnoted = <T>(work: () => T): T => current.run(undefined, work);
