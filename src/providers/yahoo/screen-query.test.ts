// Filters in the query language of Yahoo's screener.
import { expect, test } from "bun:test";
import { type Screen, screenBody } from "./screen-query.ts";

const body = (filters: Screen["filters"], more: Partial<Screen> = {}) =>
  screenBody({ filters, sort_by: "market_cap", sort_order: "desc", offset: 0, size: 250, ...more }) as {
    query: { operands: unknown[] };
  };
const US = [
  { operator: "EQ", operands: ["region", "us"] },
  { operator: "GT", operands: ["intradayprice", 0] },
];

test("without a filter it selects the United States, with an AND of two operands", () => {
  expect(body({})).toEqual({
    offset: 0,
    size: 250,
    sortField: "intradaymarketcap",
    sortType: "DESC",
    quoteType: "EQUITY",
    query: { operator: "AND", operands: US },
    userId: "",
    userIdType: "guid",
  } as never);
});

test("several exchanges are an OR of codes, one code stands alone", () => {
  const or = (...codes: string[]) => ({
    operator: "OR",
    operands: codes.map((code) => ({ operator: "EQ", operands: ["exchange", code] })),
  });
  expect(body({ exchanges: ["nyse"] }).query.operands[2]).toEqual({
    operator: "EQ",
    operands: ["exchange", "NYQ"],
  });
  expect(body({ exchanges: ["nasdaq"] }).query.operands[2]).toEqual(or("NMS", "NGM", "NCM"));
  expect(body({ exchanges: ["nyse", "amex", "arca", "bats"] }).query.operands[2]).toEqual(
    or("NYQ", "ASE", "PCX", "BTS"),
  );
  expect(body({ exchanges: ["otc"] }).query.operands[2]).toEqual(
    or("PNK", "OQB", "OQX", "OEM", "OGM", "OBB"),
  );
  expect(body({ exchanges: [] }).query.operands).toEqual(US);
});

test("bounds are inclusive, zero and negative ones too; percentages go as percent points", () => {
  const filters = {
    sector: "Technology",
    industry: "Semiconductors",
    market_cap_min: 0,
    market_cap_max: 1e12,
    price_min: 5,
    price_max: 10.5,
    volume_min: 15_000,
    avg_volume_min: 1e6,
    change_percent_min: -2.5,
    change_percent_max: 3,
    pe_min: -1,
    pe_max: 20,
    peg_max: 1,
    dividend_yield_min: 2.5,
    beta_min: -0.2,
    beta_max: 0.8,
    fifty_two_week_change_min: 50,
    eps_growth_min: 25,
    revenue_growth_min: 25,
  };
  expect(body(filters).query.operands.slice(2)).toEqual([
    { operator: "EQ", operands: ["sector", "Technology"] },
    { operator: "EQ", operands: ["industry", "Semiconductors"] },
    { operator: "GTE", operands: ["intradaymarketcap", 0] },
    { operator: "LTE", operands: ["intradaymarketcap", 1e12] },
    { operator: "GTE", operands: ["intradayprice", 5] },
    { operator: "LTE", operands: ["intradayprice", 10.5] },
    { operator: "GTE", operands: ["dayvolume", 15_000] },
    { operator: "GTE", operands: ["avgdailyvol3m", 1e6] },
    { operator: "GTE", operands: ["percentchange", -2.5] },
    { operator: "LTE", operands: ["percentchange", 3] },
    { operator: "GTE", operands: ["peratio.lasttwelvemonths", -1] },
    { operator: "LTE", operands: ["peratio.lasttwelvemonths", 20] },
    { operator: "LTE", operands: ["pegratio_5y", 1] },
    { operator: "GTE", operands: ["forward_dividend_yield", 2.5] },
    { operator: "GTE", operands: ["beta", -0.2] },
    { operator: "LTE", operands: ["beta", 0.8] },
    { operator: "GTE", operands: ["fiftytwowkpercentchange", 50] },
    { operator: "GTE", operands: ["epsgrowth.lasttwelvemonths", 25] },
    { operator: "GTE", operands: ["quarterlyrevenuegrowth.quarterly", 25] },
  ]);
});

test("order and page", () => {
  expect(body({}, { sort_by: "change_percent", sort_order: "asc", offset: 500, size: 100 })).toMatchObject({
    sortField: "percentchange",
    sortType: "ASC",
    offset: 500,
    size: 100,
  } as never);
});
