// Serves the payloads of the made cases beside the project, as the providers give them. Where the folder is
// absent, tests that need it are skipped by name.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { movableClock } from "./clock.ts";
import { openService, type TestService } from "./service.ts";

const CASES = join(import.meta.dir, "../../../shared/cases");

/** Whether the cases lie beside the project. */
export const hasCases = existsSync(CASES);

/** The moment at which the cases were made: before the open of a Friday. */
export const CASES_AT = "2026-11-27T07:00:00Z";

const ENV = { SEC_USER_AGENT: "Asof tests tests@asof.example" };
const JSON_TYPE = { "content-type": "application/json" };
const json = (body: unknown, status = 200) => Response.json(body, { status });

type Chart = Record<string, unknown> & {
  timestamp?: number[];
  indicators: Record<string, Record<string, unknown[]>[]>;
  events?: Record<string, Record<string, { date: number }>>;
};

/** The chart cut to the requested span, as the provider does. */
function cut(text: string, query: URLSearchParams): unknown {
  const body = JSON.parse(text) as { chart: { result: Chart[] | null } };
  const result = body.chart.result?.[0];
  if (!result || result._ignore_window) return body;
  const [from, to] = [Number(query.get("period1") ?? 0), Number(query.get("period2") ?? 1e11)];
  const isIn = (seconds: number) => seconds >= from && seconds < to;
  const keep = (result.timestamp ?? []).flatMap((seconds, i) => (isIn(seconds) ? [i] : []));
  const starts = result.timestamp ?? [];
  for (const group of Object.values(result.indicators).flat())
    for (const [name, values] of Object.entries(group)) group[name] = keep.map((i) => values[i]);
  if (keep.length > 0) result.timestamp = keep.map((i) => starts[i] as number);
  else {
    delete result.timestamp;
    result.indicators = { quote: [{}], adjclose: [{}] };
  }
  for (const [kind, events] of Object.entries(result.events ?? {}))
    for (const [key, event] of Object.entries(events))
      if (!isIn(event.date)) delete result.events?.[kind]?.[key];
  return body;
}

/** The answer of a provider that has nothing under an address. */
function absent(host: string, path: string): Response {
  if (path.includes("quoteSummary"))
    return json(
      { quoteSummary: { result: null, error: { code: "Not Found", description: "Quote not found" } } },
      404,
    );
  if (path.includes("/v8/finance/chart/"))
    return json({ chart: { result: null, error: { code: "Not Found", description: "No data found" } } }, 404);
  if (host.endsWith("sec.gov"))
    return new Response("<Error><Code>NoSuchKey</Code></Error>", {
      status: 404,
      headers: { "content-type": "application/xml" },
    });
  if (host === "api.nasdaq.com")
    return json({
      data: null,
      message: null,
      status: {
        rCode: 400,
        bCodeMessage: [{ code: 1001, errorMessage: "Symbol not exists." }],
        developerMessage: null,
      },
    });
  return new Response("not here", { status: 404 });
}

export interface CaseGateway {
  readonly url: string;
  /** The requested addresses: host, path and query. */
  readonly requests: string[];
  stop(): Promise<void>;
}

/** Serves the cases whose folders begin with one of the numbers; of all where none is given. */
export function serveCases(...numbers: readonly string[]): CaseGateway {
  const folders = readdirSync(CASES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .filter((name) => numbers.length === 0 || numbers.some((number) => name.startsWith(`${number}-`)))
    .sort();
  const find = (path: string) =>
    folders
      .map((folder) => join(CASES, folder, path))
      .find((file) => existsSync(file) && !file.endsWith("/"));
  const rows = (file: string) =>
    folders.flatMap((folder) => {
      const path = join(CASES, folder, file);
      return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as (string | number)[][]) : [];
    });
  const requests: string[] = [];
  const answer = (host: string, path: string, query: URLSearchParams): Response => {
    if (host === "fc.yahoo.com") {
      const cookie =
        "A3=d=AQABBtest; Expires=Fri, 26 Nov 2027 18:00:00 GMT; Path=/; Domain=.yahoo.com; Secure; HttpOnly";
      return new Response("", { status: 404, headers: { "set-cookie": cookie } });
    }
    if (path.endsWith("/v1/test/getcrumb")) return new Response("Ab3dEfGhIjK");
    const tickers = rows("_tickers.json");
    if (path === "/files/company_tickers.json")
      return json(
        Object.fromEntries(tickers.map(([cik_str, ticker, title], i) => [i, { cik_str, ticker, title }])),
      );
    if (path === "/files/company_tickers_exchange.json")
      return json({
        fields: ["cik", "name", "ticker", "exchange"],
        data: tickers.map(([cik, ticker, name, exchange]) => [cik, name, ticker, exchange]),
      });
    if (path === "/files/company_tickers_mf.json")
      return json({
        fields: ["cik", "seriesId", "classId", "symbol"],
        data: [[900001, "S000090001", "C000090001", "ZZZAX"], ...rows("_funds.json")],
      });
    if (path.includes("/v8/finance/chart/")) {
      const interval = query.get("interval") ?? "1d";
      const at = `query2.finance.yahoo.com${path}`;
      const file = find(`${at}@${interval}`) ?? (interval === "1d" ? find(at) : undefined);
      return file ? json(cut(readFileSync(file, "utf8"), query)) : absent(host, path);
    }
    if (path.startsWith("/v7/finance/quote"))
      return json({
        quoteResponse: {
          result: (query.get("symbols") ?? "").split(",").flatMap((symbol) => {
            const file = find(`query2.finance.yahoo.com/_quote/${symbol}`);
            return file ? [JSON.parse(readFileSync(file, "utf8"))] : [];
          }),
          error: null,
        },
      });
    const named = [...query].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => `${name}=${value}`);
    const file = find(`${host}${path}__${named.join("&").replaceAll("/", "_")}`) ?? find(`${host}${path}`);
    if (!file) return absent(host, path);
    const types: Record<string, string> = {
      json: "application/json",
      xml: "text/xml",
      htm: "text/html",
      html: "text/html",
      txt: "text/plain",
      idx: "text/plain",
    };
    const type = types[file.split(".").at(-1) ?? ""] ?? JSON_TYPE["content-type"];
    const status = existsSync(`${file}.status`) ? Number(readFileSync(`${file}.status`, "utf8")) : 200;
    return new Response(readFileSync(file), { status, headers: { "content-type": type } });
  };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      requests.push(`${pathname.slice(1)}${searchParams.size > 0 ? `?${searchParams}` : ""}`);
      const [host = "", ...rest] = decodeURIComponent(pathname).slice(1).split("/");
      return answer(host, `/${rest.join("/")}`, searchParams);
    },
  });
  return { url: server.url.href.replace(/\/$/, ""), requests, stop: () => server.stop(true) };
}

/** Opens the service on cases, at the moment at which they were made unless said otherwise. */
export async function openOnCases(
  numbers: readonly string[],
  at = CASES_AT,
): Promise<TestService & { gateway: CaseGateway }> {
  const gateway = serveCases(...numbers);
  const service = await openService({ upstream: gateway.url, clock: movableClock(at), env: ENV });
  const stop = async () => {
    await service.stop();
    await gateway.stop();
  };
  return { ...service, gateway, stop };
}
