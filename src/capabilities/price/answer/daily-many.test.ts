// Many symbols side by side: others have their turn while the symbols are read, and rows are made as they are
// sent.
import { expect, test } from "bun:test";
import { fakeClock } from "../../../../test/support/fake-clock.ts";
import { exchangeCalendar } from "../../../market/calendar.ts";
import { cellOf } from "../../../platform/cells.ts";
import type { DailyQuery } from "../request/daily-query.ts";
import type { MultiBarsResponse } from "../schema.ts";
import { ManyAnswers, type ManyBars } from "./daily-many.ts";
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
  const history = { facts, actionsThrough } as never;
  return new ManyAnswers(deps as never, history, async () => seriesOf, { isPlain: () => false, rowsMax: 9 });
}

async function closesOf({ table }: ManyBars) {
  const found: unknown[] = [];
  for await (const { rows, vectors } of table.batches())
    for (let row = 0; row < rows; row++)
      found.push([0, 5].map((at) => vectors[at] && cellOf(vectors[at], row)));
  return found;
}

async function listsOf({ json }: ManyBars) {
  const found: [string, readonly object[]][] = [];
  for await (const [name, bars] of json.lists()) found.push([name, bars]);
  return found;
}

test("others are answered between any two symbols", async () => {
  const order: string[] = [];
  let isOpen = true;
  const others = (async () => {
    while (isOpen) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      order.push("other");
    }
  })();
  await answersOver((symbol) => void order.push(symbol)).many(REQUESTS, QUERY);
  isOpen = false;
  await others;
  expect(order.filter((each) => each !== "other")).toEqual(SYMBOLS);
  for (let i = 1; i < SYMBOLS.length; i++) {
    const [before, after] = [order.indexOf(SYMBOLS[i - 1] ?? ""), order.indexOf(SYMBOLS[i] ?? "")];
    expect(order.slice(before, after)).toContain("other");
  }
});

test("the warnings are known before the first row, and the bars of a symbol are made when it is reached", async () => {
  const made: string[] = [];
  const { table, json } = await answersOver((symbol) => void made.push(symbol)).many(REQUESTS, QUERY);
  expect(table.notes).toEqual({
    warnings: ["nothing_there: ddd: The provider has no bar of these days.", "bbb: No bar for 2026-01-03."],
    errors: {},
  });
  made.length = 0;
  const lists = json.lists()[Symbol.asyncIterator]();
  expect(made).toEqual([]);
  expect((await lists.next()).value?.[0]).toBe("aaa");
  expect(made).toEqual(["AAA"]);
  await lists.next();
  expect(made).toEqual(["AAA", "BBB"]);
});

test("rows have the bars of the JSON answer in its order, and the same ones when they are made again", async () => {
  const found = await answersOver(() => {}).many(REQUESTS, QUERY);
  const lists = await listsOf(found);
  const expected = lists.flatMap(([ticker, bars]) =>
    (bars as MultiBarsResponse["bars"][string]).map(({ close }) => [ticker.toUpperCase(), close]),
  );
  expect(expected).toEqual([
    ["AAA", 10],
    ["AAA", 20],
    ["BBB", 11],
    ["BBB", 21],
    ["CCC", 12],
    ["CCC", 22],
  ]);
  expect([await closesOf(found), await closesOf(found)]).toEqual([expected, expected]);
  const json: MultiBarsResponse = JSON.parse(
    `${found.json.opening}${lists.map(([name, bars]) => `"${name}":${JSON.stringify(bars)}`)}${found.json.closing}`,
  );
  expect(json).toMatchObject({
    count: 6,
    missing: ["ddd"],
    adjusted_through: { aaa: "2026-01-05", ddd: null },
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
  await expect(answers.many(REQUESTS, { ...QUERY, signal: stop.signal })).rejects.toThrow("gone");
  expect(made).toEqual(["AAA", "BBB"]);
});
