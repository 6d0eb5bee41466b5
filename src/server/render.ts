// Turns the Answer of a use case into a response: cache headers, ETag and 304, and the requested format.
import { pageFacts } from "../market/answer-fields.ts";
import { tableOfSchema } from "../market/row-table.ts";
import { Answer, type AnswerFacts, ListsBody, type PageFacts } from "../platform/answer.ts";
import { EVENT_STREAM_TYPE } from "../platform/event-stream.ts";
import type { RouteRows } from "../platform/route-doc.ts";
import { notesOf } from "../platform/row-notes.ts";
import type { RowNotes } from "../platform/table.ts";
import { type Format, formatOf, listsResponse, tableResponse } from "./formats/index.ts";
import { noteHeaders } from "./note-headers.ts";
import { type RowVersions, rowsOfOneVersion } from "./rows-of-version.ts";
import { markStreamed } from "./streamed.ts";
import { withSymbol } from "./symbol-column.ts";

function cacheHeaders(headers: Headers, facts: AnswerFacts, nowMs: number): void {
  const { cache } = facts;
  if (!cache) return;
  headers.set("x-cache", cache.state === "MISS" ? "MISS" : "HIT");
  const ageS = Math.max(0, Math.floor((nowMs - cache.storedAtMs) / 1000));
  if (cache.state !== "MISS") headers.set("age", String(ageS));
  if (cache.state === "STALE") headers.set("x-stale", "true");
  const leftS = Math.max(0, Math.floor((cache.expiresAtMs - nowMs) / 1000));
  headers.set("cache-control", `private, max-age=${leftS}`);
}

/** A JSON body. */
interface Json {
  readonly text: string;
  /** Computed on first use. */
  etag?: string;
}

/** The last body made from each cached value; it is collected together with the value. */
const jsonByValue = new WeakMap<object, { readonly variant: string; readonly json: Json }>();

function jsonOf({
  body,
  facts: { derivedFrom },
}: Answer<unknown>): Json | ListsBody | Promise<Json | ListsBody> {
  const last = derivedFrom && jsonByValue.get(derivedFrom.value);
  if (last && last.variant === derivedFrom.variant) return last.json;
  const written = (content: unknown) => {
    if (content instanceof ListsBody) return content;
    const json = { text: JSON.stringify(content) };
    if (derivedFrom) jsonByValue.set(derivedFrom.value, { variant: derivedFrom.variant, json });
    return json;
  };
  const content = body();
  return content instanceof Promise ? content.then(written) : written(content);
}

/** A strong validator over the bytes of the body. */
function etagOf(json: Json): string {
  json.etag ??= `"${Bun.hash(json.text).toString(16)}-${json.text.length.toString(16)}"`;
  return json.etag;
}

const isMatch = (header: string | null, etag: string) =>
  (header?.split(",") ?? []).some((tag) => tag.trim().replace(/^W\//, "") === etag || tag.trim() === "*");

/** Copied into each response, which is faster than parsing an object literal. */
const JSON_HEADERS = new Headers({ "content-type": "application/json" });

function jsonResponse(json: Json, { etag, status = 200 }: AnswerFacts, request: Request): Response {
  const isKnown = etag && isMatch(request.headers.get("if-none-match"), etagOf(json));
  const response = isKnown
    ? new Response(null, { status: 304, headers: JSON_HEADERS })
    : new Response(json.text, { status, headers: JSON_HEADERS });
  if (etag) response.headers.set("etag", etagOf(json));
  return response;
}

/** The notes of an answer's rows, with a warning where rows are left out that no other page has. */
function withLimit(notes: RowNotes, page: PageFacts | undefined): RowNotes {
  const { limited, total } = page ?? {};
  if (limited === undefined || total == null || limited >= total) return notes;
  const cut = `${limited} of ${total} rows are here: the request's limit leaves out the others.`;
  return { ...notes, warnings: [...(notes.warnings ?? []), cut] };
}

/** A route's declarations about its rows, and the request's values for them. */
export interface Rendered {
  readonly request: Request;
  /** The path of the request, decoded by parameter. */
  readonly params: Readonly<Record<string, unknown>>;
  /** `format` of the query. */
  readonly format: unknown;
  /** Whether the route answers in row formats; other routes answer JSON whatever is accepted. */
  readonly tabular: boolean;
  /** Where the rows of the body are; null where the use case gives its own table. */
  readonly rows: RouteRows | null;
}

/** The address of the next page: that of the request with other query fields. */
function nextLink({ url }: Request, next: NonNullable<PageFacts["next"]>): string {
  const { pathname, searchParams } = new URL(url);
  for (const [name, value] of Object.entries(next)) searchParams.set(name, String(value));
  return `<${pathname}?${searchParams}>; rel="next"`;
}

function pageHeaders(headers: Headers, page: PageFacts | undefined, request: Request): void {
  if (!page) return;
  if (page.total !== null) headers.set("x-total-count", String(page.total));
  if (page.next) headers.set("link", nextLink(request, page.next));
}

/** A body with a page of rows, as far as it states its page. */
type PageBody = Parameters<typeof pageFacts>[0];

/** The facts of an answer whose table is made from its body. */
function factsOfBody(
  facts: AnswerFacts,
  body: unknown,
  { field, schema }: RouteRows,
  path: string,
): AnswerFacts {
  const fields = body as Readonly<Record<string, unknown>>;
  const rows = (field === null ? body : fields[field]) as readonly object[];
  const name = path.split("/").slice(3).join("_");
  const isPage = field !== null && "count" in fields && "total" in fields;
  return {
    ...facts,
    table: tableOfSchema(name, schema, rows),
    ...(isPage ? { page: pageFacts(body as PageBody) } : {}),
  };
}

/** Renders the rows of an answer; undefined when it has none. */
function renderRows(
  { body, facts }: Answer<unknown>,
  format: Exclude<Format, "json">,
  { request, params }: Rendered,
  { versions }: RenderDeps,
): Promise<Response> | undefined {
  const { table, page } = facts;
  if (!table) return undefined;
  const send = async () => {
    const made = typeof table === "function" ? await table() : table;
    const response = await tableResponse(withSymbol(made, params), format);
    pageHeaders(response.headers, page, request);
    noteHeaders(response.headers, withLimit(made.notes ?? facts.notes ?? notesOf(await body()), page));
    return response;
  };
  return typeof table === "function" ? rowsOfOneVersion(versions, send) : send();
}

/** Events that are sent as they come; a proxy in between must not collect them. */
function eventResponse(events: ReadableStream<Uint8Array>): Response {
  const response = new Response(events, {
    headers: { "content-type": EVENT_STREAM_TYPE, "cache-control": "no-store", "x-accel-buffering": "no" },
  });
  markStreamed(response.headers);
  return response;
}

/**
 * Renders an Answer; synchronously when its content is available, so that a cached answer waits for nothing.
 */
function renderAnswer(
  answer: Answer<unknown>,
  rendered: Rendered,
  format: Format,
  deps: RenderDeps,
): Response | Promise<Response> {
  const { facts } = answer;
  const withHeaders = (response: Response) => {
    cacheHeaders(response.headers, facts, deps.nowMs());
    for (const name in facts.headers) response.headers.set(name, facts.headers[name] ?? "");
    return response;
  };
  if (facts.events) return withHeaders(eventResponse(facts.events));
  if (format !== "json") {
    const rows = renderRows(answer, format, rendered, deps);
    if (rows) return rows.then(withHeaders);
  }
  const json = jsonOf(answer);
  const respond = (made: Json | ListsBody) => {
    if (made instanceof ListsBody)
      return rowsOfOneVersion(deps.versions, async () => listsResponse(await made.read())).then(withHeaders);
    const response = jsonResponse(made, facts, rendered.request);
    if (facts.notes) noteHeaders(response.headers, facts.notes);
    return withHeaders(response);
  };
  return json instanceof Promise ? json.then(respond) : respond(json);
}

export interface RenderDeps {
  /** The versions of the store; without them rows are sent as they are then. */
  readonly versions?: RowVersions;
  nowMs(): number;
}

/**
 * Turns a handler's Answer into a Response; leaves any other value to Elysia (plain JSON) unless rows are
 * requested.
 */
export function render(value: unknown, rendered: Rendered, deps: RenderDeps) {
  // An error is a response already.
  if (value instanceof Response) return undefined;
  const { request, rows, tabular } = rendered;
  const requested = typeof rendered.format === "string" ? rendered.format : undefined;
  const format = tabular ? formatOf(requested, request.headers.get("accept")) : "json";
  if (format === "json" || rows === null)
    return value instanceof Answer ? renderAnswer(value, rendered, format, deps) : undefined;
  const answer = value instanceof Answer ? value : new Answer(() => value);
  return Promise.resolve(answer.body()).then((body) =>
    renderAnswer(
      new Answer(() => body, factsOfBody(answer.facts, body, rows, new URL(request.url).pathname)),
      rendered,
      format,
      deps,
    ),
  );
}
