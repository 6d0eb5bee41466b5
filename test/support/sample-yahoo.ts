// For tests: the sample market at a moment, and what its charts say then.

import { createMarket, NAMED_LISTINGS } from "../../sample/market.ts";
import { secondsAt } from "../../sample/sessions.ts";
import type { Correction } from "../../sample/view.ts";
import { createYahoo } from "../../sample/yahoo/index.ts";
import { exchangeCalendar } from "../../src/market/calendar.ts";
import { fakeClock } from "./fake-clock.ts";

/** `chart.result[0]` as sent. */
export interface Result {
  meta: Record<string, unknown> & { tradingPeriods?: unknown; regularMarketTime: number };
  timestamp?: number[];
  events?: Record<string, Record<string, Record<string, unknown>>>;
  indicators: { quote: Record<string, (number | null)[]>[]; adjclose?: { adjclose?: (number | null)[] }[] };
}

export const NEW_YORK = "America/New_York";
/** Epoch seconds of a day's first moment in New York. */
export const midnight = (date: string) => secondsAt(date, "00:00", NEW_YORK);
const calendar = exchangeCalendar();

/** A market at `at` and what its chart says. */
export function at(moment: string, correct: Correction = () => undefined) {
  const clock = fakeClock(moment);
  const yahoo = createYahoo(createMarket({ clock, calendar, seed: 1, years: 5, symbols: NAMED_LISTINGS }));
  const ask = (symbol: string, query: string) => {
    const reply = yahoo.answer(
      {
        method: "GET",
        host: "query2.finance.yahoo.com",
        path: `/v8/finance/chart/${symbol}`,
        query: new URLSearchParams(query),
        headers: {},
        body: "",
      },
      { correct, europe: false },
    );
    if (!reply) throw new Error("no reply");
    return { status: reply.status, headers: reply.headers, body: JSON.parse(reply.body).chart };
  };
  const chart = (symbol: string, query: string): Result => {
    const { status, body } = ask(symbol, query);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    return body.result[0];
  };
  const daily = (symbol: string, from: string, to: string, more = "&events=div|split|capitalGains") =>
    chart(symbol, `interval=1d&period1=${midnight(from)}&period2=${midnight(to)}${more}`);
  return { clock, ask, chart, daily };
}

/** One column of the quote, null for what has no price. */
export const column = (result: Result, name: string) => result.indicators.quote[0]?.[name] ?? [];
export const adjusted = (result: Result) => result.indicators.adjclose?.[0]?.adjclose ?? [];
