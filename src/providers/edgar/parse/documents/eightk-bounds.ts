// Finds the ends of an 8-K's items: signatures, the index of exhibits, page numbers and other lines between
// pages.
import type { ParseBudget } from "./filing-text-budget.ts";

export interface Bounds {
  /** Start of the signature block; the length of the text when there is none. */
  readonly signatures: number;
  /** Starts of lines that end an item: headings of the signatures and of the index of exhibits. */
  readonly stops: readonly number[];
}

const HEADING_CHARS_MAX = 80;
const SIGNATURE_LINES = new Set(["signature", "signatures", "signaturepage", "signaturespage"]);
const INDEX_LINES = new Set([
  "exhibitindex",
  "exhibitsindex",
  "indextoexhibits",
  "indexofexhibits",
  "listofexhibits",
]);
/** First letters of these lines: for most lines one letter is enough to decide. */
const FIRST_LETTERS = new Set([...SIGNATURE_LINES, ...INDEX_LINES].map((name) => name.charCodeAt(0)));
/** This bit distinguishes a small letter from its capital. */
const TO_SMALL = 32;
/** The form's sentence above every signature. */
const SIGNED = /\bduly\s{1,20}caused\s{1,20}(?:this|the)\b/i;
const REQUIREMENTS = /pursuant\s{1,20}to\s{1,20}the\s{1,20}requirements?/gi;
/** The sentence follows its heading within these characters. In a table of contents it does not follow. */
const SIGNED_WITHIN_CHARS = 1_500;

/** The start of the paragraph about the requirements of the Act that ends in the sentence at `signedAt`. */
function signedParagraph(text: string, signedAt: number): number {
  const from = Math.max(0, signedAt - 600);
  const found = [...text.slice(from, signedAt).matchAll(REQUIREMENTS)].at(-1);
  return found === undefined ? Math.max(0, text.lastIndexOf("\n", signedAt) + 1) : from + found.index;
}

/** True when the first letter from `start` to `end` is one of FIRST_LETTERS. */
function mayStop(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const letter = text.charCodeAt(at) | TO_SMALL;
    if (letter >= 0x61 && letter <= 0x7a) return FIRST_LETTERS.has(letter);
  }
  return false;
}

/** Finds the bounds in one pass over the lines. */
export function findBounds(text: string, budget: ParseBudget): Bounds {
  const stops: number[] = [];
  const signatureLines: number[] = [];
  for (let start = 0; start < text.length; ) {
    const found = text.indexOf("\n", start);
    const end = found < 0 ? text.length : found;
    // A page number may follow, and letters may be spaced out: S I G N A T U R E S.
    if (end - start <= HEADING_CHARS_MAX && mayStop(text, start, end)) {
      const at = end - text.slice(start, end).trimStart().length;
      const letters = text
        .slice(start, end)
        .replace(/[^a-z]/gi, "")
        .toLowerCase();
      if (SIGNATURE_LINES.has(letters)) signatureLines.push(at);
      if (SIGNATURE_LINES.has(letters) || INDEX_LINES.has(letters)) stops.push(at);
    }
    start = end + 1;
  }
  budget.spend(2 * text.length);
  const signedAt = text.match(SIGNED)?.index;
  if (signedAt === undefined) return { signatures: signatureLines.at(-1) ?? text.length, stops };
  const heading = signatureLines.findLast((at) => at < signedAt && signedAt - at <= SIGNED_WITHIN_CHARS);
  return { signatures: heading ?? signedParagraph(text, signedAt), stops };
}

const PAGE_MARK = /^[\s\-–—*_=.]*(?:page\s{1,4})?\d{0,3}(?:\s{1,4}of\s{1,4}\d{1,3})?[\s\-–—*_=.]*$/i;
const SECTION_LINE = /^section\s{1,8}\d\b[^.!?]{0,120}$/i;
/** A link at the top of a page. */
const CONTENTS_LINK =
  /^[\s[(]*(?:(?:back|return)\s{1,4}to\s{1,4})?(?:table\s{1,4}of\s{1,4}contents|top)[\s\])]*$/i;
const FOLLOWS = /^[\s[(*]*(?:signatures?|exhibits?)(?:\s{1,4}\w{1,12}){0,5}\s{1,4}follows?[\s\])*.]*$/i;

/** True for a line outside every item: a page number, a rule, a link, the name of the next section. */
export function isTrailingLine(line: string): boolean {
  if (line.length > 200) return false;
  const plain = line.trim();
  return (
    PAGE_MARK.test(plain) || SECTION_LINE.test(plain) || FOLLOWS.test(plain) || CONTENTS_LINK.test(plain)
  );
}

const NOTHING =
  /^\W{0,10}(?:not?\s{1,4}applicable|none|n\/a|inapplicable|nothing\s{1,4}to\s{1,4}report)\W{0,10}$/i;

/** True for "Not applicable." and the like, which old filings give under most items of the form. */
export function saysNothing(content: string): boolean {
  return NOTHING.test(content);
}
