// Share counts of the sample market as a reader of reports expects them.
import { expect, setDefaultTimeout, test } from "bun:test";
import { dayOf } from "../sessions.ts";
import { allNamed } from "./filers.ts";
import { commonOf, sharesOn, splitRatio, worthOn } from "./share-count.ts";

setDefaultTimeout(1_200_000);

const DAYS_A_QUARTER = 91;
const [FIRST, LAST] = [dayOf("2012-01-01"), dayOf("2026-09-01")];

test("the count moves slowly from quarter to quarter, but for splits; only who prints new shares dilutes", () => {
  let compared = 0;
  let splits = 0;
  for (const filer of allNamed()) {
    const [common] = commonOf(filer);
    if (!common) continue;
    const sells = common.split !== undefined && common.split.numerator < common.split.denominator;
    const most = sells ? 1.15 : 1.001;
    for (let day = FIRST; day + DAYS_A_QUARTER < LAST; day += DAYS_A_QUARTER) {
      const next = day + DAYS_A_QUARTER;
      const change = sharesOn(filer, next, next) / sharesOn(filer, day, next);
      expect([filer.symbol, change > 0.995 && change < most, change]).toEqual([filer.symbol, true, change]);
      if (splitRatio(filer, day, next) !== 1) splits++;
      compared++;
    }
  }
  expect([compared > 1_000, splits > 20]).toEqual([true, true]);
});

test("what a company is worth does not jump over a split", () => {
  const zorp = allNamed().find(({ symbol }) => symbol === "ZORP");
  if (!zorp) throw new Error("ZORP is gone");
  const [before, after] = ["2026-06-08", "2026-06-10"].map((date) => worthOn(zorp, dayOf(date)));
  expect(Math.abs((after ?? 0) / (before ?? 1) - 1)).toBeLessThan(0.01);
  // 3.5 billion shares at about 368 dollars before, 14.2 billion at 92 after.
  expect([
    sharesOn(zorp, dayOf("2026-06-08"), dayOf("2026-06-08")),
    splitRatio(zorp, dayOf("2026-06-08"), dayOf("2026-06-10")),
  ]).toEqual([3_541_783_000, 4]);
});
