// The log routes: requests, errors, access and retention.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { SUGGESTED } from "../../sample/market.ts";
import { type ApiDocument, apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const L = "/api/v1/logs";
const [KNOWN] = SUGGESTED;
interface List<T> {
  count: number;
  total: number;
  has_more: boolean;
  data: T[];
}
type Row = Record<string, unknown> & { id: number; request_id: string; status_code: number; path: string };
type Fault = Record<string, unknown> & { id: number; level: string; message: string };

let service: SampleService;
let document: ApiDocument;
beforeAll(async () => {
  service = await openSampleService();
  document = await apiDocument(service);
  const as = (id: string) => ({
    headers: { "x-request-id": id, "user-agent": "test\r\nagent".replace("\r\n", " ") },
  });
  await service.get(`/api/v1/price/quote/${KNOWN}`, as("quote-1"));
  await service.get(`/api/v1/price/quote/${KNOWN}?api_key=CANARY&x=1`, as("quote-2"));
  await service.get("/api/v1/price/quote/NOSUCHX", as("unknown-1"));
  await service.get("/api/v1/nothing", as("none-1"));
  await service.get("/api/v1/price/data/%20?period=1m", as("bad-1"));
  service.sample.dials.set([{ fault: "status", status: 500, match: "chart/" }]);
  await service.get(`/api/v1/price/data/${KNOWN}?period=1m`, as("down-1"));
  service.sample.dials.clear();
});
afterAll(() => service.stop());

const get = async <T>(path: string, template = "/api/v1/logs/requests") => {
  const response = await service.fetch(path);
  const faults = await faultsOfAnswer(document, document.operation("GET", template), response.clone());
  expect(faults).toEqual([]);
  return { status: response.status, body: (await response.json()) as T };
};

describe("requests", () => {
  test("newest first, with all fields and no secrets", async () => {
    const { body } = await get<List<Row>>(`${L}/requests?path=/api/v1/price/quote`);
    expect(body.data.map((r) => [r.request_id, r.status_code])).toEqual([
      ["unknown-1", 404],
      ["quote-2", 200],
      ["quote-1", 200],
    ]);
    expect(body.data[1]).toMatchObject({
      method: "GET",
      path: `/api/v1/price/quote/${KNOWN}`,
      query: "api_key=[redacted]&x=1",
      client_ip: "127.0.0.1",
      user_agent: "test agent",
      cache: "HIT",
      error_code: null,
    });
    expect(body.data[2]?.cache).toBe("MISS");
    expect(body.data[0]?.error_code).toBe("unknown_ticker");
    expect([body.count, body.total, body.has_more]).toEqual([3, 3, false]);
  });

  const ids = async (query: string) =>
    (await get<List<Row>>(`${L}/requests?${query}`)).body.data.map((r) => r.request_id);
  test("status and range must both match", async () => {
    expect(await ids("status_code=422")).toEqual(["bad-1"]);
    expect(await ids("min_status_code=500")).toEqual(["down-1"]);
    expect(await ids("min_status_code=400&max_status_code=499")).toEqual(["bad-1", "none-1", "unknown-1"]);
    expect(await ids("min_status_code=400&status_code=404&path=/api/v1/price")).toEqual(["unknown-1"]);
    expect(await ids("min_status_code=500&status_code=404")).toEqual([]);
  });

  test("by id; a path is a prefix, not a pattern; pages", async () => {
    expect(await ids("request_id=none-1")).toEqual(["none-1"]);
    expect(await ids("path=/api/v1/price%25")).toEqual([]);
    expect(await ids("path=/api/v1/price/quote&limit=1&offset=1")).toEqual(["quote-2"]);
    expect(await ids("method=POST")).toEqual([]);
  });

  test("by time", async () => {
    expect(await ids("path=/api/v1/price&end=2026-09-08")).toEqual([]);
    expect((await ids("path=/api/v1/price&start=2026-09-09T20:59:00Z&end=2026-09-30")).length).toBe(5);
    // One date as start and end is that whole day in New York.
    expect((await ids("path=/api/v1/price&start=2026-09-09&end=2026-09-09")).length).toBe(5);
    expect(await ids("path=/api/v1/price&start=2026-09-10")).toEqual([]);
  });

  test("contradictory filters are refused", async () => {
    const status = await service.get(`${L}/requests?min_status_code=500&max_status_code=400`);
    expect([status.status, (status.body as { code: string }).code]).toEqual([400, "bad_request"]);
    const span = await service.get(`${L}/requests?start=2026-09-02&end=2026-09-01`);
    expect([span.status, (span.body as { code: string }).code]).toEqual([400, "invalid_date_range"]);
    for (const query of [
      "status_code=99",
      "min_status_code=600",
      "limit=0",
      "limit=1001",
      "offset=-1",
      "start=yesterday",
      "method=BREW",
    ])
      expect((await service.get(`${L}/requests?${query}`)).status).toBe(422);
  });

  test("statistics", async () => {
    interface Stats {
      total: number;
      by_status: Record<string, number>;
      by_path: { path: string; count: number; avg_ms: number; p95_ms: number; error_rate: number }[];
    }
    const { body } = await get<Stats>(`${L}/requests/stats?hours=1`, `${L}/requests/stats`);
    expect(body.by_status).toMatchObject({ "502": 1, "404": 2 });
    expect(body.total).toBe(Object.values(body.by_status).reduce((a, b) => a + b));
    const quotes = body.by_path.find((p) => p.path === `/api/v1/price/quote/${KNOWN}`);
    expect([quotes?.count, quotes?.error_rate]).toEqual([2, 0]);
    expect(body.by_path.find((p) => p.path === `/api/v1/price/data/${KNOWN}`)?.error_rate).toBe(1);
  });
});

describe("errors", () => {
  test("a failing provider: the request and the provider both log it, with ids that link them", async () => {
    const { body } = await get<List<Fault>>(`${L}/errors?request_id=down-1`, `${L}/errors`);
    expect(body.data).toHaveLength(1);
    expect(body.data[0]).toMatchObject({
      level: "warn",
      source: "request",
      error_code: "upstream_error",
      path: `/api/v1/price/data/${KNOWN}`,
      upstream: "yahoo",
    });
    const one = await get<Fault>(`${L}/errors/${body.data[0]?.id}`, `${L}/errors/{id}`);
    expect(one.body).toEqual(body.data[0] as Fault);
  });

  test("a client's mistake is not logged as an error", async () => {
    for (const id of ["unknown-1", "none-1", "bad-1"])
      expect((await get<List<Fault>>(`${L}/errors?request_id=${id}`, `${L}/errors`)).body.total).toBe(0);
  });

  test("filters, and a missing row", async () => {
    const all = (await get<List<Fault>>(`${L}/errors`, `${L}/errors`)).body.total;
    const warned = (await get<List<Fault>>(`${L}/errors?level=warn`, `${L}/errors`)).body.total;
    expect(warned).toBe(all);
    expect(
      (await get<List<Fault>>(`${L}/errors?error_code=upstream_error&source=request`, `${L}/errors`)).body
        .total,
    ).toBe(1);
    expect((await service.get(`${L}/errors/999999`)).status).toBe(404);
    expect((await service.get(`${L}/errors/0`)).status).toBe(422);
    expect((await service.get(`${L}/errors/one`)).status).toBe(422);
  });
});

test("the purge deletes rows older than seven days and keeps newer ones", async () => {
  const own = await openSampleService();
  try {
    await own.get("/api/v1/scheduler/jobs", { headers: { "x-request-id": "old" } });
    own.clock.set("2026-09-16T20:00:00Z");
    await own.get("/api/v1/scheduler/jobs", { headers: { "x-request-id": "young" } });
    const found = async (id: string) =>
      (await own.get<List<Row>>(`${L}/requests?request_id=${id}`)).body.total;
    expect([await found("old"), await found("young")]).toEqual([1, 1]);
    own.clock.set("2026-09-16T22:00:00Z");
    const run = await own.app().jobs.runNow("request-log-purge").done;
    expect(run?.outcome).toBe("succeeded");
    expect([await found("old"), await found("young")]).toEqual([0, 1]);
  } finally {
    await own.stop();
  }
});

describe("when API keys are configured", () => {
  let keyed: SampleService;
  beforeAll(async () => {
    keyed = await openSampleService({ env: { API_KEYS: "client-key", ADMIN_TOKEN: "admin-token" } });
  });
  afterAll(() => keyed.stop());
  const status = async (path: string, key?: string) =>
    (await keyed.get(path, key ? { headers: { "x-api-key": key, "x-admin-token": key } } : {})).status;

  test("a client's key does not open the logs or the database; the admin's does", async () => {
    for (const path of [`${L}/requests`, `${L}/errors`, "/api/v1/database/info", "/api/v1/database/cache"]) {
      expect(await status(path)).toBe(401);
      expect(await status(path, "client-key")).toBe(403);
      expect(await status(path, "admin-token")).toBe(200);
    }
  });
});
