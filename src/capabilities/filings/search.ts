// GET /filings/search: the filings of one filer from the index, or documents by their words.
import type { Static } from "@sinclair/typebox";
import { mapSettled } from "../../market/bulk.ts";
import { InvalidFields, NotFound } from "../../platform/errors.ts";
import { EVERYTHING } from "./filing-index.ts";
import { formTypes } from "./forms.ts";
import type { FullText } from "./full-text.ts";
import { asOfText, momentsOf } from "./known-at.ts";
import type { LakePublisher } from "./publish.ts";
import { asOfInstant, checkDates, type Subject, type Subjects } from "./requested-filer.ts";
import type { FilingList, SearchFilingsQuery } from "./schema.ts";
import type { FilingSource } from "./sources.ts";
import type { FilingFilter, FilingsStore, FoundFiling } from "./store.ts";
import { summaryOf } from "./summary.ts";

type Query = Static<typeof SearchFilingsQuery>;
type Answer = Static<typeof FilingList>;

/** Filings whose acceptance one forced request looks up on their detail pages; each costs one request. */
export const ACCEPTANCES_A_REFRESH = 100;
const ACCEPTANCES_AT_ONCE = 4;
const LIMIT_DEFAULT = 50;

export interface AcceptanceDeps {
  readonly source: FilingSource;
  readonly store: FilingsStore;
  nowMs(): number;
}

/** Fills in when filings were accepted, newest first, where the index did not tell. Part of a forced re-indexing only. */
export function acceptanceFiller({ source, store, nowMs }: AcceptanceDeps) {
  return async (filter: FilingFilter, signal: AbortSignal): Promise<void> => {
    const page = { limit: ACCEPTANCES_A_REFRESH, offset: 0 };
    const unknown = store.find({ ...filter, withoutAcceptance: true }, page);
    const one = async ({ accession_number, cik }: FoundFiling) => {
      const index = await source.filingIndex({ accession_number, cik }, { pageOnly: true, signal });
      store.accept(accession_number, momentsOf(index, nowMs()), true);
    };
    const outcomes = await mapSettled(unknown, one, { concurrency: ACCEPTANCES_AT_ONCE, signal });
    // A page that is not there leaves its filing as it was; an outage is told, for the request was to refresh.
    const failed = outcomes.find((outcome) => !outcome.ok && !(outcome.error instanceof NotFound));
    if (failed && !failed.ok) throw failed.error;
  };
}

export interface SearchDeps {
  readonly subjects: Subjects;
  readonly store: FilingsStore;
  readonly fullText: FullText;
  readonly publisher: LakePublisher;
  fillAcceptances(filter: FilingFilter, signal: AbortSignal): Promise<void>;
}

export function filingSearch({ subjects, store, fullText, publisher, fillAcceptances }: SearchDeps) {
  const ofFiler = async (subject: Subject, query: Query, signal: AbortSignal): Promise<Answer> => {
    const { limit = LIMIT_DEFAULT, offset = 0, force_refresh: force = false } = query;
    const asOf = asOfInstant(query.as_of);
    const span = { start: query.start_date ?? null, end: query.end_date ?? null, asOf, force };
    let indexed = await subjects.indexed(subject, span, signal);
    const filter = (): FilingFilter => ({
      ciks: indexed.ciks,
      forms: formTypes(query.form_type),
      start: span.start,
      end: span.end,
      asOf: asOfText(asOf),
    });
    const isComplete = () => span.start !== null || indexed.covered_from === EVERYTHING;
    const complete = () => store.count({ ...filter(), start: span.start ?? indexed.covered_from });
    // The list of a filer of many thousands is read back only as far as the page needs.
    if (!isComplete() && complete() <= offset + limit)
      indexed = await subjects.indexed(subject, { ...span, start: EVERYTHING, force: false }, signal);
    if (force) await fillAcceptances(filter(), signal);
    publisher.soon();
    const found = { ...filter(), start: span.start ?? indexed.covered_from };
    const rows = store.find(found, { limit, offset });
    const total = store.count(found);
    const ticker = subject.ticker ?? store.filer(subject.cik)?.tickers[0] ?? null;
    return {
      count: rows.length,
      total: isComplete() ? total : null,
      limit,
      offset,
      has_more: offset + rows.length < total || !isComplete(),
      data: rows.map((row) => summaryOf(row, ticker)),
      warnings: [...indexed.warnings],
    };
  };

  return async (query: Query, signal: AbortSignal): Promise<Answer> => {
    checkDates(query.start_date, query.end_date);
    if (query.ticker === undefined && query.cik === undefined && !query.q?.trim())
      throw new InvalidFields([{ type: "missing", loc: ["query", "ticker"], msg: "Field required" }]);
    const subject = await subjects.find(query, signal);
    if (query.q?.trim()) {
      const { limit = LIMIT_DEFAULT, offset = 0, q } = query;
      const dates = {
        start: query.start_date ?? null,
        end: query.end_date ?? null,
        asOf: asOfInstant(query.as_of),
      };
      return fullText({ q, subject, forms: formTypes(query.form_type), ...dates, limit, offset }, signal);
    }
    if (!subject) throw new Error("a search needs a filer or words");
    return ofFiler(subject, query, signal);
  };
}
