// Lays out the text of a filing: blocks and table rows on lines of their own, cells separated by tabs.

/** The separator between two pieces of text. The strongest of several requests wins. */
type Break = 0 | 1 | 2 | 3 | 4;
const NONE = 0;
const SPACE = 1;
const TAB = 2;
const LINE = 3;
const PARAGRAPH = 4;

const BREAK_TEXT = ["", " ", "\t", "\n", "\n\n"] as const;

/** Characters 0x80–0x9F of windows-1252, which older filings encode as if they were Latin-1. */
const WINDOWS_1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove.
const STRAY = /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2060\ufeff]/g;

function cleanStray(text: string): string {
  return text.replace(STRAY, (c) => {
    const code = c.charCodeAt(0);
    if (code < 0x80 || code > 0x9f) return "";
    const meant = WINDOWS_1252.charAt(code - 0x80);
    return meant === c ? "" : meant;
  });
}

/** Removes trailing blanks, and all but one of several empty lines in a row. */
function tidyLines(text: string): string {
  const lines: string[] = [];
  let isBlank = true;
  for (const line of text.split("\n")) {
    const trimmed = line.trimEnd();
    if (trimmed === "" && isBlank) continue;
    isBlank = trimmed === "";
    lines.push(trimmed);
  }
  if (isBlank) lines.pop();
  return lines.join("\n");
}

/** White space other than single blanks. Most pieces have none. */
const UNEVEN = /\s\s|[^\S ]/;
const BLANKS = /\s{2,}|[^\S ]/g;
const BLANK = 32;

/** Collects text piece by piece, in time linear in its length. */
export class TextWriter {
  readonly #parts: string[] = [];
  #pending: Break = NONE;
  #last = "";
  /** The current table row already has text, so its next cell continues the line. */
  #hasRowText = false;
  /** A block right after the start of a cell makes no line, so that `<td><p>` stays in its row. */
  #isCellStart = false;
  /** A raised or lowered mark begins or ends here. */
  #isAside = false;

  /** Adds text whose white space has no meaning. */
  flow(text: string): void {
    const words = UNEVEN.test(text) ? text.replace(BLANKS, " ") : text;
    const isSpacedBefore = words.charCodeAt(0) === BLANK;
    const isSpacedAfter = words.charCodeAt(words.length - 1) === BLANK;
    const inner =
      isSpacedBefore || isSpacedAfter
        ? words.slice(isSpacedBefore ? 1 : 0, words.length - (isSpacedAfter ? 1 : 0))
        : words;
    if (isSpacedBefore) this.#request(SPACE);
    if (inner !== "") this.#put(inner);
    if (isSpacedAfter) this.#request(SPACE);
  }

  /** Adds text with its lines and blanks unchanged. */
  preformatted(text: string): void {
    const plain = text.replace(/\r\n?/g, "\n").replace(/[\u00a0\t]/g, " ");
    if (plain !== "") this.#put(plain);
  }

  paragraph(): void {
    this.#block(PARAGRAPH);
  }

  line(): void {
    this.#block(LINE);
  }

  /** Forces a line end. The second one in a row makes an empty line. */
  lineEnd(): void {
    this.#block(this.#pending >= LINE ? PARAGRAPH : LINE);
  }

  table(): void {
    this.#leaveCell();
    this.#request(PARAGRAPH);
  }

  row(): void {
    this.#leaveCell();
    this.#request(LINE);
  }

  cell(): void {
    if (!this.#hasRowText) return;
    this.#pending = TAB;
    this.#isCellStart = true;
  }

  /** Marks the start or end of a superscript or subscript: 10.85 with footnote 1 must not become 10.851. */
  aside(): void {
    this.#isAside = true;
  }

  /** Returns all text written. */
  finish(): string {
    return tidyLines(cleanStray(this.#parts.join("")));
  }

  #leaveCell(): void {
    this.#hasRowText = false;
    this.#isCellStart = false;
  }

  #block(separator: Break): void {
    if (!this.#isCellStart) this.#request(separator);
  }

  #request(separator: Break): void {
    if (separator > this.#pending) this.#pending = separator;
  }

  #put(text: string): void {
    if (this.#isAside && /\d$/.test(this.#last) && /^\d/.test(text)) this.#request(SPACE);
    if (this.#parts.length > 0 && !this.#isOneFigure(text)) this.#parts.push(BREAK_TEXT[this.#pending]);
    this.#parts.push(text);
    this.#last = text;
    this.#pending = NONE;
    this.#hasRowText = true;
    this.#isCellStart = false;
    this.#isAside = false;
  }

  /** True when cells make one figure: financial statements put "$", "(1,234" and ")%" into separate cells. */
  #isOneFigure(text: string): boolean {
    if (this.#pending !== TAB) return false;
    return /^[)%]/.test(text) || /^[$€£(]$/.test(this.#last);
  }
}
