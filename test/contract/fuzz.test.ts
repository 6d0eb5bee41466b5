// Good and hostile values in every place the OpenAPI document names: never a 500, always what the document says.
// RUNS=2000 asks more of each operation, SEED=… repeats a run.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type ApiDocument, apiDocument, faultsOfAnswer, type Operation } from "../support/api-document.ts";
import { openSampleService, type SampleService } from "../support/service.ts";
import { curlLine, strayRequest, type WildRequest, wildRequest } from "../support/wild-requests.ts";

const RUNS = Number(process.env.RUNS ?? 150);
const SEED = Number(process.env.SEED ?? crypto.getRandomValues(new Uint32Array(1))[0]);
const ENOUGH_MS = process.env.RUNS ? 600_000 : 3_000;

let service: SampleService;
let document: ApiDocument;
beforeAll(async () => {
  service = await openSampleService();
  document = await apiDocument(service);
  console.log(`fuzz: SEED=${SEED} RUNS=${RUNS}`);
});
afterAll(() => service.stop());

const send = ({ method, url, headers, body }: WildRequest) =>
  service.fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });

/** An answer of the edge that belongs to no operation: the request met no route, or another method's. */
async function strayFaults(response: Response): Promise<string[] | null> {
  if (response.status !== 404 && response.status !== 405) return null;
  const { code } = JSON.parse(await response.clone().text());
  if (code !== "route_not_found" && code !== "method_not_allowed") return null;
  return response.headers.get("x-request-id") ? [] : ["X-Request-ID is missing"];
}

/** What is wrong with an answer to a request; empty when it is as documented. */
async function faultsOf(request: WildRequest, operation: Operation): Promise<string[]> {
  const response = await send(request);
  if (response.status >= 500) return [`status ${response.status}: ${(await response.text()).slice(0, 300)}`];
  return (await strayFaults(response)) ?? (await faultsOfAnswer(document, operation, response));
}

/** Runs a property and, when it fails, says the smallest request as a line for a shell. */
async function hold(
  requests: fc.Arbitrary<WildRequest>,
  faults: (request: WildRequest) => Promise<string[]>,
) {
  const result = await fc.check(
    fc.asyncProperty(requests, async (request) => {
      const found = await faults(request);
      if (found.length > 0) throw new Error(found.join("\n"));
    }),
    { numRuns: RUNS, seed: SEED, interruptAfterTimeLimit: ENOUGH_MS, markInterruptAsFailure: false },
  );
  if (!result.failed || !result.counterexample) return;
  const [smallest] = result.counterexample;
  const error = result.errorInstance instanceof Error ? result.errorInstance.message : "";
  throw new Error(`SEED=${SEED}\n${curlLine(smallest)}\n${error}`);
}

const OPERATIONS = [
  "GET /api/v1/health",
  "GET /api/v1/scheduler/jobs",
  "POST /api/v1/price/data",
  "GET /api/v1/price/data",
  "GET /api/v1/price/data/{ticker}",
  "POST /api/v1/price/data/bulk",
  "GET /api/v1/price/latest/{ticker}",
  "GET /api/v1/price/quote/{ticker}",
  "GET /api/v1/price/intraday",
  "GET /api/v1/price/intraday/{ticker}",
  "GET /api/v1/price/today/{ticker}",
] as const;

describe("whatever is sent", () => {
  test("each price operation with parameters is among those tried", () => {
    const prices = document.operations.filter((o) => o.tags?.includes("price"));
    const withInput = prices.filter((o) => o.parameters.length > 0 || o.requestBody);
    const tried: readonly string[] = OPERATIONS;
    expect(withInput.map((o) => `${o.method} ${o.path}`).filter((key) => !tried.includes(key))).toEqual([]);
  });

  for (const key of OPERATIONS)
    test(
      `${key} answers as documented`,
      async () => {
        const [method = "", path = ""] = key.split(" ");
        const operation = document.operation(method, path);
        await hold(wildRequest(operation), (request) => faultsOf(request, operation));
      },
      ENOUGH_MS + 60_000,
    );

  test(
    "a stray request gets an answer with an id, and none of 5xx",
    async () => {
      await hold(strayRequest, async (request) => {
        const response = await send(request);
        await response.arrayBuffer();
        const id = response.headers.get("x-request-id");
        return [
          ...(id ? [] : ["X-Request-ID is missing"]),
          ...(response.status >= 500 ? [`status ${response.status}`] : []),
        ];
      });
    },
    ENOUGH_MS + 60_000,
  );

  test("nothing of it was unforeseen, and the service is as healthy as before", async () => {
    expect(service.log.lines.filter((l) => l.level === "error")).toEqual([]);
    const { status, body } = await service.get<{ status: string }>("/api/v1/health");
    expect([status, body.status]).toEqual([200, "healthy"]);
    expect(({} as Record<string, unknown>).ticker).toBeUndefined();
  });
});
