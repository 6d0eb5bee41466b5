// The score formula: figures to parts, parts to a score. Pure.

/** The parts in the order of the documentation. */
export const PARTS = ["attention", "news", "short_volume", "insider", "volume", "momentum"] as const;
export type Part = (typeof PARTS)[number];
export type Weights = Readonly<Record<Part, number>>;
export type Parts = Readonly<Record<Part, number | null>>;

/** Version of the formula; raise it whenever the same figures would give a different score. */
export const FORMULA = "1";

/** The inputs of a score; null is unknown. */
export interface Figures {
  readonly attention_z: number | null;
  readonly news_z: number | null;
  readonly short_volume_z: number | null;
  readonly insider_bought_usd: number | null;
  readonly relative_volume: number | null;
  readonly return_5d_percent: number | null;
}

const MIDDLE = 50;
/** Standard deviations from the middle to either end. */
// A z-score of 0 makes 50, one of 1.5 makes 75; 3 and more make 100.
const Z_END = 3;
/** Purchases at which the part reaches 100, US dollars. */
// No purchases make 50, purchases of 500,000 dollars make 75.
const INSIDER_FULL_USD = 1_000_000;
/** Doublings of the volume from the middle to the end. */
// Half of the usual volume makes 25, twice as much 75, four times as much 100.
const DOUBLINGS_END = 2;
/** Five-day return from the middle to either end, percentage points. */
// A gain of 10 % makes 75, a loss of 20 % or more makes 0.
const RETURN_END_PERCENT = 20;

/** The points at `share` of the way from the middle to the end, clamped to 0–100. */
const pointAt = (share: number): number => Math.min(100, Math.max(0, MIDDLE + MIDDLE * share));

const partOf = (figure: number | null, shareOf: (figure: number) => number): number | null =>
  figure === null || Number.isNaN(figure) ? null : pointAt(shareOf(figure));

/** Each part is 50 at its own average, and higher with more activity. */
export const partsOf = (figures: Figures): Parts => ({
  attention: partOf(figures.attention_z, (z) => z / Z_END),
  news: partOf(figures.news_z, (z) => z / Z_END),
  short_volume: partOf(figures.short_volume_z, (z) => z / Z_END),
  insider: partOf(figures.insider_bought_usd, (usd) => usd / INSIDER_FULL_USD),
  volume: partOf(figures.relative_volume, (ratio) => (ratio > 0 ? Math.log2(ratio) / DOUBLINGS_END : -1)),
  momentum: partOf(figures.return_5d_percent, (percent) => percent / RETURN_END_PERCENT),
});

export interface Score {
  readonly score: number;
  readonly missing: readonly Part[];
  /** Weight of the known parts as a fraction of all weights. */
  readonly weight_present: number;
}

/** The weighted mean of the known parts; null when no part with a weight is known. */
// Made up: 80 with weight 2, 50 with weight 1 and null with weight 1: a score of 70, three quarters of the
// weight.
export function scoreOf(parts: Parts, weights: Weights): Score | null {
  const all = PARTS.reduce((sum, part) => sum + weights[part], 0);
  let present = 0;
  let sum = 0;
  for (const part of PARTS) {
    const value = parts[part];
    if (value === null) continue;
    present += weights[part];
    sum += weights[part] * value;
  }
  if (!(present > 0)) return null;
  return {
    score: sum / present,
    missing: PARTS.filter((part) => parts[part] === null),
    weight_present: present / all,
  };
}
