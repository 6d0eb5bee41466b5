import { expect, test } from "bun:test";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import { exchangeCalendar } from "../../../market/calendar.ts";
import { NotFound } from "../../../platform/errors.ts";
import { type BackfillDeps, priceBackfill } from "./backfill.ts";

/** NONE is unknown to the provider; BUG fails with an unexpected error. */
function backfill() {
  const collect = async ({ symbols: [symbol = ""] }: { symbols: readonly string[] }) => {
    if (symbol === "BUG") throw new TypeError("a bug");
    const failure = symbol === "NONE" ? new NotFound("unknown_ticker", "no such ticker") : null;
    return new Map([[symbol, { asked: true, failure, missing: [] }]]);
  };
  const deps = {
    history: { collect },
    calendar: exchangeCalendar(),
    clock: fakeClock("2026-09-09T21:00:00Z"),
  };
  return priceBackfill(deps as unknown as BackfillDeps);
}

const ASK = { interval: "1d", start: "2026-09-01", end: "2026-09-04" };

test("each symbol is reported as it ends, with its own failure", async () => {
  const reported: (string | null)[][] = [];
  await backfill()(["A", "NONE"], ASK, (symbol, error) => reported.push([symbol, error?.message ?? null]));
  expect(reported).toEqual([
    ["A", null],
    ["NONE", "no such ticker"],
  ]);
});

test("an unexpected error ends the run: the symbol was not filled", async () => {
  const reported: string[] = [];
  const run = backfill()(["A", "BUG"], ASK, (symbol) => reported.push(symbol));
  expect(await run.catch((error: Error) => error.message)).toBe("a bug");
  expect(reported).toEqual(["A"]);
});

test("an aborted run throws the signal's reason", async () => {
  const stopped = AbortSignal.abort(new Error("stopped"));
  const run = backfill()(["A"], { ...ASK, signal: stopped }, () => {});
  expect(await run.catch((error: Error) => error.message)).toBe("stopped");
});
