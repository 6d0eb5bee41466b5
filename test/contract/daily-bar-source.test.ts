// One contract for both providers of daily history: the same requests have the same answers.

import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type SampleServer, serveSample } from "../../sample/serve.ts";
import type { DailyBarSource } from "../../src/capabilities/price/sources.ts";
import type { BarHistory } from "../../src/market/bar-history.ts";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { NotFound } from "../../src/platform/errors.ts";
import { createUpstream } from "../../src/platform/upstream/upstream.ts";
import { alpaca, alpacaPolicy, classifyAlpaca } from "../../src/providers/alpaca/index.ts";
import { classifyYahoo, yahoo, yahooPolicy } from "../../src/providers/yahoo/index.ts";
import { captureLog } from "../support/capture-log.ts";
import { movableClock } from "../support/clock.ts";

setDefaultTimeout(1_200_000);

/** A Wednesday, an hour after the close. */
const NOW = "2026-09-09T21:00:00Z";
const clock = movableClock(NOW);
const calendar = exchangeCalendar();
const log = captureLog();
let sample: SampleServer;
let dir: string;
const sources: Record<"yahoo" | "alpaca", DailyBarSource | undefined> = {
  yahoo: undefined,
  alpaca: undefined,
};

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "asof-daily-"));
  sample = await serveSample({ clock });
  const needs = { clock, log, gateway: sample.url };
  const prices = yahoo({
    clock,
    calendar,
    log,
    credentialsPath: join(dir, "session.json"),
    upstream: createUpstream(yahooPolicy, { ...needs, classify: classifyYahoo }),
  });
  sources.yahoo = { name: "yahoo", daily: (request) => prices.daily(request) };
  sources.alpaca = alpaca({
    clock,
    calendar,
    keys: { apiKey: "k", secretKey: "s" },
    upstream: createUpstream(alpacaPolicy, { ...needs, classify: classifyAlpaca }),
  });
});
afterAll(async () => {
  await sample.stop();
  await rm(dir, { recursive: true, force: true });
});

const of = (who: "yahoo" | "alpaca"): DailyBarSource => {
  const source = sources[who];
  if (!source) throw new Error(`${who} is not open`);
  return source;
};

/** Prices of both are computed from those as traded: only the rounding of their seventh digit differs. */
const near = (a: number | null, b: number | null) => a !== null && b !== null && Math.abs(a - b) <= 2e-6 * b;

function expectNear(a: number | null, b: number | null, what: string) {
  expect({ what, near: near(a, b), a, b }).toMatchObject({ near: true });
}

for (const who of ["yahoo", "alpaca"] as const)
  describe(`${who} as a source of daily bars`, () => {
    test("gives each session of a span once, ascending, both days included", async () => {
      const { bars, dropped } = await of(who).daily({
        symbol: "ZUBB",
        start: "2026-06-29",
        end: "2026-07-07",
      });
      // 3 July is the holiday of the 4th, which is a Saturday.
      const days = ["2026-06-29", "2026-06-30", "2026-07-01", "2026-07-02", "2026-07-06", "2026-07-07"];
      expect(bars.map((bar) => bar.date)).toEqual(days);
      expect(bars.every((bar) => bar.settled && bar.session === "regular")).toBe(true);
      expect(dropped.null_rows).toEqual([]);
    });

    test("adjusts prices and volumes for a split, closes for dividends too, up to the basis", async () => {
      const { bars, actions, basis_date } = await of(who).daily({
        symbol: "ZORP",
        start: "2026-06-01",
        end: "2026-06-19",
      });
      const split = actions.find((action) => action.kind === "split");
      expect(split).toEqual({
        ex_date: "2026-06-09",
        kind: "split",
        amount: null,
        currency: null,
        numerator: 4,
        denominator: 1,
        price_factor: 0.25,
      });
      expect(basis_date).toBe("2026-09-09");
      const [before, after] = [
        bars.find((b) => b.date === "2026-06-08"),
        bars.find((b) => b.date === "2026-06-09"),
      ];
      expect((after?.close ?? 0) / (before?.close ?? 1)).toBeWithin(0.8, 1.25);
    });

    test("lists a dividend of the span on the basis, with the factor of the close before it", async () => {
      const { bars, actions } = await of(who).daily({
        symbol: "OOZEL",
        start: "2026-01-02",
        end: "2026-08-31",
      });
      const paid = actions.filter((action) => action.kind === "dividend");
      expect(paid.length).toBeGreaterThanOrEqual(2);
      for (const { ex_date, amount, currency, price_factor } of paid) {
        const before = bars.findLast((bar) => bar.date < ex_date);
        const first = bars.find((bar) => bar.date >= ex_date);
        expect(currency).toBe("USD");
        expectNear(price_factor, 1 - (amount ?? 0) / (before?.close ?? 0), `factor of ${ex_date}`);
        // The factor states how much the dividend takes off the adjusted close before it.
        const step =
          (before?.adj_close ?? 0) / (before?.close ?? 1) / ((first?.adj_close ?? 0) / (first?.close ?? 1));
        expect(Math.abs(step / (price_factor ?? 0) - 1)).toBeLessThan(2e-6);
      }
    });

    test("leaves out actions outside the span", async () => {
      const { actions } = await of(who).daily({ symbol: "ZORP", start: "2026-06-10", end: "2026-06-19" });
      expect(actions.filter((action) => action.kind === "split")).toEqual([]);
    });

    test("says which bars still move", async () => {
      const { bars } = await of(who).daily({ symbol: "ZUBB", start: "2026-09-03", end: "2026-09-09" });
      expect(bars.map((bar) => [bar.date, bar.settled])).toEqual([
        ["2026-09-03", true],
        ["2026-09-04", true],
        ["2026-09-08", true],
        ["2026-09-09", false],
      ]);
      expectNear(
        bars.at(-1)?.adj_close ?? null,
        bars.at(-1)?.close ?? null,
        "a moving close is adjusted for nothing",
      );
    });

    test("takes canonical spellings of classes and preferreds", async () => {
      for (const symbol of ["QUIB.B", "ZORP.PRA"]) {
        const { bars } = await of(who).daily({ symbol, start: "2026-08-03", end: "2026-08-04" });
        expect([symbol, bars.length]).toEqual([symbol, 2]);
      }
    });

    test("carries the history of a renamed company under its new name", async () => {
      const { bars } = await of(who).daily({ symbol: "NEWZQ", start: "2025-04-30", end: "2025-05-06" });
      expect(bars.map((bar) => bar.date)).toEqual([
        "2025-04-30",
        "2025-05-01",
        "2025-05-02",
        "2025-05-05",
        "2025-05-06",
      ]);
    });

    test("has no bars of an unknown symbol", async () => {
      const fault = await of(who)
        .daily({ symbol: "ZZZZ", start: "2026-08-03", end: "2026-08-04" })
        .then(
          () => null,
          (error: unknown) => error,
        );
      expect(fault).toBeInstanceOf(NotFound);
      expect(fault).toMatchObject({ facts: { ticker: "ZZZZ" } });
    });

    test("heeds its caller's signal", async () => {
      const gone = new AbortController();
      gone.abort(new Error("gone"));
      const asked = of(who).daily({
        symbol: "ZUBB",
        start: "2026-08-03",
        end: "2026-08-04",
        signal: gone.signal,
      });
      expect(
        await asked.then(
          () => "answered",
          (error: Error) => error.message,
        ),
      ).toBe("gone");
    });
  });

describe("both sources", () => {
  const both = async (symbol: string, start: string, end: string): Promise<[BarHistory, BarHistory]> =>
    Promise.all([of("yahoo").daily({ symbol, start, end }), of("alpaca").daily({ symbol, start, end })]);

  for (const [symbol, start, end] of [
    ["ZORP", "2025-01-02", "2026-09-08"],
    ["WUZZL", "2025-10-01", "2026-09-08"],
    ["BLIMQ", "2024-08-01", "2026-09-08"],
    ["DREK", "2022-11-01", "2023-06-30"],
    ["SMPLF", "2026-01-02", "2026-09-08"],
    ["PIPZ.WS", "2026-03-02", "2026-03-31"],
  ] as const)
    test(`say the same of ${symbol} from ${start} to ${end}`, async () => {
      const [one, other] = await both(symbol, start, end);
      expect(other.bars.map((bar) => bar.date)).toEqual(one.bars.map((bar) => bar.date));
      expect(other.basis_date).toBe(one.basis_date);
      for (const [i, bar] of one.bars.entries()) {
        const same = other.bars[i];
        for (const figure of ["open", "high", "low", "close"] as const)
          expectNear(bar[figure], same?.[figure] ?? null, `${figure} of ${bar.date}`);
        expectNear(bar.adj_close, same?.adj_close ?? null, `adj_close of ${bar.date}`);
        expect(Math.abs((bar.volume ?? 0) - (same?.volume ?? -9))).toBeLessThanOrEqual(1);
        expect(bar.settled).toBe(same?.settled ?? false);
      }
      const seen = (answer: BarHistory) =>
        answer.actions.map(({ ex_date, kind, numerator, denominator }) => [
          ex_date,
          kind,
          numerator,
          denominator,
        ]);
      expect(seen(other)).toEqual(seen(one));
      for (const [i, action] of one.actions.entries()) {
        const [paid, other_paid] = [action.amount, other.actions[i]?.amount ?? null];
        expect(paid === null ? other_paid : Math.abs((other_paid ?? 0) / paid - 1) < 1e-9).toBe(
          paid === null ? null : true,
        );
        const [a, b] = [action.price_factor, other.actions[i]?.price_factor ?? null];
        expect(a === null || b === null ? a === b : Math.abs(a / b - 1) < 1e-3).toBe(true);
      }
    });
});
