// The dividend calendar of the market: all dividends of a span of ex-dividend days, as known on a day.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

interface Row {
  ticker: string;
  ex_dividend_date: string;
  declaration_date: string | null;
  amount: number | null;
  backfilled: boolean;
  known_at: string;
}
interface Calendar {
  from_date: string;
  to_date: string;
  count: number;
  total: number;
  has_more: boolean;
  as_of_date: string;
  warnings: string[];
  data: Row[];
  code: string;
}

const MARKET = "/api/v1/dividends/calendar";
/** ZORP goes ex on this day by 0.157, declared on 2026-08-26. */
const EX_DAY = "2026-09-22";
const LIST = "api.nasdaq.com/api/calendar/dividends";

let service: SampleService;
beforeAll(async () => {
  service = await openSampleService({ env: { SEC_USER_AGENT: "Test test@example.com" } });
});
afterAll(() => service.stop());

const get = (query: string) => service.get<Calendar>(`${MARKET}?${query}`);
const listsRead = () =>
  Object.entries(service.sample.traffic().by_path).reduce(
    (sum, [path, count]) => sum + (path.startsWith(LIST) ? count : 0),
    0,
  );

test("a span has every day's list, by ex date and symbol, and is read once in six hours", async () => {
  service.sample.resetTraffic();
  const { status, body } = await get("from_date=2026-09-19&to_date=2026-09-24");
  expect([status, body.from_date, body.to_date]).toEqual([200, "2026-09-19", "2026-09-24"]);
  // 19 and 20 September are a weekend.
  expect(listsRead()).toBe(4);
  expect(body.data.length).toBeGreaterThan(2);
  const order = body.data.map((row) => `${row.ex_dividend_date} ${row.ticker}`);
  expect(order).toEqual(order.toSorted());
  expect(new Set(order).size).toBe(order.length);
  const zorp = body.data.find(({ ticker }) => ticker === "ZORP");
  expect(zorp).toMatchObject({ ex_dividend_date: EX_DAY, declaration_date: "2026-08-26", amount: 0.157 });
  expect(zorp).not.toHaveProperty("adjusted_amount");
  const day = (await get(`date=${EX_DAY}`)).body;
  expect(day.data).toEqual(body.data.filter((row) => row.ex_dividend_date === EX_DAY));
  expect(listsRead()).toBe(4);
  await get(`date=${EX_DAY}&force_refresh=true`);
  expect(listsRead()).toBe(5);
});

test("a ticker's own calendar has the same payment", async () => {
  const own = await service.get<Calendar>(`${MARKET}/ZORP?from_date=${EX_DAY}&to_date=${EX_DAY}`);
  const [row] = own.body.data;
  expect(row?.amount).toBe(0.157);
  // Its page is more detailed than the list, and is the one that counts from now on.
  const { data } = (await get(`date=${EX_DAY}`)).body;
  expect(data.filter(({ ticker }) => ticker === "ZORP").map(({ amount }) => amount)).toEqual([0.157]);
});

test("before its declaration a dividend is not there; after it, it is marked as read later", async () => {
  const before = (await get(`date=${EX_DAY}&as_of_date=2026-08-25`)).body;
  expect(before.as_of_date).toBe("2026-08-25");
  expect(before.data.filter(({ ticker }) => ticker === "ZORP")).toEqual([]);
  expect(before.data.every(({ known_at }) => known_at < "2026-08-26T04:00:00Z")).toBe(true);
  const after = (await get(`date=${EX_DAY}&as_of_date=2026-08-26`)).body;
  expect(after.data.find(({ ticker }) => ticker === "ZORP")).toMatchObject({
    backfilled: true,
    known_at: "2026-08-27T03:59:59.999Z",
  });
  expect(after.warnings.some((each) => each.startsWith("Rows marked backfilled"))).toBe(true);
  const ahead = (await get(`date=${EX_DAY}&as_of_date=2030-01-01`)).body;
  expect(ahead.as_of_date).toBe("2026-09-09");
});

test("without as_of_date or days it is today's, and a weekend asks no provider", async () => {
  expect((await get("limit=5")).body.from_date).toBe("2026-09-09");
  const asked = listsRead();
  const { status, body } = await get("date=2026-09-12");
  expect([status, body.count, body.total]).toEqual([200, 0, 0]);
  expect(body.warnings).toEqual([
    "nothing_there: No dividend that was known then goes ex on these days, or none is on this page.",
  ]);
  expect(listsRead()).toBe(asked);
});

test("days outside of the exchange calendar ask no provider, and say so", async () => {
  const asked = listsRead();
  for (const date of ["1962-01-02", "2031-06-02"]) {
    const { status, body } = await get(`date=${date}`);
    expect([date, status, body.count, body.warnings]).toEqual([
      date,
      200,
      0,
      ["not_read: Days outside of the exchange calendar are not read."],
    ]);
  }
  expect(listsRead()).toBe(asked);
  const { body } = await get("from_date=2030-12-30&to_date=2031-01-02");
  expect(body.warnings).toContain("not_read: Days outside of the exchange calendar are not read.");
  expect(listsRead()).toBe(asked + 2);
});

test("pages follow each other, in rows as in JSON", async () => {
  const span = "from_date=2026-09-21&to_date=2026-09-24";
  const all = (await get(span)).body;
  const first = (await get(`${span}&limit=2`)).body;
  const second = (await get(`${span}&limit=2&offset=2`)).body;
  expect([first.total, first.has_more]).toEqual([all.total, true]);
  expect([...first.data, ...second.data]).toEqual(all.data.slice(0, 4));
  const csv = await service.fetch(`${MARKET}?${span}&limit=2&format=csv`);
  const [head = "", line = ""] = (await csv.text()).split("\r\n");
  expect(head.split(",").slice(0, 3)).toEqual(["symbol", "ticker", "ex_dividend_date"]);
  expect(head).not.toContain("adjusted_amount");
  expect(line).toContain(`,${all.data[0]?.ticker},${all.data[0]?.ex_dividend_date},`);
  expect(csv.headers.get("X-Total-Count")).toBe(String(all.total));
});

test.each([
  ["date=2026-09-22&from_date=2026-09-21", "conflicting_time_selection"],
  ["from_date=2026-09-21", "invalid_date_range"],
  ["from_date=2026-09-22&to_date=2026-09-21", "invalid_date_range"],
  ["from_date=2026-09-01&to_date=2026-10-02", "invalid_date_range"],
])("%s is refused", async (query, code) => {
  const { status, body } = await get(query);
  expect([status, body.code]).toEqual([400, code]);
});

test("in an outage stored days are served with a warning, and unread ones are an error", async () => {
  await get(`date=${EX_DAY}`);
  service.clock.set("2026-09-10T21:00:00Z");
  service.sample.dials.set([{ fault: "status", status: 500, match: LIST }]);
  const stored = await get(`date=${EX_DAY}`);
  expect([stored.status, stored.body.data.some(({ ticker }) => ticker === "ZORP")]).toEqual([200, true]);
  expect(stored.body.warnings.some((each) => each.startsWith(`outage: The lists of ${EX_DAY} could`))).toBe(
    true,
  );
  const unread = await get("date=2026-10-14");
  expect([unread.status, unread.body.code.startsWith("upstream_")]).toEqual([502, true]);
  expect((await get(`date=${EX_DAY}&force_refresh=true`)).status).toBe(502);
  service.sample.dials.clear();
});
