// Every route of the interface with a request that the sample market answers, in an order in which what one stores the next finds.
import { SUGGESTED } from "../../src/sample/market.ts";

/** One request of the walk. */
export interface Step {
  readonly method: "GET" | "POST";
  /** As the OpenAPI document has it, below /api/v1. */
  readonly route: string;
  /** What is asked, below /api/v1; the route itself where it has no parameters. */
  readonly path?: string;
  readonly body?: unknown;
  /** Default 200. */
  readonly status?: number;
}

/** The tickers the walk asks for. */
export const [A = "", B = ""] = SUGGESTED;
const get = (route: string, path?: string, status?: number): Step => ({
  method: "GET",
  route,
  ...(path === undefined ? {} : { path }),
  ...(status === undefined ? {} : { status }),
});
const post = (route: string, body: unknown, path?: string, status?: number): Step => ({
  ...get(route, path, status),
  method: "POST",
  body,
});

const PRICES: readonly Step[] = [
  post("/price/data", { ticker: A, period: "1m" }),
  get("/price/data", `/price/data?tickers=${A},${B}&start_date=2026-08-03&end_date=2026-09-04`),
  get("/price/data/{ticker}", `/price/data/${A}?period=3m`),
  post("/price/data/bulk", { tickers: [A, B], period: "7d" }),
  get("/price/latest/{ticker}", `/price/latest/${A}`),
  get("/price/quote/{ticker}", `/price/quote/${A}`),
  get("/price/intraday", `/price/intraday?tickers=${A},${B}&interval=5m`),
  get("/price/intraday/{ticker}", `/price/intraday/${A}`),
  get("/price/today/{ticker}", `/price/today/${A}`),
];

const REGULATOR: readonly Step[] = [
  get("/company/{ticker}", `/company/${A}`),
  post("/company/bulk", { tickers: [A, B] }),
  post("/financial/data", { ticker: A, period: "2y" }),
  get("/financial/data/{ticker}", `/financial/data/${A}`),
  post("/financial/data/bulk", { tickers: [A, B], period: "1y" }),
  get("/filings/search", `/filings/search?ticker=${A}`),
  get("/filings/events/{ticker}", `/filings/events/${A}?days=800`),
  post("/filings/events/parse/bulk", { tickers: [A], force_reparse: false }),
  get("/insider/form4/{ticker}", `/insider/form4/${A}?as_of=2026-09-09`),
  get("/insider/form4/aggregate/{ticker}", `/insider/form4/aggregate/${A}`),
  get("/insider/form4/by-date/{date}", "/insider/form4/by-date/2026-09-08"),
  get("/insider/transactions/{symbol}", `/insider/transactions/${A}`),
  get("/insider/summary/{symbol}", `/insider/summary/${A}`),
  get("/ownership/13dg/{ticker}", `/ownership/13dg/${A}?as_of=2026-09-09`),
  get("/ownership/13dg/active"),
];

const MARKET: readonly Step[] = [
  get("/stocks/index/{index_name}", "/stocks/index/sp500"),
  get("/stocks/most-active", "/stocks/most-active?limit=10"),
  get("/stocks/52-week-gainers", "/stocks/52-week-gainers?limit=10"),
  get("/stocks/trending", "/stocks/trending?n=20"),
  get("/stocks/gainers", "/stocks/gainers?count=10"),
  get("/stocks/gainers/snapshots", undefined, 404),
  get("/stocks/gainers/snapshots/list", "/stocks/gainers/snapshots/list?date=2026-09-09"),
  get("/screener/presets"),
  get("/screener/preset/{name}", "/screener/preset/day_gainers"),
  get("/screener/screen", "/screener/screen?market_cap_min=1000000000"),
  post("/screener/screen", { min_dollar_volume: 1_000_000 }),
  post("/shortvolume/admin/ingest", { start_date: "2026-08-24", end_date: "2026-09-08" }, undefined, 202),
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
  post("/universe/admin/discover", {}),
  get("/universe/registry"),
  post("/universe/admin/build-snapshots", { start_month: "2026-07", tickers: [A, B] }, undefined, 202),
];

const CONTEXT: readonly Step[] = [
  get("/econdata/proxy/{endpoint}", "/econdata/proxy/series/search?search_text=rate"),
  get("/econdata/stats/usage"),
  get("/earnings/surprise/{symbol}", `/earnings/surprise/${A}`),
  get("/earnings/calendar/{ticker}", `/earnings/calendar/${A}`),
  get("/earnings/calendar", "/earnings/calendar?date=2026-09-08"),
  post("/earnings/calendar/bulk", { tickers: [A, B] }),
  get("/dividends/calendar/{ticker}", `/dividends/calendar/${A}`),
  post("/dividends/calendar/bulk", { tickers: [A, B] }),
  post("/attention/admin/resolve/{ticker}", {}, `/attention/admin/resolve/${A}`),
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
  post("/news/admin/ingest", {}),
  post("/news/admin/backfill", { start_date: "2026-09-07", end_date: "2026-09-08" }),
  get("/news"),
  get("/news/{ticker}", `/news/${A}`),
  get("/news/providers"),
  get("/etf/list"),
  get("/etf/{ticker}", "/etf/SMPLF"),
  get("/etf/{ticker}/holdings", "/etf/SMPLF/holdings"),
  get("/etf/{ticker}/sectors", "/etf/SMPLF/sectors"),
  get("/etf/exposure/{symbol}", `/etf/exposure/${A}`),
  post("/overlay/admin/seed-topics", {}),
  get("/overlay/topics"),
  get("/overlay/admin/health"),
];

const SERVICE: readonly Step[] = [
  get("/health"),
  get("/health/live"),
  get("/health/ready"),
  get("/metrics"),
  get("/scheduler/jobs"),
  get("/scheduler/runs", "/scheduler/runs?limit=5"),
  get("/logs/requests"),
  get("/logs/requests/stats"),
  get("/logs/errors"),
  get("/logs/errors/{id}", "/logs/errors/1000000", 404),
  get("/database/info"),
  get("/database/tables/{table}/schema", "/database/tables/bars_daily/schema"),
  get("/database/coverage"),
  get("/database/coverage/{ticker}", `/database/coverage/${A}`),
  get("/database/cache"),
];

/** The walk. Routes whose request needs something of an earlier answer are in `interface.test.ts`. */
export const WALK: readonly Step[] = [...PRICES, ...REGULATOR, ...MARKET, ...CONTEXT, ...SERVICE];
