// The form of an OpenAPI 3.1 document, as JSON Schema: the objects we use, each closed but for `x-`
// extensions.

const text = { type: "string", minLength: 1 } as const;
const ref = (name: string) => ({ $ref: `#/$defs/${name}` });
const orReference = (name: string) => ({ anyOf: [ref(name), ref("reference")] });
const mapOf = (values: object) => ({ type: "object", additionalProperties: values });

const object = (required: readonly string[], properties: Readonly<Record<string, object | boolean>>) => ({
  type: "object",
  required,
  properties,
  patternProperties: { "^x-": true },
  additionalProperties: false,
});

const STATUS = "^([1-5][0-9][0-9]|default)$";
const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
/** A schema is an object or a boolean; that it is a good one is checked by itself. */
const schema = { type: ["object", "boolean"] };

/** After the official description of version 3.1. */
export const OPENAPI_3_1 = {
  $id: "openapi-3.1",
  ...object(["openapi", "info", "paths"], {
    openapi: { type: "string", pattern: "^3\\.1\\.\\d+$" },
    info: object(["title", "version"], {
      title: text,
      version: text,
      summary: text,
      description: text,
      termsOfService: text,
      contact: object([], { name: text, url: text, email: text }),
      license: object(["name"], { name: text, identifier: text, url: text }),
    }),
    jsonSchemaDialect: text,
    servers: { type: "array", items: object(["url"], { url: text, description: text, variables: true }) },
    paths: {
      type: "object",
      patternProperties: { "^/": ref("path"), "^x-": true },
      additionalProperties: false,
    },
    tags: { type: "array", items: object(["name"], { name: text, description: text, externalDocs: true }) },
    security: { type: "array", items: ref("security") },
    components: object([], {
      schemas: mapOf(schema),
      responses: mapOf(ref("response")),
      parameters: mapOf(ref("parameter")),
      examples: mapOf(ref("example")),
      headers: mapOf(ref("header")),
      securitySchemes: mapOf(ref("securityScheme")),
    }),
  }),
  $defs: {
    path: object([], {
      summary: text,
      description: text,
      parameters: { type: "array", items: ref("parameter") },
      ...Object.fromEntries(METHODS.map((method) => [method, ref("operation")])),
    }),
    operation: object(["responses"], {
      tags: { type: "array", items: text },
      summary: text,
      description: text,
      operationId: text,
      deprecated: { type: "boolean" },
      parameters: { type: "array", items: ref("parameter") },
      requestBody: object(["content"], {
        description: text,
        required: { type: "boolean" },
        content: ref("content"),
      }),
      responses: {
        type: "object",
        minProperties: 1,
        patternProperties: { [STATUS]: ref("response"), "^x-": true },
        additionalProperties: false,
      },
      security: { type: "array", items: ref("security") },
    }),
    parameter: {
      ...object(["name", "in", "schema"], {
        name: text,
        in: { enum: ["path", "query", "header", "cookie"] },
        description: text,
        required: { type: "boolean" },
        deprecated: { type: "boolean" },
        allowEmptyValue: { type: "boolean" },
        style: text,
        explode: { type: "boolean" },
        schema,
        example: true,
        examples: { type: "object" },
      }),
      if: { properties: { in: { const: "path" } } },
      // biome-ignore lint/suspicious/noThenProperty: the word of JSON Schema
      then: { required: ["required"], properties: { required: { const: true } } },
    },
    response: object(["description"], {
      description: text,
      headers: mapOf(orReference("header")),
      content: ref("content"),
      links: { type: "object" },
    }),
    header: object([], { description: text, required: { type: "boolean" }, schema, example: true }),
    content: {
      type: "object",
      minProperties: 1,
      propertyNames: { pattern: "^[a-z]+/[a-z0-9.+-]+$" },
      additionalProperties: object([], {
        schema,
        example: true,
        examples: mapOf(orReference("example")),
      }),
    },
    example: object(["value"], { summary: text, description: text, value: true }),
    reference: object(["$ref"], { $ref: text }),
    security: mapOf({ type: "array", items: text }),
    securityScheme: {
      oneOf: [
        object(["type", "in", "name"], {
          type: { const: "apiKey" },
          in: { enum: ["query", "header", "cookie"] },
          name: text,
          description: text,
        }),
        object(["type", "scheme"], {
          type: { const: "http" },
          scheme: text,
          bearerFormat: text,
          description: text,
        }),
      ],
    },
  },
} as const;
