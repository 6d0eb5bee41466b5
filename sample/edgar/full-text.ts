// Full-text search: documents that have every word or phrase, narrowed down by form, filer, item and date.
import { LRUCache } from "lru-cache";
import { dayOf } from "../sessions.ts";
import { jsonReply, type Reply } from "../wire.ts";
import { type Document, documentsOf } from "./documents.ts";
import { type Filer, fileNumberOf, nameOn, padded } from "./filers.ts";
import { type Filing, filmNumberOf, partiesOf } from "./filing.ts";
import type { Register } from "./register.ts";

const PAGE = 100;
/** Hits are counted and handed out up to here; a page beyond is an error. */
const HITS_MAX = 10_000;
const FIRST_DATE = "2001-01-01";
const BUCKETS_MAX = 30;
/**
 * Without CIKs and over more than a quarter, only so many filers are searched: those with names come first.
 */
const FILERS_MAX = 500;
const QUARTER_DAYS = 92;
/** The first characters of a text, in which words are looked for. */
const TEXT_MAX = 200_000;
const RESULTS_MAX = 50;

interface Question {
  readonly terms: readonly string[];
  readonly forms: readonly string[];
  readonly ciks: readonly string[];
  readonly items: readonly string[];
  readonly start: string;
  readonly end: string;
}

interface Hit {
  readonly filing: Filing;
  readonly document: Document;
}

const listOf = (text: string | null) =>
  (text ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);

function questionOf(query: URLSearchParams, today: string): Question {
  const custom = query.has("startdt") && query.has("enddt");
  return {
    terms: [...(query.get("q") ?? "").toLowerCase().matchAll(/"([^"]+)"|([^\s"]+)/g)].map(
      (m) => m[1] ?? m[2] ?? "",
    ),
    forms: listOf(query.get("forms")),
    ciks: listOf(query.get("ciks")),
    items: listOf(query.get("items")),
    start: custom ? (query.get("startdt") ?? "") : FIRST_DATE,
    end: custom ? (query.get("enddt") ?? "") : today,
  };
}

const rootOf = (form: string) => form.replace(/\/A$/, "");

function candidates(register: Register, { ciks, start, end }: Question): Filing[] {
  const sameYear = start.slice(0, 4) === end.slice(0, 4);
  if (ciks.length === 0 && sameYear && dayOf(end) - dayOf(start) <= QUARTER_DAYS)
    return register.filedBetween(start, end);
  const filers: readonly (Filer | null)[] =
    ciks.length > 0
      ? ciks.map((cik) => register.filerOf(Number(cik)))
      : register.filers().slice(0, FILERS_MAX);
  const found = filers.flatMap((filer) => (filer ? register.visibleOf(filer) : []));
  return [...new Set(found)].filter(({ filingDate }) => filingDate >= start && filingDate <= end);
}

function fits(filing: Filing, { forms, items }: Question): boolean {
  return (
    (forms.length === 0 || forms.includes(filing.form) || forms.includes(rootOf(filing.form))) &&
    (items.length === 0 || items.some((item) => filing.items.includes(item)))
  );
}

function description(document: Document, terms: readonly string[]): boolean {
  if (terms.length === 0) return true;
  const text = document
    .text()
    .slice(0, TEXT_MAX)
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .toLowerCase();
  return terms.every((term) => text.includes(term));
}

function sourceOf({ filing, document }: Hit, displayName: (filer: Filer) => string) {
  const parties = partiesOf(filing);
  return {
    ciks: parties.map(({ cik }) => padded(cik)),
    period_ending: filing.period || null,
    file_num: parties.map(fileNumberOf),
    display_names: parties.map(displayName),
    xsl: null,
    sequence: document.sequence,
    root_forms: [rootOf(filing.form)],
    file_date: filing.filingDate,
    biz_states: parties.map(({ place }) => place.state),
    sics: parties.map(({ industry }) => industry.sic).filter(Boolean),
    form: filing.form,
    adsh: filing.accession,
    film_num: [filmNumberOf(filing)],
    biz_locations: parties.map(({ place }) => `${place.city}, ${place.state}`),
    file_type: document.type,
    file_description: document.description,
    inc_states: parties.map(({ incorporated }) => incorporated),
    items: filing.items,
  };
}

function bucketsOf(values: readonly string[]) {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const all = [...counts].sort(([, a], [, b]) => b - a).map(([key, doc_count]) => ({ key, doc_count }));
  const others = all.slice(BUCKETS_MAX).reduce((sum, { doc_count }) => sum + doc_count, 0);
  return { doc_count_error_upper_bound: 0, sum_other_doc_count: others, buckets: all.slice(0, BUCKETS_MAX) };
}

/** Returns the query as upstream repeats it. */
function echo({ terms, start, end }: Question, from: number) {
  const terms_ = (field: string) => ({ terms: { field, size: BUCKETS_MAX } });
  const filter = [{ range: { file_date: { gte: start, lte: end } } }];
  const must = terms.map((term) => ({ match_phrase: { doc_text: term } }));
  return {
    _source: { exclude: ["doc_text"] },
    query: { bool: { must, must_not: [], should: [], filter } },
    from,
    size: PAGE,
    aggregations: {
      form_filter: terms_("root_forms"),
      entity_filter: terms_("display_names.raw"),
      sic_filter: terms_("sics"),
      biz_states_filter: terms_("biz_states"),
    },
  };
}

function aggregationsOf(found: readonly Hit[], displayName: (filer: Filer) => string) {
  const names = new Map<Filer, string>();
  const nameOf = (filer: Filer) => {
    const name = names.get(filer) ?? displayName(filer);
    names.set(filer, name);
    return name;
  };
  const parties = found.flatMap(({ filing }) => partiesOf(filing));
  return {
    entity_filter: bucketsOf(parties.map(nameOf)),
    sic_filter: bucketsOf(parties.map(({ industry }) => industry.sic).filter(Boolean)),
    biz_states_filter: bucketsOf(parties.map(({ place }) => place.state)),
    form_filter: bucketsOf(found.map(({ filing }) => rootOf(filing.form))),
  };
}

function find(register: Register, question: Question): Hit[] {
  return candidates(register, question)
    .filter((filing) => filing.publicAt <= register.now() && fits(filing, question))
    .sort((a, b) => b.acceptedAt - a.acceptedAt)
    .flatMap((filing) => documentsOf(filing).map((document) => ({ filing, document })))
    .filter(({ document }) => description(document, question.terms));
}

/** Full-text search over a register. `tickersOf` names the tickers of a filer now. */
export function createFullText(register: Register, tickersOf: (filer: Filer) => readonly string[]) {
  const displayName = (filer: Filer): string => {
    const tickers = tickersOf(filer).join(", ");
    return `${nameOn(filer, register.today())}  ${tickers ? `(${tickers})  ` : ""}(CIK ${padded(filer.cik)})`;
  };
  const search = (question: Question) => {
    const found = find(register, question);
    return { found, aggregations: aggregationsOf(found, displayName) };
  };
  const results = new LRUCache<string, ReturnType<typeof search>>({ max: RESULTS_MAX });
  return (query: URLSearchParams): Reply => {
    const question = questionOf(query, register.today());
    const from = Number(query.get("from") ?? 0);
    if (!Number.isInteger(from) || from < 0 || from + PAGE > HITS_MAX)
      return jsonReply(500, { message: "Internal server error" });
    // A search counts for the minute: upstream's search lags behind its feed too.
    const name = JSON.stringify([question, Math.floor(register.now() / 60)]);
    const known = results.get(name) ?? search(question);
    results.set(name, known);
    const { found, aggregations } = known;
    const hits = found.slice(from, from + PAGE).map((hit) => ({
      _index: "edgar_file",
      _id: `${hit.filing.accession}:${hit.document.name}`,
      _score: 1,
      _source: sourceOf(hit, displayName),
    }));
    const relation = found.length >= HITS_MAX ? "gte" : "eq";
    const total = { value: Math.min(found.length, HITS_MAX), relation };
    return jsonReply(200, {
      took: 1,
      timed_out: false,
      _shards: { total: 50, successful: 50, skipped: 0, failed: 0 },
      hits: { total, max_score: found.length > 0 ? 1 : null, hits },
      aggregations,
      query: echo(question, from),
    });
  };
}
