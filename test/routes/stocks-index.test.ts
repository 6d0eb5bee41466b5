// Index members over HTTP: the lists, their headers, storage, and a source that fails in every way.
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from "bun:test";
import type { Dial } from "../../sample/faults.ts";
import { type ApiDocument, apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

// The first requests compute a lot, sometimes on a busy machine.
setDefaultTimeout(1_200_000);

interface Member {
  symbol: string;
  company_name: string;
  sector: string | null;
  sub_industry: string | null;
  headquarters: string | null;
  date_added: string | null;
  cik: string | null;
  founded: string | null;
}
interface Problem {
  status: number;
  code: string;
  detail: string;
  upstream?: string;
}

const INDEX = "/api/v1/stocks/index";
const HOST = "en.wikipedia.org";

/** A list with `count` members, or with other column heads. */
const article = (count: number, heads = ["Symbol", "Security", "GICS Sector", "GICS Sub-Industry"]) =>
  `<!DOCTYPE html><table id="constituents"><tr>${heads.map((h) => `<th>${h}</th>`).join("")}</tr>${Array.from(
    { length: count },
    (_, i) =>
      `<tr><td>A${String.fromCharCode(65 + Math.floor(i / 26), 65 + (i % 26))}</td><td>Company ${i}</td><td>Energy</td><td>Oil</td></tr>`,
  ).join("")}</table>`;

describe("while the source works", () => {
  let service: SampleService;
  let document: ApiDocument;
  beforeAll(async () => {
    service = await openSampleService({
      at: "2026-02-27T15:00:00Z",
      env: { SEC_USER_AGENT: "Test ada@zorp.example" },
    });
    document = await apiDocument(service);
  });
  afterAll(() => service.stop());

  const members = async (path: string, init?: RequestInit) => {
    const { status, headers, body } = await service.get<Member[]>(`${INDEX}${path}`, init);
    expect(status).toBe(200);
    return { headers, body };
  };

  test("the S&P 500: 503 shares with sectors, and headers that describe the list", async () => {
    const { headers, body } = await members("/sp500");
    expect(body).toHaveLength(503);
    expect(body.find(({ symbol }) => symbol === "QUIB.B")).toMatchObject({
      company_name: "Quibble Holdings Inc. Class B",
      sector: expect.any(String),
      sub_industry: expect.any(String),
      cik: expect.stringMatching(/^000908?\d{5,6}$/),
      date_added: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    });
    expect(body.find(({ symbol }) => symbol === "TRELB")).toMatchObject({
      sector: "Information Technology",
      sub_industry: "Semiconductors",
    });
    expect(new Set(body.map(({ symbol }) => symbol)).size).toBe(503);
    expect(headers.get("x-cache")).toBe("MISS");
    expect(headers.get("x-total-count")).toBe("503");
    expect(headers.get("x-classification")).toBe("GICS");
    expect(headers.get("x-as-of")).toStartWith("2026-02-27T15:0");
    expect(headers.get("x-source")).toMatch(
      /^https:\/\/en\.wikipedia\.org\/w\/index\.php\?title=List_of_S%26P_500_companies&oldid=\d+$/,
    );
  });

  test("the Nasdaq-100: its sectors are ICB, and missing fields are null", async () => {
    const { headers, body } = await members("/nasdaq100");
    expect(body).toHaveLength(101);
    expect(headers.get("x-classification")).toBe("ICB");
    expect(body.find(({ symbol }) => symbol === "ZORP")).toEqual({
      symbol: "ZORP",
      company_name: "Zorp Dynamics Inc.",
      sector: expect.any(String),
      sub_industry: expect.any(String),
      headquarters: null,
      date_added: null,
      cik: null,
      founded: null,
    });
    expect(body.some(({ symbol }) => symbol === "QUIB")).toBe(false);
  });

  test("a repeated request is cached, with the same ETag, and 304 for a client that has it", async () => {
    const first = await members("/sp500");
    service.sample.resetTraffic();
    const second = await members("/SP500");
    expect([second.headers.get("x-cache"), service.sample.traffic().total]).toEqual(["HIT", 0]);
    const etag = first.headers.get("etag") ?? "";
    expect(second.headers.get("etag")).toBe(etag);
    const known = await service.fetch(`${INDEX}/sp500`, {
      headers: { "if-none-match": `"other", W/${etag}` },
    });
    expect([
      known.status,
      await known.text(),
      known.headers.get("etag"),
      known.headers.get("x-cache"),
    ]).toEqual([304, "", etag, "HIT"]);
    const other = await service.fetch(`${INDEX}/sp500`, { headers: { "if-none-match": '"other"' } });
    expect(other.status).toBe(200);
    expect((await members("/nasdaq100")).headers.get("etag")).not.toBe(etag);
  });

  test("fetched again with force_refresh, and after 24 hours", async () => {
    service.sample.resetTraffic();
    expect((await members("/sp500?force_refresh=true")).headers.get("x-cache")).toBe("MISS");
    expect(service.sample.traffic().total).toBe(1);
    service.clock.set("2026-02-28T14:58:00Z");
    expect((await members("/sp500")).headers.get("x-cache")).toBe("HIT");
    service.clock.set("2026-02-28T15:02:00Z");
    expect((await members("/sp500")).headers.get("x-cache")).toBe("MISS");
    service.clock.set("2026-02-27T15:10:00Z");
  });

  test("concurrent requests share one fetch", async () => {
    service.sample.resetTraffic();
    await Promise.all(Array.from({ length: 8 }, () => members("/nasdaq100?force_refresh=true")));
    expect(service.sample.traffic().total).toBe(1);
  });

  test("other indexes, other spellings, hostile ones", async () => {
    for (const name of [
      "dow30",
      "sp-500",
      "sp500%20x",
      "..%2Fsp500",
      "%27%3B--",
      "__proto__",
      "Nasdaq-100",
    ]) {
      const { status, body } = await service.get<Problem>(`${INDEX}/${name}`);
      expect([name, status, body.code]).toEqual([name, 400, "unsupported_index"]);
    }
    const { status } = await service.get(`${INDEX}/${"x".repeat(101)}`);
    expect(status).toBe(422);
    expect((await service.get(`${INDEX}/sp500?force_refresh=perhaps`)).status).toBe(422);
    expect((await service.get(`${INDEX}/sp500?format=xml`)).status).toBe(422);
  });

  test("the same rows as csv, ndjson and parquet", async () => {
    const { body } = await members("/nasdaq100");
    const csv = await (await service.fetch(`${INDEX}/nasdaq100?format=csv`)).text();
    const lines = csv.trim().split("\r\n");
    expect(lines[0]).toBe("symbol,company_name,sector,sub_industry,headquarters,date_added,cik,founded");
    expect(lines).toHaveLength(102);
    const ndjson = await (
      await service.fetch(`${INDEX}/nasdaq100`, { headers: { accept: "application/x-ndjson" } })
    ).text();
    expect(
      ndjson
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(body);
    const parquet = new Uint8Array(
      await (await service.fetch(`${INDEX}/sp500?format=parquet`)).arrayBuffer(),
    );
    expect(new TextDecoder().decode(parquet.subarray(0, 4))).toBe("PAR1");
  });

  test("answers are as documented", async () => {
    const operation = document.operation("GET", "/api/v1/stocks/index/{index_name}");
    for (const [path, status] of [
      ["/sp500", 200],
      ["/nasdaq100?format=csv", 200],
      ["/none", 400],
      ["/sp500?force_refresh=7", 422],
    ] as const) {
      const response = await service.fetch(`${INDEX}${path}`);
      expect(response.status).toBe(status);
      expect(await faultsOfAnswer(document, operation, response)).toEqual([]);
    }
    expect(Object.keys(operation.responses)).toContain("304");
    expect(operation.responses["200"]?.headers).toMatchObject({
      ETag: {},
      "X-Cache": {},
      "X-Classification": {},
    });
  });

  test("health reports the source as healthy", async () => {
    const { body } = await service.get<{ dependencies: Record<string, { status: string }> }>(
      "/api/v1/health",
    );
    expect(body.dependencies.encyc?.status).toBe("healthy");
  });
});

test("a changed list is a new version; an edit without changes is not", async () => {
  const service = await openSampleService({ at: "2026-02-27T15:00:00Z" });
  try {
    const { lake, jobs } = service.app();
    await jobs.runNow("index-constituents").done;
    const vintages = () =>
      lake.query<{ index_name: string; known_at: string; members: number }>(
        "SELECT index_name, known_at, count(*) AS members FROM index_constituents GROUP BY ALL ORDER BY ALL",
      );
    const before = await vintages();
    expect(before.map(({ index_name, members }) => [index_name, members])).toEqual([
      ["nasdaq100", 101],
      ["sp500", 503],
    ]);
    // Glump leaves the exchange after February 27. The page has another revision each day.
    service.clock.set("2026-02-28T11:40:00Z");
    const run = await jobs.runNow("index-constituents").done;
    expect([run?.outcome, run?.rows]).toEqual(["succeeded", 503]);
    const after = await vintages();
    expect(after.map(({ index_name, members }) => [index_name, members])).toEqual([
      ["nasdaq100", 101],
      ["sp500", 503],
      ["sp500", 503],
    ]);
    service.clock.set("2026-03-01T11:40:00Z");
    expect((await jobs.runNow("index-constituents").done)?.rows).toBe(0);

    const isMember = async (as_of: string | null) => {
      const rows = await lake.query<{ symbol: string }>(
        "SELECT symbol FROM index_members($as_of) WHERE index_name = 'sp500' AND symbol IN ('GLUMP', 'ZORP') ORDER BY symbol",
        { as_of },
      );
      return rows.map(({ symbol }) => symbol);
    };
    expect(await isMember("2026-02-27")).toEqual(["GLUMP", "ZORP"]);
    expect(await isMember("2026-02-28T11:39:00Z")).toEqual(["GLUMP", "ZORP"]);
    expect(await isMember("2026-02-28")).toEqual(["ZORP"]);
    expect(await isMember(null)).toEqual(["ZORP"]);
    expect(await isMember("2026-02-26")).toEqual([]);
    const symbols = (await service.get<Member[]>(`${INDEX}/sp500`)).body.map(({ symbol }) => symbol);
    expect([symbols.includes("GLUMP"), symbols.length]).toEqual([false, 503]);
  } finally {
    await service.stop();
  }
});

test("after a failure the source is not asked for a minute, unless forced", async () => {
  const service = await openSampleService({ at: "2026-09-09T15:00:00Z", speed: 10 });
  try {
    service.sample.dials.set([{ match: HOST, fault: "html", body: article(10) }]);
    expect((await service.get(`${INDEX}/sp500`)).status).toBe(502);
    service.sample.resetTraffic();
    expect((await service.get(`${INDEX}/sp500`)).status).toBe(502);
    expect(service.sample.traffic().total).toBe(0);
    service.sample.dials.clear();
    expect((await service.get(`${INDEX}/sp500?force_refresh=true`)).status).toBe(200);
  } finally {
    await service.stop();
  }
});

describe("when the source fails", () => {
  let service: SampleService;
  let day = 0;
  beforeAll(async () => {
    service = await openSampleService({ at: "2026-09-09T15:00:00Z", speed: 10 });
  });
  afterAll(() => service.stop());
  // A week later each time, so that the previous failure's pause and the cache have expired.
  beforeEach(() => {
    service.sample.dials.clear();
    service.clock.set(
      Temporal.Instant.from("2026-09-09T15:00:00Z")
        .add({ hours: 168 * day++ })
        .toString(),
    );
  });
  afterEach(() => service.sample.dials.clear());

  const set = (...dials: Partial<Dial>[]) =>
    service.sample.dials.set(dials.map((dial) => ({ match: HOST, ...dial }) as Dial));
  const get = (query = "") => service.get<Problem | Member[]>(`${INDEX}/sp500${query}`);
  const problem = async (query = "") => {
    const { status, body } = await get(query);
    return { ...(body as Problem), status };
  };

  test("without an earlier list the failure is reported: 502, 429, 504", async () => {
    set({ fault: "status", status: 503 });
    expect(await problem()).toMatchObject({ status: 502, code: "upstream_error", upstream: "wikimedia" });
    service.sample.dials.clear();
    service.clock.set("2026-09-09T16:00:00Z");
    set({ fault: "rate_limited" });
    expect(await problem()).toMatchObject({ status: 429, code: "upstream_rate_limited" });
    service.sample.dials.clear();
    service.clock.set("2026-09-09T18:00:00Z");
    set({ fault: "stall" });
    expect(await problem()).toMatchObject({ status: 504, code: "upstream_timeout" });
  });

  const good = async () => {
    const { status, headers, body } = await get("?force_refresh=true");
    expect([status, (body as Member[]).length]).toEqual([200, 503]);
    const as_of = headers.get("x-as-of");
    // Two days later the list is too old and fetched again.
    service.clock.set(service.clock.now().add({ hours: 48 }).toString());
    return as_of;
  };

  for (const [what, dial] of [
    ["is down", { fault: "status", status: 503 }],
    ["asks us to wait", { fault: "rate_limited", retryAfterS: 120 }],
    ["sends its own error page", { fault: "html" }],
    ["sends nothing", { fault: "empty" }],
    ["breaks off", { fault: "truncated" }],
    ["does not answer in time", { fault: "stall" }],
    ["resets the connection", { fault: "reset" }],
    ["sends too much", { fault: "huge", bytes: 20_000_000 }],
    ["has a list that is far too short", { fault: "html", body: article(400) }],
    ["has a list that is far too long", { fault: "html", body: article(600) }],
    ["has renamed a column", { fault: "html", body: article(503, ["Symbol", "Security", "Branch", "Part"]) }],
    [
      "has swapped the columns' contents",
      { fault: "html", body: article(503, ["Security", "Symbol", "GICS Sector", "GICS Sub-Industry"]) },
    ],
    ["has no list at all", { fault: "html", body: "<!DOCTYPE html><p>This page was blanked.</p>" }],
  ] as const)
    test(`it ${what}: the last good list is served with its age`, async () => {
      const as_of = await good();
      set(dial as Partial<Dial>);
      const { status, headers, body } = await get();
      expect([status, (body as Member[]).length]).toEqual([200, 503]);
      expect(headers.get("x-as-of")).toBe(as_of);
      expect([headers.get("x-cache"), headers.get("x-stale")]).toEqual(["HIT", "true"]);
      expect(JSON.parse(headers.get("x-warnings") ?? "[]")).toEqual([
        `outage: The source does not answer; these are the members as read at ${as_of}.`,
      ]);
      expect(Number(headers.get("age"))).toBeGreaterThan(47 * 3600);
      // With force_refresh the failure is reported, and the last good list stays.
      expect((await problem("?force_refresh=true")).status).toBeGreaterThanOrEqual(429);
      expect((await get()).headers.get("x-as-of")).toBe(as_of);
      const stored = await service
        .app()
        .lake.query<{ n: number }>(
          "SELECT count(*) AS n FROM index_constituents WHERE symbol LIKE 'A__' AND company_name LIKE 'Company %'",
        );
      expect(stored[0]?.n).toBe(0);
    });

  test("the last good list outlives the process", async () => {
    const as_of = await good();
    await service.reopen();
    set({ fault: "status", status: 500 });
    const { status, headers } = await get();
    expect([status, headers.get("x-stale"), headers.get("x-as-of")]).toEqual([200, "true", as_of]);
  });

  test("the daily job reports a failure after trying every list", async () => {
    await good();
    service.sample.dials.set([{ fault: "html", body: article(3), match: "List" }]);
    const run = await service.app().jobs.runNow("index-constituents").done;
    expect(run?.outcome).toBe("failed");
    expect(run?.error).toContain("wikipedia");
    const { headers } = await service.get(`${INDEX}/nasdaq100`);
    expect(headers.get("x-stale")).toBeNull();
  });
});
