import { describe, expect, test } from "bun:test";
import { fakeEdgar } from "../../../../test/support/fake-edgar.ts";
import { UpstreamFailed } from "../../../platform/errors.ts";

describe("tickers", () => {
  test("CIKs are numbers there, many tickers have one", async () => {
    const { provider, asked } = fakeEdgar(() => ({
      body: {
        0: { cik_str: 4711, ticker: "zqx-b", title: "ZEBULON" },
        1: { cik_str: 4711, ticker: "ZQX-A", title: "ZEBULON" },
        2: { cik_str: 815, ticker: "", title: "NO TICKER" },
      },
    }));
    expect(await provider.tickers()).toEqual([
      { cik: "0000004711", ticker: "ZQX-B", name: "ZEBULON" },
      { cik: "0000004711", ticker: "ZQX-A", name: "ZEBULON" },
    ]);
    expect(asked()).toEqual(["https://www.sec.gov/files/company_tickers.json"]);
  });

  test("columns are found by their names", async () => {
    const table = (fields: string[], ...data: unknown[][]) =>
      fakeEdgar(() => ({ body: { fields, data } })).provider;
    expect(
      await table(["ticker", "cik", "exchange", "name"], ["ZQX", 4711, null, "ZEBULON"]).listedTickers(),
    ).toEqual([{ cik: "0000004711", ticker: "ZQX", name: "ZEBULON", exchange: null }]);
    expect(
      await table(
        ["cik", "seriesId", "classId", "symbol"],
        [815, "S000000001", "C000000001", "zqxfx"],
      ).fundTickers(),
    ).toEqual([{ cik: "0000000815", series_id: "S000000001", class_id: "C000000001", ticker: "ZQXFX" }]);
    await expect(table(["cik", "name", "ticker"], [1, "a", "b"]).listedTickers()).rejects.toThrow(
      'company_tickers_exchange.json.fields should be a list that has "exchange"',
    );
    await expect(table(["cik", "name", "ticker", "exchange"], [1, "a", "b"]).listedTickers()).rejects.toThrow(
      "data[0] should be a list of 4",
    );
  });

  test.each<[string, unknown]>([
    ["an empty list", {}],
    ["a CIK that is none", { 0: { cik_str: 0, ticker: "A", title: "A" } }],
    ["a list", []],
    ["a ticker that is no text", { 0: { cik_str: 1, ticker: 5, title: "A" } }],
  ])("%s is refused", async (_what, body) => {
    await expect(fakeEdgar(() => ({ body: body as object })).provider.tickers()).rejects.toBeInstanceOf(
      UpstreamFailed,
    );
  });

  test("an unchanged file is not sent again, a changed one is read", async () => {
    let name = "OLD";
    const { provider, upstream } = fakeEdgar((_url, headers) => {
      if (headers["if-none-match"] === `"${name}"`) return { status: 304 };
      return { body: { 0: { cik_str: 1, ticker: "ZQX", title: name } }, headers: { etag: `"${name}"` } };
    });
    const first = await provider.tickers();
    expect(await provider.tickers()).toBe(first);
    name = "NEW";
    expect(await provider.tickers()).toEqual([{ cik: "0000000001", ticker: "ZQX", name: "NEW" }]);
    expect(upstream.requests.map((r) => r.headers?.["if-none-match"])).toEqual([undefined, '"OLD"', '"OLD"']);
    expect(new Set(upstream.requests.map((r) => r.shareKey)).size).toBe(2);
  });
});
