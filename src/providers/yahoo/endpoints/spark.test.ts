import { describe, expect, test } from "bun:test";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import { type FakeReply, fakeUpstream } from "../../../../test/support/fake-yahoo.ts";
import { askSparks } from "./spark.ts";

const STARTS = [1773063000, 1773149400, 1773235800];
const seven = (
  symbol: string,
  close: unknown = [40, null, Math.fround(41.23)],
  timestamp: unknown = STARTS,
) => ({
  symbol,
  response: [
    {
      meta: { currency: "USD", exchangeTimezoneName: "America/New_York", symbol },
      timestamp,
      indicators: { quote: [{ close }] },
    },
  ],
});
const sevens = (rows: readonly object[]): FakeReply => ({ body: { spark: { result: rows, error: null } } });

function spark(reply: (symbols: string[]) => FakeReply, symbols: readonly string[]) {
  const upstream = fakeUpstream(fakeClock("2026-03-11T15:00:00Z"), (url) =>
    reply((url.searchParams.get("symbols") ?? "").split(",")),
  );
  return { upstream, result: askSparks(upstream, symbols, "5d") };
}

describe("last closes", () => {
  test("have their days, without empty ones, and need no crumb", async () => {
    const { upstream, result } = spark(() => sevens([seven("ZQX-B")]), ["ZQX.B"]);
    const { sparks, missing } = await result;
    expect(sparks.get("ZQX.B")).toEqual({
      symbol: "ZQX.B",
      currency: "USD",
      timezone: "America/New_York",
      closes: [
        { date: "2026-03-09", at: Temporal.Instant.from("2026-03-09T13:30:00Z"), close: 40 },
        { date: "2026-03-11", at: Temporal.Instant.from("2026-03-11T13:30:00Z"), close: 41.23 },
      ],
    });
    expect(missing).toEqual([]);
    expect(upstream.requests[0]?.url).toBe(
      "https://query2.finance.yahoo.com/v7/finance/spark?symbols=ZQX-B&range=5d&interval=1d",
    );
  });

  test("are requested twenty symbols at a time, missing ones once more", async () => {
    const symbols = Array.from({ length: 45 }, (_, i) => `ZQ${i}`);
    const { upstream, result } = spark(
      (wanted) => sevens(wanted.filter((s) => s !== "ZQ7").map((s) => seven(s))),
      symbols,
    );
    const { sparks, missing } = await result;
    expect([sparks.size, missing]).toEqual([44, ["ZQ7"]]);
    const sizes = upstream.requests.map((r) => new URL(r.url).searchParams.get("symbols")?.split(",").length);
    expect(sizes).toEqual([20, 20, 5, 1]);
  });

  test("are read from version 8 too, whose days have no zone", async () => {
    const body = { ZQX: { symbol: "ZQX", timestamp: STARTS, close: [40, 40.5, 0], chartPreviousClose: 39 } };
    const { sparks } = await spark(() => ({ body }), ["ZQX"]).result;
    expect(sparks.get("ZQX")?.closes.map(({ date, close }) => [date, close])).toEqual([
      [null, 40],
      [null, 40.5],
    ]);
  });

  test("are missing for unknown symbols and empty for symbols without trades", async () => {
    const body = {
      spark: { result: null, error: { code: "Not Found", description: "No data found for spark symbols" } },
    };
    expect((await spark(() => ({ status: 404, body }), ["ZQX", "ZQY"]).result).missing).toEqual([
      "ZQX",
      "ZQY",
    ]);
    const { sparks } = await spark(() => sevens([seven("ZQX", undefined, undefined)]), ["ZQX"]).result;
    expect(sparks.get("ZQX")?.closes.length).toBe(2);
    const quiet = sevens([{ symbol: "ZQX", response: [{ meta: {}, indicators: { quote: [{}] } }] }]);
    expect((await spark(() => quiet, ["ZQX"]).result).sparks.get("ZQX")?.closes).toEqual([]);
  });

  test("of another shape are rejected", async () => {
    await expect(spark(() => sevens([seven("ZQX", [1, 2])]), ["ZQX"]).result).rejects.toMatchObject({
      message: expect.stringContaining("should be a list of 3, not of 2"),
    });
    await expect(spark(() => ({ body: { ZQX: 41 } }), ["ZQX"]).result).rejects.toMatchObject({
      name: "UpstreamMisread",
    });
    const refused = { finance: { result: null, error: { code: "Bad Request", description: "too many" } } };
    await expect(spark(() => ({ status: 400, body: refused }), ["ZQX"]).result).rejects.toMatchObject({
      name: "UpstreamRefused",
    });
  });
});
