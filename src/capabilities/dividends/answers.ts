// Answers of the dividend routes: the dividends of one or many tickers, as known on a day.
import { absenceOf, absent, explained } from "../../market/absence.ts";
import { pageFacts } from "../../market/answer-fields.ts";
import { answerEach } from "../../market/bulk.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { throwWithClientTicker } from "../../market/client-ticker.ts";
import { earlierDay } from "../../market/date.ts";
import { checkDateRange } from "../../market/date-range.ts";
import type { Services } from "../../market/services.ts";
import { canonical, parseTickers, type TickerRequest } from "../../market/ticker.ts";
import { Answer } from "../../platform/answer.ts";
import type { Cache } from "../../platform/cache/cache.ts";
import { AsofError } from "../../platform/errors.ts";
import { isReplaying } from "../../platform/reading.ts";
import { askedMoment } from "./asked-moment.ts";
import type { DividendCollector, Reading } from "./collect.ts";
import { dividendOf, dividendTable, rowWarnings } from "./rows.ts";
import { type BulkDividendResponse, type DividendCalendar, type DividendRequest, ROWS } from "./schema.ts";
import type { DividendStore, Followed, ReadState } from "./store.ts";
import { versionState } from "./version-state.ts";

/** How many tickers of a bulk request are answered at once. */
const BULK_CONCURRENCY = 8;

export interface AnswerDeps extends Pick<Services, "calendar" | "clock"> {
  readonly collector: DividendCollector;
  readonly cache: Cache<Reading>;
  readonly store: DividendStore;
}

/** How an answer is brought up to date before it is given. */
interface Refresh {
  readonly force: boolean;
  /** The stored reading is too old for the answer, whatever the cache says. */
  readonly isTooOld: boolean;
}

const isBefore = (a: string, b: Temporal.Instant) =>
  Temporal.Instant.compare(Temporal.Instant.from(a), b) < 0;

/**
 * Whether both the payments and the splits of a symbol were read, so that nothing a past day asks for is
 * missing.
 */
const isWhole = ({ coverage, splits_through }: ReadState) => coverage !== null && splits_through !== null;

/**
 * Creates a function that finds the day up to which all splits are known; null when they are not. Splits
 * before `asOf` that were read later count.
 */
function splitsReach({ calendar }: Pick<AnswerDeps, "calendar">) {
  return (followed: ReadState | null, asOf: Temporal.Instant, isNow: boolean): string | null => {
    if (!followed?.splits_through) return null;
    const day = newYorkDate(asOf);
    if (!isNow) return earlierDay(followed.splits_through, day);
    return followed.splits_through >= calendar.latestSession(asOf) ? followed.splits_through : null;
  };
}

/**
 * Creates the function that reads a symbol where an answer needs it. It returns the warnings of the reading.
 */
function freshening({ collector, cache, store, calendar, clock }: AnswerDeps) {
  /** Whether a symbol was read since the newest session opened, which is when splits take effect. */
  const isReadThisSession = (followed: Followed | null): boolean => {
    if (followed === null) return true;
    const opened = calendar.sessionOpen(calendar.latestSession(clock.now()));
    return !isBefore(followed.read_at, opened);
  };

  /**
   * Reads the symbol when the stored reading is too old. A failure becomes a warning when dividends are
   * stored.
   */
  const refresh = async (
    symbol: string,
    { force, isTooOld }: Refresh,
    signal: AbortSignal,
  ): Promise<readonly string[]> => {
    const followed = store.followed(symbol);
    const load = (shared: AbortSignal) => collector.read(symbol, shared);
    try {
      const options = { force: force || isTooOld, signal };
      return (await cache.get(symbol, load, options)).value.warnings;
    } catch (error) {
      signal.throwIfAborted();
      if (force || followed === null || !(error instanceof AsofError)) throw error;
      const sentence = `The providers could not be asked (${error.message}): this is as of ${followed.read_at}.`;
      return [absent(absenceOf(error), sentence)];
    }
  };

  /**
   * Reads the symbol when the answer needs it; `past` is null for an answer as of now. A past day is answered
   * from any reading after it, since that has what was declared or paid by then; a symbol of which a part was
   * never read is asked for again.
   */
  return async (
    symbol: string,
    past: Temporal.Instant | null,
    query: DividendRequest,
    signal: AbortSignal,
  ): Promise<readonly string[]> => {
    const force = query.force_refresh ?? false;
    const followed = store.followed(symbol);
    if (past === null) return refresh(symbol, { force, isTooOld: !isReadThisSession(followed) }, signal);
    if (followed === null || isBefore(followed.read_at, past))
      return refresh(symbol, { force, isTooOld: true }, signal);
    if (!force && isWhole(followed)) return [];
    return refresh(symbol, { force, isTooOld: false }, signal);
  };
}

export function dividendAnswers(deps: AnswerDeps) {
  const { store, calendar, clock } = deps;
  const splitsThrough = splitsReach({ calendar });
  const version = versionState({ store, calendar });
  const freshen = freshening(deps);

  /**
   * How much of a ticker was read, and what that says is missing: of the version where `moment` is its
   * commit, else after reading.
   */
  const stateOf = async (
    request: TickerRequest,
    {
      past,
      moment,
      query,
    }: { past: Temporal.Instant | null; moment: Temporal.Instant | null; query: DividendRequest },
    signal: AbortSignal,
  ): Promise<{ followed: ReadState | null; read: readonly string[] }> => {
    if (moment !== null) {
      const reading = await version.reading(request.symbol, past, moment, signal);
      return { followed: reading, read: reading.warnings };
    }
    const read = await freshen(request.symbol, past, query, signal).catch(throwWithClientTicker(request));
    return { followed: store.followed(request.symbol), read };
  };

  const calendarOf = async (
    request: TickerRequest,
    query: DividendRequest,
    signal: AbortSignal,
  ): Promise<DividendCalendar> => {
    const moment = isReplaying() ? await version.moment(query, signal) : null;
    const { past, as_of_date } = askedMoment(query, moment ?? clock.now());
    const { followed, read } = await stateOf(request, { past, moment, query }, signal);
    // An answer as of now includes rows that were read a moment ago.
    const asOf = past ?? moment ?? clock.now();
    const stored = { symbol: request.symbol, asOf, splitsThrough: followed?.splits_through ?? null };
    const rows = await store.known(stored, signal);
    const through = splitsThrough(followed, asOf, past === null);
    const inRange = rows
      .filter(({ ex_dividend_date: ex }) => ex >= (query.from_date ?? "") && ex <= (query.to_date ?? "9999"))
      .reverse();
    const served = inRange.slice(0, query.limit ?? ROWS);
    const data = served.map((row) => dividendOf(request.ticker, row, through !== null));
    return {
      ticker: request.ticker,
      as_of: past?.toString() ?? null,
      as_of_date,
      count: data.length,
      total: inRange.length,
      splits_known_through: through,
      // A later reading was not known then.
      last_updated:
        followed && !isBefore(asOf.toString(), Temporal.Instant.from(followed.read_at))
          ? followed.read_at
          : null,
      warnings: [
        ...explained(data, read, "No dividend of this ticker that was known then is in these days."),
        ...rowWarnings(served),
      ],
      data,
    };
  };

  return {
    async one(given: string, query: DividendRequest, signal: AbortSignal) {
      checkDateRange(query);
      const ticker = given.trim();
      const answer = await calendarOf({ ticker, symbol: canonical(ticker) }, query, signal);
      return new Answer(() => answer, {
        table: dividendTable(`dividends_${answer.ticker}`, answer.data),
        page: pageFacts(answer),
      });
    },

    async bulk(
      tickers: readonly string[],
      query: DividendRequest,
      signal: AbortSignal,
    ): Promise<BulkDividendResponse> {
      checkDateRange(query);
      const requests = parseTickers(tickers).tickers;
      return answerEach(requests, (request) => calendarOf(request, query, signal), {
        concurrency: BULK_CONCURRENCY,
        signal,
      });
    },
  };
}

export type DividendAnswers = ReturnType<typeof dividendAnswers>;
