// Every route of the interface, walked once against the sample market: it is there, and answers what it
// documents.
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { faultsOfAnswer } from "../support/api-document.ts";
import { type Walked, type WalkedMarket, walkedMarket } from "../support/walked-market.ts";
import { WALK } from "./interface-walk.ts";

setDefaultTimeout(1_200_000);

let walked: WalkedMarket;
const met = new Set<string>();
beforeAll(async () => {
  walked = await walkedMarket();
});

for (const [at, step] of WALK.entries())
  test(`${step.method} ${typeof step.path === "string" ? step.path : step.route}`, async () => {
    const { document, answers } = walked;
    const { method, route, expected, status, headers, text } = answers[at] as Walked;
    expect([method, route]).toEqual([step.method, step.route]);
    expect([route, status, status === expected ? "" : text.slice(0, 300)]).toEqual([route, expected, ""]);
    const operation = document.operation(method, `/api/v1${route}`);
    const response = new Response(text, { status, headers });
    expect([route, await faultsOfAnswer(document, operation, response)]).toEqual([route, []]);
    met.add(`${method} /api/v1${route} ${status}`);
  });

test("no route is left out, nor one of the ways it succeeds", () => {
  const all = walked.document.operations.flatMap(({ method, path, responses }) =>
    Object.keys(responses)
      .filter((status) => status.startsWith("2"))
      .map((status) => `${method} ${path} ${status}`),
  );
  expect(all.filter((operation) => !met.has(operation))).toEqual([]);
});
