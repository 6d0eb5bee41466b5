// The seed of tests that draw their input.

/** The usual seed is equal for all, so that a check judges the change before it and not its luck. */
const USUAL = 20_260_901;

/**
 * The seed to draw from: SEED=n repeats a run, SEED=random (as `bun run endure` does) draws input never tried
 * before.
 */
export function seedOf(given: string | undefined = process.env.SEED): number {
  if (given === "random") return crypto.getRandomValues(new Uint32Array(1))[0] as number;
  const seed = Number(given ?? USUAL);
  if (!Number.isInteger(seed)) throw new Error(`SEED=${given} is neither an integer nor random`);
  return seed;
}
