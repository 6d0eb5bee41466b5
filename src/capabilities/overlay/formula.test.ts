import { describe, expect, test } from "bun:test";
import { type Figures, partsOf, scoreOf } from "./formula.ts";

const NONE: Figures = {
  attention_z: null,
  news_z: null,
  short_volume_z: null,
  insider_bought_usd: null,
  relative_volume: null,
  return_5d_percent: null,
};
const WEIGHTS = { attention: 2, news: 1, short_volume: 2, insider: 1, volume: 1, momentum: 1 };

describe("parts", () => {
  const at = (figures: Partial<Figures>) => partsOf({ ...NONE, ...figures });

  test("a part is 50 at its average and reaches an end at 3 deviations, 4× the volume or 20 percent", () => {
    const usual = { attention_z: 0, news_z: 0, short_volume_z: 0, relative_volume: 1, return_5d_percent: 0 };
    expect(at({ ...usual, insider_bought_usd: 0 })).toEqual({
      attention: 50,
      news: 50,
      short_volume: 50,
      insider: 50,
      volume: 50,
      momentum: 50,
    });
    expect(at({ attention_z: 3, news_z: -3, short_volume_z: 1.5 })).toMatchObject({
      attention: 100,
      news: 0,
      short_volume: 75,
    });
    expect(at({ relative_volume: 4, return_5d_percent: -20, insider_bought_usd: 500_000 })).toMatchObject({
      volume: 100,
      momentum: 0,
      insider: 75,
    });
  });

  test("figures beyond the ends are clamped to the scale; a volume of zero is the lower end", () => {
    expect(at({ attention_z: 40, news_z: -40, insider_bought_usd: 1e9, relative_volume: 0 })).toMatchObject({
      attention: 100,
      news: 0,
      insider: 100,
      volume: 0,
    });
  });

  test("an unknown figure gives an unknown part, not 50 or 0", () => {
    expect(Object.values(at({}))).toEqual([null, null, null, null, null, null]);
  });
});

describe("scores", () => {
  const parts = { attention: 80, news: 20, short_volume: null, insider: 50, volume: null, momentum: 60 };

  test("the score is the weighted mean of the known parts; missing parts are listed", () => {
    expect(scoreOf(parts, WEIGHTS)).toEqual({
      score: (2 * 80 + 20 + 50 + 60) / 5,
      missing: ["short_volume", "volume"],
      weight_present: 5 / 8,
    });
  });

  test("only the ratio of the weights matters", () => {
    const tenfold = Object.fromEntries(
      Object.entries(WEIGHTS).map(([k, w]) => [k, w * 10]),
    ) as typeof WEIGHTS;
    expect(scoreOf(parts, tenfold)).toEqual(scoreOf(parts, WEIGHTS));
  });

  test("a part with weight 0 changes nothing; when no other part is known there is no score", () => {
    const weights = { ...WEIGHTS, attention: 0 };
    expect(scoreOf(parts, weights)?.score).toBe((20 + 50 + 60) / 3);
    expect(scoreOf({ ...partsOf(NONE), attention: 90 }, weights)).toBeNull();
    expect(scoreOf(partsOf(NONE), WEIGHTS)).toBeNull();
  });
});
