// Nasdaq's lists over the sample market, as they go over the wire.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { fakeClock } from "../../test/support/fake-clock.ts";
import { createMarket, NAMED_LISTINGS } from "../market.ts";
import { createNasdaqListings } from "./listings.ts";

setDefaultTimeout(1_200_000);

const clock = fakeClock("2026-02-27T21:00:00Z");
const upstream = (symbols: number) =>
  createNasdaqListings(createMarket({ clock, calendar: exchangeCalendar(), seed: 1, years: 2, symbols }));
const named = upstream(NAMED_LISTINGS);

const asked = (host: string, path: string, query = "", of = named) =>
  of.answer({ method: "GET", host, path, query: new URLSearchParams(query), headers: {}, body: "" });
const file = (name: string, of = named) =>
  asked("www.nasdaqtrader.com", `/dynamic/SymDir/${name}.txt`, "", of)?.body.split("\r\n") ?? [];
const screener = (exchange: string) =>
  JSON.parse(
    asked("api.nasdaq.com", "/api/screener/stocks", `exchange=${exchange}&download=true`)?.body ?? "null",
  );

describe("the symbol directory", () => {
  test("nasdaqlisted: header, a share, a test issue, a trailer of as many cells", () => {
    const lines = file("nasdaqlisted");
    expect(lines[0]).toBe(
      "Symbol|Security Name|Market Category|Test Issue|Financial Status|Round Lot Size|ETF|NextShares",
    );
    expect(lines).toContain("ZORP|Zorp Dynamics Inc. - Common Stock|Q|N|N|100|N|N");
    expect(lines).toContain("ZBNDF|Sample Bond ETF|G|N|N|100|Y|N");
    expect(lines).toContain("ZVZZT|NASDAQ TEST STOCK|G|Y|N|100|N|N");
    expect(lines.slice(-2)).toEqual(["File Creation Time: 0227202616:00|||||||", ""]);
    for (const line of lines.slice(0, -1)) expect(line.split("|")).toHaveLength(8);
  });

  test("otherlisted: three spellings of a class, a preferred and a warrant", () => {
    const lines = file("otherlisted");
    expect(lines).toContain("QUIB.B|Quibble Holdings Inc. Class B Common Stock|N|QUIB.B|N|100|N|QUIB.B");
    expect(lines).toContain(
      "ZORP$A|Zorp Dynamics Inc. 6.10% Series A Cumulative Preferred Stock|N|ZORPpA|N|100|N|ZORP-A",
    );
    const warrant = lines.find((line) => line.startsWith("PIPZ"))?.split("|");
    expect([warrant?.[0], warrant?.[3], warrant?.[7]]).toEqual(["PIPZ.W", "PIPZ.WS", "PIPZ+"]);
    expect(lines.some((line) => line.startsWith("GLUMP|"))).toBe(true);
    expect(lines.some((line) => line.startsWith("MURQ|"))).toBe(false);
  });

  test("the day after its last a listing is gone", () => {
    clock.set("2026-02-28T21:00:00Z");
    expect(file("otherlisted").some((line) => line.startsWith("GLUMP|"))).toBe(false);
  });

  test("it grows with the market", () => {
    const large = upstream(3_000);
    const rows = file("nasdaqlisted", large).length + file("otherlisted", large).length;
    expect(rows).toBeGreaterThan(2_900);
  });
});

describe("the screener", () => {
  test("all texts; the whole company's value for each class; a value and a sector that are not there", () => {
    const { data, status } = screener("nyse");
    expect(status.rCode).toBe(200);
    const row = (symbol: string) => data.rows.find((each: { symbol: string }) => each.symbol === symbol);
    expect(row("QUIB/B").marketCap).toBe(row("QUIB").marketCap);
    expect(row("ZORP^A")).toMatchObject({ marketCap: "0.00" });
    expect(row("XYLOQ")).toMatchObject({ sector: "", industry: "" });
    for (const each of data.rows)
      for (const value of Object.values(each)) expect(typeof value).toBe("string");
    expect(row("ZORP")).toBeUndefined();
  });

  test("an exchange it does not know is refused with status 200; other paths are not its own", () => {
    expect(screener("tokyo")).toMatchObject({ data: null, status: { rCode: 400 } });
    expect(asked("api.nasdaq.com", "/api/calendar/earnings")).toBeNull();
    expect(asked("query1.finance.yahoo.com", "/")).toBeNull();
  });
});
