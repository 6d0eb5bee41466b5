// Dividends in an outage of the price provider: what was not read is never an empty list, and is read at the
// next request.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

interface Calendar {
  count: number;
  warnings: string[];
  data: { amount: number | null; adjusted_amount: number | null }[];
  code?: string;
}
interface Bulk {
  failed: number;
  results: { data: Calendar | null }[];
}

const ENV = { SEC_USER_AGENT: "Test test@example.com" };
const CALENDAR = "/api/v1/dividends/calendar";
const CHART = "finance.yahoo.com/v8/finance/chart";
const get = (path: string, of: SampleService) => of.get<Calendar>(`${CALENDAR}/${path}`);

describe("an outage of the price provider", () => {
  for (const dial of [{ fault: "status", status: 500 }, { fault: "rate_limited" }] as const)
    test(`${dial.fault} of the only provider of past payments: no reading, and the next request has them`, async () => {
      const own = await openSampleService({ env: ENV });
      try {
        const before = "KRONK?as_of_date=2025-09-01";
        own.sample.dials.set([{ ...dial, match: "yahoo.com" }]);
        for (const path of [before, "KRONK", before]) {
          const { status, body } = await get(path, own);
          expect([[429, 502].includes(status), body.code?.startsWith("upstream_")]).toEqual([true, true]);
        }
        const bulk = () =>
          own.post<Bulk>(`${CALENDAR}/bulk`, { tickers: ["KRONK"], as_of_date: "2025-09-01" });
        expect((await bulk()).body.failed).toBe(1);
        own.sample.dials.clear();
        // A breaker or the provider's own pause may still hold.
        own.clock.set("2026-09-09T21:10:00Z");
        const read = await get(before, own);
        expect([read.status, read.body.count > 2]).toEqual([200, true]);
        expect((await bulk()).body.results[0]?.data?.count).toBe(read.body.count);
      } finally {
        await own.stop();
      }
    });

  test("splits that were never read are asked for again by a past day, which says so until then", async () => {
    const own = await openSampleService({ env: ENV });
    try {
      own.sample.dials.set([{ fault: "status", status: 500, match: `${CHART}/ZORP` }]);
      await get("ZORP", own);
      const without = (await get("ZORP?as_of_date=2025-09-01&limit=1", own)).body;
      expect(without.data[0]?.adjusted_amount).toBeNull();
      expect(without.warnings.some((text) => text.startsWith("outage: Splits could not be read"))).toBe(true);
      own.sample.dials.clear();
      own.clock.set("2026-09-09T21:20:00Z");
      const { data, warnings } = (await get("ZORP?as_of_date=2025-09-01&limit=1", own)).body;
      expect([data[0]?.adjusted_amount, warnings.join().includes("outage")]).toEqual([
        data[0]?.amount as number,
        false,
      ]);
    } finally {
      await own.stop();
    }
  });
});

describe("a list without dividends", () => {
  test("says that nothing is there, in JSON and in rows", async () => {
    const own = await openSampleService({ env: ENV });
    try {
      for (const path of [
        "ZORP?as_of_date=1990-06-03",
        "ZORP?from_date=1990-01-01&to_date=1990-12-31",
        "QUIB-B?limit=5",
      ]) {
        const { body } = await get(path, own);
        expect([
          path,
          body.count,
          body.warnings.filter((text) => text.startsWith("nothing_there: ")).length,
        ]).toEqual([path, 0, 1]);
        const rows = await own.fetch(`${CALENDAR}/${path}&format=csv`);
        expect(JSON.parse(rows.headers.get("x-warnings") ?? "[]")).toEqual(body.warnings);
      }
      expect((await get("ZORP", own)).body.warnings.join()).not.toContain("nothing_there");
    } finally {
      await own.stop();
    }
  });
});
