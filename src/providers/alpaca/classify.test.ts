import { describe, expect, test } from "bun:test";
import { classifyAlpaca } from "./classify.ts";

const AT = Temporal.Instant.from("2026-09-09T15:00:10Z");
const of = (status: number, body: string, headers: Record<string, string> = {}) =>
  classifyAlpaca({
    url: "https://data.alpaca.markets/v2/stocks/bars",
    status,
    headers: new Headers(headers),
    bytes: new TextEncoder().encode(body),
    receivedAt: AT,
  });

describe("an answer of the brokerage feed", () => {
  test("is served when it is JSON, whatever its content", () => {
    expect(of(200, '{"bars":{},"next_page_token":null}')).toEqual({ kind: "ok" });
    expect(of(200, ' \n[{"date":"2026-09-09"}]')).toEqual({ kind: "ok" });
  });

  test("is a failure when it is a page, empty, or a server error", () => {
    for (const [status, body] of [
      [200, "<html>sorry</html>"],
      [200, ""],
      [500, "{}"],
      [503, "<html>"],
      [304, ""],
    ] as const)
      expect([status, body, of(status, body).kind]).toEqual([status, body, "failed"]);
  });

  test("is an answer with a reason when keys, plan, symbol or path are refused", () => {
    for (const status of [400, 401, 403, 404, 422])
      expect(of(status, '{"message":"no"}')).toEqual({ kind: "answered" });
  });

  test("at the rate limit gives the time until the count resets", () => {
    const reset = String(AT.epochMilliseconds / 1000 + 37);
    expect(of(429, "{}", { "x-ratelimit-reset": reset })).toMatchObject({
      kind: "rate_limited",
      retryAfterS: 37,
    });
    // A reset time in the past still asks for a pause.
    const past = String(AT.epochMilliseconds / 1000 - 5);
    expect(of(429, "{}", { "x-ratelimit-reset": past })).toMatchObject({ retryAfterS: 1 });
    for (const header of [{}, { "x-ratelimit-reset": "soon" }, { "x-ratelimit-reset": "0" }] as Record<
      string,
      string
    >[])
      expect(of(429, "", header)).toMatchObject({ kind: "rate_limited", retryAfterS: undefined });
  });
});
