// Says of an answer that rows of damaged files may be missing from it: in its `warnings`, else in a header.
import { type DamagedFile, damaged, damageWarnings } from "../platform/reading.ts";
import { noteHeaders } from "./note-headers.ts";
import { isStreamed } from "./streamed.ts";

/** Warnings to put before and after those that an answer has. */
interface Added {
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

function addToHeader(headers: Headers, { before = [], after = [] }: Added): void {
  const earlier: unknown = JSON.parse(headers.get("x-warnings") ?? "[]");
  noteHeaders(headers, { warnings: [...before, ...(Array.isArray(earlier) ? earlier : []), ...after] });
}

/** The body with the warnings; null where it has no list of them. */
async function bodyWith(response: Response, { before = [], after = [] }: Added): Promise<string | null> {
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  // An answer of 304 has the header and no body.
  if (!isJson || !response.ok || isStreamed(response.headers)) return null;
  const text = await response.clone().text();
  // The answer to HEAD has none.
  if (text === "") return null;
  const body: unknown = JSON.parse(text);
  const own: unknown = Object(body).warnings;
  return Array.isArray(own)
    ? JSON.stringify({ ...Object(body), warnings: [...before, ...own, ...after] })
    : null;
}

/** Returns the answer with more warnings: in its `warnings`, else in a header. */
export async function withWarnings(response: Response, added: Added): Promise<Response> {
  const body = await bodyWith(response, added);
  if (body === null) {
    addToHeader(response.headers, added);
    return response;
  }
  const { status, headers } = response;
  // It is the hash of another body.
  headers.delete("etag");
  return new Response(body, { status, headers });
}

/**
 * Adds the warnings to an answer. Throws `damaged` in place of an answer that nothing is there, which may be
 * in the damaged file.
 */
export async function warnOfDamage(response: Response, damage: readonly DamagedFile[]): Promise<Response> {
  if (damage.length === 0 || (response.status >= 400 && response.status !== 404)) return response;
  if (response.status === 404) throw damaged(damage);
  return withWarnings(response, { before: damageWarnings(damage) });
}
