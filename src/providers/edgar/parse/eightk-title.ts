// Recognises an item's title in running text, word by word, and says where it ends.
import { itemTitleWords, titleWord } from "./eightk-items.ts";

export interface TitleMatch {
  /** Where the text after the title begins: right after its last word. */
  readonly end: number;
  /** Words of the title that were found, of those it has. */
  readonly found: number;
  readonly of: number;
}

/** The next word and the gap before it; both bounded, so that no input makes one match expensive. */
const WORD = /([^\p{L}\p{N}]{0,80})(\p{L}[\p{L}'’]{0,40})/uy;
/** How many words of the title may be left out at one place ("Departure of Directors; Compensatory …"). */
const LEFT_OUT_MAX = 4;
/** Words looked at, small ones included; the longest title has 20. */
const WORDS_MAX = 40;
/** Words before the title, as in "Disclosure of Results of Operations". */
const LEAD_WORDS_MAX = 2;

function matchOne(text: string, at: number, title: readonly string[]): TitleMatch {
  let [position, end, next, found, lead] = [at, at, 0, 0, 0];
  for (let words = 0; next < title.length && words < WORDS_MAX; words += 1) {
    WORD.lastIndex = position;
    const match = WORD.exec(text);
    if (match === null) break;
    const [, gap = "", raw = ""] = match;
    // A sentence or a paragraph that ends before the title is none of its words.
    if (position > at && found === 0 && /[.!?]|\n\s{0,80}\n/.test(gap)) break;
    position = WORD.lastIndex;
    const word = titleWord(raw);
    if (word === null) continue;
    // Past a sentence or line end only the very next word of the title still belongs to it.
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
 * The item's title (any it has had, capitals, plurals and punctuation aside) at `at`; null when fewer than two of
 * its words stand there. A title that ends the furthest wins.
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
