// The registry over HTTP: what the exchanges list, through discoveries, renames and delistings, on the sample
// market.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Problem, U, UniverseService } from "../support/universe.ts";

// On a busy machine a build takes a while; nothing is measured.
setDefaultTimeout(1_200_000);

interface Listed {
  readonly warnings: readonly string[];
  readonly count: number;
  readonly total: number;
  readonly has_more: boolean;
  readonly data: readonly Readonly<Record<string, unknown>>[];
}
interface Discovered {
  readonly discovered: number;
  readonly added: number;
  readonly updated: number;
  readonly skipped: number;
  readonly errors: number;
  readonly renamed: number;
  readonly delisted: number;
  readonly test_issues: number;
  readonly warnings: readonly string[];
}

const registryOf = (universe: UniverseService) => async (query: string) =>
  (await universe.get<Listed>(`/registry?${query}`)).body;

describe("one discovery", () => {
  let universe: UniverseService;
  let discovered: Discovered;
  let registry: (query: string) => Promise<Listed>;
  beforeAll(async () => {
    universe = await UniverseService.open();
    registry = registryOf(universe);
    const { status, body } = await universe.post<Discovered>("/admin/discover", {});
    expect(status).toBe(200);
    discovered = body;
  });
  afterAll(() => universe.stop());

  test("counts; what only tests the systems is no listing", async () => {
    const all = await registry("limit=5000");
    expect(discovered).toEqual({
      discovered: all.total,
      added: all.total,
      updated: 0,
      skipped: 3,
      errors: 0,
      renamed: 0,
      delisted: 0,
      test_issues: 3,
      warnings: [],
    });
    const tickers = all.data.map(({ ticker }) => ticker);
    expect(tickers).toEqual([...tickers].sort());
    for (const absent of ["ZVZZT", "ZXZZT", "ZTST", "MURQ", "GLUMP", "OLDZQ", "^SMPL"])
      expect(tickers).not.toContain(absent);
  });

  test("a listing, its filer and what the screener says", async () => {
    const { data } = await registry("q=zorp");
    expect(data.map(({ ticker, security_type }) => [ticker, security_type])).toEqual([
      ["ZORP", "common"],
      ["ZORP.PRA", "preferred"],
    ]);
    expect(data[0]).toMatchObject({
      name: "Zorp Dynamics Inc. - Common Stock",
      cik: "0009079327",
      sector: "Technology",
      exchange: "Nasdaq",
      country: "United States",
      is_etf: false,
      is_active: true,
      former_tickers: [],
      source: "nasdaqlisted",
    });
    expect(data[0]?.market_cap).toBeGreaterThan(1e11);
    // The screener has 0.00 for it, which is nothing.
    expect(data[1]?.market_cap).toBeNull();
    expect(data[0]?.first_seen).toBe(data[0]?.last_seen);
  });

  test("classes show the whole company each; a fund, a depositary share, a warrant", async () => {
    const [a, b] = (await registry("q=quib")).data;
    expect([a?.ticker, b?.ticker, a?.cik === b?.cik, a?.market_cap === b?.market_cap]).toEqual([
      "QUIB",
      "QUIB.B",
      true,
      true,
    ]);
    const kinds = async (query: string) =>
      (await registry(query)).data.map((row) => [row.ticker, row.security_type, row.is_etf, row.exchange]);
    expect(await kinds("q=SMPLF")).toEqual([["SMPLF", "etf", true, "NYSE Arca"]]);
    expect(await kinds("type=adr,warrant")).toEqual([
      ["PIPZ.WS", "warrant", false, "NYSE American"],
      ["RUMBQ", "adr", false, "NYSE"],
    ]);
  });

  test("filters: any spelling, case and repetition; nothing found is an empty list", async () => {
    expect((await registry("q=QUIB%2FB")).data.map(({ ticker }) => ticker)).toEqual(["QUIB.B"]);
    const technology = await registry("sector=technology&limit=5000");
    const finance = await registry("sector=FINANCE&limit=5000");
    const both = await registry("sector=Technology&sector=Finance&limit=5000");
    expect(technology.total).toBeGreaterThan(0);
    expect(both.total).toBe(technology.total + finance.total);
    expect((await registry("sector=Technology,Finance&limit=5000")).data).toEqual(both.data);
    for (const { exchange } of (await registry("exchange=nyse%20arca,cboe%20bzx")).data)
      expect(["NYSE Arca", "Cboe BZX"]).toContain(String(exchange));
    expect(await registry("q=nothing%20of%20that%20name")).toMatchObject({ count: 0, total: 0, data: [] });
    expect((await registry("is_active=false")).total).toBe(0);
    expect((await registry("is_active=true")).total).toBe(discovered.discovered);
  });

  test("pages are stable, also behind the last", async () => {
    const all = await registry("limit=5000");
    const first = await registry("limit=20");
    const second = await registry("limit=20&offset=20");
    expect([...first.data, ...second.data]).toEqual(all.data.slice(0, 40) as never);
    expect([first.has_more, first.total]).toEqual([true, all.total]);
    expect(await registry("limit=20&offset=4000")).toMatchObject({
      count: 0,
      total: all.total,
      has_more: false,
    });
  });

  test("the same rows as csv and ndjson; before the first discovery there were none", async () => {
    const { data } = await registry("q=zorp");
    const ndjson = await (await universe.service.fetch(`${U}/registry?q=zorp&format=ndjson`)).text();
    const lines = ndjson
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ ticker, former_tickers }) => [ticker, former_tickers])).toEqual([
      ["ZORP", "[]"],
      ["ZORP.PRA", "[]"],
    ]);
    expect(lines[0].name).toBe(data[0]?.name);
    const csv = await (await universe.service.fetch(`${U}/registry?q=zorp&format=csv`)).text();
    expect(csv.split("\r\n")[0]).toStartWith("symbol,ticker,name,cik,sector,industry,exchange,security_type");
    const before = await registry("as_of=2026-09-08");
    expect([before.total, before.warnings]).toEqual([0, [expect.stringContaining("had been read by then")]]);
    expect((await registry("q=zorp")).warnings).toEqual([]);
    const later = (await registry("as_of=2026-09-09&q=zorp")).data;
    expect(later.map(({ ticker, market_cap }) => [ticker, market_cap])).toEqual([
      ["ZORP", null],
      ["ZORP.PRA", null],
    ]);
  });

  test("a second discovery finds nothing new; two at once: one is refused", async () => {
    const answers = await Promise.all([
      universe.post<Discovered & Problem>("/admin/discover", {}),
      universe.post<Discovered & Problem>("/admin/discover", {}),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe("already_running");
    expect(answers.find(({ status }) => status === 200)?.body).toMatchObject({
      added: 0,
      updated: 0,
      delisted: 0,
    });
    const [{ first_seen, last_seen } = {}] = (await registry("q=zorp")).data;
    expect(Date.parse(String(last_seen))).toBeGreaterThan(Date.parse(String(first_seen)));
  });

  test("the provider of the lists has its own entry in /health", async () => {
    const { body } = await universe.service.get<{ dependencies: Record<string, { status: string }> }>(
      "/api/v1/health",
    );
    expect(body.dependencies["nasdaq-listings"]?.status).toBe("healthy");
  });
});

test("a rename and a delisting between discoveries, and the world as it was", async () => {
  const universe = await UniverseService.open({ at: "2025-05-01T21:00:00Z" });
  const registry = registryOf(universe);
  const { clock } = universe.service;
  const discover = async () => (await universe.post<Discovered>("/admin/discover", {})).body;
  const tickersOf = async (query: string) => (await registry(query)).data.map(({ ticker }) => ticker);
  try {
    await discover();
    expect(await tickersOf("q=oldzq")).toEqual(["OLDZQ"]);
    clock.set("2025-05-06T21:00:00Z");
    expect(await discover()).toMatchObject({ added: 0, renamed: 1, updated: 1, delisted: 0 });
    const [renamed] = (await registry("q=oldzq")).data;
    expect(renamed).toMatchObject({
      ticker: "NEWZQ",
      is_active: true,
      former_tickers: [{ ticker: "OLDZQ", last_seen: expect.stringMatching(/^2025-05-01T/) }],
      first_seen: expect.stringMatching(/^2025-05-01T/),
    });
    expect(await tickersOf("as_of=2025-05-05&q=oldzq")).toEqual(["OLDZQ"]);
    clock.set("2026-03-02T22:00:00Z");
    expect(await discover()).toMatchObject({ renamed: 0, delisted: 1 });
    expect((await registry("q=glump")).data).toMatchObject([
      { ticker: "GLUMP", is_active: false, last_seen: expect.stringMatching(/^2025-05-06T/) },
    ]);
    expect(await tickersOf("is_active=false")).toEqual(["GLUMP"]);
    expect((await registry("as_of=2025-06-01&q=glump")).data).toMatchObject([{ is_active: true }]);
    const stored = await universe.service
      .app()
      .lake.query(
        "SELECT symbol, is_active FROM listings_at('2026-03-02') WHERE listing IN ('OLDZQ', 'GLUMP') ORDER BY listing",
      );
    expect(stored).toEqual([
      { symbol: "GLUMP", is_active: false },
      { symbol: "NEWZQ", is_active: true },
    ]);
  } finally {
    await universe.stop();
  }
});

describe("filters of a discovery", () => {
  test("exchanges, kinds, least value, and the largest of those", async () => {
    const universe = await UniverseService.open();
    const registry = registryOf(universe);
    try {
      const ask = {
        exchanges: ["Nasdaq", "NYSE American"],
        exclude_types: ["etf", "warrant"],
        market_cap_min: 1e9,
        limit: 4,
      };
      const { body } = await universe.post<Discovered>("/admin/discover", ask);
      expect(body.added).toBe(4);
      expect(body.skipped).toBe(body.discovered - 4 + body.test_issues);
      const { data } = await registry("limit=5000");
      const caps = data.map(({ market_cap }) => Number(market_cap));
      expect(data.every(({ exchange, is_etf }) => exchange === "Nasdaq" && is_etf === false)).toBe(true);
      const more = await universe.post<Discovered>("/admin/discover", { ...ask, limit: 100 });
      expect(more.body).toMatchObject({ updated: 0, delisted: 0 });
      const kept = new Set(data.map(({ ticker }) => ticker));
      for (const { ticker, market_cap } of (await registry("limit=5000")).data)
        if (!kept.has(ticker)) expect(Number(market_cap)).toBeLessThanOrEqual(Math.min(...caps));
    } finally {
      await universe.stop();
    }
  });
});

describe("bad input", () => {
  let universe: UniverseService;
  beforeAll(async () => {
    universe = await UniverseService.open();
  });
  afterAll(() => universe.stop());

  test.each([
    ["/registry?limit=0", "limit"],
    ["/registry?limit=5001", "limit"],
    ["/registry?offset=-1", "offset"],
    ["/registry?is_active=maybe", "is_active"],
    ["/registry?exchange=tokyo", "exchange"],
    ["/registry?type=bond", "type"],
    [`/registry?q=${"x".repeat(101)}`, "q"],
    ["/registry?as_of=2026-02-30", "as_of"],
    ["/registry?format=xml", "format"],
    ["/screen", "date"],
    ["/screen?date=2026-02-29", "date"],
    ["/screen?date=2026-09-01&market_cap_min=-1", "market_cap_min"],
    ["/screen?date=2026-09-01&market_cap_min=lots", "market_cap_min"],
    ["/screen?date=2026-09-01&sort_by=luck", "sort_by"],
    ["/screen?date=2026-09-01&sort_order=up", "sort_order"],
    ["/screen?date=2026-09-01&limit=10000", "limit"],
  ])("GET %s names %s", async (path, field) => {
    const { status, body } = await universe.get<{ detail: { loc: string[] }[] }>(path);
    expect([status, body.detail[0]?.loc]).toEqual([422, ["query", field]]);
  });

  test.each([
    ["/admin/discover", { limit: 0 }, "limit"],
    ["/admin/discover", { exchanges: ["tokyo"] }, "exchanges"],
    ["/admin/discover", { exclude_types: "etf" }, "exclude_types"],
    ["/admin/discover", { market_cap_min: "much" }, "market_cap_min"],
    ["/admin/build-snapshots", { start_month: "2026-13" }, "start_month"],
    ["/admin/build-snapshots", { start_month: "2026-1" }, "start_month"],
    ["/admin/build-snapshots", { tickers: [] }, "tickers"],
    ["/admin/build-snapshots", { tickers: ["no ticker"] }, "tickers"],
    ["/admin/build-snapshots", { force: "perhaps" }, "force"],
  ])("POST %s with %j names %s", async (path, given, field) => {
    const { status, body } = await universe.post<{ detail: { loc: string[] }[] }>(path, given);
    expect([status, body.detail[0]?.loc.slice(0, 2)]).toEqual([422, ["body", field]]);
  });

  test("refuses contradictory or unfinished months, unlisted tickers and an unknown build id", async () => {
    const refused = async (given: object) => {
      const { status, body } = await universe.post<Problem>("/admin/build-snapshots", given);
      return [status, body.code];
    };
    expect(await refused({ start_month: "2026-08" })).toEqual([404, "no_data"]);
    expect(await refused({ start_month: "2026-08", end_month: "2026-07" })).toEqual([
      400,
      "invalid_date_range",
    ]);
    expect(await refused({ start_month: "2026-08", end_month: "2026-09" })).toEqual([
      400,
      "invalid_date_range",
    ]);
    expect(await refused({ start_month: "1980-01" })).toEqual([400, "invalid_date_range"]);
    // Without an end month the error names the month that was given.
    const early = await universe.post<Problem>("/admin/build-snapshots", { start_month: "2027-05" });
    expect([early.status, early.body.code]).toEqual([400, "invalid_date_range"]);
    expect(early.body.detail).toStartWith("The last close of 2027-05 is not settled: ");
    expect(await refused({ start_month: "2026-08", tickers: ["ZZZZ"] })).toEqual([404, "unknown_ticker"]);
    const missing = await universe.get<Problem>(
      "/admin/build-snapshots/01M23ZH7EY5RR8P2TVKQDSB5YB",
      `${U}/admin/build-snapshots/{job_id}`,
    );
    expect([missing.status, missing.body.code]).toEqual([404, "not_found"]);
    const registry = await universe.get<{ warnings: string[] }>("/registry");
    expect(registry.body.warnings).toEqual([expect.stringContaining("/universe/admin/discover")]);
    const screen = await universe.get<Problem>("/screen?date=2026-09-01");
    expect([screen.status, screen.body.code]).toEqual([404, "no_data"]);
    const both = await universe.get<Problem>("/screen?date=2026-09-01&market_cap_min=2&market_cap_max=1");
    expect([both.status, both.body.code]).toEqual([400, "bad_request"]);
  });
});

test("the admin's routes are the admin's", async () => {
  const universe = await UniverseService.open({ env: { ADMIN_TOKEN: "only-the-admin-knows" } });
  const asked = async (token?: string) => {
    const headers = token === undefined ? {} : { "x-admin-token": token };
    const paths = ["admin/discover", "admin/build-snapshots"];
    const posts = paths.map((path) =>
      universe.service.fetch(`${U}/${path}`, { method: "POST", headers, body: '{"start_month":"x"}' }),
    );
    const status = universe.service.fetch(`${U}/admin/build-snapshots/x`, { headers });
    return (await Promise.all([...posts, status])).map((response) => response.status);
  };
  try {
    expect(await asked()).toEqual([401, 401, 401]);
    expect(await asked("guessed")).toEqual([403, 403, 403]);
    expect((await asked("only-the-admin-knows")).slice(1)).toEqual([422, 404]);
  } finally {
    await universe.stop();
  }
});
