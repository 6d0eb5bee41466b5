import { expect, test } from "bun:test";
import { exchangeCalendar } from "../../market/calendar.ts";
import { fakeClock } from "../../platform/clock.ts";
import { NotFound } from "../../platform/errors.ts";
import { type BackfillDeps, priceBackfill } from "./backfill.ts";

/** Of the symbols one is unknown to the provider, and one meets what nobody foresaw. */
function backfill() {
  const collect = async ({ symbols: [symbol = ""] }: { symbols: readonly string[] }) => {
    if (symbol === "BUG") throw new TypeError("nobody foresaw this");
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

test("each symbol is told as it ends, with its own failure", async () => {
  const told: (string | null)[][] = [];
  await backfill()(["A", "NONE"], ASK, (symbol, error) => told.push([symbol, error?.message ?? null]));
  expect(told).toEqual([
    ["A", null],
    ["NONE", "no such ticker"],
  ]);
});

test("what nobody foresaw ends the run: the symbol was not collected", async () => {
  const told: string[] = [];
  const run = backfill()(["A", "BUG"], ASK, (symbol) => told.push(symbol));
  expect(await run.catch((error: Error) => error.message)).toBe("nobody foresaw this");
  expect(told).toEqual(["A"]);
});

test("of a run that is stopped the signal's reason is thrown", async () => {
  const stopped = AbortSignal.abort(new Error("stopped"));
  const run = backfill()(["A"], { ...ASK, signal: stopped }, () => {});
  expect(await run.catch((error: Error) => error.message)).toBe("stopped");
});
