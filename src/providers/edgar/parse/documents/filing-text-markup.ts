// Converts a filing's document (HTML, inline XBRL or ASCII) to readable plain text, in one pass and without a
// tree.
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import { type ParseBudget, ParseFailed } from "./filing-text-budget.ts";
import { type Layout, shortKey, type TagKind, tagAt } from "./filing-text-tags.ts";
import { TextWriter } from "./filing-text-writer.ts";

const NOT_SHOWN = /display\s{0,8}:\s{0,8}none/i;
/** A style without one of these words neither hides nor raises its element. */
const RELEVANT_STYLE = /none|su(?:per|b)|top/i;
/** Superscripts made by style: vertical-align, or a shift upwards. */
const RAISED = /\bsu(?:per|b)\b|(?:^|;)\s{0,8}top\s{0,8}:\s{0,8}-/i;
const STYLE = shortKey("style", 0, 5);
const NO_BREAK_SPACE = 0xa0;

const STYLE_CHARS_MAX = 4_096;
const DECLARATION_CHARS_MAX = 4_096;
/** The clock is read between two chunks, however long a single tag or comment is. */
const CHUNK_CHARS = 65_536;

const NO_TAG = tagAt("", 0, 0);

class MarkupReader implements TokenizerCallbacks {
  readonly writer = new TextWriter();
  #tag = NO_TAG;
  #isStyle = false;
  #style = "";
  /** The element whose content is hidden, and how many elements of its name are open. */
  #unseen = "";
  #unseenOpen = 0;
  #pre: number;
  /** The open element that is raised or lowered. */
  #raised = "";
  #depth = 0;

  constructor(
    readonly source: string,
    readonly budget: ParseBudget,
    readonly isHtml: boolean,
  ) {
    this.#pre = isHtml ? 0 : 1;
  }

  ontext(start: number, end: number): void {
    this.#write(this.source.slice(start, end));
  }

  ontextentity(codepoint: number): void {
    // By far the most common entity; it ends up as a blank.
    this.#write(codepoint === NO_BREAK_SPACE ? " " : String.fromCodePoint(codepoint));
  }

  onopentagname(start: number, end: number): void {
    this.budget.spendNode();
    this.#tag = tagAt(this.source, start, end);
    this.#style = "";
  }

  onattribname(start: number, end: number): void {
    this.budget.spend(1);
    this.#isStyle = shortKey(this.source, start, end) === STYLE;
  }

  /** Reads the style only. Other attributes such as colspan are ignored, whatever number they name. */
  onattribdata(start: number, end: number): void {
    if (!this.#isStyle || this.#style.length > STYLE_CHARS_MAX) return;
    this.#style += this.source.slice(start, Math.min(end, start + STYLE_CHARS_MAX));
  }

  onattribentity(): void {
    this.budget.spend(1);
  }

  onattribend(): void {
    this.#isStyle = false;
  }

  onopentagend(): void {
    this.#open(false);
  }

  onselfclosingtag(): void {
    this.#open(true);
  }

  onclosetag(start: number, end: number): void {
    this.budget.spendNode();
    const kind = tagAt(this.source, start, end);
    const { name } = kind;
    if (this.#unseen !== "") {
      if (name === this.#unseen) this.#unseenOpen -= 1;
      if (this.#unseenOpen === 0) this.#unseen = "";
      return;
    }
    if (name === this.#raised) {
      this.writer.aside();
      this.#raised = "";
    }
    if (name === "pre") this.#pre = Math.max(this.isHtml ? 0 : 1, this.#pre - 1);
    if (!kind.isVoid && !kind.isLeftOpen) this.#depth = Math.max(0, this.#depth - 1);
    if (kind.layout !== "cell") this.#layOut(kind.layout);
  }

  /**
   * Refuses a DOCTYPE that declares something. No filing has one, so it is an attack, although nothing
   * expands it here.
   */
  ondeclaration(start: number, end: number): void {
    this.budget.spendNode();
    const text = this.source.slice(start, Math.min(end, start + DECLARATION_CHARS_MAX));
    if (end - start > DECLARATION_CHARS_MAX || /\[|<!/.test(text)) this.#refuse();
  }

  oncomment(start: number, end: number): void {
    this.budget.spendNode();
    const text = this.source.slice(start, Math.min(end, start + 16));
    if (/^!?(?:ENTITY|ELEMENT|ATTLIST)\b/i.test(text)) this.#refuse();
  }

  oncdata(): void {
    this.budget.spendNode();
  }

  onprocessinginstruction(): void {
    this.budget.spendNode();
  }

  onend(): void {}

  #refuse(): never {
    throw new ParseFailed(
      "forbidden_declaration",
      "the document declares entities or a document type of its own",
    );
  }

  #write(text: string): void {
    this.budget.spend(1 + text.length);
    if (this.#unseen !== "") return;
    if (this.#pre > 0) this.writer.preformatted(text);
    else this.writer.flow(text);
  }

  #open(isClosed: boolean): void {
    const kind = this.#tag;
    const { name } = kind;
    if (this.#style !== "" && !RELEVANT_STYLE.test(this.#style)) this.#style = "";
    const isLeaf = isClosed || kind.isVoid;
    // A <p> ends the previous one, even a hidden one.
    if (this.#unseen === "p" && name === "p") this.#unseen = "";
    if (this.#unseen !== "") {
      if (name === this.#unseen && !isLeaf) this.#unseenOpen += 1;
    } else if (!isLeaf && (kind.isUnseen || (this.#style !== "" && NOT_SHOWN.test(this.#style)))) {
      this.#unseen = name;
      this.#unseenOpen = 1;
    } else {
      if (!isLeaf) this.#enter(name, kind);
      this.#layOut(kind.layout);
    }
  }

  #enter(name: string, kind: TagKind): void {
    if (this.isHtml && !kind.isLeftOpen) this.#deepen();
    if (kind.isRaised || (this.#style !== "" && RAISED.test(this.#style))) {
      this.writer.aside();
      this.#raised = name;
    }
    if (name === "pre") this.#pre += 1;
  }

  #deepen(): void {
    this.#depth += 1;
    if (this.#depth > this.budget.limits.depthMax)
      throw new ParseFailed(
        "too_deep",
        `the document nests more than ${this.budget.limits.depthMax} elements`,
      );
  }

  #layOut(layout: Layout): void {
    if (layout === "paragraph") this.writer.paragraph();
    else if (layout === "line") this.writer.line();
    else if (layout === "break") this.writer.lineEnd();
    else if (layout === "cell") this.writer.cell();
    else if (layout === "row") this.writer.row();
    else if (layout === "table") this.writer.table();
  }
}

/** Tags that only HTML has. ASCII filings contain other tags (PAGE, TABLE, S, C). */
const HTML_TAG = /<(?:html|head|body|div|p|font|center|br|td|tr|span|h[1-6]|b|u)[\s>/]/i;
const HTML_SNIFF_CHARS = 20_000;

/** Removes `<!--DOCTYPE html>`, a mistake in some filings, which opens a comment that never closes. */
function withoutBrokenDoctype(source: string): string {
  const found = source.slice(0, 2_000).match(/<!--\s{0,8}DOCTYPE[^>]{0,500}>/i);
  if (found?.index === undefined) return source;
  return source.slice(0, found.index) + source.slice(found.index + found[0].length);
}

/**
 * Converts one document to plain text. Paragraphs are separated by an empty line, and the cells of a table
 * row by tabs. Hidden parts are left out; white space and stray windows-1252 characters are normalised.
 *
 * Throws ParseFailed `too_large`, `too_deep`, `too_many_nodes`, `forbidden_declaration` or `too_slow`.
 */
export function toPlainText(document: string, budget: ParseBudget): string {
  const { documentCharsMax } = budget.limits;
  if (document.length > documentCharsMax)
    throw new ParseFailed("too_large", `the document has more than ${documentCharsMax} characters`);
  const source = withoutBrokenDoctype(document);
  const reader = new MarkupReader(source, budget, HTML_TAG.test(source.slice(0, HTML_SNIFF_CHARS)));
  const tokenizer = new Tokenizer({ decodeEntities: true, recognizeSelfClosing: true }, reader);
  for (let at = 0; at < source.length; at += CHUNK_CHARS) {
    tokenizer.write(source.slice(at, at + CHUNK_CHARS));
    budget.spend(CHUNK_CHARS / 8);
  }
  tokenizer.end();
  budget.spend(source.length / 8);
  return reader.writer.finish();
}
