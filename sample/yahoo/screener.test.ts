// The sample's screener: rows that agree with its quotes, pages, refusals, and the grammar.
import { expect, setDefaultTimeout, test } from "bun:test";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { fakeClock } from "../../test/support/fake-clock.ts";
import { createMarket } from "../market.ts";
import { quoteOf } from "./quote.ts";
import { SCREENED_MAX } from "./screened.ts";
import { createScreener } from "./screener.ts";

setDefaultTimeout(1_200_000);

const NONE = () => undefined;
const clock = fakeClock("2026-09-09T21:00:00Z");
const market = createMarket({ clock, calendar: exchangeCalendar(), seed: 1, years: 5, symbols: 90 });
const screener = createScreener(market);

interface Result {
  start: number;
  count: number;
  total: number;
  quotes: ({ symbol: string } & Record<string, number | string>)[];
  canonicalName?: string;
  rawCriteria?: string;
}

const ask = (method: string, path: string, body = "", holdsCrumb = true) => {
  const url = new URL(`https://query2.finance.yahoo.com${path}`);
  const request = { method, host: url.host, path: url.pathname, query: url.searchParams, headers: {}, body };
  const reply = screener.answer(request, NONE, holdsCrumb);
  if (!reply) return { status: 0, error: null, result: null as unknown as Result };
  const { finance } = JSON.parse(reply.body);
  return { status: reply.status, error: finance.error, result: finance.result?.[0] as Result };
};
const saved = (query: string) => ask("GET", `/v1/finance/screener/predefined/saved?${query}`);
const US = { operator: "eq", operands: ["region", "us"] };
const post = (body: object, holdsCrumb = true) =>
  ask("POST", "/v1/finance/screener?crumb=x", JSON.stringify(body), holdsCrumb);
const where = (...operands: object[]) =>
  post({
    size: 250,
    sortField: "intradaymarketcap",
    query: { operator: "AND", operands: [US, ...operands] },
  });

test("rows are the market's quotes of the moment, with what lists have beside them", () => {
  const { result } = saved("scrIds=most_actives&count=250");
  expect(result.quotes.length).toBeGreaterThan(40);
  for (const row of result.quotes) expect(row).toMatchObject(quoteOf(market, row.symbol, null, NONE) ?? {});
  const zorp = result.quotes.find(({ symbol }) => symbol === "ZORP");
  expect(zorp?.fiftyTwoWeekChangePercent).toBeNumber();
  expect(Number(zorp?.trailingPE)).toBeCloseTo(
    Number(zorp?.regularMarketPrice) / Number(zorp?.epsTrailingTwelveMonths),
    3,
  );
  // Percent points beside a fraction, as upstream has it.
  expect(Number(zorp?.dividendYield)).toBeGreaterThan(20 * Number(zorp?.trailingAnnualDividendYield));
});

test("pages by start and count; the total is that of the list", () => {
  const whole = saved("scrIds=DAY_GAINERS&count=250").result;
  expect([whole.canonicalName, whole.start, whole.count, whole.total]).toEqual([
    "DAY_GAINERS",
    0,
    whole.quotes.length,
    whole.quotes.length,
  ]);
  const part = saved("scrIds=day_gainers&count=3&start=2").result;
  expect([part.start, part.count, part.total]).toEqual([2, 3, whole.total]);
  expect(part.quotes).toEqual(whole.quotes.slice(2, 5));
  expect(saved(`scrIds=day_gainers&count=5&start=${whole.total}`).result).toMatchObject({
    count: 0,
    quotes: [],
  });
  expect(JSON.parse(whole.rawCriteria ?? "")).toMatchObject({ sortField: "percentchange", sortType: "DESC" });
});

test("a query of one's own needs a crumb", () => {
  expect(post({ query: US }, false)).toMatchObject({ status: 401, error: { description: "Invalid Crumb" } });
  expect(where().status).toBe(200);
});

test("operators, in either case", () => {
  const symbols = (...operands: object[]) => where(...operands).result.quotes.map(({ symbol }) => symbol);
  const all = symbols();
  const cheap = symbols({ operator: "lt", operands: ["intradayprice", 20] });
  const dear = symbols({ operator: "GTE", operands: ["intradayprice", 20] });
  expect([...cheap, ...dear].sort()).toEqual([...all].sort());
  const or = symbols({
    operator: "or",
    operands: [
      { operator: "EQ", operands: ["exchange", "PNK"] },
      { operator: "EQ", operands: ["exchange", "ASE"] },
    ],
  });
  expect(or.sort()).toEqual(expect.arrayContaining(["MURQ", "PLONQ"]));
  const not = symbols({
    operator: "must_not",
    operands: [{ operator: "eq", operands: ["exchange", "PNK"] }],
  });
  expect(not).toEqual(all.filter((symbol) => symbol !== "MURQ"));
  const between = symbols({ operator: "BTWN", operands: ["intradayprice", 20, 30] });
  expect(between).toEqual(dear.filter((symbol) => between.includes(symbol)));
  expect(symbols({ operator: "EQ", operands: ["sector", "Nowhere"] })).toEqual([]);
});

test("what the grammar does not allow is refused", () => {
  const description = (body: object) => post(body).error?.description;
  expect(saved("scrIds=no_such_list")).toMatchObject({ status: 404 });
  expect(saved("scrIds=day_gainers&count=251")).toMatchObject({
    status: 400,
    error: { description: "size is too large" },
  });
  expect(saved("scrIds=day_gainers&count=x").status).toBe(400);
  expect(description({ size: 251, query: US })).toBe("size is too large");
  expect(description({})).toBe("the query is missing");
  expect(ask("POST", "/v1/finance/screener", "{").error.description).toBe("the body is no JSON");
  const one = (operator: string, ...operands: unknown[]) => description({ query: { operator, operands } });
  expect(one("EQ", "colour", "blue")).toBe("unknown field colour");
  expect(one("LIKE", "sector", "Tech")).toBe("unknown operator LIKE");
  expect(one("GT", "intradayprice", "5")).toBe("intradayprice is compared with no number");
  expect(one("AND")).toBe("operands are missing");
  expect(description({ sortField: "colour", query: US })).toBe("unknown field colour");
  expect(ask("GET", "/v1/finance/other").status).toBe(0);
});

test("trending symbols are of every kind and another order each hour", () => {
  const now = ask("GET", "/v1/finance/trending/US?count=8&lang=en-US").result;
  expect([now.count, now.quotes.length]).toEqual([8, 8]);
  for (const { symbol } of now.quotes) expect(market.find(symbol)?.kind).toBe("listed");
  clock.advance(3_600_000);
  expect(ask("GET", "/v1/finance/trending/US?count=8&lang=en-US").result.quotes).not.toEqual(now.quotes);
  clock.advance(-3_600_000);
});

test("a large market is screened in part, so that a list takes no minute", () => {
  const large = createMarket({ clock, calendar: exchangeCalendar(), seed: 1, years: 1, symbols: 11_000 });
  const request = {
    method: "GET",
    host: "query2.finance.yahoo.com",
    path: "/v1/finance/screener/predefined/saved",
    query: new URLSearchParams({ scrIds: "most_actives", count: "1" }),
    headers: {},
    body: "",
  };
  const { total } = JSON.parse(createScreener(large).answer(request, NONE, false)?.body ?? "").finance
    .result[0];
  expect(total).toBeGreaterThan(100);
  expect(total).toBeLessThanOrEqual(SCREENED_MAX);
}, 1_200_000);
