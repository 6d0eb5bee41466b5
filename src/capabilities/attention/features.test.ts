// Checks the features against an independent computation over generated series with gaps, leading nulls and
// no deviation.
import { expect, test } from "bun:test";
import { featuresOf } from "./features.ts";

const DAY_MS = 86_400_000;
const EVENT = "2026-03-10";
const dayBefore = (n: number) => new Date(Date.parse(EVENT) - n * DAY_MS).toISOString().slice(0, 10);

/** A generator of numbers below 1 that gives the same sequence on each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/**
 * The documented formulas, computed differently: from sums and sums of squares. `series[n]` is n days before
 * the event.
 */
function expected(series: readonly (number | undefined)[]) {
  const moments = (days: number) => {
    let [n, sum, squares] = [0, 0, 0];
    for (let i = 1; i <= days; i++) {
      const value = series[i];
      if (value === undefined) continue;
      n++;
      sum += value;
      squares += value * value;
    }
    return { n, mean: sum / n, variance: (squares - (sum * sum) / n) / (n - 1) };
  };
  const [ten, twenty] = [moments(10), moments(20)];
  const own = series[0];
  return {
    mean10: ten.n >= 5 ? ten.mean : null,
    spike: own !== undefined && ten.n >= 5 && ten.mean > 0 ? own / ten.mean : null,
    mean20: twenty.n >= 10 ? twenty.mean : null,
    std: twenty.n >= 10 ? Math.sqrt(Math.max(0, twenty.variance)) : null,
    z:
      own !== undefined && twenty.n >= 10 && twenty.variance > 1e-9
        ? (own - twenty.mean) / Math.sqrt(twenty.variance)
        : null,
    known: twenty.n,
  };
}

const mapOf = (series: readonly (number | undefined)[]) =>
  new Map(series.flatMap((views, n) => (views === undefined ? [] : [[dayBefore(n), views] as const])));

function check(series: readonly (number | undefined)[]) {
  const found = featuresOf(mapOf(series), EVENT);
  const reference = expected(series);
  const close = (value: number | null, to: number | null) =>
    to === null ? expect(value).toBeNull() : expect(value).toBeCloseTo(to, 6);
  expect(found.views).toBe(series[0] ?? null);
  close(found.baseline_mean_10d, reference.mean10);
  close(found.spike_10d, reference.spike);
  close(found.baseline_mean_20d, reference.mean20);
  close(found.baseline_std_20d, reference.std);
  close(found.zscore_20d, reference.z);
  expect(found.days_available).toBe(reference.known);
  return found;
}

test("500 generated series with gaps equal the formulas", () => {
  const next = numbers(7);
  let nulls = 0;
  for (let i = 0; i < 500; i++) {
    const gaps = next();
    const series = Array.from({ length: 35 }, () => (next() < gaps ? undefined : Math.floor(next() * 5_000)));
    if (check(series).zscore_20d === null) nulls++;
  }
  expect(nulls).toBeGreaterThan(50);
  expect(nulls).toBeLessThan(450);
});

test("a young article: spike from five known days, z-score from ten", () => {
  for (let age = 0; age <= 20; age++) {
    const found = check(Array.from({ length: age + 1 }, (_, n) => 100 + ((n * 37) % 11)));
    expect(found.spike_10d === null).toBe(age < 5);
    expect(found.zscore_20d === null).toBe(age < 10);
    expect(found.status).toBe(age === 20 ? "complete" : "partial");
  }
});

test("zero deviation gives no z-score but a spike; zero mean gives no spike", () => {
  const flat = check(Array.from({ length: 21 }, (_, n) => (n === 0 ? 90 : 30)));
  expect(flat).toMatchObject({ spike_10d: 3, baseline_std_20d: 0, zscore_20d: null, status: "complete" });
  const silent = check(Array.from({ length: 21 }, (_, n) => (n === 0 ? 9 : 0)));
  expect(silent).toMatchObject({ baseline_mean_10d: 0, spike_10d: null, zscore_20d: null });
});

test("a value computed by hand", () => {
  const series = [20, ...Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? 8 : 12))];
  const found = check(series);
  expect(found.spike_10d).toBe(2);
  // Twenty values, ten of 8 and ten of 12: the sum of squares around the mean of 10 is 80, divided by 19.
  expect(found.baseline_std_20d).toBeCloseTo(Math.sqrt(80 / 19), 12);
  expect(found.zscore_20d).toBeCloseTo(10 / Math.sqrt(80 / 19), 12);
});

test("an unknown day is null; days after it are not used", () => {
  const days = mapOf([undefined, ...Array.from({ length: 20 }, () => 5)]);
  days.set("2026-03-11", 9_999);
  expect(featuresOf(days, EVENT)).toMatchObject({
    views: null,
    spike_10d: null,
    status: "null",
    days_available: 20,
  });
});
