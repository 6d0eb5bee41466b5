// Numbers as filers write them, and their exact product. Pure.

const PLAIN = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,2})?$/i;
const GROUPED = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?$/;

/** `2500.0000`, `1,250`, `$12.50`, `9.9 %` as plain digits; null when it is no number. */
export function plainNumber(text: string): string | null {
  let digits = text.trim().replace(/^\$\s*|\s*%$/g, "");
  if (GROUPED.test(digits)) digits = digits.replaceAll(",", "");
  return PLAIN.test(digits) && Number.isFinite(Number(digits)) ? digits : null;
}

/** The number itself, to the last digit filed; null when it is none. */
export function readNumber(text: string | null): number | null {
  const digits = text === null ? null : plainNumber(text);
  return digits === null ? null : Number(digits);
}

function scaled(digits: string): { units: bigint; places: number } {
  const [mantissa = "", power = "0"] = digits.replace(/^\+/, "").toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const units = BigInt(`${whole === "-" ? "-0" : whole || "0"}${fraction}`);
  return { units, places: fraction.length - Number(power) };
}

/** The product of two filed numbers, free of binary rounding: 243431 × 116.89 is 28454649.59. Null when one is none. */
export function exactProduct(a: string, b: string): number | null {
  const [x, y] = [plainNumber(a), plainNumber(b)];
  if (x === null || y === null) return null;
  const [left, right] = [scaled(x), scaled(y)];
  return Number(`${left.units * right.units}e${-(left.places + right.places)}`);
}
