import { expect, test } from "bun:test";
import { AsofError, InvalidRequest, NotConfigured, NotFound } from "../../platform/errors.ts";
import type { UpstreamAnswer } from "../../platform/upstream/policy.ts";
import { readAnswer } from "./answer.ts";
import { classifyFred } from "./classify.ts";
import { FRED_ENDPOINTS } from "./endpoints.ts";
import { addressOf, fred } from "./index.ts";
import { fredPolicy } from "./policy.ts";

const KEY = "0123456789abcdef0123456789abcdef";
const answerOf = (status: number, body: unknown): UpstreamAnswer => ({
  url: "https://api.stlouisfed.org/fred/series",
  status,
  headers: new Headers(),
  bytes: new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body)),
  receivedAt: Temporal.Instant.from("2026-09-09T21:00:00Z"),
});
const endpoint = (name: string) => {
  const found = FRED_ENDPOINTS.find((each) => each.name === name);
  if (!found) throw new Error(name);
  return found;
};
const OBSERVATIONS = endpoint("series/observations");
const row = (date: string, value: unknown, more: object = {}) => ({
  realtime_start: "2026-09-09",
  realtime_end: "2026-09-09",
  date,
  value,
  ...more,
});
const envelope = (observations: unknown, more: object = {}) => ({
  realtime_start: "2026-09-09",
  realtime_end: "2026-09-09",
  count: 1,
  offset: 0,
  limit: 100_000,
  observations,
  ...more,
});
const faultOf = (act: () => unknown): AsofError => {
  try {
    act();
  } catch (error) {
    if (error instanceof AsofError) return error;
    throw error;
  }
  throw new Error("it was taken");
};

test("classifies answers by status and body", () => {
  const kind = (status: number, body: unknown) => classifyFred(answerOf(status, body)).kind;
  expect(kind(200, { seriess: [] })).toBe("ok");
  expect(kind(200, '\uFEFF {"seriess":[]}')).toBe("ok");
  expect(kind(400, { error_code: 400, error_message: "Bad Request." })).toBe("answered");
  expect(kind(404, { error_code: 404, error_message: "Not Found." })).toBe("answered");
  expect(kind(429, { error_code: 429, error_message: "Too Many Requests." })).toBe("rate_limited");
  expect(kind(429, "")).toBe("rate_limited");
  for (const [status, body] of [
    [423, { error_code: 423, error_message: "Locked." }],
    [500, { error_code: 500, error_message: "Internal Server Error." }],
    [503, "<html>"],
    [200, "<html><title>Access Denied</title></html>"],
    [200, '<?xml version="1.0"?><seriess/>'],
    [403, "<html>Access Denied</html>"],
    [400, "<html>"],
    [404, "<html>"],
    [200, ""],
    [200, "[]"],
    [204, ""],
    [403, { error_code: 403 }],
  ] as const)
    expect([status, kind(status, body)]).toEqual([status, "failed"]);
});

test("a URL always points at FRED, with our key and JSON, whatever a client sends", () => {
  const url = addressOf(
    OBSERVATIONS,
    { series_id: "A&api_key=x#y/../..", api_key: "theirs", file_type: "xml" },
    KEY,
  );
  expect([url.origin, url.pathname, url.hash]).toEqual([
    "https://api.stlouisfed.org",
    "/fred/series/observations",
    "",
  ]);
  expect(url.searchParams.getAll("api_key")).toEqual([KEY]);
  expect(url.searchParams.getAll("file_type")).toEqual(["json"]);
  expect(url.searchParams.get("series_id")).toBe("A&api_key=x#y/../..");
  for (const name of ["../x", "series/../../x", "series?x", "series#x", "%2e%2e/x", "\\x"])
    expect([name, faultOf(() => addressOf({ name }, {}, KEY)).code]).toEqual([name, "upstream_error"]);
});

test("observations: a dot is missing, 0 is a value, numbers are as written", () => {
  const rows = [
    row("2026-01-01", "2.41"),
    row("2026-01-02", "."),
    row("2026-01-03", "0"),
    row("2026-01-04", "-0.5"),
    row("2026-01-05", "1.2E3"),
    row("1776-07-04", ".5", { realtime_end: "9999-12-31" }),
  ];
  const read = readAnswer(answerOf(200, envelope(rows, { count: 6 })), OBSERVATIONS, KEY);
  expect(read.observations?.map(({ value }) => value)).toEqual([2.41, null, 0, -0.5, 1200, 0.5]);
  expect(read.observations?.at(-1)).toMatchObject({ date: "1776-07-04", realtime_end: "9999-12-31" });
  expect(read).toMatchObject({ records: 6, receivedAtMs: Date.parse("2026-09-09T21:00:00Z") });
  expect(read.body).toEqual(envelope(rows, { count: 6 }));
});

test("rejects an answer of another shape as a whole, naming the field", () => {
  const why = (body: unknown) => faultOf(() => readAnswer(answerOf(200, body), OBSERVATIONS, KEY)).message;
  const good = row("2026-01-01", "1");
  expect(why('{"observations":[{"date":"2026-')).toContain("not complete JSON");
  expect(why("[]")).toContain("the answer should be an object");
  expect(why({ seriess: [] })).toContain("observations should be a list");
  expect(why(envelope({}))).toContain("observations should be a list");
  expect(why(envelope([good], { count: "1" }))).toContain("count should be");
  expect(why(envelope([good], { realtime_start: null }))).toContain("realtime_start should be");
  expect(why(envelope([null]))).toContain("observations[0] should be an object");
  for (const value of ["NaN", "Infinity", "1e999", "", " ", "1,5", "N/A", "0x10", 1, null, true])
    expect(why(envelope([good, row("2026-01-02", value)]))).toContain("observations[1].value should be");
  expect(why(envelope([row("2026-02-30", "1")]))).toContain("observations[0].date should be a day");
  expect(why(envelope([row("2026-01-01", "1", { realtime_end: "" })]))).toContain("realtime_end should be");
  expect(why(envelope([good, good]))).toContain("observations[1] should be a day not listed before");
  // Of columns side by side only the presence of a list is checked.
  const columns = envelope([{ date: "2026-01-01", A_20260101: "1" }]);
  expect(readAnswer(answerOf(200, columns), OBSERVATIONS, KEY, { output_type: "2" })).toMatchObject({
    records: 1,
    observations: null,
  });
});

test("rejects an answer about a later real time than requested", () => {
  const then = { realtime_start: "2026-06-01", realtime_end: "2026-06-01" };
  const read = (body: unknown, end: string, of = OBSERVATIONS) =>
    readAnswer(answerOf(200, body), of, KEY, { realtime_end: end });
  const asThen = envelope([row("2026-01-01", "1", then)], then);
  expect(read(asThen, "2026-06-01").records).toBe(1);
  expect(read(asThen, "9999-12-31").records).toBe(1);
  const why = (body: unknown, of = OBSERVATIONS) => faultOf(() => read(body, "2026-06-01", of)).message;
  const later = { realtime_start: "2026-09-09", realtime_end: "2026-09-09" };
  const mismatch = (name: string) => `fred was asked about 2026-06-01 and answered ${name} as of 2026-09-09`;
  expect(why(envelope([row("2026-01-01", "1", then)], later))).toBe(mismatch("series/observations"));
  expect(why(envelope([row("2026-01-01", "1", later)], then))).toBe(mismatch("series/observations"));
  expect(why({ ...later, seriess: [] }, endpoint("series"))).toBe(mismatch("series"));
  for (const [name, list] of [
    ["series", { seriess: [later] }],
    ["release/dates", { release_dates: [{ release_id: 1, date: "2026-09-09" }] }],
    ["series/vintagedates", { vintage_dates: ["2026-05-01", "2026-09-09"] }],
  ] as const)
    expect(why({ ...then, ...list }, endpoint(name))).toBe(mismatch(name));
  // Some lists do not state their real time.
  expect(read({ categories: [1] }, "2026-06-01", endpoint("series/categories")).records).toBe(1);
});

test("reads each endpoint's list under its own key; tables are an object", () => {
  for (const each of FRED_ENDPOINTS.filter(({ name }) => name !== "series/observations"))
    expect(readAnswer(answerOf(200, { [each.collection]: [1, 2] }), each, KEY).records).toBe(2);
  const tables = { name: "x", elements: { "12886": {}, "12887": {} } };
  expect(readAnswer(answerOf(200, tables), endpoint("release/tables"), KEY).records).toBe(2);
  expect(faultOf(() => readAnswer(answerOf(200, { series: [] }), endpoint("series"), KEY)).message).toContain(
    "seriess should be a list",
  );
});

test("refusals carry FRED's own message, and a refused key is distinguished from a refused request", () => {
  const refusal = (status: number, error_message: unknown, error_code: unknown = status) =>
    faultOf(() => readAnswer(answerOf(status, { error_code, error_message }), endpoint("series"), KEY));
  const missing = refusal(400, "Bad Request.  The series does not exist.");
  expect(missing).toBeInstanceOf(InvalidRequest);
  expect([missing.message, missing.facts.upstreamErrorCode, missing.facts.hint]).toEqual([
    "Bad Request.  The series does not exist.",
    400,
    undefined,
  ]);
  const key = refusal(400, "Bad Request.  The value for variable api_key is not registered.");
  expect(key.facts.hint).toContain("ECONDATA_API_KEY");
  expect(refusal(404, "Not Found.")).toBeInstanceOf(NotFound);
  expect(refusal(400, "x", "no number").facts.upstreamErrorCode).toBeUndefined();
  expect(refusal(400, undefined).code).toBe("upstream_error");
  expect(refusal(404, undefined).message).toBe("fred answered series with status 404 and no error message");
});

test("redacts a key that an answer repeats", () => {
  const echo = { error_code: 400, error_message: `Bad Request.  The key ${KEY} is not registered.` };
  const error = faultOf(() => readAnswer(answerOf(400, echo), endpoint("series"), KEY));
  expect(error.message).toBe("Bad Request.  The key [redacted] is not registered.");
  const body = { seriess: [{ id: "A", notes: `see ?api_key=${KEY}` }] };
  expect(JSON.stringify(readAnswer(answerOf(200, body), endpoint("series"), KEY).body)).not.toContain(KEY);
});

test("sends nothing without a key, or for an unknown endpoint", async () => {
  const upstream = {
    policy: fredPolicy,
    ask: () => Promise.reject(new Error("it was asked")),
    health: () => {
      throw new Error("not looked at");
    },
  };
  expect(fred({ upstream, apiKey: null }).ask("series", {})).rejects.toBeInstanceOf(NotConfigured);
  expect(fred({ upstream, apiKey: KEY }).ask("series/../x", {})).rejects.toBeInstanceOf(RangeError);
  expect(FRED_ENDPOINTS.length).toBe(31);
});
