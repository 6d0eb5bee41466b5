// Composes the Elysia app: parsing, coercion, validation faults, rendering and errors, each in this one place.
import type { TSchema } from "@sinclair/typebox";
import { type AnyElysia, Elysia } from "elysia";
import { REQUEST_BODY_BYTES_MAX } from "../limits.ts";
import { BodyTooLarge, readBody } from "../platform/body-limit.ts";
import { InvalidFields, InvalidRequest, NotFound } from "../platform/errors.ts";
import { errorResponse, type Occasion } from "./errors.ts";
import { coerceStrings, listFaults, NO_OBJECT, type RequestSchemas } from "./faults.ts";
import { type RenderDeps, render } from "./render.ts";
import { factsOf } from "./request-facts.ts";

/** Reads a body as JSON, whatever type it claims, within the size limit. */
async function readJson(request: Request): Promise<unknown> {
  const bytes = await readBody(request.body, REQUEST_BODY_BYTES_MAX).catch((error: unknown) => {
    if (!(error instanceof BodyTooLarge)) throw error;
    throw new InvalidRequest("payload_too_large", `The body is larger than ${REQUEST_BODY_BYTES_MAX} bytes.`);
  });
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

/** What the route of a request declares, by method and pattern; filled when the app is composed. */
type Declared = RequestSchemas & { readonly lists: readonly string[] };
type SchemasOf = (method: string, route: string) => Declared | undefined;

function foreseen(code: string | number, error: unknown, faults: () => InvalidFields): unknown {
  if (code === "VALIDATION") return faults();
  if (code === "NOT_FOUND")
    return new NotFound("route_not_found", "There is no such route; /api/v1/openapi.json lists them all.");
  if (code === "PARSE" && error instanceof Error && error.cause instanceof Error) return error.cause;
  return error;
}

/** A bare app with everything that holds across routes; routes are added with `.use`. */
export function httpApp(deps: RenderDeps & Pick<Occasion, "secrets">) {
  const schemas = new Map<string, Declared>();
  const schemasOf: SchemasOf = (method, route) => schemas.get(`${method} ${route}`);
  const app = new Elysia({ name: "asof", normalize: true })
    .onParse(({ request }) => readJson(request))
    .onTransform((context) => {
      const { request, route, query, params } = context;
      const declared = schemasOf(request.method === "HEAD" ? "GET" : request.method, route);
      if (!declared) return;
      joinRepeated(declared.lists, query, request.url);
      coerceStrings(declared.query, query);
      coerceStrings(declared.params, (params ?? {}) as Record<string, unknown>);
      if (declared.body?.type === "object") context.body = bodyObject(declared.body, context.body);
    })
    .mapResponse(({ responseValue, request, query }) => render(responseValue, request, query, deps))
    .onError(({ code, error, request, route, params, query, body }) => {
      const facts = factsOf(request);
      const cause = foreseen(code, error, () => {
        const declared = schemasOf(request.method, route) ?? {};
        const faults = listFaults(declared, { params, query, body });
        return new InvalidFields(
          faults.length > 0
            ? faults
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
      schemas.set(`${route.method} ${route.path}`, { params, query, body, lists: listsOf(query) });
    }
  };
  return { app, seal };
}
