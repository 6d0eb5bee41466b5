// Turns the Answer of a use case into a response: cache headers, ETag and 304, and the requested format.
import { Answer, type AnswerFacts } from "../platform/answer.ts";
import { type Format, formatOf, type ParquetWriter, streamResponse, tableResponse } from "./formats.ts";

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

function jsonOf({ body, facts: { derivedFrom } }: Answer<unknown>): Json | Promise<Json> {
  const last = derivedFrom && jsonByValue.get(derivedFrom.value);
  if (last && last.variant === derivedFrom.variant) return last.json;
  const written = (content: unknown): Json => {
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

/** Renders an Answer; synchronously when its content is available, so that a cached answer waits for nothing. */
function renderAnswer(
  answer: Answer<unknown>,
  request: Request,
  format: Format,
  deps: RenderDeps,
): Response | Promise<Response> {
  const { facts } = answer;
  const withHeaders = (response: Response) => {
    cacheHeaders(response.headers, facts, deps.nowMs());
    for (const name in facts.headers) response.headers.set(name, facts.headers[name] ?? "");
    return response;
  };
  // Answers without rows are always JSON: their routes have no `format` parameter, and Accept is only a preference.
  if (format !== "json" && facts.stream) return streamResponse(facts.stream, format).then(withHeaders);
  if (format !== "json" && facts.table)
    return tableResponse(facts.table, format, deps.parquet).then(withHeaders);
  const json = jsonOf(answer);
  const respond = (made: Json) => withHeaders(jsonResponse(made, facts, request));
  return json instanceof Promise ? json.then(respond) : respond(json);
}

export interface RenderDeps {
  readonly parquet: ParquetWriter;
  nowMs(): number;
}

/** Turns a handler's Answer into a Response; leaves any other value to Elysia (plain JSON). */
export function render(value: unknown, request: Request, query: Record<string, unknown>, deps: RenderDeps) {
  if (!(value instanceof Answer)) return undefined;
  const requested = typeof query.format === "string" ? query.format : undefined;
  return renderAnswer(value, request, formatOf(requested, request.headers.get("accept")), deps);
}
