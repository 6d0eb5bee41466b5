import { expect, test } from "bun:test";
import { backoffMs, retryAfterS } from "./retry-after.ts";

const NOW = Temporal.Instant.from("2026-11-20T15:00:00Z").epochMilliseconds;

test("seconds and all three forms of an HTTP-date are read", () => {
  expect(retryAfterS("120", NOW)).toBe(120);
  expect(retryAfterS(" 0 ", NOW)).toBe(0);
  expect(retryAfterS("Fri, 20 Nov 2026 15:00:30 GMT", NOW)).toBe(30);
  expect(retryAfterS("Friday, 20-Nov-26 15:00:30 GMT", NOW)).toBe(30);
  expect(retryAfterS("Fri, 20 Nov 2026 14:59:00 GMT", NOW)).toBe(0);
  expect(retryAfterS("Fri, 20 Nov 2026 15:00:30 GMT", NOW + 500)).toBe(30);
});

test("any other text gives undefined", () => {
  for (const text of [null, "", "soon", "-3", "1.5", "1e3", "99999999999", "Fri, 99 Nov 2026 99:00:00 GMT"])
    expect([text, retryAfterS(text, NOW)]).toEqual([text, undefined]);
});

test("the back-off doubles up to its cap and is spread over the whole range", () => {
  expect([0, 1, 2, 3, 4, 50].map((n) => backoffMs(n, () => 1))).toEqual([250, 500, 1000, 2000, 4000, 4000]);
  expect(backoffMs(3, () => 0)).toBe(0);
  expect(backoffMs(3, () => 0.5)).toBe(1000);
});
