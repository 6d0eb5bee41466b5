// Reads XML of the plainest kind, as most forms are, at a tokenizer's speed; a parser that knows all rules reads the rest.
import { QuoteType, Tokenizer, type TokenizerCallbacks } from "htmlparser2";

/** Told what is met, in order. */
export interface XmlEvents {
  open(tag: string, id: string | undefined): void;
  text(text: string): void;
  close(): void;
}

/** Comments, CDATA, declarations, entities but the five, tags without a name, characters XML forbids or reads as others. */
const UNUSUAL =
  /<(?:[^A-Za-z_/]|\/[^A-Za-z_])|\]\]>|&(?!(?:amp|lt|gt|quot|apos);)|[^\t\n\x20-\ud7ff\ue000-\ufffd]/;
const NAME = /^[A-Za-z_][\w.:-]*$/;
const WORD = /^[\w.-]*$/;

/** Its message goes nowhere: the next reader says what is wrong, if anything is. */
class NotPlain extends Error {}

function giveUpIf(isUnusual: boolean): void {
  if (isUnusual) throw new NotPlain();
}

/** Holds the tokenizer, which forgives, to the rules: tags that match, nothing in them but one `id`, one root. */
class PlainReader implements TokenizerCallbacks {
  readonly #open: string[] = [];
  /** Where the last tag ended; the root's is the end of the source. */
  #last = 0;
  #name = "";
  #id: string | undefined;
  /** Where what was read of the open tag ends. */
  #readTo = 0;

  constructor(
    readonly source: string,
    readonly events: XmlEvents,
  ) {}

  ontext(start: number, end: number): void {
    giveUpIf(this.#open.length === 0);
    this.events.text(this.source.slice(start, end));
  }

  ontextentity(codepoint: number): void {
    giveUpIf(this.#open.length === 0);
    this.events.text(String.fromCodePoint(codepoint));
  }

  onopentagname(start: number, end: number): void {
    this.#name = this.source.slice(start, end);
    giveUpIf(!NAME.test(this.#name) || (this.#open.length === 0 && start !== 1));
    this.#id = undefined;
    this.#readTo = end;
  }

  onattribname(start: number, end: number): void {
    giveUpIf(this.#id !== undefined || this.source.slice(start, end) !== "id");
    this.#blankTo(start);
    this.#id = "";
  }

  onattribdata(start: number, end: number): void {
    this.#id = this.source.slice(start, end);
  }

  onattribentity(): void {
    giveUpIf(true);
  }

  onattribend(quote: QuoteType, end: number): void {
    giveUpIf((quote !== QuoteType.Double && quote !== QuoteType.Single) || !WORD.test(this.#id ?? ""));
    this.#readTo = end;
  }

  onopentagend(end: number): void {
    this.#blankTo(end);
    this.#open.push(this.#name);
    this.events.open(this.#name, this.#id);
  }

  onselfclosingtag(end: number): void {
    this.#blankTo(end - 1);
    this.events.open(this.#name, this.#id);
    this.#close(end);
  }

  onclosetag(start: number, end: number): void {
    const name = this.#open.pop() ?? "";
    giveUpIf(name.length !== end - start || !this.source.startsWith(name, start) || this.source[end] !== ">");
    this.#close(end);
  }

  ondeclaration(): void {
    giveUpIf(true);
  }

  oncomment(): void {
    giveUpIf(true);
  }

  oncdata(): void {
    giveUpIf(true);
  }

  onprocessinginstruction(): void {
    giveUpIf(true);
  }

  onend(): void {
    giveUpIf(this.#open.length > 0 || this.#last !== this.source.length - 1);
  }

  /** Nothing but blanks may stand between what was read of a tag and `at`. */
  #blankTo(at: number): void {
    giveUpIf(at !== this.#readTo && this.source.slice(this.#readTo, at).trim() !== "");
  }

  #close(end: number): void {
    this.#last = end;
    this.events.close();
  }
}

/** Tells `events` what `source`, a whole root element, holds. Throws where it is not of the plainest kind. */
export function readPlainly(source: string, events: XmlEvents): void {
  giveUpIf(UNUSUAL.test(source));
  const reader = new PlainReader(source, events);
  const tokenizer = new Tokenizer({ xmlMode: true, decodeEntities: source.includes("&") }, reader);
  tokenizer.write(source);
  tokenizer.end();
}
