// Wikimedia's answers: served, refused with 200, rate limited, broken.
import { expect, test } from "bun:test";
import { classifyWikimedia } from "./classify.ts";

const API = "https://en.wikipedia.org/w/api.php?action=parse";
const PAGE = "https://en.wikipedia.org/wiki/Nasdaq-100";
const METRICS = "https://wikimedia.org/api/rest_v1/metrics/pageviews/per-article/en.wikipedia/x";

const kind = (url: string, status: number, body: string, headers: Record<string, string> = {}) =>
  classifyWikimedia({
    url,
    status,
    headers: new Headers(headers),
    bytes: new TextEncoder().encode(body),
    receivedAt: Temporal.Instant.from("2026-09-09T18:00:00Z"),
  }).kind;

test("served", () => {
  expect(kind(API, 200, '{"parse":{}}')).toBe("ok");
  expect(kind(PAGE, 200, "<!DOCTYPE html>")).toBe("ok");
  expect(kind(METRICS, 200, '{"items":[]}')).toBe("ok");
});

test("a refusal with status 200 is an answer, by header and by body", () => {
  expect(kind(API, 200, '{"error":{"code":"missingtitle"}}')).toBe("answered");
  expect(kind(API, 200, "{}", { "mediawiki-api-error": "search-title-disabled" })).toBe("answered");
  expect(kind(PAGE, 404, "<html>")).toBe("answered");
  expect(kind(METRICS, 404, '{"detail":"no data"}')).toBe("answered");
});

test("rate limited", () => {
  expect(kind(API, 429, "Too many requests")).toBe("rate_limited");
  expect(kind(API, 200, '{"error":{"code":"ratelimited"}}')).toBe("rate_limited");
});

test("broken", () => {
  expect(kind(API, 200, "<html>Wikimedia Error</html>")).toBe("failed");
  expect(kind(METRICS, 200, "<html>")).toBe("failed");
  expect(kind(PAGE, 200, '{"a":1}')).toBe("failed");
  expect(kind(PAGE, 200, "")).toBe("failed");
  expect(kind(PAGE, 503, "<html>")).toBe("failed");
  expect(kind(PAGE, 403, "<html>Please set a user-agent")).toBe("failed");
  expect(kind(API, 200, '{"error":{"code":"internal_api_error_DBQueryError"}}')).toBe("failed");
  expect(kind(API, 200, '{"error":{"code":"maxlag"}}')).toBe("failed");
});
