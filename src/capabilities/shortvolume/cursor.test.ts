// Cursors are read back as they were written, and no other text passes for one.
import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { InvalidFields } from "../../platform/errors.ts";
import { type PanelRequest, readCursor, writeCursor } from "./cursor.ts";

setDefaultTimeout(1_200_000);

const request: PanelRequest = {
  start: "2026-08-03",
  end: "2026-09-04",
  symbols: null,
  minTotalVolume: 0,
  asOf: null,
  asOfSent: null,
};
const place = { date: "2026-08-10", symbol: "BRK.B" };
const cursor = writeCursor(request, place);
const read = (text: string, other: PanelRequest = request, dated = true) => readCursor(text, other, dated);

test("a cursor is read back as it was written", () => {
  expect(read(cursor)).toEqual({ range: { start: request.start, end: request.end }, after: place });
  expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
});

test("a range counted back from today is the one of the first page", () => {
  const tomorrow = { ...request, start: "2026-08-04", end: "2026-09-05" };
  expect(read(cursor, tomorrow, false).range).toEqual({ start: request.start, end: request.end });
  expect(() => read(cursor, tomorrow)).toThrow("belongs to the range 2026-08-03 to 2026-09-04");
});

test("a future as_of stays the same on the next page, although now has moved on", () => {
  const ahead = { ...request, asOf: "2026-09-05T01:00:00Z", asOfSent: "2027-01-02T04:59:59Z" };
  const next = { ...ahead, asOf: "2026-09-05T01:00:09Z" };
  expect(read(writeCursor(ahead, place), next).after).toEqual(place);
});

test.each([
  ["symbols", { symbols: ["AAPL"] }],
  ["min_total_volume", { minTotalVolume: 1 }],
  ["as_of", { asOfSent: "2026-09-01T00:00:00Z" }],
] satisfies [string, Partial<PanelRequest>][])("is refused with other %s", (_, change) => {
  expect(() => read(cursor, { ...request, ...change })).toThrow("belongs to a request with other");
});

const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
test.each([
  ["empty list", forged([])],
  ["an object", forged({ start: 1 })],
  ["another version", forged([2, "2026-08-03", "2026-09-04", "2026-08-10", "A", "x"])],
  ["a place outside its range", forged([1, "2026-08-03", "2026-09-04", "2026-10-10", "A", "x"])],
  ["no date", forged([1, "2026-08-03", "2026-09-04", "2026-08-40", "A", "x"])],
  ["no text", forged([1, 2, 3, 4, 5, 6])],
  ["no base64", "%%%"],
])("%s is not a cursor", (_, text) => {
  expect(() => read(text)).toThrow("was not issued by this route");
});

test("any other text is an error of the field", () => {
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
