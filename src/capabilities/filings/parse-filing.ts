// Parses one current report: reads its documents from the regulator or the vault, and stores its events.
import type { Services } from "../../market/services.ts";
import {
  AsofError,
  InvalidRequest,
  NotFound,
  StorageUnavailable,
  UpstreamRefused,
} from "../../platform/errors.ts";
import { singleFlight } from "../../platform/upstream/single-flight.ts";
import {
  bodyDocument,
  decodeFiling,
  type FetchedDocument,
  type FilingDocument,
  type FilingIndex,
  type FilingRef,
  type InlineDocument,
  modernItem,
  ParseBudget,
  ParseFailed,
  parseEightKFiling,
  pressRelease,
} from "../../providers/edgar/index.ts";
import type { EventStore, ParsedEvent } from "./event-store.ts";
import type { FilingSource, FilingsLog } from "./sources.ts";
import type { FilingsStore, FoundFiling, ParsedStatus } from "./store.ts";

/** The result of one attempt. */
export interface ParseResult {
  readonly accession_number: string;
  readonly parsed_status: ParsedStatus;
  readonly events_created: number;
  readonly error: string | null;
  readonly problems: readonly string[];
  /** Why its documents could not be fetched; the filing stays pending. */
  readonly outage: AsofError | null;
  /** True when it was parsed before and nothing was done. */
  readonly skipped: boolean;
}

export interface ParseDeps extends Pick<Services, "clock"> {
  readonly source: FilingSource;
  readonly filings: FilingsStore;
  readonly events: EventStore;
  readonly log: FilingsLog;
}

/** Size limit of a body; real ones are far smaller. */
const BODY_BYTES_MAX = 32_000_000;

/** The documents of a filing to be parsed, with the hash of the bytes behind each content source. */
interface FilingContent {
  readonly documents: readonly InlineDocument[];
  readonly body_sha256: string;
  readonly exhibit_sha256: string | null;
  readonly problems: readonly string[];
}

/** The text of a single document; null for a PDF. */
const documentText = ({ bytes }: FetchedDocument): string | null =>
  new TextDecoder("latin1").decode(bytes.subarray(0, 5)) === "%PDF-" ? null : decodeFiling(bytes);

/**
 * The listed documents in the shape from which the parser picks body and press release; an empty text means
 * readable.
 */
export const asReadable = (documents: readonly FilingDocument[]): InlineDocument[] =>
  documents.map((d) => ({
    sequence: d.sequence,
    type: d.type?.toUpperCase() ?? "",
    filename: d.filename,
    description: d.description,
    text: d.filename !== null && /\.pdf$/i.test(d.filename) ? null : "",
  }));

async function readSubmission(
  source: FilingSource,
  ref: FilingRef,
  signal: AbortSignal,
): Promise<FilingContent> {
  const whole = await source.submissionText(ref, { signal });
  const { documents } = whole;
  return { documents, body_sha256: whole.sha256, exhibit_sha256: whole.sha256, problems: [] };
}

/** As readSubmission; null when the submission is missing or unreadable too. */
const submissionOrNull = (
  source: FilingSource,
  ref: FilingRef,
  signal: AbortSignal,
): Promise<FilingContent | null> =>
  readSubmission(source, ref, signal).catch((error: unknown) => {
    if (error instanceof AsofError && isFilingError(error)) return null;
    throw error;
  });

/**
 * Fetches body and press release only; the complete submission when the filing has no separate files (before
 * 2001) or one of them is missing.
 */
async function readDocuments(
  source: FilingSource,
  index: FilingIndex,
  ref: FilingRef,
  signal: AbortSignal,
): Promise<FilingContent> {
  const documents = asReadable(index.documents);
  const body = bodyDocument(documents);
  if (!body?.filename) return readSubmission(source, ref, signal);
  let fetched: FetchedDocument;
  try {
    fetched = await source.document(ref, body.filename, { bytesMax: BODY_BYTES_MAX, signal });
  } catch (error) {
    const whole = error instanceof NotFound ? await submissionOrNull(source, ref, signal) : null;
    if (whole) return whole;
    throw error;
  }
  const readable = [{ ...body, text: documentText(fetched) }];
  const release = pressRelease(documents);
  const problems: string[] = [];
  let exhibit_sha256: string | null = null;
  if (release?.filename) {
    try {
      const exhibit = await source.document(ref, release.filename, { signal });
      readable.push({ ...release, text: documentText(exhibit) });
      exhibit_sha256 = exhibit.sha256;
    } catch (error) {
      // The body describes the same events, so a missing press release is not an error.
      if (!(error instanceof NotFound || error instanceof InvalidRequest)) throw error;
      const whole = error instanceof NotFound ? await submissionOrNull(source, ref, signal) : null;
      if (whole) return whole;
      problems.push(`${release.type} could not be fetched: ${error.message}`);
    }
  }
  return { documents: readable, body_sha256: fetched.sha256, exhibit_sha256, problems };
}

function read(
  filing: FoundFiling,
  items: readonly string[] | null,
  gathered: FilingContent,
  clock: Services["clock"],
) {
  const { accession_number, filing_date } = filing;
  const { documents, body_sha256, exhibit_sha256 } = gathered;
  const parsed = parseEightKFiling(
    { accession_number, filing_date, items, documents },
    new ParseBudget(clock),
  );
  const events = parsed.events.map(
    ({ accession_number: _, ...event }): ParsedEvent => ({
      ...event,
      modern_item: modernItem(event.item_number),
      source_sha256:
        event.content === null ? null : event.content_source === "body" ? body_sha256 : exhibit_sha256,
    }),
  );
  return { events, problems: [...gathered.problems, ...parsed.problems] };
}

/** The filing's items, from the index or else from its detail page; null when neither has any. */
function itemsOf(filing: FoundFiling, index: FilingIndex): readonly string[] | null {
  const indexed = (filing.items ?? "").split(",").filter(Boolean);
  if (indexed.length > 0) return indexed;
  return index.items.length > 0 ? index.items : null;
}

/**
 * Whether the error is about the filing itself. Otherwise its documents could not be fetched, and a later try
 * may succeed.
 */
const isFilingError = (error: AsofError): boolean =>
  error instanceof ParseFailed ||
  error instanceof NotFound ||
  error instanceof InvalidRequest ||
  error instanceof UpstreamRefused;

const SKIPPED = { events_created: 0, error: null, problems: [], outage: null, skipped: true } as const;

export function filingParser({ source, filings, events, clock, log }: ParseDeps) {
  const flights = singleFlight<ParseResult>();

  const resultOfError = (accession_number: string, error: unknown): ParseResult => {
    const nothing = { accession_number, events_created: 0, problems: [], skipped: false };
    if (error instanceof StorageUnavailable) throw error;
    if (error instanceof AsofError && !isFilingError(error)) {
      events.postpone(accession_number, error.message);
      return { ...nothing, parsed_status: "pending", error: error.message, outage: error };
    }
    // A bug in the parser on one filing must not stop the others.
    const message = error instanceof AsofError ? error.message : "the filing could not be parsed";
    if (!(error instanceof AsofError))
      log.error("the parser failed on a filing", { accession_number, error });
    events.fail(accession_number, message);
    return { ...nothing, parsed_status: "failed", error: message, outage: null };
  };

  const attempt = async (filing: FoundFiling, signal: AbortSignal): Promise<ParseResult> => {
    const { accession_number, cik } = filing;
    const ref = { accession_number, cik };
    try {
      const index = await source.filingIndex(ref, { signal });
      const gathered = await readDocuments(source, index, ref, signal);
      const { events: found, problems } = read(filing, itemsOf(filing, index), gathered, clock);
      filings.addPageFields(accession_number, index);
      events.succeed(accession_number, found, problems);
      const created = { events_created: found.length, problems };
      return {
        accession_number,
        parsed_status: "succeeded",
        error: null,
        outage: null,
        skipped: false,
        ...created,
      };
    } catch (error) {
      // The request was aborted: this says nothing about the filing.
      signal.throwIfAborted();
      return resultOfError(accession_number, error);
    }
  };

  const once = (accession_number: string, force: boolean, signal: AbortSignal) =>
    flights.run(accession_number, signal, async (shared) => {
      const filing = filings.byAccession(accession_number);
      const status = filing?.parsed_status;
      if (!filing || !status)
        throw new NotFound("not_found", `${accession_number} is not a current report in the index`);
      if (force) events.reset(accession_number);
      else if (status !== "pending") return { ...SKIPPED, accession_number, parsed_status: status };
      return attempt(filing, shared);
    });

  return {
    /**
     * Parses the filing if it is pending; concurrent calls share one attempt. `force` makes it pending first.
     * Throws NotFound for a filing that is not a current report in the index, and StorageUnavailable.
     */
    async parse(accession_number: string, force: boolean, signal: AbortSignal): Promise<ParseResult> {
      for (;;) {
        const result = await once(accession_number, force, signal);
        // A forced call may have joined an unforced one that did nothing.
        if (!force || !result.skipped) return result;
      }
    },
  };
}

export type FilingParser = ReturnType<typeof filingParser>;
