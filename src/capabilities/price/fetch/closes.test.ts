import { expect, test } from "bun:test";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import { exchangeCalendar } from "../../../market/calendar.ts";
import { UpstreamFailed } from "../../../platform/errors.ts";
import { type ClosesDeps, closesFill } from "./closes.ts";
import type { Collected, CollectRequest } from "./history.ts";

/** A Thursday, an hour after the open: Wednesday's bar is settled. */
const clock = fakeClock("2024-09-05T14:30:00Z");

function filling(outcome: Partial<Collected> = {}) {
  const asked: CollectRequest[] = [];
  const history = {
    collect: async (request: CollectRequest) => {
      asked.push(request);
      return new Map([["ACME", { asked: true, failure: null, missing: [], ...outcome }]]);
    },
    facts: () => () => ({ listing: null, currency: null, actionsThrough: null }),
  } as unknown as ClosesDeps["history"];
  return { asked, fill: closesFill({ history, calendar: exchangeCalendar(), clock }) };
}
const { signal } = new AbortController();

test("a close is asked for on the session it is of, each session once, and none that is not settled", async () => {
  const { asked, fill } = filling();
  // Saturday and Sunday of one week, a Tuesday, and the day that is not over yet.
  const dates = ["2024-03-05", "2024-02-17", "2024-02-18", "2024-09-05"];
  expect(await fill("ACME", dates, signal)).toBeNull();
  expect(asked.map(({ symbols, ranges, plan }) => ({ symbols, ranges, plan }))).toEqual([
    {
      symbols: ["ACME"],
      ranges: ["2024-02-16", "2024-03-05", "2024-09-04"].map((day) => ({ start: day, end: day })),
      plan: { source: "provider", refetch: false },
    },
  ]);
});

test("the provider's failure is the answer, and without a day no provider is asked", async () => {
  const failure = new UpstreamFailed("yahoo", "It is down.");
  const { asked, fill } = filling({ failure });
  expect(await fill("ACME", [], signal)).toBeNull();
  expect(asked).toEqual([]);
  expect(await fill("ACME", ["2024-03-05"], signal)).toBe(failure);
});
