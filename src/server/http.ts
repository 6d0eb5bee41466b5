// Composes the Elysia app: parsing, coercion, validation faults, rendering and errors, each in this one place.
import type { TSchema } from "@sinclair/typebox";
import { type AnyElysia, Elysia } from "elysia";
import { notAhead } from "../market/known-at.ts";
import { asOfFieldsOf } from "../market/params.ts";
import { InvalidFields, NotFound } from "../platform/errors.ts";
import { type ErrorContext, errorResponse } from "./errors.ts";
import { coerceStrings, listFieldErrors, NO_OBJECT, type RequestSchemas } from "./field-errors.ts";
import { type RenderDeps, render } from "./render.ts";
import { requestContextOf } from "./request-context.ts";

/** The body as JSON, whatever type it claims; the edge has read it, within its limits, where there is an edge. */
async function readJson(request: Request): Promise<unknown> {
  const bytes = requestContextOf(request).body ?? new Uint8Array(await request.arrayBuffer());
  // null and not undefined, which would make Elysia read the body a second time.
  if (bytes.byteLength === 0) return null;
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new InvalidFields([
      { type: "json_invalid", loc: ["body"], msg: "JSON decode error: the body is not valid JSON" },
    ]);
  }
}

/** The body as an object, without optional fields that are null: null is as good as absent. Throws InvalidFields. */
function bodyObject(schema: TSchema, body: unknown): Record<string, unknown> {
  const required: readonly string[] = schema.required ?? [];
  if (body === undefined || body === null) {
    if (required.length === 0) return {};
    throw new InvalidFields([{ type: "missing", loc: ["body"], msg: "Field required" }]);
  }
  if (typeof body !== "object" || Array.isArray(body))
    throw new InvalidFields([{ ...NO_OBJECT, loc: ["body"] }]);
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => value !== null || required.includes(name)),
  );
}

/** Names of the fields of a query that hold lists. */
const listsOf = (schema: RequestSchemas["query"]): string[] =>
  Object.entries<TSchema>(schema?.properties ?? {})
    .filter(([, property]) => property.list === true)
    .map(([name]) => name);

/** Values of a list field that is given several times are joined; other repeated fields keep their last value. */
function joinRepeated(lists: readonly string[], query: Record<string, unknown>, url: string): void {
  for (const name of lists) {
    if (typeof query[name] !== "string") continue;
    const all = new URL(url).searchParams.getAll(name);
    if (all.length > 1) query[name] = all.join(",");
  }
}

/** Sets each `as_of` that lies ahead to now, in place; gives that moment where there was one. */
function asOfNow(names: readonly string[], values: Record<string, unknown>, nowMs: number): string | null {
  let now: string | null = null;
  for (const name of names) {
    const given = values[name];
    if (typeof given !== "string") continue;
    const meant = notAhead(given, Temporal.Instant.fromEpochMilliseconds(nowMs));
    if (meant !== given) now = values[name] = meant;
  }
  return now;
}

/** What the route of a request declares, by method and pattern; filled when the app is composed. */
type Declared = RequestSchemas & {
  readonly lists: readonly string[];
  readonly asOf: { readonly query: readonly string[]; readonly body: readonly string[] };
};
type SchemasOf = (method: string, route: string) => Declared | undefined;

function foreseen(code: string | number, error: unknown, errors: () => unknown): unknown {
  if (code === "VALIDATION") return errors();
  if (code === "NOT_FOUND")
    return new NotFound("route_not_found", "There is no such route; /api/v1/openapi.json lists them all.");
  return error;
}

/** A bare app with everything that holds across routes; routes are added with `.use`. */
export function httpApp(deps: RenderDeps & Pick<ErrorContext, "secrets">) {
  const schemas = new Map<string, Map<string, Declared>>();
  const schemasOf: SchemasOf = (method, route) => schemas.get(route)?.get(method);
  // What is wrong with a body as a whole, to be told after the guards of the route's group have let the request in.
  const unread = new WeakMap<Request, unknown>();
  const objectOf = (request: Request, schema: TSchema, body: unknown) => {
    if (unread.has(request)) return null;
    try {
      return bodyObject(schema, body);
    } catch (error) {
      unread.set(request, error);
      return null;
    }
  };
  /** Requests whose `as_of` lay ahead, with the moment they are answered as of. */
  const ahead = new WeakMap<Request, string>();
  const app = new Elysia({ name: "asof", normalize: true })
    .onParse(({ request }) =>
      readJson(request).catch((error: unknown) => {
        unread.set(request, error);
        return null;
      }),
    )
    .onTransform((context) => {
      const { request, route, query, params } = context;
      const declared = schemasOf(request.method === "HEAD" ? "GET" : request.method, route);
      if (!declared) return;
      joinRepeated(declared.lists, query, request.url);
      coerceStrings(declared.query, query);
      coerceStrings(declared.params, (params ?? {}) as Record<string, unknown>);
      if (declared.body?.type === "object") context.body = objectOf(request, declared.body, context.body);
      const now =
        asOfNow(declared.asOf.query, query, deps.nowMs()) ??
        asOfNow(declared.asOf.body, (context.body ?? {}) as Record<string, unknown>, deps.nowMs());
      if (now !== null) ahead.set(request, now);
    })
    .onBeforeHandle(({ request }) => {
      if (unread.has(request)) throw unread.get(request);
    })
    .mapResponse(({ responseValue, request, query, set }) => {
      const asOf = ahead.get(request);
      if (asOf === undefined) return render(responseValue, request, query, deps);
      set.headers["x-as-of"] = asOf;
      const rendered = render(responseValue, request, query, deps);
      if (rendered === undefined) return rendered;
      return Promise.resolve(rendered).then((response) => {
        response.headers.set("x-as-of", asOf);
        return response;
      });
    })
    .onError(({ code, error, request, route, params, query, body }) => {
      const facts = requestContextOf(request);
      const cause = foreseen(code, error, () => {
        if (unread.has(request)) return unread.get(request);
        const declared = schemasOf(request.method, route) ?? {};
        const errors = listFieldErrors(declared, { params, query, body });
        return new InvalidFields(
          errors.length > 0
            ? errors
            : [{ type: "value_error", loc: [], msg: "Value error, the request does not fit the route" }],
        );
      });
      facts.error(cause);
      const { requestId, path } = facts;
      return errorResponse(cause, { requestId, path, ...(deps.secrets ? { secrets: deps.secrets } : {}) });
    });
  /** Called once all routes are added: learns each route's schemas. */
  const seal = (composed: AnyElysia) => {
    for (const route of composed.routes) {
      const { params, query, body } = route.hooks as RequestSchemas;
      const asOf = { query: asOfFieldsOf(query), body: asOfFieldsOf(body) };
      const declared = { params, query, body, lists: listsOf(query), asOf };
      const methods = schemas.get(route.path) ?? new Map<string, Declared>();
      schemas.set(route.path, methods.set(route.method, declared));
    }
  };
  return { app, seal };
}
