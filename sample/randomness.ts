// All chance of the sample market: 32-bit hashes of (seed, name, number), so that any value can be computed
// alone, in any order, and is the same on every machine and every day. Hash: lowbias32 by C. Wellons (public
// domain).

function scramble(value: number): number {
  let h = value | 0;
  h ^= h >>> 16;
  h = Math.imul(h, 0x21f0aaad);
  h ^= h >>> 15;
  h = Math.imul(h, 0x735a2d97);
  h ^= h >>> 15;
  return h >>> 0;
}

/** A key for everything that is drawn for `name` under `seed`. */
export function keyOf(seed: number, name: string): number {
  let h = scramble(seed ^ 0x5eed);
  for (let i = 0; i < name.length; i++) h = Math.imul(h ^ name.charCodeAt(i), 0x01000193);
  return scramble(h);
}

/** An evenly spread number in [0, 1), the same for the same (key, n); n is a whole number. */
export function uniform(key: number, n: number): number {
  return scramble(key ^ scramble(n + 0x9e3779b9)) / 4_294_967_296;
}

/** A bell-shaped number of mean 0, variance 1, never beyond ±3.5: the sum of four even ones. */
export function bell(key: number, n: number): number {
  const m = n * 4;
  return (
    (uniform(key, m) + uniform(key, m + 1) + uniform(key, m + 2) + uniform(key, m + 3) - 2) * Math.sqrt(3)
  );
}

/**
 * A wandering line at the whole number `t`: value noise of 2^0 … 2^(octaves-1) steps, the slow ones the
 * strongest, so that it moves about one unit a step and stays bounded. Needs no history: day 9,000 costs what
 * day 1 costs.
 */
export function wander(key: number, t: number, octaves: number): number {
  let sum = 0;
  let strength = 1;
  for (let k = 0; k < octaves; k++) {
    const width = 2 ** k;
    const cell = Math.floor(t / width);
    const part = t / width - cell;
    const left = uniform(key + k * 7919, cell) * 2 - 1;
    const right = uniform(key + k * 7919, cell + 1) * 2 - 1;
    sum += strength * (left + (right - left) * part);
    strength *= Math.SQRT2;
  }
  return sum;
}
