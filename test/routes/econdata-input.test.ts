// Hostile paths and parameters of the economic-data proxy, also over a raw socket: only FRED requests are
// sent, or none.
import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { connect } from "node:net";
import fc from "fast-check";
import { type ApiDocument, apiDocument, asksForRecords, faultsOfAnswer } from "../support/api-document.ts";
import { ECON_KEY } from "../support/econdata-world.ts";
import { openSampleService, type SampleService } from "../support/service.ts";
import { wildRequest } from "../support/wild-requests.ts";

setDefaultTimeout(1_200_000);

const PROXY = "/api/v1/econdata/proxy";
const ROUTE = `${PROXY}/{endpoint}`;
let service: SampleService;
let document: ApiDocument;
let server: Bun.Server<undefined>;
beforeAll(async () => {
  service = await openSampleService({ env: { ECONDATA_API_KEY: ECON_KEY } });
  document = await apiDocument(service);
  server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => service.app().edge.fetch(request, "127.0.0.1"),
  });
});
afterAll(async () => {
  await server.stop(true);
  await service.stop();
});
beforeEach(() => service.sample.resetTraffic());

const endpoints = () =>
  (document.operation("GET", ROUTE).parameters.find((p) => p.in === "path")?.schema.enum ?? []) as string[];

/** Outgoing requests that are not to a FRED endpoint with only our key. */
function strayCalls(): string[] {
  const allowed = new Set(endpoints().map((name) => `api.stlouisfed.org/fred/${name}`));
  return service.sample
    .traffic()
    .requests.map(({ url }) => url)
    .filter((url) => {
      const [path = "", query = ""] = url.split("?");
      const params = new URLSearchParams(query);
      return !(
        allowed.has(path) &&
        params.getAll("api_key").join() === ECON_KEY &&
        params.getAll("file_type").join() === "json"
      );
    });
}

/** The status of a request whose target is sent unchanged, which no HTTP client would allow. */
function raw(target: string, head = "HTTP/1.1\r\nHost: localhost"): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(server.port), "127.0.0.1", () => {
      socket.write(Buffer.from(`GET ${target} ${head}\r\nConnection: close\r\n\r\n`, "latin1"));
    });
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("end", () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)));
    socket.on("close", () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)));
    socket.on("error", reject);
  });
}

const ENCODINGS = [
  ...["series%252Fobservations", "series%2f%2fobservations", "%73eries", "series%20"],
  ...["series%00", "series%0d%0aHost:%20evil", "series%0a", "series%5c..%5csources", "series\\sources"],
  ...["..%2f..%2fetc%2fpasswd", "%2e%2e%2fsecret", "%2e%2e%2f%2e%2e%2f", "..;/sources", ".%2e/.%2e/x"],
  ...[
    "//evil.example/series",
    "/evil.example",
    "@evil.example/series",
    "evil@api.stlouisfed.org",
    "series@x",
  ],
  ...["https:%2f%2fevil.example", "https://evil.example/", "series:443", "series%3Fapi_key=x", "series%23"],
  ...[
    "series%3fx",
    "series;x=1",
    "series,sources",
    "SERIES",
    "Series/Observations",
    "series/observations%ff",
  ],
  ...[
    "series/%c0%af",
    "s%C3%A9ries",
    "fred/series",
    "../fred/series",
    "%u0073eries",
    "series/observations.json",
  ],
  ...[
    "__proto__",
    "constructor",
    "hasOwnProperty",
    "*",
    "{endpoint}",
    ":endpoint",
    "%",
    "%zz",
    "%2",
    ".",
    "..",
  ],
];

describe("paths", () => {
  test("no other spelling of a path reaches the provider", async () => {
    for (const path of ENCODINGS) {
      const response = await service.fetch(`${PROXY}/${path}?series_id=FICGDP`);
      expect([path, response.status === 200 || response.status >= 500]).toEqual([path, false]);
      if (response.status === 404) {
        const { code } = (await response.json()) as { code: string };
        expect([path, ["unsupported_endpoint", "route_not_found"].includes(code)]).toEqual([path, true]);
      }
    }
    expect(service.sample.traffic().requests).toEqual([]);
  });

  test("nor over a raw socket, where nothing is normalized", async () => {
    for (const path of [...ENCODINGS, "series/../../../../x", "./../x", "series/..//x", "series\\..\\x"]) {
      const status = await raw(`${PROXY}/${path}?series_id=FICGDP`);
      expect([path, status >= 200 && status < 500]).toEqual([path, true]);
    }
    expect(strayCalls()).toEqual([]);
    // Dots that lead from one endpoint to another mean that other endpoint, and nothing more.
    expect(await raw(`${PROXY}/series/../sources`)).toBe(200);
    expect(strayCalls()).toEqual([]);
  });

  test("without a Host the request is refused, and no path is read from its middle", async () => {
    for (const target of ["/api/v1/health", "/x/api/v1/health", `/docs/xxxxx${PROXY}/sources`]) {
      expect([target, await raw(target, "HTTP/1.0")]).toEqual([target, 400]);
      expect([target, await raw(target, "HTTP/1.1\r\nHost:")]).toEqual([target, 400]);
    }
    expect(await raw("/api/v1/health", "HTTP/1.0\r\nHost: localhost")).toBe(200);
  });

  test("for any combination, only endpoints are asked, with our own key", async () => {
    const piece = fc.constantFrom(
      ...[
        "series",
        "observations",
        "sources",
        "..",
        ".",
        "%2e",
        "%2E%2e",
        "%2f",
        "%5c",
        "\\",
        "@",
        ":",
        "//",
      ],
      ...["%00", "%0d%0a", "%25", "%", ";", "evil.example", "https:", "~", "*", "%ef%bc%8f", "é"],
    );
    const target = fc.array(fc.tuple(piece, fc.constantFrom("/", "", "//")), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(target, async (parts) => {
        const path = parts.map(([name, slash]) => name + slash).join("");
        const response = await service.fetch(`${PROXY}/${path}?series_id=FICGDP`);
        await response.arrayBuffer();
        expect(response.status).not.toBe(500);
      }),
      { numRuns: 300 },
    );
    expect(strayCalls()).toEqual([]);
  });

  test("a slash may be escaped, as generated clients do", async () => {
    const { status, body } = await service.get<{ _metadata: { endpoint: string } }>(
      `${PROXY}/series%2Fobservations?series_id=FICGDP&limit=1`,
    );
    expect([status, body._metadata.endpoint]).toEqual([200, "series/observations"]);
  });

  test("one trailing slash is accepted, and HEAD is answered", async () => {
    expect((await service.fetch(`${PROXY}/sources/`)).status).toBe(200);
    const head = await service.fetch(`${PROXY}/sources`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect((await service.fetch(`${PROXY}/sources`, { method: "POST" })).status).toBe(405);
  });
});

describe("parameters", () => {
  const statusOf = async (query: string, path = "series/observations") => {
    const response = await service.fetch(`${PROXY}/${path}?${query}`);
    expect(await faultsOfAnswer(document, document.operation("GET", ROUTE), response.clone())).toEqual([]);
    if (response.status !== 422) return response.status;
    const { detail } = (await response.json()) as { detail: { loc: string[]; type: string }[] };
    return detail.map(({ loc, type }) => `${loc.join(".")} ${type}`);
  };

  test("malformed parameters are all reported at once, and no call is made", async () => {
    expect(
      await statusOf(
        "series_id=A&limit=0&offset=-1&sort_order=up&category_id=x&realtime_start=2026-02-30&observation_end=26-1-1&units=foo&frequency=y&output_type=5",
      ),
    ).toEqual([
      "query.category_id int_parsing",
      "query.realtime_start date_from_datetime_parsing",
      "query.observation_end date_from_datetime_parsing",
      "query.limit greater_than_equal",
      "query.offset greater_than_equal",
      "query.sort_order literal_error",
      "query.frequency literal_error",
      "query.units literal_error",
      "query.output_type literal_error",
    ]);
    const no = (query: string, path?: string) => statusOf(query, path);
    expect(await no("series_id=A&limit=100001")).toEqual(["query.limit less_than_equal"]);
    expect(await no("series_id=A&limit=1e9")).toEqual(["query.limit int_parsing"]);
    expect(await no(`series_id=${"A".repeat(2_000)}`)).toEqual(["query.series_id string_too_long"]);
    expect(await no("series_id=A&vintage_dates=2026-01-01;2026-02-01")).toEqual([
      "query.vintage_dates string_pattern_mismatch",
    ]);
    expect(await no("series_id=A&force_refresh=maybe&bypass_limit_check=2")).toEqual([
      "query.force_refresh bool_parsing",
      "query.bypass_limit_check bool_parsing",
    ]);
    expect(await no("start_time=20260901", "series/updates")).toEqual([
      "query.start_time string_pattern_mismatch",
    ]);
    expect(await no("series_id=A&as_of=yesterday")).toEqual(["query.as_of value_error"]);
    expect(await no("")).toEqual(["query.series_id missing"]);
    expect(await no("series_id=")).toEqual(["query.series_id missing"]);
    expect(await no("", "release/related_tags")).toEqual([
      "query.release_id missing",
      "query.tag_names missing",
    ]);
    expect(await no("series_id=A&observation_start=2026-02-01&observation_end=2026-01-01")).toBe(400);
    expect(service.sample.traffic().requests).toEqual([]);
  });

  test("days before 1900 and open-ended days are accepted", async () => {
    const days = "realtime_start=1776-07-04&realtime_end=9999-12-31&observation_start=1776-07-04";
    expect(await statusOf(`series_id=FICGDP&${days}&limit=1`)).toBe(200);
  });

  test("the provider's refusals are passed on verbatim, including double spaces", async () => {
    const refusal = async (query: string, path = "series") => {
      const { status, body } = await service.get<Record<string, unknown>>(`${PROXY}/${path}?${query}`);
      return [status, body.code, body.detail, body.upstream_error_code];
    };
    expect(await refusal("series_id=NOSUCH")).toEqual([
      ...[400, "bad_request", "Bad Request.  The series does not exist.", 400],
    ]);
    expect(await refusal("series_id=FICGDP&realtime_start=2026-09-10&realtime_end=2026-09-10")).toEqual([
      400,
      "bad_request",
      "Bad Request.  Variable realtime_start can not be after today's date (2026-09-09) unless it's equal to the real-time max date 9999-12-31.",
      400,
    ]);
    expect((await refusal("limit=1001", "sources"))[0]).toBe(400);
  });

  test("values cannot become separate parameters, headers or paths", async () => {
    const series_id = encodeURIComponent("FICGDP&api_key=x\r\nHost: evil#/../../");
    await service.fetch(`${PROXY}/series?series_id=${series_id}`);
    expect(service.sample.traffic().requests.length).toBe(1);
    expect(strayCalls()).toEqual([]);
  });

  test("good and hostile values in every parameter are answered as documented", async () => {
    const operation = document.operation("GET", ROUTE);
    const result = await fc.check(
      fc.asyncProperty(wildRequest(operation), async ({ method, url, headers }) => {
        const response = await service.fetch(url, { method, headers });
        const copy = response.clone();
        // The provider may be slow on a busy machine, which is not an error of the request.
        if (copy.status === 500) throw new Error(`${url} ${copy.status} ${await copy.text()}`);
        if (copy.status === 404 && ((await copy.json()) as { code: string }).code === "route_not_found")
          return;
        const faults = await faultsOfAnswer(document, operation, response, {
          isRecords: asksForRecords(url),
        });
        if (faults.length > 0) throw new Error(`${url}\n${faults.join("\n")}`);
      }),
      { numRuns: 150 },
    );
    if (result.failed) throw new Error(fc.defaultReportMessage(result));
    expect(strayCalls()).toEqual([]);
    expect(service.log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });
});
