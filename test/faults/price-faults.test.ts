// Every fault of the sample upstream at the price provider: what clients are answered, and that nothing bad
// is stored.
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Dial } from "../../sample/faults.ts";
import { EVENING, openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const P = "/api/v1/price";
/** Longer than the breaker stays open after failures, and than quotes and intraday bars are cached. */
const LATER_MS = 20 * 60_000;

interface Body {
  code?: string;
  detail?: string;
  upstream?: string;
  retry_after?: number;
  warnings?: string[];
  data?: { date: string; close: number; volume: number }[];
  results?: { success: boolean; error: string; error_code: string; data: unknown }[];
  bars?: Record<string, unknown[]>;
  errors?: Record<string, string>;
  cached?: boolean;
}

/**
 * With a provider that falls silent, ten seconds pass in a real one: its time limits are to be met, the
 * request's not.
 */
const STALL_SPEED = 10;

/** Sets the faults of the provider, and the speed of the clock that they need. */
function setDials({ clock, sample }: SampleService, ...dials: Dial[]): void {
  clock.setSpeed(dials.some(({ fault }) => fault === "stall") ? STALL_SPEED : undefined);
  sample.dials.set(dials);
}

const later = ({ clock }: SampleService) =>
  clock.set(Temporal.Instant.fromEpochMilliseconds(clock.nowMs() + LATER_MS).toString());

/** Rows of every dataset of the lake, and of the tables that say what is known of symbols. */
const rowsOf = (service: SampleService) =>
  service
    .app()
    .lake.stats()
    .map(({ dataset, rows }) => [dataset, rows]);

const RANGE = "start_date=2026-08-03&end_date=2026-08-14";
const SPAN = { start_date: "2026-08-03", end_date: "2026-08-14" };
const ROUTES: readonly (readonly [name: string, path: string, body?: unknown])[] = [
  ["GET /data/{ticker}", `${P}/data/KRONK?${RANGE}`],
  ["POST /data", `${P}/data`, { ticker: "KRONK", ...SPAN }],
  ["GET /data", `${P}/data?tickers=KRONK&${RANGE}`],
  ["POST /data/bulk", `${P}/data/bulk`, { tickers: ["KRONK"], ...SPAN }],
  ["GET /latest", `${P}/latest/KRONK`],
  ["GET /today", `${P}/today/KRONK`],
  ["GET /quote", `${P}/quote/KRONK`],
  ["GET /intraday", `${P}/intraday?tickers=KRONK`],
  ["GET /intraday/{ticker}", `${P}/intraday/KRONK`],
];

async function ask(service: SampleService, path: string, body?: unknown) {
  return body === undefined ? service.get<Body>(path) : service.post<Body>(path, body);
}

/** Only requests for data are struck; the session that quotes need stays as it is. */
const DATA = "/finance/";
const FAILED = [502, "upstream_error"] as const;
const LIMITED = [429, "upstream_rate_limited"] as const;
const FAULTS: readonly (readonly [name: string, dial: Dial, wanted: readonly [number, string]])[] = [
  ["429 without Retry-After", { fault: "rate_limited" }, LIMITED],
  ["429 with Retry-After in seconds", { fault: "rate_limited", retryAfterS: 7 }, LIMITED],
  [
    "429 with Retry-After as a date",
    { fault: "rate_limited", retryAfterS: 90, retryAfterAs: "date" },
    LIMITED,
  ],
  ["status 999", { fault: "status", status: 999 }, LIMITED],
  ["status 403", { fault: "status", status: 403 }, LIMITED],
  ["status 500", { fault: "status", status: 500 }, FAILED],
  ["status 503", { fault: "status", status: 503 }, FAILED],
  ["an outage page that says 200", { fault: "html" }, FAILED],
  ["an empty answer", { fault: "empty" }, FAILED],
  ["another shape", { fault: "wrong_shape" }, FAILED],
  ["a broken connection", { fault: "reset" }, FAILED],
  ["half an answer", { fault: "truncated" }, FAILED],
  ["an answer without end", { fault: "huge" }, FAILED],
  ["silence", { fault: "stall" }, [504, "upstream_timeout"]],
  ["half an answer, then silence", { fault: "stall", bytes: 40 }, [504, "upstream_timeout"]],
];

describe("each fault on each route", () => {
  let service: SampleService;
  beforeAll(async () => {
    service = await openSampleService();
    expect((await service.get(`${P}/quote/ZORP`)).status).toBe(200);
  });
  afterAll(() => service.stop());

  for (const [name, dial, [status, code]] of FAULTS)
    test(`${name} is ${status} ${code}, and nothing of it is stored`, async () => {
      const before = rowsOf(service);
      setDials(service, { ...dial, match: DATA });
      const reported: unknown[] = [];
      for (const [route, path, body] of ROUTES) {
        later(service);
        const answer = await ask(service, path, body);
        const [result] = answer.body.results ?? [];
        if (result) {
          reported.push([route, answer.status, result.success, result.error_code, result.data]);
          continue;
        }
        reported.push([route, answer.status, answer.body.code]);
        expect(answer.headers.get("content-type")).toBe("application/problem+json");
        expect(answer.body.upstream).toBe("yahoo");
        expect(answer.headers.get("retry-after")).toBe(status === 429 ? "30" : null);
        expect(answer.body.retry_after).toBe(status === 429 ? 30 : undefined);
      }
      service.sample.dials.clear();
      expect(reported).toEqual(
        ROUTES.map(([route]) =>
          route === "POST /data/bulk" ? [route, 200, false, code, null] : [route, status, code],
        ),
      );
      expect(rowsOf(service)).toEqual(before);
      expect(service.log.lines.filter((l) => l.level === "error")).toEqual([]);
    });

  test("once the provider answers again every route does", async () => {
    for (const [route, path, body] of ROUTES) {
      later(service);
      expect([route, (await ask(service, path, body)).status]).toEqual([route, 200]);
    }
  });
});

describe("what is stored outlives the provider's bad days", () => {
  let service: SampleService;
  beforeAll(async () => {
    service = await openSampleService();
    expect((await service.get(`${P}/data/WUZZL?${RANGE}`)).status).toBe(200);
  });
  afterEach(() => service.sample.dials.clear());
  afterAll(() => service.stop());
  const kinds = FAULTS.filter(([name]) =>
    /^(429 without|status 5|an outage|half an answer$|silence)/.test(name),
  );

  for (const [name, dial, [status, code]] of kinds)
    test(`${name}: stored bars are served with a warning, force_refresh reports the error`, async () => {
      later(service);
      setDials(service, { ...dial, match: DATA });
      const stored = await service.get<Body>(`${P}/data/WUZZL?${RANGE}`);
      expect([stored.status, stored.body.data?.length, stored.body.cached, stored.body.warnings]).toEqual([
        200,
        10,
        true,
        [],
      ]);
      const wider = await service.get<Body>(`${P}/data/WUZZL?start_date=2026-08-03&end_date=2026-08-21`);
      expect([wider.status, wider.body.data]).toEqual([200, stored.body.data]);
      expect(wider.body.warnings?.[0]).toContain("Missing days could not be fetched: ");
      expect(wider.body.warnings?.[1]).toBe("No bar for 5 days between 2026-08-17 and 2026-08-21.");
      const many = await service.get<Body>(
        `${P}/data?tickers=WUZZL,QUAFF&start_date=2026-08-03&end_date=2026-08-21`,
      );
      expect([many.status, many.body.bars?.WUZZL?.length, many.body.bars?.QUAFF]).toEqual([200, 10, []]);
      expect(Object.keys(many.body.errors ?? {})).toEqual(["WUZZL", "QUAFF"]);
      later(service);
      const forced = await service.get<Body>(`${P}/data/WUZZL?${RANGE}&force_refresh=true`);
      expect([forced.status, forced.body.code]).toEqual([status, code]);
      service.sample.dials.clear();
      expect((await service.get<Body>(`${P}/data/WUZZL?${RANGE}`)).body.data).toEqual(stored.body.data);
    });

  test("afterwards the gap is filled", async () => {
    later(service);
    const { body } = await service.get<Body>(`${P}/data/WUZZL?start_date=2026-08-03&end_date=2026-08-21`);
    expect([body.data?.length, body.warnings]).toEqual([15, []]);
  });
});

describe("the breaker", () => {
  test("one refusal stops all requests for a minute; then a single request probes the provider", async () => {
    const service = await openSampleService();
    const { dials } = service.sample;
    const asked = () => service.sample.traffic().total;
    dials.set([{ fault: "rate_limited" }]);
    expect((await service.get(`${P}/data/TRELB?${RANGE}`)).status).toBe(429);
    expect(asked()).toBe(1);
    for (const path of [`${P}/data/TRELB?${RANGE}`, `${P}/data/SNARV?${RANGE}`, `${P}/intraday/ZUBB`]) {
      const { status, headers, body } = await service.get<Body>(path);
      expect([status, body.code, headers.get("retry-after")]).toEqual([429, "upstream_rate_limited", "30"]);
    }
    expect(asked()).toBe(1);
    const sick = (
      await service.get<{
        status: string;
        dependencies: Record<string, { status: string; breaker: string }>;
      }>("/api/v1/health")
    ).body;
    expect([sick.status, sick.dependencies.yahoo?.breaker]).toEqual(["degraded", "open"]);
    dials.clear();
    expect((await service.get(`${P}/data/TRELB?${RANGE}`)).status).toBe(429);
    service.clock.set(Temporal.Instant.from(EVENING).add({ minutes: 10 }).toString());
    expect((await service.get(`${P}/data/TRELB?${RANGE}`)).status).toBe(200);
    const well = (await service.get<typeof sick>("/api/v1/health")).body;
    expect([well.status, well.dependencies.yahoo?.breaker]).toEqual(["healthy", "closed"]);
    await service.stop();
  });

  test("a passing fault is not even noticed", async () => {
    const service = await openSampleService();
    for (const dial of [
      { fault: "status", status: 502, times: 1 },
      { fault: "truncated", times: 1 },
      { fault: "latency", afterMs: 100, times: 2 },
      { fault: "stall", times: 1 },
    ] as const satisfies readonly Dial[]) {
      setDials(service, dial);
      const { status, body } = await service.get<Body>(`${P}/data/FROBZ?${RANGE}&force_refresh=true`);
      expect([dial.fault, status, body.data?.length, body.warnings]).toEqual([dial.fault, 200, 10, []]);
    }
    await service.stop();
  });
});

describe("health", () => {
  test("names an answer of another shape with its time, and keeps it when the provider is well again", async () => {
    const service = await openSampleService();
    const yahoo = async () => {
      const { body } = await service.get<{ dependencies: Record<string, Record<string, unknown>> }>(
        "/api/v1/health",
      );
      return body.dependencies.yahoo ?? {};
    };
    await service.get(`${P}/data/TRELB?${RANGE}`);
    expect(await yahoo()).toMatchObject({ status: "healthy", last_misread: null, last_error_at: null });
    service.sample.dials.set([{ fault: "wrong_shape", match: DATA }]);
    const before = service.clock.now().toString();
    expect((await service.get(`${P}/data/SNARV?${RANGE}`)).status).toBe(502);
    const sick = await yahoo();
    expect(sick).toMatchObject({
      status: "degraded",
      breaker: "closed",
      last_misread: { says: expect.stringContaining("yahoo changed the shape of chart") },
    });
    expect((sick.last_misread as { at: string }).at > before).toBe(true);
    service.sample.dials.clear();
    expect((await service.get(`${P}/data/SNARV?${RANGE}`)).status).toBe(200);
    expect(await yahoo()).toMatchObject({ status: "healthy", last_misread: sick.last_misread });
    await service.stop();
  });
});

describe("faults inside an answer that is otherwise right", () => {
  test("a stray bar or a repeated day does not change the series", async () => {
    const service = await openSampleService();
    const good = (await service.get<Body>(`${P}/data/NURBL?${RANGE}`)).body.data;
    const before = rowsOf(service);
    for (const error of ["stray_bar", "duplicate_day"] as const) {
      service.sample.dials.set([{ fault: error }]);
      const { status, body } = await service.get<Body>(`${P}/data/NURBL?${RANGE}&force_refresh=true`);
      expect([error, status, body.data]).toEqual([error, 200, good]);
      service.sample.dials.clear();
      expect(rowsOf(service)).toEqual(before);
    }
    await service.stop();
  });

  test("bars of another width than asked are refused, never stored as days", async () => {
    const service = await openSampleService();
    const before = rowsOf(service);
    service.sample.dials.set([{ fault: "wrong_granularity", granularity: "3mo" }]);
    const { status, body } = await service.get<Body>(`${P}/data/NURBL?${RANGE}`);
    expect([status, body.code]).toEqual([502, "upstream_error"]);
    expect(rowsOf(service)).toEqual(before);
    await service.stop();
  });

  test("a symbol left out of the quotes is missed for a minute, not for good", async () => {
    const service = await openSampleService();
    service.sample.dials.set([{ fault: "missing_symbols", symbols: ["VEXOQ"] }]);
    const { status, body } = await service.get<Body>(`${P}/quote/VEXOQ`);
    expect([status, body.code]).toEqual([404, "no_data"]);
    service.sample.dials.clear();
    later(service);
    expect((await service.get(`${P}/quote/VEXOQ`)).status).toBe(200);
    await service.stop();
  });
});

describe("the session that quotes need", () => {
  const SESSION = ["getcrumb", "fc.yahoo.com"];

  test.each([
    ["status", { fault: "status", status: 500 }],
    ["html", { fault: "html" }],
    ["empty", { fault: "empty" }],
    ["rate_limited", { fault: "rate_limited" }],
    ["stall", { fault: "stall" }],
  ] as [string, Dial][])("a crumb that is %s takes down quotes only", async (_, dial) => {
    const service = await openSampleService();
    setDials(service, ...SESSION.map((match) => ({ ...dial, match })));
    const quote = await service.get<Body>(`${P}/quote/ZORP`);
    expect([429, 502, 504]).toContain(quote.status);
    expect(quote.body.code).toBe(
      { 429: "upstream_rate_limited", 502: "upstream_error", 504: "upstream_timeout" }[quote.status] ?? "",
    );
    for (const [route, path, body] of ROUTES)
      if (route !== "GET /quote")
        expect([route, (await ask(service, path, body)).status]).toEqual([route, 200]);
    const { body: health } = await service.get<{ dependencies: Record<string, { status: string }> }>(
      "/api/v1/health",
    );
    expect(health.dependencies.yahoo?.status).toBe("healthy");
    service.sample.dials.clear();
    later(service);
    expect((await service.get(`${P}/quote/ZORP`)).status).toBe(200);
    await service.stop();
  });

  test("a stale crumb is renewed unnoticed by the client; one that is never accepted is an error of the provider", async () => {
    const service = await openSampleService();
    expect((await service.get(`${P}/quote/ZORP`)).status).toBe(200);
    service.sample.dials.set([{ fault: "expire_crumbs" }]);
    later(service);
    expect((await service.get(`${P}/quote/ZORP`)).status).toBe(200);
    service.sample.dials.set([{ fault: "invalid_crumb", match: "/v7/finance/quote" }]);
    later(service);
    const { status, body } = await service.get<Body>(`${P}/quote/ZORP`);
    expect([status, body.upstream]).toEqual([502, "yahoo"]);
    expect(body.code).toMatch(/^upstream_(error|refused)$/);
    expect((await service.get(`${P}/data/ZORP?${RANGE}`)).status).toBe(200);
    await service.stop();
  });

  test("the way through the consent pages leads to the same quote", async () => {
    const service = await openSampleService();
    service.sample.dials.set([{ fault: "eu_consent" }]);
    const { status, body } = await service.get<{ ticker: string; price: number }>(`${P}/quote/ZORP`);
    expect([status, body.ticker]).toEqual([200, "ZORP"]);
    await service.stop();
  });
});
