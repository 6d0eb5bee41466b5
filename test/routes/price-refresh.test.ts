// The answer of force_refresh: the provider's present values, while the stored ones stay.
import { expect, setDefaultTimeout, test } from "bun:test";
import { corporateActions } from "../../src/datasets/corporate-actions.ts";
import { batchOf } from "../../src/platform/lake/lake.ts";
import { P } from "../support/price-requests.ts";
import { openSampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

interface Series {
  data: { date: string; high: number | null; close: number | null }[];
  warnings: string[];
}

test("force_refresh answers what the provider says now, on every route; what is stored stays", async () => {
  const service = await openSampleService();
  const { dials } = service.sample;
  const span = { start_date: "2026-08-10", end_date: "2026-08-14" };
  const query = new URLSearchParams(span);
  type Refreshable = Series & { refreshed: boolean; last_updated: string; cached: boolean };
  const stored = (await service.get<Refreshable>(`${P}/data/LOOFQ?${query}`)).body;
  expect(stored.refreshed).toBe(false);
  await service.get(`${P}/data/MUMBQ?${query}`);
  dials.set([
    { fault: "revised", symbol: "LOOFQ", date: "2026-08-11", close: 123.25 },
    // The provider has this day no more: the stored bar of it stays in the answer.
    { fault: "null_row", symbol: "LOOFQ", date: "2026-08-13" },
  ]);
  service.clock.set("2026-09-09T21:30:00Z");
  const body = { ...span, force_refresh: true };
  const one = (await service.get<Refreshable>(`${P}/data/LOOFQ?${query}&force_refresh=true`)).body;
  const posted = (await service.post<Refreshable>(`${P}/data`, { ticker: "LOOFQ", ...body })).body;
  const bulk = await service.post<{ results: { data: Refreshable }[] }>(`${P}/data/bulk`, {
    tickers: ["LOOFQ"],
    ...body,
  });
  for (const answer of [one, posted, bulk.body.results[0]?.data]) {
    expect(answer?.data.map(({ date, close }) => [date, close])).toEqual(
      stored.data.map(({ date, close }) => [date, date === "2026-08-11" ? 123.25 : close]),
    );
    expect([answer?.refreshed, answer?.cached]).toEqual([true, false]);
    expect(answer?.last_updated).toMatch(/^2026-09-09T21:30/);
    expect(answer?.warnings).toEqual([
      "The provider has no bar for 2026-08-13 now: the stored value is served.",
    ]);
  }
  const many = async (more = "") =>
    (
      await service.get<{
        refreshed: boolean;
        warnings: string[];
        errors: object;
        bars: Record<string, { timestamp: string; close: number }[]>;
      }>(`${P}/data?tickers=LOOFQ,mumbq&${query}${more}`)
    ).body;
  const [refreshed, plain] = [await many("&force_refresh=true"), await many()];
  // A provider's present values are in no version, so the answer names none.
  for (const [more, isNamed] of [
    ["&force_refresh=true", false],
    ["", true],
  ] as const)
    for (const path of [`${P}/data?tickers=LOOFQ&${query}${more}`, `${P}/data/LOOFQ?${query}${more}`])
      expect((await service.fetch(path)).headers.has("x-data-version"), path).toBe(isNamed);
  expect([refreshed.refreshed, plain.refreshed]).toEqual([true, false]);
  expect(refreshed.bars.LOOFQ?.[1]).toMatchObject({ timestamp: "2026-08-11", close: 123.25 });
  expect(plain.bars.LOOFQ?.[1]?.close).toBe(stored.data[1]?.close as number);
  expect(refreshed.warnings).toEqual([
    "LOOFQ: The provider has no bar for 2026-08-13 now: the stored value is served.",
  ]);
  const weekly = (await service.get<Series>(`${P}/data/LOOFQ?${query}&interval=1w&force_refresh=true`)).body;
  expect(weekly.data[0]?.high).toBe(Math.max(...stored.data.map((bar) => bar.high ?? 0)));
  const revised = await service.app().lake.query("SELECT date, close FROM bars_daily_revisions");
  expect(revised).toEqual([{ date: "2026-08-11", close: 123.25 }]);
  dials.set([{ fault: "status", status: 503, match: "yahoo.com" }]);
  const failed = await many("&force_refresh=true");
  expect([failed.refreshed, Object.keys(failed.errors).length]).toEqual([false, 2]);
  await service.stop();
});

test("a refresh in the first hour of a split's day is on the basis of the stored series", async () => {
  const service = await openSampleService({ at: "2026-06-09T12:00:00Z" });
  const path = `${P}/data/ZORP?start_date=2026-06-01&end_date=2026-06-05`;
  const before = (await service.get<Series>(path)).body.data;
  // The split is stored from another visit while this provider's prices are still on the basis of the day
  // before.
  const at = "2026-06-09T12:00:00Z";
  await service.app().lake.append([
    batchOf(corporateActions, [
      {
        symbol: "ZORP",
        ex_date: "2026-06-09",
        kind: "split",
        amount: null,
        currency: null,
        numerator: 4,
        denominator: 1,
        price_factor: 0.25,
        missing_through: null,
        basis_date: "2026-06-09",
        known_at: at,
        source: "test",
      },
    ]),
  ]);
  const refreshed = (await service.get<Series>(`${path}&force_refresh=true`)).body.data;
  expect(refreshed.map(({ close }) => close)).toEqual(before.map(({ close }) => (close ?? 0) / 4));
  expect((await service.get<Series>(path)).body.data).toEqual(refreshed);
  await service.stop();
});

test("a refresh as of a past moment is refused, since a provider says what is true now", async () => {
  const service = await openSampleService();
  const span = "start_date=2026-06-01&end_date=2026-06-05&as_of=2026-07-01&force_refresh=true";
  for (const path of [`${P}/data/ZORP?${span}`, `${P}/data?tickers=ZORP&${span}`]) {
    const { status, body } = await service.get<{ code: string; hint: string }>(path);
    expect([path, status, body.code, body.hint]).toEqual([path, 400, "bad_request", "Give one of them."]);
  }
  await service.stop();
});
