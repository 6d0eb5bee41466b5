// `data_version`: the state of the store that an answer is read from, as a generation or as the name of one.
import { NotFound } from "../platform/errors.ts";
import { LINE_STEP } from "../platform/lake/lineage.ts";

/** The versions that a store has. */
export interface VersionRange {
  /** The oldest generation that can be read. */
  readonly oldest: number;
  /** The newest generation. */
  readonly newest: number;
  /** The generation that a name stands for; null when there is no such name. */
  generationOf(name: string): number | null;
  /** The line of history that a generation is of; null where it is of another store's. */
  lineOf(generation: number): string | null;
}

/** The error for a version, name or cursor of a line of history that this store does not have. */
export const otherLineage = (what: string): NotFound =>
  new NotFound("other_lineage", `${what} is of another line of history, which this store does not have.`, {
    hint: "What was copied from the lost line is copied again: GET /api/v1/versions lists the versions here.",
  });

/**
 * Refuses a number that is of no line of history here: one between two lines, or of a later million than the
 * newest. This store can know nothing of a line that another restore of the same backup began.
 */
// Made up: where 518,204,007 is the newest, 518,204,008 is not there yet, and 731,002,000 is of another line.
export function refuseOtherLine(
  what: string,
  generation: number,
  { newest, lineOf }: Pick<VersionRange, "newest" | "lineOf">,
): void {
  const isNotYet =
    generation > newest && Math.floor(generation / LINE_STEP) === Math.floor(newest / LINE_STEP);
  if (lineOf(generation) === null && !isNotYet) throw otherLineage(what);
}

/** A number, or a name, which begins with a letter. */
// 4127 and q3-paper are versions; 3q is none.
const DATA_VERSION = /^(?:\d{1,15}|[a-z][a-z0-9._-]{0,63})$/;

/** Whether a text has the form of a data version. */
export const isDataVersion = (text: string): boolean => DATA_VERSION.test(text);

/**
 * The generation that `data_version` means. Throws NotFound: `unknown_version` for a name or number that no
 * version has, `version_expired` for a version before the oldest that can be read, and `other_lineage`.
 */
export function generationOf(text: string, range: VersionRange): number {
  const { oldest, newest, generationOf: named } = range;
  const generation = /^\d+$/.test(text) ? Number(text) : named(text);
  if (generation === null)
    throw new NotFound("unknown_version", `No data version has the name ${text}.`, {
      hint: "GET /api/v1/versions?named=true lists the names.",
    });
  refuseOtherLine(`The data version ${generation}`, generation, range);
  if (generation > newest)
    throw new NotFound(
      "unknown_version",
      `The data version ${generation} is not there yet: the newest is ${newest}.`,
      { hint: "A version counts for the store that gave it." },
    );
  if (generation < oldest)
    throw new NotFound(
      "version_expired",
      `The data version ${generation} cannot be read: the oldest is ${oldest}.`,
      { hint: "Rows that were stored before it carry no generation." },
    );
  return generation;
}
