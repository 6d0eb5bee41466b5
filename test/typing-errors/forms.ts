// A made-up Form 4 whose purchase is sound, and typing errors in it. The errors were written down before the
// rules that should find them were read.
import type { ExampleTrade } from "../support/ownership-forms.ts";

/** Closes around the trade. */
export const closes: Readonly<Record<string, number>> = {
  "2026-06-01": 24.2,
  "2026-06-02": 24.4,
  "2026-06-03": 24,
  "2026-06-04": 23.8,
  "2026-06-05": 24.1,
  "2026-06-08": 24.6,
};

/** 1,250 shares bought at 24.10 on 3 June, of which the form of 5 June says that 41,250 are held. */
export const soundTrade: ExampleTrade = {
  date: "2026-06-03",
  code: "P",
  way: "A",
  shares: "1250",
  price: "24.10",
  after: "41250",
};

/** A typing error: the fields that have something else. */
export interface FormError {
  readonly name: string;
  readonly typed: ExampleTrade;
}

export const formErrors: readonly FormError[] = [
  { name: "the total in the price's place", typed: { price: "30125" } },
  { name: "the price in cents", typed: { price: "2410" } },
  { name: "price and number in each other's place", typed: { price: "1250", shares: "24.10" } },
  { name: "the price without its decimal point, a digit short", typed: { price: "241" } },
  { name: "the price ten times too small", typed: { price: "2.41" } },
  { name: "two digits of the price exchanged", typed: { price: "42.10" } },
  { name: "the year of the trade ten years ahead", typed: { date: "2036-06-03" } },
  { name: "the year of the trade one year back", typed: { date: "2025-06-03" } },
  { name: "the century of the trade", typed: { date: "1926-06-03" } },
  { name: "a number a thousand times too large", typed: { shares: "1250000" } },
  { name: "a purchase with the letter of a sale", typed: { way: "D" } },
  { name: "the holding after the trade in the number's place", typed: { shares: "41250" } },
];
