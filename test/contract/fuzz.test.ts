// Good and hostile values in every place the OpenAPI document names: never a 500, always what the document
// says. RUNS=2000 asks more of each operation, SEED=… draws other requests (see seedOf), ONLY=… leaves out
// operations that do not contain it.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import {
  type ApiDocument,
  apiDocument,
  asksForRecords,
  faultsOfAnswer,
  type Operation,
} from "../support/api-document.ts";
import { seedOf } from "../support/seed.ts";
import { openSampleService, type SampleService } from "../support/service.ts";
import {
  type Bounds,
  curlLine,
  shownRequest,
  strayRequest,
  type WildRequest,
  wildRequest,
} from "../support/wild-requests.ts";

setDefaultTimeout(1_200_000);

const RUNS = Number(process.env.RUNS ?? 24);
const SEED = seedOf();
const ONLY = process.env.ONLY ?? "";
/** Tries at a smaller request that fails, once one has failed. */
const SMALLER_MAX = 200;
/** Waits ten seconds before each request to its provider, so that its clock runs faster. */
const SLOW = "POST /api/v1/attention/admin/collect/newsarchive/{ticker}";
const SLOW_SPEED = 10;
/** Requests after which an operation must have been reached with one it takes. */
const TRIED_MIN = 20;
const ENV = {
  SEC_USER_AGENT: "Asof tests tests@asof.example",
  MARKETFEED_API_KEY: "SAMPLEKEY",
  MARKETFEED_SECRET_KEY: "SampleSecret",
  ECONDATA_API_KEY: "abcdefghijklmnopqrstuvwxyz012345",
  // As the demo: the requests the document shows are of what is served.
  DATA_MODE: "sample",
};

const WEEK = { start_date: ["2026-09-01", "2026-09-03"], end_date: ["2026-09-04", "2026-09-09"] };
/**
 * Bounds for routes that would otherwise collect years, of every symbol, in the background of all tests after
 * it.
 */
const BOUNDS: Readonly<Record<string, Bounds>> = {
  "POST /api/v1/marketfeed/admin/backfill-pit": { ...WEEK, symbols: [["ZORP"], ["BRK/B", "NOSUCH"]] },
  "POST /api/v1/shortvolume/admin/ingest": WEEK,
  "POST /api/v1/universe/admin/build-snapshots": {
    start_month: ["2026-07"],
    end_month: ["2026-08"],
    tickers: [["ZORP"], ["QUIB-B", "NOSUCH"]],
  },
  "POST /api/v1/universe/admin/discover": { limit: [1, 3] },
  "POST /api/v1/filings/events/parse/bulk": { limit_per_ticker: [1, 2] },
  "POST /api/v1/news/admin/ingest": { providers: [["yahoo"], ["globenewswire"]], tickers: [["ZORP"]] },
  "POST /api/v1/news/admin/backfill": { ...WEEK, providers: [["yahoo"]], tickers: [["ZORP"]] },
  "POST /api/v1/attention/admin/collect/encyc/{ticker}": WEEK,
  "POST /api/v1/attention/admin/collect/newsarchive/{ticker}": WEEK,
};

/**
 * Operations that collect, or read much: each is asked a quarter of the times. Of all others 24 requests take
 * less than 1.6 s of a core; of /marketfeed/intraday, which may span a century, they took 13 s.
 */
const COSTLY = [
  ...Object.keys(BOUNDS),
  "GET /api/v1/attention/entity/{ticker}",
  "GET /api/v1/attention/event/{ticker}",
  "GET /api/v1/changes/summary",
  "GET /api/v1/database/coverage/{ticker}",
  "GET /api/v1/financial/data/{ticker}",
  "GET /api/v1/insider/form4/aggregate/{ticker}",
  "GET /api/v1/insider/form4/by-date/{date}",
  "GET /api/v1/insider/form4/{ticker}",
  "GET /api/v1/marketfeed/intraday",
  "GET /api/v1/metrics",
  "GET /api/v1/ownership/13dg/{ticker}",
  "GET /api/v1/sql/admin/query",
  "GET /api/v1/universe/registry",
  "POST /api/v1/attention/admin/resolve/{ticker}",
  "POST /api/v1/dividends/calendar/bulk",
  "POST /api/v1/earnings/calendar/bulk",
  "POST /api/v1/financial/data",
  "POST /api/v1/financial/data/bulk",
  "POST /api/v1/sql/admin/query",
];
const runsOf = (key: string) => (COSTLY.includes(key) ? Math.ceil(RUNS / 4) : RUNS);

let service: SampleService;
let document: ApiDocument;

/** Operations as the document lists them: known before the tests run, since each is a test. */
const listed = await (async () => {
  const opened = await openSampleService({ env: ENV });
  service = opened;
  document = await apiDocument(opened);
  return document.operations.filter((o) => `${o.method} ${o.path}`.includes(ONLY));
})();

/** Operations whose shown request is taken; of those with bounds none is sent. */
const shown = new Map<string, number>();
/**
 * Of the operations tried often enough, at least so many are reached by chance: a request of many fields
 * seldom is.
 */
const REACHED_SHARE_MIN = 0.9;

/**
 * Statuses met by chance, by operation: what was tried must have reached further than the checks of the
 * input.
 */
const met = new Map<Operation, Map<number, number>>();
const tally = (operation: Operation, status: number) => {
  const counts = met.get(operation) ?? new Map<number, number>();
  counts.set(status, (counts.get(status) ?? 0) + 1);
  met.set(operation, counts);
};

beforeAll(async () => {
  console.log(`fuzz: SEED=${SEED} RUNS=${RUNS}, ${listed.length} operations`);
  // Collects what only jobs collect: without it these routes have nothing to tell.
  for (const [path, body] of [
    ["shortvolume/admin/ingest", { days: 5 }],
    ["universe/admin/discover", { limit: 10 }],
    ["universe/admin/build-snapshots", { start_month: "2026-08", end_month: "2026-08", tickers: ["ZORP"] }],
  ] as const)
    expect([path, (await service.post(`/api/v1/${path}`, body)).status]).toEqual([path, expect.any(Number)]);
});
afterAll(() => service.stop());

const send = ({ method, url, headers, body }: WildRequest) =>
  service.fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });

const codeOf = (text: string): unknown => {
  try {
    return JSON.parse(text).code;
  } catch {
    return undefined;
  }
};

/** An answer of the edge that belongs to no operation: the request met no route, or another method's. */
async function strayFaults(response: Response): Promise<string[] | null> {
  if (response.status !== 404 && response.status !== 405) return null;
  const code = codeOf(await response.clone().text());
  if (code !== "route_not_found" && code !== "method_not_allowed") return null;
  return response.headers.get("x-request-id") ? [] : ["X-Request-ID is missing"];
}

/** Whatever escaped into another operation's path (`..`, `/`) is that operation's to answer for. */
const answers = ({ method, url }: WildRequest, operation: Operation): Operation => {
  const path = new URL(url, "http://localhost").pathname.replace(/\/+$/, "");
  const fits = (o: Operation) =>
    o.method === method && new RegExp(`^${o.path.replace(/\{\w+\}/g, "[^/]+")}$`).test(path);
  const exact = document.operations.find((o) => o.method === method && o.path === path);
  return exact ?? (fits(operation) ? operation : (document.operations.find(fits) ?? operation));
};

/** Returns the faults of an answer to a request; empty when it is as documented. */
async function faultsOf(request: WildRequest, operation: Operation, isShown = false): Promise<string[]> {
  const response = await send(request);
  if (isShown) shown.set(`${operation.method} ${operation.path}`, response.status);
  else tally(operation, response.status);
  if (response.status >= 500) {
    const text = await response.clone().text();
    // A machine too busy for the sample's answer in time is no fault of the request.
    if (!(response.status === 504 && codeOf(text) === "upstream_timeout"))
      return [`status ${response.status}: ${text.slice(0, 300)}`];
  }
  const isRecords = asksForRecords(request.url);
  return (
    (await strayFaults(response)) ??
    (await faultsOfAnswer(document, answers(request, operation), response, { isRecords }))
  );
}

/** Runs a property and, when it fails, says the smallest request as a line for a shell. */
async function hold(
  requests: fc.Arbitrary<WildRequest>,
  faults: (request: WildRequest) => Promise<string[]>,
  { first = [], runs = RUNS }: { first?: readonly WildRequest[]; runs?: number } = {},
) {
  let left = Number.POSITIVE_INFINITY;
  const result = await fc.check(
    fc.asyncProperty(requests, async (request) => {
      if (left === 0) return;
      left -= 1;
      const found = await faults(request);
      if (found.length === 0) return;
      left = Math.min(left, SMALLER_MAX);
      throw new Error(found.join("\n"));
    }),
    { numRuns: runs, seed: SEED, examples: first.map((request): [WildRequest] => [request]) },
  );
  if (!result.failed || !result.counterexample) return;
  const [smallest] = result.counterexample;
  const error = result.errorInstance instanceof Error ? result.errorInstance.message : "";
  throw new Error(`SEED=${SEED}\n${curlLine(smallest)}\n${error}`);
}

describe("whatever is sent", () => {
  for (const operation of listed) {
    const key = `${operation.method} ${operation.path}`;
    test(`${key} answers as documented`, async () => {
      const bounds = BOUNDS[key];
      // Sends the document's own example first, except to routes that collect years: those get bounded
      // requests only.
      const first = bounds ? [] : [shownRequest(operation)];
      if (key === SLOW) service.clock.setSpeed(SLOW_SPEED);
      await hold(
        wildRequest(operation, bounds),
        (request) => faultsOf(request, operation, first.includes(request)),
        { first, runs: runsOf(key) },
      ).finally(() => service.clock.setSpeed());
    });
  }

  test("a stray request gets an answer with an id, and none of 5xx", async () => {
    await hold(strayRequest, async (request) => {
      const response = await send(request);
      await response.arrayBuffer();
      const id = response.headers.get("x-request-id");
      return [
        ...(id ? [] : ["X-Request-ID is missing"]),
        ...(response.status >= 500 ? [`status ${response.status}`] : []),
      ];
    });
  });

  test("the bounds and the costly ones are of operations that exist", () => {
    const keys = document.operations.map((o) => `${o.method} ${o.path}`);
    expect([...COSTLY, SLOW].filter((key) => !keys.includes(key))).toEqual([]);
  });

  test("each operation was also reached with a request it takes", () => {
    const table = [...met].map(
      ([o, counts]) => [`${o.method} ${o.path}`, Object.fromEntries(counts)] as const,
    );
    if (process.env.TALLY) for (const row of table) console.log(JSON.stringify(row));
    expect([...shown].filter(([, status]) => status >= 400 && status !== 404)).toEqual([]);
    const tried = table.filter(
      ([, counts]) => Object.values(counts).reduce((sum, n) => sum + n, 0) >= TRIED_MIN,
    );
    const reached = tried.filter(([, counts]) => Object.keys(counts).some((s) => s < "400" || s === "404"));
    // None is reached in neither way.
    const missed = tried.filter((row) => !reached.includes(row)).map(([key]) => key);
    expect(missed.filter((key) => !shown.has(key))).toEqual([]);
    expect(reached.length).toBeGreaterThanOrEqual(REACHED_SHARE_MIN * tried.length);
  });

  test("nothing of it was unforeseen, and the service is as healthy as before", async () => {
    // A job may refuse what it is asked; its row and its answer say why.
    const errors = service.log.lines.filter(
      (l) => l.level === "error" && l.message !== "job did not succeed",
    );
    expect(errors).toEqual([]);
    const { status, body } = await service.get<{ status: string }>("/api/v1/health");
    expect([status, body.status]).toEqual([200, "healthy"]);
    expect(({} as Record<string, unknown>).ticker).toBeUndefined();
  });
});
