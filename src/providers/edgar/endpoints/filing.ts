// Fetches the files in a filing's folder: its index page, header and documents, and the whole submission as
// one text.

import { EXHIBIT_BYTES_MAX, EXHIBIT_DEADLINE_S } from "../../../limits.ts";
import { InvalidRequest, NotFound, UpstreamMisread } from "../../../platform/errors.ts";
import { decoding } from "../../../platform/upstream/decode.ts";
import { accessionNumber, isFileName } from "../accession.ts";
import { withBoundedTexts } from "../parse/bounded-text.ts";
import { itemEra, itemOfTitle } from "../parse/documents/eightk-items.ts";
import { decodeFiling, ParseBudget, ParseFailed, splitSubmission } from "../parse/documents/filing-text.ts";
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
import { filingFile, isNoFile, type Limits, type VaultedDeps } from "../vaulted.ts";

const EXHIBIT: Limits = { bytesMax: EXHIBIT_BYTES_MAX, deadlineMs: EXHIBIT_DEADLINE_S * 1000 };
/** The page of a trust with thousands of series has some megabytes. */
const PAGE: Limits = { bytesMax: 16_000_000, deadlineMs: 60_000 };
/** Larger submissions (up to 143 MB are known) are read document by document. */
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

/**
 * The content type by the file's extension: EDGAR sends most files as text/plain or untyped. Files before
 * 2001 are text.
 */
function contentTypeOf(filename: string | null): string {
  const ending = filename ? filename.slice(filename.lastIndexOf(".") + 1).toLowerCase() : "txt";
  return CONTENT_TYPES[ending] ?? "application/octet-stream";
}

/** Wraps `read` so that a file of another filing than the requested one is refused. */
function ofFiling<T extends { readonly accession_number: string }>(
  ref: FilingRef,
  read: (text: string) => T,
): (bytes: Uint8Array) => T {
  const requested = accessionNumber(ref.accession_number);
  return (bytes) => {
    const found = read(decodeFiling(bytes));
    if (found.accession_number === requested) return found;
    throw new UpstreamMisread("edgar", `EDGAR sent filing ${found.accession_number} instead of ${requested}`);
  };
}

/**
 * The items that a header lists, by number or title. Empty when a title is unknown, since a partial list
 * would mislead.
 */
function itemsOf({ items, item_titles, filing_date }: FilingHeader): readonly string[] {
  if (items.length > 0) return items;
  const named = item_titles.map((title) => itemOfTitle(title, itemEra(filing_date)));
  return named.includes(null) ? [] : [...new Set(named.filter((number) => number !== null))];
}

/** Makes the content of the index page from the whole submission. */
function indexOf({ header, documents }: SubmissionText): FilingIndex {
  const { accepted_at, filing_date, precision, source, public_from } = header;
  const { accession_number, form_type, report_date } = header;
  return {
    accepted_at,
    filing_date,
    precision,
    source,
    public_from,
    accession_number,
    form_type,
    report_date,
    items: itemsOf(header),
    documents: documents.map(({ sequence, type, description, filename }) => ({
      sequence,
      type: type || null,
      description,
      size: null,
      filename: filename !== null && isFileName(filename) ? filename : null,
    })),
    parties: header.parties.flatMap(({ cik, name, role }) =>
      cik === null ? [] : [{ cik, name: name ?? "", role }],
    ),
  };
}

/**
 * Fetches the whole submission in place of a file. Throws `error`, the file's, when there is no readable
 * submission.
 */
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
 * Fetches the index page. When EDGAR has none, or it has another shape, the whole submission gives the same
 * content. Throws as filingFile, and UpstreamFailed when neither can be read.
 */
export async function fetchFilingIndex(
  deps: VaultedDeps,
  ref: FilingRef,
  options?: DocumentOptions,
): Promise<FilingIndex> {
  const name = `${accessionNumber(ref.accession_number)}-index.html`;
  return decoding(deps.upstream, async () => {
    try {
      const page = await filingFile(deps, ref, name, ofFiling(ref, readIndexPage), PAGE, options);
      return withBoundedTexts(page.content);
    } catch (error) {
      if (options?.pageOnly || !(isNoFile(error) || isUnreadable(error))) throw error;
      return withBoundedTexts(indexOf(await wholeSubmissionOr(deps, ref, error, options)));
    }
  });
}

/**
 * Fetches the header alone, the cheapest way to get the moment of acceptance: the -index-headers page, which
 * has item numbers and titles, or else the header file. Throws as filingFile, and UpstreamFailed for another
 * shape.
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
  return withBoundedTexts(file.content);
}

/** Fetches one file by name, at most 5 MB and 25 s unless the options say otherwise. Throws as filingFile. */
export async function fetchDocument(
  deps: VaultedDeps,
  ref: FilingRef,
  filename: string,
  options?: DocumentOptions,
): Promise<FetchedDocument> {
  const { content: _, ...file } = await filingFile(deps, ref, filename, () => null, EXHIBIT, options);
  return { ...file, filename, type: null, content_type: contentTypeOf(filename) };
}

/**
 * Fetches the whole submission: header and documents. Throws as filingFile, and UpstreamFailed when it is cut
 * off.
 */
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

/** Cuts a document out of the whole submission: before 2001 documents had no files of their own. */
async function inlineDocument(
  deps: VaultedDeps,
  ref: FilingRef,
  listed: FilingDocument,
  options: DocumentOptions,
): Promise<FetchedDocument> {
  // The byte limit applies to the exhibit, not to the submission around it.
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
    hint: "See the list of its documents for the types it has.",
  });

/**
 * Fetches the first document of a type ("EX-99.1", "EX-27"), ignoring case; EX-99 does not match EX-99.1.
 * Throws NotFound when the filing has none, else as filingFile. Before 2001 `url` and `sha256` are those of
 * the whole submission.
 */
export async function fetchExhibit(
  deps: VaultedDeps,
  ref: FilingRef,
  type: string,
  options: DocumentOptions = {},
): Promise<FetchedDocument> {
  const requestedType = type.trim().toUpperCase();
  const { documents } = await fetchFilingIndex(deps, ref, { ...options, bytesMax: PAGE.bytesMax });
  const found = documents.find((one) => one.type?.toUpperCase() === requestedType);
  if (!found) throw noExhibit(ref, requestedType);
  if (!found.filename) return inlineDocument(deps, ref, found, options);
  try {
    return { ...(await fetchDocument(deps, ref, found.filename, options)), type: found.type };
  } catch (error) {
    if (!isNoFile(error)) throw error;
    await wholeSubmissionOr(deps, ref, error, options);
    const cut = await inlineDocument(deps, ref, found, options);
    return { ...cut, filename: found.filename, content_type: contentTypeOf(found.filename) };
  }
}

/**
 * Fetches a fund's monthly holdings: primary_doc.xml of an NPORT-P, up to more than 100 MB. Throws as
 * filingFile.
 */
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
