// Trading sessions: half days, holidays, summer time, and spans the calendar does not have.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

interface Sessions {
  count: number;
  total: number;
  has_more: boolean;
  data: { date: string; opens_at: string; closes_at: string; is_half_day: boolean }[];
}
let service: SampleService;
beforeAll(async () => {
  service = await openSampleService({ env: { EXTRA_CLOSURES: "2026-06-10,2026-09-10" } });
});
afterAll(() => service.stop());

const sessions = (start: string, end: string) =>
  service.get<Sessions & { code: string; hint: string }>(
    `/api/v1/stocks/sessions?start_date=${start}&end_date=${end}`,
  );

test("Thanksgiving: the holiday is no session and the day after ends at 13:00", async () => {
  const { status, body } = await sessions("2026-11-25", "2026-11-27");
  expect(status).toBe(200);
  expect(body.data).toEqual([
    {
      date: "2026-11-25",
      opens_at: "2026-11-25T14:30:00.000Z",
      closes_at: "2026-11-25T21:00:00.000Z",
      is_half_day: false,
    },
    {
      date: "2026-11-27",
      opens_at: "2026-11-27T14:30:00.000Z",
      closes_at: "2026-11-27T18:00:00.000Z",
      is_half_day: true,
    },
  ]);
  expect([body.count, body.total, body.has_more]).toEqual([2, 2, false]);
});
test("summer time moves the hours in UTC", async () => {
  const { body } = await sessions("2026-03-06", "2026-03-09");
  expect(body.data.map(({ opens_at }) => opens_at)).toEqual([
    "2026-03-06T14:30:00.000Z",
    "2026-03-09T13:30:00.000Z",
  ]);
});
test("a weekend has none, and an extra closure counts", async () => {
  expect((await sessions("2026-09-05", "2026-09-06")).body.data).toEqual([]);
  expect((await sessions("2026-09-09", "2026-09-11")).body.data.map(({ date }) => date)).toEqual([
    "2026-09-09",
    "2026-09-11",
  ]);
});
test("as of a moment, an unscheduled closure is a session until it would have opened", async () => {
  const days = async (asOf: string, start: string, end: string) => {
    const path = `/api/v1/stocks/sessions?start_date=${start}&end_date=${end}&as_of=${asOf}`;
    return (await service.get<Sessions>(path)).body.data.map(({ date }) => date);
  };
  const [before, closure, after] = ["2026-06-09", "2026-06-10", "2026-06-11"] as const;
  // Summer time: 09:30 in New York is 13:30 UTC.
  expect(await days("2026-06-10T13:29:59Z", before, after)).toEqual([before, closure, after]);
  expect(await days("2026-06-10T13:30:00Z", before, after)).toEqual([before, after]);
  expect(await days(closure, before, after)).toEqual([before, after]);
  // The day of mourning in January 2025 was proclaimed in the December before; holidays by rule are always
  // known.
  expect(await days("2024-12-24", "2024-12-24", "2025-01-10")).toContain("2025-01-09");
  expect(await days("2025-01-09", "2024-12-24", "2025-01-10")).not.toContain("2025-01-09");
  expect(await days("1990-01-02", "2024-12-24", "2025-01-02")).not.toContain("2024-12-25");
});
test("days in the wrong order or outside the calendar are refused, with its limits", async () => {
  const order = await sessions("2026-09-11", "2026-09-09");
  expect([order.status, order.body.code]).toEqual([400, "invalid_date_range"]);
  const outside = await sessions("1980-01-01", "2026-09-09");
  expect([outside.status, outside.body.hint]).toEqual([400, "The calendar covers 1990-01-01 to 2030-12-31."]);
  expect(
    (await service.get("/api/v1/stocks/sessions?start_date=2026-02-30&end_date=2026-03-01")).status,
  ).toBe(422);
});
test("rows as csv", async () => {
  const response = await service.fetch(
    "/api/v1/stocks/sessions?start_date=2026-11-27&end_date=2026-11-27&format=csv",
  );
  expect(await response.text()).toBe(
    "date,opens_at,closes_at,is_half_day\r\n2026-11-27,2026-11-27T14:30:00Z,2026-11-27T18:00:00Z,true\r\n",
  );
});

test("a configured closure counts in the SQL macros too", async () => {
  const [row] = await service.app().lake.query(
    `SELECT is_session(DATE '2026-09-09') AS before, is_session(DATE '2026-09-10') AS closed,
         open_after(DATE '2026-09-09') AS next_open,
         settled_before('2026-09-10T20:00:00Z') AS during, settled_before('2026-09-11T13:30:00Z') AS after`,
  );
  expect(row).toEqual({
    before: true,
    closed: false,
    next_open: "2026-09-11T13:30:00Z",
    during: "2026-09-09",
    after: "2026-09-11",
  });
});
