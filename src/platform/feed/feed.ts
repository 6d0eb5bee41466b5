// Parses a news feed (RSS 2.0 or Atom) in one strict pass. A document type, and so custom entities, is
// refused.
import { SaxesParser } from "saxes";

/** An element below an entry. `name` has its prefix as written (`dc:creator`); `text` is trimmed. */
export interface FeedField {
  readonly name: string;
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Below another element of the entry: the title of a picture is not that of the entry. */
  readonly isDeeper: boolean;
}

/** An item, or the feed itself. */
export interface FeedEntry {
  readonly fields: readonly FeedField[];
}

export interface Feed {
  readonly kind: "rss" | "atom";
  /** Title, language and so on of the feed itself. */
  readonly about: FeedEntry;
  readonly entries: readonly FeedEntry[];
}

/** The feed cannot be used; the message completes "the feed cannot be used: ". */
export class FeedBroken extends Error {
  override readonly name = "FeedBroken";
}

const NODES_MAX = 50_000;
const DEPTH_MAX = 32;
/** The declared encoding; nearly all feeds are UTF-8. */
const ENCODING = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.-]+)["']/i;
const PEEK_BYTES = 200;

export function feedText(bytes: Uint8Array): string {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, PEEK_BYTES));
  const label = ENCODING.exec(start.replace(/^\u00ef\u00bb\u00bf/, ""))?.[1] ?? "utf-8";
  try {
    return new TextDecoder(label).decode(bytes).trimStart();
  } catch {
    throw new FeedBroken("its declared encoding is unknown");
  }
}

/** Elements of the name: those of the entry itself first, then deeper ones (a name within an author). */
export const fieldsOf = (entry: FeedEntry, name: string): FeedField[] =>
  entry.fields.filter((field) => field.name === name).sort((a, b) => Number(a.isDeeper) - Number(b.isDeeper));

/** The first text of the name that is not blank; null when there is none. */
export function fieldOf(entry: FeedEntry, name: string): string | null {
  return fieldsOf(entry, name).find(({ text }) => text !== "")?.text ?? null;
}

/** URL of an item: the text of `link`, or the `href` of an Atom link to the article. */
export function linkOf(entry: FeedEntry): string | null {
  for (const { text, attributes } of fieldsOf(entry, "link")) {
    if (text !== "") return text;
    if ((attributes.rel ?? "alternate") === "alternate" && attributes.href) return attributes.href;
  }
  return null;
}

interface Open {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

class Reading {
  readonly about: FeedField[] = [];
  readonly entries: { fields: FeedField[] }[] = [];
  kind: Feed["kind"] | null = null;
  readonly #stack: Open[] = [];
  #entry: { fields: FeedField[] } | null = null;
  #entryDepth = 0;
  #nodes = 0;

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (++this.#nodes > NODES_MAX) throw new FeedBroken("it has too many elements");
    if (this.#stack.length >= DEPTH_MAX) throw new FeedBroken("its elements are nested too deep");
    if (this.#stack.length === 0) {
      this.kind = name === "rss" ? "rss" : name === "feed" ? "atom" : null;
      if (this.kind === null)
        throw new FeedBroken(`it is not a feed: its first element is ${name.slice(0, 40)}`);
    }
    if (this.#entry === null && (name === "item" || name === "entry")) {
      this.#entry = { fields: [] };
      this.#entryDepth = this.#stack.length;
      this.entries.push(this.#entry);
    }
    this.#stack.push({ name, attributes, text: "" });
  }

  text(text: string): void {
    const top = this.#stack.at(-1);
    if (top) top.text += text;
  }

  close(): void {
    const closed = this.#stack.pop();
    if (!closed) return;
    const depth = this.#stack.length;
    const { name, attributes } = closed;
    const text = closed.text.trim();
    if (this.#entry && depth === this.#entryDepth) {
      this.#entry = null;
      return;
    }
    // Deeper elements (a name within an author, a text within media) are stored under their own name too.
    const isDeeper = depth > this.#entryDepth + 1;
    if (this.#entry) {
      // Skips an Atom `source`: title, id and link of the feed the entry was taken from.
      if (!isDeeper || this.#stack[this.#entryDepth + 1]?.name !== "source")
        this.#entry.fields.push({ name, text, attributes, isDeeper });
    } else if (this.#stack.at(-1)?.name === (this.kind === "atom" ? "feed" : "channel"))
      this.about.push({ name, text, attributes, isDeeper: false });
  }
}

/**
 * An ampersand that begins no XML entity: part of a URL or of an HTML entity. It is taken literally, as every
 * ampersand in a CDATA section is.
 */
const STRAY = /<!\[CDATA\[[\s\S]*?\]\]>|&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/gi;
const withoutStray = (source: string): string =>
  source.replace(STRAY, (found) => (found === "&" ? "&amp;" : found));

/** Throws FeedBroken when the text is not a feed, is cut off or malformed, or declares a document type. */
export function readFeed(source: string): Feed {
  const reading = new Reading();
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on("opentag", (tag) => reading.open(tag.name, tag.attributes));
  parser.on("text", (text) => reading.text(text));
  parser.on("cdata", (text) => reading.text(text));
  parser.on("closetag", () => reading.close());
  parser.on("doctype", () => {
    throw new FeedBroken("it declares a document type");
  });
  parser.on("error", (error) => {
    throw new FeedBroken(`it is malformed or cut off (${error.message.slice(0, 80)})`);
  });
  parser.write(withoutStray(source)).close();
  if (reading.kind === null) throw new FeedBroken("it is empty");
  return { kind: reading.kind, about: { fields: reading.about }, entries: reading.entries };
}
