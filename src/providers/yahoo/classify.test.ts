import { describe, expect, test } from "bun:test";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import { type FakeReply, fakeAnswer } from "../../../test/support/fake-yahoo.ts";
import { classifyYahoo } from "./classify.ts";

const clock = fakeClock("2026-03-10T15:00:00Z");
const DATA = "https://query2.finance.yahoo.com/v7/finance/quote?symbols=ZQX";
const CRUMB = "https://query1.finance.yahoo.com/v1/test/getcrumb";
const kind = (url: string, reply: FakeReply) => classifyYahoo(fakeAnswer(url, reply, clock)).kind;

describe("data", () => {
  test.each<[string, FakeReply, string]>([
    ["JSON", { body: '  {"quoteResponse":{}}' }, "ok"],
    ["a JSON list", { body: "[]" }, "ok"],
    ["a 404 in JSON", { status: 404, body: '{"chart":{}}' }, "answered"],
    ["a 400 in JSON", { status: 400, body: '{"chart":{}}' }, "answered"],
    [
      "a 422 that has 429 in it",
      { status: 422, body: '{"chart":{"error":"endTime=1791264293"}}' },
      "answered",
    ],
    [
      "a 401 in JSON",
      { status: 401, body: '{"finance":{"error":{"description":"Invalid Crumb"}}}' },
      "answered",
    ],
    ["a 403 in JSON", { status: 403, body: '{"finance":{}}' }, "answered"],
    ["a 200 that has 429 in it", { body: '{"volume":429,"error":"Too Many Requests"}' }, "ok"],
    ["429 without a body", { status: 429 }, "rate_limited"],
    ["429 in JSON", { status: 429, body: '{"finance":{}}' }, "rate_limited"],
    ["999", { status: 999 as number, body: "<html></html>" }, "rate_limited"],
    ["200 with the edge's line", { body: "Edge: Too Many Requests" }, "rate_limited"],
    ["500 with the edge's line", { status: 500, body: "Too Many Requests\r\n" }, "rate_limited"],
    [
      "200 with the old edge's page",
      { body: "<p>Unable to process request at this time -- error 999.</p>" },
      "rate_limited",
    ],
    ["a 403 page", { status: 403, body: "<html>" }, "rate_limited"],
    ["a page", { body: "<!doctype html><p>Too Many Requests are bad</p>" }, "failed"],
    ["the outage page", { body: "<html>Will be right back...</html>" }, "failed"],
    ["a 404 page", { status: 404, body: "<html>Not Found" }, "failed"],
    ["an empty 200", { body: "" }, "failed"],
    ["an empty 404", { status: 404 }, "failed"],
    ["plain text", { body: "OK" }, "failed"],
    ["500 in JSON", { status: 500, body: "{}" }, "failed"],
    ["502", { status: 502, body: "<html>" }, "failed"],
    ["503", { status: 503 }, "failed"],
    ["504", { status: 504 }, "failed"],
    ["a redirect", { status: 302, body: "{}" }, "failed"],
  ])("%s", (_what, reply, expected) => {
    expect(kind(DATA, reply)).toBe(expected as ReturnType<typeof kind>);
  });
});

describe("crumb", () => {
  test.each<[string, FakeReply, string]>([
    ["text", { body: "abc/DEF.123" }, "ok"],
    ["a 401", { status: 401, body: '{"finance":{"error":{"description":"Invalid Cookie"}}}' }, "answered"],
    ["a 403", { status: 403, body: "{}" }, "rate_limited"],
    ["a 429", { status: 429, body: "Too Many Requests\r\n" }, "rate_limited"],
    ["a refusal with 200", { body: "Too Many Requests\r\n" }, "rate_limited"],
    ["a page", { body: "<html>" }, "failed"],
    ["a 503", { status: 503, body: "" }, "failed"],
  ])("%s", (_what, reply, expected) => {
    expect(kind(CRUMB, reply)).toBe(expected as ReturnType<typeof kind>);
  });
});

describe("pages of the handshake", () => {
  test("the cookie host may answer anything but a block", () => {
    const host = "https://fc.yahoo.com/";
    expect([404, 502, 200].map((status) => kind(host, { status, body: "<html>" }))).toEqual(
      Array(3).fill("answered"),
    );
    expect(kind(host, { status: 429 })).toBe("rate_limited");
  });

  test("redirects and pages are the expected answers of other hosts", () => {
    const body = "<script>header = 'Will be right back...'</script>";
    expect(kind("https://finance.yahoo.com/quote/AAPL", { status: 301, body })).toBe("ok");
    expect(kind("https://consent.yahoo.com/v2/collectConsent", { body })).toBe("ok");
    expect(kind("https://guce.yahoo.com/consent", { status: 404 })).toBe("answered");
    expect(kind("https://guce.yahoo.com/consent", { status: 403 })).toBe("rate_limited");
    expect(kind("https://guce.yahoo.com/consent", { status: 503 })).toBe("failed");
  });
});
