import { describe, expect, test } from "bun:test";
import type { Acceptance } from "../../providers/edgar/index.ts";
import { CURRENT_REPORTS, formTypes, isCurrentReport } from "./forms.ts";
import { knownAt, shownInstant, storedInstant } from "./known-at.ts";

const NOW = Temporal.Instant.from("2026-09-09T21:00:00Z").epochMilliseconds;
const of = (parts: Partial<Acceptance & { form_type: string }>): Acceptance & { form_type: string } => ({
  form_type: "8-K",
  accepted_at: null,
  filing_date: "2025-03-10",
  precision: "day",
  source: null,
  public_from: null,
  ...parts,
});

describe("when a filing became known", () => {
  const cases: [what: string, acceptance: Parameters<typeof knownAt>[0], at: string][] = [
    [
      "its acceptance",
      of({
        precision: "second",
        accepted_at: "2025-03-10T14:00:00Z",
        public_from: "2025-03-10T14:00:00Z",
      }),
      "2025-03-10T14:00:00.000Z",
    ],
    [
      "the opening of its filing date when it was accepted the evening before",
      of({
        precision: "second",
        accepted_at: "2025-03-07T22:30:01Z",
        public_from: "2025-03-10T10:00:00Z",
      }),
      "2025-03-10T10:00:00.000Z",
    ],
    ["the end of its day in summer time", of({}), "2025-03-11T03:59:59.999Z"],
    [
      "the end of its day in winter time",
      of({ filing_date: "2025-01-10", public_from: "2025-01-11T04:59:59Z" }),
      "2025-01-11T04:59:59.999Z",
    ],
    [
      "the end of its day when two moments are possible, not the later of them",
      of({ precision: "ambiguous", public_from: "2025-03-10T20:00:00Z" }),
      "2025-03-11T03:59:59.999Z",
    ],
    [
      "the day its records show when that is later than its filing date",
      of({ filing_date: "1996-05-01", public_from: "1996-05-04T03:59:59Z" }),
      "1996-05-04T03:59:59.000Z",
    ],
    [
      "when it was first seen, for a staff letter with only a known day",
      of({ form_type: "UPLOAD" }),
      "2026-09-09T21:00:00.000Z",
    ],
    [
      "when it was first seen, for a letter published weeks later",
      of({ form_type: "CORRESP", precision: "second", accepted_at: "2025-03-10T14:00:00Z" }),
      "2026-09-09T21:00:00.000Z",
    ],
  ];
  for (const [what, acceptance, at] of cases) test(what, () => expect(knownAt(acceptance, NOW)).toBe(at));
});

test("instants are stored with three decimals and shown without", () => {
  expect(storedInstant("2025-02-06T21:05:11Z")).toBe("2025-02-06T21:05:11.000Z");
  expect(shownInstant("2025-02-06T21:05:11.000Z")).toBe("2025-02-06T21:05:11Z");
  expect([storedInstant(null), shownInstant(null)]).toEqual([null, null]);
});

test("current reports are the 8-K, those of successors, and amendments of both", () => {
  expect(CURRENT_REPORTS).toEqual([
    ...["8-K", "8-K/A", "8-K12B", "8-K12B/A", "8-K12G3", "8-K12G3/A", "8-K15D5", "8-K15D5/A"],
  ]);
  expect(CURRENT_REPORTS.every(isCurrentReport)).toBe(true);
  expect(["6-K", "8-KX", "8-K/B", "10-K", "18-K", ""].some(isCurrentReport)).toBe(false);
});

test("form types of a list: upper case, each once, an empty list is no filter", () => {
  expect(formTypes(" 8-k, ,8-K,sc 13d ")).toEqual(["8-K", "SC 13D"]);
  expect([formTypes(undefined), formTypes(" , ")]).toEqual([null, null]);
});
