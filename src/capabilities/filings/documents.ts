// Answers the routes about a filing's documents: their list, and the text of one or many.
import type { Static } from "@sinclair/typebox";
import { EXHIBIT_BULK_CONCURRENCY, EXHIBIT_BULK_DEADLINE_S, EXHIBIT_DEADLINE_S } from "../../limits.ts";
import { mapSettled, type Settled } from "../../market/bulk.ts";
import { asOfInstant } from "../../market/known-at.ts";
import type { Services } from "../../market/services.ts";
import { AsofError, isProviderFailure, NotFound, UpstreamTimeout } from "../../platform/errors.ts";
import {
  accessionNumber,
  type FilingIndex,
  type FilingRef,
  fileUrl,
  readCik,
} from "../../providers/edgar/index.ts";
import type { DocumentVersions } from "./document-versions.ts";
import type { ExhibitOptions, ReadExhibit } from "./exhibit.ts";
import { asOfText, knownAt, shownInstant, storedInstant } from "./known-at.ts";
import type { BulkExhibitRequest, DocumentsQuery, Exhibit, ExhibitQuery, FilingDocuments } from "./schema.ts";
import type { FilingSource, ResolveFiler } from "./sources.ts";
import type { FilingsStore } from "./store.ts";
import { withHardTimeLimit, withTimeLimit } from "./time-limit.ts";

export interface DocumentsDeps extends Pick<Services, "clock"> {
  readonly source: FilingSource;
  readonly store: FilingsStore;
  readonly resolve: ResolveFiler;
  readonly readExhibit: ReadExhibit;
  readonly versions: DocumentVersions;
}

type ExhibitItem = Static<typeof BulkExhibitRequest>["items"][number];

/** The result of one item of a bulk request. */
function bulkResult(outcome: Settled<ExhibitItem, Static<typeof Exhibit>>, timeoutError: Error) {
  if (outcome.ok) return { ...outcome.value, success: true, error: null, error_code: null };
  const { item, error } = outcome;
  const failed = {
    accession_number: item.accession_number,
    exhibit: item.exhibit ?? null,
    filename: item.filename ?? null,
    url: null,
    content_type: null,
    length: null,
    truncated: false,
    text: null,
    sha256: null,
    success: false,
  };
  if (error === timeoutError) return { ...failed, error: "deadline", error_code: "deadline" };
  if (error instanceof AsofError) return { ...failed, error: error.message, error_code: error.code };
  throw error;
}

/**
 * The filing in the folder of one of its parties: a client may name the ticker or number of another company.
 */
const ofParty = (ref: FilingRef, { parties }: FilingIndex): FilingRef => {
  const [first] = parties;
  if (!first || parties.some(({ cik }) => cik === ref.cik)) return ref;
  return { ...ref, cik: first.cik };
};

/**
 * A party's role in one word: a filing's page says "Subject", the header of its submission "SUBJECT COMPANY".
 */
const roleOf = (role: string | null): string | null =>
  role
    ?.toLowerCase()
    .replaceAll(/[^a-z]+/g, "_")
    .replace(/_(?:company|owner)$/, "") ?? null;

export function filingDocuments(deps: DocumentsDeps) {
  const { source, store, resolve, readExhibit, versions, clock } = deps;

  /**
   * The filing with the CIK of a party, which locates its folder: the client names it, or the index knows
   * one.
   */
  const refOf = async (
    query: { accession_number: string; ticker?: string; cik?: string },
    asOf: Temporal.Instant | null,
    signal: AbortSignal,
  ): Promise<FilingRef> => {
    const accession_number = accessionNumber(query.accession_number);
    await versions.load(accession_number);
    const given = query.cik === undefined ? null : readCik(query.cik);
    const known = given ?? store.byAccession(accession_number)?.cik;
    if (known) return { accession_number, cik: known };
    if (query.ticker === undefined) return { accession_number };
    try {
      return { accession_number, cik: (await resolve(query.ticker.trim(), asOf, signal)).cik };
    } catch (error) {
      // The ticker only helps to locate the folder; the filing may be found without it.
      if (isProviderFailure(error)) return { accession_number };
      throw error;
    }
  };

  const throwIfNotPublic = (index: FilingIndex, asOf: Temporal.Instant | null): void => {
    const limit = asOfText(asOf);
    if (limit !== null && knownAt(index, clock.nowMs()) > limit)
      throw new NotFound("no_data", `Filing ${index.accession_number} was not public at that moment.`);
  };

  const exhibit = async (
    ref: FilingRef,
    options: ExhibitOptions,
    asOf: Temporal.Instant | null,
    signal: AbortSignal,
  ) => {
    const timeoutError = new UpstreamTimeout(
      "edgar",
      `The exhibit was not received within ${EXHIBIT_DEADLINE_S} s.`,
    );
    const limit = { clock, ms: EXHIBIT_DEADLINE_S * 1000, signal, timeoutError };
    return withHardTimeLimit(limit, async (limited) => {
      if (asOf !== null) throwIfNotPublic(await source.filingIndex(ref, { signal: limited }), asOf);
      return readExhibit(ref, options, limited);
    });
  };

  return {
    /** Throws NotFound for a filing the regulator does not have, or that was not public at `as_of`. */
    async documents(
      query: Static<typeof DocumentsQuery>,
      signal: AbortSignal,
    ): Promise<Static<typeof FilingDocuments>> {
      const asOf = asOfInstant(query.as_of);
      const ref = await refOf(query, asOf, signal);
      const index = await source.filingIndex(ref, { signal });
      throwIfNotPublic(index, asOf);
      await versions.note(ref.accession_number);
      const submission = `${ref.accession_number}.txt`;
      const located = ofParty(ref, index);
      return {
        accession_number: ref.accession_number,
        form_type: index.form_type,
        filing_date: index.filing_date,
        accepted_at: shownInstant(storedInstant(index.accepted_at)),
        parties: index.parties.map((party) => ({ ...party, role: roleOf(party.role) })),
        count: index.documents.length,
        documents: index.documents.map(({ sequence, type, description, filename, size }) => ({
          sequence,
          type,
          description,
          filename,
          size,
          url: fileUrl(located, filename ?? submission),
        })),
      };
    },

    /** Throws NotFound, InvalidRequest `exhibit_too_large`, UpstreamTimeout. */
    async exhibit(query: Static<typeof ExhibitQuery>, signal: AbortSignal): Promise<Static<typeof Exhibit>> {
      const asOf = asOfInstant(query.as_of);
      const answer = await exhibit(await refOf(query, asOf, signal), query, asOf, signal);
      await versions.note(answer.accession_number);
      return answer;
    },

    /**
     * One result per item, in the order of the items; an item that fails or times out does not fail the
     * others.
     */
    async bulk({ items, format, max_chars }: Static<typeof BulkExhibitRequest>, signal: AbortSignal) {
      const timeoutError = new Error("deadline");
      const shared = { ...(format ? { format } : {}), ...(max_chars ? { max_chars } : {}) };
      const limit = { clock, ms: EXHIBIT_BULK_DEADLINE_S * 1000, signal, timeoutError };
      const outcomes = await withTimeLimit(limit, (limited) =>
        mapSettled(
          items,
          async (item) => exhibit(await refOf(item, null, limited), { ...item, ...shared }, null, limited),
          { concurrency: EXHIBIT_BULK_CONCURRENCY, signal: limited },
        ),
      );
      signal.throwIfAborted();
      return { results: outcomes.map((outcome) => bulkResult(outcome, timeoutError)) };
    },
  };
}

export type DocumentAnswers = ReturnType<typeof filingDocuments>;
