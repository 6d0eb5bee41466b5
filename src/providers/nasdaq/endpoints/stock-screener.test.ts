import { describe, expect, test } from "bun:test";
import { readScreener, readScreenerRows } from "./stock-screener.ts";

const ROW = {
  symbol: "QUIB/B ",
  name: "Quibble Holdings Inc. Class B Common Stock",
  lastsale: "$1,495.82",
  netchange: "-0.04",
  pctchange: "",
  volume: "26997",
  marketCap: "4514709583000.00",
  country: "United States",
  ipoyear: "2008",
  industry: "Insurance",
  sector: "Finance",
  url: "/market-activity/stocks/quib/b",
};
const body = (rows: unknown) => ({ data: { rows }, message: null, status: { rCode: 200 } });

test("texts become numbers, the symbol is canonical", () => {
  expect(readScreener(body([ROW])).rows).toEqual([
    {
      symbol: "QUIB.B",
      name: "Quibble Holdings Inc. Class B Common Stock",
      sector: "Finance",
      industry: "Insurance",
      country: "United States",
      ipo_year: 2008,
      market_cap: 4_514_709_583_000,
      last_price: 1495.82,
      volume: 26_997,
    },
  ]);
});

test("absent, N/A and a value of 0.00 are unknown; a volume of 0 means no trades", () => {
  const empty = {
    ...ROW,
    symbol: "ABR^D",
    marketCap: "0.00",
    sector: "",
    industry: "N/A",
    ipoyear: "",
    volume: "0",
  };
  expect(readScreenerRows([empty]).rows[0]).toMatchObject({
    symbol: "ABR.PRD",
    market_cap: null,
    sector: null,
    industry: null,
    ipo_year: null,
    volume: 0,
  });
});

test.each(["--", "NA", "n/a", " "])("%p is unknown too", (unknown) => {
  const row = { ...ROW, marketCap: unknown, lastsale: unknown, ipoyear: unknown, sector: unknown };
  expect(readScreenerRows([row]).rows[0]).toMatchObject({
    symbol: "QUIB.B",
    market_cap: null,
    last_price: null,
    ipo_year: null,
    sector: null,
  });
});

test("the symbol NA does not mean unknown", () => {
  expect(readScreenerRows([{ ...ROW, symbol: "NA" }]).rows[0]?.symbol).toBe("NA");
});

test("accepts plain numbers", () => {
  const row = { ...ROW, lastsale: 12.5, volume: 0, marketCap: 0, ipoyear: 2019 };
  expect(readScreenerRows([row]).rows[0]).toMatchObject({
    last_price: 12.5,
    volume: 0,
    market_cap: null,
    ipo_year: 2019,
  });
});

test("names a symbol of no known convention", () => {
  expect(readScreenerRows([{ ...ROW, symbol: "abc~" }])).toEqual({ rows: [], unread: ["abc~"] });
});

describe("another shape is refused", () => {
  test.each([
    ["a refusal with status 200", { data: null, status: { rCode: 400 } }, "rCode 400"],
    ["no data", { data: null, status: { rCode: 200 } }, "data should be an object"],
    ["no rows", body([]), "rows should not be empty"],
    ["rows of another kind", body({}), "rows should be a list"],
    ["a row that is a list", body([[]]), "a row should be an object"],
    ["a number for text", body([{ ...ROW, sector: 7 }]), "sector should be text"],
    ["words for a number", body([{ ...ROW, marketCap: "4.5 T" }]), "marketCap should be a number"],
    [
      "a comma that parts no thousands",
      body([{ ...ROW, lastsale: "$309,35" }]),
      "lastsale should be a number",
    ],
    ["a row without a symbol", body([{ ...ROW, symbol: "" }]), "a row should have a symbol"],
  ])("%s", (_what, given, description) => {
    expect(() => readScreener(given)).toThrow(description);
  });
});
