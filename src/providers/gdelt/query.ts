// Builds the archive's query for articles that mention a name.

/** The archive refuses shorter phrases. */
// "3M" is not asked for, "IBM" is.
const PHRASE_MIN = 3;

/**
 * A query for English articles that contain the name as a phrase: `"Apple Inc" sourcelang:english`. Null for
 * a name that is too short. Removes parentheses after the name and characters the archive would read as
 * operators.
 */
export function articleQuery(name: string): string | null {
  const phrase = name
    .replace(/\s*\([^)]*\)\s*$/, "")
    .replaceAll(/["()<>:]/g, " ")
    .replaceAll(/[.,](?=\s|$)/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return phrase.length < PHRASE_MIN ? null : `"${phrase}" sourcelang:english`;
}
