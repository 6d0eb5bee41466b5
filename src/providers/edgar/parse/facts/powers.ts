// Powers of a thousand by which a figure may be off: it was given in units, thousands or millions in place of
// another of them.

export const POWERS = [3, -3, 6, -6] as const;
/** A ratio between these is no power of a thousand within any tolerance. */
const [PLAIN_MIN, PLAIN_MAX] = [1 / 300, 300];

/**
 * The power of a thousand that a positive ratio is; 0 when it is none. `slack` is below 0.5, in powers of
 * ten.
 */
export function powerOf(ratio: number, slack: number): number {
  if (ratio > PLAIN_MIN && ratio < PLAIN_MAX) return 0;
  const size = Math.log10(ratio);
  return POWERS.find((power) => Math.abs(size - power) <= slack) ?? 0;
}
