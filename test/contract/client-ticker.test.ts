// An unknown ticker is named as the client wrote it, on every route that takes one: in the text and in
// `ticker`.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type ApiDocument, apiDocument, type Json, type Operation } from "../support/api-document.ts";
import type { SampleService } from "../support/service.ts";
import { openWalk } from "./interface-walk.ts";

setDefaultTimeout(1_200_000);

/** Not the canonical spelling, which is in capitals. */
const TICKER = "nosuchq";
const CANONICAL = "NOSUCHQ";

/** Parameters and body fields that name tickers, and whether they take several. */
const TICKER_FIELDS: Readonly<Record<string, boolean>> = {
  ticker: false,
  symbol: false,
  tickers: true,
  symbols: true,
};

/** Values of the other fields a request needs. */
const OTHER_FIELDS: Readonly<Record<string, string>> = {
  accession_number: "0000950170-26-000001",
  as_of: "2026-09-09",
  encyc_title: "Nosuch Company",
  end_date: "2026-09-04",
  event_date: "2026-09-04",
  start_date: "2026-09-01",
};

/** Routes whose tickers only narrow what is read of the whole market: none of them is unknown. */
const FILTERS = new Set([
  "GET /api/v1/logs/errors",
  "GET /api/v1/shortvolume/pit-panel",
  "POST /api/v1/marketfeed/admin/backfill-pit",
]);

/** Runs whose results are one per provider: their errors are in that provider's spelling. */
const RUNS = new Set(["POST /api/v1/news/admin/backfill", "POST /api/v1/news/admin/ingest"]);

let service: SampleService;
let document: ApiDocument;
beforeAll(async () => {
  service = await openWalk();
  document = await apiDocument(service);
});
afterAll(() => service.stop());

const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

interface BodySchema {
  readonly properties?: Json;
  readonly required?: readonly string[];
}
const bodySchema = ({ requestBody }: Operation): BodySchema =>
  requestBody?.content["application/json"]?.schema ?? {};

const takesTicker = (operation: Operation) =>
  [
    ...operation.parameters.map(({ name }) => name),
    ...Object.keys(bodySchema(operation).properties ?? {}),
  ].some((name) => name in TICKER_FIELDS);

function queryOf(parameters: Operation["parameters"]): URLSearchParams {
  const query = new URLSearchParams();
  for (const { name, in: place, required } of parameters) {
    if (place !== "query") continue;
    if (name in TICKER_FIELDS) query.set(name, TICKER);
    else if (required && OTHER_FIELDS[name]) query.set(name, OTHER_FIELDS[name]);
  }
  return query;
}

function bodyOf(operation: Operation): Json {
  const { properties = {}, required = [] } = bodySchema(operation);
  const body: Record<string, unknown> = {};
  for (const name of Object.keys(properties)) {
    if (name in TICKER_FIELDS) body[name] = TICKER_FIELDS[name] ? [TICKER] : TICKER;
    else if (name === "period") body.period = "1m";
    else if (required.includes(name) && OTHER_FIELDS[name]) body[name] = OTHER_FIELDS[name];
  }
  return body;
}

async function ask(operation: Operation) {
  const { method, parameters } = operation;
  const path = operation.path.replace(/\{(?:ticker|symbol)\}/, TICKER);
  const query = queryOf(parameters);
  const response = await service.fetch(query.size > 0 ? `${path}?${query}` : path, {
    method,
    ...(method === "GET"
      ? {}
      : { headers: { "content-type": "application/json" }, body: JSON.stringify(bodyOf(operation)) }),
  });
  return { status: response.status, text: await response.text() };
}

test("every route that takes a ticker", async () => {
  const operations = document.operations.filter(
    (operation) => takesTicker(operation) && !FILTERS.has(nameOf(operation)),
  );
  expect(operations.length).toBeGreaterThan(50);
  let failed = 0;
  for (const operation of operations) {
    const { status, text } = await ask(operation);
    const name = nameOf(operation);
    expect([name, status === 200 || status === 404, text.slice(0, 300)]).toEqual([
      name,
      true,
      text.slice(0, 300),
    ]);
    if (RUNS.has(name)) continue;
    expect([name, text.includes(CANONICAL), text.slice(0, 300)]).toEqual([name, false, text.slice(0, 300)]);
    if (status === 200) {
      expect([name, text.includes(TICKER), text.slice(0, 300)]).toEqual([name, true, text.slice(0, 300)]);
      continue;
    }
    failed += 1;
    const { ticker, detail } = JSON.parse(text) as { ticker?: string; detail: string };
    expect([name, ticker, detail.includes(TICKER), detail]).toEqual([name, TICKER, true, detail]);
  }
  expect(failed).toBeGreaterThan(30);
});
