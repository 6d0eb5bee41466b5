// Finds companies in Wikidata by SEC number or ticker, with their articles; deterministic where a search is
// not.

import { fetchDecoded } from "../../../platform/upstream/decode.ts";
import { isFields } from "../../../platform/upstream/json-place.ts";
import type { Upstream, UpstreamAnswer } from "../../../platform/upstream/policy.ts";
import { WIKIDATA_HOST } from "../policy.ts";
import { bodyOf, changed, listOf } from "../wire.ts";

/** An item with its English article. */
export interface WikidataItem {
  readonly wikidata_id: string;
  readonly title: string;
}

const DOCUMENT = "a Wikidata query";
const ITEM = /\/(Q\d+)$/;
const ROWS_MAX = 20;

const ARTICLE =
  "?article schema:about ?item ; schema:isPartOf <https://en.wikipedia.org/> ; schema:name ?title .";
const select = (where: string): string =>
  `SELECT DISTINCT ?item ?title WHERE { ${where} ${ARTICLE} } ORDER BY ?item LIMIT ${ROWS_MAX}`;

/** P5531 is the Central Index Key, usually ten digits, sometimes without the leading zeros. */
export const byCik = (cik: string): string =>
  select(`VALUES ?cik { "${cik.padStart(10, "0")}" "${Number(cik)}" } ?item wdt:P5531 ?cik .`);

/**
 * P414 is the stock exchange, its qualifier P249 the ticker, P582 the end of the listing; Q30 is the United
 * States.
 */
export const byTicker = (ticker: string): string =>
  select(
    `?item p:P414 ?listing . ?listing ps:P414/wdt:P17 wd:Q30 ; pq:P249 "${ticker}" . FILTER NOT EXISTS { ?listing pq:P582 ?ended }`,
  );

/** Reads an answer. Throws UpstreamFailed. */
export function readItems(answer: UpstreamAnswer): readonly WikidataItem[] {
  const body = bodyOf(answer, DOCUMENT);
  if (!isFields(body.results)) throw changed(DOCUMENT, "results should be an object");
  return listOf(body.results.bindings, DOCUMENT, "results.bindings").map(({ item, title }) => {
    const id = isFields(item) ? ITEM.exec(String(item.value))?.[1] : undefined;
    const text = isFields(title) ? title.value : undefined;
    if (id === undefined || typeof text !== "string" || text === "")
      throw changed(DOCUMENT, "results.bindings[] should have an item and a title");
    return { wikidata_id: id, title: text };
  });
}

/** Characters not allowed in a SPARQL string; tickers and CIKs never contain them. */
const UNSAFE = /["\\\n\r]/;

/** Runs a query built by `byCik` or `byTicker`. Throws Upstream*. */
export async function askItems(
  upstream: Upstream,
  key: string,
  query: (key: string) => string,
  signal?: AbortSignal,
): Promise<readonly WikidataItem[]> {
  if (UNSAFE.test(key)) return [];
  const asked = new URLSearchParams({ format: "json", query: query(key) });
  const url = `https://${WIKIDATA_HOST}/sparql?${asked}`;
  const headers = { accept: "application/sparql-results+json" };
  return fetchDecoded(upstream, { url, headers, signal }, readItems);
}
