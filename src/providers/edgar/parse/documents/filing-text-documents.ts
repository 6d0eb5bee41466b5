// Splits a whole submission (.txt, or .nc of the bulk feed) into its documents.
import { type ParseBudget, ParseFailed } from "./filing-text-budget.ts";

export interface InlineDocument {
  readonly sequence: number | null;
  /** The regulator's type: 8-K, EX-99.1, GRAPHIC… in capitals. */
  readonly type: string;
  readonly filename: string | null;
  readonly description: string | null;
  /** The content as filed, without its XBRL or XML wrapper; null for uuencoded parts and PDF. */
  readonly text: string | null;
}

const OPEN = "<DOCUMENT>";
const CLOSE = "</DOCUMENT>";
const TEXT_OPEN = "<TEXT>";
const TEXT_CLOSE = "</TEXT>";
/** Envelopes of a submission. When one is opened and not closed, the download is incomplete. */
const ENVELOPES = ["SEC-DOCUMENT", "IMS-DOCUMENT", "SUBMISSION"];
/**
 * An envelope's tags are within these characters of either end. A PEM header of some 1,500 characters comes
 * first.
 */
const ENVELOPE_CHARS = 4_000;
const HEADER_CHARS_MAX = 10_000;

function failTruncated(what: string): never {
  throw new ParseFailed("truncated", `the submission is cut off: ${what}`);
}

function checkEnvelope(source: string): void {
  const [head, tail] = [source.slice(0, ENVELOPE_CHARS), source.slice(-ENVELOPE_CHARS)];
  for (const name of ENVELOPES)
    if (head.includes(`<${name}>`) && !tail.includes(`</${name}>`)) failTruncated(`no </${name}> at its end`);
}

/** Finds the next opening tag of a document at the start of a line; -1 when none follows. */
function nextDocument(source: string, from: number): number {
  if (from === 0 && source.startsWith(OPEN)) return 0;
  const found = source.indexOf(`\n${OPEN}`, Math.max(0, from - 1));
  return found < 0 ? -1 : found + 1;
}

function headerField(header: string, name: string): string | null {
  const value = header.match(new RegExp(`^<${name}>(.*)$`, "m"))?.[1]?.trim();
  return value === undefined || value === "" ? null : value;
}

function unwrap(raw: string): string | null {
  const text = raw.trim();
  if (/^(?:<PDF>|begin [0-7]{3,4} |%PDF-)/.test(text.slice(0, 40))) return null;
  const name = text.slice(0, 10).match(/^<(XBRL|XML)>/)?.[1];
  if (name === undefined) return text;
  const end = text.endsWith(`</${name}>`) ? text.length - name.length - 3 : text.length;
  return text.slice(name.length + 2, end).trim();
}

function readDocument(source: string, start: number, end: number): InlineDocument {
  const textStart = source.indexOf(TEXT_OPEN, start);
  if (textStart < 0 || textStart > end) failTruncated("a document without its text");
  const textEnd = source.lastIndexOf(TEXT_CLOSE, end);
  if (textEnd < textStart) failTruncated("the text of a document does not end");
  const header = source.slice(start, Math.min(textStart, start + HEADER_CHARS_MAX));
  const sequence = Number(headerField(header, "SEQUENCE") ?? "none");
  return {
    sequence: Number.isSafeInteger(sequence) ? sequence : null,
    type: headerField(header, "TYPE")?.toUpperCase() ?? "",
    filename: headerField(header, "FILENAME"),
    description: headerField(header, "DESCRIPTION"),
    text: unwrap(source.slice(textStart + TEXT_OPEN.length, textEnd)),
  };
}

/**
 * Returns the documents of a whole submission in order. Throws ParseFailed `no_documents` when there are none
 * (an error page, a header alone), and `truncated` when the submission or a document has no end.
 */
export function splitSubmission(source: string, budget: ParseBudget): InlineDocument[] {
  const documents: InlineDocument[] = [];
  let start = nextDocument(source, 0);
  if (start < 0) throw new ParseFailed("no_documents", "the submission has no documents");
  checkEnvelope(source);
  while (start >= 0) {
    const end = source.indexOf(CLOSE, start);
    const next = nextDocument(source, start + OPEN.length);
    if (end < 0 || (next >= 0 && next < end)) failTruncated("a document does not end");
    budget.spend(end - start);
    documents.push(readDocument(source, start, end));
    start = next < 0 ? -1 : next;
  }
  return documents;
}
