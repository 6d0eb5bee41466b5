// Searches documents since 2001 by words, forms, filers and dates (efts search-index).

import { isDate } from "../../../market/date.ts";
import { InvalidRequest, UpstreamFailed } from "../../../platform/errors.ts";
import { fetchDecoded } from "../../../platform/upstream/decode.ts";
import type { Upstream } from "../../../platform/upstream/policy.ts";
import { cikOf, readAccession, readCik } from "../accession.ts";
import { searchUrl } from "../address.ts";
import type { SearchHit, SearchPage, SearchQuery } from "../records.ts";
import { readDay, readItems, readJson, shapeChanged, type Wire } from "../wire.ts";

const DOCUMENT = "the full-text search";
/** Hits per page, and the last hit that EDGAR gives. */
const PAGE = 100;
const DEPTH = 10_000;

const refuse = (text: string) => new InvalidRequest("bad_request", text);

function parametersOf(query: SearchQuery): URLSearchParams {
  const { q, forms = [], ciks = [], items = [], start_date, end_date, from = 0 } = query;
  if (!Number.isInteger(from) || from < 0 || from % PAGE !== 0 || from + PAGE > DEPTH)
    throw refuse(`A page of the full-text search must start at 0, ${PAGE}, … ${DEPTH - PAGE}`);
  if (!q?.trim() && forms.length === 0 && ciks.length === 0)
    throw refuse("The full-text search needs words, a form or a CIK");
  const parameters = new URLSearchParams({ q: q?.trim() ?? "" });
  if (forms.length > 0) parameters.set("forms", forms.join(","));
  if (ciks.length > 0) parameters.set("ciks", ciks.map(cikOf).join(","));
  if (items.length > 0) parameters.set("items", items.join(","));
  if (start_date !== undefined || end_date !== undefined) {
    if (!isDate(start_date ?? "") || !isDate(end_date ?? "") || (start_date ?? "") > (end_date ?? ""))
      throw refuse("The full-text search needs both start_date and end_date, the earlier one first");
    parameters.set("dateRange", "custom");
    parameters.set("startdt", start_date ?? "");
    parameters.set("enddt", end_date ?? "");
  }
  if (from > 0) parameters.set("from", String(from));
  return parameters;
}

const texts = (place: Wire): string[] =>
  place.itemsOrNone().flatMap((item) => {
    const text = item.textOrNull();
    return text ? [text] : [];
  });

/** Reads a hit. Its `_id` is `accession:file name`. */
function readHit(hit: Wire): SearchHit {
  const [, accession = "", filename = ""] = /^([\d-]+):(.+)$/.exec(hit.at("_id").text()) ?? [];
  const accession_number = readAccession(accession);
  if (!accession_number) throw hit.at("_id").wrong("an accession number and a file name");
  const source = hit.at("_source");
  return {
    accession_number,
    filename,
    form_type: source.at("form").text(),
    file_type: source.at("file_type").textOrNull(),
    description: source.at("file_description").textOrNull(),
    filing_date: source.at("file_date").as(readDay, "a date"),
    report_date: readDay(source.at("period_ending").textOrNull() ?? ""),
    ciks: source
      .at("ciks")
      .items()
      .map((cik) => cik.as(readCik, "a CIK")),
    names: texts(source.at("display_names")),
    items: readItems(texts(source.at("items"))),
  };
}

/**
 * Reads a page of hits. Throws UpstreamFailed for another shape, and for an answer that EDGAR itself marks as
 * incomplete, so that it does not pass for "nothing found".
 */
export function readSearch(body: Wire, from: number): SearchPage {
  const shards = body.at("_shards");
  const isPartial =
    body.at("timed_out").value === true || (!shards.isMissing && shards.at("failed").number() > 0);
  if (isPartial) throw new UpstreamFailed("edgar", "EDGAR's full-text search answered incompletely");
  const hits = body.at("hits");
  const total = hits.at("total").at("value").number();
  const page = hits.at("hits").items().map(readHit);
  if (page.length === 0 && from < total)
    throw shapeChanged(DOCUMENT, "hits.hits", `a list with some of ${total} hits`);
  const next = from + PAGE;
  return {
    hits: page,
    total,
    total_is_lower_bound: hits.at("total").at("relation").text() !== "eq",
    next_from: next < total && next + PAGE <= DEPTH ? next : null,
  };
}

/**
 * Throws InvalidRequest for a query EDGAR does not support, UpstreamFailed, UpstreamRateLimited,
 * UpstreamTimeout.
 */
export async function fetchSearch(
  upstream: Upstream,
  query: SearchQuery,
  signal?: AbortSignal,
): Promise<SearchPage> {
  return fetchDecoded(upstream, { url: searchUrl(parametersOf(query)), signal }, (answer) =>
    readSearch(readJson(DOCUMENT, answer), query.from ?? 0),
  );
}
