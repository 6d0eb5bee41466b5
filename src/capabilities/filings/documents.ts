// The documents of a filing, and the text of one of them.
import type { Static } from "@sinclair/typebox";
import {
  EXHIBIT_BULK_CONCURRENCY,
  EXHIBIT_BULK_DEADLINE_S,
  EXHIBIT_BYTES_MAX,
  EXHIBIT_DEADLINE_S,
} from "../../limits.ts";
import { mapSettled } from "../../market/bulk.ts";
import type { Clock } from "../../platform/clock.ts";
import { AsofError, NotFound, UpstreamTimeout } from "../../platform/errors.ts";
import {
  accessionNumber,
  decodeFiling,
  type FetchedDocument,
  type FilingIndex,
  type FilingRef,
  fileUrl,
  ParseBudget,
  pressRelease,
  readCik,
  toPlainText,
} from "../../providers/edgar/index.ts";
import { asOfText, knownAt, shownInstant, storedInstant } from "./known-at.ts";
import { listed } from "./parse-filing.ts";
import { asOfInstant, isOutage } from "./requested-filer.ts";
import type { BulkExhibitRequest, DocumentsQuery, Exhibit, ExhibitQuery, FilingDocuments } from "./schema.ts";
import type { FilingSource, ResolveFiler } from "./sources.ts";
import type { FilingsStore } from "./store.ts";
import { limited, within } from "./time-limit.ts";

type ExhibitAsk = Pick<Static<typeof ExhibitQuery>, "exhibit" | "filename" | "format" | "max_chars">;

export interface DocumentsDeps {
  readonly source: FilingSource;
  readonly store: FilingsStore;
  readonly resolve: ResolveFiler;
  readonly clock: Clock;
}

/** What is taken when the client names neither type nor file. */
const EXHIBIT_DEFAULT = "EX-99.1";
const TEXT_TYPES = /^(?:text\/|application\/(?:xml|json|xhtml))/;

/** The first `charsMax` characters, without half of one at the end. */
function cut(text: string, charsMax: number): string {
  const isHalf = /[\ud800-\udbff]/.test(text.charAt(charsMax - 1)) && text.length > charsMax;
  return text.slice(0, isHalf ? charsMax - 1 : charsMax);
}

export function filingDocuments({ source, store, resolve, clock }: DocumentsDeps) {
  /** The filing with a party in whose folder it lies: the index knows one, or the client names it. */
  const refOf = async (
    query: { accession_number: string; ticker?: string; cik?: string },
    signal: AbortSignal,
  ): Promise<FilingRef> => {
    const accession_number = accessionNumber(query.accession_number);
    const given = query.cik === undefined ? null : readCik(query.cik);
    const known = given ?? store.byAccession(accession_number)?.cik;
    if (known) return { accession_number, cik: known };
    if (query.ticker === undefined) return { accession_number };
    try {
      return { accession_number, cik: (await resolve(query.ticker.trim(), signal)).cik };
    } catch (error) {
      // The ticker only helps to find the folder; the filing may be found without.
      if (isOutage(error)) return { accession_number };
      throw error;
    }
  };

  const refuseUnknownThen = (index: FilingIndex, asOf: Temporal.Instant | null): void => {
    const then = asOfText(asOf);
    if (then !== null && knownAt(index, clock.nowMs()) > then)
      throw new NotFound("no_data", `Filing ${index.accession_number} was not public at that moment.`);
  };

  const documentOf = async (ref: FilingRef, ask: ExhibitAsk, signal: AbortSignal) => {
    const options = { bytesMax: EXHIBIT_BYTES_MAX, deadlineMs: EXHIBIT_DEADLINE_S * 1000, signal };
    if (ask.filename !== undefined) return source.document(ref, ask.filename, options);
    if (ask.exhibit !== undefined) return source.exhibit(ref, ask.exhibit, options);
    const { documents } = await source.filingIndex(ref, { signal });
    return source.exhibit(ref, pressRelease(listed(documents))?.type ?? EXHIBIT_DEFAULT, options);
  };

  const shown = (ref: FilingRef, ask: ExhibitAsk, found: FetchedDocument): Static<typeof Exhibit> => {
    const isText = TEXT_TYPES.test(found.content_type);
    const raw = isText ? decodeFiling(found.bytes) : null;
    const whole = raw === null || ask.format === "html" ? raw : toPlainText(raw, new ParseBudget(clock));
    const text = whole === null || ask.max_chars === undefined ? whole : cut(whole, ask.max_chars);
    return {
      accession_number: ref.accession_number,
      exhibit: found.type ?? ask.exhibit?.toUpperCase() ?? null,
      filename: found.filename,
      url: found.url,
      content_type: found.content_type,
      length: whole?.length ?? null,
      truncated: text !== whole,
      text,
      sha256: found.sha256,
    };
  };

  const exhibit = async (
    ref: FilingRef,
    ask: ExhibitAsk,
    asOf: Temporal.Instant | null,
    signal: AbortSignal,
  ) => {
    const late = new UpstreamTimeout("edgar", `The exhibit did not come within ${EXHIBIT_DEADLINE_S} s.`);
    return within({ clock, ms: EXHIBIT_DEADLINE_S * 1000, signal, late }, async (limited) => {
      if (asOf !== null) refuseUnknownThen(await source.filingIndex(ref, { signal: limited }), asOf);
      return shown(ref, ask, await documentOf(ref, ask, limited));
    });
  };

  return {
    /** Throws NotFound for a filing the regulator does not have, or that was not public at `as_of`. */
    async documents(
      query: Static<typeof DocumentsQuery>,
      signal: AbortSignal,
    ): Promise<Static<typeof FilingDocuments>> {
      const ref = await refOf(query, signal);
      const index = await source.filingIndex(ref, { signal });
      refuseUnknownThen(index, asOfInstant(query.as_of));
      const whole = `${ref.accession_number}.txt`;
      return {
        accession_number: ref.accession_number,
        form_type: index.form_type,
        filing_date: index.filing_date,
        accepted_at: shownInstant(storedInstant(index.accepted_at)),
        count: index.documents.length,
        documents: index.documents.map(({ sequence, type, description, filename, size }) => ({
          sequence,
          type,
          description,
          filename,
          size,
          url: fileUrl(ref, filename ?? whole),
        })),
      };
    },

    /** Throws NotFound, InvalidRequest `exhibit_too_large`, UpstreamTimeout. */
    async exhibit(query: Static<typeof ExhibitQuery>, signal: AbortSignal): Promise<Static<typeof Exhibit>> {
      return exhibit(await refOf(query, signal), query, asOfInstant(query.as_of), signal);
    },

    /** One result an item, in their order; one that fails, or comes too late, does not fail the others. */
    async bulk({ items, format, max_chars }: Static<typeof BulkExhibitRequest>, signal: AbortSignal) {
      const late = new Error("deadline");
      const shape = { ...(format ? { format } : {}), ...(max_chars ? { max_chars } : {}) };
      const outcomes = await limited({ clock, ms: EXHIBIT_BULK_DEADLINE_S * 1000, signal, late }, (both) =>
        mapSettled(
          items,
          async (item) => exhibit(await refOf(item, both), { ...item, ...shape }, null, both),
          {
            concurrency: EXHIBIT_BULK_CONCURRENCY,
            signal: both,
          },
        ),
      );
      signal.throwIfAborted();
      const results = outcomes.map((outcome) => {
        if (outcome.ok) return { ...outcome.value, success: true, error: null, error_code: null };
        const { accession_number, exhibit: asked = null, filename = null } = outcome.item;
        const nothing = {
          url: null,
          content_type: null,
          length: null,
          truncated: false,
          text: null,
          sha256: null,
        };
        const failed = { accession_number, exhibit: asked, filename, ...nothing, success: false };
        const { error } = outcome;
        if (error === late) return { ...failed, error: "deadline", error_code: "deadline" };
        if (error instanceof AsofError) return { ...failed, error: error.message, error_code: error.code };
        throw error;
      });
      return { results };
    },
  };
}

export type DocumentAnswers = ReturnType<typeof filingDocuments>;
