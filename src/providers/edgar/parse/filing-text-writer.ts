// Lays out the text of a filing: words joined, blocks and table rows on lines of their own, cells set apart by tabs.

/** What stands between two pieces of text; of several wishes the strongest wins. */
const enum Break {
  None,
  Space,
  Tab,
  Line,
  Paragraph,
}

const BREAK_TEXT = ["", " ", "\t", "\n", "\n\n"] as const;

/** Bytes 0x80–0x9F of windows-1252, which older filings carry as if they were Latin-1. */
const WINDOWS_1252 =
  "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be rid of.
const STRAY = /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\u00ad\u200b-\u200f\u2060\ufeff]/g;

function cleanStray(text: string): string {
  return text.replace(STRAY, (c) => {
    const code = c.charCodeAt(0);
    if (code < 0x80 || code > 0x9f) return "";
    const meant = WINDOWS_1252.charAt(code - 0x80);
    return meant === c ? "" : meant;
  });
}

/** Lines without trailing blanks, never more than one empty line in a row. */
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

/** Collects text piece by piece, each in constant time for its length. */
export class TextWriter {
  readonly #parts: string[] = [];
  #pending = Break.None;
  #last = "";
  /** The current table row already has text: its next cell follows on the same line. */
  #hasRowText = false;
  /** Right after the start of a cell blocks make no lines, so that `<td><p>` stays in its row. */
  #isCellStart = false;

  /** Text whose white space means nothing. */
  flow(text: string): void {
    const words = text.replace(/\s+/g, " ");
    if (words === "") return;
    if (words === " ") return this.#want(Break.Space);
    if (words.startsWith(" ")) this.#want(Break.Space);
    this.#put(words.trim());
    if (words.endsWith(" ")) this.#want(Break.Space);
  }

  /** Text whose lines and blanks stand as they are. */
  preformatted(text: string): void {
    const plain = text.replace(/\r\n?/g, "\n").replace(/[\u00a0\t]/g, " ");
    if (plain !== "") this.#put(plain);
  }

  paragraph(): void {
    this.#block(Break.Paragraph);
  }

  line(): void {
    this.#block(Break.Line);
  }

  /** A forced line end: the second one in a row makes an empty line. */
  lineEnd(): void {
    this.#block(this.#pending >= Break.Line ? Break.Paragraph : Break.Line);
  }

  table(): void {
    this.#leaveCell();
    this.#want(Break.Paragraph);
  }

  row(): void {
    this.#leaveCell();
    this.#want(Break.Line);
  }

  cell(): void {
    if (!this.#hasRowText) return;
    this.#pending = Break.Tab;
    this.#isCellStart = true;
  }

  /** All that was written. */
  finish(): string {
    return tidyLines(cleanStray(this.#parts.join("")));
  }

  #leaveCell(): void {
    this.#hasRowText = false;
    this.#isCellStart = false;
  }

  #block(wish: Break): void {
    if (!this.#isCellStart) this.#want(wish);
  }

  #want(wish: Break): void {
    if (wish > this.#pending) this.#pending = wish;
  }

  #put(text: string): void {
    if (this.#parts.length > 0 && !this.#isOneFigure(text)) this.#parts.push(BREAK_TEXT[this.#pending]);
    this.#parts.push(text);
    this.#last = text;
    this.#pending = Break.None;
    this.#hasRowText = true;
    this.#isCellStart = false;
  }

  /** Statements put "$", "(1,234" and ")%" into cells of their own; together they are one figure. */
  #isOneFigure(text: string): boolean {
    if (this.#pending !== Break.Tab) return false;
    return /^[)%]/.test(text) || /^[$€£(]$/.test(this.#last);
  }
}
