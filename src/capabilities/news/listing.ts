// Stored articles of tickers, providers, words and a span of time, as known at a moment.
import { endOfDay, newYorkDate, startOfDay } from "../../market/calendar.ts";
import { isDate } from "../../market/date.ts";
import { parseAsOf } from "../../market/known-at.ts";
import { parseMoment } from "../../market/moment.ts";
import { wordsOf } from "../../market/params.ts";
import { canonical, parseTickers, type TickerRequest } from "../../market/ticker.ts";
import { resolveTimeSpan } from "../../market/time-span.ts";
import type { Clock } from "../../platform/clock.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import type { NewsLedger } from "./ledger.ts";
import { feedsOf, type NewsSource } from "./sources.ts";
import type { NewsStore, StoredArticle } from "./store.ts";

export interface ListAsk {
  readonly provider?: string | undefined;
  readonly q?: string | undefined;
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly days?: number | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly sort?: "asc" | "desc" | undefined;
  readonly as_of?: string | undefined;
}

export const LIMIT_DEFAULT = 50;
export const DAYS_DEFAULT = 7;

const split = (list: string | null) => (list === null ? [] : list.split(","));

/** An article as the routes give it. */
export const shown = ({ tickers, other_providers, ...row }: StoredArticle) => ({
  ...row,
  other_providers: split(other_providers),
  tickers: split(tickers),
});

function momentOf(name: string, text: string | undefined): Temporal.Instant | null {
  if (text === undefined) return null;
  if (isDate(text))
    throw new InvalidRequest(
      "bad_request",
      `${name} takes an instant; for whole days give start_date and end_date.`,
    );
  const parsed = parseMoment(text);
  if (!parsed.ok) throw new InvalidRequest("bad_request", parsed.detail);
  return parsed.at;
}

function asOfOf(text: string | undefined): Temporal.Instant | null {
  if (text === undefined) return null;
  const parsed = parseAsOf(text);
  if (!parsed.ok) throw new InvalidRequest("bad_request", parsed.detail);
  return parsed.at;
}

export interface ListingDeps {
  readonly store: NewsStore;
  readonly ledger: NewsLedger;
  readonly sources: readonly NewsSource[];
  readonly clock: Clock;
}

export function newsListing({ store, ledger, sources, clock }: ListingDeps) {
  /** The span meant: days in New York, two instants (either may be left out), or days back; at most one of the ways. */
  const spanOf = (ask: ListAsk, asOf: Temporal.Instant | null, daysDefault: number | null) => {
    const { start_date, end_date, days } = ask;
    const ways = [
      start_date !== undefined || end_date !== undefined,
      ask.from !== undefined || ask.to !== undefined,
      days !== undefined,
    ];
    if (ways.filter(Boolean).length > 1)
      throw new InvalidRequest(
        "conflicting_time_selection",
        "Give start_date with end_date, from and to, or days: one of them.",
      );
    if (ways[0]) {
      const resolved = resolveTimeSpan({ start_date, end_date }, { today: newYorkDate(clock.now()) });
      if (!resolved.ok) throw new InvalidRequest(resolved.code, resolved.detail);
      const { start, end } = resolved.span;
      return { from: start === null ? null : startOfDay(start), to: endOfDay(end) };
    }
    if (ways[1]) {
      const [from, to] = [momentOf("from", ask.from), momentOf("to", ask.to)];
      if (from && to && Temporal.Instant.compare(to, from) < 0)
        throw new InvalidRequest("invalid_date_range", "to is earlier than from.");
      return { from, to };
    }
    const back = days ?? daysDefault;
    if (back === null) return { from: null, to: null };
    const now = clock.now();
    const end = asOf && Temporal.Instant.compare(asOf, now) < 0 ? asOf : now;
    return { from: end.subtract({ hours: 24 * back }), to: null };
  };

  /** Feeds by symbol are read only for symbols somebody asked for: an empty answer may only mean that. */
  const notesOf = (tickers: readonly TickerRequest[], asOf: Temporal.Instant | null): string[] => {
    if (asOf !== null || tickers.length === 0) return [];
    const symbols = tickers.map(({ symbol }) => symbol);
    const named = (some: ReadonlySet<string>) =>
      tickers.flatMap(({ ticker, symbol }) => (some.has(symbol) ? [ticker] : [])).join(", ");
    const feeds = feedsOf(sources);
    const unknown = ledger.follow(symbols, feeds);
    const read = ledger.readAt(feeds, symbols);
    const unread = new Set(symbols.filter((symbol) => !read.has(symbol)));
    const by = `The feeds by symbol (${feeds.join(", ")})`;
    return [
      ...(unknown.size === 0
        ? []
        : [`${by} know nothing of ${named(unknown)}: they are asked again in a week at the earliest.`]),
      ...(feeds.length === 0 || unread.size === 0
        ? []
        : [
            `${by} have not been read for ${named(unread)} yet: from now on they are, within the next polls.`,
          ]),
    ];
  };

  const list = async (
    ask: ListAsk,
    tickers: readonly TickerRequest[] | null,
    daysDefault: number | null,
    signal: AbortSignal,
  ) => {
    const asOf = asOfOf(ask.as_of);
    const { limit = LIMIT_DEFAULT, offset = 0 } = ask;
    const providers = ask.provider === undefined ? [] : wordsOf(ask.provider);
    const words = (ask.q ?? "").normalize("NFC").toLowerCase().split(/\s+/).filter(Boolean);
    const filter = {
      ...spanOf(ask, asOf, daysDefault),
      symbols: tickers?.map(({ symbol }) => symbol) ?? null,
      providers: providers.length === 0 ? null : providers,
      words,
      asOf,
    };
    const { total, rows } = await store.list(
      filter,
      { descending: ask.sort !== "asc", limit, offset },
      signal,
    );
    return {
      ...{ count: rows.length, total, limit, offset, has_more: offset + rows.length < total },
      warnings: notesOf(tickers ?? [], asOf),
      data: rows.map(shown),
    };
  };

  return {
    /** Of any or several tickers. */
    many(ask: ListAsk & { readonly tickers?: string | undefined }, signal: AbortSignal) {
      if (ask.tickers === undefined) return list(ask, null, null, signal);
      const { tickers } = parseTickers(ask.tickers);
      if (tickers.length === 0)
        throw new InvalidRequest("no_tickers", "tickers names no symbol.", {
          hint: "Write them as AAPL,MSFT.",
        });
      return list(ask, tickers, null, signal);
    },

    async one(ticker: string, ask: ListAsk, signal: AbortSignal) {
      return { ticker, ...(await list(ask, [{ ticker, symbol: canonical(ticker) }], DAYS_DEFAULT, signal)) };
    },
  };
}

export type NewsListing = ReturnType<typeof newsListing>;
export type ShownArticle = ReturnType<typeof shown>;
