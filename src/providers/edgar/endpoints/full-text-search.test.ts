import { describe, expect, test } from "bun:test";
import { fakeEdgar } from "../../../../test/support/fake-edgar.ts";
import { InvalidRequest, UpstreamFailed } from "../../../platform/errors.ts";

const hit = (more: object = {}) => ({
  _id: "0001234567-26-000089:d8k.htm",
  _source: {
    ciks: ["0000004711", "815"],
    display_names: ["Z (ZQX)  (CIK 0000004711)"],
    form: "8-K",
    file_type: "EX-99.1",
    file_description: null,
    file_date: "2026-03-06",
    period_ending: null,
    items: ["2.02", "9.01"],
    ...more,
  },
});
const found = (value: number, hits: object[], more: object = {}) => ({
  timed_out: false,
  _shards: { failed: 0 },
  hits: { total: { value, relation: "eq" }, hits },
  ...more,
});

describe("full-text search", () => {
  test("the question", async () => {
    const { provider, asked } = fakeEdgar(() => ({ body: found(0, []) }));
    await provider.search({
      q: ' "going private" ',
      forms: ["8-K", "SC 13D/A"],
      ciks: ["4711"],
      items: ["2.02"],
      start_date: "2026-01-01",
      end_date: "2026-03-06",
      from: 0,
    });
    const query = new URL(asked()[0] ?? "").searchParams;
    expect(asked()[0]).toStartWith("https://efts.sec.gov/LATEST/search-index?");
    expect(Object.fromEntries(query)).toEqual({
      q: '"going private"',
      forms: "8-K,SC 13D/A",
      ciks: "0000004711",
      items: "2.02",
      dateRange: "custom",
      startdt: "2026-01-01",
      enddt: "2026-03-06",
    });
  });

  test("a hit, and where the next page begins", async () => {
    const { provider } = fakeEdgar(() => ({ body: found(101, [hit()]) }));
    expect(await provider.search({ q: "x" })).toEqual({
      hits: [
        {
          accession_number: "0001234567-26-000089",
          filename: "d8k.htm",
          form_type: "8-K",
          file_type: "EX-99.1",
          description: null,
          filing_date: "2026-03-06",
          report_date: null,
          ciks: ["0000004711", "0000000815"],
          names: ["Z (ZQX)  (CIK 0000004711)"],
          items: ["2.02", "9.01"],
        },
      ],
      total: 101,
      total_is_lower_bound: false,
      next_from: 100,
    });
    expect((await provider.search({ q: "x", from: 100 })).next_from).toBeNull();
  });

  test("EDGAR counts no further than 10,000 and goes no deeper", async () => {
    const hits = { total: { value: 10_000, relation: "gte" }, hits: [hit()] };
    const { provider } = fakeEdgar(() => ({ body: found(0, [], { hits }) }));
    expect(await provider.search({ q: "x", from: 9_900 })).toMatchObject({
      total: 10_000,
      total_is_lower_bound: true,
      next_from: null,
    });
  });

  test.each<[string, object]>([
    ["timed out", found(5, [hit()], { timed_out: true })],
    ["some of it failed", found(5, [hit()], { _shards: { failed: 1 } })],
    ["hits announced and none sent", found(5, [])],
    ["an id of another form", found(1, [{ ...hit(), _id: "x" }])],
    ["no total", { hits: { hits: [] } }],
  ])("%s is a failure, not nothing found", async (_what, body) => {
    await expect(fakeEdgar(() => ({ body })).provider.search({ q: "x" })).rejects.toBeInstanceOf(
      UpstreamFailed,
    );
  });

  test.each([
    [{}],
    [{ q: "  " }],
    [{ q: "x", from: 50 }],
    [{ q: "x", from: 10_000 }],
    [{ q: "x", from: -100 }],
    [{ q: "x", start_date: "2026-01-01" }],
    [{ q: "x", start_date: "2026-02-01", end_date: "2026-01-01" }],
    [{ q: "x", start_date: "2026-02-30", end_date: "2026-03-01" }],
    [{ ciks: ["x"] }],
  ])("%p is not requested", async (query) => {
    const { provider, asked } = fakeEdgar(() => ({}));
    await expect(provider.search(query)).rejects.toBeInstanceOf(InvalidRequest);
    expect(asked()).toEqual([]);
  });
});
