// The earnings routes on the sample market: surprises, calendars, point in time, caching, and provider
// failures.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type ApiDocument, apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

interface Quarter {
  fiscal_period: string | null;
  fiscal_quarter_end: string;
  report_date: string | null;
  report_time: string;
  eps_actual: number | null;
  eps_estimate: number | null;
  surprise: number | null;
  surprise_percent: number | null;
  result: string | null;
}
interface Surprises {
  symbol: string;
  count: number;
  streak: { type: string; length: number };
  beat_rate: number | null;
  avg_surprise_percent: number | null;
  warnings: string[];
  data: Quarter[];
  code?: string;
  ticker?: string;
}
interface Report {
  ticker: string;
  report_date: string;
  report_date_end: string | null;
  report_time: string;
  fiscal_quarter_end: string | null;
  eps_estimate: number | null;
  eps_actual: number | null;
  revenue_estimate: number | null;
  is_confirmed: boolean | null;
  other_dates: { report_date: string; source: string }[];
  source: string;
}
interface Calendar {
  ticker: string;
  next: Report | null;
  count: number;
  warnings: string[];
  data: Report[];
  code?: string;
}
interface Market extends Calendar {
  from_date: string;
  to_date: string;
  total: number;
  has_more: boolean;
}
interface Bulk {
  successful: number;
  failed: number;
  results: { ticker: string; success: boolean; data: Calendar | null; error_code: string | null }[];
}

const ENV = { SEC_USER_AGENT: "Test test@example.com" };
const BASE = "/api/v1/earnings";
const SURPRISE = "api.nasdaq.com/api/company";

let service: SampleService;
let document: ApiDocument;
beforeAll(async () => {
  service = await openSampleService({ env: ENV });
  document = await apiDocument(service);
});
afterAll(() => service.stop());

const surprise = (path: string, of = service) => of.get<Surprises>(`${BASE}/surprise/${path}`);
const calendar = (path: string, of = service) => of.get<Calendar>(`${BASE}/calendar/${path}`);
const market = (query: string, of = service) => of.get<Market>(`${BASE}/calendar?${query}`);
const bulk = (body: unknown, of = service) => of.post<Bulk>(`${BASE}/calendar/bulk`, body);

type Wanted = readonly [month: string, date: string, eps: number | null, estimate: string];

/** A surprise page of Nasdaq with the given rows. */
function page(rows: readonly Wanted[]): string {
  const list = rows.map(([fiscalQtrEnd, dateReported, eps, consensusForecast]) => ({
    fiscalQtrEnd,
    dateReported,
    eps,
    consensusForecast,
    percentageSurprise: "N/A",
  }));
  const status = { rCode: 200, bCodeMessage: null, developerMessage: null };
  return JSON.stringify({ data: { earningsSurpriseTable: { rows: list } }, message: null, status });
}

async function withPage<T>(of: SampleService, rows: readonly Wanted[], act: () => Promise<T>): Promise<T> {
  of.sample.dials.set([{ fault: "wrong_shape", match: `${SURPRISE}/ZORP/`, body: page(rows) }]);
  try {
    return await act();
  } finally {
    of.sample.dials.clear();
  }
}

describe("surprises", () => {
  test("four quarters match the company's statements and have its own labels", async () => {
    const { status, body } = await surprise("ZORP");
    expect([status, body.count]).toEqual([200, 4]);
    expect(body.data.map((row) => [row.fiscal_period, row.fiscal_quarter_end])).toEqual([
      ["2026Q2", "2026-06-30"],
      ["2026Q1", "2026-03-31"],
      ["2025Q4", "2025-12-31"],
      ["2025Q3", "2025-09-30"],
    ]);
    const { body: filed } = await service.get<{
      income_statement: { period_end_date: string; eps_diluted: number | null; period_months: number }[];
    }>("/api/v1/financial/data/ZORP?period=6m&period_type=quarterly");
    const statement = filed.income_statement.find(
      (row) => row.period_end_date === "2026-06-30" && row.period_months === 3,
    );
    expect(statement?.eps_diluted).toBe(body.data[0]?.eps_actual as number);
    for (const row of body.data) {
      const exact = (row.eps_actual ?? 0) - (row.eps_estimate ?? 0);
      expect(row.surprise).toBeCloseTo(exact, 9);
      expect(row.surprise_percent).toBeCloseTo((exact / Math.abs(row.eps_estimate ?? 1)) * 100, 6);
    }
  });

  test("a fiscal year that ends in September", async () => {
    const { body } = await surprise("KRONK");
    expect(body.data.map((row) => row.fiscal_period)).toEqual(["2026Q3", "2026Q2", "2026Q1", "2025Q4"]);
  });

  test("meets, zero estimates, and no estimates at all", async () => {
    const even = (await surprise("VEXOQ")).body;
    expect(even.data.map((row) => [row.surprise, row.surprise_percent, row.result])).toEqual(
      Array(4).fill([0, 0, "meet"]),
    );
    expect([even.streak, even.beat_rate, even.avg_surprise_percent]).toEqual([
      { type: "none", length: 0 },
      0,
      0,
    ]);
    const zero = (await surprise("BORKL")).body;
    expect(zero.data.every((row) => row.surprise_percent === null && row.surprise === row.eps_actual)).toBe(
      true,
    );
    expect(zero.avg_surprise_percent).toBeNull();
    const none = (await surprise("MURQ")).body;
    expect(none.data.length).toBe(4);
    expect(none.data.every((row) => row.eps_actual !== null && row.result === null)).toBe(true);
    expect([none.streak.length, none.beat_rate, none.avg_surprise_percent]).toEqual([0, null, null]);
  });

  test("quarters that leave the provider's list stay, streaks grow, as_of answers with what was known", async () => {
    const own = await openSampleService({ at: "2025-11-05T21:00:00Z", env: ENV });
    try {
      const ask = (query = "force_refresh=true") => surprise(`ZORP?${query}`, own);
      const old: Wanted[] = [
        ["Sep 2025", "10/22/2025", 1.1, "1.0"],
        ["Jun 2025", "7/22/2025", 1.05, "1.0"],
        ["Mar 2025", "4/22/2025", 0.9, "1.0"],
        ["Dec 2024", "1/22/2025", 1.2, "1.0"],
      ];
      const first = await withPage(own, old, () => ask());
      expect(first.body.streak).toEqual({ type: "beat", length: 2 });
      own.clock.set("2026-07-25T21:00:00Z");
      const young: Wanted[] = [
        ["Jun 2026", "7/22/2026", 1.5, "1.4"],
        ["Mar 2026", "4/22/2026", 1.4, "1.3"],
        ["Dec 2025", "1/22/2026", 1.3, "1.2"],
        // Restated later.
        ["Sep 2025", "10/22/2025", 1.15, "1.0"],
      ];
      const second = await withPage(own, young, () => ask());
      expect([second.body.count, second.body.streak]).toEqual([7, { type: "beat", length: 5 }]);
      expect(second.body.beat_rate).toBeCloseTo(6 / 7, 9);
      expect(second.body.data[3]).toMatchObject({ fiscal_quarter_end: "2025-09-30", eps_actual: 1.15 });
      const limited = (await ask("limit=1")).body;
      expect([limited.count, limited.streak.length]).toEqual([1, 5]);
      const then = (await ask("as_of=2026-01-15")).body;
      expect(then.data.map((row) => row.eps_actual)).toEqual([1.1, 1.05, 0.9, 1.2]);
      expect(then.streak).toEqual({ type: "beat", length: 2 });
      expect((await ask("as_of=2025-11-04")).body.data).toEqual([]);
    } finally {
      await own.stop();
    }
  });

  test("an unknown ticker is 404, a fund is empty, share classes are spelled as the provider does", async () => {
    const { status, body } = await surprise("NOSUCHX");
    expect([status, body.code, body.ticker]).toEqual([404, "unknown_ticker", "NOSUCHX"]);
    const fund = await surprise("ZBNDF");
    expect([fund.status, fund.body.data]).toEqual([200, []]);
    expect(fund.body.warnings.length).toBe(1);
    service.sample.resetTraffic();
    for (const ticker of ["QUIB-B", "quib.b", "QUIB%2FB"])
      expect((await surprise(ticker)).body.symbol).toBe(decodeURIComponent(ticker));
    const { by_path } = service.sample.traffic();
    expect(by_path[`${SURPRISE}/QUIB%2FB/earnings-surprise`]).toBe(1);
  });
});

describe("a company's calendar", () => {
  test("past reports and the next one", async () => {
    const { status, body } = await calendar("GRONQ");
    expect(status).toBe(200);
    expect(body.count).toBe(5);
    expect(body.next).toEqual(body.data[0] ?? null);
    expect(body.next).toMatchObject({ source: "yahoo", is_confirmed: false, eps_actual: null });
    expect((body.next?.report_date_end ?? "") > (body.next?.report_date ?? "")).toBe(true);
    expect(body.data.slice(1).every((row) => row.eps_actual !== null && row.report_date < "2026-09-09")).toBe(
      true,
    );
    const ahead = (await calendar("GRONQ?include_past=false")).body;
    expect(ahead.data).toEqual(body.data.slice(0, 1));
    const some = (await calendar("GRONQ?from_date=2026-01-01&to_date=2026-06-30")).body;
    expect(some.data.map((row) => row.fiscal_quarter_end)).toEqual(["2026-03-31", "2025-12-31"]);
    expect(some.next).toEqual(body.next);
  });

  test("the market's calendar and the company's own report date are merged into one row", async () => {
    const on = (await calendar("KLUNQ")).body.next?.report_date ?? "";
    const to = Temporal.PlainDate.from(on).add({ days: 6 }).toString();
    const listed = (await market(`from_date=${on}&to_date=${to}`)).body.data.find(
      (r) => r.ticker === "KLUNQ",
    );
    const { body } = await calendar("KLUNQ");
    expect(body.count).toBe(5);
    expect(body.next).toMatchObject({
      report_date: listed?.report_date,
      source: "nasdaq",
      fiscal_quarter_end: "2026-09-30",
      is_confirmed: false,
      other_dates: [],
    });
    expect(body.next?.revenue_estimate).toBeGreaterThan(0);
  });

  test("a report day that moves: each as_of has its own", async () => {
    const own = await openSampleService({ at: "2026-10-05T15:00:00Z", env: ENV });
    try {
      const span = "from_date=2026-10-15&to_date=2026-11-10";
      const at = async (query: string) =>
        (await market(`${span}&${query}`, own)).body.data
          .filter((row) => row.ticker === "ZUBB")
          .map((row) => row.report_date);
      const [early = ""] = await at("force_refresh=true");
      const true_day = Temporal.PlainDate.from(early).subtract({ days: 3 }).toString();
      own.clock.set(`${Temporal.PlainDate.from(true_day).subtract({ days: 4 })}T15:00:00Z`);
      expect(await at("force_refresh=true")).toEqual([true_day]);
      expect(await at("as_of=2026-10-05")).toEqual([early]);
      expect(await at("as_of=2026-10-04")).toEqual([]);
      const rows = await own
        .app()
        .lake.query<{ revision: number; report_date: string; withdrawn: boolean }>(
          "SELECT revision, report_date, withdrawn FROM earnings_calendar WHERE symbol = 'ZUBB' AND source = 'nasdaq' ORDER BY revision",
        );
      expect(rows.at(0)).toEqual({ revision: 1, report_date: early, withdrawn: false });
      expect(rows.at(-1)).toMatchObject({ report_date: true_day, withdrawn: false });
    } finally {
      await own.stop();
    }
  });
});

describe("the market's calendar", () => {
  test("a span of days, paged, by day and symbol", async () => {
    const { status, body } = await market("from_date=2026-10-19&to_date=2026-10-23");
    expect([status, body.from_date, body.to_date]).toEqual([200, "2026-10-19", "2026-10-23"]);
    expect(body.total).toBeGreaterThan(5);
    const keys = body.data.map((row) => `${row.report_date} ${row.ticker}`);
    expect(keys).toEqual(keys.toSorted());
    const paged = (await market("from_date=2026-10-19&to_date=2026-10-23&limit=2&offset=2")).body;
    expect(paged.data).toEqual(body.data.slice(2, 4));
    expect(paged.has_more).toBe(true);
    const one = (await market("date=2026-10-19")).body;
    expect(one.data).toEqual(body.data.filter((row) => row.report_date === "2026-10-19"));
  });

  test("a day without reports, today by default, at most thirty-one days", async () => {
    expect((await market("date=2026-09-12")).body).toMatchObject({ total: 0, data: [], has_more: false });
    expect((await market("")).body).toMatchObject({ from_date: "2026-09-09", to_date: "2026-09-09" });
    const most = await market("from_date=2026-09-10&to_date=2026-10-10");
    expect(most.status).toBe(200);
    const over = await market("from_date=2026-09-10&to_date=2026-10-11");
    expect([over.status, over.body.code]).toEqual([400, "invalid_date_range"]);
  });

  test.each([
    ["date=2026-09-09&from_date=2026-09-09&to_date=2026-09-10", 400, "conflicting_time_selection"],
    ["from_date=2026-09-09", 400, "invalid_date_range"],
    ["to_date=2026-09-09", 400, "invalid_date_range"],
    ["from_date=2026-09-10&to_date=2026-09-09", 400, "invalid_date_range"],
    ["from_date=1900-01-01&to_date=2100-12-31", 400, "invalid_date_range"],
  ])("%s", async (query, status, code) => {
    const answer = await market(query);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test("when the main provider fails the other's calendar is used, with a warning", async () => {
    const own = await openSampleService({ env: ENV });
    try {
      const day = "2026-10-19";
      const real = (await market(`date=${day}`)).body.data;
      own.sample.dials.set([{ fault: "html", match: "api.nasdaq.com" }]);
      const { status, body } = await market(`date=${day}`, own);
      expect(status).toBe(200);
      expect(body.data.map((row) => row.ticker)).toEqual(real.map((row) => row.ticker));
      expect(body.data.every((row) => row.source === "yahoo" && row.fiscal_quarter_end === null)).toBe(true);
      expect(body.warnings.join()).toContain(`The calendar of ${day} comes from yahoo`);
      own.sample.dials.clear();
      own.clock.set("2026-09-10T21:00:00Z");
      const after = (await market(`date=${day}&force_refresh=true`, own)).body;
      expect(after.data.every((row) => row.source === "nasdaq")).toBe(true);
      expect(after.data.length).toBe(real.length);
    } finally {
      await own.stop();
    }
  });
});

describe("bulk", () => {
  test("a failing ticker does not fail the others; MISS, then HIT for an hour, then MISS", async () => {
    const own = await openSampleService({ env: ENV });
    try {
      const body = { tickers: ["ZORP", "quib-b", "NOSUCHX", "zorp", "GIBBL"] };
      const first = await bulk(body, own);
      expect([first.status, first.headers.get("x-cache")]).toEqual([200, "MISS"]);
      expect(first.body.results.map((r) => [r.ticker, r.success, r.error_code])).toEqual([
        ["ZORP", true, null],
        ["quib-b", true, null],
        ["NOSUCHX", false, "unknown_ticker"],
        ["GIBBL", true, null],
      ]);
      expect([first.body.successful, first.body.failed]).toEqual([3, 1]);
      expect(first.body.results[0]?.data?.ticker).toBe("ZORP");
      own.sample.resetTraffic();
      const known = { tickers: ["GIBBL", "ZORP"] };
      const second = await bulk(known, own);
      expect(second.headers.get("x-cache")).toBe("HIT");
      expect(own.sample.traffic().total).toBe(0);
      expect(second.body.results[1]?.data).toEqual(first.body.results[0]?.data ?? null);
      own.clock.set("2026-09-09T21:50:00Z");
      expect((await bulk(known, own)).headers.get("x-cache")).toBe("HIT");
      own.clock.set("2026-09-09T22:05:00Z");
      expect((await bulk(known, own)).headers.get("x-cache")).toBe("MISS");
    } finally {
      await own.stop();
    }
  });

  test("an outage fails its tickers, not the request, and is not cached", async () => {
    const own = await openSampleService({ env: ENV });
    try {
      own.sample.dials.set([{ fault: "status", status: 500 }]);
      const { status, body } = await bulk({ tickers: ["ZORP", "GIBBL"] }, own);
      expect([status, body.failed]).toEqual([200, 2]);
      expect(body.results.every((r) => r.error_code === "upstream_error" && r.data === null)).toBe(true);
    } finally {
      await own.stop();
    }
  });

  const many = Array.from({ length: 101 }, (_, i) => `Z${i}`);
  test.each([
    [{}],
    [{ tickers: [] }],
    [{ tickers: many }],
    [{ tickers: ["Z Q"] }],
    [{ tickers: ["ZORP"], from_date: "soon" }],
  ])("bad input %#", async (body) => {
    expect((await bulk(body)).status).toBe(422);
  });
});

describe("failures and formats", () => {
  for (const error of ["html", "truncated", "rate_limited", "wrong_shape"] as const)
    test(`surprises when the provider answers with ${error}`, async () => {
      const own = await openSampleService({ env: ENV });
      try {
        own.sample.dials.set([{ fault: error, match: "api.nasdaq.com" }]);
        const cold = await surprise("ZORP", own);
        expect([429, 502]).toContain(cold.status);
        own.sample.dials.clear();
        own.clock.set("2026-09-10T21:00:00Z");
        const whole = (await surprise("ZORP", own)).body;
        own.clock.set("2026-09-11T21:00:00Z");
        own.sample.dials.set([{ fault: error, match: "api.nasdaq.com" }]);
        const old = await surprise("ZORP", own);
        expect([old.status, old.body.data]).toEqual([200, whole.data]);
        expect(old.body.warnings.join()).toContain("What is stored is served");
      } finally {
        await own.stop();
      }
    });

  test("a calendar without the next report has a warning; without any report it fails", async () => {
    const own = await openSampleService({ env: ENV });
    try {
      own.sample.dials.set([{ fault: "status", status: 500, match: "quoteSummary" }]);
      const { status, body } = await calendar("ZORP", own);
      expect([status, body.next, body.count]).toEqual([200, null, 4]);
      expect(body.warnings.join()).toContain("The next report may be missing");
      own.sample.dials.set([{ fault: "status", status: 500, match: "api.nasdaq.com" }]);
      expect((await calendar("GIBBL", own)).status).toBe(502);
    } finally {
      await own.stop();
    }
  });

  test.each([
    ["surprise/ZORP?limit=0", 422],
    ["surprise/ZORP?limit=81", 422],
    ["surprise/ZORP?as_of=soon", 422],
    ["surprise/ABCDEFGHIJKLMNOP", 422],
    ["calendar/ZORP?include_past=maybe", 422],
    ["calendar/ZORP?from_date=2026-02-30", 422],
    ["calendar/ZORP?from_date=2026-09-02&to_date=2026-09-01", 400],
    ["calendar?limit=5001", 422],
    ["calendar?date=20260909", 422],
  ])("%s is %i", async (path, status) => {
    expect((await service.get(`${BASE}/${path}`)).status).toBe(status);
  });

  test("answers match the API document; rows as csv", async () => {
    const check = async (path: string, of: string) =>
      expect(
        await faultsOfAnswer(document, document.operation("GET", of), await service.fetch(path)),
      ).toEqual([]);
    await check(`${BASE}/surprise/ZORP`, `${BASE}/surprise/{symbol}`);
    await check(`${BASE}/surprise/NOSUCHX`, `${BASE}/surprise/{symbol}`);
    await check(`${BASE}/calendar/ZORP?as_of=2026-09-01`, `${BASE}/calendar/{ticker}`);
    await check(`${BASE}/calendar?date=2026-10-19`, `${BASE}/calendar`);
    const answer = await service.fetch(`${BASE}/calendar/bulk`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ tickers: ["ZORP", "NOSUCHX"] }),
    });
    const operation = document.operation("POST", `${BASE}/calendar/bulk`);
    expect(await faultsOfAnswer(document, operation, answer)).toEqual([]);
    const csv = await (await service.fetch(`${BASE}/surprise/ZORP?format=csv`)).text();
    expect(csv.split("\r\n").slice(0, 2).join("\n")).toStartWith("symbol,fiscal_period,");
    expect(csv.trim().split("\r\n").length).toBe(5);
  });

  test("the daily job reads the days around today and every followed ticker", async () => {
    const own = await openSampleService({ at: "2026-07-20T10:00:00Z", env: ENV });
    try {
      const before = (await surprise("ZORP", own)).body.data[0]?.fiscal_quarter_end;
      own.clock.set("2026-08-10T10:45:00Z");
      const run = await own.app().jobs.runNow("earnings-calendar").done;
      expect(run?.outcome).toBe("succeeded");
      expect(run?.rows).toBeGreaterThan(0);
      const { body } = await surprise("ZORP?as_of=2026-08-10", own);
      expect([before, body.data[0]?.fiscal_quarter_end]).toEqual(["2026-03-31", "2026-06-30"]);
      const [health] = [await own.get<{ dependencies: Record<string, unknown> }>("/api/v1/health")];
      expect(Object.keys(health?.body.dependencies ?? {})).toContain("nasdaq");
    } finally {
      await own.stop();
    }
  });
});
