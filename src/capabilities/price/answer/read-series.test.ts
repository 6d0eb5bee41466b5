// A series is made from columns at each call for it: every call gives the same bars.
import { expect, test } from "bun:test";
import type { ProviderBar } from "../../../market/bar.ts";
import { exchangeCalendar } from "../../../market/calendar.ts";
import type { Collected, History } from "../fetch/history.ts";
import type { PriceStore } from "../store/store.ts";
import { seriesReader } from "./read-series.ts";

const DAYS = ["2026-01-05", "2026-01-06"] as const;
const RANGES = [{ start: "2026-01-05", end: "2026-01-07" }];

const provider = (date: string, close: number): ProviderBar => ({
  date,
  at: Temporal.Instant.from(`${date}T14:30:00Z`),
  open: close,
  high: close,
  low: close,
  close,
  volume: 1,
  adj_close: close,
  settled: true,
  session: "regular",
});

/** Two days of three symbols at 10, 20, 30 and so on; AAA pays 0.5 and splits 2:1 on the second day. */
function store(): PriceStore {
  const rows = ["AAA", "BBB", "CCC"].flatMap((symbol, s) =>
    DAYS.map((date, d) => {
      const close = 10 * (2 * s + d + 1);
      return [symbol, date, close, close, close, close, 5, close, d === 0 ? "yahoo" : "alpaca"];
    }),
  );
  const names = ["symbol", "date", "open", "high", "low", "close", "volume", "adj_close", "source"];
  const action = { symbol: "AAA", ex_date: DAYS[1], currency: "USD" };
  return {
    barsAndActions: async () => [
      {
        names,
        types: [],
        columns: names.map((_, column) => rows.map((row) => row[column])),
        rowCount: rows.length,
      },
      [
        { ...action, kind: "dividend", amount: 0.5, ratio: null },
        { ...action, kind: "split", amount: null, ratio: 2 },
      ],
    ],
    factorsSince: async () => () => undefined,
  } as unknown as PriceStore;
}

/**
 * BBB and AAA were refetched: the provider has only the second day now. `provisional` may change meanwhile.
 */
function history(provisional: () => readonly ProviderBar[]): History {
  const refreshed = {
    source: "stooq",
    basis_date: "2026-01-07",
    received_at: "2026-01-07T12:00:00Z",
    bars: [provider(DAYS[1], 99)],
  };
  const outcome: Collected = { asked: true, failure: null, missing: ["2026-01-07"], refreshed };
  return {
    collect: async () =>
      new Map([
        ["AAA", outcome],
        ["BBB", outcome],
        ["CCC", { asked: false, failure: null, missing: ["2026-01-07"] }],
      ]),
    facts: () => () => ({ currency: "USD" }),
    provisional: (symbol: string) => (symbol === "CCC" ? provisional() : []),
    provisionalSource: () => "yahoo",
    seamOf: () => null,
  } as unknown as History;
}

async function read(provisional: () => readonly ProviderBar[] = () => []) {
  const reader = seriesReader({ store: store(), calendar: exchangeCalendar() }, history(provisional));
  return reader(["AAA", "BBB", "CCC"], RANGES, "1d", { interval: "1d" });
}

test("each symbol has its own rows and its own providers", async () => {
  const seriesOf = await read();
  const seen = ["AAA", "BBB", "CCC", "NONE"].map((symbol) => {
    const { bars, sources, kept } = seriesOf(symbol);
    return [bars.map(({ date, close }) => `${date} ${close}`), sources, kept];
  });
  expect(seen).toEqual([
    [["2026-01-05 10", "2026-01-06 99"], ["stooq", "yahoo"], ["2026-01-05"]],
    [["2026-01-05 30", "2026-01-06 99"], ["stooq", "yahoo"], ["2026-01-05"]],
    [["2026-01-05 50", "2026-01-06 60"], ["yahoo", "alpaca"], []],
    [[], [], []],
  ]);
});

test("a dividend or split counts once, however often the series is made", async () => {
  const seriesOf = await read();
  const first = seriesOf("AAA");
  expect(first.bars[1]).toMatchObject({ close: 99, dividend: 0.5, split_ratio: 2 });
  expect(seriesOf("AAA")).toEqual(first);
  expect(seriesOf("CCC")).toEqual(seriesOf("CCC"));
});

test("provisional bars that run out meanwhile stay in the answer", async () => {
  let atHand = [provider("2026-01-07", 61)];
  const seriesOf = await read(() => atHand);
  const first = seriesOf("CCC");
  expect(first.bars.at(-1)).toMatchObject({ date: "2026-01-07", close: 61, provisional: true });
  expect(first.collected?.missing).toEqual([]);
  atHand = [];
  expect(seriesOf("CCC")).toEqual(first);
});
