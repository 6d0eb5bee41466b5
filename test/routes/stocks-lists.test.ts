// The market lists over HTTP: rows, order, limits, caching, and provider failures.
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
  price_time: string;
  change_percent: number;
  volume: number;
  avg_volume_3m: number;
  market_cap: number;
  fifty_two_week_change_percent: number;
  sources?: string[];
}
interface Problem {
  code: string;
  detail: { type: string; loc: string[]; msg: string }[];
}

const S = "/api/v1/stocks";
let service: SampleService;
let document: ApiDocument;
beforeAll(async () => {
  // A Wednesday, an hour after the close: prices stand still.
  service = await openSampleService({ symbols: 90, speed: 4 });
  document = await apiDocument(service);
});
afterAll(() => service.stop());
afterEach(() => service.sample.dials.clear());

const list = async (path: string) => {
  const { status, headers, body } = await service.get<Row[]>(`${S}${path}`);
  expect(status).toBe(200);
  return { headers, body, symbols: body.map(({ symbol }) => symbol) };
};
const falling = (values: readonly number[]) => values.every((v, i) => i === 0 || v <= (values[i - 1] ?? v));
const ranksOf = (body: readonly Row[]) => body.map(({ rank }) => rank);

describe("most active", () => {
  test("ranked by shares traded, with the provider's figures of the same time", async () => {
    const { headers, body } = await list("/most-active?force_refresh=true");
    expect(body.length).toBeGreaterThan(40);
    expect(falling(body.map(({ volume }) => volume))).toBe(true);
    expect(ranksOf(body)).toEqual(body.map((_, i) => i + 1));
    expect(new Set(body.map(({ symbol }) => symbol)).size).toBe(body.length);
    expect([headers.get("x-cache"), headers.get("x-source")]).toEqual(["MISS", "yahoo"]);
    expect(headers.get("x-total-count")).toBe(String(body.length));
    expect(headers.get("x-as-of")).toStartWith("2026-09-09T21:");
    const [first] = body;
    const quote = await service.get<Record<string, number>>(`/api/v1/price/quote/${first?.symbol}`);
    expect(first).toMatchObject({
      price: quote.body.regular_market_price as number,
      change_percent: quote.body.regular_market_change_percent as number,
      volume: quote.body.regular_market_volume as number,
      market_cap: quote.body.market_cap as number,
      price_time: String(quote.body.regular_market_time),
    });
  });

  test("limit cuts the cached list", async () => {
    const all = await list("/most-active");
    service.sample.resetTraffic();
    const few = await list("/most-active?limit=3");
    expect(few.body).toEqual(all.body.slice(0, 3));
    expect([few.headers.get("x-cache"), few.headers.get("x-total-count")]).toEqual([
      "HIT",
      String(all.body.length),
    ]);
    expect((await list("/most-active?limit=500")).body).toEqual(all.body);
    expect(service.sample.traffic().total).toBe(0);
  });

  test("cached for an hour", async () => {
    await list("/most-active?force_refresh=true");
    const at = service.clock.now();
    service.clock.set(at.add({ minutes: 58 }).toString());
    expect((await list("/most-active")).headers.get("x-cache")).toBe("HIT");
    service.clock.set(at.add({ minutes: 61 }).toString());
    expect((await list("/most-active")).headers.get("x-cache")).toBe("MISS");
    service.clock.set(at.toString());
  });
});

describe("52-week gainers", () => {
  test("by gain, only listed shares above the minimum size", async () => {
    const { body, headers } = await list("/52-week-gainers?force_refresh=true");
    expect(body.length).toBeGreaterThan(10);
    expect(falling(body.map((row) => row.fifty_two_week_change_percent))).toBe(true);
    for (const row of body) {
      expect(row.fifty_two_week_change_percent).toBeGreaterThan(0);
      expect(row.market_cap).toBeGreaterThanOrEqual(2e9);
      expect(row.price).toBeGreaterThanOrEqual(5);
      expect(row.exchange).not.toBe("PNK");
    }
    expect([headers.get("x-cache"), headers.get("x-total-count")]).toEqual(["MISS", String(body.length)]);
  });

  test("limit and max_pages within their bounds; the same pages are cached", async () => {
    const all = await list("/52-week-gainers?max_pages=3");
    expect(all.headers.get("x-cache")).toBe("HIT");
    expect((await list("/52-week-gainers?limit=2")).symbols).toEqual(all.symbols.slice(0, 2));
    expect((await list("/52-week-gainers?limit=1000&max_pages=10")).symbols).toEqual(all.symbols);
    expect((await list("/52-week-gainers?max_pages=1")).symbols).toEqual(all.symbols.slice(0, 200));
  });
});

describe("day gainers", () => {
  test("fetched each time, never cached", async () => {
    service.sample.resetTraffic();
    const first = await list("/gainers");
    const second = await list("/gainers");
    expect(service.sample.traffic().total).toBe(2);
    expect(falling(first.body.map((row) => row.change_percent))).toBe(true);
    expect(second.symbols).toEqual(first.symbols);
    expect([first.headers.get("x-cache"), first.headers.get("cache-control")]).toEqual([null, "no-store"]);
    expect(first.body.length).toBeGreaterThan(10);
    expect((await list("/gainers?count=2")).body).toEqual(first.body.slice(0, 2));
    expect(Number((await list("/gainers?count=2")).headers.get("x-total-count"))).toBe(first.body.length);
  });
});

describe("trending", () => {
  test("the most active, then the gainers; a share in both appears once with both sources", async () => {
    const active = await list("/most-active");
    const gainers = await list("/52-week-gainers");
    const { body, symbols, headers } = await list("/trending");
    const more = gainers.symbols.filter((symbol) => !active.symbols.includes(symbol));
    expect(symbols).toEqual([...active.symbols, ...more].slice(0, 500));
    expect(ranksOf(body)).toEqual(body.map((_, i) => i + 1));
    for (const { symbol, sources } of body)
      expect(sources).toEqual([
        ...(active.symbols.includes(symbol) ? ["most_active"] : []),
        ...(gainers.symbols.includes(symbol) ? ["52_week_gainers"] : []),
      ]);
    expect(body.some(({ sources }) => sources?.length === 2)).toBe(true);
    expect(headers.get("x-cache")).toBe("HIT");
  });

  test("n, most_active_limit and gainers_limit", async () => {
    const active = await list("/most-active");
    const gainers = await list("/52-week-gainers");
    expect((await list("/trending?n=4")).symbols).toEqual(active.symbols.slice(0, 4));
    const cut = await list("/trending?most_active_limit=2&gainers_limit=3");
    const more = gainers.symbols.slice(0, 3).filter((symbol) => !active.symbols.slice(0, 2).includes(symbol));
    expect(cut.symbols).toEqual([...active.symbols.slice(0, 2), ...more]);
    expect((await list("/trending?n=1000000")).symbols).toEqual((await list("/trending")).symbols);
  });

  test("cached for half an hour, though its parts are cached longer", async () => {
    await list("/trending?force_refresh=true");
    const at = service.clock.now();
    service.clock.set(at.add({ minutes: 29 }).toString());
    expect((await list("/trending")).headers.get("x-cache")).toBe("HIT");
    service.clock.set(at.add({ minutes: 31 }).toString());
    expect((await list("/trending")).headers.get("x-cache")).toBe("MISS");
    service.clock.set(at.toString());
  });
});

describe("invalid requests", () => {
  test("limits of the wrong kind or out of bounds", async () => {
    for (const [path, type] of [
      ["/most-active?limit=0", "greater_than_equal"],
      ["/most-active?limit=501", "less_than_equal"],
      ["/most-active?limit=ten", "int_parsing"],
      ["/most-active?limit=1.5", "int_parsing"],
      ["/most-active?force_refresh=2", "bool_parsing"],
      ["/52-week-gainers?limit=1001", "less_than_equal"],
      ["/52-week-gainers?limit=-1", "greater_than_equal"],
      ["/52-week-gainers?max_pages=0", "greater_than_equal"],
      ["/52-week-gainers?max_pages=11", "less_than_equal"],
      ["/trending?n=0", "greater_than_equal"],
      ["/trending?most_active_limit=0", "greater_than_equal"],
      ["/trending?gainers_limit=0", "greater_than_equal"],
      ["/gainers?count=0", "greater_than_equal"],
      ["/gainers?count=201", "less_than_equal"],
      ["/gainers?format=xlsx", "literal_error"],
    ] as const) {
      const { status, body } = await service.get<Problem>(`${S}${path}`);
      expect([path, status, body.detail[0]?.type]).toEqual([path, 422, type]);
    }
    const { body } = await service.get<Problem>(`${S}/52-week-gainers?limit=0&max_pages=99`);
    expect(body.detail.map(({ loc }) => loc.join("."))).toEqual(["query.limit", "query.max_pages"]);
  });

  test("empty values count as not given, unknown parameters are ignored", async () => {
    expect((await list("/most-active?limit=&colour=blue")).body).toEqual((await list("/most-active")).body);
  });
});

describe("an answer that is a bare list says in a header what it lacks", () => {
  const warningsOf = (headers: Headers) => JSON.parse(headers.get("x-warnings") ?? "[]") as string[];
  /** The provider's list with `total` shares of which it gives none. */
  const without = (total: number) =>
    JSON.stringify({ finance: { result: [{ start: 0, count: 0, total, quotes: [] }], error: null } });
  const PATHS = ["/most-active", "/52-week-gainers", "/trending", "/gainers"] as const;

  test("nothing where nothing is missing", async () => {
    for (const path of PATHS)
      expect([path, (await list(path)).headers.get("x-warnings")]).toEqual([path, null]);
  });

  test("rows that the limit leaves out, the same in every format", async () => {
    for (const [path, limit] of [
      ["/most-active", "limit"],
      ["/52-week-gainers", "limit"],
      ["/trending", "n"],
      ["/gainers", "count"],
    ] as const) {
      const total = (await list(path)).body.length;
      const said = [`2 of ${total} rows are here: the request's limit leaves out the others.`];
      const few = await list(`${path}?${limit}=2`);
      expect([path, few.body.length, warningsOf(few.headers)]).toEqual([path, 2, said]);
      for (const format of ["csv", "ndjson", "parquet", "records"]) {
        const { headers } = await service.fetch(`${S}${path}?${limit}=2&format=${format}`);
        expect([path, format, warningsOf(headers)]).toEqual([path, format, said]);
      }
    }
  });

  test("nothing is there, or it was not read: two different reasons of an empty list", async () => {
    for (const [total, kind] of [
      [0, /^nothing_there: The list of [a-z0-9 -]+ is empty at its source\.$/],
      [7, /^not_read: 7 of the 7 shares that the source counts in the list of [a-z0-9 -]+ are not here/],
    ] as const) {
      service.sample.dials.clear();
      service.sample.dials.set([{ fault: "status", status: 200, body: without(total), match: "screener" }]);
      for (const path of PATHS) {
        const { body, headers } = await list(path === "/gainers" ? path : `${path}?force_refresh=true`);
        expect([path, body]).toEqual([path, []]);
        const said = warningsOf(headers);
        expect([path, said.length]).toEqual([path, path === "/trending" ? 2 : 1]);
        for (const warning of said) expect(warning).toMatch(kind);
      }
    }
    service.sample.dials.clear();
    for (const path of PATHS) await list(path === "/gainers" ? path : `${path}?force_refresh=true`);
  });

  test("the document says so", () => {
    for (const path of PATHS)
      expect(Object.keys(document.operation("GET", `${S}${path}`).responses[200]?.headers ?? {})).toContain(
        "X-Warnings",
      );
  });
});

describe("when the provider fails", () => {
  const PATHS = ["/most-active", "/52-week-gainers", "/trending", "/gainers"];

  test("the failure is reported, and old prices are not served as new", async () => {
    for (const path of PATHS) await list(path);
    service.clock.set(service.clock.now().add({ hours: 20 }).toString());
    service.sample.dials.set([{ fault: "status", status: 503, match: "screener" }]);
    for (const path of PATHS) {
      const { status, body } = await service.get<Problem>(`${S}${path}`);
      expect([path, status, body.code]).toEqual([path, 502, "upstream_error"]);
    }
  });

  test("HTML, an empty answer, another format, damaged JSON: 502; rate limited: 429", async () => {
    for (const [error, status] of [
      ["html", 502],
      ["empty", 502],
      ["wrong_shape", 502],
      ["truncated", 502],
      ["rate_limited", 429],
    ] as const) {
      service.sample.dials.clear();
      service.clock.set(service.clock.now().add({ hours: 2 }).toString());
      service.sample.dials.set([{ fault: error, match: "screener" }]);
      const { status: got, headers } = await service.get(`${S}/gainers`);
      expect([error, got]).toEqual([error, status]);
      if (error === "rate_limited") expect(headers.get("retry-after")).toBe("30");
    }
    service.sample.dials.clear();
    service.clock.set(service.clock.now().add({ hours: 2 }).toString());
    expect((await list("/gainers")).body).toBeArray();
  });

  test("an expired crumb is renewed for the list that needs one", async () => {
    await list("/52-week-gainers?force_refresh=true");
    service.sample.dials.set([{ fault: "expire_crumbs" }]);
    expect((await list("/52-week-gainers?force_refresh=true")).headers.get("x-cache")).toBe("MISS");
  });
});

describe("formats", () => {
  test("every answer matches the API document", async () => {
    for (const [path, query, status] of [
      ["/most-active", "", 200],
      ["/most-active", "?format=csv", 200],
      ["/most-active", "?limit=0", 422],
      ["/52-week-gainers", "?limit=5", 200],
      ["/52-week-gainers", "?max_pages=x", 422],
      ["/trending", "?n=30", 200],
      ["/trending", "?format=ndjson", 200],
      ["/trending", "?n=0", 422],
      ["/gainers", "?count=5", 200],
      ["/gainers", "?count=0", 422],
      ["/gainers/snapshots", "", 404],
      ["/gainers/snapshots", "?at=nonsense", 422],
      ["/gainers/snapshots/list", "", 200],
      ["/gainers/snapshots/list", "?date=2026-02-30", 422],
    ] as const) {
      const response = await service.fetch(`${S}${path}${query}`);
      expect([path, response.status]).toEqual([path, status]);
      const operation = document.operation("GET", `${S}${path}`);
      expect(await faultsOfAnswer(document, operation, response)).toEqual([]);
    }
  });

  test("the same rows as csv and ndjson, lists within a cell joined", async () => {
    const { body } = await list("/trending?n=5");
    const csv = await (await service.fetch(`${S}/trending?n=5&format=csv`)).text();
    const [head = "", ...lines] = csv.trim().split("\r\n");
    expect(head).toEndWith("fifty_two_week_change_percent,sources");
    expect(lines).toHaveLength(5);
    const ndjson = await (await service.fetch(`${S}/trending?n=5&format=ndjson`)).text();
    expect(
      ndjson
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(body.map((row) => ({ ...row, sources: row.sources?.join(",") })) as never);
  });
});
