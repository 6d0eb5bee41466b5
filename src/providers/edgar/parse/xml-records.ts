// Reads the XML of a form in one pass into flat records: strictly, or leniently when its syntax is broken.
import { Parser } from "htmlparser2";
import { SaxesParser } from "saxes";
import type { Unread, UnreadReason } from "../ownership-records.ts";

const NONE: readonly string[] = [];

/** An element that is read as a record: its leaves by name, at any depth. */
export class XmlRecord {
  /**
   * Name, value, name, value, … A flat list is enough for a dozen leaves, and a form has hundreds of records.
   */
  readonly #leaves: string[] = [];
  /** Name, note, name, note, … */
  #cites: string[] | null = null;
  /** Text of the element itself when it has no children. */
  text = "";

  constructor(
    readonly name: string,
    /** Its `id` attribute. */
    readonly id: string,
  ) {}

  /** The first non-blank value with this name, trimmed; null when there is none. */
  first(name: string): string | null {
    const leaves = this.#leaves;
    for (let i = 0; i < leaves.length; i += 2) if (leaves[i] === name) return leaves[i + 1] ?? null;
    return null;
  }

  /** All values with this name, in order. */
  all(name: string): string[] {
    return this.#leaves.filter((_, i) => i % 2 === 1 && this.#leaves[i - 1] === name);
  }

  /** Footnotes cited by the leaf `name`. */
  notesOf(name: string): readonly string[] {
    const cites = this.#cites;
    if (cites === null || !cites.includes(name)) return NONE;
    return cites.filter((_, i) => i % 2 === 1 && cites[i - 1] === name);
  }

  /** Footnotes cited anywhere in the record, each once. */
  get notes(): readonly string[] {
    const cites = this.#cites;
    if (cites === null) return NONE;
    // Most records cite a single footnote.
    const [, first = ""] = cites;
    return cites.length === 2 ? [first] : [...new Set(cites.filter((_, i) => i % 2 === 1))];
  }

  add(name: string, value: string): void {
    this.#leaves.push(name, value);
  }

  cite(name: string, note: string): void {
    this.#cites ??= [];
    this.#cites.push(name, note);
  }
}

export interface XmlRecords {
  /** Leaves outside every record. */
  readonly top: XmlRecord;
  readonly records: readonly XmlRecord[];
  /** True when the XML was broken and was read by the lenient parser. */
  readonly lenient: boolean;
}

export interface XmlLimits {
  readonly charsMax: number;
  readonly nodesMax: number;
  readonly depthMax: number;
}

/** The largest real Form 4 has about 1 MB, a 13D with pages of prose some MB. None is nested ten deep. */
export const XML_LIMITS: XmlLimits = { charsMax: 16_000_000, nodesMax: 500_000, depthMax: 64 };

const FOOTNOTE = "footnoteId";
const WRAPPER = "value";
const MESSAGES = {
  too_deep: "the form's elements are nested too deep",
  too_many_nodes: "the form has too many elements",
  forbidden_declaration: "the form declares a document type or entities",
} as const;

export const unread = (failed: UnreadReason, message: string): Unread => ({ failed, message });

const refused = (reason: keyof typeof MESSAGES): Unread => unread(reason, MESSAGES[reason]);

class Refused extends Error {
  constructor(readonly reason: keyof typeof MESSAGES) {
    super(MESSAGES[reason]);
  }
}

/** `com:street1` → `street1`. Prefixes differ between forms and mean nothing. */
const localName = (name: string): string => {
  const at = name.indexOf(":");
  return at < 0 ? name : name.slice(at + 1);
};

/** Builds the records from the events of either parser. */
class RecordCollector {
  readonly top = new XmlRecord("", "");
  readonly records: XmlRecord[] = [];
  readonly #stack: string[] = [];
  #record = this.top;
  #recordDepth = -1;
  #nodes = 0;
  #text = "";
  /** The open element has had no child element. */
  #isLeaf = false;

  constructor(
    readonly recordNames: ReadonlySet<string>,
    readonly limits: XmlLimits,
  ) {}

  open(tag: string, id: string | undefined): void {
    const name = localName(tag);
    const depth = this.#stack.length;
    if (++this.#nodes > this.limits.nodesMax) throw new Refused("too_many_nodes");
    if (depth >= this.limits.depthMax) throw new Refused("too_deep");
    this.#stack.push(name);
    if (name === FOOTNOTE) {
      // A reference to a footnote may come beside the value it explains, or within its text.
      if (id) this.#record.cite(this.#stack[depth - 1] ?? "", id.trim());
      return;
    }
    if (this.#recordDepth < 0 && this.recordNames.has(name)) {
      this.#record = new XmlRecord(name, id?.trim() ?? "");
      this.records.push(this.#record);
      this.#recordDepth = depth;
    }
    this.#isLeaf = true;
    this.#text = "";
  }

  text(text: string): void {
    if (this.#isLeaf) this.#text += text;
  }

  close(): void {
    const name = this.#stack.pop() ?? "";
    if (name === FOOTNOTE) return;
    const depth = this.#stack.length;
    if (this.#isLeaf) {
      const value = this.#text.trim();
      if (value !== "") {
        if (depth === this.#recordDepth) this.#record.text = value;
        else this.#record.add(name === WRAPPER ? (this.#stack[depth - 1] ?? "") : name, value);
      }
      this.#isLeaf = false;
    }
    if (depth === this.#recordDepth) {
      this.#record = this.top;
      this.#recordDepth = -1;
    }
  }
}

function readStrict(source: string, collector: RecordCollector): void {
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on("opentag", (tag) => collector.open(tag.name, tag.attributes.id));
  parser.on("text", (text) => collector.text(text));
  parser.on("cdata", (text) => collector.text(text));
  parser.on("closetag", () => collector.close());
  parser.on("doctype", () => {
    throw new Refused("forbidden_declaration");
  });
  parser.on("error", (error) => {
    throw error;
  });
  parser.write(source).close();
}

function readLeniently(source: string, collector: RecordCollector): void {
  const parser = new Parser(
    {
      onopentag: (name, attributes) => collector.open(name, attributes.id),
      ontext: (text) => collector.text(text),
      onclosetag: () => collector.close(),
      onprocessinginstruction: (name) => {
        if (name.startsWith("!")) throw new Refused("forbidden_declaration");
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(source);
}

/**
 * Reads the records of `source`, a whole root element. Only XML's own entities are decoded; declarations are
 * refused.
 */
export function readXmlRecords(
  source: string,
  recordNames: ReadonlySet<string>,
  limits: XmlLimits = XML_LIMITS,
): XmlRecords | Unread {
  if (source.length > limits.charsMax)
    return unread("too_large", `the form has more than ${limits.charsMax} characters`);
  for (const read of [readStrict, readLeniently]) {
    const collector = new RecordCollector(recordNames, limits);
    try {
      read(source, collector);
      return { top: collector.top, records: collector.records, lenient: read === readLeniently };
    } catch (error) {
      if (error instanceof Refused) return refused(error.reason);
    }
  }
  return unread("malformed", "the form's XML cannot be read");
}

/** The end of the closing tag of `name`; -1 when there is none after `from`. */
function closingEnd(source: string, name: string, from: number): number {
  for (let at = source.indexOf(name, from); at >= 0; at = source.indexOf(name, at + 1)) {
    const opening = source.lastIndexOf("<", at);
    if (source[opening + 1] !== "/" || !/^(?:[\w.-]+:)?$/.test(source.slice(opening + 2, at))) continue;
    const end = source.indexOf(">", at);
    if (end >= 0 && source.slice(at + name.length, end).trim() === "") return end + 1;
  }
  return -1;
}

/** Cuts out the root element `name` with any prefix; null when `source` has none. */
export function rootElement(source: string, name: string): string | Unread | null {
  const start = source.search(new RegExp(`<(?:[\\w.-]+:)?${name}[\\s>]`));
  if (start < 0) return null;
  // The text before the root is dropped, so it must not contain declarations.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(source.slice(0, start))) return refused("forbidden_declaration");
  const end = closingEnd(source, name, source.indexOf(name, start) + name.length);
  if (end < 0) return unread("truncated", "the form is cut off");
  return source.slice(start, end);
}
