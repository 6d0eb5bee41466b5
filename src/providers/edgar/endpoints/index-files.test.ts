import { describe, expect, test } from "bun:test";
import { fakeEdgar, missing } from "../../../../test/support/fake-edgar.ts";
import { InvalidRequest, UpstreamFailed } from "../../../platform/errors.ts";

const master =
  "CIK|Company Name|Form Type|Date Filed|File Name\n--------------------\n4711|Z|4|20260306|edgar/data/4711/0001234567-26-000089.txt\n";

describe("index files", () => {
  test("a day's, in its quarter", async () => {
    const { provider, asked } = fakeEdgar(() => ({
      body: master,
      headers: { etag: '"1"', "last-modified": "Sat, 07 Mar 2026 03:05:00 GMT" },
    }));
    const found = await provider.dailyIndex("2026-03-06");
    expect(found).toMatchObject({
      rows: [{ cik: "0000004711" }],
      unread: [],
      validators: { etag: '"1"', last_modified: "Sat, 07 Mar 2026 03:05:00 GMT" },
    });
    await provider.dailyIndex("2026-10-01");
    await provider.fullIndex(1993, 4);
    expect(asked()).toEqual([
      "https://www.sec.gov/Archives/edgar/daily-index/2026/QTR1/master.20260306.idx",
      "https://www.sec.gov/Archives/edgar/daily-index/2026/QTR4/master.20261001.idx",
      "https://www.sec.gov/Archives/edgar/full-index/1993/QTR4/master.idx",
    ]);
  });

  test("a day not published is null, an outage is not", async () => {
    expect(await fakeEdgar(() => missing(403)).provider.dailyIndex("2026-03-07")).toBeNull();
    expect(await fakeEdgar(() => missing(404)).provider.fullIndex(2099, 1)).toBeNull();
    await expect(
      fakeEdgar(() => ({ status: 403, body: "" })).provider.dailyIndex("2026-03-07"),
    ).rejects.toBeInstanceOf(UpstreamFailed);
  });

  test("unchanged since", async () => {
    const { provider, upstream } = fakeEdgar((_url, headers) =>
      headers["if-modified-since"] ? { status: 304 } : { body: master },
    );
    const known = { etag: null, last_modified: "Sat, 07 Mar 2026 03:05:00 GMT" };
    expect(await provider.fullIndex(2025, 1, known)).toBe("unchanged");
    expect(upstream.requests[0]?.headers).toMatchObject({ "if-modified-since": known.last_modified });
    expect(await provider.fullIndex(2025, 1, { etag: null, last_modified: null })).toMatchObject({
      unread: [],
    });
  });

  test("names in the letters of the 1990s", async () => {
    const body = Buffer.from(master.replace("|Z|", "|SOCIÉTÉ|"), "latin1");
    expect(await fakeEdgar(() => ({ body })).provider.dailyIndex("2026-03-06")).toMatchObject({
      rows: [{ company_name: "SOCIÉTÉ" }],
    });
  });

  test.each(["2026-02-30", "20260306", "", "2026-3-6", "../../x"])("the day %p is none", async (date) => {
    await expect(fakeEdgar(() => ({})).provider.dailyIndex(date)).rejects.toBeInstanceOf(InvalidRequest);
  });
  test.each([
    [1992, 4],
    [2026, 0],
    [2026, 5],
    [2026.5, 1],
    [Number.NaN, 1],
  ])("the quarter %p %p is none", async (year, quarter) => {
    await expect(fakeEdgar(() => ({})).provider.fullIndex(year, quarter)).rejects.toBeInstanceOf(
      InvalidRequest,
    );
  });
});
