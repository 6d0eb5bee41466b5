// Undoes the widening of single-precision prices to double precision.

/**
 * The shortest decimal that is the same float32 as `x`, when `x` is a float32 widened to float64; else `x` itself.
 *
 * The price provider stores prices as float32 and prints them as float64: 231.59 arrives as 231.58999633789062. Among
 * the decimals that round to that float32 the shortest is the one it was made from, and nothing is lost: rounded to
 * float32 again it is the same number. Doubles that are no float32, integers, infinities and NaN pass unchanged.
 */
export function decodeFloat32(x: number): number {
  if (Math.fround(x) !== x || Number.isInteger(x)) return x;
  // Most prices are whole cents. Below 131072 half a float32 step is less than half a cent, so that the nearest whole
  // cent is the only candidate of two decimals; a quotient of two exact integers is the double nearest to its decimal.
  if (x < 131_072 && x > -131_072) {
    const cents = Math.round(x * 100) / 100;
    if (Math.fround(cents) === x) return cents;
  }
  // Six digits survive a float32 and nine name it uniquely, so that no more than four need be tried.
  for (let digits = 6; digits <= 9; digits++) {
    const shorter = Number(x.toPrecision(digits));
    if (Math.fround(shorter) === x) return shorter;
  }
  return x;
}
