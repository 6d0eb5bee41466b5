// Every route of the interface, walked once against the sample market: it is there, and answers what it
// documents.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type ApiDocument, apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import type { SampleService } from "../support/service.ts";
import { openWalk, take, WALK } from "./interface-walk.ts";

setDefaultTimeout(1_200_000);

let service: SampleService;
let document: ApiDocument;
const met = new Set<string>();
const seen = new Map<string, Record<string, unknown>>();
beforeAll(async () => {
  service = await openWalk();
  document = await apiDocument(service);
});
afterAll(() => service.stop());

for (const step of WALK)
  test(`${step.method} ${typeof step.path === "string" ? step.path : step.route}`, async () => {
    const { method, route, status = 200 } = step;
    const { response, text } = await take(service, step, seen);
    expect([route, response.status, response.status === status ? "" : text.slice(0, 300)]).toEqual([
      route,
      status,
      "",
    ]);
    const operation = document.operation(method, `/api/v1${route}`);
    expect([route, await faultsOfAnswer(document, operation, response)]).toEqual([route, []]);
    met.add(`${method} /api/v1${route} ${status}`);
  });

test("no route is left out, nor one of the ways it succeeds", () => {
  const all = document.operations.flatMap(({ method, path, responses }) =>
    Object.keys(responses)
      .filter((status) => status.startsWith("2"))
      .map((status) => `${method} ${path} ${status}`),
  );
  expect(all.filter((operation) => !met.has(operation))).toEqual([]);
});
