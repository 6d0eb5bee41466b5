// Reads numbers as filers write them, and multiplies them exactly. Pure.

const DIGITS = /^\d+(?:\.\d*)?$/;
const PLAIN = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,2})?$/i;
/** Powers of ten up to this one are doubles without rounding. */
const POWERS_EXACT = 22;
const GROUPED = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?$/;

/** Converts `2500.0000`, `1,250`, `$12.50` or `9.9 %` to plain digits; null when the text is not a number. */
export function plainNumber(text: string): string | null {
  // Most numbers are plain already, and so few digits without an exponent are never infinite.
  if (text.length < 20 && DIGITS.test(text)) return text;
  let digits = text.trim().replace(/^\$\s*|\s*%$/g, "");
  if (GROUPED.test(digits)) digits = digits.replaceAll(",", "");
  return PLAIN.test(digits) && Number.isFinite(Number(digits)) ? digits : null;
}

/** Reads a number with every digit filed; null when the text is not a number. */
export function readNumber(text: string | null): number | null {
  const digits = text === null ? null : plainNumber(text);
  return digits === null ? null : Number(digits);
}

/** The digits as a whole number, and the count of decimal places. */
function scaled(digits: string): { units: string; places: number } {
  if (DIGITS.test(digits)) {
    const point = digits.indexOf(".");
    if (point < 0) return { units: digits, places: 0 };
    return { units: digits.slice(0, point) + digits.slice(point + 1), places: digits.length - point - 1 };
  }
  const [mantissa = "", power = "0"] = digits.replace(/^\+/, "").toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const units = `${whole === "-" ? "-0" : whole || "0"}${fraction}`;
  return { units, places: fraction.length - (power === "0" ? 0 : Number(power)) };
}

/**
 * Multiplies two filed numbers without binary rounding: 243431 × 116.89 is 28454649.59. Null when one is not
 * a number.
 */
export function exactProduct(a: string, b: string): number | null {
  const [x, y] = [plainNumber(a), plainNumber(b)];
  if (x === null || y === null) return null;
  const [left, right] = [scaled(x), scaled(y)];
  const places = left.places + right.places;
  const units = Number(left.units) * Number(right.units);
  // Both whole numbers are exact doubles, so their quotient is the double nearest to the decimal result.
  if (Number.isSafeInteger(units) && places >= 0 && places <= POWERS_EXACT) return units / 10 ** places;
  return Number(`${BigInt(left.units) * BigInt(right.units)}e${-places}`);
}
