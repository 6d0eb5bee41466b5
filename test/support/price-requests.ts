// The price routes as tests ask them: what each takes, a request made of values, and errors held to their
// form.
import { expect } from "bun:test";

export const P = "/api/v1/price";
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

type Values = Readonly<Record<string, string>>;
export interface Route {
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  /** The fields of a good request, as query or body. */
  readonly good: Readonly<Record<string, unknown>>;
  readonly fields: readonly string[];
}

const SPAN = ["period", "start_date", "end_date"];
export const DATES = { start_date: "2026-09-01", end_date: "2026-09-02" };
export const ROUTES = {
  one: {
    name: "GET /data/{ticker}",
    method: "GET",
    path: `${P}/data/ZORP`,
    good: {},
    fields: [...SPAN, "start", "end", "interval", "as_of", "revisions", "force_refresh", "format"],
  },
  post: {
    name: "POST /data",
    method: "POST",
    path: `${P}/data`,
    good: { ticker: "ZORP" },
    fields: ["ticker", ...SPAN, "quarters", "interval", "as_of", "force_refresh"],
  },
  bulk: {
    name: "POST /data/bulk",
    method: "POST",
    path: `${P}/data/bulk`,
    good: { tickers: ["ZORP"] },
    fields: ["tickers", ...SPAN, "quarters", "interval", "as_of", "force_refresh"],
  },
  many: {
    name: "GET /data",
    method: "GET",
    path: `${P}/data`,
    good: { tickers: "ZORP", ...DATES },
    fields: ["tickers", "ticker", "start_date", "end_date", "interval", "as_of", "force_refresh", "format"],
  },
  latest: { name: "GET /latest/{ticker}", method: "GET", path: `${P}/latest/ZORP`, good: {}, fields: [] },
  quote: {
    name: "GET /quote/{ticker}",
    method: "GET",
    path: `${P}/quote/ZORP`,
    good: {},
    fields: ["use_prepost"],
  },
  intradayMany: {
    name: "GET /intraday",
    method: "GET",
    path: `${P}/intraday`,
    good: { tickers: "ZORP" },
    fields: ["tickers", "interval", "start_date", "end_date", "force_refresh", "format"],
  },
  intraday: {
    name: "GET /intraday/{ticker}",
    method: "GET",
    path: `${P}/intraday/ZORP`,
    good: {},
    fields: ["interval", "period", "format"],
  },
  today: { name: "GET /today/{ticker}", method: "GET", path: `${P}/today/ZORP`, good: {}, fields: [] },
} as const satisfies Record<string, Route>;
export const ALL: readonly Route[] = Object.values(ROUTES);

/** A request of a route, with values as its query or its body. */
export function requestOf(route: Route, values: Readonly<Record<string, unknown>>): [string, RequestInit] {
  if (route.method === "GET")
    return [`${route.path}?${new URLSearchParams(values as Values)}`, { method: "GET" }];
  const headers = { "content-type": "application/json" };
  return [route.path, { method: "POST", headers, body: JSON.stringify(values) }];
}

export interface Problem {
  readonly code: string;
  readonly detail: string;
  readonly absence?: string;
  readonly hint?: string;
}

/** Reads a problem and holds it to its form. */
export async function problemOf(response: Response, status: number, path?: string): Promise<Problem> {
  const body = await response.json();
  expect({ status: response.status, body: body.code }).toMatchObject({ status });
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  expect(body).toMatchObject({
    type: "about:blank",
    status,
    request_id: response.headers.get("x-request-id"),
  });
  for (const name of ["title", "detail", "code", "instance"]) expect(body[name]).toBeString();
  expect(body.code).toMatch(/^[a-z_]+$/);
  if (path !== undefined) expect(body.instance).toBe(path.split("?")[0]);
  return body;
}

/** Reads a validation error and gives its faults in the order of their places. */
export async function faultsOf(response: Response): Promise<Readonly<Record<string, unknown>>[]> {
  const text = await response.text();
  expect([response.status, text.slice(0, 300)]).toEqual([422, expect.any(String)]);
  expect(response.headers.get("content-type")).toBe("application/json");
  const body = JSON.parse(text);
  expect(Object.keys(body).sort()).toEqual(["detail", "request_id"]);
  expect(body.request_id).toBe(response.headers.get("x-request-id"));
  return body.detail;
}

/** One ticker more than the multi-ticker routes take. */
export const LONG = Array.from({ length: 501 }, (_, i) => `T${i}`);
