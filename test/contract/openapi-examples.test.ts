// The OpenAPI document is complete: every field has a description with its unit, and every answer a true
// example.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import examples from "../../src/examples.json";
import {
  type ApiDocument,
  apiDocument,
  type Json,
  type Media,
  type Operation,
} from "../support/api-document.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

let service: SampleService;
let document: ApiDocument;
beforeAll(async () => {
  service = await openSampleService();
  document = await apiDocument(service);
});
afterAll(() => service.stop());

/** A field of a schema: where it stands, and what it or one of its ways says of itself. */
interface Field {
  readonly at: string;
  readonly schema: Json;
  readonly description: string;
}

const listOf = (schema: Json, key: string) => (schema[key] ?? []) as Json[];
const mapOf = (schema: Json, key: string) => Object.entries((schema[key] ?? {}) as Record<string, Json>);

const saysOf = (schema: Json): string =>
  String(
    schema.description ??
      listOf(schema, "anyOf")
        .map(saysOf)
        .find((each) => each !== "") ??
      "",
  );

/**
 * Every field of a schema, at whatever depth; items of lists and maps that say nothing have the words of what
 * holds them.
 */
function* fieldsOf(schema: Json, at: string, above = ""): Iterable<Field> {
  for (const way of [...listOf(schema, "anyOf"), ...listOf(schema, "allOf")]) yield* fieldsOf(way, at, above);
  for (const [name, field] of mapOf(schema, "properties")) yield* within(field, `${at}.${name}`, "");
  for (const [, field] of mapOf(schema, "patternProperties")) yield* within(field, `${at}{}`, above);
  if (schema.items) yield* within(schema.items as Json, `${at}[]`, above);
}

function* within(schema: Json, at: string, above: string): Iterable<Field> {
  const description = saysOf(schema) || above;
  yield { at, schema, description };
  yield* fieldsOf(schema, at, description);
}

const typesOf = (schema: Json): unknown[] =>
  schema.anyOf ? listOf(schema, "anyOf").flatMap(typesOf) : [schema.type];

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;
type Content = { readonly content?: Readonly<Record<string, Media>> };
const mediaOf = ({ content }: Content) => Object.entries(content ?? {});
const goodOf = (operation: Operation) =>
  Object.entries(operation.responses)
    .filter(([status]) => status.startsWith("2"))
    .flatMap(([status, response]) => {
      const [first] = mediaOf(response);
      return first ? [{ status, type: first[0], media: first[1] }] : [];
    });

/** Words that the description of a number or text of such a name must have besides. */
const WORDS: readonly (readonly [name: RegExp, description: RegExp])[] = [
  [/_(percent|pct|percentage)$|pct_of_holding$/, /percent|%/],
  [/(^|\.|_)(volume|shares)$/, /share|points/i],
  [/_ratio$/, /ratio|fraction|earnings|\//],
  [/_at$|last_updated$|\.(timestamp|known_at)$/, /UTC/],
  [/_ms$/, /millisecond/],
  [/(^|\.)(open|high|low|close|price|bid|ask|market_cap)$/, /dollar|currency|basis|price|shares/i],
];

describe("every field says what it is", () => {
  test("of answers, with the unit of a number and the zone of a moment", () => {
    const wrong = document.operations.flatMap((operation) =>
      goodOf(operation).flatMap(({ status, media }) =>
        [...fieldsOf(media.schema, "", saysOf(media.schema))].flatMap(({ at, schema, description }) => {
          const plain = typesOf(schema).some((type) =>
            ["number", "integer", "string"].includes(String(type)),
          );
          const lacks = plain
            ? WORDS.filter(([name, words]) => name.test(at) && !words.test(description))
            : [];
          const faults = [
            ...(description.length < 4 ? ["nothing"] : []),
            ...lacks.map(([, words]) => `no ${words}`),
          ];
          return faults.map((error) => `${nameOf(operation)} ${status} ${at} says ${error}: ${description}`);
        }),
      ),
    );
    expect(wrong).toEqual([]);
  });

  test("of requests, with an example that it takes", () => {
    const wrong: string[] = [];
    for (const operation of document.operations) {
      const name = nameOf(operation);
      for (const parameter of operation.parameters) {
        const { description = "", schema } = parameter;
        const [shown] = Object.values(parameter.examples ?? {});
        const example = parameter.example ?? shown?.value;
        if (description.length < 5) wrong.push(`${name} ${parameter.name} says nothing`);
        if (example === undefined) wrong.push(`${name} ${parameter.name} has no example`);
        else if (!document.validator(schema)(example))
          wrong.push(`${name} ${parameter.name} does not take ${example}`);
      }
      for (const [, { schema, example }] of mediaOf(operation.requestBody ?? {})) {
        for (const { at, description } of fieldsOf(schema, ""))
          if (description.length < 5) wrong.push(`${name} ${at} says nothing`);
        if (!document.validator(schema)(example)) wrong.push(`${name} does not take its example of a body`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test("of problems and headers", () => {
    const { schemas, headers } = document.json.components;
    for (const [name, schema] of Object.entries(schemas))
      for (const { at, description } of fieldsOf(schema, name))
        expect([at, description.length > 4]).toEqual([at, true]);
    for (const { responses } of document.operations)
      for (const response of Object.values(responses))
        for (const [name, header] of Object.entries((response.headers ?? {}) as Record<string, Json>)) {
          const said = header.$ref ? headers[name]?.description : header.description;
          expect([name, String(said ?? "").length > 5]).toEqual([name, true]);
        }
  });
});

describe("examples (bun run cli examples writes them again)", () => {
  test("every way to succeed has one, as its schema says, without a field it does not name", () => {
    const wrong = document.operations.flatMap((operation) =>
      goodOf(operation).flatMap(({ status, type, media }) => {
        const where = `${nameOf(operation)} ${status}`;
        if (media.example === undefined) return [`${where} has none`];
        if (!type.endsWith("json")) return [];
        const validate = document.validator(media.schema);
        if (validate(media.example)) return [];
        return (validate.errors ?? []).map(
          (e) => `${where} ${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`,
        );
      }),
    );
    expect(wrong).toEqual([]);
  });

  test("none is of a removed route, and none reveals where it was made", () => {
    const known = document.operations.map(nameOf);
    expect(Object.keys(examples).filter((key) => !known.includes(key))).toEqual([]);
    expect(JSON.stringify(examples)).not.toMatch(/asof-test|\/tmp\/|\/home\/|\/Users\/|localhost:|SAMPLEKEY/);
  });

  test("every error has one of each code it may have, of its own status", () => {
    const { examples: problems } = document.json.components;
    for (const operation of document.operations)
      for (const [status, response] of Object.entries(operation.responses)) {
        // The health route answers alike whether the store is up or down.
        if (Number(status) < 400 || (status === "503" && operation.path === "/api/v1/health")) continue;
        const [[type, media] = ["", undefined]] = mediaOf(response);
        const isProblem = type === "application/problem+json";
        const codes = Object.keys(media?.examples ?? {});
        const shown = isProblem ? codes.map((code) => problems[code]?.value) : [media?.example];
        const where = `${nameOf(operation)} ${status}`;
        expect([where, shown.length > 0]).toEqual([where, true]);
        const validate = document.validator(media?.schema ?? {});
        for (const example of shown) {
          expect([where, validate(example), validate.errors]).toEqual([where, true, null]);
          if (isProblem)
            expect([where, example]).toEqual([where, expect.objectContaining({ status: Number(status) })]);
        }
      }
  });
});
