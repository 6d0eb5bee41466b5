// The fund routes on the sample market: profiles, holdings as known on a day, series of one trust, exposure,
// faults.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { basketOf, isinOf } from "../../sample/fund-basket.ts";
import { etfHoldings } from "../../src/datasets/index.ts";
import type { RowOf } from "../../src/platform/lake/dataset.ts";
import { batchOf } from "../../src/platform/lake/lake.ts";
import { type ApiDocument, apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import { movableClock } from "../support/clock.ts";
import { openSampleService, openService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

type Row = Record<string, string | number | null>;
interface Holdings {
  ticker: string;
  as_of: string;
  source: string;
  count: number;
  total: number | null;
  series_id: string | null;
  fund_name: string;
  accession_number: string | null;
  net_assets: number;
  known_at: string;
  warnings: string[];
  code?: string;
  data: Row[];
}

const ENV = { SEC_USER_AGENT: "Test test@example.com" };
const E = "/api/v1/etf";
let service: SampleService;
let document: ApiDocument;
beforeAll(async () => {
  service = await openSampleService({ env: ENV });
  document = await apiDocument(service);
});
afterAll(() => service.stop());

const holdings = (path: string, of = service) => of.get<Holdings>(`${E}/${path}`);
const asked = (part: string, of = service) =>
  Object.keys(of.sample.traffic().by_path).filter((path) => path.includes(part));

describe("what counts as a fund", () => {
  test("gives a profile with figures in their units, and null where no source has one", async () => {
    const { status, body } = await service.get(`${E}/ZTEKF`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ticker: "ZTEKF",
      name: "Sample Technology ETF",
      issuer: "Sample Funds",
      category: "Technology",
      asset_class: "equity",
      index_tracked: null,
      expense_ratio: 0.002,
      aum: 15_200_000_000,
      nav_date: null,
      inception_date: "2015-01-05",
      dividend_yield: 0.5,
      currency: "USD",
      series_id: "S000900002",
      source: "yahoo",
      warnings: [],
    });
  });

  test("costs of 0 in a record that is not filled in are not known", async () => {
    expect((await service.get(`${E}/ZCAPF`)).body).toMatchObject({ expense_ratio: null });
    expect((await service.get(`${E}/ZBNDF`)).body).toMatchObject({
      asset_class: "bond",
      expense_ratio: 0.0003,
    });
    expect((await service.get(`${E}/ZGLDF`)).body).toMatchObject({ asset_class: "other" });
  });

  test("a share is not a fund, an unassigned ticker is unknown; on every route, and by any day", async () => {
    for (const path of [
      "ZORP",
      "zorp",
      "ZORP/holdings",
      "ZORP/holdings?as_of=2026-01-05",
      "ZORP/sectors",
      "QUIB-B",
    ]) {
      const { status, body } = await holdings(path);
      expect([path, status, body.code]).toEqual([path, 404, "not_an_etf"]);
    }
    for (const path of ["NOPEQ", "NOPEQ/holdings", "NOPEQ/holdings?as_of=2026-01-05", "NOPEQ/sectors"]) {
      const { status, body } = await holdings(path);
      expect([path, status, body.code]).toEqual([path, 404, "unknown_ticker"]);
    }
    // A name that is kept without being quoted.
    expect((await holdings("HUSQ")).body.code).toBe("no_data");
  });

  test("sectors add up to what is invested", async () => {
    const { body } = await service.get<{ data: { sector: string; weight_percent: number }[] }>(
      `${E}/ZTEKF/sectors`,
    );
    const weights = body.data.map(({ weight_percent }) => weight_percent);
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(99.41, 2);
    expect(weights).toEqual(weights.toSorted((a, b) => b - a));
    expect((await service.get<{ data: unknown[] }>(`${E}/ZBNDF/sectors`)).body.data).toEqual([]);
  });
});

describe("holdings", () => {
  test("the newest report, whole, the heaviest first", async () => {
    const { status, body } = await holdings("ZTEKF/holdings");
    expect(status).toBe(200);
    const basket = basketOf("ZTEKF", 1, "2026-06-30");
    expect(body).toMatchObject({
      ticker: "ZTEKF",
      as_of: "2026-06-30",
      source: "nport",
      count: 24,
      total: 24,
      warnings: [],
      series_id: "S000900002",
      fund_name: "Sample Technology ETF",
    });
    const total = body.data.reduce((sum, row) => sum + Number(row.weight_percent), 0);
    expect(total).toBeCloseTo(99.41, 3);
    expect(body.data.map(({ rank }) => rank)).toEqual(body.data.map((_, i) => i + 1));
    const heaviest = basket.toSorted((a, b) => b.weight - a.weight)[0];
    expect(body.data[0]).toMatchObject({
      symbol: heaviest?.listing.symbol,
      isin: isinOf(heaviest?.listing.symbol ?? ""),
    });
    expect(body.data[0]?.weight_percent).toBeCloseTo((heaviest?.weight ?? 0) * 100, 4);
    expect(Number(body.data[0]?.market_value) / body.net_assets).toBeCloseTo(
      Number(body.data[0]?.weight_percent) / 100,
      9,
    );
  });

  test("funds of one trust are not mixed up", async () => {
    const [tech, dividend] = [
      (await holdings("ZTEKF/holdings")).body,
      (await holdings("ZDVDF/holdings")).body,
    ];
    expect([tech.fund_name, dividend.fund_name]).toEqual(["Sample Technology ETF", "Sample Dividend ETF"]);
    expect(dividend.total).toBe(18);
    const lines = await service
      .app()
      .lake.query<{ fund_name: string; fund_symbol: string; series_id: string }>(
        "SELECT DISTINCT fund_name, fund_symbol, series_id FROM etf_holdings ORDER BY 3",
      );
    expect(lines).toEqual([
      { fund_name: "Sample Technology ETF", fund_symbol: "ZTEKF", series_id: "S000900002" },
      { fund_name: "Sample Dividend ETF", fund_symbol: "ZDVDF", series_id: "S000900003" },
    ]);
  });

  test("as_of: a second before a report is public the one before it counts, then that one", async () => {
    const now = (await holdings("ZTEKF/holdings?limit=1")).body;
    const at = Temporal.Instant.from(now.known_at);
    const before = (await holdings(`ZTEKF/holdings?limit=1&as_of=${at.subtract({ seconds: 1 })}`)).body;
    expect(before.as_of).toBe("2026-03-31");
    expect(Temporal.Instant.compare(Temporal.Instant.from(before.known_at), at)).toBe(-1);
    const then = (await holdings(`ZTEKF/holdings?limit=1&as_of=${at}`)).body;
    expect(then).toEqual({ ...now, warnings: [expect.stringMatching(/^holder_unproven: /)] });
  });

  test("an amendment counts from its own acceptance; the report it corrects stays what was known before", async () => {
    const first = (await holdings("ZTEKF/holdings?as_of=2026-03-08")).body;
    const second = (await holdings("ZTEKF/holdings?as_of=2026-03-31")).body;
    expect([first.as_of, second.as_of]).toEqual(["2025-12-31", "2025-12-31"]);
    expect(first.accession_number).not.toBe(second.accession_number);
    const weightOf = (of: Holdings) =>
      new Map(of.data.map(({ isin, weight_percent }) => [isin, Number(weight_percent)]));
    const [was, is] = [weightOf(first), weightOf(second)];
    const other = [...is].filter(([isin, weight]) => Math.abs(weight - (was.get(isin) ?? 0)) > 1e-6);
    expect(other).toHaveLength(1);
    expect((was.get(other[0]?.[0] ?? null) ?? 0) / (other[0]?.[1] ?? 1)).toBeCloseTo(0.9, 5);
    // The macro says the same.
    const rows = await service
      .app()
      .lake.query<{ accession_number: string }>(
        "SELECT DISTINCT accession_number FROM etf_holdings_as_of('2026-03-08') WHERE series_id = 'S000900002'",
      );
    expect(rows).toEqual([{ accession_number: first.accession_number ?? "" }]);
  });

  test("shorts are negative, contracts keep their kind and are no shares", async () => {
    const { data, total } = (await holdings("ZCAPF/holdings?limit=100")).body;
    expect(total).toBe(data.length);
    const short = data.filter(({ payoff_profile }) => payoff_profile === "Short");
    expect(short).toHaveLength(1);
    expect(short[0]).toMatchObject({ symbol: "VROOQ" });
    expect(Number(short[0]?.shares)).toBeLessThan(0);
    expect(Number(short[0]?.market_value)).toBeLessThan(0);
    expect(Number(short[0]?.weight_percent)).toBeCloseTo(-6, 1);
    expect(data.flatMap(({ derivative_kind }) => derivative_kind ?? []).sort()).toEqual([
      "FUT",
      "FWD",
      "OPT",
    ]);
    const call = data.find(({ derivative_kind }) => derivative_kind === "OPT");
    expect(call).toMatchObject({ symbol: null, shares: null, balance: -120, units: "NC", cusip: null });
  });

  test("bonds have their issuers' tickers, and are no shares of theirs", async () => {
    const { data } = (await holdings("ZBNDF/holdings")).body;
    expect(new Set(data.map(({ symbol }) => symbol))).toEqual(new Set([null]));
    expect(data[0]).toMatchObject({ asset_category: "DBT", units: "PA", shares: null });
  });

  test("a fund that files none: the ten largest, and nothing for a past day", async () => {
    const { body } = await holdings("SMPLF/holdings");
    expect(body).toMatchObject({
      source: "yahoo",
      count: 10,
      total: null,
      accession_number: null,
      as_of: "2026-09-09",
    });
    expect(body.data[0]).toMatchObject({ rank: 1, shares: null, market_value: null });
    expect(body.warnings.join(" ")).toContain("ten largest");
    expect((await holdings("SMPLF/holdings?as_of=2026-01-05")).body.code).toBe("no_data");
    expect((await holdings("ZGLDF/holdings")).body.code).toBe("no_data");
  });

  test("before the first report, and today's date: nothing, and the newest", async () => {
    expect((await holdings("ZTEKF/holdings?as_of=2019-11-01")).body.code).toBe("no_data");
    expect((await holdings("ZTEKF/holdings?as_of=2026-09-09")).body.as_of).toBe("2026-06-30");
    expect((await holdings("ztekf/holdings?limit=1")).body.ticker).toBe("ztekf");
  });

  test("what was read is not asked again; csv has a row a line", async () => {
    const before = JSON.stringify(service.sample.traffic().by_path);
    await holdings("ZTEKF/holdings");
    expect(JSON.stringify(service.sample.traffic().by_path)).toBe(before);
    const csv = await (await service.fetch(`${E}/ZTEKF/holdings?format=csv`)).text();
    expect(csv.trim().split("\n")).toHaveLength(25);
    expect(csv).toStartWith("rank,symbol,name,");
  });

  test("bad input", async () => {
    for (const path of [
      "ZTEKF/holdings?limit=0",
      "ZTEKF/holdings?as_of=2026-02-30",
      "%20/holdings",
      "ZTEKF/holdings?limit=x",
    ])
      expect((await holdings(path)).status).toBe(422);
  });
});

describe("the funds that hold a share", () => {
  test("by its ticker, else by a number that other reports give to it", async () => {
    for (const fund of ["ZTEKF", "ZDVDF", "ZCAPF", "ZBNDF"]) await holdings(`${fund}/holdings`);
    const tech = new Set(basketOf("ZTEKF", 1, "2026-06-30").map(({ listing }) => listing.symbol));
    const shared = basketOf("ZDVDF", 1, "2026-06-30").find(({ listing }) => tech.has(listing.symbol));
    const symbol = shared?.listing.symbol ?? "";
    const { body } = await service.get<{ funds_stored: number; data: Row[] }>(`${E}/exposure/${symbol}`);
    expect(body.funds_stored).toBe(4);
    const by = new Map(body.data.map(({ etf, matched_by }) => [etf, matched_by]));
    expect(by.get("ZTEKF")).toBe("ticker");
    expect(by.get("ZDVDF")).toBe("isin");
    const dividend = body.data.find(({ etf }) => etf === "ZDVDF");
    expect(dividend?.weight_percent).toBeCloseTo((shared?.weight ?? 0) * 100, 4);
    // Nothing was public then.
    const early = await service.get<{ funds_stored: number; data: Row[] }>(
      `${E}/exposure/${symbol}?as_of=2019-01-02`,
    );
    expect(early.body).toMatchObject({ funds_stored: 0, data: [] });
  });

  test("a long and a short position are one exposure; a call on a share is none", async () => {
    const rows = (await service.get<{ data: Row[] }>(`${E}/exposure/VROOQ`)).body.data;
    const lines = (await holdings("ZCAPF/holdings?limit=100")).body.data.filter(
      ({ symbol }) => symbol === "VROOQ",
    );
    const sum = lines.reduce((total, { weight_percent }) => total + Number(weight_percent), 0);
    expect(rows.find(({ etf }) => etf === "ZCAPF")?.weight_percent).toBeCloseTo(sum, 9);
    const zorp = (await service.get<{ data: Row[] }>(`${E}/exposure/ZORP`)).body.data;
    const own = basketOf("ZCAPF", 1, "2026-06-30").some(({ listing }) => listing.symbol === "ZORP");
    expect(zorp.some(({ etf }) => etf === "ZCAPF")).toBe(own);
    expect((await service.get<{ data: Row[] }>(`${E}/exposure/NOPEQ`)).body.data).toEqual([]);
  });
});

describe("a class of shares, spelled by each fund as it likes", () => {
  test("lines of its ISIN count whatever dots they leave out; another share's do not", async () => {
    await holdings("ZTEKF/holdings");
    const { lake } = service.app();
    const [one] = await lake.query<RowOf<typeof etfHoldings>>(
      "SELECT * FROM etf_holdings WHERE symbol IS NOT NULL LIMIT 1",
    );
    if (!one) throw new Error("no fund was read");
    const lines: [fund: string, symbol: string | null, isin: string][] = [
      ["ZONE", "QUIB.B", "US0000000QB1"],
      ["ZTWO", "QUIBB", "US0000000QB1"],
      ["ZTHREE", null, "US0000000QB1"],
      ["ZFOUR", "QUIBB", "US0000000XX2"],
    ];
    const rows = lines.map(([fund_symbol, symbol, isin], i) => ({
      ...one,
      series_id: `S00090100${i}`,
      accession_number: `0009500901-26-00000${i}`,
      line: 1,
      fund_symbol,
      symbol,
      isin,
      cusip: null,
      ticker: symbol,
      asset_category: "EC",
      derivative_kind: null,
    }));
    await lake.append([batchOf(etfHoldings, rows)]);
    const held = async (symbol: string) =>
      (await service.get<{ data: Row[] }>(`${E}/exposure/${symbol}`)).body.data
        .map(({ etf, matched_by }) => `${etf} ${matched_by}`)
        .sort();
    expect(await held("QUIB-B")).toEqual(["ZONE ticker", "ZTHREE isin", "ZTWO isin"]);
    expect(await held("QUIBB")).toContain("ZFOUR ticker");
  });

  test("a sum of lines is the same to the last digit, however the rows lie in the files", async () => {
    await holdings("ZTEKF/holdings");
    const { lake } = service.app();
    const [one] = await lake.query<RowOf<typeof etfHoldings>>(
      "SELECT * FROM etf_holdings WHERE symbol IS NOT NULL LIMIT 1",
    );
    if (!one) throw new Error("no fund was read");
    const fund = (nr: number, weights: number[]) =>
      weights.map((weight_percent, line) => ({
        ...one,
        series_id: `S00090110${nr}`,
        accession_number: `0009500911-26-00000${nr}`,
        line,
        fund_symbol: `ZSUM${nr}`,
        symbol: "SUMQ",
        ticker: "SUMQ",
        weight_percent,
        asset_category: "EC",
        derivative_kind: null,
      }));
    await lake.append([batchOf(etfHoldings, [...fund(1, [0.1, 0.2, 0.3]), ...fund(2, [0.3, 0.2, 0.1])])]);
    const { body } = await service.get<{ data: Row[] }>(`${E}/exposure/SUMQ`);
    const sums = body.data.map(({ weight_percent }) => weight_percent);
    expect(sums).toEqual([0.1 + 0.2 + 0.3, 0.1 + 0.2 + 0.3]);
  });
});

describe("the list", () => {
  test("needs the exchanges' lists, then has their funds", async () => {
    expect((await service.get(`${E}/list`)).status).toBe(404);
    expect((await service.post("/api/v1/universe/admin/discover", {})).status).toBe(200);
    const { body } = await service.get<{ total: number; data: Row[] }>(`${E}/list`);
    const tickers = body.data.map(({ ticker }) => ticker);
    expect(tickers).toContain("ZTEKF");
    expect(tickers).not.toContain("ZORP");
    expect(body.total).toBe(tickers.length);
    const ask = async (query: string) =>
      (await service.get<{ data: Row[] }>(`${E}/list?${query}`)).body.data.map(({ ticker }) => ticker);
    expect(await ask("q=technology")).toEqual(["ZTEKF"]);
    expect(await ask("issuer=sample%20funds")).toContain("ZTEKF");
    expect(await ask("issuer=nosuchissuer")).toEqual([]);
    expect(await ask("limit=1&offset=1")).toEqual([tickers[1] ?? null]);
    // Now the lists say what is a fund, without a profile.
    expect((await holdings("ZORP/holdings")).body.code).toBe("not_an_etf");
  });

  test("answers are as documented", async () => {
    for (const [path, template] of [
      ["ZTEKF", "{ticker}"],
      ["ZTEKF/holdings", "{ticker}/holdings"],
      ["SMPLF/holdings", "{ticker}/holdings"],
      ["ZTEKF/sectors", "{ticker}/sectors"],
      ["list", "list"],
      ["exposure/ZORP", "exposure/{symbol}"],
      ["ZORP", "{ticker}"],
    ] as const) {
      const response = await service.fetch(`${E}/${path}`);
      expect(await faultsOfAnswer(document, document.operation("GET", `${E}/${template}`), response)).toEqual(
        [],
      );
    }
  });
});

describe("when a provider fails", () => {
  test("the regulator is down: what is stored is served with a warning, else the ten largest", async () => {
    const own = await openSampleService({ env: ENV });
    try {
      await holdings("ZTEKF/holdings", own);
      own.sample.dials.set([{ match: "sec.gov", fault: "status", status: 503 }]);
      own.clock.set("2026-09-10T21:00:00Z");
      const stored = (await holdings("ZTEKF/holdings?limit=1", own)).body;
      expect(stored).toMatchObject({ source: "nport", as_of: "2026-06-30" });
      expect(stored.warnings.join(" ")).toContain("Fetching from the SEC failed");
      const other = (await holdings("ZDVDF/holdings?limit=1", own)).body;
      expect(other).toMatchObject({ source: "yahoo" });
      expect((await holdings("ZDVDF/holdings?as_of=2026-03-31", own)).status).toBe(502);
    } finally {
      await own.stop();
    }
  });

  test("a report that is cut off is not kept, and comes whole the next time", async () => {
    const own = await openSampleService({ env: ENV });
    try {
      own.sample.dials.set([{ match: "primary_doc.xml", fault: "truncated" }]);
      expect((await holdings("ZTEKF/holdings", own)).body).toMatchObject({ source: "yahoo" });
      own.sample.dials.clear();
      own.clock.set("2026-09-10T21:00:00Z");
      expect((await holdings("ZTEKF/holdings", own)).body).toMatchObject({ source: "nport", total: 24 });
    } finally {
      await own.stop();
    }
  });

  test("a missing report is replaced by the one before it, with a warning", async () => {
    const newest = (await holdings("ZTEKF/holdings?limit=1")).body;
    const said = { missing: false };
    const { url } = service.sample;
    const between = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch(request) {
        const { pathname, search } = new URL(request.url);
        if (said.missing && pathname.endsWith("primary_doc.xml")) {
          said.missing = false;
          return new Response("<Error><Code>NoSuchKey</Code></Error>", { status: 404 });
        }
        return fetch(`${url}${pathname}${search}`, { headers: request.headers });
      },
    });
    const opened = (at: string) =>
      openService({ upstream: between.url.href, env: ENV, clock: movableClock(at) });
    const old = await opened("2026-09-09T21:00:00Z");
    const fresh = await opened(`${newest.known_at.slice(0, 10)}T23:59:00Z`);
    const ask = async (of: typeof old) => (await of.get<Holdings>(`${E}/ZTEKF/holdings?limit=1`)).body;
    try {
      said.missing = true;
      const before = await ask(old);
      expect([before.source, before.as_of]).toEqual(["nport", "2026-03-31"]);
      expect(before.warnings).toEqual([
        expect.stringContaining(`Report ${newest.accession_number} cannot be used:`),
      ]);
      // A new one is asked for again.
      said.missing = true;
      const { as_of, warnings } = await ask(fresh);
      expect(as_of).toBe("2026-03-31");
      expect(warnings).toEqual([`Report ${newest.accession_number} is listed but could not be fetched yet.`]);
      expect(await ask(fresh)).toMatchObject({ as_of: "2026-06-30", warnings: [] });
    } finally {
      await Promise.all([old.stop(), fresh.stop()]);
      await between.stop(true);
    }
  });

  test("without a name for the SEC the ten largest are served, and say so", async () => {
    const own = await openSampleService();
    try {
      const { body } = await holdings("ZTEKF/holdings", own);
      expect(body).toMatchObject({ source: "yahoo", count: 10 });
      expect(body.warnings.join(" ")).toContain("SEC_USER_AGENT");
      expect((await holdings("ZTEKF/holdings?as_of=2026-01-05", own)).status).toBe(503);
      expect(asked("nport", own)).toEqual([]);
    } finally {
      await own.stop();
    }
  });

  test("the job reads new reports of funds that were asked for", async () => {
    const own = await openSampleService({ env: ENV, at: "2026-08-20T21:00:00Z" });
    try {
      expect((await holdings("ZTEKF/holdings", own)).body.as_of).toBe("2026-03-31");
      own.clock.set("2026-09-09T21:00:00Z");
      expect(await own.app().jobs.runNow("etf-reports").done).toMatchObject({
        outcome: "succeeded",
        rows: 24,
      });
      expect((await holdings("ZTEKF/holdings", own)).body.as_of).toBe("2026-06-30");
    } finally {
      await own.stop();
    }
  });
});
