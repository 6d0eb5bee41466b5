// Requests that contradict themselves, miss every route, or come from where they must not: status, code,
// words, headers.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { ALL, DATES, LONG, P, problemOf, ROUTES, requestOf, UUID } from "../support/price-requests.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

let service: SampleService;
beforeAll(async () => {
  service = await openSampleService();
});
afterAll(() => service.stop());

describe("fields that contradict each other are 400", () => {
  const spans: readonly (readonly [string, Readonly<Record<string, unknown>>, string])[] = [
    ["period and dates", { period: "1m", ...DATES }, "conflicting_time_selection"],
    ["period and one date", { period: "1m", end_date: "2026-09-02" }, "conflicting_time_selection"],
    ["an end without a start", { end_date: "2026-09-01" }, "invalid_date_range"],
    ["end before start", { start_date: "2026-09-02", end_date: "2026-09-01" }, "invalid_date_range"],
    ["start in the future", { start_date: "2026-09-11", end_date: "2026-09-12" }, "invalid_date_range"],
  ];
  for (const route of [ROUTES.one, ROUTES.post, ROUTES.bulk])
    for (const [label, span, code] of spans)
      test(`${route.name}: ${label}`, async () => {
        const [path, init] = requestOf(route, { ...route.good, ...span });
        expect((await problemOf(await service.fetch(path, init), 400, route.path)).code).toBe(code);
      });
  for (const route of [ROUTES.post, ROUTES.bulk])
    for (const [label, span, code] of [
      ["nothing given", {}, "conflicting_time_selection"],
      ["quarters and period", { quarters: ["2026Q1"], period: "1m" }, "conflicting_time_selection"],
      ["quarters and dates", { quarters: ["2026Q1"], ...DATES }, "conflicting_time_selection"],
      ["all three", { quarters: ["2026Q1"], period: "1m", ...DATES }, "conflicting_time_selection"],
      ["a quarter to come", { quarters: ["2026Q4"] }, "invalid_date_range"],
      ["a quarter of no time", { quarters: ["1800Q1"] }, "bad_request"],
    ] as const)
      test(`${route.name}: ${label}`, async () => {
        const [path, init] = requestOf(route, { ...route.good, ...span });
        expect((await problemOf(await service.fetch(path, init), 400, route.path)).code).toBe(code);
      });

  test.each([
    [`${P}/data?tickers=ZORP&start_date=2026-09-02&end_date=2026-09-01`, "invalid_date_range"],
    [`${P}/data?tickers=ZORP&start_date=2027-09-02&end_date=2027-09-03`, "invalid_date_range"],
    [`${P}/intraday?tickers=ZORP&start_date=2026-09-02&end_date=2026-09-01`, "invalid_date_range"],
    [`${P}/intraday?tickers=ZORP&end_date=2026-09-02`, "invalid_date_range"],
    [`${P}/data/ZORP?start=2026-09-01&start_date=2026-09-02&end=2026-09-03`, "conflicting_time_selection"],
    [`${P}/data/ZORP?interval=1h&as_of=2026-09-01`, "bad_request"],
    [`${P}/intraday/ZORP?interval=1m&period=30d`, "lookback_exceeded"],
    [`${P}/intraday?tickers=ZORP&interval=5m&start_date=2026-01-05&end_date=2026-01-06`, "lookback_exceeded"],
    [`${P}/data?tickers=&${new URLSearchParams(DATES)}`, "no_tickers"],
    [`${P}/data?ticker=%20,,%20&${new URLSearchParams(DATES)}`, "no_tickers"],
    [`${P}/intraday?tickers=`, "no_tickers"],
  ])("%s is %s", async (path, code) => {
    expect((await problemOf(await service.fetch(path), 400, path)).code).toBe(code);
  });

  test("a bulk list of empty names names no symbol", async () => {
    const [path, init] = requestOf(ROUTES.bulk, { tickers: ["", " , "], period: "1m" });
    expect((await problemOf(await service.fetch(path, init), 400)).code).toBe("no_tickers");
  });
});

describe("what is not wrong", () => {
  test("one day alone; limits count after duplicates are removed; null is as good as absent", async () => {
    const day = await service.get<{ count: number }>(
      `${P}/data/ZORP?start_date=2026-09-01&end_date=2026-09-01`,
    );
    expect([day.status, day.body.count]).toEqual([200, 1]);
    const names = LONG.slice(0, 500)
      .flatMap((t) => [t, t.toLowerCase()])
      .join(",");
    const then = "start_date=2025-09-01&end_date=2025-09-02&as_of=2025-10-01";
    const many = await service.get<{ symbols_requested: number }>(`${P}/data?tickers=${names}&${then}`);
    expect([many.status, many.body.symbols_requested]).toEqual([200, 500]);
    const bulk = await service.post<{ total_requested: number; failed: number }>(`${P}/data/bulk`, {
      tickers: LONG.slice(0, 100).flatMap((t) => [t, ` ${t} `]),
      start_date: "2025-09-01",
      end_date: "2025-09-02",
      quarters: null,
      as_of: "2025-10-01",
    });
    expect([bulk.status, bulk.body.total_requested, bulk.body.failed]).toEqual([200, 100, 100]);
  });

  test("unknown parameters and fields are ignored, of repeated ones the last holds, lists are joined", async () => {
    const odd = await service.get<{ period: string }>(
      `${P}/data/ZORP?period=5y&period=7d&limit=x&__proto__=1`,
    );
    expect([odd.status, odd.body.period]).toEqual([200, "7d"]);
    const lists = await service.get<{ bars: object }>(
      `${P}/data?tickers=ZORP&tickers=quib-b&${new URLSearchParams(DATES)}`,
    );
    expect(Object.keys(lists.body.bars)).toEqual(["ZORP", "quib-b"]);
    const extra =
      '{"__proto__":{"period":"9y"},"constructor":1,"ticker":"ZORP","period":"7d","nested":{"a":[]}}';
    const post = await service.fetch(`${P}/data`, {
      method: "POST",
      body: extra,
      headers: { "content-type": "application/vnd.api+json; charset=utf-8" },
    });
    expect(post.status).toBe(200);
  });

  test("a slash at the end is the same route; Accept is ignored where there are no rows", async () => {
    for (const path of [`${P}/latest/ZORP/`, `${P}/data/?tickers=ZORP&${new URLSearchParams(DATES)}`])
      expect((await service.fetch(path)).status).toBe(200);
    const quote = await service.fetch(`${P}/quote/ZORP`, { headers: { accept: "text/csv" } });
    expect([quote.status, quote.headers.get("content-type")]).toEqual([200, "application/json"]);
  });

  test.each(ALL.map((r) => [r.name, r] as const))("HEAD and OPTIONS of %s", async (_, route) => {
    const options = await service.fetch(route.path, { method: "OPTIONS" });
    expect([options.status, await options.text()]).toEqual([204, ""]);
    expect(options.headers.get("allow")?.split(", ")).toContain(route.method);
    if (route.method === "POST") return;
    const [path] = requestOf(route, route.good);
    const [get, head] = [await service.fetch(path), await service.fetch(path, { method: "HEAD" })];
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect(head.headers.get("content-type")).toBe(get.headers.get("content-type"));
    expect(head.headers.get("x-request-id")).toMatch(UUID);
  });
});

describe("unknown routes", () => {
  test.each([
    "/nope",
    "/api/v1",
    "/api/v2/price/latest/ZORP",
    "/API/V1/price/latest/ZORP",
    "/api/v1//price/latest/ZORP",
    "//api/v1/price/latest/ZORP",
    `${P}/latest//ZORP`,
    `${P}/latest/`,
    `${P}/latest/%2e%2e`,
    `${P}/latest/A/B`,
    "/%61pi/v1/price/latest/ZORP",
    "/api/v1/price/lates%74/ZORP",
    `${P}/latest//`,
    "/api/v1/etf//holdings?data_version=1",
    "/api/v1/etf/exposure//?data_version=1",
  ])("%s is 404", async (path) => {
    for (const method of ["GET", "OPTIONS"])
      expect((await problemOf(await service.fetch(path, { method }), 404)).code).toBe("route_not_found");
  });

  test.each(ALL.map((r) => [r.name, r] as const))(
    "another method than %s is 405 with Allow",
    async (_, route) => {
      const both = route.path === `${P}/data`;
      const allow = both
        ? "GET, HEAD, POST, OPTIONS"
        : route.method === "GET"
          ? "GET, HEAD, OPTIONS"
          : "POST, OPTIONS";
      // Below /data any GET is the one with a ticker.
      const methods = ["PUT", "DELETE", "PATCH", ...(route.method === "GET" && !both ? ["POST"] : [])];
      for (const method of methods) {
        if (route === ROUTES.bulk) continue;
        const response = await service.fetch(route.path, { method });
        expect(response.headers.get("allow")).toBe(allow);
        expect((await problemOf(response, 405, route.path)).code).toBe("method_not_allowed");
      }
    },
  );

  test("a body of another type is 415", async () => {
    for (const { path } of [ROUTES.post, ROUTES.bulk])
      for (const type of [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/jsonx",
      ]) {
        const response = await service.fetch(path, {
          method: "POST",
          body: "{}",
          headers: { "content-type": type },
        });
        expect((await problemOf(response, 415, path)).code).toBe("unsupported_media_type");
      }
  });

  test("a body beyond a million bytes is 413, announced or not", async () => {
    const big = `{"ticker":"${"x".repeat(1_000_000)}"}`;
    const streamed = () => new Blob([big]).stream();
    const type = { "content-type": "application/json" };
    for (const { path } of [ROUTES.post, ROUTES.bulk])
      for (const init of [
        { body: big, headers: type },
        { body: streamed(), headers: type },
        { body: "{}", headers: { ...type, "content-length": "1000001" } },
      ]) {
        const response = await service.fetch(path, { method: "POST", ...init });
        expect((await problemOf(response, 413, path)).code).toBe("payload_too_large");
      }
  });

  test("a URL beyond 16,000 characters is 414", async () => {
    const path = `${P}/data?tickers=${"A,".repeat(8_000)}&${new URLSearchParams(DATES)}`;
    expect((await problemOf(await service.fetch(path), 414)).code).toBe("uri_too_long");
  });
});

describe("access", () => {
  const LOOPBACK = ["localhost", "localhost:8000", "127.0.0.1:1", "[::1]:80", "127.8.9.10"];
  const FOREIGN = [
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "10.0.0.1",
    "0.0.0.0:80",
  ];

  test.each(ALL.map((r) => [r.name, r] as const))(
    "%s is closed to pages of other sites",
    async (_, route) => {
      const [path, { body, headers, method }] = requestOf(route, {
        ...route.good,
        ...(route.method === "POST" ? { period: "7d" } : {}),
      });
      const asked = async (more: Record<string, string>) =>
        service.fetch(path, {
          method: method ?? "GET",
          ...(body ? { body } : {}),
          headers: { ...(headers as Record<string, string>), host: "localhost", ...more },
        });
      for (const host of FOREIGN)
        expect((await problemOf(await asked({ host }), 403)).code).toBe("cross_site");
      for (const origin of [
        "https://evil.example",
        "null",
        "http://localhost.evil.example",
        "http://localhost:81",
      ])
        expect((await problemOf(await asked({ origin }), 403)).code).toBe("cross_site");
      const fromLink = await asked({ "sec-fetch-site": "cross-site" });
      expect((await problemOf(fromLink, 403)).code).toBe("cross_site");
    },
  );

  test("this machine's own names and pages are let in", async () => {
    const path = `${P}/data/ZORP?period=7d`;
    for (const host of LOOPBACK) {
      expect((await service.fetch(path, { headers: { host } })).status).toBe(200);
      expect((await service.fetch(path, { headers: { host, origin: `http://${host}` } })).status).toBe(200);
    }
    for (const site of ["same-origin", "none", "same-site"])
      expect(
        (await service.fetch(path, { headers: { host: "localhost", "sec-fetch-site": site } })).status,
      ).toBe(200);
  });

  test("with API_KEYS every route but health and docs needs one; ALLOWED_HOSTS and CORS_ORIGINS open doors", async () => {
    const guarded = await openSampleService({
      env: {
        API_KEYS: "key-one, key-two",
        ALLOWED_HOSTS: "data.example",
        CORS_ORIGINS: "https://desk.example",
      },
    });
    for (const route of ALL) {
      const [path, init] = requestOf(route, route.good);
      for (const more of [
        {},
        { "x-api-key": "wrong" },
        { "x-api-key": "" },
        { authorization: "Bearer key-on" },
        { authorization: "Basic key-one" },
      ]) {
        const response = await guarded.fetch(path, {
          ...init,
          headers: { ...(init.headers as Record<string, string>), ...more },
        });
        expect(response.headers.get("www-authenticate")).toBe("Bearer");
        expect((await problemOf(response, 401)).code).toBe("unauthorized");
      }
    }
    for (const path of ["/api/v1/metrics", "/metrics", "/api/v1/scheduler/jobs"])
      expect((await guarded.fetch(path)).status).toBe(401);
    for (const path of [
      "/api/v1/health",
      "/api/v1/health/live",
      "/api/v1/health/ready",
      "/api/v1/openapi.json",
      "/docs",
    ])
      expect((await guarded.fetch(path)).status).toBe(200);
    const path = `${P}/data/ZORP?period=7d`;
    for (const headers of [
      { "x-api-key": "key-one" },
      { "x-api-key": "key-two" },
      { authorization: "bearer key-two" },
    ])
      expect((await guarded.fetch(path, { headers })).status).toBe(200);
    const desk = { host: "data.example", origin: "https://desk.example", "x-api-key": "key-one" };
    const shared = await guarded.fetch(path, { headers: desk });
    expect([shared.status, shared.headers.get("access-control-allow-origin")]).toEqual([
      200,
      "https://desk.example",
    ]);
    const preflight = await guarded.fetch(path, {
      method: "OPTIONS",
      headers: { host: "data.example", origin: "https://desk.example" },
    });
    expect([preflight.status, preflight.headers.get("access-control-allow-headers")]).toEqual([
      204,
      expect.stringContaining("x-api-key"),
    ]);
    expect(
      (await guarded.fetch(path, { headers: { ...desk, origin: "https://desk.example.evil" } })).status,
    ).toBe(403);
    await guarded.stop();
  });
});

describe("every answer carries a request id", () => {
  const answers: readonly (readonly [string, string, RequestInit])[] = [
    ["good", `${P}/data/ZORP?period=7d`, {}],
    ["400", `${P}/data/ZORP?start_date=2026-09-01`, {}],
    ["403", `${P}/data/ZORP`, { headers: { origin: "https://evil.example" } }],
    ["404", "/nope", {}],
    ["405", `${P}/latest/ZORP`, { method: "PUT" }],
    ["422", `${P}/data`, {}],
    ["OPTIONS", `${P}/data`, { method: "OPTIONS" }],
    ["csv", `${P}/data/ZORP?period=7d&format=csv`, {}],
    ["health", "/api/v1/health", {}],
    ["docs", "/docs", {}],
  ];
  test.each(answers)(
    "%s: the client's own where it is well formed, else a new one",
    async (_, path, init) => {
      const idOf = async (id?: string) => {
        const headers = {
          ...(init.headers as Record<string, string>),
          ...(id === undefined ? {} : { "x-request-id": id }),
        };
        const response = await service.fetch(path, { ...init, headers });
        await response.arrayBuffer();
        expect(response.headers.get("x-content-type-options")).toBe("nosniff");
        return response.headers.get("x-request-id") ?? "";
      };
      for (const good of ["abc", "A.b_c-9", "x".repeat(128)]) expect(await idOf(good)).toBe(good);
      for (const bad of ["", "a b", "a/b", "x".repeat(129), "ä", "<x>"])
        expect(await idOf(bad)).toMatch(UUID);
      expect(await idOf()).not.toBe(await idOf());
    },
  );
});
