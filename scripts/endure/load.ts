// The requests of the soak's clients: every group of routes, mostly of symbols met before, with a new one now
// and then.
import { addDays } from "../../src/market/date.ts";
import type { Ask } from "../../test/bench/mixed-load.ts";

const FORMATS = ["json", "csv", "ndjson", "parquet"];
const PERIODS = ["1m", "3m", "1y", "5y"];
/** Share of requests that ask for a symbol that was never requested, so that the lake keeps growing. */
const NEW_SHARE = 0.01;

/** Symbols whose quote is asked for. */
const QUOTED = 3;
/** Share of requests beyond prices. */
const OTHERS_SHARE = 0.35;
const SERIES = ["FICGDP", "NOSUCHSERIES"];

/** Symbols known from the beginning. */
const MET_FIRST = 20;

/**
 * The routes, and their bodies, that fill the store before the soak's clients ask. Without them its first
 * minutes would measure the providers' pace and nothing else.
 */
export const prepared = (
  symbols: readonly string[],
): readonly (readonly [path: string, body: Record<string, unknown>])[] => [
  ["/api/v1/shortvolume/admin/ingest", { days: 10 }],
  ["/api/v1/universe/admin/discover", {}],
  ["/api/v1/price/data/bulk", { tickers: symbols.slice(0, MET_FIRST), period: "5y" }],
  ["/api/v1/company/bulk", { tickers: symbols.slice(0, QUOTED) }],
];

/** The routes beyond prices, of few symbols: their providers' pace is slower than the clients. */
function others(
  symbol: (random: () => number) => string,
  today: string,
): readonly ((random: () => number) => Ask)[] {
  // Few days: a day of insiders' filings met for the first time is read filing by filing.
  const day = (random: () => number) => addDays(today, -2 - Math.floor(random() * 4));
  const of = <T>(list: readonly T[], random: () => number) => list[Math.floor(random() * list.length)];
  return [
    (random) => ({ path: `/api/v1/shortvolume/${symbol(random)}?days=20` }),
    (random) => ({ path: `/api/v1/shortvolume/by-date/${day(random)}?limit=100` }),
    () => ({ path: "/api/v1/shortvolume/top?limit=50" }),
    (random) => ({ path: `/api/v1/shortvolume/pit-panel?days=5&limit=500&format=${of(FORMATS, random)}` }),
    (random) => ({ path: `/api/v1/insider/transactions/${symbol(random)}` }),
    (random) => ({ path: `/api/v1/insider/form4/aggregate/${symbol(random)}` }),
    (random) => ({ path: `/api/v1/insider/form4/by-date/${day(random)}` }),
    () => ({ path: "/api/v1/ownership/13dg/active" }),
    () => ({ path: "/api/v1/universe/registry?limit=100" }),
    (random) => ({ path: `/api/v1/universe/screen?date=${day(random)}` }),
    () => ({ path: "/api/v1/stocks/most-active?limit=50" }),
    () => ({ path: "/api/v1/stocks/gainers" }),
    () => ({ path: "/api/v1/stocks/index/sp500" }),
    () => ({ path: "/api/v1/screener/screen?page_size=50" }),
    (random) => ({ path: `/api/v1/econdata/proxy/series/observations?series_id=${of(SERIES, random)}` }),
    (random) => ({ path: `/api/v1/company/${symbol(random)}` }),
    (random) => ({ path: `/api/v1/filings/search?ticker=${symbol(random)}` }),
    (random) => ({ path: `/api/v1/filings/events/${symbol(random)}?days=200` }),
    (random) => ({ path: `/api/v1/financial/data/${symbol(random)}?period_type=annual` }),
    (random) => ({ path: `/api/v1/dividends/calendar/${symbol(random)}` }),
    (random) => ({ path: `/api/v1/earnings/surprise/${symbol(random)}` }),
    (random) => ({ path: `/api/v1/marketfeed/snapshot?tickers=${symbol(random)}` }),
    () => ({ path: "/api/v1/logs/requests?limit=50" }),
    (random) => ({ path: `/api/v1/database/coverage/${symbol(random)}` }),
  ];
}

/** The next question over a pool of symbols; `today` is the last day asked for. */
export function questions(symbols: readonly string[], today: string): (random: () => number) => Ask {
  let met = Math.min(MET_FIRST, symbols.length);
  const known = (random: () => number) => symbols[Math.floor(random() * met)] ?? "";
  /** Few, or the provider's pace would be all that is tested. */
  const quoted = (random: () => number) => symbols[Math.floor(random() * QUOTED)] ?? "";
  const some = (random: () => number, n: number) =>
    [...new Set(Array.from({ length: n }, () => known(random)))].join(",");
  const span = (random: () => number) => {
    const end = addDays(today, -10 - Math.floor(random() * 600));
    return { start_date: addDays(end, -30 - Math.floor(random() * 400)), end_date: end };
  };
  const query = (values: Record<string, string>) => new URLSearchParams(values).toString();
  const kinds: readonly ((random: () => number) => Ask)[] = [
    (random) => ({ path: `/api/v1/price/data/${known(random)}?${query(span(random))}` }),
    (random) => ({ path: `/api/v1/price/data/${known(random)}?${query(span(random))}&interval=1w` }),
    (random) => ({
      path: `/api/v1/price/data/${known(random)}?period=${PERIODS[Math.floor(random() * PERIODS.length)]}`,
    }),
    (random) => ({
      path: `/api/v1/price/data?tickers=${some(random, 15)}&${query(span(random))}&format=${FORMATS[Math.floor(random() * FORMATS.length)]}`,
    }),
    (random) => ({
      path: "/api/v1/price/data/bulk",
      body: { tickers: some(random, 10).split(","), ...span(random) },
    }),
    (random) => ({ path: `/api/v1/price/quote/${quoted(random)}` }),
    (random) => ({ path: `/api/v1/price/latest/${known(random)}` }),
    (random) => ({ path: `/api/v1/price/data/${known(random)}?${query(span(random))}&as_of=${today}` }),
    () => ({ path: "/api/v1/health" }),
    () => ({ path: "/api/v1/scheduler/jobs" }),
    () => ({ path: "/metrics" }),
    () => ({ path: "/api/v1/price/data/NOSUCHTICKER?period=1m" }),
  ];
  const more = others(quoted, today);
  return (random) => {
    if (random() < NEW_SHARE && met < symbols.length) {
      met += 1;
      return { path: `/api/v1/price/data/${symbols[met - 1]}?period=5y` };
    }
    const isOther = random() < OTHERS_SHARE;
    if (isOther) return more[Math.floor(random() * more.length)]?.(random) ?? { path: "/api/v1/health" };
    const kind = kinds[Math.floor(random() * kinds.length)];
    return kind ? kind(random) : { path: "/api/v1/health" };
  };
}
