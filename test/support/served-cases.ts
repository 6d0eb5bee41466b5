// The cases of wrong figures that lie beside the project, served as the providers answer: gateway.py of their
// folder does it by hand.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(process.env.CASES_DIR ?? join(import.meta.dir, "../../../shared/cases"));

/** The folders of cases whose name begins with one of `numbers`, such as `48-`; none without it. */
export const casesOf = (...numbers: readonly string[]): string[] =>
  existsSync(FOLDER)
    ? readdirSync(FOLDER).filter((name) => numbers.some((number) => name.startsWith(`${number}-`)))
    : [];

type Chart = {
  chart: {
    result: {
      timestamp?: number[];
      indicators: Record<string, Record<string, unknown[]>[]>;
      events?: Record<string, Record<string, { date: number }>>;
    }[];
  };
};

/** A chart with the bars and events of the asked span alone, as the provider cuts it. */
function cut(chart: Chart, query: URLSearchParams): Chart {
  const [result] = chart.chart.result;
  if (!result) return chart;
  const [from, to] = [Number(query.get("period1") ?? 0), Number(query.get("period2") ?? 99_999_999_999)];
  const isIn = (second: number) => second >= from && second < to;
  const stamps = result.timestamp ?? [];
  for (const series of Object.values(result.indicators).flat())
    for (const [name, values] of Object.entries(series))
      series[name] = values.filter((_, i) => isIn(stamps[i] ?? 0));
  result.timestamp = stamps.filter(isIn);
  if (result.timestamp.length === 0) {
    delete result.timestamp;
    result.indicators = { quote: [{}], adjclose: [{}] };
  }
  for (const [kind, events] of Object.entries(result.events ?? {}))
    (result.events ?? {})[kind] = Object.fromEntries(
      Object.entries(events).filter(([, { date }]) => isIn(Number(date))),
    );
  return chart;
}

const missing = (body = "<Error><Code>NoSuchKey</Code></Error>") => new Response(body, { status: 404 });

/** Serves the payloads of cases until `stop`. */
export function serveCases(cases: readonly string[]) {
  const read = (path: string) => {
    const found = cases
      .flatMap((name) => [path, decodeURIComponent(path)].map((each) => join(FOLDER, name, each)))
      .find((file) => existsSync(file) && statSync(file).isFile());
    return found === undefined ? null : readFileSync(found);
  };
  const json = (path: string) => JSON.parse(String(read(path) ?? "null"));
  const tickers = cases.flatMap((name): [number, string, string, string][] => {
    const file = join(FOLDER, name, "_tickers.json");
    return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [];
  });
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname === "/www.sec.gov/files/company_tickers_exchange.json")
        return Response.json({
          fields: ["cik", "name", "ticker", "exchange"],
          data: tickers.map(([cik, ticker, name, exchange]) => [cik, name, ticker, exchange]),
        });
      if (pathname === "/www.sec.gov/files/company_tickers_mf.json")
        return Response.json({
          fields: ["cik", "seriesId", "classId", "symbol"],
          data: [[900_001, "S000090001", "C000090001", "ZZZAX"]],
        });
      if (pathname.includes("/v8/finance/chart/")) {
        const day = searchParams.get("interval") ?? "1d";
        const own = `/query2.finance.yahoo.com${pathname.slice(pathname.indexOf("/v8/"))}`;
        const chart = json(`${own}@${day}`) ?? (day === "1d" ? json(own) : null);
        return chart
          ? Response.json(cut(chart, searchParams))
          : Response.json(
              { chart: { result: null, error: { code: "Not Found", description: "No data found" } } },
              { status: 404 },
            );
      }
      const query = [...searchParams].sort().map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
      const bytes = (query.length > 0 ? read(`${pathname}__${query.join("&")}`) : null) ?? read(pathname);
      return bytes ? new Response(bytes) : missing();
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
}
