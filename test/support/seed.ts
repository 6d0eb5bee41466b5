// The seed of tests that draw their input. Preloaded into each process of tests (bunfig.toml), so that
// fast-check draws from it too.
import fc from "fast-check";
import { keyOf, uniform } from "../../sample/randomness.ts";

/** Everyone's seed, so that a check judges the change before it and not its luck. */
const USUAL = 20_260_901;

/** The seed to draw from. SEED=n sets another: `bun run endure` draws one and prints it. */
export function seedOf(given: string | undefined = process.env.SEED): number {
  const seed = Number(given ?? USUAL);
  if (!Number.isInteger(seed)) throw new Error(`SEED=${given} is no integer`);
  return seed;
}

/** Numbers in [0, 1), drawn from the seed one after the other; each name has its own. */
export function drawnFor(name: string, seed: number = seedOf()): () => number {
  const key = keyOf(seed, name);
  let n = 0;
  return () => uniform(key, n++);
}

/** How many runs of a property: fewer in each check, all of them in `bun run endure` (DRAWN=whole). */
export const drawnRuns = (usual: number, whole: number): number =>
  process.env.DRAWN === "whole" ? whole : usual;

// A failure of fast-check prints its seed; SEED=… repeats it.
fc.configureGlobal({ seed: seedOf() });
