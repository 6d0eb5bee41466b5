// Answers GET /filings/search: a filer's filings from the index, or documents by full-text search.
import type { Static } from "@sinclair/typebox";
import { explained } from "../../market/absence.ts";
import { asOfInstant } from "../../market/known-at.ts";
import { InvalidFields } from "../../platform/errors.ts";
import { isReplaying, refuseInReplay } from "../../platform/reading.ts";
import { EVERYTHING } from "./filing-index.ts";
import { formTypes } from "./forms.ts";
import type { FullText } from "./full-text.ts";
import { asOfText } from "./known-at.ts";
import type { LakePublisher } from "./publish.ts";
import {
  checkDates,
  type FilingSpan,
  type IndexedFilings,
  type RequestedFiler,
  type RequestedFilers,
} from "./requested-filer.ts";
import type { FilingList, SearchFilingsQuery } from "./schema.ts";
import type { FilingFilter, FilingsStore } from "./store.ts";
import { summaryOf } from "./summary.ts";
import type { FilingVersions } from "./version-state.ts";

type Query = Static<typeof SearchFilingsQuery>;
type Answer = Static<typeof FilingList>;

const LIMIT_DEFAULT = 50;
const NO_FILING = "No filing of this filer that was public then matches, or none is on this page.";

export interface SearchDeps {
  readonly filers: RequestedFilers;
  readonly store: FilingsStore;
  readonly versions: FilingVersions;
  readonly fullText: FullText;
  readonly publisher: LakePublisher;
  fillAcceptances(filter: FilingFilter, signal: AbortSignal): Promise<void>;
}

/** A page of the stored filings of a filer. */
function pageOf(
  store: FilingsStore,
  filer: RequestedFiler,
  indexed: IndexedFilings,
  filter: FilingFilter,
  { start }: FilingSpan,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Answer {
  const isComplete = start !== null || indexed.covered_from === EVERYTHING;
  const found = { ...filter, start: start ?? indexed.covered_from };
  const rows = store.find(found, { limit, offset });
  const total = store.count(found);
  const ticker = filer.ticker ?? store.filer(filer.cik)?.tickers[0] ?? null;
  return {
    count: rows.length,
    total: isComplete ? total : null,
    limit,
    offset,
    has_more: offset + rows.length < total || !isComplete,
    data: rows.map((row) => summaryOf(row, ticker)),
    acceptance_pending: indexed.acceptance_pending ?? 0,
    warnings: explained(rows, indexed.warnings, NO_FILING),
  };
}

export function filingSearch({ filers, store, versions, fullText, publisher, fillAcceptances }: SearchDeps) {
  const ofFiler = async (filer: RequestedFiler, query: Query, signal: AbortSignal): Promise<Answer> => {
    const { limit = LIMIT_DEFAULT, offset = 0, force_refresh: force = false } = query;
    const asOf = asOfInstant(query.as_of);
    const forms = formTypes(query.form_type);
    const span = { start: query.start_date ?? null, end: query.end_date ?? null, asOf, force, forms };
    let indexed = await filers.indexed(filer, span, signal);
    const filter = (): FilingFilter => ({
      ciks: indexed.ciks,
      forms,
      start: span.start,
      end: span.end,
      asOf: asOfText(asOf),
    });
    const isComplete = () => span.start !== null || indexed.covered_from === EVERYTHING;
    const complete = () => store.count({ ...filter(), start: span.start ?? indexed.covered_from });
    // The list of a filer with many thousands of filings is read back only as far as the page needs.
    if (!isComplete() && complete() <= offset + limit)
      indexed = await filers.indexed(filer, { ...span, start: EVERYTHING, force: false }, signal);
    if (force) await fillAcceptances(filter(), signal);
    if (!isReplaying()) publisher.soon();
    await versions.loadReports(indexed.ciks, signal);
    return versions.read("search", indexed.ciks, () =>
      pageOf(store, filer, indexed, filter(), span, { limit, offset }),
    );
  };

  return async function searchFilings(query: Query, signal: AbortSignal): Promise<Answer> {
    checkDates(query.start_date, query.end_date);
    if (query.ticker === undefined && query.cik === undefined && !query.q?.trim())
      throw new InvalidFields([{ type: "missing", loc: ["query", "ticker"], msg: "Field required" }]);
    const asOf = asOfInstant(query.as_of);
    if (query.q?.trim()) refuseInReplay("the regulator's full-text search", "Leave out q, or data_version.");
    const filer = await filers.find(query, asOf, signal);
    if (query.q?.trim()) {
      const { limit = LIMIT_DEFAULT, offset = 0, q } = query;
      const dates = { start: query.start_date ?? null, end: query.end_date ?? null, asOf };
      return fullText({ q, filer, forms: formTypes(query.form_type), ...dates, limit, offset }, signal);
    }
    if (!filer) throw new Error("a search needs a filer or a query");
    return ofFiler(filer, query, signal);
  };
}
