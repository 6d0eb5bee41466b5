// Why rows are missing from an answer. An outage, a refusal, nothing there and not read yet are four
// different answers.

import { Type } from "@sinclair/typebox";
import { Busy, isOutage, NotFound, NotRead, StorageUnavailable } from "../platform/errors.ts";

/**
 * `outage`: a provider did not answer. `refused`: it answered that it will not. `nothing_there`: everything
 * was read and nothing matches. `not_read`: it exists or may exist, and this installation has not read it.
 */
export const ABSENCES = ["outage", "refused", "nothing_there", "not_read"] as const;
export type Absence = (typeof ABSENCES)[number];

/** A warning about missing rows, which begins with what kind of absence it is. */
export const absent = (kind: Absence, sentence: string): string => `${kind}: ${sentence}`;

/**
 * Returns which kind of absence an error is. `Busy` means that too many requests wait already, so the
 * provider was not asked. What could not be stored counts as not read.
 */
export const absenceOf = (error: unknown): Absence =>
  error instanceof NotRead || error instanceof Busy || error instanceof StorageUnavailable
    ? "not_read"
    : error instanceof NotFound
      ? "nothing_there"
      : isOutage(error)
        ? "outage"
        : "refused";

/** The warning where a list is empty, else none. */
export const ifEmpty = (rows: readonly unknown[], kind: Absence, sentence: string): string[] =>
  rows.length === 0 ? [absent(kind, sentence)] : [];

/** Whether a warning says that something has not been read. */
export const isNotRead = (warning: string) => warning.startsWith("not_read: ");

const isAbsence = (warning: string) => ABSENCES.some((kind) => warning.startsWith(`${kind}: `));

/** The warnings of a list; where it is empty and none says why, nothing is there. */
export const explained = (
  rows: readonly unknown[],
  warnings: readonly string[],
  sentence: string,
): string[] => [...warnings, ...(warnings.some(isAbsence) ? [] : ifEmpty(rows, "nothing_there", sentence))];

/** Names that one warning spells out; the answer lists all of them. */
// Of twelve tickers without rows it names ten, "and 2 more".
const NAMES_MAX = 10;

function namesOf(tickers: readonly string[]): string {
  const more = tickers.length - NAMES_MAX;
  return more > 0 ? `${tickers.slice(0, NAMES_MAX).join(", ")} and ${more} more` : tickers.join(", ");
}

/**
 * Why some of many tickers have no rows: one warning for each kind of absence. `sentence` is said of those
 * without an error.
 */
export function absentTickers(
  missing: readonly string[],
  errorOf: (ticker: string) => unknown,
  without: { readonly kind: Absence; readonly sentence: string },
): string[] {
  const kindOf = (ticker: string) => {
    const error = errorOf(ticker);
    return error === undefined || error === null ? null : absenceOf(error);
  };
  return [...Map.groupBy(missing, kindOf)].map(([kind, tickers]) =>
    kind === null
      ? absent(without.kind, `${namesOf(tickers)}: ${without.sentence}`)
      : absent(kind, `${namesOf(tickers)}: no rows; errors says why.`),
  );
}

/** The field of the warnings of a list. */
export const absenceWarnings = Type.Array(Type.String(), {
  description:
    "Why rows are missing, at least one sentence where there is none. It begins with `outage:` (a provider did not answer), `refused:` (it answered that it will not), `nothing_there:` (all was read and nothing matches) or `not_read:` (this installation has not read it, and how to).",
});
