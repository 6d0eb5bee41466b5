import { describe, expect, test } from "bun:test";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import { type FakeReply, fakeAnswer } from "../../../test/support/fake-edgar.ts";
import { classifyEdgar } from "./classify.ts";

const clock = fakeClock("2026-03-10T15:00:00Z");
const SUBMISSIONS = "https://data.sec.gov/submissions/CIK0000004711.json";
const TICKERS = "https://www.sec.gov/files/company_tickers.json";
const INDEX = "https://www.sec.gov/Archives/edgar/daily-index/2026/QTR1/master.20260310.idx";
const DOCUMENT = "https://www.sec.gov/Archives/edgar/data/4711/000123456726000089/d8k.htm";
const FEED = "https://www.sec.gov/cgi-bin/browse-edgar?action=getcurrent&output=atom";
const SEARCH = "https://efts.sec.gov/LATEST/search-index?q=x";

const verdict = (url: string, reply: FakeReply) => classifyEdgar(fakeAnswer(url, reply, clock));
const page = (title: string) =>
  `\n<!DOCTYPE html><html><head>\n<title>${title}</title></head><body>…</body></html>`;
const missing = (code: string) =>
  `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>…</Message></Error>`;
const OUTAGE = page("SEC.gov | File Unavailable");

describe("too many requests: a pause of ten minutes", () => {
  test.each<[string, string, FakeReply]>([
    ["403 with the page", DOCUMENT, { status: 403, body: page("SEC.gov | Request Rate Threshold Exceeded") }],
    [
      "429 with the page",
      SUBMISSIONS,
      { status: 429, body: page("SEC.gov | Request Rate Threshold Exceeded") },
    ],
    ["200 with the page", FEED, { body: page("SEC.gov | Request Rate Threshold Exceeded") }],
    ["429 without a body", SEARCH, { status: 429 }],
    ["429 that asks for less", SEARCH, { status: 429, headers: { "retry-after": "1" } }],
  ])("%s", (_what, url, reply) => {
    expect(verdict(url, reply)).toMatchObject({ kind: "rate_limited", retryAfterS: 600 });
  });

  test("a filing that speaks of it is a filing", () => {
    expect(verdict(DOCUMENT, { body: "<html><body>Request Rate Threshold Exceeded</body></html>" })).toEqual({
      kind: "ok",
    });
  });
});

describe("no such thing", () => {
  test.each<[string, string, FakeReply]>([
    [
      "an index not yet there, refused as if forbidden",
      INDEX,
      { status: 403, body: missing("AccessDenied") },
    ],
    ["an unknown CIK, with XML instead of JSON", SUBMISSIONS, { status: 404, body: missing("NoSuchKey") }],
    [
      "a document that is not there",
      DOCUMENT,
      { status: 404, body: page("SEC.gov | File Not Found Error Alert (404)") },
    ],
    ["unchanged", TICKERS, { status: 304 }],
  ])("%s", (_what, url, reply) => expect(verdict(url, reply)).toEqual({ kind: "answered" }));
});

describe("an outage, never no such thing", () => {
  test.each<[string, string, FakeReply]>([
    ["503 under maintenance", FEED, { status: 503, body: OUTAGE }],
    ["200 under maintenance", DOCUMENT, { body: OUTAGE }],
    ["a page for JSON", SUBMISSIONS, { body: page("Welcome") }],
    ["a page for an index", INDEX, { body: page("Welcome") }],
    ["a page for the feed", FEED, { body: page("Welcome") }],
    ["text for JSON", TICKERS, { body: "OK" }],
    ["an empty answer", DOCUMENT, { body: "" }],
    ["blanks", INDEX, { body: " \r\n" }],
    ["a 500 in JSON", SEARCH, { status: 500, body: { message: "Internal server error" } }],
    ["an empty 404", SUBMISSIONS, { status: 404 }],
    ["a 404 from a proxy", SUBMISSIONS, { status: 404, body: "upstream connect error" }],
    ["a 403 of an edge", DOCUMENT, { status: 403, body: page("Access Denied") }],
    ["an empty 403", INDEX, { status: 403 }],
    ["a 204", TICKERS, { status: 204 }],
    ["a 400", SEARCH, { status: 400, body: { message: "bad" } }],
  ])("%s", (_what, url, reply) => expect(verdict(url, reply).kind).toBe("failed"));

  test("a refused User-Agent names the setting to check", () => {
    const body = page("SEC.gov | Your Request Originates from an Undeclared Automated Tool");
    expect(verdict(DOCUMENT, { status: 403, body })).toEqual({
      kind: "failed",
      detail: "EDGAR refuses our User-Agent: check the address in SEC_USER_AGENT",
    });
  });
});

describe("data", () => {
  test.each<[string, string, FakeReply]>([
    ["JSON", SUBMISSIONS, { body: { cik: "1" } }],
    ["JSON after a mark", SUBMISSIONS, { body: '\ufeff{"a":1}' }],
    ["an index", INDEX, { body: "Description: Daily Index\n" }],
    ["the feed", FEED, { body: '<?xml version="1.0" encoding="ISO-8859-1" ?>\n<feed/>' }],
    ["HTML of a filing", DOCUMENT, { body: page("Form 8-K of Some Company") }],
    ["text of a filing", DOCUMENT, { body: "-----BEGIN PRIVACY-ENHANCED MESSAGE-----" }],
    ["bytes that are no text", DOCUMENT, { body: new Uint8Array([0xff, 0xd8, 0xff, 0xe0]) }],
  ])("%s", (_what, url, reply) => expect(verdict(url, reply)).toEqual({ kind: "ok" }));
});
