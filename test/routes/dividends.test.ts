// The dividend routes on the sample market: revisions, point in time, adjusted amounts, and provider
// failures.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { paymentsOf } from "../../sample/payments.ts";
import { corporateActions } from "../../src/datasets/index.ts";
import { batchOf } from "../../src/platform/lake/lake.ts";
import { type ApiDocument, apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

interface Row {
  ticker: string;
  ex_dividend_date: string;
  declaration_date: string | null;
  payment_date: string | null;
  amount: number | null;
  adjusted_amount: number | null;
  currency: string | null;
  frequency: string | null;
  dividend_type: string | null;
  status: string;
  as_of_date: string;
  revision: number;
  known_at: string;
  backfilled: boolean;
  source: string;
}
interface Calendar {
  ticker: string;
  as_of_date: string;
  count: number;
  total: number;
  splits_known_through: string | null;
  last_updated: string | null;
  warnings: string[];
  data: Row[];
  code?: string;
}
interface Bulk {
  successful: number;
  failed: number;
  results: { ticker: string; success: boolean; data: Calendar | null; error_code: string | null }[];
}

const ENV = { SEC_USER_AGENT: "Test test@example.com" };
const CALENDAR = "/api/v1/dividends/calendar";
const PAGE = "api.nasdaq.com/api/quote";
const CHART = "finance.yahoo.com/v8/finance/chart";

let service: SampleService;
let document: ApiDocument;
beforeAll(async () => {
  service = await openSampleService({ env: ENV });
  document = await apiDocument(service);
});
afterAll(() => service.stop());

const get = (path: string, of = service) => of.get<Calendar>(`${CALENDAR}/${path}`);
const paths = (of: SampleService) => Object.keys(of.sample.traffic().by_path);

/** A dividend page of Nasdaq with the given rows: ex date, amount, payment date. */
function page(rows: readonly (readonly [ex: string, amount: string, paid?: string])[]) {
  const us = (date: string) => `${date.slice(5, 7)}/${date.slice(8)}/${date.slice(0, 4)}`;
  const list = rows.map(([ex, amount, paid]) => ({
    exOrEffDate: us(ex),
    type: "Cash",
    amount,
    declarationDate: "N/A",
    recordDate: us(ex),
    paymentDate: paid ? us(paid) : "N/A",
    currency: "USD",
  }));
  const status = { rCode: 200, bCodeMessage: null, developerMessage: null };
  return JSON.stringify({ data: { dividends: { rows: list } }, message: null, status });
}

describe("revisions", () => {
  let own: SampleService;
  beforeAll(async () => {
    own = await openSampleService({ at: "2026-08-20T15:00:00Z", env: ENV });
  });
  afterAll(() => own.stop());
  const seen = async (at: string, rows: Parameters<typeof page>[0]) => {
    own.clock.set(at);
    own.sample.dials.clear();
    own.sample.dials.set([{ fault: "wrong_shape", match: `${PAGE}/ZORP/dividends`, body: page(rows) }]);
    const { status, body } = await get("ZORP?force_refresh=true", own);
    expect(status).toBe(200);
    return body;
  };
  const asOf = async (date: string) =>
    (await get(`ZORP?as_of_date=${date}&from_date=2026-09-01`, own)).body.data.map((row) => [
      row.ex_dividend_date,
      row.amount,
      row.status,
      row.as_of_date,
      row.revision,
    ]);
  const PAST = ["2026-07-15", "$0.10", "2026-07-30"] as const;

  test("three revisions and a cancellation: each as_of_date has its own", async () => {
    await seen("2026-08-20T15:00:00Z", [["2026-09-22", "$0.15", "2026-10-13"], PAST]);
    await seen("2026-08-27T15:00:00Z", [["2026-09-22", "$0.16", "2026-10-13"], PAST]);
    await seen("2026-09-02T15:00:00Z", [["2026-09-22", "$0.16", "2026-10-14"], PAST]);
    const now = await seen("2026-09-08T15:00:00Z", [PAST]);
    expect(now.data.map((row) => [row.ex_dividend_date, row.status, row.revision])).toEqual([
      ["2026-09-22", "cancelled", 4],
      ["2026-07-15", "paid", 1],
    ]);
    expect(await asOf("2026-08-19")).toEqual([]);
    expect(await asOf("2026-08-20")).toEqual([["2026-09-22", 0.15, "declared", "2026-08-20", 1]]);
    expect(await asOf("2026-08-26")).toEqual([["2026-09-22", 0.15, "declared", "2026-08-20", 1]]);
    expect(await asOf("2026-08-27")).toEqual([["2026-09-22", 0.16, "declared", "2026-08-27", 2]]);
    expect(await asOf("2026-09-05")).toEqual([["2026-09-22", 0.16, "declared", "2026-09-02", 3]]);
    expect(await asOf("2026-09-08")).toEqual([["2026-09-22", 0.16, "cancelled", "2026-09-08", 4]]);
    const rows = await own
      .app()
      .lake.query(
        "SELECT revision, amount, status, as_of_date FROM dividend_calendar WHERE symbol = 'ZORP' AND ex_dividend_date = DATE '2026-09-22' ORDER BY revision",
      );
    expect(rows).toEqual([
      { revision: 1, amount: 0.15, status: "declared", as_of_date: "2026-08-20" },
      { revision: 2, amount: 0.16, status: "declared", as_of_date: "2026-08-27" },
      { revision: 3, amount: 0.16, status: "declared", as_of_date: "2026-09-02" },
      { revision: 4, amount: 0.16, status: "cancelled", as_of_date: "2026-09-08" },
    ]);
  });

  test("a past as_of_date asks no provider; paid is as of that day", async () => {
    own.sample.resetTraffic();
    const { body } = await get("ZORP?as_of_date=2026-08-20&to_date=2026-08-01", own);
    expect(body.data.map((row) => row.status)).toEqual(["paid"]);
    // The payment was read on the 20th itself, so nothing in the answer is from later.
    expect([body.warnings, body.last_updated]).toEqual([[], null]);
    expect(body.data.map((row) => row.backfilled)).toEqual([false]);
    expect(own.sample.traffic().total).toBe(0);
  });

  test("a page without its past dividends cancels nothing", async () => {
    own.sample.dials.clear();
    own.sample.dials.set([
      { fault: "wrong_shape", match: `${PAGE}/ZORP/dividends`, body: page([["2026-12-22", "$0.2"]]) },
    ]);
    expect((await get("ZORP?force_refresh=true", own)).status).toBe(502);
    own.sample.dials.clear();
    expect((await asOf("2026-09-08")).length).toBe(1);
  });

  test("the sample's own revisions: a corrected amount, a cancelled extra dividend", async () => {
    const { market } = own.sample;
    own.clock.set("2026-09-01T15:00:00Z");
    const found = market.find("OBBLQ");
    if (!found) throw new Error("no OBBLQ");
    const [first] = paymentsOf(market, found.listing, 2026, 2026).slice(-1);
    if (!first) throw new Error("no payment");
    const declared = Temporal.PlainDate.from(first.declared);
    own.clock.set(`${declared.add({ days: 1 })}T15:00:00Z`);
    const one = (await get("OBBLQ?limit=1&force_refresh=true", own)).body.data[0];
    own.clock.set(`${declared.add({ days: 11 })}T15:00:00Z`);
    const two = (await get("OBBLQ?limit=1&force_refresh=true", own)).body.data[0];
    expect([one?.ex_dividend_date, two?.ex_dividend_date]).toEqual([first.exDate, first.exDate]);
    expect([one?.revision, two?.revision]).toEqual([1, 2]);
    expect(one?.amount).toBeCloseTo((two?.amount ?? 0) * 0.8, 2);

    own.clock.set("2026-09-09T15:00:00Z");
    const before = (await get("TRELB?from_date=2026-09-25&force_refresh=true", own)).body.data;
    own.clock.set("2026-09-14T15:00:00Z");
    const after = (await get("TRELB?from_date=2026-09-25&force_refresh=true", own)).body.data;
    expect([before[0]?.status, before[0]?.amount]).toEqual(["declared", 0.5]);
    expect([after[0]?.status, after[0]?.revision, after[0]?.as_of_date]).toEqual([
      "cancelled",
      2,
      "2026-09-14",
    ]);
  });
});

describe("dividends fetched after as_of_date", () => {
  let own: SampleService;
  beforeAll(async () => {
    own = await openSampleService({ env: ENV });
  });
  afterAll(() => own.stop());

  test("five years ago, on a new box: what was known by then, marked, on the share basis of then", async () => {
    const { status, body } = await get("ZORP?as_of_date=2021-09-09", own);
    expect([status, body.last_updated]).toEqual([200, null]);
    expect(body.data.map((row) => row.ex_dividend_date)).toEqual(["2021-06-03", "2021-03-23"]);
    for (const row of body.data) {
      expect(row.backfilled).toBe(true);
      // The 4:1 split of June 2021 counts, that of June 2026 does not.
      expect(row.adjusted_amount).toBe((row.amount ?? 0) / 4);
      expect(row.as_of_date).toBe(row.declaration_date ?? row.ex_dividend_date);
      expect(row.as_of_date <= "2021-09-09").toBe(true);
    }
    expect(body.warnings.join()).toContain("Rows marked backfilled");
    expect(JSON.stringify(body)).not.toContain("2026-");
  });

  test("a payment counts from the end of its declaration day", async () => {
    const [row] = (await get("ZORP?as_of_date=2026-06-01&limit=1", own)).body.data;
    const declared = row?.declaration_date ?? "";
    const dayBefore = Temporal.PlainDate.from(declared).subtract({ days: 1 }).toString();
    const exDates = async (day: string) =>
      (await get(`ZORP?as_of_date=${day}`, own)).body.data.map((one) => one.ex_dividend_date);
    expect(await exDates(declared)).toContain(row?.ex_dividend_date ?? "");
    expect(await exDates(dayBefore)).not.toContain(row?.ex_dividend_date ?? "");
    const known = (at: string) =>
      own
        .app()
        .lake.query(
          "SELECT amount FROM dividends_as_of($at) WHERE symbol = 'ZORP' AND ex_dividend_date = $ex::DATE",
          { at, ex: row?.ex_dividend_date ?? "" },
        );
    expect(await known(`${declared}T20:00:00Z`)).toEqual([]);
    expect(await known(declared)).toEqual([{ amount: row?.amount ?? null }]);
  });

  test("where only the ex date is known, from its open, without the splits that came later", async () => {
    const all = (await get("WUZZL", own)).body.data.filter((row) => row.source === "yahoo");
    const adjusted = all.find((row) => row.amount !== row.adjusted_amount);
    const ex = adjusted?.ex_dividend_date ?? "";
    const past = (await get(`WUZZL?as_of_date=${ex}`, own)).body.data[0];
    expect(past).toMatchObject({ ex_dividend_date: ex, as_of_date: ex, backfilled: true });
    expect(past?.known_at).toMatch(/T1[34]:30:00/);
    // As paid: no split had come between.
    expect(past?.amount).not.toBeNull();
    expect(past?.amount).toBe(adjusted?.amount as number);
    expect(past?.amount).toBe(past?.adjusted_amount as number);
    expect(past?.amount).not.toBeCloseTo(adjusted?.adjusted_amount as number, 6);
    const [row] = await own
      .app()
      .lake.query<{ reported_amount: number; basis_date: string }>(
        "SELECT reported_amount, basis_date FROM dividends_as_of($day) WHERE symbol = 'WUZZL' AND ex_dividend_date = $day::DATE",
        { day: ex },
      );
    expect(row).toEqual({ reported_amount: past?.amount as number, basis_date: ex });
  });

  test("a day that the stored reading does not reach is read again, an earlier one is not", async () => {
    own.clock.set("2026-09-21T15:00:00Z");
    own.sample.resetTraffic();
    await get("ZORP?as_of_date=2026-09-01", own);
    expect(own.sample.traffic().total).toBe(0);
    const { body } = await get("ZORP?as_of_date=2026-09-18", own);
    expect(own.sample.traffic().total).toBeGreaterThan(0);
    expect(body.splits_known_through).toBe("2026-09-18");
  });
});

describe("amounts", () => {
  test("amounts as paid and on today's basis match the price history", async () => {
    const { body } = await get("ZORP?from_date=2026-01-01&to_date=2026-09-09");
    const before = body.data.filter((row) => row.ex_dividend_date < "2026-06-09");
    expect(before.length).toBe(2);
    for (const row of before) expect(row.adjusted_amount).toBe((row.amount ?? 0) / 4);
    const { body: bars } = await service.get<{ data: { date: string; dividend?: number }[] }>(
      "/api/v1/price/data/ZORP?start_date=2026-01-02&end_date=2026-09-09",
    );
    const paid = new Map(bars.data.flatMap((bar) => (bar.dividend ? [[bar.date, bar.dividend]] : [])));
    expect(paid.size).toBe(2);
    for (const row of before) expect(row.adjusted_amount).toBeCloseTo(paid.get(row.ex_dividend_date) ?? 0, 9);
    expect(body.splits_known_through).toBe("2026-09-09");
    expect(body.data.every((row) => row.frequency === null && row.currency === "USD")).toBe(true);
  });

  test("a declared amount is the same on both bases, a reverse split scales the other way", async () => {
    const { body } = await get("ZORP?from_date=2026-09-10");
    expect(body.data.map((row) => [row.status, row.amount === row.adjusted_amount])).toEqual([
      ["declared", true],
    ]);
  });

  test("a special dividend is marked when the provider marks it", async () => {
    const { body } = await get("FIZZQ");
    const special = body.data.filter((row) => row.dividend_type === "special");
    expect(special.length).toBeGreaterThan(0);
    expect(special.every((row) => Number(row.ex_dividend_date.slice(5, 7)) >= 10)).toBe(true);
  });

  test("without readable splits adjusted amounts are null and amounts stay", async () => {
    const own = await openSampleService({ env: ENV });
    try {
      own.sample.dials.set([{ fault: "status", status: 500, match: `${CHART}/ZORP` }]);
      const { status, body } = await get("ZORP?limit=3", own);
      expect(status).toBe(200);
      expect(body.splits_known_through).toBeNull();
      expect(body.data.map((row) => row.adjusted_amount)).toEqual([null, null, null]);
      expect(body.data.every((row) => row.amount !== null)).toBe(true);
      expect(body.warnings.join()).toContain("Splits could not be read");
    } finally {
      await own.stop();
    }
  });
});

describe("coverage of the providers", () => {
  test("a share listed elsewhere: past payments from the price provider, the coming one from the calendar", async () => {
    const { body } = await get("KRONK");
    expect(body.warnings.join()).toContain("only of its own listings");
    expect(body.data[0]).toMatchObject({
      status: "declared",
      source: "nasdaq",
      declaration_date: "2026-08-31",
    });
    const past = body.data.slice(1);
    expect(past.every((row) => row.source === "yahoo" && row.payment_date === null)).toBe(true);
    expect(past.at(-1)?.status).toBe("paid");
    // Only an amount adjusted for a later split was read: by that split it is the amount as paid.
    const split = await get("WUZZL");
    expect(split.body.data.length).toBeGreaterThan(4);
    expect(split.body.warnings.join()).not.toContain("amount is null");
    const rows = split.body.data.filter((row) => row.source === "yahoo");
    expect(rows.every((row) => row.amount !== null && row.adjusted_amount !== null)).toBe(true);
    const before = rows.filter((row) => row.amount !== row.adjusted_amount);
    expect(before.length).toBeGreaterThan(0);
    const printed = await get("WUZZL?as_of_date=2021-06-01");
    expect(printed.body.data.length).toBeGreaterThan(0);
    for (const row of printed.body.data) expect(row.amount).toBeCloseTo(row.adjusted_amount ?? 0, 6);
  });

  test("amounts before a split without a known ratio are null, with a warning", async () => {
    const own = await openSampleService({ env: ENV });
    try {
      const split = { symbol: "WUZZL", ex_date: "2021-05-03", kind: "split", basis_date: "2021-05-03" };
      const unknown = {
        amount: null,
        currency: "USD",
        numerator: null,
        denominator: null,
        price_factor: null,
        missing_through: null,
      };
      const row = { ...split, ...unknown, known_at: "2021-05-03T20:00:00Z", source: "yahoo" };
      await own.app().lake.append([batchOf(corporateActions, [row])]);
      const { body } = await get("WUZZL", own);
      const before = body.data.filter(({ ex_dividend_date }) => ex_dividend_date < "2021-05-03");
      const after = body.data.filter(({ ex_dividend_date }) => ex_dividend_date >= "2021-05-03");
      expect([before.length > 0, before.every(({ amount }) => amount === null)]).toEqual([true, true]);
      expect(after.every(({ amount }) => amount !== null)).toBe(true);
      expect(body.warnings).toContain(
        `amount is null for ${before.length} dividends: not every split between their ex date and their fetch is known.`,
      );
    } finally {
      await own.stop();
    }
  });

  test("funds, and a share class in every spelling", async () => {
    expect((await get("ZBNDF")).body.data[0]).toMatchObject({ source: "nasdaq", dividend_type: "cash" });
    service.sample.resetTraffic();
    for (const ticker of ["quib-b", "QUIB.B", "QUIB%2FB"]) {
      const { status, body } = await get(ticker);
      expect([status, body.ticker, body.total]).toEqual([200, decodeURIComponent(ticker), 0]);
    }
    const asked = paths(service).filter((path) => path.startsWith(PAGE));
    expect(asked).toEqual(["api.nasdaq.com/api/quote/QUIB%2FB/dividends"]);
  });

  test("an unknown ticker is 404, a known one without dividends is empty", async () => {
    const { status, body } = await get("NOSUCHX");
    expect([status, body.code, body.ticker]).toEqual([404, "unknown_ticker", "NOSUCHX"]);
    expect((await get("OLDZQ")).status).toBe(404);
    expect((await get("ZUBB")).body).toMatchObject({ count: 0, total: 0, data: [] });
    expect((await get("ZUBB")).status).toBe(200);
  });
});

describe("requests", () => {
  test.each([
    ["ZORP?as_of_date=yesterday", 422],
    ["ZORP?as_of_date=2026-02-30", 422],
    ["ZORP?from_date=2026-09-31", 422],
    ["ZORP?limit=0", 422],
    ["ZORP?limit=1001", 422],
    ["ZORP?force_refresh=maybe", 422],
    ["ABCDEFGHIJKLMNOP", 422],
    ["ZORP?from_date=2026-09-02&to_date=2026-09-01", 400],
  ])("%s is %i", async (path, status) => {
    expect((await get(path)).status).toBe(status);
  });

  test("answers match the API document", async () => {
    const one = document.operation("GET", `${CALENDAR}/{ticker}`);
    for (const path of ["ZORP", "ZORP?as_of_date=2028-02-29", "KRONK", "NOSUCHX", "ZORP?limit=0"])
      expect(await faultsOfAnswer(document, one, await service.fetch(`${CALENDAR}/${path}`))).toEqual([]);
    const csv = await (await service.fetch(`${CALENDAR}/ZORP?format=csv&limit=1`)).text();
    expect(csv.split("\r\n")[0]).toStartWith("symbol,ticker,ex_dividend_date,declaration_date");
    expect(csv.split("\r\n")[1]).toStartWith("ZORP,ZORP,2026-09-22,");
  });

  test("a past day of an unknown ticker is an error, alone and in bulk", async () => {
    const { status, body } = await service.post<Bulk>(`${CALENDAR}/bulk`, {
      tickers: ["ZORP", "NOSUCHX"],
      as_of_date: "2026-09-01",
    });
    expect(status).toBe(200);
    expect(body.results.map((r) => [r.ticker, r.success, r.error_code])).toEqual([
      ["ZORP", true, null],
      ["NOSUCHX", false, "unknown_ticker"],
    ]);
    const one = await get("NOSUCHX?as_of_date=2026-09-01");
    expect([one.status, Object(one.body).code]).toEqual([404, "unknown_ticker"]);
    const operation = document.operation("GET", `${CALENDAR}/{ticker}`);
    const answer = await service.fetch(`${CALENDAR}/NOSUCHX?as_of_date=2026-09-01`);
    expect(await faultsOfAnswer(document, operation, answer)).toEqual([]);
  });

  test("bulk: failed and successful tickers, each ticker once", async () => {
    const { status, body } = await service.post<Bulk>(`${CALENDAR}/bulk`, {
      tickers: ["zorp", "NOSUCHX", "ZORP", "ZUBB"],
      from_date: "2026-09-01",
    });
    expect(status).toBe(200);
    expect(body.results.map((r) => [r.ticker, r.success, r.error_code, r.data?.count ?? null])).toEqual([
      ["zorp", true, null, 1],
      ["NOSUCHX", false, "unknown_ticker", null],
      ["ZUBB", true, null, 0],
    ]);
    const many = Array.from({ length: 101 }, (_, i) => `Z${i}`);
    for (const tickers of [many, [], "ZORP"])
      expect((await service.post(`${CALENDAR}/bulk`, { tickers })).status).toBe(422);
  });
});

describe("provider failures", () => {
  const faults = [
    { fault: "status", status: 503 },
    { fault: "html" },
    { fault: "truncated" },
    { fault: "rate_limited" },
    { fault: "empty" },
  ] as const;
  for (const dial of faults)
    test(`${dial.fault}: stored data is served with a warning, force_refresh fails`, async () => {
      const own = await openSampleService({ env: ENV });
      try {
        const before = (await get("ZORP", own)).body;
        own.clock.set("2026-09-11T21:00:00Z");
        own.sample.dials.set([{ ...dial, match: "api.nasdaq.com" }]);
        const { status, body } = await get("ZORP", own);
        expect([status, body.total]).toEqual([200, before.total]);
        expect(body.warnings.join()).toContain("could not be asked");
        expect([429, 502]).toContain((await get("ZORP?force_refresh=true", own)).status);
      } finally {
        await own.stop();
      }
    });

  test("nothing stored and no provider answers: an error, never an empty list", async () => {
    const own = await openSampleService({ env: ENV });
    try {
      own.sample.dials.set([{ fault: "status", status: 500 }]);
      expect((await get("ZORP", own)).status).toBe(502);
    } finally {
      await own.stop();
    }
  });

  test("the daily job finds changes in the calendar ahead and of every followed ticker", async () => {
    const own = await openSampleService({ at: "2026-09-09T11:00:00Z", env: ENV });
    try {
      await get("TRELB", own);
      own.clock.set("2026-09-14T11:30:00Z");
      const run = await own.app().jobs.runNow("dividend-calendar").done;
      expect([run?.outcome, (run?.rows ?? 0) > 0]).toEqual(["succeeded", true]);
      const { body } = await get("TRELB?from_date=2026-09-25&as_of_date=2026-09-14", own);
      expect(body.data.map((row) => row.status)).toEqual(["cancelled"]);
      const [listed] = await own
        .app()
        .lake.query<{ n: number; covered: number }>(
          "SELECT count(*) AS n, count(*) FILTER (symbol = 'TRELB') AS covered FROM dividend_calendar WHERE known_at > TIMESTAMPTZ '2026-09-14 00:00:00Z'",
        );
      expect(listed?.n ?? 0).toBeGreaterThan(5);
    } finally {
      await own.stop();
    }
  });
});
