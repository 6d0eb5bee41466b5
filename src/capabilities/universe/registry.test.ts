import { describe, expect, test } from "bun:test";
import { differences, type Listing, type Lists } from "./registry.ts";
import type { DirectoryFile, SourceListing } from "./sources.ts";

const AT = "2026-09-10T10:15:00.000Z";
const BEFORE = "2026-09-09T10:15:00.000Z";
const all = () => true;

const row = (symbol: string, over: Partial<SourceListing> = {}): SourceListing => ({
  symbol,
  name: `${symbol} Inc. Common Stock`,
  exchange: "NYSE",
  security_type: "common",
  is_etf: false,
  ...over,
});

const stored = (symbol: string, over: Partial<Listing> = {}): Listing => ({
  ...row(symbol),
  listing: symbol,
  cik: null,
  sector: null,
  industry: null,
  country: null,
  ipo_year: null,
  is_active: true,
  first_seen: BEFORE,
  last_seen: null,
  former_symbols: null,
  continued_by: null,
  source: "otherlisted",
  market_cap: null,
  market_cap_at: null,
  ...over,
});

const lists = (
  rows: Partial<Record<DirectoryFile, readonly SourceListing[]>>,
  over: Partial<Lists> = {},
): Lists => ({
  readings: (Object.entries(rows) as [DirectoryFile, readonly SourceListing[]][]).map(([file, of]) => ({
    file,
    rows: of,
    previous_read_at: BEFORE,
  })),
  areWhole: Object.keys(rows).length === 2,
  ciks: new Map(),
  screened: new Map(),
  at: AT,
  ...over,
});

const byListing = (rows: readonly Listing[]) => new Map(rows.map((each) => [each.listing, each]));

test("the first reading adds all listings, the same reading again changes nothing", () => {
  const given = lists({ nasdaqlisted: [row("ZORP", { exchange: "Nasdaq" })], otherlisted: [row("QUIB")] });
  const first = differences([], given, all);
  expect([first.added, first.updated, first.gone, first.refused]).toEqual([2, 0, 0, 0]);
  expect(byListing(first.changed).get("ZORP")).toMatchObject({
    symbol: "ZORP",
    is_active: true,
    first_seen: AT,
    last_seen: null,
    source: "nasdaqlisted",
  });
  const second = differences(first.changed, { ...given, at: "2026-09-11T10:15:00.000Z" }, all);
  expect([second.vintages, second.added, second.updated]).toEqual([[], 0, 0]);
});

describe("delisting", () => {
  const both = [stored("QUIB"), stored("GLUMP")];

  test("a listing missing from all lists stays, with the time it was last seen", () => {
    const found = differences(both, lists({ nasdaqlisted: [], otherlisted: [row("QUIB")] }), all);
    expect([found.gone, found.updated, found.added]).toEqual([1, 0, 0]);
    expect(found.vintages).toEqual([stored("GLUMP", { is_active: false, last_seen: BEFORE })]);
  });

  test("nothing is delisted while one list is missing: the listing may be in it", () => {
    expect(differences(both, lists({ otherlisted: [row("QUIB")] }), all)).toMatchObject({
      gone: 0,
      vintages: [],
    });
  });

  test("a listing that comes back is the same one; a change of exchange is no delisting", () => {
    const gone = stored("GLUMP", { is_active: false, last_seen: BEFORE });
    const moved = row("GLUMP", { exchange: "Nasdaq" });
    const found = differences([gone], lists({ nasdaqlisted: [moved], otherlisted: [] }), all);
    expect(found.vintages).toEqual([stored("GLUMP", { exchange: "Nasdaq", source: "nasdaqlisted" })]);
    expect([found.added, found.updated]).toEqual([0, 1]);
  });
});

describe("renames", () => {
  const old = stored("OLDZQ", { cik: "0009000007", sector: "Finance" });
  const ciks = new Map([["NEWZQ", "0009000007"]]);

  test("a delisted and a new listing of the same share of the same filer match", () => {
    const found = differences([old], lists({ nasdaqlisted: [], otherlisted: [row("NEWZQ")] }, { ciks }), all);
    expect([found.renamed, found.added, found.gone, found.updated]).toEqual([1, 0, 0, 1]);
    expect(found.vintages[0]).toMatchObject({
      listing: "OLDZQ",
      symbol: "NEWZQ",
      is_active: true,
      first_seen: BEFORE,
      former_symbols: JSON.stringify([{ ticker: "OLDZQ", last_seen: BEFORE }]),
    });
  });

  test("no match without a CIK, between a share and a warrant, or with two new listings", () => {
    const came = (rows: readonly SourceListing[], known: ReadonlyMap<string, string> | null) => {
      const found = differences([old], lists({ nasdaqlisted: [], otherlisted: rows }, { ciks: known }), all);
      return [found.renamed, found.added, found.gone];
    };
    expect(came([row("NEWZQ")], null)).toEqual([0, 1, 1]);
    const warrant = row("NEWZQ.WS", { security_type: "warrant" });
    expect(came([warrant], new Map([["NEWZQ.WS", "0009000007"]]))).toEqual([0, 1, 1]);
    const two = new Map([
      ["NEWZQ", "0009000007"],
      ["NEWZR", "0009000007"],
    ]);
    expect(came([row("NEWZQ"), row("NEWZR")], two)).toEqual([0, 2, 1]);
  });

  test("detected late: the CIK comes days after the ticker", () => {
    const gone = stored("OLDZQ", {
      cik: "0009000007",
      is_active: false,
      last_seen: "2026-09-07T10:15:00.000Z",
    });
    const came = stored("NEWZQ", { first_seen: "2026-09-08T10:15:00.000Z" });
    const given = lists({ nasdaqlisted: [], otherlisted: [row("NEWZQ")] }, { ciks });
    const found = differences([gone, came], given, all);
    expect([found.renamed, found.added, found.gone]).toEqual([1, 0, 0]);
    expect(byListing(found.vintages).get("OLDZQ")).toEqual({ ...gone, continued_by: "NEWZQ" });
    const again = differences(found.changed, given, all);
    expect([again.vintages, again.renamed]).toEqual([[], 0]);
    const longAgo = { ...gone, last_seen: "2026-07-07T10:15:00.000Z" };
    expect(differences([longAgo, came], given, all).renamed).toBe(0);
  });

  test("share classes match their own class", () => {
    const classes = [stored("OLDZQ", { cik: "0009000007" }), stored("OLDZQ.B", { cik: "0009000007" })];
    const both = new Map([
      ["NEWZQ", "0009000007"],
      ["NEWZQ.B", "0009000007"],
    ]);
    const given = lists({ nasdaqlisted: [], otherlisted: [row("NEWZQ"), row("NEWZQ.B")] }, { ciks: both });
    const found = byListing(differences(classes, given, all).changed);
    expect([found.get("OLDZQ")?.symbol, found.get("OLDZQ.B")?.symbol]).toEqual(["NEWZQ", "NEWZQ.B"]);
  });
});

test("a symbol that belongs to another filer now is another listing", () => {
  const first = stored("PIPZ", { cik: "0009000001" });
  const given = lists(
    { nasdaqlisted: [], otherlisted: [row("PIPZ")] },
    { ciks: new Map([["PIPZ", "0009000002"]]) },
  );
  const found = differences([first], given, all);
  expect([found.added, found.gone]).toEqual([1, 1]);
  expect(byListing(found.changed).get("PIPZ")).toMatchObject({ cik: "0009000001", is_active: false });
  expect(byListing(found.changed).get("PIPZ~2026-09-10")).toMatchObject({
    symbol: "PIPZ",
    cik: "0009000002",
    is_active: true,
  });
  const again = differences(found.changed, { ...given, at: "2026-09-11T10:15:00.000Z" }, all);
  expect(again.vintages).toEqual([]);
});

describe("fields of a list that failed keep their values", () => {
  const known = stored("QUIB", {
    cik: "0009000003",
    sector: "Finance",
    market_cap: 5e9,
    market_cap_at: BEFORE,
  });
  const given = { nasdaqlisted: [], otherlisted: [row("QUIB")] };

  test("when the screener or the regulator's list failed", () => {
    expect(differences([known], lists(given, { screened: null, ciks: null }), all)).toMatchObject({
      vintages: [],
      changed: [known],
    });
  });

  test("fields the screener no longer has become null; the CIK stays", () => {
    const [changed] = differences([known], lists(given), all).changed;
    expect(changed).toMatchObject({ cik: "0009000003", sector: null, market_cap: null, market_cap_at: null });
  });
});

test("filters refuse new listings, the largest enter first, known listings are updated", () => {
  const cap = (symbol: string, market_cap: number) =>
    [symbol, { symbol, sector: null, industry: null, country: null, ipo_year: null, market_cap }] as const;
  const given = lists(
    {
      nasdaqlisted: [],
      otherlisted: [row("AAQ"), row("BBQ"), row("CCQ"), row("DDQ", { name: "Ddq renamed" })],
    },
    { screened: new Map([cap("AAQ", 1e9), cap("BBQ", 9e9), cap("CCQ", 4e9)]) },
  );
  let left = 2;
  const found = differences([stored("DDQ")], given, () => left-- > 0);
  expect([found.added, found.updated, found.refused]).toEqual([2, 1, 1]);
  expect(found.vintages.map(({ symbol }) => symbol).sort()).toEqual(["BBQ", "CCQ", "DDQ"]);
});

test("a symbol in both files at once counts once", () => {
  const found = differences([], lists({ nasdaqlisted: [row("ZORP")], otherlisted: [row("ZORP")] }), all);
  expect([found.added, found.changed.length]).toEqual([1, 1]);
});
