// What the clients of the soak ask: every price route, mostly of symbols met before, with a new one now and then.
import { addDays } from "../../src/market/date.ts";
import type { Ask } from "../../test/bench/mixed-load.ts";

const FORMATS = ["json", "csv", "ndjson", "parquet"];
const PERIODS = ["1m", "3m", "1y", "5y"];
/** Share of requests that ask for a symbol nobody asked for before, so that the lake keeps growing. */
const NEW_SHARE = 0.01;

/** Symbols whose quote is asked for. */
const QUOTED = 3;

/** The next question over a pool of symbols; `today` is the last day asked for. */
export function questions(symbols: readonly string[], today: string): (random: () => number) => Ask {
  let met = Math.min(20, symbols.length);
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
  return (random) => {
    if (random() < NEW_SHARE && met < symbols.length) {
      met += 1;
      return { path: `/api/v1/price/data/${symbols[met - 1]}?period=5y` };
    }
    const kind = kinds[Math.floor(random() * kinds.length)];
    return kind ? kind(random) : { path: "/api/v1/health" };
  };
}
