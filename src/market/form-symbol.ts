// Reads the symbol that insiders write into their forms: free text such as `brk/b`, `NYSE: BRK.A, BRK.B` or
// `NONE`. Pure.
import { readIssue } from "./issue.ts";
import { canonical, isTicker } from "./ticker.ts";

/** Words that filers write where there is no symbol. */
const PLACEHOLDERS = new Set(["NONE", "N/A", "NA", "NULL", "TBD", "PRIVATE", "UNKNOWN", "UNLISTED"]);
/** Words beside a symbol. */
const OTHER_WORDS = new Set([
  ...["NYSE", "NASDAQ", "NASD", "AMEX", "ARCA", "CBOE", "OTC", "OTCBB", "OTCQB", "OTCQX", "OTCMKTS", "TSX"],
  ...["AND", "OR", "CLASS", "SERIES", "COMMON", "STOCK", "SYMBOL", "TICKER", "NOT", "APPLICABLE", "PENDING"],
]);
/** A text with more words is a sentence, not a list of symbols. */
// "NYSE: BRK.A, BRK.B" has three words; "see the cover page of this form" has seven, so it names no symbol.
const WORDS_MAX = 6;

/** The canonical symbols that the text names, in its order. */
export function symbolsOfForm(text: string): string[] {
  const words = text.split(/[\s,;:|&()[\]"'*]+/).filter((word) => isTicker(word));
  if (words.length > WORDS_MAX) return [];
  const named = words.filter((word) => {
    const upper = word.toUpperCase();
    return !PLACEHOLDERS.has(upper) && (words.length === 1 || !OTHER_WORDS.has(upper));
  });
  return [...new Set(named.map(canonical))];
}

const rootOf = (symbol: string): string => readIssue(symbol)?.root ?? symbol;
const joined = (symbol: string): string => {
  const issue = readIssue(symbol);
  return issue ? issue.root + issue.parts.join("") : symbol;
};

/** Whether the text names a symbol or another class of the same root: classes of one root have one issuer. */
// "BRK.A" names BRK.B, of the same root; "GOOG" does not name GOOGL.
export const namesSymbol = (text: string, symbol: string): boolean =>
  symbolsOfForm(text).some((one) => rootOf(one) === rootOf(symbol) || one === joined(symbol));

/** A regular expression, for upper-case text, that every text naming the symbol matches. */
export function formSymbolPattern(symbol: string): string {
  const words = [...new Set([rootOf(symbol), joined(symbol)])].map((word) => RegExp.escape(word));
  return `(^|[^A-Z0-9])(${words.join("|")})([^A-Z0-9]|$)`;
}
