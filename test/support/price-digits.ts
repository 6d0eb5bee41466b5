// Computed prices have the seven digits of the providers' prices: what a test compares them with has more.
import { expect } from "bun:test";
import { PRICE_DIGITS } from "../../src/market/float.ts";

/** Expects a computed price to be the wanted one, rounded to the providers' digits. */
export function expectPrice(found: number, wanted: number, what = ""): void {
  const unit = 10 ** (Math.floor(Math.log10(Math.abs(wanted))) + 1 - PRICE_DIGITS);
  const isSame = found === wanted || Math.abs(found - wanted) <= unit * 0.500001;
  expect({ what, found, wanted, isSame }).toMatchObject({ isSame: true });
}
