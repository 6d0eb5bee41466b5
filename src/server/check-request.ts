// Checks a request before its body is read: URL length, route, method, media type and declared body size.
import { REQUEST_BODY_BYTES_MAX, REQUEST_URL_BYTES_MAX } from "../limits.ts";
import { InvalidRequest, NotFound } from "../platform/errors.ts";
import type { RouteEntry, RouteTable } from "./route-table.ts";

/** Throws where the body of a request cannot be JSON. */
function checkMediaType(headers: Headers): void {
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== undefined && !/^application\/([\w.+-]+\+)?json$/.test(type))
    throw new InvalidRequest("unsupported_media_type", "The body must be application/json.");
  const coding = headers.get("content-encoding")?.trim().toLowerCase() ?? "";
  if (coding !== "" && coding !== "identity")
    throw new InvalidRequest("unsupported_media_type", "The body must not be compressed.");
}

/** Returns the route of a request. Throws InvalidRequest or NotFound for a request that no route accepts. */
export function checkRequest(request: Request, path: string, table: RouteTable): RouteEntry {
  if (request.url.length > REQUEST_URL_BYTES_MAX)
    throw new InvalidRequest(
      "uri_too_long",
      `The URL is longer than ${REQUEST_URL_BYTES_MAX} characters; request less at once.`,
    );
  const method = request.method === "HEAD" ? "GET" : request.method;
  const route = table.find(method, path);
  if (!route) {
    const others = table.methodsAt(path);
    if (others.length === 0)
      throw new NotFound("route_not_found", "There is no such route; /api/v1/openapi.json lists them all.");
    throw new InvalidRequest("method_not_allowed", `This route accepts ${others.join(", ")}.`);
  }
  if (route.schemas.body && request.body !== null) checkMediaType(request.headers);
  if (Number(request.headers.get("content-length") ?? 0) > REQUEST_BODY_BYTES_MAX)
    throw new InvalidRequest("payload_too_large", `The body is larger than ${REQUEST_BODY_BYTES_MAX} bytes.`);
  return route;
}

/** The value of the Allow header for a path with routes for `methods`. */
export const allowHeader = (methods: readonly string[]) =>
  [...methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])), "OPTIONS"].join(", ");
