// The files in the folder of a filing: its index page, its header, its documents, and the whole of it as one text.

import { EXHIBIT_BYTES_MAX, EXHIBIT_DEADLINE_S } from "../../../limits.ts";
import { InvalidRequest, NotFound, UpstreamMisread } from "../../../platform/errors.ts";
import { decoding } from "../../../platform/upstream/decode.ts";
import { accessionNumber, isFileName } from "../accession.ts";
import { itemEra, itemOfTitle } from "../parse/eightk-items.ts";
import { decodeFiling, ParseBudget, ParseFailed, splitSubmission } from "../parse/filing-text.ts";
import { readHeader } from "../parse/header.ts";
import { readIndexPage } from "../parse/index-page.ts";
import type {
  DocumentOptions,
  FetchedDocument,
  FilingDocument,
  FilingHeader,
  FilingIndex,
  FilingRef,
  SubmissionText,
} from "../records.ts";
import { filingFile, type Limits, type VaultedDeps } from "../vaulted.ts";

const EXHIBIT: Limits = { bytesMax: EXHIBIT_BYTES_MAX, deadlineMs: EXHIBIT_DEADLINE_S * 1000 };
/** The page of a trust with thousands of series is some megabytes. */
const PAGE: Limits = { bytesMax: 16_000_000, deadlineMs: 60_000 };
/** Whole submissions of 143 MB are known; what is larger than this is read document by document. */
const WHOLE: Limits = { bytesMax: 64_000_000, deadlineMs: 120_000 };

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  htm: "text/html",
  html: "text/html",
  txt: "text/plain",
  xml: "application/xml",
  xsd: "application/xml",
  pdf: "application/pdf",
  jpg: "image/jpeg",
  gif: "image/gif",
  png: "image/png",
  json: "application/json",
  zip: "application/zip",
};

/** EDGAR sends most files as text/plain or not typed at all: the ending tells more. Filings before 2001 are text. */
function contentTypeOf(filename: string | null): string {
  const ending = filename ? filename.slice(filename.lastIndexOf(".") + 1).toLowerCase() : "txt";
  return CONTENT_TYPES[ending] ?? "application/octet-stream";
}

/** `read`, refusing what was served for another filing than asked: it is of no use to anyone. */
function ofFiling<T extends { readonly accession_number: string }>(
  ref: FilingRef,
  read: (text: string) => T,
): (bytes: Uint8Array) => T {
  const asked = accessionNumber(ref.accession_number);
  return (bytes) => {
    const found = read(decodeFiling(bytes));
    if (found.accession_number === asked) return found;
    throw new UpstreamMisread("edgar", `EDGAR sent filing ${found.accession_number} instead of ${asked}`);
  };
}

/** The items a header lists, by number or by title; none where a title is not known: part of a list is no list. */
function itemsOf({ items, item_titles, filing_date }: FilingHeader): readonly string[] {
  if (items.length > 0) return items;
  const named = item_titles.map((title) => itemOfTitle(title, itemEra(filing_date)));
  return named.includes(null) ? [] : [...new Set(named.filter((number) => number !== null))];
}

/** What the index page tells, from the whole submission. */
function indexOf({ header, documents }: SubmissionText): FilingIndex {
  const { accepted_at, filing_date, precision, source, public_from } = header;
  const { accession_number, form_type, report_date } = header;
  return {
    ...{ accepted_at, filing_date, precision, source, public_from, accession_number, form_type, report_date },
    items: itemsOf(header),
    documents: documents.map(({ sequence, type, description, filename }) => ({
      ...{ sequence, type: type || null, description, size: null },
      filename: filename !== null && isFileName(filename) ? filename : null,
    })),
    parties: header.parties.flatMap(({ cik, name, role }) =>
      cik === null ? [] : [{ cik, name: name ?? "", role }],
    ),
  };
}

/** The whole submission in place of a file of the filing; `fault`, the file's, where there is none that can be read. */
const wholeSubmissionOr = (
  deps: VaultedDeps,
  ref: FilingRef,
  error: unknown,
  options: DocumentOptions = {},
): Promise<SubmissionText> => {
  const { refresh, signal } = options;
  return wholeSubmission(deps, ref, { refresh, signal }).catch((other: unknown) => {
    const isNone = other instanceof NotFound || other instanceof InvalidRequest || isUnreadable(other);
    throw isNone ? error : other;
  });
};
const isUnreadable = (error: unknown) => error instanceof UpstreamMisread || error instanceof ParseFailed;

/**
 * The index page; where EDGAR has none, or one of another shape, the same from the whole submission. Throws as
 * filingFile, and UpstreamFailed when neither can be read.
 */
export async function fetchFilingIndex(
  deps: VaultedDeps,
  ref: FilingRef,
  options?: DocumentOptions,
): Promise<FilingIndex> {
  const name = `${accessionNumber(ref.accession_number)}-index.html`;
  return decoding(deps.upstream, async () => {
    try {
      return (await filingFile(deps, ref, name, ofFiling(ref, readIndexPage), PAGE, options)).content;
    } catch (error) {
      if (options?.pageOnly || !(error instanceof NotFound || isUnreadable(error))) throw error;
      return indexOf(await wholeSubmissionOr(deps, ref, error, options));
    }
  });
}

/**
 * The header alone, the cheapest way to the moment of acceptance: the -index-headers page, which has item numbers and
 * titles, or where EDGAR has none the header file. Throws as filingFile, and UpstreamFailed for another shape.
 */
export async function fetchFilingHeader(
  deps: VaultedDeps,
  ref: FilingRef,
  options?: DocumentOptions,
): Promise<FilingHeader> {
  const accession = accessionNumber(ref.accession_number);
  const fetch = (name: string) => filingFile(deps, ref, name, ofFiling(ref, readHeader), PAGE, options);
  const file = await decoding(deps.upstream, () =>
    fetch(`${accession}-index-headers.html`).catch((error: unknown) => {
      if (error instanceof NotFound) return fetch(`${accession}.hdr.sgml`);
      throw error;
    }),
  );
  return file.content;
}

/** One file by its name; at most 5 MB and 25 s unless the options say otherwise. Throws as filingFile. */
export async function fetchDocument(
  deps: VaultedDeps,
  ref: FilingRef,
  filename: string,
  options?: DocumentOptions,
): Promise<FetchedDocument> {
  const { content: _, ...file } = await filingFile(deps, ref, filename, () => null, EXHIBIT, options);
  return { ...file, filename, type: null, content_type: contentTypeOf(filename) };
}

/** The whole filing: header and every document inline. Throws as filingFile, and UpstreamFailed when it was cut off. */
export const fetchSubmissionText = (
  deps: VaultedDeps,
  ref: FilingRef,
  options?: DocumentOptions,
): Promise<SubmissionText> => decoding(deps.upstream, () => wholeSubmission(deps, ref, options));

async function wholeSubmission(
  deps: VaultedDeps,
  ref: FilingRef,
  options?: DocumentOptions,
): Promise<SubmissionText> {
  const name = `${accessionNumber(ref.accession_number)}.txt`;
  const read = (text: string) => {
    const documents = splitSubmission(text, new ParseBudget(deps.clock));
    const header = readHeader(text);
    return { accession_number: header.accession_number, header, documents };
  };
  const { content, ...file } = await filingFile(deps, ref, name, ofFiling(ref, read), WHOLE, options);
  return { ...file, header: content.header, documents: content.documents };
}

/** Before 2001 a document has no file of its own: it is cut out of the whole submission. */
async function inlineDocument(
  deps: VaultedDeps,
  ref: FilingRef,
  listed: FilingDocument,
  options: DocumentOptions,
): Promise<FetchedDocument> {
  // The limit of bytes is for the exhibit, not for the submission around it.
  const { bytesMax = EXHIBIT.bytesMax, ...rest } = options;
  const whole = await fetchSubmissionText(deps, ref, { deadlineMs: EXHIBIT.deadlineMs, ...rest });
  const type = listed.type ?? "";
  const found = whole.documents.find(
    (one) => one.type === type.toUpperCase() && one.sequence === listed.sequence,
  );
  if (found?.text === null || found?.text === undefined) throw noExhibit(ref, type);
  const bytes = new TextEncoder().encode(found.text);
  if (bytes.byteLength > bytesMax)
    throw new InvalidRequest("exhibit_too_large", `${type} is larger than ${bytesMax} bytes`);
  const { sha256, url, from_vault } = whole;
  return { bytes, sha256, url, from_vault, filename: null, type, content_type: contentTypeOf(null) };
}

const noExhibit = (ref: FilingRef, type: string) =>
  new NotFound("not_found", `Filing ${ref.accession_number} has no document of type ${type}`, {
    upstream: "edgar",
    hint: "the list of its documents names the types it has",
  });

/**
 * The first document of a type ("EX-99.1", "EX-27", whatever its case; exactly: EX-99 is not EX-99.1). Throws
 * NotFound when the filing has none, else as filingFile. Of a filing before 2001 `url` and `sha256` are the whole's.
 */
export async function fetchExhibit(
  deps: VaultedDeps,
  ref: FilingRef,
  type: string,
  options: DocumentOptions = {},
): Promise<FetchedDocument> {
  const wanted = type.trim().toUpperCase();
  const { documents } = await fetchFilingIndex(deps, ref, { ...options, bytesMax: PAGE.bytesMax });
  const found = documents.find((one) => one.type?.toUpperCase() === wanted);
  if (!found) throw noExhibit(ref, wanted);
  if (!found.filename) return inlineDocument(deps, ref, found, options);
  try {
    return { ...(await fetchDocument(deps, ref, found.filename, options)), type: found.type };
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    await wholeSubmissionOr(deps, ref, error, options);
    const cut = await inlineDocument(deps, ref, found, options);
    return { ...cut, filename: found.filename, content_type: contentTypeOf(found.filename) };
  }
}

/** A fund's monthly holdings, primary_doc.xml of an NPORT-P: the largest are beyond 100 MB. Throws as filingFile. */
export async function fetchNport(
  deps: VaultedDeps,
  ref: FilingRef,
  options?: DocumentOptions,
): Promise<FetchedDocument> {
  return fetchDocument(deps, ref, "primary_doc.xml", {
    bytesMax: 200_000_000,
    deadlineMs: 120_000,
    ...options,
  });
}
