// Matches an item's title in running text word by word, and finds its end.
import { itemTitleWords, titleWord } from "./eightk-items.ts";

export interface TitleMatch {
  /** Position right after the last word of the title. */
  readonly end: number;
  /** Words of the title that were found, and (`of`) words that it has. */
  readonly found: number;
  readonly of: number;
}

/** The next word and the gap before it. Both are bounded, so that no input makes a match expensive. */
const WORD = /([^\p{L}\p{N}]{0,80})(\p{L}[\p{L}'’]{0,40})/uy;
/** Words of the title that may be missing at one place ("Departure of Directors; Compensatory …"). */
const LEFT_OUT_MAX = 4;
/** Words examined, small ones included; the longest title has 20. */
const WORDS_MAX = 40;
/** Words allowed before the title, as in "Disclosure of Results of Operations". */
const LEAD_WORDS_MAX = 2;

function matchOne(text: string, at: number, title: readonly string[]): TitleMatch {
  let [position, end, next, found, lead] = [at, at, 0, 0, 0];
  for (let words = 0; next < title.length && words < WORDS_MAX; words += 1) {
    WORD.lastIndex = position;
    const match = WORD.exec(text);
    if (match === null) break;
    const [, gap = "", raw = ""] = match;
    // The title does not start after the end of a sentence or paragraph.
    if (position > at && found === 0 && /[.!?]|\n\s{0,80}\n/.test(gap)) break;
    position = WORD.lastIndex;
    const word = titleWord(raw);
    if (word === null) continue;
    // After the end of a sentence or line, only the very next word of the title still belongs to it.
    const isApart = found > 0 && /[\n.!?]/.test(gap);
    const index = title.indexOf(word, next);
    if (index >= 0 && index <= next + (isApart ? 0 : LEFT_OUT_MAX)) {
      [next, found, end] = [index + 1, found + 1, position];
    } else if (found > 0 || lead === LEAD_WORDS_MAX || gap.includes("\n")) {
      break;
    } else {
      lead += 1;
    }
  }
  return { end, found, of: title.length };
}

/**
 * Matches any title of the item at `at`, ignoring case, plurals and punctuation. Null when fewer than two of
 * its words are there. The title that ends furthest wins.
 */
export function matchTitle(text: string, at: number, number: string): TitleMatch | null {
  let best: TitleMatch | null = null;
  for (const title of itemTitleWords(number)) {
    const match = matchOne(text, at, title);
    if (match.found < Math.min(2, title.length)) continue;
    if (best === null || match.end > best.end) best = match;
  }
  return best;
}
