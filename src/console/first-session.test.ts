// Marks of filings on the chart: on the session in whose prices they could first show.
import { expect, test } from "bun:test";
import { firstSession } from "./first-session.ts";

/** Thursday, the half day after Thanksgiving, and the Monday after it. */
const SESSIONS = [
  { date: "2026-11-25", closes_at: "2026-11-25T21:00:00.000Z" },
  { date: "2026-11-27", closes_at: "2026-11-27T18:00:00.000Z" },
  { date: "2026-11-30", closes_at: "2026-11-30T21:00:00.000Z" },
];
const on = (accepted_at: string | null, filing_date = "2026-11-25") =>
  firstSession({ accepted_at, filing_date }, SESSIONS);

test("a filing stands on the first session that ended after its acceptance", () => {
  expect(on("2026-11-25T20:59:59Z")).toBe("2026-11-25");
  expect(on("2026-11-25T21:00:00Z")).toBe("2026-11-27");
  expect(on("2026-11-26T15:00:00Z")).toBe("2026-11-27");
  // The half day ends at 13:00 in New York.
  expect(on("2026-11-27T18:30:00Z")).toBe("2026-11-30");
  expect(on("2026-11-28T03:00:00Z", "2026-11-30")).toBe("2026-11-30");
});

test("without a moment it counts from the end of its day", () => {
  expect(on(null)).toBe("2026-11-27");
  expect(on(null, "2026-11-28")).toBe("2026-11-30");
});

test("what no session of the chart could price has no place in it", () => {
  expect(on("2026-11-30T22:00:00Z", "2026-12-01")).toBeNull();
  expect(on(null, "2026-11-30")).toBeNull();
  expect(firstSession({ accepted_at: "2026-11-25T21:30:00Z", filing_date: "2026-11-25" }, [])).toBeNull();
});
