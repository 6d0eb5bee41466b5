// A question to the archive for articles that name something.

/** The archive refuses shorter ones. */
const PHRASE_MIN = 3;

/**
 * Articles in English with a name in them, as a phrase: `"Apple Inc" sourcelang:english`. Null for a name too short to
 * be asked for. Parentheses behind the name and what the archive would read as an operator are left out.
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
