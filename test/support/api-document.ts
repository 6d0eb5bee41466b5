// The served OpenAPI document as tests use it: its operations, and whether an answer is what it promises.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { TestService } from "./service.ts";

export type Json = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  /** One, of a parameter that the reference page leaves out unless it is ticked. */
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
  readonly schema: Json;
}

export interface Media {
  readonly schema: Json;
  readonly example?: unknown;
  /** Errors have one of each code. */
  readonly examples?: Readonly<Record<string, unknown>>;
}

export interface Operation {
  readonly method: "GET" | "POST";
  /** With parameters in braces. */
  readonly path: string;
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Json[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { description: string; headers?: Json; content?: Readonly<Record<string, Media>> }>
  >;
}

export interface ApiDocument {
  readonly json: Json & {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Omit<Operation, "method" | "path">>>>>;
    readonly components: {
      readonly schemas: Readonly<Record<string, Json>>;
      readonly examples: Readonly<Record<string, { readonly value: Json }>>;
      readonly headers: Readonly<Record<string, Json>>;
    };
  };
  readonly operations: readonly Operation[];
  /** Throws when there is none. */
  operation(method: string, path: string): Operation;
  /** A schema of the document, ready to hold values against; an answer may have no field it does not name. */
  validator(schema: Json): ValidateFunction;
  /** Schemas by themselves, for checks against the rules of JSON Schema. */
  readonly ajv: Ajv2020;
}

/** The schema with objects closed to fields it does not name. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (schema === null || typeof schema !== "object") return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return "properties" in inner && !("additionalProperties" in inner) && !("allOf" in inner)
    ? { ...inner, additionalProperties: false }
    : inner;
}

/** Fetches the document from a service. */
export const apiDocument = async (service: TestService): Promise<ApiDocument> =>
  documentOf((await service.get<ApiDocument["json"]>("/api/v1/openapi.json")).body);

/** Reads a document that was fetched. */
export function documentOf(json: ApiDocument["json"]): ApiDocument {
  // Not strict: schemas carry keywords of our own (maxTickers) beside the standard ones.
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const components = closed(json.components);
  const compiled = new Map<Json, ValidateFunction>();
  const operations = Object.entries(json.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) =>
        ({
          ...operation,
          parameters: operation.parameters ?? [],
          path,
          method: method.toUpperCase(),
        }) as Operation,
    ),
  );
  return {
    json,
    operations,
    ajv,
    operation(method, path) {
      const found = operations.find((o) => o.method === method && o.path === path);
      if (!found) throw new Error(`${method} ${path} is not in the document`);
      return found;
    },
    validator(schema) {
      const known = compiled.get(schema);
      if (known) return known;
      const made = ajv.compile({ ...(closed(schema) as Json), components });
      compiled.set(schema, made);
      return made;
    },
  };
}

/** The text of an answer, whichever way it was compressed. */
async function textOf(response: Response): Promise<string> {
  const encoding = response.headers.get("content-encoding");
  const bytes = await response.bytes();
  if (bytes.length === 0 || encoding === null) return new TextDecoder().decode(bytes);
  if (encoding !== "gzip" && encoding !== "zstd") throw new Error(`unknown content-encoding ${encoding}`);
  return new TextDecoder().decode(
    encoding === "gzip" ? Bun.gunzipSync(bytes) : Bun.zstdDecompressSync(bytes),
  );
}

const CLIENT_ID = /^[A-Za-z0-9._-]{1,128}$/;

/** Whether a request asks for a plain list of records: the last of several formats counts. */
export const asksForRecords = (url: string): boolean =>
  new URL(url, "http://localhost").searchParams.getAll("format").at(-1) === "records";

/** Returns the faults of an answer against the document; empty when all is well. */
export async function faultsOfAnswer(
  document: ApiDocument,
  operation: Operation,
  response: Response,
  { isRecords = false } = {},
): Promise<string[]> {
  const { status, headers } = response;
  const text = await textOf(response);
  const faults: string[] = [];
  if (!CLIENT_ID.test(headers.get("x-request-id") ?? "")) faults.push("X-Request-ID is missing");
  const promised = operation.responses[String(status)];
  if (!promised) return [...faults, `status ${status} is not documented: ${text.slice(0, 200)}`];
  if (!promised.content && text === "") return faults;
  const type = headers.get("content-type")?.split(";")[0] ?? "";
  const media = promised.content?.[type];
  if (!media) return [...faults, `${status} does not promise ${type || "an answer without a type"}`];
  if (!/[/+]json$/.test(type)) return faults;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return [...faults, `the body is no JSON: ${text.slice(0, 200)}`];
  }
  const { code } = Object(body) as { code?: string };
  if (status >= 400 && media.examples && !(code !== undefined && code in media.examples))
    faults.push(`${status} does not promise the code ${code}`);
  if (isRecords && status === 200) {
    const isList = Array.isArray(body) && body.every((row) => row !== null && typeof row === "object");
    return isList ? faults : [...faults, "format=records is no list of objects"];
  }
  const validate = document.validator(media.schema);
  if (validate(body)) return faults;
  const found = (validate.errors ?? []).slice(0, 5).map(({ instancePath, message, params }) => {
    const which = params.additionalProperty ?? params.missingProperty ?? "";
    return `${instancePath || "(body)"} ${message} ${which}`.trim();
  });
  return [...faults, ...found];
}
