// Many symbols side by side: others have their turn while the symbols are read, and rows are made as they are
// sent.
import { expect, test } from "bun:test";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import { exchangeCalendar } from "../../../market/calendar.ts";
import type { DailyQuery } from "../request/daily-query.ts";
import type { MultiBarsResponse } from "../schema.ts";
import { type ManyRows, manyAnswers } from "./daily-many.ts";
import type { Series } from "./read-series.ts";

const SYMBOLS = ["AAA", "BBB", "CCC", "DDD"];
const REQUESTS = SYMBOLS.map((symbol) => ({ ticker: symbol.toLowerCase(), symbol }));
const QUERY: DailyQuery = { interval: "1d", start_date: "2026-01-02", end_date: "2026-01-05" };

const bar = (date: string, close: number) => ({
  date,
  open: close,
  high: close,
  low: close,
  close,
  volume: 1,
  adjusted_close: close,
});

/** Answers over two bars a symbol, none of DDD; `made` notes each series that is made. */
function answersOver(made: (symbol: string) => void) {
  const seriesOf = (symbol: string): Series => {
    made(symbol);
    const at = SYMBOLS.indexOf(symbol);
    return {
      bars: symbol === "DDD" ? [] : [bar("2026-01-02", at + 10), bar("2026-01-05", at + 20)],
      collected: {
        asked: false,
        failure: null,
        missing: symbol === "BBB" ? ["2026-01-03"] : [],
      },
      sources: ["yahoo"],
      provisionalSource: null,
      lastDay: null,
      spanned: [],
      unshown: [],
      adjustment: "split",
      factors: () => null,
      refreshed: undefined,
      seam: null,
      kept: [],
      stored: { names: [], types: [], columns: [], rowCount: 0 },
    };
  };
  const facts = () => () => ({
    listing: null,
    currency: "USD",
    name: null,
    actionsThrough: "2026-01-05",
    actionsFrom: null,
  });
  const deps = {
    calendar: exchangeCalendar(),
    clock: fakeClock("2026-01-07T12:00:00Z"),
    source: { name: "yahoo" },
  };
  const actionsThrough = async () => () => "2026-01-05";
  return manyAnswers(deps as never, { facts, actionsThrough }, async () => seriesOf);
}

const closesOf = ({ series }: ManyRows) =>
  [...series()].flatMap(({ ticker, bars }) => bars.map(({ close }) => [ticker, close]));

test("others are answered between any two symbols, in JSON as in rows", async () => {
  for (const method of ["many", "manyRows"] as const) {
    const order: string[] = [];
    let isOpen = true;
    const others = (async () => {
      while (isOpen) {
        await new Promise<void>((resolve) => setImmediate(resolve));
        order.push("other");
      }
    })();
    await answersOver((symbol) => void order.push(symbol))[method](REQUESTS, QUERY);
    isOpen = false;
    await others;
    expect(order.filter((each) => each !== "other")).toEqual(SYMBOLS);
    for (let i = 1; i < SYMBOLS.length; i++) {
      const [before, after] = [order.indexOf(SYMBOLS[i - 1] ?? ""), order.indexOf(SYMBOLS[i] ?? "")];
      expect(order.slice(before, after)).toContain("other");
    }
  }
});

test("the warnings are known before the first row, and the bars of a symbol are made when it is reached", async () => {
  const made: string[] = [];
  const rows = await answersOver((symbol) => void made.push(symbol)).manyRows(REQUESTS, QUERY);
  expect(rows.notes).toEqual({
    warnings: ["nothing_there: ddd: The provider has no bar of these days.", "bbb: No bar for 2026-01-03."],
    errors: {},
  });
  made.length = 0;
  const series = rows.series()[Symbol.iterator]();
  expect(made).toEqual([]);
  expect(series.next().value).toMatchObject({ ticker: "aaa", adjusted_through: "2026-01-05" });
  expect(made).toEqual(["AAA"]);
  series.next();
  expect(made).toEqual(["AAA", "BBB"]);
});

test("rows have the bars of the JSON answer in its order, and the same ones when they are made again", async () => {
  const answers = answersOver(() => {});
  const written = await answers.many(REQUESTS, QUERY);
  const json: MultiBarsResponse = JSON.parse(written.json.parts.join(""));
  const rows = await answers.manyRows(REQUESTS, QUERY);
  const expected = Object.entries(json.bars).flatMap(([ticker, bars]) =>
    bars.map(({ close }) => [ticker, close]),
  );
  expect(expected).toEqual([
    ["aaa", 10],
    ["aaa", 20],
    ["bbb", 11],
    ["bbb", 21],
    ["ccc", 12],
    ["ccc", 22],
  ]);
  expect([closesOf(rows), closesOf(rows)]).toEqual([expected, expected]);
  expect([...rows.series()].map(({ adjusted_through }) => adjusted_through)).toEqual(
    REQUESTS.map(({ ticker }) => json.adjusted_through?.[ticker] ?? null),
  );
  expect(json).toMatchObject({
    count: 6,
    missing: ["ddd"],
    warnings: ["nothing_there: ddd: The provider has no bar of these days.", "bbb: No bar for 2026-01-03."],
  });
});

test("an answer whose client is gone is not read to its end", async () => {
  const stop = new AbortController();
  const made: string[] = [];
  const answers = answersOver((symbol) => {
    made.push(symbol);
    if (symbol === "BBB") stop.abort(new Error("gone"));
  });
  await expect(answers.manyRows(REQUESTS, { ...QUERY, signal: stop.signal })).rejects.toThrow("gone");
  expect(made).toEqual(["AAA", "BBB"]);
});
