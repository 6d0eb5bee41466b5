// Moments as clients write them: with a zone, in New York time, as a date, and invalid ones.
import { expect, test } from "bun:test";
import { parseMoment } from "./moment.ts";

const at = (text: string) => {
  const moment = parseMoment(text);
  return moment.ok ? moment.at.toString() : moment.detail;
};

test("with a zone", () => {
  expect(at("2026-09-04T15:30:00Z")).toBe("2026-09-04T15:30:00Z");
  expect(at("2026-09-04t15:30z")).toBe("2026-09-04T15:30:00Z");
  expect(at("2026-09-04 11:30:00.250-04:00")).toBe("2026-09-04T15:30:00.25Z");
  expect(at("2026-09-04T11:30-0400")).toBe("2026-09-04T15:30:00Z");
  expect(at("2026-09-04T17:30+02")).toBe("2026-09-04T15:30:00Z");
});

test("without a zone it is New York time, in summer and in winter", () => {
  expect(at("2026-09-04T09:35")).toBe("2026-09-04T13:35:00Z");
  expect(at("2026-11-27T09:35:10")).toBe("2026-11-27T14:35:10Z");
});

test("an ambiguous time is the first of the two, a skipped one is an hour later", () => {
  expect(at("2026-11-01T01:30")).toBe("2026-11-01T05:30:00Z");
  expect(at("2026-03-08T02:30")).toBe("2026-03-08T07:30:00Z");
});

test("a date means its end in New York, in a leap year too", () => {
  expect(at("2026-09-04")).toBe("2026-09-05T03:59:59.999999999Z");
  expect(at("2024-02-29")).toBe("2024-03-01T04:59:59.999999999Z");
});

test("an invalid moment is refused with the reason", () => {
  for (const text of [
    "",
    "yesterday",
    "2026-02-29T10:00",
    "2026-13-01",
    "1789-07-14T10:00",
    "20260904T1530Z",
  ])
    expect(at(text)).toStartWith("the moment must be");
  expect(at("2026-09-04T25:00")).toBe("the moment has an impossible time or offset.");
  expect(at("2026-09-04T10:00 04:00")).toContain("%2B");
  expect(at("2026-09-04T10:00 EST")).toContain("blank");
  expect(at("2026-09-04T10:00EST")).toContain("unknown zone");
});
