// A day whose filings are still being read: the answer has what is there, says how much is left, and when to
// ask again.
import { expect, test } from "bun:test";
import { fakeClock } from "../../../test/support/fake-clock.ts";
import type { FilingCoverage } from "./answers.ts";
import { insiderAnswers } from "./answers.ts";
import type { InsiderTrades } from "./trades.ts";

type Day = Awaited<ReturnType<FilingCoverage["ensureDay"]>>;

async function answerOf(day: Day) {
  const answers = insiderAnswers({
    clock: fakeClock("2026-09-09T12:00:00Z"),
    resolve: async () => ({ cik: "0007300001", predecessor_ciks: [], warnings: [] }),
    symbolsOf: async () => new Map(),
    coverage: { ensureDay: async () => day } as unknown as FilingCoverage,
    trades: {
      list: async () => ({ data: [], total: 0, doubts: { warnings: [] } }),
    } as unknown as InsiderTrades,
  });
  const { body, facts } = await answers.byDate("2026-09-08", {}, new AbortController().signal);
  return { body: await body(), headers: facts.headers };
}

test("974 filings that are not read yet are counted, with the time to ask again as a header", async () => {
  const warnings = ["not_read: 974 filings are not read yet: request again in 60 s."];
  const { body, headers } = await answerOf({ pending_count: 974, retry_after_s: 60, warnings });
  expect(headers).toEqual({ "retry-after": "60" });
  // An empty answer that is not whole must not claim that there is nothing.
  expect([body.pending_count, body.total, body.warnings]).toEqual([974, 0, warnings]);
});

test("a day that is read has no such header, and an empty one says that nothing is there", async () => {
  const { body, headers } = await answerOf({ pending_count: 0, retry_after_s: null, warnings: [] });
  expect(headers).toBeUndefined();
  expect(body.warnings).toEqual([
    "nothing_there: No trade of these days that was public then is on this page.",
  ]);
});
