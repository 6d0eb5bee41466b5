// The insider routes' answers: which trades a question means, what is missing of them, and the figures over them.

import { INSIDER_FETCH_DAYS } from "../../limits.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import { parseAsOf } from "../../market/known-at.ts";
import { Answer } from "../../platform/answer.ts";
import type { Clock } from "../../platform/clock.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import { instantText } from "../../platform/instant-text.ts";
import { balanceOf, buyingOf, isBuying, PURCHASE } from "./figures.ts";
import type {
  AggregateAnswer,
  AggregateQuery,
  ByDateAnswer,
  ByDateQuery,
  Form4Answer,
  Form4Query,
  SummaryAnswer,
  TransactionsAnswer,
  TransactionsQuery,
} from "./schema.ts";
import type { FilingKnowledge, ResolveIssuer, SymbolsOf } from "./sources.ts";
import { type InsiderTrades, tradeTable } from "./trades.ts";

const MONTHS = { "3m": 3, "6m": 6, "12m": 12 } as const;

export interface InsiderDeps {
  readonly resolve: ResolveIssuer;
  readonly symbolsOf: SymbolsOf;
  readonly knowledge: FilingKnowledge;
  readonly trades: InsiderTrades;
  readonly clock: Clock;
}

/** When a question is asked of: the text as answered, and the last day whose trades it may mean. */
interface Moment {
  readonly as_of: string;
  /** The same as an instant, in the form in which moments are stored. */
  readonly knownBy: string;
  /** What could be read up to here; never later than now. */
  readonly untilMs: number;
  /** The day of that moment in New York. */
  readonly day: string;
}

const page = (data: readonly unknown[], total: number, limit: number, offset: number) => ({
  ...{ count: data.length, total, limit, offset },
  has_more: offset + data.length < total,
});

export function insiderAnswers({ resolve, symbolsOf, knowledge, trades, clock }: InsiderDeps) {
  const momentOf = (given: string | undefined): Moment => {
    const as_of = given ?? clock.now().toString({ smallestUnit: "second" });
    const parsed = parseAsOf(as_of);
    if (!parsed.ok) throw new InvalidRequest("bad_request", parsed.detail);
    const untilMs = Math.min(parsed.at.epochMilliseconds, clock.nowMs());
    const day = newYorkDate(Temporal.Instant.fromEpochMilliseconds(untilMs));
    return { as_of, knownBy: instantText(parsed.at.epochMilliseconds), untilMs, day };
  };

  /** The company behind a ticker, and its filings of up to 800 days before the moment brought in. */
  const about = async (ticker: string, moment: Moment, days: number, force: boolean, signal: AbortSignal) => {
    const { cik, predecessor_ciks } = await resolve(ticker, signal);
    const ciks = [cik, ...predecessor_ciks];
    const from = addDays(moment.day, -INSIDER_FETCH_DAYS);
    const wanted = { ciks, kind: "insider" as const, from, untilMs: moment.untilMs, force };
    const { warnings, ...metadata } = await knowledge.ofIssuer(wanted, signal);
    const told = [...warnings];
    const first = addDays(moment.day, -days);
    if (metadata.data_from === null || first < metadata.data_from)
      told.push(
        metadata.data_from === null
          ? "Nothing of these days is known to be complete."
          : `Complete for filings dated from ${metadata.data_from}: earlier ones are here only as far as they were taken in.`,
      );
    return { ciks, metadata, warnings: told, from: addDays(first, 1), to: moment.day };
  };

  const named = (ticker: string) => () => () => ticker;
  const bySymbol = (ciks: readonly string[]) => {
    const symbols = symbolsOf(ciks);
    return (cik: string) => symbols.get(cik) ?? null;
  };

  return {
    async transactions(
      symbol: string,
      query: TransactionsQuery,
      signal: AbortSignal,
    ): Promise<TransactionsAnswer> {
      const { days = 365, limit = 100, offset = 0, transaction_type: type } = query;
      const moment = momentOf(query.as_of);
      const { ciks, from, to, metadata, warnings } = await about(symbol, moment, days, false, signal);
      const filter = { knownBy: moment.knownBy, ciks, from, to, ...(type ? { type } : {}) };
      const { data, total } = await trades.list(filter, { limit, offset }, named(symbol), signal);
      const { as_of } = moment;
      return { symbol, as_of, ...page(data, total, limit, offset), data, metadata, warnings };
    },

    async summary(symbol: string, given: string | undefined, signal: AbortSignal): Promise<SummaryAnswer> {
      const moment = momentOf(given);
      const today = Temporal.PlainDate.from(moment.day);
      const since = (months: number) => today.subtract({ months }).toString();
      const { ciks, to, metadata, warnings } = await about(symbol, moment, 366, false, signal);
      const filter = { knownBy: moment.knownBy, ciks, from: addDays(since(MONTHS["12m"]), 1), to };
      const year = await trades.figures(filter, signal);
      const window = (months: number) => balanceOf(year.filter((trade) => trade.traded_on > since(months)));
      const windows = {
        "3m": window(MONTHS["3m"]),
        "6m": window(MONTHS["6m"]),
        "12m": window(MONTHS["12m"]),
      };
      return { symbol, as_of: moment.as_of, windows, metadata, warnings };
    },

    async form4(ticker: string, query: Form4Query, signal: AbortSignal): Promise<Form4Answer> {
      const { window_days = INSIDER_FETCH_DAYS, buy_only = false, limit = 100, offset = 0 } = query;
      const moment = momentOf(query.as_of);
      const force = query.force_refresh ?? false;
      const { ciks, from, to, metadata, warnings } = await about(ticker, moment, window_days, force, signal);
      const filter = { knownBy: moment.knownBy, ciks, from, to, ...(buy_only ? { code: PURCHASE } : {}) };
      const { data, total } = await trades.list(filter, { limit, offset }, named(ticker), signal);
      const asked = { ticker, as_of: moment.as_of, window_days, buy_only };
      return { ...asked, ...page(data, total, limit, offset), data, metadata, warnings };
    },

    async aggregate(ticker: string, query: AggregateQuery, signal: AbortSignal): Promise<AggregateAnswer> {
      const { window_days = 90, buy_only = true, force_refresh: force = false } = query;
      const moment = momentOf(query.as_of);
      const { ciks, from, to, metadata, warnings } = await about(ticker, moment, window_days, force, signal);
      const all = await trades.figures({ knownBy: moment.knownBy, ciks, from, to }, signal);
      const figures = buyingOf(all.filter(isBuying(buy_only)));
      return { ticker, as_of: moment.as_of, window_days, buy_only, ...figures, metadata, warnings };
    },

    /** Everybody's trades filed on a day, as they could be read at its end. */
    async byDate(date: string, query: ByDateQuery, signal: AbortSignal): Promise<Answer<ByDateAnswer>> {
      const { buy_only = false, limit = 1_000, offset = 0 } = query;
      const { as_of, knownBy } = momentOf(query.as_of ?? date);
      const { pending_count, warnings } = await knowledge.ofDay(date, "insider", signal);
      const filter = { knownBy, filing_date: date, ...(buy_only ? { code: PURCHASE } : {}) };
      const { data, total } = await trades.list(filter, { limit, offset }, bySymbol, signal);
      const body = {
        ...{ date, as_of, ...page(data, total, limit, offset), data },
        ...{ pending_count, warnings: [...warnings] },
      };
      return new Answer(() => body, { table: tradeTable(`insider_${date}`, data) });
    },
  };
}

export type InsiderAnswers = ReturnType<typeof insiderAnswers>;
