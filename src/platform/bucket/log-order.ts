// In which order the files of a Delta log go into a bucket, so that a reader there never adds up half of one.

const VERSIONED = /^(\d{20})\.(json|checkpoint\.parquet)$/;
/** The file that names the newest checkpoint. */
export const POINTER = "_last_checkpoint";

interface Versioned {
  readonly name: string;
  readonly version: number;
  readonly isEntry: boolean;
}

/** The entries and checkpoints among the names of a log, oldest first. */
export const versionedFiles = (names: Iterable<string>): Versioned[] =>
  [...names]
    .flatMap((name) => {
      const [, version, kind] = VERSIONED.exec(name) ?? [];
      return version === undefined ? [] : [{ name, version: Number(version), isEntry: kind === "json" }];
    })
    .sort((a, b) => a.version - b.version || Number(b.isEntry) - Number(a.isEntry));

/** The versions of the oldest and the newest entry among the names of a log; null without any. */
export function entriesOf(names: Iterable<string>): { oldest: number; newest: number } | null {
  const entries = versionedFiles(names).filter(({ isEntry }) => isEntry);
  const [first, last] = [entries[0], entries.at(-1)];
  return first && last ? { oldest: first.version, newest: last.version } : null;
}

/**
 * The files that the bucket lacks, in the order of sending. What is newer than the bucket's log goes upwards,
 * so that each entry makes the next version. What is older goes downwards: until the file that completes the
 * log arrives, a reader finds no table, and from then on the newest version. The pointer is no part of it.
 */
export function sendingOrder(here: Iterable<string>, there: ReadonlySet<string>): string[] {
  const present = entriesOf(there);
  const own = versionedFiles(here);
  const missing = own.filter(({ name }) => !there.has(name));
  const isOlder = ({ version }: Versioned) => version < (present?.oldest ?? Number.POSITIVE_INFINITY);
  const newer = missing.filter((file) => !isOlder(file));
  const entries = newer.filter(({ isEntry }) => isEntry);
  const checkpoints = newer.filter(({ isEntry }) => !isEntry);
  // Entries that follow on nothing in the bucket need their checkpoint first.
  const first = entries[0];
  const isGap = first !== undefined && present !== null && first.version > present.newest + 1;
  const upwards = isGap ? [...checkpoints, ...entries] : [...entries, ...checkpoints];
  const downwards = missing
    .filter(isOlder)
    .sort((a, b) => b.version - a.version || Number(b.isEntry) - Number(a.isEntry));
  return [...upwards, ...downwards].map(({ name }) => name);
}
