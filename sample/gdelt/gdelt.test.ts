// The sample's news archive: JSON for an answer, plain text for a refusal, and little patience.
import { expect, setDefaultTimeout, test } from "bun:test";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { fakeClock } from "../../test/support/fake-clock.ts";
import { createMarket, NAMED_LISTINGS } from "../market.ts";
import { pastReports } from "../reports.ts";
import { createGdelt, TOO_OFTEN } from "./index.ts";

setDefaultTimeout(1_200_000);

const clock = fakeClock("2026-09-09T21:00:00Z");
const market = createMarket({
  clock,
  calendar: exchangeCalendar(),
  seed: 1,
  years: 5,
  symbols: NAMED_LISTINGS,
});
const archive = createGdelt(market);

const ask = (params: Record<string, string>, waitMs = 10_000) => {
  clock.advance(waitMs);
  return archive.answer({
    method: "GET",
    host: "api.gdeltproject.org",
    path: "/api/v2/doc/doc",
    query: new URLSearchParams({ startdatetime: "20260801000000", enddatetime: "20260908235959", ...params }),
    headers: {},
    body: "",
  });
};
const ZORP = { query: '"Zorp Dynamics" sourcelang:english' };

test("articles of eight keys, none in the future, none of another company", () => {
  const { articles } = JSON.parse(ask({ ...ZORP, mode: "artlist" })?.body ?? "");
  expect(articles.length).toBeGreaterThan(5);
  expect(Object.keys(articles[0]).length).toBe(8);
  for (const { title, seendate } of articles) {
    expect(title).toContain("Zorp Dynamics");
    expect(seendate).toMatch(/^2026\d{4}T\d{4}00Z$/);
  }
  expect(ask({ query: '"Unknown Company"' })?.body).toBe("{}");
});

test("more news when a company reports", () => {
  const listing = market.listing("ZORP");
  const day = (listing && pastReports(market, listing, 1)?.[0]?.date) ?? "";
  const span = (date: string) => date.replaceAll("-", "");
  const on = { startdatetime: `${span(day)}000000`, enddatetime: `${span(day)}235959` };
  expect(JSON.parse(ask({ ...ZORP, ...on })?.body ?? "").articles.length).toBeGreaterThan(10);
  const body = JSON.parse(ask({ ...ZORP, mode: "timelinevol", startdatetime: "20260701000000" })?.body ?? "");
  const values = new Map<string, number>(
    body.timeline[0].data.map((point: { date: string; value: number }) => [
      point.date.slice(0, 8),
      point.value,
    ]),
  );
  const mean = [...values.values()].reduce((a, b) => a + b) / values.size;
  expect(body.query_details.date_resolution).toBe("day");
  expect(values.get(span(day)) ?? 0).toBeGreaterThan(2 * mean);
});

test("refusals in plain text with 200, and 429 for a request too soon after the last", () => {
  const said = (params: Record<string, string>) => [ask(params)?.status, ask(params)?.body.trim()];
  expect(said({ ...ZORP, maxrecords: "251" })).toEqual([200, "A maximum of 250 records can be returned."]);
  expect(said({ query: "zorp OR kronk" })[1]).toContain("surrounded by ()");
  expect(said({ query: '"ab"' })[1]).toContain("too short");
  expect(said({ ...ZORP, startdatetime: "20160101000000" })[1]).toContain("Invalid");
  expect(ask(ZORP, 4_000)).toMatchObject({ status: 429, body: TOO_OFTEN });
  expect(ask(ZORP, 5_000)?.status).toBe(200);
});
