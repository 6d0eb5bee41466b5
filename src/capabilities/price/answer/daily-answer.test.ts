// Warnings of an answer about tickers whose reading failed, and about those that are still being read.
import { expect, test } from "bun:test";
import { type AsofError, NotRead, UpstreamFailed } from "../../../platform/errors.ts";
import { type Described, noBarsOf, sideBySide } from "./daily-answer.ts";

const REFUSED = new UpstreamFailed("yahoo", "yahoo does not answer");
const unread = (ticker: string) => new NotRead(`${ticker} is not read yet`, { ticker });

/** The answer on tickers without a bar, by why each has none. */
const answered = (failures: Record<string, AsofError>) => {
  const requests = Object.keys(failures).map((ticker) => ({ ticker, symbol: ticker }));
  const seriesOf = (symbol: string): Described => ({
    bars: [],
    refreshed: undefined,
    collected: { asked: true, failure: failures[symbol] ?? null, missing: ["2026-03-04"] },
  });
  const views = {
    seriesOf,
    sourceOf: () => "yahoo",
    warningsOf: () => ["No bar for 2026-03-04."],
    unsettledOf: () => [],
    throughOf: () => null,
    noBars: noBarsOf({}),
  };
  return sideBySide(requests, views, undefined);
};

test("a provider's failure for one ticker does not fail an answer whose others are still being read", async () => {
  const { not_read, missing, errors, warnings } = await answered({ A: REFUSED, B: unread("B") });
  expect([not_read, missing]).toEqual([["B"], ["A", "B"]]);
  expect(errors).toEqual({ A: "yahoo does not answer", B: "B is not read yet" });
  expect(warnings).toEqual([
    "not_read: This answer is incomplete: 1 of 2 tickers are still being read in the background. Ask again for them, or with wait=200 for an answer once all are read.",
    "outage: A: no rows; errors says why.",
  ]);
});

test("a provider's failure for all tickers is the answer", async () => {
  await expect(answered({ A: REFUSED, B: REFUSED })).rejects.toBe(REFUSED);
});
