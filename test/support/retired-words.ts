// Words that this project once used in a sense of its own, and what is written in their place.

/** The words, as a pattern of whole words in any case, with their replacement. */
export const RETIRED_WORDS: readonly (readonly [words: string, instead: string])[] = [
  ["whoever|whomever", "the client, the caller, the process"],
  ["nobody|anybody|somebody|everybody", "no client, any caller, all companies: name who or what it is"],
  ["anew", "again"],
  ["reckon(?:s|ed|ing|er)?", "compute"],
  ["owed|owing", "missed (slot), pending"],
  ["manners?", "limits (pace, breaker), way"],
  ["bore|bears", "held (a symbol), has, confirms"],
  ["told|tells|retold|retell", "reported, says, distinguished"],
  ["speakers?", "upstream"],
  ["husks?", "delisted stub"],
  ["wish(?:es|ed)?", "option, request"],
  ["occasions?", "context, case"],
  ["remember(?:s|ed|ing)?|recalled", "cache, cached, stored"],
  ["seats?", "concurrency limit, requests in flight"],
  ["misprints?", "typing error"],
  ["pockets?", "bucket"],
  ["makes? good|made good", "catch up"],
  ["of before(?= (?:the|it|a|this|there|\\d))", "earlier, from before"],
  ["hearsay|whence|thereof|lest", "plain words"],
];

const ALL = new RegExp(`\\b(?:${RETIRED_WORDS.map(([words]) => words).join("|")})\\b`, "gi");

/** Texts that keep such a word for a reason: the place, what stands there, and why. */
const KEPT: readonly (readonly [path: RegExp, text: RegExp, why: string])[] = [
  [/support\/retired-words\.ts$|architecture\.test\.ts$/, /./, "the list itself and its test"],
  [/sqlite\/migrations\.test\.ts$/, /remembered/, "a table's name before a migration"],
  [/ownership\/beneficial-intent\.ts$/, /seats/, "seats on a board, as filings name them"],
  [/sample\/edgar\/current-report\.ts$/, /Nobody Whatsoever/, "the name of a fictional officer"],
];

export interface RetiredWord {
  readonly line: number;
  readonly word: string;
  readonly instead: string;
}

/** Retired words of a file, with the line and what to write. */
export function retiredWordsIn(path: string, text: string): RetiredWord[] {
  return text.split("\n").flatMap((line, i) => {
    if (KEPT.some(([place, kept]) => place.test(path) && kept.test(line))) return [];
    return [...line.matchAll(ALL)].map(([word]) => ({
      line: i + 1,
      word,
      instead: RETIRED_WORDS.find(([words]) => new RegExp(`^(?:${words})$`, "i").test(word))?.[1] ?? "",
    }));
  });
}
