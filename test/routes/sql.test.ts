// SQL over HTTP: who may ask, what comes back in each format, and that a frozen clock holds.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

let service: SampleService;
beforeAll(async () => {
  service = await openSampleService();
  const stored = await service.get("/api/v1/price/data/ZORP?start_date=2026-08-03&end_date=2026-08-28");
  expect(stored.status).toBe(200);
});
afterAll(() => service.stop());

const PATH = "/api/v1/sql/admin/query";
const asked = (query: string, more = "") => `${PATH}?query=${encodeURIComponent(query)}${more}`;
const BARS =
  "select symbol, date, close, volume from bars(NULL) where symbol = 'ZORP' and date between '2026-08-03' and '2026-08-28' order by date";

interface QueryBody {
  readonly count: number;
  readonly truncated: boolean;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly warnings: readonly string[];
}

describe("SQL over HTTP", () => {
  test("the rows are those of the price route", async () => {
    const { status, body } = await service.get<QueryBody>(asked(BARS));
    expect(status).toBe(200);
    expect(body.columns).toEqual([
      { name: "symbol", type: "VARCHAR" },
      { name: "date", type: "DATE" },
      { name: "close", type: "DOUBLE" },
      { name: "volume", type: "BIGINT" },
    ]);
    const prices = await service.get<{ data: { date: string; close: number; volume: number }[] }>(
      "/api/v1/price/data/ZORP?start_date=2026-08-03&end_date=2026-08-28",
    );
    expect(body.data).toEqual(
      prices.body.data.map(({ date, close, volume }) => ({ symbol: "ZORP", date, close, volume })),
    );
    expect([body.truncated, body.warnings]).toEqual([false, []]);
    const posted = await service.post<QueryBody>(PATH, { query: BARS });
    expect(posted.body).toEqual(body);
  });

  test("more rows than the limit are reported, in row formats too", async () => {
    const { body } = await service.get<QueryBody>(asked(BARS, "&limit=2"));
    expect([body.count, body.truncated, body.warnings.length]).toEqual([2, true, 1]);
    const csv = await service.fetch(asked(BARS, "&limit=2&format=csv"));
    expect((await csv.text()).split(/\r?\n/).slice(0, 2).join("|")).toStartWith(
      "symbol,date,close,volume|ZORP,2026-08-03,",
    );
    expect(csv.headers.get("x-warnings")).toContain("more than these 2 rows");
  });

  test("a result without rows says what that means", async () => {
    const { body } = await service.get<QueryBody>(asked("from filings where cik = 'nothing'"));
    expect([body.count, body.warnings]).toEqual([
      0,
      [expect.stringMatching(/^nothing_there: No stored row/)],
    ]);
  });

  test("long numbers keep every digit, in row formats too, and sums are numbers", async () => {
    const query = "select 9007199254740993 as long, sum(i) as total from range(3) t(i)";
    const { body } = await service.get<QueryBody>(asked(query));
    expect(body.data).toEqual([{ long: "9007199254740993", total: 3 }]);
    const csv = await service.fetch(asked(query, "&format=csv"));
    expect((await csv.text()).trim().split(/\r?\n/)).toEqual(["long,total", "9007199254740993,3"]);
    const lines = await service.fetch(asked(query, "&format=ndjson"));
    expect(JSON.parse(await lines.text())).toEqual({ long: "9007199254740993", total: 3 });
    expect((await service.fetch(asked(query, "&format=parquet"))).status).toBe(200);
  });

  test("a frozen clock holds", async () => {
    const later =
      "select count(*) filter (date > '2026-08-14') as later, max(date) as newest from bars_daily";
    const frozen = await service.get<QueryBody>(asked(later, "&as_of=2026-08-17T21:00:00Z"));
    expect(frozen.body.data).toEqual([{ later: 0, newest: "2026-08-14" }]);
    const [row] = (await service.get<QueryBody>(asked(later))).body.data;
    expect(Number(row?.later)).toBeGreaterThanOrEqual(10);
  });

  test("an earlier version of the store answers again, and is named", async () => {
    const counting = "select count(*) as bars from bars_daily";
    const first = await service.get<QueryBody>(asked(counting));
    const version = first.headers.get("x-data-version") ?? "";
    expect(Number(version)).toBeGreaterThan(0);
    await service.get("/api/v1/price/data/QUIB-B?start_date=2026-08-03&end_date=2026-08-28");
    expect((await service.get<QueryBody>(asked(counting))).body.data).not.toEqual(first.body.data);
    const again = await service.get<QueryBody>(asked(counting, `&data_version=${version}`));
    expect([again.body.data, again.headers.get("x-data-version")]).toEqual([first.body.data, version]);
    expect(Number(first.body.data[0]?.bars)).toBeGreaterThan(0);
  });

  test("what a query may not do is refused with its reason", async () => {
    const { status, body } = await service.get(asked("from read_csv('/etc/passwd')"));
    expect([status, body.code, body.detail]).toEqual([
      400,
      "query_refused",
      'The table function "read_csv" may not be used in a query.',
    ]);
    expect((await service.get(asked("drop table filings"))).body.code).toBe("query_refused");
    expect((await service.get(PATH)).status).toBe(422);
    expect((await service.get(asked("select 1", "&limit=0"))).status).toBe(422);
  });
});

test("another machine needs the admin token", async () => {
  const guarded = await openSampleService({
    env: { API_KEYS: "client-key-of-tests", ADMIN_TOKEN: "admin-token-of-tests" },
  });
  try {
    const withKey = await guarded.fetch(asked("select 1"), {
      headers: { "x-api-key": "client-key-of-tests" },
    });
    expect(withKey.status).toBe(401);
    const withToken = await guarded.fetch(asked("select 1"), {
      headers: { "x-admin-token": "admin-token-of-tests" },
    });
    expect(withToken.status).toBe(200);
  } finally {
    await guarded.stop();
  }
});
