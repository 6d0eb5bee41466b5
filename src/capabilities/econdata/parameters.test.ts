import { expect, test } from "bun:test";
import { AsofError, InvalidFields } from "../../platform/errors.ts";
import { type ProviderRequest, providerRequest } from "./parameters.ts";
import type { ProxyQuery } from "./schema.ts";
import type { SourceEndpoint } from "./sources.ts";

const endpoint = (name: string, more: Partial<SourceEndpoint> = {}): SourceEndpoint => ({
  name,
  needs: [],
  realTime: "period",
  ...more,
});
const OBSERVATIONS = endpoint("series/observations", { needs: ["series_id"] });
/** 21:00 UTC on a Wednesday, 16:00 in Chicago. */
const NOW = { today: "2026-09-09", ms: Date.parse("2026-09-09T21:00:00Z") };
const ask = (query: ProxyQuery, at: SourceEndpoint = OBSERVATIONS, now = NOW): ProviderRequest =>
  providerRequest(at, query, now);
const codeOf = (act: () => unknown) => {
  try {
    act();
    return "taken";
  } catch (error) {
    return error instanceof AsofError ? error.code : error instanceof InvalidFields ? error.faults : error;
  }
};

test("the provider's parameters are passed on, ours are not, and their order does not matter", () => {
  const one = ask({ series_id: "FICGDP", limit: 5, include_observation_values: false, force_refresh: true });
  expect(one.params).toEqual({ series_id: "FICGDP", limit: "5", include_observation_values: "false" });
  expect(one.key).toBe("series/observations?include_observation_values=false&limit=5&series_id=FICGDP");
  const hostile = { series_id: "A&api_key=x#", api_key: "mine", file_type: "xml" } as ProxyQuery;
  expect(ask(hostile).params).toEqual({ series_id: "A&api_key=x#" });
  expect(ask(hostile).key).toBe("series/observations?series_id=A%26api_key%3Dx%23");
});

test("a past as_of becomes a real-time period; a New York day counts once it is over", () => {
  const period = (as_of: string, at = OBSERVATIONS, now = NOW) => {
    const { params } = ask({ series_id: "A", as_of }, at, now);
    return [params.realtime_start, params.realtime_end];
  };
  expect(period("2026-06-01")).toEqual(["2026-06-01", "2026-06-01"]);
  // Within a day it is unknown whether a release of that day was published.
  expect(period("2026-06-01T23:00:00Z")).toEqual(["2026-05-31", "2026-05-31"]);
  expect(period("2026-06-02T03:59:59.999Z")).toEqual(["2026-06-01", "2026-06-01"]);
  expect(period("2026-09-08")).toEqual(["2026-09-08", "2026-09-08"]);
  expect(period("2026-09-09T20:00:00Z")).toEqual(["2026-09-08", "2026-09-08"]);
  // Today is not over, and the future means now.
  expect(period("2026-09-09")).toEqual([undefined, undefined]);
  expect(period("2027-01-01")).toEqual([undefined, undefined]);
  // 00:30 in New York is 23:30 of the day before in Chicago, where that day is still today.
  const late = { today: "2026-09-09", ms: Date.parse("2026-09-10T04:30:00Z") };
  expect(period("2026-09-09", OBSERVATIONS, late)).toEqual([undefined, undefined]);
  const dates = endpoint("series/vintagedates", { realTime: "end" });
  expect(period("2026-06-01", dates)).toEqual(["1776-07-04", "2026-06-01"]);
});

test("a contradictory or incomplete request is refused before a call is made", () => {
  const clash = "conflicting_time_selection";
  expect(codeOf(() => ask({ series_id: "A", as_of: "2026-06-01", realtime_start: "2026-06-01" }))).toBe(
    clash,
  );
  expect(codeOf(() => ask({ series_id: "A", as_of: "2026-06-01", realtime_end: "2026-06-01" }))).toBe(clash);
  expect(codeOf(() => ask({ series_id: "A", as_of: "2026-06-01", vintage_dates: "2026-06-01" }))).toBe(clash);
  const timeless = endpoint("category", { realTime: "none" });
  expect(codeOf(() => ask({ as_of: "2026-06-01" }, timeless))).toBe("bad_request");
  const reversed = { realtime_start: "2026-06-02", realtime_end: "2026-06-01" };
  expect(codeOf(() => ask({ series_id: "A", ...reversed }))).toBe("invalid_date_range");
  const backwards = { observation_start: "2026-06-02", observation_end: "2026-06-01" };
  expect(codeOf(() => ask({ series_id: "A", ...backwards }))).toBe("invalid_date_range");
  expect(codeOf(() => ask({}))).toEqual([
    { type: "missing", loc: ["query", "series_id"], msg: "Field required" },
  ]);
});

test("only levels are stored, and only when the real-time period reaches the present", () => {
  const stores = (query: ProxyQuery) => ask({ series_id: "ficgdp", ...query }).levels?.stores;
  expect(ask({ series_id: "ficgdp" }).levels).toEqual({
    seriesId: "FICGDP",
    span: { start: "0001-01-01", end: "9999-12-31" },
    stores: "present",
    page: { descending: false, limit: 100_000, offset: 0 },
  });
  expect(stores({ units: "lin", output_type: "1" })).toBe("present");
  expect(stores({ realtime_start: "1776-07-04", realtime_end: "9999-12-31" })).toBe("vintages");
  expect(stores({ realtime_start: "2026-06-01", realtime_end: "2026-06-01" })).toBeNull();
  expect(stores({ as_of: "2026-06-01" })).toBeNull();
  expect(stores({ as_of: "2026-09-09" })).toBe("present");
  for (const query of [
    { units: "pch" },
    { frequency: "a" },
    { output_type: "2" },
    { vintage_dates: "2026-06-01" },
  ] as ProxyQuery[])
    expect(ask({ series_id: "A", ...query }).levels).toBeNull();
  expect(ask({ series_id: "A" }, endpoint("series")).levels).toBeNull();
});

test("the store answers only in order of days, and not for a real-time period", () => {
  const page = (query: ProxyQuery) => ask({ series_id: "A", ...query }).levels?.page;
  expect(page({ sort_order: "desc", limit: 3, offset: 2 })).toEqual({
    descending: true,
    limit: 3,
    offset: 2,
  });
  expect(page({ order_by: "observation_date" })).toEqual({ descending: false, limit: 100_000, offset: 0 });
  expect(page({ order_by: "vintage_date" })).toBeNull();
  expect(page({ realtime_start: "2026-06-01" })).toBeNull();
  expect(page({ as_of: "2026-06-01" })).toEqual({ descending: false, limit: 100_000, offset: 0 });
});
