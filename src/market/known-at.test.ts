// Parsing `as_of`: days of New York and instants with a zone.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { asOfInstant, basisDay, notAhead, parseAsOf } from "./known-at.ts";

setDefaultTimeout(1_200_000);

const at = (text: string) => {
  const result = parseAsOf(text);
  return result.ok ? String(result.at) : result.detail;
};

describe("parseAsOf", () => {
  test.each([
    ["2026-01-05", "2026-01-06T04:59:59.999999999Z"],
    ["2026-07-06", "2026-07-07T03:59:59.999999999Z"],
    ["2026-03-07", "2026-03-08T04:59:59.999999999Z"],
    ["2026-03-08", "2026-03-09T03:59:59.999999999Z"],
    ["2026-10-31", "2026-11-01T03:59:59.999999999Z"],
    ["2026-11-01", "2026-11-02T04:59:59.999999999Z"],
    ["2024-02-29", "2024-03-01T04:59:59.999999999Z"],
    ["2100-12-31", "2101-01-01T04:59:59.999999999Z"],
  ])("the date %s ends at %s", (text, instant) => {
    expect(at(text)).toBe(instant);
  });

  test.each([
    ["2026-09-04T15:30:00Z", "2026-09-04T15:30:00Z"],
    ["2026-09-04T15:30Z", "2026-09-04T15:30:00Z"],
    ["2026-09-04t15:30:00z", "2026-09-04T15:30:00Z"],
    ["2026-09-04 15:30:00Z", "2026-09-04T15:30:00Z"],
    ["2026-09-04T11:30:00-04:00", "2026-09-04T15:30:00Z"],
    ["2026-09-05T00:30:00.123456+09:00", "2026-09-04T15:30:00.123456Z"],
    ["2026-06-30T23:59:60Z", "2026-06-30T23:59:59Z"],
  ])("the instant %s is %s", (text, instant) => {
    expect(at(text)).toBe(instant);
  });

  test.each([
    ["2026-09-04T15:30:00", "no zone"],
    ["2026-09-04T15:30", "no zone"],
    ["2026-09-04T15:30:00 04:00", "%2B"],
    ["2026-09-04T15:30:00EST", "unknown zone"],
    ["2026-09-04T15:30:00[America/New_York]", "unknown zone"],
    ["2026-09-04T15:30:00Z[America/New_York]", "unknown zone"],
    ["2026-09-04T25:00:00Z", "impossible time"],
    ["2026-09-04T23:61:00Z", "impossible time"],
    ["2026-09-04T10:00:00+24:00", "impossible time"],
    ["2026-02-30", "existing day"],
    ["2026-02-30T10:00:00Z", "existing day"],
    ["2026-02-29", "existing day"],
    ["1899-12-31", "existing day"],
    ["2101-01-01T00:00:00Z", "existing day"],
    ["0000-00-00", "existing day"],
    ["+002026-09-04T10:00:00Z", "existing day"],
    ["2026-09-04T", "existing day"],
    ["20260904", "existing day"],
    ["1788550200", "existing day"],
    ["yesterday", "existing day"],
    ["", "existing day"],
  ])("%j is refused", (text, part) => {
    const result = parseAsOf(text);
    if (result.ok) throw new Error(`read as ${result.at}`);
    expect(result.detail).toContain(part);
  });

  test("no text makes it throw", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)?$/)),
        (text) => {
          const result = parseAsOf(text);
          if (!result.ok) expect(result.detail).toStartWith("as_of");
        },
      ),
    );
  });
});

describe("notAhead", () => {
  // 20:30 on the 9th in New York.
  const now = Temporal.Instant.from("2026-09-10T00:30:00Z");
  test.each([
    ["2026-09-09", "2026-09-09"],
    ["2026-09-08", "2026-09-08"],
    ["2026-09-10", "2026-09-10T00:30:00Z"],
    ["2099-01-01", "2026-09-10T00:30:00Z"],
    ["2026-09-10T00:30:00Z", "2026-09-10T00:30:00Z"],
    ["2026-09-09T20:29:59-04:00", "2026-09-09T20:29:59-04:00"],
    ["2026-09-09T20:30:01-04:00", "2026-09-10T00:30:00Z"],
    ["2026-09-31", "2026-09-31"],
    ["tomorrow", "tomorrow"],
  ])("%s means %s", (text, meant) => {
    expect(notAhead(text, now)).toBe(meant);
  });
});

describe("asOfInstant", () => {
  test("absent is null, a day is its end in New York, and an invalid text is refused", () => {
    expect(asOfInstant(undefined)).toBeNull();
    expect(asOfInstant(null)).toBeNull();
    expect(String(asOfInstant("2026-01-05"))).toBe("2026-01-06T04:59:59.999999999Z");
    expect(() => asOfInstant("2026-02-30")).toThrow("as_of must be an existing day");
    expect(() => asOfInstant("2026-02-03T10:00")).toThrow("as_of has a time but no zone");
  });
});

test.each([
  ["2026-08-04T09:29:59-04:00", "2026-08-03"],
  ["2026-08-04T09:30:00-04:00", "2026-08-04"],
  ["2026-08-05T00:00:00-04:00", "2026-08-04"],
  // The clocks go forward at 02:00, and back.
  ["2026-03-08T09:29:59-04:00", "2026-03-07"],
  ["2026-03-08T09:30:00-04:00", "2026-03-08"],
  ["2026-11-01T09:29:59-05:00", "2026-10-31"],
  ["2026-11-01T09:30:00-05:00", "2026-11-01"],
])("prices at %s are on the basis of %s", (moment, day) => {
  expect(basisDay(Temporal.Instant.from(moment))).toBe(day);
});
