// The dividend routes' answers: what was known of a ticker's dividends on a day, one ticker or many.
import { answerEach } from "../../market/bulk.ts";
import { type Calendar, endOfDay, newYorkDate } from "../../market/calendar.ts";
import { earlierDay } from "../../market/date.ts";
import { canonical, parseTickers, type TickerRequest } from "../../market/ticker.ts";
import { Answer, type Table } from "../../platform/answer.ts";
import type { Memory } from "../../platform/cache/cache.ts";
import type { Clock } from "../../platform/clock.ts";
import { AsofError, InvalidRequest, NotFound } from "../../platform/errors.ts";
import type { DividendCollector, Reading } from "./collect.ts";
import {
  type BulkDividendResponse,
  type Dividend,
  type DividendAsk,
  type DividendCalendar,
  ROWS,
} from "./schema.ts";
import type { DividendStore, Followed, KnownDividend } from "./store.ts";

/** Tickers of a bulk request worked on at once. */
const BULK_CONCURRENCY = 8;

export interface AnswerDeps {
  readonly collector: DividendCollector;
  readonly cache: Memory<Reading>;
  readonly store: DividendStore;
  readonly calendar: Calendar;
  readonly clock: Clock;
}

const COLUMNS = [
  ["ticker", "VARCHAR"],
  ["ex_dividend_date", "DATE"],
  ["declaration_date", "DATE"],
  ["record_date", "DATE"],
  ["payment_date", "DATE"],
  ["amount", "DOUBLE"],
  ["adjusted_amount", "DOUBLE"],
  ["currency", "VARCHAR"],
  ["frequency", "VARCHAR"],
  ["dividend_type", "VARCHAR"],
  ["status", "VARCHAR"],
  ["as_of_date", "DATE"],
  ["revision", "BIGINT"],
  ["known_at", "TIMESTAMPTZ"],
  ["source", "VARCHAR"],
] as const;

function tableOf(answer: DividendCalendar): Table {
  return {
    name: `dividends_${answer.ticker}`,
    columns: COLUMNS.map(([name, type]) => ({ name, type })),
    *rows() {
      for (const row of answer.data) yield COLUMNS.map(([name]) => row[name]);
    },
  };
}

function checkSpan({ from_date, to_date }: DividendAsk): void {
  if (from_date !== undefined && to_date !== undefined && to_date < from_date)
    throw new InvalidRequest(
      "invalid_date_range",
      `to_date ${to_date} is earlier than from_date ${from_date}.`,
    );
}

/** The same error, its ticker as the client wrote it. */
function retold(error: unknown, { ticker, symbol }: TickerRequest): unknown {
  if (!(error instanceof NotFound)) return error;
  return new NotFound(error.code, error.message.replace(symbol, ticker), { ...error.facts, ticker });
}

const TYPES = ["cash", "special", "stock"] as const;
const STATUSES = ["declared", "paid", "cancelled", "estimated"] as const;

function shown(ticker: string, row: KnownDividend, areSplitsKnown: boolean): Dividend {
  const reported = row.basis_date === null ? row.amount : row.reported_amount;
  const isKnown = areSplitsKnown && reported !== null && row.split_factor !== null;
  return {
    ticker,
    ex_dividend_date: row.ex_dividend_date,
    declaration_date: row.declaration_date,
    record_date: row.record_date,
    payment_date: row.payment_date,
    amount: row.amount,
    adjusted_amount: isKnown ? Number((reported * (row.split_factor ?? 1)).toPrecision(12)) : null,
    currency: row.currency,
    frequency: row.frequency,
    dividend_type: TYPES.find((type) => type === row.dividend_type) ?? null,
    status: STATUSES.find((status) => status === row.status) ?? "declared",
    as_of_date: row.as_of_date,
    revision: row.revision,
    known_at: row.known_at,
    source: row.source,
  };
}

export function dividendAnswers({ collector, cache, store, calendar, clock }: AnswerDeps) {
  /** Read since the newest session opened, when splits come into force. */
  const isOfThisSession = (held: Followed | null): boolean => {
    if (held === null) return true;
    const opened = calendar.sessionOpen(calendar.latestSession(clock.now()));
    return Temporal.Instant.compare(Temporal.Instant.from(held.read_at), opened) >= 0;
  };

  /** Sees to it that the store is fresh; what could not be done becomes a warning where something is stored. */
  const refresh = async (symbol: string, force: boolean, signal: AbortSignal): Promise<readonly string[]> => {
    const held = store.followed(symbol);
    const load = (shared: AbortSignal) => collector.read(symbol, shared);
    try {
      const how = { force: force || !isOfThisSession(held), signal };
      return (await cache.get(symbol, load, how)).value.warnings;
    } catch (error) {
      signal.throwIfAborted();
      const isOutage = error instanceof AsofError && (!(error instanceof NotFound) || held !== null);
      if (force || held === null || !isOutage) throw error;
      return [`The providers could not be asked (${error.message}): this is as of ${held.read_at}.`];
    }
  };

  /** Up to which day splits are known to somebody who knows what was known at `asOf`; null: they are not. */
  const splitsThrough = (held: Followed | null, asOf: Temporal.Instant, isNow: boolean): string | null => {
    if (!held?.splits_since || !held.splits_through) return null;
    if (Temporal.Instant.compare(Temporal.Instant.from(held.splits_since), asOf) > 0) return null;
    const day = newYorkDate(asOf);
    if (!isNow) return earlierDay(held.splits_through, day);
    return held.splits_through >= calendar.latestSession(asOf) ? held.splits_through : null;
  };

  const one = async (
    request: TickerRequest,
    ask: DividendAsk,
    signal: AbortSignal,
  ): Promise<DividendCalendar> => {
    const now = clock.now();
    const today = newYorkDate(now);
    // A day that lies ahead can only mean what is known now.
    const asked = ask.as_of_date === undefined || ask.as_of_date > today ? today : ask.as_of_date;
    const isNow = asked === today;
    const warnings = isNow
      ? await refresh(request.symbol, ask.force_refresh ?? false, signal).catch((error: unknown) => {
          throw retold(error, request);
        })
      : ["With as_of_date only what this service had read by then is known, and nothing is fetched."];
    const asOf = isNow ? clock.now() : endOfDay(asked);
    const rows = await store.known(request.symbol, asOf, signal);
    const held = store.followed(request.symbol);
    const through = splitsThrough(held, asOf, isNow);
    const wanted = rows
      .filter(({ ex_dividend_date: ex }) => ex >= (ask.from_date ?? "") && ex <= (ask.to_date ?? "9999"))
      .reverse();
    const data = wanted
      .slice(0, ask.limit ?? ROWS)
      .map((row) => shown(request.ticker, row, through !== null));
    return {
      ticker: request.ticker,
      as_of_date: asked,
      count: data.length,
      total: wanted.length,
      splits_known_through: through,
      last_updated: held?.read_at ?? null,
      warnings: [...warnings],
      data,
    };
  };

  return {
    async one(given: string, ask: DividendAsk, signal: AbortSignal) {
      checkSpan(ask);
      const ticker = given.trim();
      const answer = await one({ ticker, symbol: canonical(ticker) }, ask, signal);
      return new Answer(() => answer, { table: tableOf(answer) });
    },

    async bulk(
      tickers: readonly string[],
      ask: DividendAsk,
      signal: AbortSignal,
    ): Promise<BulkDividendResponse> {
      checkSpan(ask);
      const requests = parseTickers(tickers).tickers;
      return answerEach(requests, (request) => one(request, ask, signal), {
        concurrency: BULK_CONCURRENCY,
        signal,
      });
    },
  };
}

export type DividendAnswers = ReturnType<typeof dividendAnswers>;
