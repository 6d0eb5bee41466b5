// The decimals of prices: of a price that was stored as float32 and printed as float64, and of computed
// prices.

/**
 * The shortest decimal that rounds to the same float32 as `x`, when `x` is a float32 widened to float64; else
 * `x`.
 *
 * The price provider stores prices as float32 and prints them as float64: 231.59 arrives as
 * 231.58999633789062. The shortest decimal that rounds to that float32 is the original price, and no
 * precision is lost: rounded to float32 again it is the same number. Doubles that are not a float32,
 * integers, infinities and NaN pass unchanged.
 */
export function decodeFloat32(x: number): number {
  if (Math.fround(x) !== x || Number.isInteger(x)) return x;
  // Most prices are whole cents. Below 131072 half a float32 step is less than half a cent, so the nearest
  // whole cent is the only candidate with two decimals. A quotient of two exact integers is the double
  // nearest to its decimal.
  if (x < 131_072 && x > -131_072) {
    const cents = Math.round(x * 100) / 100;
    if (Math.fround(cents) === x) return cents;
  }
  // Six digits always survive a float32 and nine identify it, so at most four lengths need trying.
  for (let digits = 6; digits <= 9; digits++) {
    const shorter = Number(x.toPrecision(digits));
    if (Math.fround(shorter) === x) return shorter;
  }
  return x;
}

/** The providers store prices as float32, which holds seven digits. */
// Made up: a scaled price of 1234.56789 becomes 1234.568.
export const PRICE_DIGITS = 7;
/** Whole cents of large prices are kept. */
// Made up: 543210.987 becomes 543210.99, with eight digits.
export const PRICE_DECIMALS_MIN = 2;

/**
 * Digits of the longest decimal that a provider writes; a double with more of them was computed from floats.
 */
// Made up: 243.25667 was written; 50.300000000000004, with seventeen digits, was computed.
export const WRITTEN_DIGITS_MAX = 12;
/** From here on a float32 does not hold whole cents. */
// From 131,072 on, neighbouring float32 numbers are 1/64 apart: 0.015625.
const CENTS_MAX = 131_072;

/**
 * A traded price at the precision of its provider. Decodes a float32, and keeps a written decimal as it is. A
 * double with the noise of binary arithmetic (50.300000000000004) becomes the shortest decimal of its nearest
 * float32, or whole cents where a float32 does not hold them. Not for adjusted closes: these are scaled
 * further, and rounded after that.
 */
export function providerPrice(x: number): number {
  const single = Math.fround(x);
  if (single === x || single === 0 || Number(x.toPrecision(WRITTEN_DIGITS_MAX)) === x)
    return decodeFloat32(x);
  return Math.abs(x) < CENTS_MAX ? decodeFloat32(single) : Number(x.toFixed(PRICE_DECIMALS_MIN));
}

/** Powers of ten; `10 ** 23` is one bit off. */
const POWERS = Array.from({ length: 309 }, (_, power) => Number(`1e${power}`));

const halfAway = (x: number) => (x < 0 ? -Math.round(-x) : Math.round(x));

/** `x` with so many decimals, half away from zero: the steps of SQL's `round`, which gives the same bits. */
// -2.5 is -3 without decimals, where Math.round gives -2. With -1 decimals 15 is 20.
function roundTo(x: number, decimals: number): number {
  const scale = POWERS[Math.abs(decimals)] ?? Number.POSITIVE_INFINITY;
  const rounded = decimals < 0 ? halfAway(x / scale) * scale : halfAway(x * scale) / scale;
  if (Number.isFinite(rounded)) return rounded;
  return decimals < 0 ? 0 : x;
}

const magnitude = (x: number) => Math.floor(Math.log10(Math.abs(x)));

/**
 * A computed price at the precision of the providers' prices. The SQL macro `price_digits` takes the same
 * steps, so that a route and a macro round a price that lies half way alike.
 */
export function priceDigits(price: number): number {
  if (price === 0 || !Number.isFinite(price)) return price;
  return roundTo(price, Math.max(PRICE_DECIMALS_MIN, PRICE_DIGITS - 1 - magnitude(price)));
}

/** Decimals of most prices, and below which price they are all written. */
const COMMON_DECIMALS = 6;
const COMMON_MAX = 10 ** (WRITTEN_DIGITS_MAX - COMMON_DECIMALS);

/**
 * An adjusted close for an answer, unscaled: as it is where a provider can have written it so, else rounded,
 * since it was computed with more digits than prices have. The SQL macro `adjusted_digits` takes the same
 * steps.
 */
export function adjustedDigits(price: number): number;
export function adjustedDigits(price: number | null): number | null;
export function adjustedDigits(price: number | null): number | null {
  if (price === null) return null;
  if (price < COMMON_MAX && price > -COMMON_MAX && roundTo(price, COMMON_DECIMALS) === price) return price;
  return roundTo(price, WRITTEN_DIGITS_MAX - 1 - magnitude(price)) === price ? price : priceDigits(price);
}

/**
 * Counts a volume as half way between two whole numbers although arithmetic left it a little below: 1000
 * shares through splits of 0.99, 0.25, 0.5 and 10 are 1237.5, and 1237.4999999999998 where these are divided
 * one after the other. Both are 1238. Exact up to 10 ** 13 shares.
 */
export const HALF_SHARE_NOISE = 1.000_000_000_000_01;

/** A computed volume in whole shares; half a share counts as one. As the SQL macro `whole_shares`. */
export const wholeShares = (volume: number): number => halfAway(volume * HALF_SHARE_NOISE);

/** A sum of amounts without the noise of binary addition: 0.1 + 0.2 is 0.3. */
export const sumDigits = (sum: number): number => Number(sum.toPrecision(12));

/** The price provider rounds the amount of a dividend to six decimals. */
export const AMOUNT_DECIMALS = 6;

/**
 * A dividend as paid, out of its rounded amount on the basis of later splits: the decimals that the ratio
 * leaves certain.
 */
// Made up: 0.1925 on the basis of a later 4:1 split was paid as 0.77, with five certain decimals.
export function paidDigits(amount: number, ratio: number): number {
  const decimals = AMOUNT_DECIMALS - Math.ceil(Math.log10(ratio));
  return Number((amount * ratio).toFixed(Math.max(0, Math.min(100, decimals))));
}
