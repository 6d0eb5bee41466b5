// Finds the route of a request before the app handles it, to know its schemas, deadline and methods.
import type { AnyElysia } from "elysia";
import type { RequestSchemas } from "./field-errors.ts";

/** The facts about a route that the edge needs. */
export interface RouteEntry {
  readonly method: string;
  /** With parameters as `:name`. */
  readonly path: string;
  readonly schemas: RequestSchemas;
  /** Deadline from the route's `detail`; null for the default. */
  readonly deadlineS: number | null;
  /** Whether the route does not count towards the concurrency limit. */
  readonly outsideConcurrencyLimit: boolean;
  /** Whether few such requests run at once. */
  readonly heavy: boolean;
  /** Whether the route also answers with events. */
  readonly events: boolean;
  /** Whether the route needs no client key: health and docs only. */
  readonly open: boolean;
}

export interface RouteTable {
  readonly entries: readonly RouteEntry[];
  /** The route for a method and path; null when there is none. */
  find(method: string, path: string): RouteEntry | null;
  /** Methods that exist at a path, for 405 and Allow. */
  methodsAt(path: string): string[];
}

/** Fields of a route's `detail` for the edge, beside its documentation. */
export interface EdgeDetail {
  "x-deadline-s"?: number;
  "x-outside-concurrency-limit"?: boolean;
  "x-heavy"?: boolean;
  "x-open"?: boolean;
  "x-events"?: boolean;
}

/** Splits a path. One trailing slash is ignored, as in the router; any other empty segment is significant. */
const segmentsOf = (path: string) => path.replace(/^\//, "").replace(/\/$/, "").split("/");

function matches(pattern: readonly string[], path: readonly string[]): boolean {
  for (const [i, part] of pattern.entries()) {
    if (part === "*") return true;
    // As in the router, an empty segment is no value of a parameter.
    if (part.startsWith(":") ? !path[i] : part !== path[i]) return false;
  }
  return pattern.length === path.length;
}

/** Paths per method whose route is cached; clients use few different paths at a time. */
const CACHED_PATHS_MAX = 2_000;

/** Reads the table off a composed Elysia app. */
export function routeTable(app: AnyElysia): RouteTable {
  const entries: RouteEntry[] = app.routes.map((route) => {
    const { params, query, body, detail } = route.hooks as {
      params?: RequestSchemas["params"];
      query?: RequestSchemas["query"];
      body?: RequestSchemas["body"];
      detail?: EdgeDetail;
    };
    return {
      method: route.method,
      path: route.path,
      schemas: { params, query, body },
      deadlineS: detail?.["x-deadline-s"] ?? null,
      outsideConcurrencyLimit: detail?.["x-outside-concurrency-limit"] ?? false,
      heavy: detail?.["x-heavy"] ?? false,
      open: detail?.["x-open"] ?? false,
      events: detail?.["x-events"] ?? false,
    };
  });
  const exact = new Map(entries.filter((e) => !/[:*]/.test(e.path)).map((e) => [`${e.method} ${e.path}`, e]));
  const patterns = entries
    .filter((e) => /[:*]/.test(e.path))
    .map((entry) => ({ entry, parts: segmentsOf(entry.path) }));
  // By method and number of segments, so that a request is compared with a few routes only.
  const fixed = Map.groupBy(
    patterns.filter((p) => !p.parts.includes("*")),
    (p) => `${p.entry.method} ${p.parts.length}`,
  );
  const open = patterns.filter((p) => p.parts.includes("*"));
  const search = (method: string, path: string) => {
    const direct = exact.get(`${method} ${path}`);
    if (direct) return direct;
    const parts = segmentsOf(path);
    const trimmed = exact.get(`${method} /${parts.join("/")}`);
    if (trimmed) return trimmed;
    const near = fixed.get(`${method} ${parts.length}`)?.find((p) => matches(p.parts, parts));
    return (near ?? open.find((p) => p.entry.method === method && matches(p.parts, parts)))?.entry ?? null;
  };
  const methods = new Map<string, Map<string, RouteEntry | null>>();
  const find = (method: string, path: string) => {
    const cached = methods.get(method) ?? new Map<string, RouteEntry | null>();
    const known = cached.get(path);
    if (known !== undefined) return known;
    const found = search(method, path);
    if (cached.size >= CACHED_PATHS_MAX) cached.clear();
    methods.set(method, cached.set(path, found));
    return found;
  };
  return {
    entries,
    find,
    methodsAt: (path) =>
      ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((method) => find(method, path) !== null),
  };
}
