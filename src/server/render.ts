// From what a use case returned to the response: cache headers, ETag and 304, and the format asked for.
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

/** A strong validator over the bytes of the body. */
const etagOf = (text: string) => `"${Bun.hash(text).toString(16)}-${text.length.toString(16)}"`;

const isMatch = (header: string | null, etag: string) =>
  (header?.split(",") ?? []).some((tag) => tag.trim().replace(/^W\//, "") === etag || tag.trim() === "*");

async function renderAnswer(
  answer: Answer<unknown>,
  request: Request,
  format: Format,
  deps: RenderDeps,
): Promise<Response> {
  const { facts } = answer;
  let response: Response;
  // Without rows there is only JSON; Accept is a wish, and `format` is no parameter of such a route.
  if (format === "json" || !(facts.table || facts.stream)) {
    const text = JSON.stringify(await answer.body());
    const headers = new Headers({ "content-type": "application/json" });
    if (facts.etag) {
      const etag = etagOf(text);
      headers.set("etag", etag);
      if (isMatch(request.headers.get("if-none-match"), etag))
        response = new Response(null, { status: 304, headers });
      else response = new Response(text, { status: facts.status ?? 200, headers });
    } else response = new Response(text, { status: facts.status ?? 200, headers });
  } else if (facts.stream) response = await streamResponse(facts.stream, format);
  else if (facts.table) response = await tableResponse(facts.table, format, deps.parquet);
  else throw new Error("an answer without rows has no such format");
  cacheHeaders(response.headers, facts, deps.nowMs());
  for (const [name, value] of Object.entries(facts.headers ?? {})) response.headers.set(name, value);
  return response;
}

export interface RenderDeps {
  readonly parquet: ParquetWriter;
  nowMs(): number;
}

/** Turns a handler's Answer into a Response; anything else is left to Elysia (plain JSON). */
export function render(value: unknown, request: Request, query: Record<string, unknown>, deps: RenderDeps) {
  if (!(value instanceof Answer)) return undefined;
  const asked = typeof query.format === "string" ? query.format : undefined;
  return renderAnswer(value, request, formatOf(asked, request.headers.get("accept")), deps);
}
