import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { fakeClock } from "../../test/support/fake-clock.ts";
import { createMarket, NAMED_LISTINGS } from "../market.ts";
import { createSummaries } from "./quote-summary.ts";

setDefaultTimeout(1_200_000);

const calendar = exchangeCalendar();
function summaries() {
  const clock = fakeClock("2026-09-09T21:00:00Z");
  const ask = createSummaries(createMarket({ clock, calendar, seed: 1, years: 5, symbols: NAMED_LISTINGS }));
  return (symbol: string, ...modules: string[]) => ask(symbol, modules, () => undefined);
}

type Modules = Record<string, Record<string, unknown>>;
const modules = (summary: ReturnType<ReturnType<typeof summaries>>) => summary as Modules;

describe("profiles of the sample market", () => {
  test("are the same at every asking and in every process", () => {
    const [first, second] = [summaries(), summaries()];
    const profile = first("ZORP", "assetProfile", "price");
    expect(first("zorp", "assetProfile", "price")).toEqual(profile);
    expect(second("ZORP", "assetProfile", "price")).toEqual(profile);
    expect(Object.keys(modules(profile))).toEqual(["assetProfile", "price"]);
  });

  test("a class has its company's profile and its own price", () => {
    const ask = summaries();
    const [a, b] = [
      modules(ask("QUIB", "assetProfile", "price")),
      modules(ask("QUIB-B", "assetProfile", "price")),
    ];
    expect([b.assetProfile?.sector, b.assetProfile?.website, b.assetProfile?.fullTimeEmployees]).toEqual([
      a.assetProfile?.sector,
      a.assetProfile?.website,
      a.assetProfile?.fullTimeEmployees,
    ]);
    expect(b.price?.marketCap).not.toBe(a.price?.marketCap);
  });

  test("a company has people by what it is worth", () => {
    const ask = summaries();
    const each = (symbol: string) => {
      const { price, assetProfile } = modules(ask(symbol, "assetProfile", "price"));
      return Number(price?.marketCap) / Number(assetProfile?.fullTimeEmployees);
    };
    for (const symbol of ["ZORP", "KRONK", "WUZZL", "TRELB", "SNARV", "HALTZ", "JUMBL"])
      expect([symbol, each(symbol) > 0.3e6 && each(symbol) < 40e6]).toEqual([symbol, true]);
  });

  test("changes in percent are fractions", () => {
    const { price } = modules(summaries()("ZORP", "price"));
    expect(Math.abs(Number(price?.regularMarketChangePercent))).toBeLessThan(0.2);
  });

  test("late companies hold placeholders for so many answers", () => {
    const ask = summaries();
    const sectors = (symbol: string) =>
      Array.from({ length: 3 }, () => modules(ask(symbol, "assetProfile")).assetProfile?.sector);
    expect(sectors("CRUMQ")).toEqual(["N/A", "Consumer Defensive", "Consumer Defensive"]);
    expect(sectors("PLONQ")).toEqual(["", "", "Consumer Defensive"]);
    expect(modules(ask("VROOQ", "assetProfile")).assetProfile).toMatchObject({
      fullTimeEmployees: 0,
      website: "-",
    });
  });

  test("funds have no sector, indices no profile, stubs a name, the gone and the unknown nothing", () => {
    const ask = summaries();
    expect(Object.keys(modules(ask("SMPLF", "assetProfile")).assetProfile ?? {})).toEqual([
      "longBusinessSummary",
      "maxAge",
    ]);
    expect(ask("^SMPL", "assetProfile")).toBeNull();
    expect(modules(ask("HUSQ", "assetProfile", "price"))).toEqual({
      price: expect.objectContaining({ exchange: "YHD" }),
    });
    expect([ask("GLUMP", "price"), ask("NOSUCH", "price"), ask("OLDZQ", "price")]).toEqual([
      "missing",
      "missing",
      "missing",
    ]);
    expect(ask("ZORP", "earnings")).toBeNull();
  });
});
