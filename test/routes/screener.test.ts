// The screener over HTTP: filters, pages, totals, dollar volume, presets, and provider failures.
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type ApiDocument, apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

// The first requests compute a lot, sometimes on a busy machine.
setDefaultTimeout(1_200_000);

interface Row {
  rank: number;
  symbol: string;
  exchange: string;
  price: number;
  change_percent: number;
  volume: number;
  avg_volume_3m: number;
  market_cap: number | null;
  pe_ratio: number | null;
  fifty_two_week_high: number;
  fifty_two_week_change_percent: number | null;
  dollar_volume: number | null;
  dividend_yield: number | null;
  beta: number | null;
  sector: string | null;
  industry: string | null;
}
interface Screen {
  count: number;
  page: number;
  page_size: number;
  total_available: number;
  total_pages: number;
  excluded: number;
  truncated: boolean;
  filters: Record<string, unknown>;
  sort_by: string;
  sort_order: string;
  as_of: string;
  source: string;
  cached: boolean;
  data: Row[];
}
interface Problem {
  code: string;
  detail: { type: string; loc: string[]; msg: string }[];
}

const S = "/api/v1/screener";
let service: SampleService;
let document: ApiDocument;
beforeAll(async () => {
  service = await openSampleService({ symbols: 90, speed: 4 });
  document = await apiDocument(service);
});
afterAll(() => service.stop());
afterEach(() => service.sample.dials.clear());

const screen = async (query = "") => {
  const { status, headers, body } = await service.get<Screen>(`${S}/screen${query}`);
  expect(status).toBe(200);
  return { ...body, headers, symbols: body.data.map(({ symbol }) => symbol) };
};
const falling = (values: readonly (number | null)[]) =>
  values.every((v, i) => i === 0 || (v ?? 0) <= (values[i - 1] ?? 0));
/** Requests to the provider's screener, newest last. */
const asked = () => service.sample.traffic().total;

describe("filters are sent to the provider", () => {
  test("without filters: every US share, largest first, the first hundred", async () => {
    const all = await screen();
    expect(all).toMatchObject({
      page: 1,
      page_size: 100,
      filters: { country: "us" },
      sort_by: "market_cap",
      sort_order: "desc",
      source: "yahoo",
      truncated: false,
      excluded: 0,
      cached: false,
    });
    expect([all.count, all.total_available, all.total_pages]).toEqual([all.data.length, all.data.length, 1]);
    expect(all.count).toBeGreaterThan(70);
    expect(falling(all.data.map(({ market_cap }) => market_cap))).toBe(true);
    expect(all.data.map(({ rank }) => rank)).toEqual(all.data.map((_, i) => i + 1));
    expect(all.as_of).toStartWith("2026-09-09T21:");
    // Funds, indices and currencies are not shares; a share class is spelled as everywhere else.
    for (const symbol of ["SMPLF", "^SMPL", "ZIT-USD"]) expect(all.symbols).not.toContain(symbol);
    expect(all.symbols).toContain("QUIB.B");
  });

  test("bounds are inclusive, and every row of the answer satisfies them", async () => {
    const { data } = await screen(
      "?price_min=20&price_max=100&market_cap_min=10000000000&min_avg_volume=500000",
    );
    expect(data.length).toBeGreaterThan(5);
    for (const row of data) {
      expect(row.price).toBeGreaterThanOrEqual(20);
      expect(row.price).toBeLessThanOrEqual(100);
      expect(row.market_cap).toBeGreaterThanOrEqual(10e9);
      expect(row.avg_volume_3m).toBeGreaterThanOrEqual(500_000);
    }
    const [exact] = data;
    const same = await screen(`?price_min=${exact?.price}&price_max=${exact?.price}`);
    expect(same.symbols).toContain(exact?.symbol ?? "");
  });

  test("changes, ratios and yields in percent", async () => {
    const up = await screen("?change_percent_min=0.5&sort_by=change_percent&sort_order=asc");
    expect(up.data.every((row) => row.change_percent >= 0.5)).toBe(true);
    expect(falling(up.data.map((row) => -row.change_percent))).toBe(true);
    const down = await screen("?change_percent_max=-0.5");
    expect(down.data.every((row) => row.change_percent <= -0.5)).toBe(true);
    expect(up.total_available + down.total_available).toBeLessThan((await screen()).total_available);
    const paying = await screen("?dividend_yield_min=2");
    expect(paying.data.length).toBeGreaterThan(3);
    for (const row of paying.data) expect(row.dividend_yield).toBeGreaterThanOrEqual(2);
    const cheap = await screen("?pe_min=0&pe_max=15");
    expect(cheap.data.length).toBeGreaterThan(0);
    for (const row of cheap.data) expect(row.pe_ratio).toBeLessThanOrEqual(15);
    const year = await screen("?fifty_two_week_change_min=10");
    for (const row of year.data) expect(row.fifty_two_week_change_percent).toBeGreaterThanOrEqual(10);
    expect((await screen("?beta_min=0.3&beta_max=1.9")).total_available).toBeGreaterThan(0);
    expect((await screen("?beta_max=0.1")).total_available).toBe(0);
  });

  test("sector, industry and exchange; the rows have the sector of the filter", async () => {
    const { data, filters } = await screen("?sector=Technology&industry=Semiconductors&exchange=nasdaq,NYSE");
    expect(data.length).toBeGreaterThan(0);
    for (const row of data) {
      expect([row.sector, row.industry]).toEqual(["Technology", "Semiconductors"]);
      expect(["NMS", "NGM", "NCM", "NYQ"]).toContain(row.exchange);
    }
    expect(filters).toEqual({
      country: "us",
      exchange: ["nasdaq", "nyse"],
      sector: "Technology",
      industry: "Semiconductors",
    });
    const shouted = await screen(
      "?sector=TECHNOLOGY&country=US&industry=Semiconductors&exchange=Nasdaq,nyse",
    );
    expect(shouted.filters).toEqual(filters);
    expect(shouted.data).toEqual(data);
    const posted = await service.post<Screen>(`${S}/screen`, {
      sector: "technology",
      industry: "Semiconductors",
      exchange: ["NASDAQ", "nyse"],
    });
    expect([posted.body.filters, posted.body.data]).toEqual([filters, data]);
    const all = await screen();
    expect(all.data.every((row) => row.sector === null)).toBe(true);
    expect((await screen("?exchange=otc")).symbols).toEqual(["MURQ"]);
  });

  test("pages follow each other, totals are the provider's", async () => {
    const whole = await screen("?page_size=250");
    const pages = await Promise.all([1, 2, 3].map((page) => screen(`?page_size=30&page=${page}`)));
    expect(pages.flatMap(({ symbols }) => symbols)).toEqual(whole.symbols.slice(0, 90));
    expect(pages.map(({ total_pages }) => total_pages)).toEqual(
      pages.map(() => Math.ceil(whole.total_available / 30)),
    );
    expect(pages[1]?.data[0]?.rank).toBe(31);
    const beyond = await screen("?page_size=30&page=40");
    expect([beyond.count, beyond.total_available]).toEqual([0, whole.total_available]);
  });

  test("cached for a minute by its parameters", async () => {
    await screen("?price_min=7&force_refresh=true");
    service.sample.resetTraffic();
    const again = await screen("?price_min=7");
    expect([again.cached, again.headers.get("x-cache"), asked()]).toEqual([true, "HIT", 0]);
    expect((await screen("?price_min=8")).cached).toBe(false);
    service.clock.set(service.clock.now().add({ seconds: 61 }).toString());
    expect((await screen("?price_min=7")).cached).toBe(false);
  });

  test("POST is the same request", async () => {
    const { data } = await screen(
      "?exchange=nyse&price_min=50&sort_by=price&page_size=5&exclude_types=preferred,unit",
    );
    const { status, body } = await service.post<Screen>(`${S}/screen`, {
      exchange: ["nyse"],
      price_min: 50,
      sort_by: "price",
      page_size: 5,
      exclude_types: ["preferred", "unit"],
      sector: null,
    });
    expect([status, body.data]).toEqual([200, data]);
    const empty = await service.post<Screen>(`${S}/screen`, {});
    expect(empty.body.data).toEqual((await screen()).data);
  });
});

describe("excluded kinds", () => {
  test("are missing from the page, while the totals stay the provider's", async () => {
    const all = await screen();
    expect(all.symbols).toEqual(expect.arrayContaining(["ZORP.PRA", "PIPZ.WS", "MURQ"]));
    const plain = await screen("?exclude_types=preferred,warrant");
    expect(plain.symbols).toEqual(all.symbols.filter((symbol) => !["ZORP.PRA", "PIPZ.WS"].includes(symbol)));
    expect([plain.excluded, plain.total_available, plain.count]).toEqual([
      2,
      all.total_available,
      all.count - 2,
    ]);
    const places = new Map(all.data.map(({ symbol, rank }) => [symbol, rank]));
    for (const { symbol, rank } of plain.data) expect(rank).toBe(places.get(symbol) ?? 0);
  });

  test("over-the-counter shares are excluded by the provider, so the total changes", async () => {
    const all = await screen();
    const listed = await screen("?exclude_types=otc");
    expect(listed.symbols).toEqual(all.symbols.filter((symbol) => symbol !== "MURQ"));
    expect([listed.total_available, listed.excluded]).toEqual([all.total_available - 1, 0]);
    expect(listed.filters).toEqual({ country: "us", exclude_types: ["otc"] });
  });
});

describe("by dollar volume", () => {
  const MIN = 200_000_000;

  test("price times average volume over the whole set, which has its own totals", async () => {
    const all = await screen("?page_size=250");
    const rich = await screen(`?min_dollar_volume=${MIN}&page_size=10`);
    const expected = all.data.filter((row) => (row.dollar_volume ?? -1) >= MIN);
    expect(expected.length).toBeGreaterThan(10);
    expect([rich.total_available, rich.total_pages, rich.truncated]).toEqual([
      expected.length,
      Math.ceil(expected.length / 10),
      false,
    ]);
    expect(rich.symbols).toEqual(expected.slice(0, 10).map(({ symbol }) => symbol));
    for (const row of rich.data) expect(row.dollar_volume).toBeCloseTo(row.price * row.avg_volume_3m, 3);
    expect(rich.data.map(({ rank }) => rank)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    const second = await screen(`?min_dollar_volume=${MIN}&page_size=10&page=2`);
    expect(second.symbols).toEqual(expected.slice(10, 20).map(({ symbol }) => symbol));
    expect(second.data[0]?.rank).toBe(11);
  });

  test("rows can be ordered by it", async () => {
    const { data } = await screen(`?min_dollar_volume=0&sort_by=dollar_volume&page_size=250`);
    expect(falling(data.map((row) => row.dollar_volume))).toBe(true);
    const up = await screen(`?min_dollar_volume=0&sort_by=dollar_volume&sort_order=asc&page_size=250`);
    expect(up.symbols).toEqual(data.map(({ symbol }) => symbol).reverse());
    const { status, body } = await service.get<Problem>(`${S}/screen?sort_by=dollar_volume`);
    expect([status, body.code]).toEqual([400, "bad_request"]);
  });

  test("min_avg_volume is then not sent to the provider, but still applies", async () => {
    const wide = await screen(`?min_dollar_volume=${MIN}&page_size=250&force_refresh=true`);
    service.sample.resetTraffic();
    const both = await screen(`?min_dollar_volume=${MIN}&min_avg_volume=2000000&page_size=250`);
    // The set collected for the first request serves the second: both send the provider the same filters.
    expect([both.cached, asked()]).toEqual([true, 0]);
    expect(both.symbols).toEqual(
      wide.data.filter((row) => row.avg_volume_3m >= 2_000_000).map(({ symbol }) => symbol),
    );
    expect(both.total_available).toBeLessThan(wide.total_available);
  });

  test("cached separately: a plain screen neither uses nor changes it", async () => {
    service.clock.set(service.clock.now().add({ minutes: 10 }).toString());
    await screen(`?min_dollar_volume=${MIN}`);
    service.sample.resetTraffic();
    expect((await screen()).cached).toBe(false);
    expect(asked()).toBe(1);
    service.clock.set(service.clock.now().add({ minutes: 4 }).toString());
    expect((await screen(`?min_dollar_volume=${MIN}&page=2&page_size=5`)).cached).toBe(true);
    service.clock.set(service.clock.now().add({ minutes: 2 }).toString());
    expect((await screen(`?min_dollar_volume=${MIN}`)).cached).toBe(false);
  });

  test("excluded kinds are excluded from the totals too", async () => {
    const all = await screen("?min_dollar_volume=0&page_size=250");
    const plain = await screen("?min_dollar_volume=0&exclude_types=warrant,preferred&page_size=250");
    expect(plain.total_available).toBe(all.total_available - 2);
  });
});

describe("presets", () => {
  test("eight presets, each with its filters", async () => {
    const { body } = await service.get<{ name: string; filters: object; sort_by: string }[]>(`${S}/presets`);
    expect(body.map(({ name }) => name)).toEqual([
      "day_gainers",
      "day_losers",
      "most_actives",
      "undervalued_large_caps",
      "growth_technology_stocks",
      "small_cap_gainers",
      "aggressive_small_caps",
      "fifty_two_week_highs",
    ]);
    expect(body[0]).toMatchObject({
      filters: {
        market_cap_min: 2e9,
        price_min: 5,
        volume_min: 15_000,
        change_percent_min: 3,
        exclude_types: ["otc"],
      },
      sort_by: "change_percent",
    });
  });

  test("a preset equals the screen with its filters", async () => {
    const { body } = await service.get<
      { name: string; filters: Record<string, unknown>; sort_by: string; sort_order: string }[]
    >(`${S}/presets`);
    for (const { name, filters, sort_by, sort_order } of body) {
      const preset = await service.get<Screen>(`${S}/preset/${name}`);
      expect([name, preset.status]).toEqual([name, 200]);
      expect(preset.body.filters).toEqual({ country: "us", ...filters });
      const same = await service.post<Screen>(`${S}/screen`, { ...filters, sort_by, sort_order });
      expect([name, same.body.data, same.body.total_available]).toEqual([
        name,
        preset.body.data,
        preset.body.total_available,
      ]);
    }
  });

  test("most_actives has rows and pages", async () => {
    const { body } = await service.get<Screen>(`${S}/preset/most_actives?page_size=2&page=2`);
    expect([body.page, body.page_size]).toEqual([2, 2]);
    expect(body.total_available).toBeGreaterThan(2);
    expect(body.data[0]?.rank).toBe(3);
    for (const row of body.data) expect(row.volume).toBeGreaterThanOrEqual(5e6);
  });

  test("52-week highs by each row's own price and high", async () => {
    const near = await screen(
      "?fifty_two_week_high_distance_max=15&sort_by=market_cap&page_size=250&exclude_types=otc",
    );
    const all = await screen("?exclude_types=otc&page_size=250");
    const expected = all.data.filter((row) => (1 - row.price / row.fifty_two_week_high) * 100 <= 15);
    expect(expected.length).toBeGreaterThan(0);
    expect(near.symbols).toEqual(expected.map(({ symbol }) => symbol));
    expect(near.total_available).toBe(expected.length);
  });

  test("exclude_types replaces the preset's own, min_dollar_volume is added", async () => {
    const { body } = await service.get<Screen>(
      `${S}/preset/day_losers?exclude_types=warrant&min_dollar_volume=1000000`,
    );
    expect(body.filters).toMatchObject({ exclude_types: ["warrant"], min_dollar_volume: 1_000_000 });
    const none = await service.get<Screen>(`${S}/preset/day_losers?exclude_types=,`);
    expect(none.body.filters).not.toHaveProperty("exclude_types");
  });

  test("an unknown preset, and hostile names", async () => {
    for (const name of ["losers", "__proto__", "day_gainers%00", "..%2Fscreen", "DAY_GAINERS"]) {
      const { status, body } = await service.get<Problem>(`${S}/preset/${name}`);
      expect([name, status, body.code]).toEqual([name, 404, "not_found"]);
    }
  });
});

describe("invalid requests", () => {
  test("values of another kind or out of bounds, every error reported", async () => {
    for (const [query, type] of [
      ["page=0", "greater_than_equal"],
      ["page=x", "int_parsing"],
      ["page_size=0", "greater_than_equal"],
      ["page_size=251", "less_than_equal"],
      ["price_min=-1", "greater_than_equal"],
      ["price_min=cheap", "float_parsing"],
      ["market_cap_max=1e999", "float_type"],
      ["min_dollar_volume=-5", "greater_than_equal"],
      ["sector=Tech", "literal_error"],
      ["sector=technolog", "literal_error"],
      ["country=de", "literal_error"],
      ["exchange=lse", "literal_error"],
      ["exclude_types=etf,bond", "literal_error"],
      ["sort_by=beauty", "literal_error"],
      ["sort_order=down", "literal_error"],
      [`industry=${"x".repeat(101)}`, "string_too_long"],
      ["force_refresh=maybe", "bool_parsing"],
    ] as const) {
      const { status, body } = await service.get<Problem>(`${S}/screen?${query}`);
      expect([query, status]).toEqual([query, 422]);
      if (type !== "float_type") expect([query, body.detail[0]?.type]).toEqual([query, type]);
    }
    const { body } = await service.get<Problem>(`${S}/screen?page=0&sector=x&exclude_types=y`);
    expect(body.detail.map(({ loc }) => loc.at(-1)).sort()).toEqual(["exclude_types", "page", "sector"]);
  });

  test("bodies of the wrong kind", async () => {
    for (const [body, type] of [
      [{ price_min: "5" }, "float_parsing"],
      [{ exclude_types: "etf" }, "list_type"],
      [{ exclude_types: ["etf", 7] }, "string_type"],
      [{ exclude_types: ["bond"] }, "literal_error"],
      [{ exchange: {} }, "list_type"],
      [{ page_size: 1000 }, "less_than_equal"],
    ] as const) {
      const { status, body: problem } = await service.post<Problem>(`${S}/screen`, body);
      expect([JSON.stringify(body), status, problem.detail[0]?.type]).toEqual([
        JSON.stringify(body),
        422,
        type,
      ]);
    }
  });

  test("contradictory filters, and rows beyond the provider's limit", async () => {
    for (const query of [
      "price_min=10&price_max=5",
      "exchange=otc&exclude_types=otc",
      "page=41&page_size=250",
      "page=10001&page_size=1",
    ]) {
      const { status, body } = await service.get<Problem>(`${S}/screen?${query}`);
      expect([query, status, body.code]).toEqual([query, 400, "bad_request"]);
    }
    expect((await service.get(`${S}/screen?page=40&page_size=250`)).status).toBe(200);
  });
});

describe("when the provider fails", () => {
  test("the failure is reported", async () => {
    for (const [error, status] of [
      ["html", 502],
      ["wrong_shape", 502],
      ["truncated", 502],
      ["rate_limited", 429],
    ] as const) {
      service.sample.dials.clear();
      service.clock.set(service.clock.now().add({ hours: 2 }).toString());
      service.sample.dials.set([{ fault: error, match: "/v1/finance/screener" }]);
      expect([error, (await service.get(`${S}/screen`)).status]).toEqual([error, status]);
    }
    service.sample.dials.clear();
    service.clock.set(service.clock.now().add({ hours: 2 }).toString());
    expect((await screen()).cached).toBe(false);
  });

  test("one failed page fails the whole collection", async () => {
    service.clock.set(service.clock.now().add({ hours: 2 }).toString());
    service.sample.dials.set([{ fault: "status", status: 503, match: "/v1/finance/screener" }]);
    expect((await service.get(`${S}/screen?min_dollar_volume=1`)).status).toBe(502);
    service.sample.dials.clear();
    service.clock.set(service.clock.now().add({ hours: 2 }).toString());
    expect((await screen("?min_dollar_volume=1")).cached).toBe(false);
  });

  test("an expired crumb is renewed", async () => {
    service.sample.dials.set([{ fault: "expire_crumbs" }]);
    expect((await screen("?force_refresh=true")).cached).toBe(false);
  });
});

test("every answer matches the API document, in every format", async () => {
  for (const [method, path, query, status] of [
    ["GET", "/screen", "?page_size=5", 200],
    ["GET", "/screen", "?min_dollar_volume=1&page_size=5&format=csv", 200],
    ["GET", "/screen", "?page_size=5&format=ndjson", 200],
    ["GET", "/screen", "?page_size=5&format=parquet", 200],
    ["GET", "/screen", "?price_min=2&price_max=1", 400],
    ["GET", "/screen", "?page=0", 422],
    ["GET", "/presets", "", 200],
    ["GET", "/preset/{name}", "/preset/most_actives?page_size=5", 200],
    ["GET", "/preset/{name}", "/preset/fifty_two_week_highs", 200],
    ["GET", "/preset/{name}", "/preset/nothing", 404],
    ["GET", "/preset/{name}", "/preset/most_actives?page=0", 422],
  ] as const) {
    const url = query.startsWith("/") ? query : `${path}${query}`;
    const response = await service.fetch(`${S}${url}`);
    expect([url, response.status]).toEqual([url, status]);
    expect(await faultsOfAnswer(document, document.operation(method, `${S}${path}`), response)).toEqual([]);
  }
  const csv = await (await service.fetch(`${S}/screen?page_size=3&format=csv`)).text();
  const lines = csv.trim().split("\r\n");
  expect(lines[0]).toEndWith(
    "fifty_two_week_change_percent,dollar_volume,beta,dividend_yield,sector,industry",
  );
  expect(lines).toHaveLength(4);
});
