import { expect, test } from "bun:test";
import { jobSlots } from "./schedule.ts";

const NY = "America/New_York";
const ms = (text: string) => Temporal.Instant.from(text).epochMilliseconds;
const texts = (all: readonly (number | null)[]) =>
  all.map((at) => (at === null ? null : Temporal.Instant.fromEpochMilliseconds(at).toString()));

test("the latest slot may be the moment itself, the next one may not", () => {
  const slots = jobSlots("0 9 * * 1-5", NY);
  expect(
    texts([
      slots.latest(ms("2026-11-20T13:59:59.999Z")),
      slots.latest(ms("2026-11-20T14:00:00Z")),
      slots.latest(ms("2026-11-20T14:00:00.250Z")),
      slots.next(ms("2026-11-20T13:59:59.999Z")),
      slots.next(ms("2026-11-20T14:00:00Z")),
    ]),
  ).toEqual([
    "2026-11-19T14:00:00Z",
    "2026-11-20T14:00:00Z",
    "2026-11-20T14:00:00Z",
    "2026-11-20T14:00:00Z",
    "2026-11-23T14:00:00Z",
  ]);
});

test("09:00 in New York stays 09:00 there across both clock changes of 2026", () => {
  const slots = jobSlots("0 9 * * *", NY);
  expect(texts(slots.between(ms("2026-03-07T00:00:00Z"), ms("2026-03-10T00:00:00Z"), 10))).toEqual([
    "2026-03-07T14:00:00Z",
    "2026-03-08T13:00:00Z",
    "2026-03-09T13:00:00Z",
  ]);
  expect(texts(slots.between(ms("2026-10-31T00:00:00Z"), ms("2026-11-03T00:00:00Z"), 10))).toEqual([
    "2026-10-31T13:00:00Z",
    "2026-11-01T14:00:00Z",
    "2026-11-02T14:00:00Z",
  ]);
});

test("a time in the hour lost on 8 March is due right after it; one in the hour repeated on 1 November is due once", () => {
  expect(
    texts(jobSlots("30 2 * * *", NY).between(ms("2026-03-07T12:00:00Z"), ms("2026-03-09T12:00:00Z"), 10)),
  ).toEqual(["2026-03-08T07:00:00Z", "2026-03-09T06:30:00Z"]);
  expect(
    texts(jobSlots("30 1 * * *", NY).between(ms("2026-10-31T12:00:00Z"), ms("2026-11-02T12:00:00Z"), 10)),
  ).toEqual(["2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z"]);
});

test("every half hour stays every half hour through both nights", () => {
  const slots = jobSlots("*/30 * * * *", NY);
  for (const night of ["2026-03-08", "2026-11-01"]) {
    const found = slots.between(ms(`${night}T04:00:00Z`), ms(`${night}T10:00:00Z`), 100);
    expect(found.length).toBe(12);
    expect(new Set(found.slice(1).map((at, i) => at - (found[i] ?? 0)))).toEqual(new Set([1_800_000]));
  }
});

test("between excludes the first bound, includes the last, and keeps the newest of too many", () => {
  const slots = jobSlots("*/5 * * * *", "UTC");
  const at = (text: string) => ms(`2026-11-20T${text}Z`);
  expect(texts(slots.between(at("10:00:00"), at("10:15:00"), 10))).toEqual([
    "2026-11-20T10:05:00Z",
    "2026-11-20T10:10:00Z",
    "2026-11-20T10:15:00Z",
  ]);
  expect(slots.between(at("10:00:00"), at("10:00:00"), 10)).toEqual([]);
  expect(slots.between(at("10:15:00"), at("10:00:00"), 10)).toEqual([]);
  const many = slots.between(ms("2026-11-01T00:00:00Z"), at("10:00:00"), 600);
  expect(many.length).toBe(600);
  expect(texts([many[0] ?? 0, many[599] ?? 0])).toEqual(["2026-11-18T08:05:00Z", "2026-11-20T10:00:00Z"]);
});

test("seconds may come first; a leap day is found; an invalid pattern is refused", () => {
  expect(
    texts(
      jobSlots("*/20 * * * * *", "UTC").between(ms("2026-11-20T10:00:00Z"), ms("2026-11-20T10:01:00Z"), 9),
    ),
  ).toEqual(["2026-11-20T10:00:20Z", "2026-11-20T10:00:40Z", "2026-11-20T10:01:00Z"]);
  expect(texts([jobSlots("0 0 29 2 *", "UTC").next(ms("2026-11-20T00:00:00Z"))])).toEqual([
    "2028-02-29T00:00:00Z",
  ]);
  for (const bad of ["", "often", "61 * * * *", "* * * *", "0 9 * * * 2026 1"])
    expect(() => jobSlots(bad, NY)).toThrow();
});
