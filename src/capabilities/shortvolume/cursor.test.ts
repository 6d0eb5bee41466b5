// Cursors come back as they went, and nothing else passes for one.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { InvalidFields } from "../../platform/errors.ts";
import { type PanelAsk, readCursor, writeCursor } from "./cursor.ts";

const ask: PanelAsk = {
  start: "2026-08-03",
  end: "2026-09-04",
  symbols: null,
  minTotalVolume: 0,
  asOf: null,
  asOfNamed: null,
};
const place = { date: "2026-08-10", symbol: "BRK.B" };
const cursor = writeCursor(ask, place);
const read = (text: string, other: PanelAsk = ask, dated = true) => readCursor(text, other, dated);

test("there and back", () => {
  expect(read(cursor)).toEqual({ range: { start: ask.start, end: ask.end }, after: place });
  expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
});

test("a range counted back from today is the one of the first page", () => {
  const tomorrow = { ...ask, start: "2026-08-04", end: "2026-09-05" };
  expect(read(cursor, tomorrow, false).range).toEqual({ start: ask.start, end: ask.end });
  expect(() => read(cursor, tomorrow)).toThrow("belongs to the range 2026-08-03 to 2026-09-04");
});

test("an as_of that lies ahead is the same on the next page, though now has moved on", () => {
  const ahead = { ...ask, asOf: "2026-09-05T01:00:00Z", asOfNamed: "2027-01-02T04:59:59Z" };
  const next = { ...ahead, asOf: "2026-09-05T01:00:09Z" };
  expect(read(writeCursor(ahead, place), next).after).toEqual(place);
});

test.each([
  ["symbols", { symbols: ["AAPL"] }],
  ["min_total_volume", { minTotalVolume: 1 }],
  ["as_of", { asOfNamed: "2026-09-01T00:00:00Z" }],
] satisfies [string, Partial<PanelAsk>][])("other %s: another panel", (_, change) => {
  expect(() => read(cursor, { ...ask, ...change })).toThrow("belongs to a request with other");
});

const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
test.each([
  ["empty list", forged([])],
  ["an object", forged({ start: 1 })],
  ["another form", forged([2, "2026-08-03", "2026-09-04", "2026-08-10", "A", "x"])],
  ["a place outside its range", forged([1, "2026-08-03", "2026-09-04", "2026-10-10", "A", "x"])],
  ["no date", forged([1, "2026-08-03", "2026-09-04", "2026-08-40", "A", "x"])],
  ["no text", forged([1, 2, 3, 4, 5, 6])],
  ["no base64", "%%%"],
])("%s is none", (_, text) => {
  expect(() => read(text)).toThrow("none that this route gave");
});

test("whatever comes, it is a cursor or a fault of the field", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      try {
        read(text);
        return false;
      } catch (error) {
        return error instanceof InvalidFields && error.faults[0]?.loc.join(".") === "query.cursor";
      }
    }),
  );
});
