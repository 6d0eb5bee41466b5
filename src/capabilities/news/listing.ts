// Lists stored articles by tickers, providers, words and time, as known at an instant.

import type { Static } from "@sinclair/typebox";
import { ifEmpty } from "../../market/absence.ts";
import { pageOf } from "../../market/answer-fields.ts";
import { endOfDay, newYorkDate, startOfDay } from "../../market/calendar.ts";
import { isDate } from "../../market/date.ts";
import { asOfInstant, windowEnd } from "../../market/known-at.ts";
import { parseMoment } from "../../market/moment.ts";
import { wordsOf } from "../../market/params.ts";
import type { Services } from "../../market/services.ts";
import { canonical, parseTickers, type TickerRequest } from "../../market/ticker.ts";
import { resolveTimeSpan } from "../../market/time-span.ts";
import { InvalidRequest } from "../../platform/errors.ts";
import { DAYS_DEFAULT, LIMIT_DEFAULT, type TickerNewsQuery } from "./schema.ts";
import type { NewsStore, StoredArticle } from "./store.ts";
import { type UnreadNewsDeps, unreadNews } from "./unread-news.ts";

export type ListRequest = Omit<Static<typeof TickerNewsQuery>, "format">;

const split = (list: string | null) => (list === null ? [] : list.split(","));

/** An article as the routes return it. */
export const articleOf = ({ tickers, other_providers, ...row }: StoredArticle) => ({
  ...row,
  other_providers: split(other_providers),
  tickers: split(tickers),
});

/**
 * The instant of `from` or `to`; null without one. Throws InvalidRequest for a date or an unreadable text.
 */
function instantOf(name: string, text: string | undefined): Temporal.Instant | null {
  if (text === undefined) return null;
  if (isDate(text))
    throw new InvalidRequest(
      "bad_request",
      `${name} takes an instant; for whole days use start_date and end_date.`,
    );
  const parsed = parseMoment(text);
  if (!parsed.ok) throw new InvalidRequest("bad_request", parsed.detail);
  return parsed.at;
}

export function newsListing(deps: Pick<Services, "clock"> & UnreadNewsDeps & { readonly store: NewsStore }) {
  const { store, clock } = deps;
  const warningsOf = unreadNews(deps);
  /**
   * The requested span: New York days, one or two instants, or days back. Throws InvalidRequest for more than
   * one of them.
   */
  const spanOf = (query: ListRequest, asOf: Temporal.Instant | null, daysDefault: number | null) => {
    const { start_date, end_date, days } = query;
    const hasDates = start_date !== undefined || end_date !== undefined;
    const hasInstants = query.from !== undefined || query.to !== undefined;
    if ([hasDates, hasInstants, days !== undefined].filter(Boolean).length > 1)
      throw new InvalidRequest(
        "conflicting_time_selection",
        "Give only one of start_date with end_date, from with to, or days.",
      );
    if (hasDates) {
      const resolved = resolveTimeSpan(
        { start_date, end_date },
        { today: newYorkDate(clock.now()), isOpen: true },
      );
      if (!resolved.ok) throw new InvalidRequest(resolved.code, resolved.detail);
      const { start, end } = resolved.span;
      return { from: start === null ? null : startOfDay(start), to: endOfDay(end) };
    }
    if (hasInstants) {
      const [from, to] = [instantOf("from", query.from), instantOf("to", query.to)];
      if (from && to && Temporal.Instant.compare(to, from) < 0)
        throw new InvalidRequest("invalid_date_range", "to is earlier than from.");
      return { from, to };
    }
    const back = days ?? daysDefault;
    if (back === null) return { from: null, to: null };
    return { from: windowEnd(asOf, clock.now()).subtract({ hours: 24 * back }), to: null };
  };

  const list = async (
    query: ListRequest,
    tickers: readonly TickerRequest[] | null,
    daysDefault: number | null,
    signal: AbortSignal,
  ) => {
    const asOf = asOfInstant(query.as_of);
    const { limit = LIMIT_DEFAULT, offset = 0 } = query;
    const providers = query.provider === undefined ? [] : wordsOf(query.provider);
    const words = (query.q ?? "").normalize("NFC").toLowerCase().split(/\s+/).filter(Boolean);
    const filter = {
      ...spanOf(query, asOf, daysDefault),
      symbols: tickers?.map(({ symbol }) => symbol) ?? null,
      providers: providers.length === 0 ? null : providers,
      words,
      asOf,
    };
    const { total, rows } = await store.list(
      filter,
      { descending: query.sort !== "asc", limit, offset },
      signal,
    );
    const warnings = warningsOf(filter.providers, tickers ?? [], asOf);
    return {
      ...pageOf(rows.length, total, { limit, offset }),
      warnings:
        warnings.length > 0
          ? warnings
          : ifEmpty(
              rows,
              "nothing_there",
              "No stored article matches, or the page lies behind the last one.",
            ),
      data: rows.map(articleOf),
    };
  };

  return {
    /** Articles of all or several tickers. */
    many(query: ListRequest & { readonly tickers?: string | undefined }, signal: AbortSignal) {
      if (query.tickers === undefined) return list(query, null, null, signal);
      const { tickers } = parseTickers(query.tickers);
      if (tickers.length === 0)
        throw new InvalidRequest("no_tickers", "tickers contains no symbol.", {
          hint: "Write symbols as AAPL,MSFT.",
        });
      return list(query, tickers, null, signal);
    },

    async one(ticker: string, query: ListRequest, signal: AbortSignal) {
      const requests = [{ ticker, symbol: canonical(ticker) }];
      return { ticker, ...(await list(query, requests, DAYS_DEFAULT, signal)) };
    },
  };
}

export type NewsListing = ReturnType<typeof newsListing>;
export type ShownArticle = ReturnType<typeof articleOf>;
