// Reads one current report: its documents from the regulator or the vault, its events into the store.
import type { Clock } from "../../platform/clock.ts";
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
import { momentsOf } from "./known-at.ts";
import type { FilingSource, FilingsLog } from "./sources.ts";
import type { FilingsStore, FoundFiling, ParsedStatus } from "./store.ts";

/** What one attempt came to. */
export interface ParseResult {
  readonly accession_number: string;
  readonly parsed_status: ParsedStatus;
  readonly events_created: number;
  readonly error: string | null;
  readonly problems: readonly string[];
  /** Why its bytes could not be had; it is pending still. */
  readonly outage: AsofError | null;
  /** It was parsed before, and nothing was done. */
  readonly skipped: boolean;
}

export interface ParseDeps {
  readonly source: FilingSource;
  readonly filings: FilingsStore;
  readonly events: EventStore;
  readonly clock: Clock;
  readonly log: FilingsLog;
}

/** Bytes of a body; the largest real ones stay far below. */
const BODY_BYTES_MAX = 32_000_000;

/** A filing's documents ready to be read, with the hash of the bytes behind each content source. */
interface Gathered {
  readonly documents: readonly InlineDocument[];
  readonly body_sha256: string;
  readonly exhibit_sha256: string | null;
  readonly problems: readonly string[];
}

/** Of a document by itself: text as filed, null for what is none. */
const textOf = ({ bytes }: FetchedDocument): string | null =>
  new TextDecoder("latin1").decode(bytes.subarray(0, 5)) === "%PDF-" ? null : decodeFiling(bytes);

/** The listed documents in the shape the reader picks body and press release from; text stands for "readable". */
export const listed = (documents: readonly FilingDocument[]): InlineDocument[] =>
  documents.map((d) => ({
    sequence: d.sequence,
    type: d.type?.toUpperCase() ?? "",
    filename: d.filename,
    description: d.description,
    text: d.filename !== null && /\.pdf$/i.test(d.filename) ? null : "",
  }));

async function gatherWhole(source: FilingSource, ref: FilingRef, signal: AbortSignal): Promise<Gathered> {
  const whole = await source.submissionText(ref, { signal });
  const { documents } = whole;
  return { documents, body_sha256: whole.sha256, exhibit_sha256: whole.sha256, problems: [] };
}

/** As gatherWhole; null where the whole cannot be had, or not be read, either. */
const wholeOrNull = (source: FilingSource, ref: FilingRef, signal: AbortSignal): Promise<Gathered | null> =>
  gatherWhole(source, ref, signal).catch((error: unknown) => {
    if (error instanceof AsofError && isItsOwn(error)) return null;
    throw error;
  });

/**
 * Body and press release alone; the whole submission where the filing has no files of its own (before 2001), or one
 * of them is not there.
 */
async function collectBatch(
  source: FilingSource,
  index: FilingIndex,
  ref: FilingRef,
  signal: AbortSignal,
): Promise<Gathered> {
  const documents = listed(index.documents);
  const body = bodyDocument(documents);
  if (!body?.filename) return gatherWhole(source, ref, signal);
  let fetched: FetchedDocument;
  try {
    fetched = await source.document(ref, body.filename, { bytesMax: BODY_BYTES_MAX, signal });
  } catch (error) {
    const whole = error instanceof NotFound ? await wholeOrNull(source, ref, signal) : null;
    if (whole) return whole;
    throw error;
  }
  const readable = [{ ...body, text: textOf(fetched) }];
  const release = pressRelease(documents);
  const problems: string[] = [];
  let exhibit_sha256: string | null = null;
  if (release?.filename) {
    try {
      const exhibit = await source.document(ref, release.filename, { signal });
      readable.push({ ...release, text: textOf(exhibit) });
      exhibit_sha256 = exhibit.sha256;
    } catch (error) {
      // The body tells the same event in fewer words; that is no reason to have none.
      if (!(error instanceof NotFound || error instanceof InvalidRequest)) throw error;
      const whole = error instanceof NotFound ? await wholeOrNull(source, ref, signal) : null;
      if (whole) return whole;
      problems.push(`${release.type} could not be had: ${error.message}`);
    }
  }
  return { documents: readable, body_sha256: fetched.sha256, exhibit_sha256, problems };
}

function read(filing: FoundFiling, items: readonly string[] | null, gathered: Gathered, clock: Clock) {
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

/** What the filing itself lists: the index first, then its detail page; null when neither tells. */
function itemsOf(filing: FoundFiling, index: FilingIndex): readonly string[] | null {
  const indexed = (filing.items ?? "").split(",").filter(Boolean);
  if (indexed.length > 0) return indexed;
  return index.items.length > 0 ? index.items : null;
}

/** Whether the filing itself is at fault; if not, its bytes could not be had and trying later makes sense. */
const isItsOwn = (error: AsofError): boolean =>
  error instanceof ParseFailed ||
  error instanceof NotFound ||
  error instanceof InvalidRequest ||
  error instanceof UpstreamRefused;

const UNTOUCHED = { events_created: 0, error: null, problems: [], outage: null, skipped: true } as const;

export function filingParser({ source, filings, events, clock, log }: ParseDeps) {
  const flights = singleFlight<ParseResult>();

  const mapSettled = (accession_number: string, error: unknown): ParseResult => {
    const nothing = { accession_number, events_created: 0, problems: [], skipped: false };
    if (error instanceof StorageUnavailable) throw error;
    if (error instanceof AsofError && !isItsOwn(error)) {
      events.postpone(accession_number, error.message);
      return { ...nothing, parsed_status: "pending", error: error.message, outage: error };
    }
    // A fault of the reader on one filing must not stop the others.
    const message = error instanceof AsofError ? error.message : "the filing could not be read";
    if (!(error instanceof AsofError))
      log.error("a filing made its reader fail", { accession_number, error });
    events.fail(accession_number, message);
    return { ...nothing, parsed_status: "failed", error: message, outage: null };
  };

  const attempt = async (filing: FoundFiling, signal: AbortSignal): Promise<ParseResult> => {
    const { accession_number, cik } = filing;
    const ref = { accession_number, cik };
    try {
      const index = await source.filingIndex(ref, { signal });
      const gathered = await collectBatch(source, index, ref, signal);
      const { events: found, problems } = read(filing, itemsOf(filing, index), gathered, clock);
      filings.learn(accession_number, index);
      filings.accept(accession_number, momentsOf(index, clock.nowMs()), false);
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
      // Whoever wanted it has gone: nothing is known of the filing.
      signal.throwIfAborted();
      return mapSettled(accession_number, error);
    }
  };

  const once = (accession_number: string, force: boolean, signal: AbortSignal) =>
    flights.run(accession_number, signal, async (shared) => {
      const filing = filings.byAccession(accession_number);
      const status = filing?.parsed_status;
      if (!filing || !status)
        throw new NotFound("not_found", `${accession_number} is no current report of the index`);
      if (force) events.reset(accession_number);
      else if (status !== "pending") return { ...UNTOUCHED, accession_number, parsed_status: status };
      return attempt(filing, shared);
    });

  return {
    /** The moment a filing became public, from its detail page, where its index left two. Throws what fetching throws. */
    async settleMoment({ accession_number, cik }: FoundFiling, signal: AbortSignal): Promise<void> {
      const index = await source.filingIndex({ accession_number, cik }, { pageOnly: true, signal });
      filings.accept(accession_number, momentsOf(index, clock.nowMs()), false);
    },

    /**
     * Parses the filing if it is pending, once however many ask. With `force` it becomes pending first, whatever it
     * was. Throws NotFound for a filing that is no current report of the index, StorageUnavailable.
     */
    async parse(accession_number: string, force: boolean, signal: AbortSignal): Promise<ParseResult> {
      for (;;) {
        const result = await once(accession_number, force, signal);
        // A forced call may have joined one that found nothing to do.
        if (!force || !result.skipped) return result;
      }
    },
  };
}

export type FilingParser = ReturnType<typeof filingParser>;
