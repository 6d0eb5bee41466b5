// Which symbols the list of the market's actions has requested again.
import { expect, test } from "bun:test";
import { movableClock } from "../../../../test/support/clock.ts";
import type { MarketAction } from "../../../market/bar-history.ts";
import { exchangeCalendar } from "../../../market/calendar.ts";
import type { DateRange } from "../../../market/time-span.ts";
import { NotFound, UpstreamFailed } from "../../../platform/errors.ts";
import { actionWatch } from "./action-watch.ts";
import type { Collected } from "./history.ts";

const signal = new AbortController().signal;

interface World {
  readonly listed: readonly MarketAction[];
  /** Actions that are stored, as "symbol kind day". */
  readonly stored?: readonly string[];
  readonly failures?: Readonly<Record<string, Collected["failure"]>>;
  readonly missed?: readonly string[];
}

/** Runs the job on Tuesday 9 June 2026, with bars of A, B and C in the lake, all known through 5 June. */
async function run({ listed, stored = [], failures = {}, missed = [] }: World) {
  const [asked, spans, warned]: [[string, string][], string[], string[]] = [[], [], []];
  const job = actionWatch({
    calendar: exchangeCalendar(),
    clock: movableClock("2026-06-09T14:35:00Z"),
    log: { warn: (_, fields) => warned.push(String(fields?.symbol)) },
    source: {
      async marketActions({ start, end }) {
        spans.push(`${start} ${end}`);
        return listed;
      },
    },
    store: {
      oldestBases: async (symbols) =>
        symbols
          .filter((symbol) => "ABC".includes(symbol))
          .map((symbol) => ({ symbol, through_date: "2026-06-05" })),
      actionDays: async () => (symbol, kind) =>
        stored.flatMap((one) => (one.startsWith(`${symbol} ${kind} `) ? [one.split(" ")[2] ?? ""] : [])),
    },
    history: {
      facts: () => () => ({
        listing: null,
        currency: null,
        name: null,
        actionsThrough: "2026-06-05",
        actionsFrom: null,
      }),
      async collect({ symbols, ranges }: { symbols: readonly string[]; ranges: readonly DateRange[] }) {
        for (const symbol of symbols) asked.push([symbol, ranges[0]?.start ?? ""]);
        return new Map(
          symbols.map((symbol) => [symbol, { asked: true, failure: failures[symbol] ?? null, missing: [] }]),
        );
      },
    },
  });
  const rows = await job.run({ signal, scheduledFor: "2026-06-09T14:35:00Z", missed }).then(
    (result) => result?.rows,
    (error: unknown) => error,
  );
  return { rows, asked: asked.sort(), spans, warned };
}

test("only what the lake holds and misses is asked, from the earliest day that is not stored", async () => {
  const listed: MarketAction[] = [
    { symbol: "A", kind: "dividend", date: "2026-06-02" },
    { symbol: "A", kind: "split", date: "2026-05-20" },
    { symbol: "B", kind: "dividend", date: "2026-06-01" },
    { symbol: "C", kind: "other", date: "2026-06-04" },
    { symbol: "D", kind: "split", date: "2026-06-09" },
  ];
  const found = await run({ listed, stored: ["B dividend 2026-06-01"] });
  expect(found).toMatchObject({ rows: 1, asked: [["A", "2026-05-20"]], spans: ["2026-05-10 2026-06-09"] });
});

test("a split that is stored some days off the list's day is the same one, a dividend is another", async () => {
  const stored = ["A split 2026-06-08", "B dividend 2026-06-08"];
  const listed: MarketAction[] = [
    { symbol: "A", kind: "split", date: "2026-06-05" },
    { symbol: "B", kind: "dividend", date: "2026-06-05" },
    { symbol: "C", kind: "other", date: "2026-06-09" },
  ];
  expect((await run({ listed, stored })).asked).toEqual([
    ["B", "2026-06-05"],
    ["C", "2026-06-09"],
  ]);
});

test("a missed session widens the list", async () => {
  const { spans } = await run({ listed: [], missed: ["2026-06-08T14:35:00Z", "2026-04-01T14:35:00Z"] });
  expect(spans).toEqual(["2026-03-02 2026-06-09"]);
});

test("an outage fails the run after every symbol was tried, an unknown symbol does not", async () => {
  const listed = ["A", "B", "C"].map(
    (symbol): MarketAction => ({ symbol, kind: "split", date: "2026-06-09" }),
  );
  const gone = new NotFound("unknown_ticker", "no such symbol");
  expect(await run({ listed, failures: { A: gone } })).toMatchObject({ rows: 2, warned: ["A"] });
  const down = new UpstreamFailed("yahoo", "503");
  const found = await run({ listed, failures: { A: down } });
  expect(found.rows).toBe(down);
  expect(found.asked.length).toBe(3);
});
