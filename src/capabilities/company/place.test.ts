import { expect, test } from "bun:test";
import { countryOf, exchangeOf, wholeCurrency } from "./place.ts";

test.each([
  ["CA", "CA", "United States"],
  ["PR", "PR", "United States"],
  ["X1", "United States", "United States"],
  ["M0", "Japan", "Japan"],
  ["A6", "Ontario, Canada", "Canada"],
  ["2M", "2M", null],
  [null, "Germany", "Germany"],
  [null, null, null],
  ["", "", null],
])("country of %p, %p is %p", (code, description, country) => {
  expect(countryOf(code, description)).toBe(country);
});

test.each([
  ["NMS", "NasdaqGS", "Nasdaq"],
  ["NYQ", "NYSE", "NYSE"],
  ["ASE", "NYSE American", "NYSE American"],
  ["PNK", "Other OTC", "OTC"],
  ["LSE", "London", "London"],
  ["XYZ", null, "XYZ"],
  [null, null, null],
])("exchange %p, %p is %p", (code, name, exchange) => {
  expect(exchangeOf(code, name)).toBe(exchange);
});

test("a market value is in whole units of money", () => {
  expect(["USD", "GBp", "GBX", "ZAc", "ILA", "usd", null].map(wholeCurrency)).toEqual([
    "USD",
    "GBP",
    "GBP",
    null,
    // Agorot: three capitals like a currency, and none.
    null,
    null,
    null,
  ]);
});
