// Builds the Elysia app: body parsing, coercion, validation errors, rendering and error responses for all
// routes.
import type { TSchema } from "@sinclair/typebox";
import { type AnyElysia, Elysia } from "elysia";
import { JSON_DEPTH_MAX } from "../limits.ts";
import { notAhead } from "../market/known-at.ts";
import { asOfFieldsOf, dayFieldsOf, refuseOutOfRange, spellingsIn } from "../market/params.ts";
import { InvalidFields, NotFound } from "../platform/errors.ts";
import { redactText } from "../platform/redact.ts";
import type { RouteDetail } from "../platform/route-doc.ts";
import { type ErrorContext, errorResponse } from "./errors.ts";
import { coerceStrings, listFieldErrors, NOT_AN_OBJECT, type RequestSchemas } from "./field-errors.ts";
import { type RenderDeps, type Rendered, render } from "./render.ts";
import { requestContextOf } from "./request-context.ts";
import { unknownFields } from "./unknown-fields.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSE: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** Whether the UTF-8 bytes of a JSON text open more arrays and objects inside each other than `max`. */
export function isNestedDeeper(bytes: Uint8Array, max = JSON_DEPTH_MAX): boolean {
  let depth = 0;
  let inText = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    if (inText) {
      if (byte === BACKSLASH) i += 1;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (OPEN.has(byte)) {
      depth += 1;
      if (depth > max) return true;
    } else if (CLOSE.has(byte)) depth -= 1;
  }
  return false;
}

/**
 * Parses the body as JSON, whatever its media type. The edge has read it already, unless there is no edge
 * (tests).
 */
async function readJson(request: Request): Promise<unknown> {
  const bytes = requestContextOf(request).body ?? new Uint8Array(await request.arrayBuffer());
  // null, because undefined would make Elysia read the body a second time.
  if (bytes.byteLength === 0) return null;
  if (isNestedDeeper(bytes))
    throw new InvalidFields([
      {
        type: "json_invalid",
        loc: ["body"],
        msg: `JSON decode error: more than ${JSON_DEPTH_MAX} arrays and objects are inside each other`,
      },
    ]);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new InvalidFields([
      { type: "json_invalid", loc: ["body"], msg: "JSON decode error: the body is not valid JSON" },
    ]);
  }
}

/**
 * The body as an object without optional fields that are null, which count as absent. Throws InvalidFields.
 */
function bodyObject(schema: TSchema, body: unknown): Record<string, unknown> {
  const required: readonly string[] = schema.required ?? [];
  if (body === undefined || body === null) {
    if (required.length === 0) return {};
    throw new InvalidFields([{ type: "missing", loc: ["body"], msg: "Field required" }]);
  }
  if (typeof body !== "object" || Array.isArray(body))
    throw new InvalidFields([{ ...NOT_AN_OBJECT, loc: ["body"] }]);
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => value !== null || required.includes(name)),
  );
}

/** Names of the query fields that are lists. */
const listsOf = (schema: RequestSchemas["query"]): string[] =>
  Object.entries<TSchema>(schema?.properties ?? {})
    .filter(([, property]) => property.list === true)
    .map(([name]) => name);

/**
 * Joins the values of list fields that are given several times; other repeated fields keep their last value.
 */
function joinRepeated(lists: readonly string[], query: Record<string, unknown>, url: string): void {
  for (const name of lists) {
    if (typeof query[name] !== "string") continue;
    const all = new URL(url).searchParams.getAll(name);
    if (all.length > 1) query[name] = all.join(",");
  }
}

/** Sets each `as_of` in the future to now, in place; returns that instant, or null when there was none. */
function asOfNow(names: readonly string[], values: Record<string, unknown>, nowMs: number): string | null {
  let now: string | null = null;
  for (const name of names) {
    const given = values[name];
    if (typeof given !== "string") continue;
    const effective = notAhead(given, Temporal.Instant.fromEpochMilliseconds(nowMs));
    if (effective !== given) now = values[name] = effective;
  }
  return now;
}

/** Throws where a route that only answers JSON is asked for another format. */
function refuseFormat(url: string): void {
  if (!url.includes("format=")) return;
  const given = new URL(url).searchParams.getAll("format").at(-1);
  if (given === undefined || given === "json") return;
  throw new InvalidFields([
    {
      type: "literal_error",
      loc: ["query", "format"],
      msg: "Input should be 'json': this route does not answer with a table",
      ctx: { expected: "'json'" },
    },
  ]);
}

/** The declarations of a route: its schemas, its list fields, its `as_of` fields and its rows. */
type Declared = RequestSchemas &
  Pick<Rendered, "tabular" | "rows"> & {
    readonly lists: readonly string[];
    readonly asOf: { readonly query: readonly string[]; readonly body: readonly string[] };
    readonly days: Readonly<Record<keyof RequestSchemas, readonly string[]>>;
  };
type SchemasOf = (method: string, route: string) => Declared | undefined;

/** The warnings about tickers of a request that are given in two spellings. */
const spelledTwice = (
  { query, body }: Declared,
  given: { readonly query: object; readonly body: object },
) => [...spellingsIn(query, given.query), ...spellingsIn(body, given.body)];

/** Throws where a day of any part of a request is out of range. */
function refuseDays(
  days: Declared["days"],
  values: Readonly<Record<keyof RequestSchemas, Record<string, unknown>>>,
): void {
  for (const part of ["params", "query", "body"] as const) refuseOutOfRange(days[part], values[part]);
}

/** The error behind an Elysia error code. */
function causeOf(code: string | number, error: unknown, errors: () => unknown): unknown {
  if (code === "VALIDATION") return errors();
  if (code === "NOT_FOUND")
    return new NotFound("route_not_found", "There is no such route; /api/v1/openapi.json lists them all.");
  return error;
}

/** An app with everything that applies to all routes; routes are added with `.use`. */
export function httpApp(deps: RenderDeps & Pick<ErrorContext, "secrets">) {
  const schemas = new Map<string, Map<string, Declared>>();
  const schemasOf: SchemasOf = (method, route) => schemas.get(route)?.get(method);
  const declaredFor = ({ method }: Request, route: string) =>
    schemasOf(method === "HEAD" ? "GET" : method, route);
  // Errors of whole bodies, thrown only after the guards of the route's group have accepted the request.
  const bodyErrors = new WeakMap<Request, unknown>();
  const objectOf = (request: Request, schema: TSchema, body: unknown) => {
    if (bodyErrors.has(request)) return null;
    try {
      return bodyObject(schema, body);
    } catch (error) {
      bodyErrors.set(request, error);
      return null;
    }
  };
  /** Requests whose `as_of` was in the future, with the instant used instead. */
  const adjustedAsOf = new WeakMap<Request, string>();
  const app = new Elysia({ name: "asof", normalize: true })
    .onParse(({ request }) =>
      readJson(request).catch((error: unknown) => {
        bodyErrors.set(request, error);
        return null;
      }),
    )
    .onTransform((context) => {
      const { request, route, query, params } = context;
      const declared = declaredFor(request, route);
      if (!declared) return;
      joinRepeated(declared.lists, query, request.url);
      coerceStrings(declared.query, query);
      coerceStrings(declared.params, (params ?? {}) as Record<string, unknown>);
      if (declared.body?.type === "object") context.body = objectOf(request, declared.body, context.body);
      const now =
        asOfNow(declared.asOf.query, query, deps.nowMs()) ??
        asOfNow(declared.asOf.body, (context.body ?? {}) as Record<string, unknown>, deps.nowMs());
      if (now !== null) adjustedAsOf.set(request, now);
      // Pages have parameters of their own, which their scripts read.
      if (!route.startsWith("/api/v1/")) return;
      const given = { query, body: declared.body?.type === "object" ? Object(context.body) : {} };
      try {
        const notes = [...unknownFields(declared, given), ...spelledTwice(declared, given)];
        // A name can be a secret that stands in the wrong place.
        requestContextOf(request).notes = notes.map((text) => redactText(text, deps.secrets));
      } catch (error) {
        if (!bodyErrors.has(request)) bodyErrors.set(request, error);
      }
    })
    .onBeforeHandle(({ request, route, params = {}, query, body }) => {
      if (bodyErrors.has(request)) throw bodyErrors.get(request);
      const declared = declaredFor(request, route);
      if (declared) refuseDays(declared.days, { params, query, body: Object(body) });
      if (declared && !("format" in (declared.query?.properties ?? {}))) refuseFormat(request.url);
    })
    .mapResponse(({ responseValue, request, route, params = {}, query, set }) => {
      const asOf = adjustedAsOf.get(request);
      const { tabular = false, rows = null } = declaredFor(request, route) ?? {};
      const asked = { request, params, format: query.format, tabular, rows };
      if (asOf === undefined) return render(responseValue, asked, deps);
      set.headers["x-as-of"] = asOf;
      const rendered = render(responseValue, asked, deps);
      if (rendered === undefined) return rendered;
      return Promise.resolve(rendered).then((response) => {
        response.headers.set("x-as-of", asOf);
        return response;
      });
    })
    .onError(({ code, error, request, route, params, query, body }) => {
      const requestContext = requestContextOf(request);
      const cause = causeOf(code, error, () => {
        if (bodyErrors.has(request)) return bodyErrors.get(request);
        const declared = schemasOf(request.method, route) ?? {};
        const errors = listFieldErrors(declared, { params, query, body });
        return new InvalidFields(
          errors.length > 0
            ? errors
            : [{ type: "value_error", loc: [], msg: "Value error, the request does not fit the route" }],
        );
      });
      requestContext.error(cause);
      const { requestId, path } = requestContext;
      return errorResponse(cause, { requestId, path, ...(deps.secrets ? { secrets: deps.secrets } : {}) });
    });
  /** Reads the schemas of all routes. Call it once every route is added. */
  const seal = (composed: AnyElysia) => {
    for (const route of composed.routes) {
      const { params, query, body, detail } = route.hooks as RequestSchemas & {
        readonly detail?: Partial<RouteDetail>;
      };
      const asOf = { query: asOfFieldsOf(query), body: asOfFieldsOf(body) };
      const tabular = detail?.["x-tabular"] ?? false;
      const rows = detail?.["x-rows"] ?? null;
      const days = { params: dayFieldsOf(params), query: dayFieldsOf(query), body: dayFieldsOf(body) };
      const declared = { params, query, body, lists: listsOf(query), asOf, days, tabular, rows };
      const methods = schemas.get(route.path) ?? new Map<string, Declared>();
      schemas.set(route.path, methods.set(route.method, declared));
    }
  };
  return { app, seal };
}
