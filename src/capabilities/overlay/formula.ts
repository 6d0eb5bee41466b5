// The formula: figures to parts, parts to a score. Pure.

/** The parts in the order of the documentation. */
export const PARTS = ["attention", "news", "short_volume", "insider", "volume", "momentum"] as const;
export type Part = (typeof PARTS)[number];
export type Weights = Readonly<Record<Part, number>>;
export type Parts = Readonly<Record<Part, number | null>>;

/** Goes up whenever the same figures would give another score. */
export const FORMULA = "1";

/** What a score is made of; null is not known. */
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
const Z_END = 3;
/** Purchases that fill the part, US dollars. */
const INSIDER_FULL_USD = 1_000_000;
/** Doublings of the volume from the middle to the end. */
const DOUBLINGS_END = 2;
/** Percent points of five days from the middle to either end. */
const RETURN_END_PERCENT = 20;

/** `share` of the way from the middle to the end, within the scale. */
const along = (share: number): number => Math.min(100, Math.max(0, MIDDLE + MIDDLE * share));

const of = (figure: number | null, shareOf: (figure: number) => number): number | null =>
  figure === null || Number.isNaN(figure) ? null : along(shareOf(figure));

/** Each part is 50 at its own normal, and more where more goes on. */
export const partsOf = (figures: Figures): Parts => ({
  attention: of(figures.attention_z, (z) => z / Z_END),
  news: of(figures.news_z, (z) => z / Z_END),
  short_volume: of(figures.short_volume_z, (z) => z / Z_END),
  insider: of(figures.insider_bought_usd, (usd) => usd / INSIDER_FULL_USD),
  volume: of(figures.relative_volume, (ratio) => (ratio > 0 ? Math.log2(ratio) / DOUBLINGS_END : -1)),
  momentum: of(figures.return_5d_percent, (percent) => percent / RETURN_END_PERCENT),
});

export interface Score {
  readonly score: number;
  readonly missing: readonly Part[];
  /** Weight of the known parts among all, a fraction. */
  readonly weight_present: number;
}

/** The weighted mean of the known parts; null where none with a weight is known. */
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
