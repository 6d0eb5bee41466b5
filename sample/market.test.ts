import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { exchangeCalendar } from "../src/market/calendar.ts";
import { fakeClock } from "../test/support/fake-clock.ts";
import { COMPANIES } from "./companies.ts";
import { numberedIndex, numberedSymbol } from "./listing.ts";
import { createMarket, type Market, NAMED_LISTINGS, suggestions } from "./market.ts";
import type { Bar } from "./prices.ts";

setDefaultTimeout(1_200_000);

const calendar = exchangeCalendar();
const open = (at: string, options: Partial<Parameters<typeof createMarket>[0]> = {}) =>
  createMarket({ clock: fakeClock(at), calendar, seed: 1, years: 5, symbols: NAMED_LISTINGS, ...options });

function barsByDate(market: Market, symbol: string): Map<string, Bar | null> {
  const listing = COMPANIES.find((c) => c.symbol === symbol);
  if (!listing) throw new Error(`${symbol} is not in the table`);
  const { sessions, bars } = market.history(listing);
  return new Map(sessions.map((session, i) => [session.date, bars[i] ?? null]));
}

describe("the market never changes its mind", () => {
  test("a session has the same printed bar in a market that starts two years later", () => {
    const [early, late] = [open("2024-03-05T15:00:00Z"), open("2026-11-20T15:00:00Z")];
    for (const { symbol } of COMPANIES) {
      const then = barsByDate(early, symbol);
      const now = barsByDate(late, symbol);
      const shared = [...then].filter(([date]) => now.has(date));
      if (shared.length === 0) throw new Error(`${symbol} shares no session`);
      for (const [date, bar] of shared)
        expect({ symbol, date, bar: now.get(date) }).toEqual({ symbol, date, bar });
    }
  });

  test("its minutes are the same too, and another seed is another market", () => {
    const zorp = COMPANIES.find((c) => c.symbol === "ZORP");
    if (!zorp) throw new Error("ZORP is gone");
    const [early, late] = [open("2026-06-01T15:00:00Z"), open("2027-03-01T15:00:00Z")];
    const at = (market: Market) =>
      market.history(zorp).sessions.findIndex((session) => session.date === "2026-05-20");
    expect(late.minutes(zorp, at(late), "regular")).toEqual(early.minutes(zorp, at(early), "regular"));
    const other = open("2026-06-01T15:00:00Z", { seed: 2 });
    expect(other.history(zorp).bars[at(other)]).not.toEqual(early.history(zorp).bars[at(early)] as Bar);
  });

  test("a table that grows at New Year keeps what it had", () => {
    const clock = fakeClock("2026-12-31T20:00:00Z");
    const market = open("2026-12-31T20:00:00Z", { clock });
    const before = barsByDate(market, "ZORP");
    clock.set("2027-03-01T20:00:00Z");
    const after = barsByDate(market, "ZORP");
    expect(after.size).toBeGreaterThan(before.size);
    for (const [date, bar] of before) expect(after.get(date)).toEqual(bar);
  });
});

describe("every bar makes sense", () => {
  const market = open("2026-11-20T15:00:00Z");
  for (const listing of COMPANIES)
    test(listing.symbol, () => {
      const { bars, sessions } = market.history(listing);
      expect(sessions.length).toBeGreaterThan(250);
      for (const bar of bars) {
        if (!bar) continue;
        expect(bar.low).toBeGreaterThan(0);
        expect(bar.high).toBeGreaterThanOrEqual(Math.max(bar.open, bar.close));
        expect(bar.low).toBeLessThanOrEqual(Math.min(bar.open, bar.close));
        expect(Number.isSafeInteger(bar.volume) && bar.volume % 100 === 0).toBe(true);
        // Wandering, never running away: within a factor of twenty of the price in the table.
        expect(bar.close / listing.price).toBeWithin(1 / 20, 20);
      }
    });

  test("regular minutes add up to the day: open, high, low, close and volume", () => {
    for (const symbol of ["ZORP", "MURQ", "DREK", "PIPZ-WT", "^SMPL", "ZIT-USD", "ZCAPF"]) {
      const listing = COMPANIES.find((c) => c.symbol === symbol);
      if (!listing) throw new Error(symbol);
      const history = market.history(listing);
      const last = history.sessions.findIndex((session) => session.date >= "2026-11-18");
      for (let i = last - 30; i < last; i++) {
        const bars = market.minutes(listing, i, "regular").flatMap((minute) => minute.bar ?? []);
        const day = history.bars[i];
        if (history.activity[i] !== "traded") {
          expect(bars).toEqual([]);
          continue;
        }
        expect({
          open: bars[0]?.open,
          high: Math.max(...bars.map((b) => b.high)),
          low: Math.min(...bars.map((b) => b.low)),
          close: bars.at(-1)?.close,
          volume: bars.reduce((sum, b) => sum + b.volume, 0),
        }).toEqual({ ...(day as Bar) });
      }
    }
  });

  test("some minutes are empty: some left out, some null", () => {
    const listing = COMPANIES.find((c) => c.symbol === "ZCAPF");
    if (!listing) throw new Error("ZCAPF is gone");
    const index = market.history(listing).sessions.findIndex((session) => session.date === "2026-11-18");
    const minutes = market.minutes(listing, index, "regular");
    expect(minutes.length).toBeLessThan(390);
    expect(minutes.some((minute) => minute.bar === null)).toBe(true);
  });
});

describe("who is listed", () => {
  test("listings, delistings, renames and stubs follow the clock", () => {
    const kind = (at: string, symbol: string) => open(at).find(symbol)?.kind ?? null;
    expect(kind("2026-02-27T20:00:00Z", "GLUMP")).toBe("listed");
    expect(kind("2026-02-28T20:00:00Z", "GLUMP")).toBeNull();
    expect(kind("2024-09-13T20:00:00Z", "HUSQ")).toBe("listed");
    expect(kind("2024-09-14T20:00:00Z", "HUSQ")).toBe("stub");
    expect(kind("2023-10-17T20:00:00Z", "PIPZ")).toBeNull();
    expect(kind("2023-10-18T20:00:00Z", "PIPZ")).toBe("listed");
    expect([kind("2025-05-02T20:00:00Z", "OLDZQ"), kind("2025-05-02T20:00:00Z", "NEWZQ")]).toEqual([
      "listed",
      null,
    ]);
    expect([kind("2025-05-03T20:00:00Z", "OLDZQ"), kind("2025-05-03T20:00:00Z", "NEWZQ")]).toEqual([
      null,
      "listed",
    ]);
    expect(kind("2026-11-20T20:00:00Z", "zorp")).toBe("listed");
    expect(kind("2026-11-20T20:00:00Z", "ZQAAA")).toBeNull();
  });

  test("every year has one 4:1 split among five companies, and a 1:10 comes every five years", () => {
    const market = open("2026-11-20T20:00:00Z", { years: 10 });
    const splits = COMPANIES.flatMap((listing) =>
      market
        .history(listing)
        .actions.flatMap((action) =>
          action.kind === "split"
            ? [`${action.date} ${listing.symbol} ${action.numerator}:${action.denominator}`]
            : [],
        ),
    ).sort();
    expect(splits.filter((s) => s.endsWith(" 4:1"))).toEqual([
      "2016-06-09 ZORP 4:1",
      "2017-06-09 WUZZL 4:1",
      "2018-06-11 KRONK 4:1",
      "2019-06-10 TRELB 4:1",
      "2020-06-09 QUAFF 4:1",
      "2021-06-09 ZORP 4:1",
      "2022-06-09 WUZZL 4:1",
      "2023-06-09 KRONK 4:1",
      "2024-06-10 TRELB 4:1",
      "2025-06-09 QUAFF 4:1",
      "2026-06-09 ZORP 4:1",
    ]);
    expect(splits.filter((s) => s.endsWith(" 1:10"))).toEqual([
      "2018-03-19 DREK 1:10",
      "2023-03-20 DREK 1:10",
    ]);
  });

  test("11,000 symbols: named ones and numbered ones, and the suggested three even in the smallest market", () => {
    const market = open("2026-11-20T20:00:00Z", { symbols: 11_000 });
    const last = numberedSymbol(11_000 - NAMED_LISTINGS - 1);
    expect(market.find(last)?.listing.symbol).toBe(last);
    expect(market.find(numberedSymbol(11_000 - NAMED_LISTINGS))).toBeNull();
    const symbols = market.symbols();
    // GLUMP is gone, HUSQ a stub, and OLDZQ, which was never counted, no symbol any more.
    expect(symbols.length).toBe(11_000 - 2);
    expect(new Set(symbols).size).toBe(symbols.length);
    const small = open("2026-11-20T20:00:00Z", { symbols: 3 });
    expect(small.symbols().sort()).toEqual([...suggestions()].sort());
  });

  test("numbered symbols count in base 26", () => {
    expect([0, 25, 26, 17_575].map(numberedSymbol)).toEqual(["ZQAAA", "ZQAAZ", "ZQABA", "ZQZZZ"]);
    for (const n of [0, 1, 25, 26, 675, 676, 17_575]) expect(numberedIndex(numberedSymbol(n))).toBe(n);
    expect(["ZORP", "ZQAA", "ZQAAAA", "zqaaa", ""].map(numberedIndex)).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  test("sizes out of range are refused", () => {
    for (const options of [
      { symbols: 2 },
      { symbols: 20_000 },
      { years: 0 },
      { years: 31 },
      { seed: 1.5 },
      { symbols: Number.NaN },
    ])
      expect(() => open("2026-11-20T20:00:00Z", options)).toThrow(RangeError);
  });
});
