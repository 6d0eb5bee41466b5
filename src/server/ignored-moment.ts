// Says in a header that a route has no as_of: parameters that a route does not know are ignored, and its
// answer is about now.
import { addWarnings } from "./damage-warnings.ts";
import type { RouteEntry } from "./route-table.ts";

const API = "/api/v1/";
const MOMENTS = ["as_of", "as_of_date"];

const fieldsOf = (schema: RouteEntry["schemas"]["query"]): string[] => Object.keys(schema?.properties ?? {});

/** Names in a query or in a JSON object; of a body that is none, the route speaks itself. */
function namesGiven(url: string, body: Uint8Array | null): string[] {
  const mark = url.indexOf("?");
  const names = mark < 0 ? [] : [...new URLSearchParams(url.slice(mark + 1)).keys()];
  if (!body || Buffer.from(body.buffer, body.byteOffset, body.byteLength).indexOf("as_of") < 0) return names;
  try {
    return [...names, ...Object.keys(Object(JSON.parse(new TextDecoder().decode(body))))];
  } catch {
    return names;
  }
}

/** Adds the warning to an answer whose request names a moment that its route does not know. */
export function warnOfIgnoredMoment(
  response: Response,
  { url, body }: { readonly url: string; readonly body: Uint8Array | null },
  { path, schemas }: Pick<RouteEntry, "path" | "schemas">,
): Response {
  if (!path.startsWith(API) || !response.ok || (body === null && !url.includes("as_of"))) return response;
  const known = [...fieldsOf(schemas.query), ...fieldsOf(schemas.body)];
  if (MOMENTS.some((name) => known.includes(name))) return response;
  const [given] = namesGiven(url, body).filter((name) => MOMENTS.includes(name));
  if (given === undefined) return response;
  const warning = `This route has no ${given}: the parameter is ignored, and the answer is about now.`;
  addWarnings(response.headers, { after: [warning] });
  return response;
}
