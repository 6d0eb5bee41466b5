// Tests draw the same input in each run, until SEED says otherwise.
import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { drawnFor, seedOf } from "./seed.ts";

setDefaultTimeout(1_200_000);

test("fast-check draws from the seed, in every file", () => {
  const doubles = (options: fc.Parameters<number>) => fc.sample(fc.double(), { ...options, numRuns: 20 });
  expect(doubles({})).toEqual(doubles({ seed: seedOf() }));
  expect(doubles({})).not.toEqual(doubles({ seed: seedOf() + 1 }));
});

test("a name draws numbers of its own in [0, 1), again from the start", () => {
  const draw = (name: string, seed?: number) => Array.from({ length: 50 }, drawnFor(name, seed));
  expect(draw("a")).toEqual(draw("a"));
  expect(draw("a")).not.toEqual(draw("b"));
  expect(draw("a", 1)).not.toEqual(draw("a", 2));
  expect(draw("a").every((n) => n >= 0 && n < 1)).toBe(true);
});

test("a seed is a whole number", () => {
  expect(seedOf("17")).toBe(17);
  expect(() => seedOf("random")).toThrow("SEED=random is no integer");
});
