// Widened float32 prices decode to the original decimals.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { decodeFloat32, priceDigits, providerPrice, sumDigits, wholeShares } from "./float.ts";

setDefaultTimeout(1_200_000);

describe("decodeFloat32", () => {
  test.each([
    [231.58999633789062, 231.59],
    [75.0875015258789, 75.0875],
    [0.11999999731779099, 0.12],
    [129.9337921142578, 129.93379],
    [1.0000001192092896, 1.0000001],
    [0.00009999999747378752, 0.0001],
    [0.20499999821186066, 0.205],
    [-15.670000076293945, -15.67],
    [443000.03125, 443000.03],
    [131072.015625, 131072.02],
    [3.4028234663852886e38, 3.4028234663852886e38],
  ])("%d decodes to %d", (wide, short) => {
    expect(decodeFloat32(wide)).toBe(short);
  });

  test.each([
    0,
    -0,
    1,
    -7,
    16777216,
    123456792,
    56010500,
    0.5,
    231.25,
    118.015625,
    231.59,
    0.1,
    1e-300,
    4999.99,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ])("%d is unchanged", (x) => {
    expect(decodeFloat32(x)).toBe(x);
  });

  test("no precision is lost: the decimal is the same float32", () => {
    fc.assert(
      fc.property(fc.float(), (x) => {
        expect(Math.fround(decodeFloat32(x))).toBe(x);
      }),
      { numRuns: 20_000 },
    );
  });

  test("doubles that are not a float32 are unchanged", () => {
    fc.assert(
      fc.property(fc.double(), (x) => {
        if (Math.fround(x) !== x) expect(decodeFloat32(x)).toBe(x);
      }),
      { numRuns: 5000 },
    );
  });

  test("a price of at most six digits is restored exactly", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999 }), fc.integer({ min: 0, max: 6 }), (digits, places) => {
        const price = digits / 10 ** places;
        expect(decodeFloat32(Math.fround(price))).toBe(price);
      }),
      { numRuns: 20_000 },
    );
  });

  test("no shorter decimal rounds to the same float32", () => {
    fc.assert(
      fc.property(fc.float({ min: Math.fround(0.0001), max: 1_000_000, noNaN: true }), (x) => {
        if (Number.isInteger(x)) return;
        const digits = String(decodeFloat32(x))
          .replace(/e.*$/, "")
          .replace(/^0\.0*|\./g, "").length;
        for (let fewer = 1; fewer < digits; fewer++)
          expect(Math.fround(Number(x.toPrecision(fewer)))).not.toBe(x);
      }),
      { numRuns: 5000 },
    );
  });
});

describe("providerPrice", () => {
  test.each([
    [50.300000000000004, 50.3],
    // A float32, and a float32 less 0.1.
    [133.11000061035156, 133.11],
    [133.01000061035157, 133.01],
    [129.9337921142578, 129.93379],
    // Written decimals keep all of their digits, also those that no float32 holds.
    [1168.4529, 1168.4529],
    [628930.2567, 628930.2567],
    [0.000012345678901, 0.000012345678901],
    // A float32 of this size would hold half a dollar.
    [5_000_000.1299999999, 5_000_000.13],
    [1.2345678901234e-60, 1.2345678901234e-60],
  ])("%d is %d", (sent, price) => {
    expect(providerPrice(sent)).toBe(price);
  });

  test("what is rounded is still the same float32, and not computed further when read again", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.0001, max: 131_071, noNaN: true }), (x) => {
        const price = providerPrice(x);
        expect(Math.fround(price)).toBe(Math.fround(x));
        expect(providerPrice(price)).toBe(price);
      }),
      { numRuns: 5000 },
    );
  });
});

describe("priceDigits", () => {
  test.each([
    [150.225 * 4, 600.9],
    [600.9000000000001, 600.9],
    // A third of 100 as a provider stores it, times three.
    [33.333332 * 3, 100],
    [0.1925 * 4, 0.77],
    [0.000123456789, 0.0001234568],
    [628930.256, 628930.26],
    [-33.333332 * 3, -100],
    [0, 0],
  ])("%d is %d", (computed, price) => {
    expect(priceDigits(computed)).toBe(price);
  });
});

test.each([
  [1000 / (1 / 0.99 / 0.25 / 0.5 / 10), 1238],
  [1000 * 0.99 * 0.25 * 0.5 * 10, 1238],
  [1237.49, 1237],
  [1237.5, 1238],
  [0.5, 1],
  [0, 0],
  [123_456_789.499, 123_456_789],
  // The largest volume that stays as it is.
  [9_999_999_999_999, 9_999_999_999_999],
])("a volume of %d is %d whole shares", (volume, shares) => {
  expect(wholeShares(volume)).toBe(shares);
});

test("a sum of amounts has no digits that none of them has", () => {
  expect(sumDigits(0.77 + 0.82)).toBe(1.59);
  expect(sumDigits(0.1 + 0.2)).toBe(0.3);
});
