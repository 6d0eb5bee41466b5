// A relative window counts back from `as_of`, on every route that takes both: the same question has the same
// answer later.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { ApiDocument, Operation } from "../support/api-document.ts";
import type { SampleService } from "../support/service.ts";
import { openWalked, walkedMarket } from "../support/walked-market.ts";

setDefaultTimeout(1_200_000);

/** A day after the walk has stored what it asked for. */
const AS_OF = "2026-09-10T21:00:00Z";
const WEEK_LATER = "2026-09-17T21:00:00Z";
const YEAR_LATER = "2027-09-20T21:00:00Z";

/** A window that holds rows of the walk, and by a year later would hold none if it counted from then. */
const WINDOWS: Readonly<Record<string, unknown>> = { days: 90, window_days: 200, period: "3m" };
/** Fiscal years are longer than three months. */
const LONG = "2y";

let service: SampleService;
let document: ApiDocument;
beforeAll(async () => {
  const walked = await walkedMarket();
  ({ document } = walked);
  service = await openWalked(walked);
});
afterAll(() => service.stop());

/** Every route that takes both. A route that is added is asked like these. */
const ROUTES = [
  "GET filings/events/{ticker}",
  "GET financial/data/{ticker}",
  "GET insider/form4/aggregate/{ticker}",
  "GET insider/form4/{ticker}",
  "GET insider/transactions/{symbol}",
  "GET news/{ticker}",
  "GET price/data/{ticker}",
  "GET shortvolume/bulk",
  "GET shortvolume/pit-panel",
  "GET shortvolume/summary/{symbol}",
  "GET shortvolume/{symbol}",
  "POST financial/data",
  "POST financial/data/bulk",
  "POST price/data",
  "POST price/data/bulk",
];

type Schema = Readonly<Record<string, unknown>>;

/** The names of a request's fields, in its query or in its body. */
function fieldsOf({ parameters, requestBody }: Operation): string[] {
  const body = requestBody?.content["application/json"]?.schema as Schema | undefined;
  const name = typeof body?.$ref === "string" ? body.$ref.split("/").at(-1) : undefined;
  const schema = name === undefined ? body : document.json.components.schemas[name];
  return [...parameters.map((parameter) => parameter.name), ...Object.keys(Object(schema?.properties))];
}
const windowOf = (operation: Operation) => fieldsOf(operation).find((name) => name in WINDOWS);
const takesBoth = (operation: Operation) =>
  fieldsOf(operation).includes("as_of") && windowOf(operation) !== undefined;

function ask(operation: Operation, as_of: string) {
  const fields = fieldsOf(operation);
  const window = windowOf(operation) ?? "";
  const span = operation.path.includes("/financial/") ? LONG : WINDOWS[window];
  const path = operation.path.replace(/\{\w+\}/g, "ZORP");
  if (operation.method === "POST") {
    const ticker = fields.includes("tickers") ? { tickers: ["ZORP"] } : { ticker: "ZORP" };
    return service.post(path, { ...ticker, [window]: span, as_of });
  }
  const tickers: Record<string, string> = fields.includes("tickers") ? { tickers: "ZORP" } : {};
  const query = new URLSearchParams({ ...tickers, [window]: String(span), as_of });
  return service.get(`${path}?${query}`);
}

/** Fields that say how an answer came about, not what was so at the moment. */
const VOLATILE = new Set([
  "cached",
  "last_updated",
  "read_at",
  "fetched_at",
  "parsed_now",
  "metadata",
  "processing_time_ms",
]);
/** A count of nothing: the test would not see a window that is empty both times. */
const EMPTY = /"(count|transaction_count|successful|days)":0\b/;
const shown = (body: unknown) =>
  JSON.stringify(body, (key, value) => (VOLATILE.has(key) ? undefined : value));

test("the same window of the same moment, asked a week and a year later", async () => {
  const operations = document.operations.filter(takesBoth);
  expect(operations.map(({ method, path }) => `${method} ${path.slice(8)}`).sort()).toEqual(ROUTES);
  const answers = new Map<Operation, string>();
  for (const at of [WEEK_LATER, YEAR_LATER]) {
    service.clock.set(at);
    for (const operation of operations) {
      const { status, body } = await ask(operation, AS_OF);
      expect([operation.path, status, JSON.stringify(body).slice(0, status === 200 ? 0 : 400)]).toEqual([
        operation.path,
        200,
        "",
      ]);
      const rows = shown(body);
      expect([operation.path, EMPTY.test(rows)]).toEqual([operation.path, false]);

      if (answers.has(operation))
        expect([operation.path, rows]).toEqual([operation.path, answers.get(operation) ?? ""]);
      answers.set(operation, rows);
    }
  }
});
