// The economic-data proxy on the sample market: answers, their sources, and permanent storage.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type ApiDocument, apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const KEY = "canary0123456789canary0123456789";
const PROXY = "/api/v1/econdata/proxy";
const ADMIN = { headers: { "x-admin-token": "the-admin" } };

interface Observation {
  readonly date: string;
  readonly value: string;
  readonly realtime_start: string;
  readonly realtime_end: string;
}
interface Body {
  readonly realtime_start: string;
  readonly realtime_end: string;
  readonly count: number;
  readonly observations: readonly Observation[];
  readonly vintage_dates: readonly string[];
  readonly seriess: readonly { id: string; frequency_short: string }[];
  readonly _metadata: {
    readonly source: string;
    readonly endpoint: string;
    readonly series_id: string | null;
    readonly cached_at: string;
    readonly expires_at: string | null;
    readonly used_today: number;
    readonly remaining_today: number;
    readonly as_of: string | null;
    readonly warnings: readonly string[];
    readonly request_id: string;
  };
  readonly code: string;
  readonly detail: string;
}

let service: SampleService;
let document: ApiDocument;
beforeAll(async () => {
  service = await openSampleService({ env: { ECONDATA_API_KEY: KEY, ADMIN_TOKEN: "the-admin" } });
  document = await apiDocument(service);
});
afterAll(() => service.stop());

/** An answer, checked against the OpenAPI document. */
async function ask(path: string, init?: RequestInit) {
  const response = await service.fetch(`${PROXY}/${path}`, init);
  const copy = response.clone();
  const operation = document.operation("GET", `${PROXY}/{endpoint}`);
  expect(await faultsOfAnswer(document, operation, response)).toEqual([]);
  return { status: copy.status, headers: copy.headers, body: (await copy.json()) as Body };
}
/** The provider's own answer. */
async function direct(path: string): Promise<Record<string, unknown>> {
  const mark = path.includes("?") ? "&" : "?";
  const url = `${service.sample.url}/api.stlouisfed.org/fred/${path}${mark}file_type=json&api_key=${KEY}`;
  return (await (await fetch(url)).json()) as Record<string, unknown>;
}
const values = ({ observations }: Pick<Body, "observations">) =>
  observations.map(({ date, value }) => [date, value]);

describe("the provider's answers", () => {
  const CALLS = [
    "category?category_id=106",
    "category/children",
    "category/related?category_id=9",
    "category/series?category_id=12&order_by=series_id&sort_order=desc",
    "category/tags?category_id=12&tag_group_id=freq",
    "category/related_tags?category_id=12&tag_names=monthly",
    "releases?limit=2&offset=1",
    "releases/dates?limit=3&include_release_dates_with_no_data=true",
    "release?release_id=53",
    "release/dates?release_id=53&limit=4",
    "release/series?release_id=50",
    "release/sources?release_id=18",
    "release/tags?release_id=50",
    "release/related_tags?release_id=50&tag_names=labor",
    "release/tables?release_id=53&include_observation_values=false",
    "series?series_id=FICGDP",
    "series/categories?series_id=FICCPI",
    "series/observations?series_id=FICRATE10&observation_start=2025-12-20&observation_end=2026-01-09",
    "series/observations?series_id=FICGDP&units=pch&observation_start=2025-01-01",
    "series/observations?series_id=FICCPI&frequency=a&aggregation_method=eop&sort_order=desc&limit=3",
    "series/observations?series_id=FICGDP&output_type=2&realtime_start=2026-01-01&observation_start=2025-07-01",
    "series/release?series_id=FICCPI",
    "series/search?search_text=gross+domestic&filter_variable=frequency&filter_value=Quarterly",
    "series/search?search_text=FICC*&search_type=series_id",
    "series/search/tags?series_search_text=sample",
    "series/search/related_tags?series_search_text=sample&tag_names=monthly",
    "series/tags?series_id=FICGDP",
    "series/updates?filter_value=all&start_time=202609010000&end_time=202609092359",
    "series/vintagedates?series_id=FICGDP&limit=5&sort_order=desc",
    "sources",
    "source?source_id=2",
    "source/releases?source_id=2",
    "tags?search_text=gdp",
    "related_tags?tag_names=monthly;sa&exclude_tag_names=cpi",
    "tags/series?tag_names=quarterly;gdp",
  ];
  for (const call of CALLS)
    test(`${call} is the provider's answer with _metadata beside it`, async () => {
      const { status, headers, body } = await ask(call);
      expect(status).toBe(200);
      const { _metadata, ...rest } = body;
      expect<unknown>(rest).toEqual(await direct(call));
      expect(_metadata).toMatchObject({
        endpoint: call.split("?")[0] ?? "",
        source: "upstream",
        series_id: new URLSearchParams(call.split("?")[1]).get("series_id"),
        as_of: null,
        warnings: [],
      });
      expect(_metadata.request_id).toBe(headers.get("x-request-id") ?? "");
      expect(headers.get("x-cache")).toBe("MISS");
    });

  test("all endpoints are covered", async () => {
    const called = new Set(CALLS.map((call) => call.split("?")[0]));
    const { body } = await service.get<{ data: { proxy_info: { supported_endpoints: string[] } } }>(
      "/api/v1/econdata/stats/usage",
    );
    const supported = body.data.proxy_info.supported_endpoints;
    expect(supported.filter((name) => !called.has(name))).toEqual([]);
    expect(supported.length).toBe(31);
  });

  test("a holiday is a dot, and an ended series has its last day", async () => {
    const { body } = await ask(
      "series/observations?series_id=FICRATE10&observation_start=2025-12-24&observation_end=2025-12-26",
    );
    expect(values(body).map(([date, value]) => [date, value === "."])).toEqual([
      ["2025-12-24", false],
      ["2025-12-25", true],
      ["2025-12-26", false],
    ]);
    const stored = await service
      .app()
      .lake.query(
        "SELECT date, value FROM observations_as_of(NULL) WHERE series_id = 'FICRATE10' AND date = '2025-12-25'",
      );
    expect(stored).toEqual([{ date: "2025-12-25", value: null }]);
    const ended = await ask("series/observations?series_id=FICOLDX&sort_order=desc&limit=1");
    expect(ended.body.observations[0]?.date).toBe("2019-12-01");
  });

  test("a client's key and format are not passed on, nor are unknown parameters", async () => {
    service.sample.resetTraffic();
    const { status } = await ask(
      "sources?limit=3&api_key=theirs&file_type=xml&API_KEY=theirs&whatever=1&force_refresh=true",
    );
    expect(status).toBe(200);
    const urls = service.sample.traffic().requests.map(({ url }) => url);
    expect(urls).toEqual([`api.stlouisfed.org/fred/sources?limit=3&file_type=json&api_key=${KEY}`]);
  });
});

test("the API document has the endpoint as one parameter with its values", () => {
  const operation = document.operation("GET", `${PROXY}/{endpoint}`);
  const [endpoint] = operation.parameters;
  expect(endpoint).toMatchObject({
    name: "endpoint",
    in: "path",
    required: true,
    example: "series/observations",
  });
  expect(endpoint?.schema.enum).toHaveLength(31);
  expect(operation.operationId).toBe("getApiV1EcondataProxyByEndpoint");
  expect(operation.parameters.filter(({ in: where }) => where === "path").length).toBe(1);
  expect(operation).not.toHaveProperty("x-rest");
  const names = operation.parameters.map(({ name }) => name);
  for (const name of [
    ...["series_id", "category_id", "release_id", "source_id", "tag_names", "realtime_start", "realtime_end"],
    ...["observation_start", "observation_end", "limit", "offset", "order_by", "sort_order", "search_text"],
    ...["search_type", "frequency", "aggregation_method", "force_refresh", "bypass_limit_check", "units"],
    ...[
      "output_type",
      "vintage_dates",
      "filter_variable",
      "filter_value",
      "exclude_tag_names",
      "tag_group_id",
    ],
    ...["tag_search_text", "series_search_text", "include_release_dates_with_no_data", "element_id", "as_of"],
    ...["include_observation_values", "observation_date", "start_time", "end_time"],
  ])
    expect(names).toContain(name);
  expect(names).not.toContain("api_key");
  expect(names).not.toContain("file_type");
});

describe("the cache", () => {
  test("a repeated request makes no call; after 24 hours the provider is asked again, with force_refresh at once", async () => {
    const path = "release/dates?release_id=10&limit=7";
    const first = await ask(path);
    const second = await ask("release/dates?limit=7&release_id=10");
    expect(second.headers.get("x-cache")).toBe("HIT");
    expect(second.body._metadata).toEqual({
      ...first.body._metadata,
      source: "cache",
      request_id: second.body._metadata.request_id,
    });
    const { cached_at, expires_at, used_today, remaining_today } = first.body._metadata;
    expect(Date.parse(expires_at ?? "") - Date.parse(cached_at)).toBe(86_400_000);
    expect(used_today + remaining_today).toBe(1_000);
    expect(used_today).toBeGreaterThan(0);
    const forced = await ask(`${path}&force_refresh=true`);
    expect([forced.body._metadata.source, forced.headers.get("x-cache")]).toEqual(["upstream", "MISS"]);
    expect(forced.body._metadata.used_today).toBe(used_today + 1);
  });
});

describe("vintages", () => {
  const SPAN = "series_id=FICGDP&observation_start=2025-07-01&observation_end=2025-12-31";

  test("as_of requests what was known then, a New York day once it is over", async () => {
    const advance = await ask(`series/observations?${SPAN}&as_of=2025-10-30`);
    const second = await ask(`series/observations?${SPAN}&as_of=2025-12-01`);
    const now = await ask(`series/observations?${SPAN}`);
    for (const [{ body }, day] of [
      [advance, "2025-10-30"],
      [second, "2025-12-01"],
    ] as const) {
      const said = await direct(`series/observations?${SPAN}&realtime_start=${day}&realtime_end=${day}`);
      expect<unknown>(values(body)).toEqual(values(said as unknown as Body));
      expect([body.realtime_start, body._metadata.as_of]).toEqual([day, day]);
    }
    const third = (b: Body) => b.observations.find(({ date }) => date === "2025-07-01")?.value;
    expect(new Set([advance, second, now].map(({ body }) => third(body))).size).toBe(3);
    const within = await ask(`series/observations?${SPAN}&as_of=2025-10-30T18:00:00Z`);
    expect(within.body.realtime_start).toBe("2025-10-29");
    expect(third(within.body)).toBeUndefined();
    for (const path of ["releases/dates?limit=1000", "release/dates?release_id=53"]) {
      const { body } = await ask(`${path}&as_of=2025-12-01`);
      const { release_dates } = body as unknown as { release_dates: { date: string }[] };
      // Also those of earlier years, and none of later ones.
      const days = release_dates.map(({ date }) => date).sort();
      expect([days.length > 3, (days[0] ?? "9999") < "2025-01-01"]).toEqual([true, true]);
      expect([path, (days.at(-1) ?? "9999") <= "2025-12-01"]).toEqual([path, true]);
    }
    const dates = await ask("series/vintagedates?series_id=FICGDP&as_of=2025-12-01");
    expect(dates.body.vintage_dates.at(-1)).toBe("2025-12-01");
    expect([advance, second, dates].map(({ body }) => body._metadata.warnings)).toEqual([[], [], []]);
  });

  test("a series' description is as of then, without the fields that have only today's value", async () => {
    for (const [path, list, fields] of [
      ["series?series_id=FICGDP", "seriess", "last_updated, notes, observation_end, observation_start"],
      ["series/search?search_text=fic", "seriess", "last_updated, notes, observation_end, observation_start"],
      ["tags?limit=5", "tags", "series_count"],
    ] as const) {
      const { body } = await ask(`${path}&as_of=2025-12-01`);
      expect([path, body.realtime_start, body.realtime_end]).toEqual([path, "2025-12-01", "2025-12-01"]);
      const named = fields.split(", ");
      const [row = {}] = (body as unknown as Record<string, Record<string, unknown>[]>)[list] ?? [];
      expect([path, ...named.map((name) => row[name])]).toEqual([path, ...named.map(() => null)]);
      expect(body._metadata.warnings).toHaveLength(1);
      for (const name of ["not_known_then: ", ...named]) expect(body._metadata.warnings[0]).toContain(name);
      const csv = await service.fetch(`${PROXY}/${path}&as_of=2025-12-01&format=csv`);
      expect(csv.headers.get("x-warnings")).toContain("not_known_then");
    }
    expect((await ask("release?release_id=53&as_of=2025-12-01")).body._metadata.warnings).toEqual([]);
    // Nothing was updated since: the fields are as of then.
    const { body } = await ask("series?series_id=FICGDP&as_of=2026-09-08");
    const [row] = (body as unknown as { seriess: Record<string, string | null>[] }).seriess;
    expect(row).toMatchObject({ popularity: null, notes: null });
    expect([row?.observation_end, row?.last_updated?.slice(0, 4)]).toEqual(["2026-04-01", "2026"]);
  });

  test("with every vintage stored the lake has the same values for each day", async () => {
    await ask(`series/observations?${SPAN}&realtime_start=1776-07-04&realtime_end=9999-12-31`);
    for (const day of ["2025-10-29", "2025-10-30", "2025-12-01", "2026-01-30", "2026-04-15", "2026-09-08"]) {
      const { body } = await ask(`series/observations?${SPAN}&as_of=${day}`);
      const rows = await service.app().lake.query<{ date: string; value: number | null }>(
        `SELECT date, value FROM observations_as_of('${day}') WHERE series_id = 'FICGDP'
           AND date BETWEEN '2025-07-01' AND '2025-12-31' ORDER BY date`,
      );
      expect<unknown>([day, rows.map(({ date, value }) => [date, value])]).toEqual([
        day,
        values(body).map(([date, value]) => [date, Number(value)]),
      ]);
    }
  });

  test("parameters that conflict with as_of, and endpoints without history, are refused", async () => {
    const both = await ask("series?series_id=FICGDP&as_of=2026-01-01&realtime_end=2026-01-01");
    expect([both.status, both.body.code]).toEqual([400, "conflicting_time_selection"]);
    for (const path of ["category?", "series/updates?", "tags?order_by=popularity&"]) {
      const timeless = await ask(`${path}as_of=2026-01-01`);
      expect([path, timeless.status, timeless.body.code]).toEqual([path, 400, "bad_request"]);
    }
  });
});

describe("going over the limit", () => {
  test("only the admin may", async () => {
    const path = "sources?bypass_limit_check=true";
    const without = await ask(path);
    expect([without.status, without.body.code]).toEqual([401, "unauthorized"]);
    const wrong = await ask(path, { headers: { "x-admin-token": "wrong" } });
    expect([wrong.status, wrong.body.code]).toEqual([403, "forbidden"]);
    expect((await ask(path, ADMIN)).status).toBe(200);
    expect((await ask("sources?bypass_limit_check=false")).status).toBe(200);
  });
});

describe("usage", () => {
  interface Day {
    readonly date: string;
    readonly total_calls: number;
    readonly successful_calls: number;
    readonly total_records: number | null;
    readonly success_rate: number | null;
  }
  const usage = (query: string) =>
    service.get<{ success: boolean; data: Record<string, unknown> & { daily_stats: Day[] } }>(
      `/api/v1/econdata/stats/usage${query}`,
    );

  test("matches the API document, for calls and for requests", async () => {
    const operation = document.operation("GET", "/api/v1/econdata/stats/usage");
    for (const query of ["", "?days=1", "?days=30&use_proxy_stats=false", "?days=0", "?days=31", "?days=x"]) {
      const response = await service.fetch(`/api/v1/econdata/stats/usage${query}`);
      expect(await faultsOfAnswer(document, operation, response)).toEqual([]);
      expect(response.status).toBe(/=(0|31|x)$/.test(query) ? 422 : 200);
    }
  });

  test("adds up", async () => {
    const { body } = await usage("?days=3");
    const { data } = body;
    expect(body.success).toBe(true);
    expect(data.daily_limit).toBe(1_000);
    expect(Number(data.used_today) + Number(data.remaining_today)).toBe(1_000);
    expect(data.usage_percentage).toBeCloseTo(Number(data.used_today) / 10, 6);
    expect(data.can_make_requests).toBe(true);
    expect(data.daily_stats.map((d) => d.date)).toEqual(["2026-09-09", "2026-09-08", "2026-09-07"]);
    const [today, yesterday] = data.daily_stats;
    expect(today?.total_calls).toBe(Number(data.used_today));
    expect(today?.successful_calls).toBe(Number(data.used_today));
    expect(Number(today?.total_records)).toBeGreaterThan(100);
    expect(today?.success_rate).toBe(100);
    expect(yesterday).toEqual({
      date: "2026-09-08",
      total_calls: 0,
      successful_calls: 0,
      total_records: 0,
      success_rate: null,
    });
    const endpoints = data.endpoint_stats as { endpoint: string; call_count: number }[];
    expect(endpoints.reduce((sum, e) => sum + e.call_count, 0)).toBe(Number(data.used_today));
    expect(endpoints[0]?.endpoint).toBe("series/observations");
  });

  test("for requests it counts refused ones too, and has no records", async () => {
    const before = (await usage("?days=1&use_proxy_stats=false")).body.data.daily_stats[0];
    await ask("sources");
    await ask("series?series_id=NOSUCH");
    await ask("no/such/endpoint");
    const after = (await usage("?days=1&use_proxy_stats=false")).body.data.daily_stats[0];
    expect(Number(after?.total_calls) - Number(before?.total_calls)).toBe(2);
    expect(Number(after?.successful_calls) - Number(before?.successful_calls)).toBe(1);
    expect(after?.total_records).toBeNull();
  });

  test("health lists the provider", async () => {
    const { body } = await service.get<{ dependencies: Record<string, unknown> }>("/api/v1/health");
    expect(body.dependencies.econdata).toMatchObject({
      status: "healthy",
      configured: true,
      breaker: "closed",
    });
  });
});
