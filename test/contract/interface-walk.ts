// Every route of the interface with a request that the sample market answers, in an order in which what one
// stores the next finds.
import { SUGGESTED } from "../../sample/market.ts";
import { EVENING, openSampleService, type SampleService } from "../support/service.ts";

/** The newest good answers so far, by route. */
export type Seen = ReadonlyMap<string, Record<string, unknown>>;
type Given<T> = T | ((seen: Seen) => T);

/** One request of the walk. */
export interface Step {
  readonly method: "GET" | "POST";
  /** As the OpenAPI document has it, below /api/v1. */
  readonly route: string;
  /** The path below /api/v1; the route itself where it has no parameters. */
  readonly path?: Given<string>;
  readonly body?: Given<unknown>;
  /** Default 200. */
  readonly status?: number;
  /** Runs before it. */
  readonly before?: (service: SampleService) => unknown;
}

/** The tickers the walk asks for. */
export const [A = "", B = ""] = SUGGESTED;
const get = (route: string, path?: Given<string>, status?: number): Step => ({
  method: "GET",
  route,
  ...(path === undefined ? {} : { path }),
  ...(status === undefined ? {} : { status }),
});
const post = (route: string, body: Given<unknown>, path?: Given<string>, status?: number): Step => ({
  ...get(route, path, status),
  method: "POST",
  body,
});

/** While the session runs: what is taken then is all there ever is of it. */
const SESSION: readonly Step[] = [
  get("/stocks/gainers/snapshots", undefined, 404),
  {
    ...get("/stocks/gainers/snapshots"),
    before: ({ app, clock }) => {
      clock.set("2026-09-09T19:35:00.1Z");
      return app().jobs.due("gainer-snapshots");
    },
  },
  get("/stocks/gainers/snapshots/list", "/stocks/gainers/snapshots/list?date=2026-09-09"),
];

const PRICES: readonly Step[] = [
  { ...post("/price/data", { ticker: A, period: "1m" }), before: ({ clock }) => clock.set(EVENING) },
  get("/price/data", `/price/data?tickers=${A},${B}&start_date=2026-08-03&end_date=2026-09-04`),
  get("/price/data/{ticker}", `/price/data/${A}?period=3m`),
  post("/price/data/bulk", { tickers: [A, B], period: "7d" }),
  get("/price/latest/{ticker}", `/price/latest/${A}`),
  get("/price/quote/{ticker}", `/price/quote/${A}`),
  get("/price/intraday", `/price/intraday?tickers=${A},${B}&interval=5m`),
  get("/price/intraday/{ticker}", `/price/intraday/${A}`),
  get("/price/today/{ticker}", `/price/today/${A}`),
];

/** The first of a list in the newest answer of a route. */
function first<T>(seen: Seen, route: string, field: string): T {
  const list = seen.get(route)?.[field];
  if (!Array.isArray(list) || list.length === 0) throw new Error(`${route} has answered no ${field}`);
  return list[0];
}
const accession = (seen: Seen) =>
  first<{ accession_number: string }>(seen, "/filings/search", "data").accession_number;

const REGULATOR: readonly Step[] = [
  get("/company/{ticker}", `/company/${A}`),
  post("/company/bulk", { tickers: [A, B] }),
  post("/financial/data", { ticker: A, period: "2y" }),
  get("/financial/data/{ticker}", `/financial/data/${A}`),
  post("/financial/data/bulk", { tickers: [A, B], period: "1y" }),
  get("/filings/search", `/filings/search?ticker=${A}&form_type=8-K`),
  get("/filings/events/{ticker}", `/filings/events/${A}?days=800`),
  post("/filings/events/parse/bulk", { tickers: [A], force_reparse: false }),
  get("/filings/documents", (seen) => `/filings/documents?accession_number=${accession(seen)}`),
  get("/filings/exhibit", (seen) => {
    const { filename } = first<{ filename: string }>(seen, "/filings/documents", "documents");
    return `/filings/exhibit?accession_number=${accession(seen)}&filename=${filename}`;
  }),
  post("/filings/exhibit/bulk", (seen: Seen) => ({
    items: [{ accession_number: accession(seen), exhibit: "EX-99.1" }],
  })),
  post(
    "/filings/events/parse/{accession_number}",
    undefined,
    (seen) => `/filings/events/parse/${accession(seen)}`,
  ),
  get("/filings/search", `/filings/search?ticker=${A}`),
  get("/insider/form4/{ticker}", `/insider/form4/${A}?as_of=2026-09-09`),
  get("/insider/form4/aggregate/{ticker}", `/insider/form4/aggregate/${A}`),
  get("/insider/form4/by-date/{date}", "/insider/form4/by-date/2026-09-08"),
  get("/insider/transactions/{symbol}", `/insider/transactions/${A}`),
  get("/insider/summary/{symbol}", `/insider/summary/${A}`),
  get("/ownership/13dg/{ticker}", `/ownership/13dg/${A}?as_of=2026-09-09`),
  get("/ownership/13dg/active"),
];

const jobOf = (seen: Seen, route: string) => seen.get(route)?.job_id;

const MARKET: readonly Step[] = [
  get("/stocks/sessions", "/stocks/sessions?start_date=2026-11-25&end_date=2026-11-27"),
  get("/stocks/sessions", "/stocks/sessions?start_date=2026-11-27&end_date=2026-11-25", 400),
  get("/stocks/index/{index_name}", "/stocks/index/sp500"),
  get("/stocks/most-active", "/stocks/most-active?limit=10"),
  get("/stocks/52-week-gainers", "/stocks/52-week-gainers?limit=10"),
  get("/stocks/trending", "/stocks/trending?n=20"),
  get("/stocks/gainers", "/stocks/gainers?count=10"),
  get("/screener/presets"),
  get("/screener/preset/{name}", "/screener/preset/day_gainers"),
  get("/screener/screen", "/screener/screen?market_cap_min=1000000000"),
  post("/screener/screen", { min_dollar_volume: 1_000_000 }),
  post("/shortvolume/admin/ingest", { date: "2026-09-08" }),
  // The files of short interest, which no route takes in.
  {
    ...post(
      "/shortvolume/admin/ingest",
      { start_date: "2026-08-24", end_date: "2026-09-08" },
      undefined,
      202,
    ),
    before: ({ app }) => app().jobs.runNow("short-interest").done,
  },
  get("/shortvolume/admin/ingest/{job_id}", "/shortvolume/admin/ingest/latest"),
  get("/shortvolume/status"),
  get("/shortvolume/{symbol}", `/shortvolume/${A}`),
  get("/shortvolume/by-date/{date}", "/shortvolume/by-date/2026-09-08"),
  get("/shortvolume/top"),
  get("/shortvolume/summary/{symbol}", `/shortvolume/summary/${A}`),
  get("/shortvolume/bulk", `/shortvolume/bulk?tickers=${A},${B}`),
  get("/shortvolume/pit-panel", "/shortvolume/pit-panel?start_date=2026-09-03&end_date=2026-09-08&limit=50"),
  get("/shortvolume/short-interest/{symbol}", `/shortvolume/short-interest/${A}`),
  get("/marketfeed/status"),
  get(
    "/marketfeed/intraday",
    `/marketfeed/intraday?tickers=${A},${B}&start_date=2026-09-03&end_date=2026-09-08`,
  ),
  get("/marketfeed/intraday/today", `/marketfeed/intraday/today?tickers=${A}`),
  get("/marketfeed/snapshot", `/marketfeed/snapshot?tickers=${A},${B}`),
  post("/marketfeed/admin/backfill-pit", { start_date: "2026-08-24" }, undefined, 202),
  get("/marketfeed/admin/backfill-pit/latest"),
  get(
    "/marketfeed/admin/backfill-pit/{job_id}",
    (seen) => `/marketfeed/admin/backfill-pit/${jobOf(seen, "/marketfeed/admin/backfill-pit")}`,
  ),
  post("/universe/admin/discover", { limit: 5_000 }),
  get("/universe/registry"),
  post("/universe/admin/build-snapshots", { start_month: "2026-07", tickers: [A, B] }, undefined, 202),
  get(
    "/universe/admin/build-snapshots/{job_id}",
    (seen) => `/universe/admin/build-snapshots/${jobOf(seen, "/universe/admin/build-snapshots")}`,
  ),
  get("/universe/screen", "/universe/screen?date=2026-09-08"),
];

const CONTEXT: readonly Step[] = [
  get(
    "/econdata/proxy/{endpoint}",
    "/econdata/proxy/series/observations?series_id=FICGDP&observation_start=2025-07-01",
  ),
  get("/econdata/proxy/{endpoint}", "/econdata/proxy/series/search?search_text=rate"),
  get("/econdata/stats/usage"),
  get("/earnings/surprise/{symbol}", `/earnings/surprise/${A}`),
  get("/earnings/calendar/{ticker}", `/earnings/calendar/${A}`),
  get("/earnings/calendar", "/earnings/calendar?date=2026-07-20"),
  post("/earnings/calendar/bulk", { tickers: [A, B] }),
  get("/dividends/calendar", "/dividends/calendar?date=2026-09-22"),
  get("/dividends/calendar/{ticker}", `/dividends/calendar/${A}`),
  post("/dividends/calendar/bulk", { tickers: [A, B] }),
  post("/attention/admin/resolve/{ticker}", { force: false }, `/attention/admin/resolve/${A}`),
  post("/attention/admin/collect/encyc/{ticker}", { days: 60 }, `/attention/admin/collect/encyc/${A}`),
  post(
    "/attention/admin/collect/newsarchive/{ticker}",
    { event_date: "2026-09-01" },
    `/attention/admin/collect/newsarchive/${A}`,
  ),
  post(
    "/attention/admin/entity/{ticker}/override",
    { encyc_title: "Zorp Dynamics" },
    `/attention/admin/entity/${A}/override`,
  ),
  get("/attention/entity/{ticker}", `/attention/entity/${A}`),
  get("/attention/event/{ticker}", `/attention/event/${A}?event_date=2026-09-01`),
  post("/news/admin/ingest", { providers: ["alpaca", "globenewswire"] }),
  post("/news/admin/ingest", { start_date: "2026-09-01", end_date: "2026-09-08" }, undefined, 202),
  post("/news/admin/backfill", { start_date: "2026-09-07", end_date: "2026-09-08" }),
  post("/news/admin/backfill", { start_date: "2026-08-25", end_date: "2026-09-08" }, undefined, 202),
  get("/news"),
  get("/news/{ticker}", `/news/${A}`),
  get("/news/providers"),
  get("/etf/list"),
  get("/etf/{ticker}/holdings", "/etf/ZTEKF/holdings"),
  get("/etf/{ticker}", "/etf/ZTEKF"),
  get("/etf/{ticker}/sectors", "/etf/ZTEKF/sectors"),
  get("/etf/exposure/{symbol}", "/etf/exposure/RUMBQ"),
  post("/overlay/admin/seed-topics", {
    topics: [{ name: "Imaginary machines", keywords: ["machine software"], tickers: [A] }],
  }),
  get("/overlay/topics"),
  {
    ...get("/overlay/score/{ticker}", `/overlay/score/${A}`),
    before: ({ app }) => app().jobs.runNow("overlay-scores").done,
  },
  get("/overlay/top-movers"),
  get("/overlay/admin/health"),
];

/** An error for the log: the provider fails while one quote is asked for. */
async function failedQuote({ sample, fetch }: SampleService): Promise<void> {
  sample.dials.set([{ fault: "status", status: 500, match: "/v7/finance/quote" }]);
  await fetch("/api/v1/price/quote/MURQ");
  sample.dials.clear();
}

const QUERY = `select symbol, date, close from bars(NULL) where symbol = '${A}' order by date`;

const SERVICE: readonly Step[] = [
  get("/health"),
  get("/health/live"),
  get("/health/ready"),
  get("/metrics"),
  get("/scheduler/jobs"),
  get("/scheduler/runs", "/scheduler/runs?limit=5"),
  post("/scheduler/admin/jobs/{name}/run", {}, "/scheduler/admin/jobs/universe-discover/run", 202),
  get(
    "/scheduler/runs/{id}",
    (seen) => `/scheduler/runs/${String(seen.get("/scheduler/admin/jobs/{name}/run")?.run_id)}`,
  ),
  get("/logs/requests"),
  get("/logs/requests/stats"),
  { ...get("/logs/errors"), before: failedQuote },
  get(
    "/logs/errors/{id}",
    (seen) => `/logs/errors/${first<{ id: number }>(seen, "/logs/errors", "data").id}`,
  ),
  get("/database/info"),
  get("/database/tables/{table}/schema", "/database/tables/bars_daily/schema"),
  get("/database/catalogue"),
  get("/database/coverage"),
  get("/database/coverage/{ticker}", `/database/coverage/${A}`),
  get("/database/cache"),
  get("/sql/admin/query", `/sql/admin/query?query=${encodeURIComponent(QUERY)}&limit=2`),
  post("/sql/admin/query", { query: QUERY, limit: 2 }),
  get("/changes", "/changes?dataset=bars_daily&limit=5"),
  get("/changes/summary", "/changes/summary?from_version=0&top=3"),
  post("/versions/admin/names", { name: "q3-paper", note: "Figures of table 2." }),
  get("/versions", "/versions?named=true"),
];

/** The walk: every route, most with one request. */
export const WALK: readonly Step[] = [...SESSION, ...PRICES, ...REGULATOR, ...MARKET, ...CONTEXT, ...SERVICE];

/** The configuration that the whole walk needs. */
export const WALK_ENV = {
  JOBS: "on",
  SEC_USER_AGENT: "Asof tests tests@asof.example",
  MARKETFEED_API_KEY: "SAMPLEKEY",
  MARKETFEED_SECRET_KEY: "sample-secret",
  ECONDATA_API_KEY: "0123456789abcdef0123456789abcdef",
};

/** A service to walk on, in the last hour of a session. */
export const openWalk = (dataDir?: string) =>
  openSampleService({ at: "2026-09-09T19:30:00Z", env: WALK_ENV, ...(dataDir ? { dataDir } : {}) });

/** Waits for what an answer of 202 left running. */
async function settled(service: SampleService): Promise<void> {
  for (;;) {
    const { body } = await service.get<{ total: number }>("/api/v1/scheduler/runs?outcome=running");
    if (body.total === 0) return;
    await Bun.sleep(20);
  }
}

const given = <T>(value: Given<T>, seen: Seen): T =>
  typeof value === "function" ? (value as (seen: Seen) => T)(seen) : value;

/**
 * Takes one step and gives the request and its answer. Keeps a good answer, if an object, for later steps.
 */
export async function take(service: SampleService, step: Step, seen: Map<string, Record<string, unknown>>) {
  const { method, route, status = 200 } = step;
  await step.before?.(service);
  const body = given(step.body, seen);
  const path = `/api/v1${given(step.path ?? route, seen)}`;
  const response = await service.fetch(path, {
    method,
    headers: { "x-request-id": "0198f3a2-6f1e-4d0a-9c57-2b1d6a7e4c10", "content-type": "application/json" },
    ...(method === "GET" ? {} : { body: JSON.stringify(body ?? {}) }),
  });
  const text = await response.clone().text();
  if (response.status < 300 && text.startsWith("{")) seen.set(route, JSON.parse(text));
  if (status === 202) await settled(service);
  return { body, path, response, text };
}
