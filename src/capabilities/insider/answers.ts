// The answers of the insider routes: selects the trades, fetches those that are missing, and computes
// figures.
import { INSIDER_FETCH_DAYS } from "../../limits.ts";
import { absent, explained } from "../../market/absence.ts";
import { pageOf } from "../../market/answer-fields.ts";
import { newYorkDate } from "../../market/calendar.ts";
import type { Coverage, CoverageRequest, DayCoverage } from "../../market/coverage.ts";
import { addDays } from "../../market/date.ts";
import { holderWarnings, type ResolveHolder, type SymbolsOf } from "../../market/issuer.ts";
import { asOfInstant, windowEnd } from "../../market/known-at.ts";
import type { Services } from "../../market/services.ts";
import { Answer } from "../../platform/answer.ts";
import { instantText } from "../../platform/instant-text.ts";
import { balanceOf, buyingOf, duplicateWarning, PURCHASE, SALE } from "./figures.ts";
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
import type { InsiderTrades, TradeFilter } from "./trades.ts";

/**
 * The index of insiders' filings. Both methods throw NotConfigured or Upstream* if the SEC fails and nothing
 * is stored.
 */
export interface FilingCoverage {
  /** Indexes and reads what is missing of a company's filings. */
  ensureIssuer(
    request: CoverageRequest & { readonly kind: "insider" },
    signal: AbortSignal,
  ): Promise<Coverage>;
  /**
   * Indexes and reads the filings of a day, of all companies, where the day had begun at `asOf`. Throws
   * NotFound `no_data` if its index is not published.
   */
  ensureDay(date: string, kind: "insider", asOf: Temporal.Instant, signal: AbortSignal): Promise<DayCoverage>;
}

/** The windows of a summary, the widest last. */
const WINDOWS = [
  { name: "3m", months: 3 },
  { name: "6m", months: 6 },
  { name: "12m", months: 12 },
] as const;

export interface InsiderDeps extends Pick<Services, "clock"> {
  readonly resolve: ResolveHolder<"cik" | "predecessor_ciks" | "warnings">;
  readonly symbolsOf: SymbolsOf;
  readonly coverage: FilingCoverage;
  readonly trades: InsiderTrades;
}

/** The moment a request is about. */
interface Moment {
  /** As the answer echoes it. */
  readonly as_of: string;
  /** The moment as an instant; null for now, when the request gave none. */
  readonly at: Temporal.Instant | null;
  /** The moment as instants are stored. */
  readonly knownBy: string;
  /** The moment in milliseconds, but never later than now. */
  readonly untilMs: number;
  /** The day of `untilMs` in New York: the last day whose trades are selected. */
  readonly day: string;
}

const NO_TRADES = "No trade of these days that was public then is on this page.";

/** Warns if filings of the requested days may be missing. */
function completenessWarning(firstDay: string, data_from: string | null): string[] {
  if (data_from === null) return [absent("not_read", "The filings of these days may be incomplete.")];
  if (firstDay >= data_from) return [];
  return [
    absent("not_read", `Complete for filings dated from ${data_from}. Earlier filings may be missing.`),
  ];
}

/** Adds what is known of the prices and days of the answer's trades. */
const withDoubts = <M extends object>(
  { metadata, warnings }: { readonly metadata: M; readonly warnings: readonly string[] },
  doubts: { readonly closes_checked: number; readonly warnings: readonly string[] },
) => ({
  metadata: { ...metadata, closes_checked: doubts.closes_checked },
  warnings: [...warnings, ...doubts.warnings],
});

/** The parts of answers about a company: the moment, its filings completed, and a page of its trades. */
function requestParts({ resolve, coverage, trades, clock }: Omit<InsiderDeps, "symbolsOf">) {
  const momentOf = (given: string | undefined): Moment => {
    const as_of = given ?? clock.now().toString({ smallestUnit: "second" });
    const at = asOfInstant(as_of);
    const until = windowEnd(at, clock.now());
    return {
      as_of,
      at: given === undefined ? null : at,
      knownBy: instantText(at.epochMilliseconds),
      untilMs: until.epochMilliseconds,
      day: newYorkDate(until),
    };
  };

  /**
   * Finds the company behind a ticker, and completes its stored filings of the window before the moment, at
   * least of the fetch span.
   */
  const completeIssuer = async (
    ticker: string,
    moment: Moment,
    days: number,
    force: boolean,
    signal: AbortSignal,
  ) => {
    const { cik, predecessor_ciks, ...holder } = await resolve(ticker, moment.at, signal);
    const ciks = [cik, ...predecessor_ciks];
    const from = addDays(moment.day, -Math.max(days, INSIDER_FETCH_DAYS));
    const request = { ciks, kind: "insider" as const, from, untilMs: moment.untilMs, force };
    const { warnings, ...metadata } = await coverage.ensureIssuer(request, signal);
    // The forms that were read for this answer may prove what was unproven before.
    const isUnproven = holder.warnings.some(({ code }) => code === "holder_unproven");
    const proven = isUnproven && metadata.fetched_count > 0 ? await resolve(ticker, moment.at, signal) : null;
    const aboutHolder = holderWarnings(proven?.cik === cik ? proven : holder);
    const first = addDays(moment.day, -days);
    return {
      ciks,
      metadata,
      warnings: [...aboutHolder, ...warnings, ...completenessWarning(first, metadata.data_from)],
      from: addDays(first, 1),
      to: moment.day,
    };
  };

  /** A page of the trades of a company in the days before a moment. */
  const pageOfIssuer = async (
    ticker: string,
    moment: Moment,
    {
      days,
      force = false,
      limit = 100,
      offset = 0,
    }: { days: number; force?: boolean; limit?: number; offset?: number },
    which: Pick<TradeFilter, "code" | "type">,
    signal: AbortSignal,
  ) => {
    const { warnings, metadata, ...span } = await completeIssuer(ticker, moment, days, force, signal);
    const filter = { knownBy: moment.knownBy, ...span, ...which };
    const { data, total, doubts } = await trades.list(
      filter,
      { limit, offset },
      async () => () => ticker,
      signal,
    );
    const page = pageOf(data.length, total, { limit, offset });
    const judged = withDoubts({ metadata, warnings }, doubts);
    return { ...page, data, ...judged, warnings: explained(data, judged.warnings, NO_TRADES) };
  };

  return { momentOf, completeIssuer, pageOfIssuer };
}

export function insiderAnswers(deps: InsiderDeps) {
  const { symbolsOf, coverage, trades } = deps;
  const { momentOf, completeIssuer, pageOfIssuer } = requestParts(deps);
  const mainSymbols = (at: Temporal.Instant, signal: AbortSignal) => async (ciks: readonly string[]) => {
    const symbols = await symbolsOf(ciks, at, signal);
    return (cik: string) => symbols.get(cik) ?? null;
  };

  return {
    async transactions(
      symbol: string,
      { days = 365, transaction_type: type, ...query }: TransactionsQuery,
      signal: AbortSignal,
    ): Promise<TransactionsAnswer> {
      const moment = momentOf(query.as_of);
      const page = await pageOfIssuer(symbol, moment, { ...query, days }, type ? { type } : {}, signal);
      return { symbol, as_of: moment.as_of, ...page };
    },

    async summary(symbol: string, given: string | undefined, signal: AbortSignal): Promise<SummaryAnswer> {
      const moment = momentOf(given);
      const today = Temporal.PlainDate.from(moment.day);
      const { metadata, warnings, ...span } = await completeIssuer(symbol, moment, 366, false, signal);
      const sums = {
        buy_value: `transaction_code = '${PURCHASE}'`,
        sell_value: `transaction_code = '${SALE}'`,
      };
      const opens = WINDOWS.map(({ months }) => addDays(today.subtract({ months }).toString(), 1));
      const filter = { knownBy: moment.knownBy, ...span };
      const found = await trades.figures(filter, opens, sums, signal);
      const would = found.flatMap((one, at) => one.would.map((sum) => `${WINDOWS[at]?.name} ${sum}`));
      const balances = found.map(({ trades, dollars }) => balanceOf(trades, dollars));
      const windows = Object.fromEntries(WINDOWS.map(({ name }, at) => [name, balances[at]]));
      const base = { metadata, warnings: [...warnings, ...duplicateWarning(would)] };
      const doubts = found.at(-1)?.doubts ?? { closes_checked: 0, warnings: [] };
      return {
        symbol,
        as_of: moment.as_of,
        windows: windows as SummaryAnswer["windows"],
        ...withDoubts(base, doubts),
      };
    },

    async form4(
      ticker: string,
      {
        window_days = INSIDER_FETCH_DAYS,
        buy_only = false,
        force_refresh: force = false,
        ...query
      }: Form4Query,
      signal: AbortSignal,
    ): Promise<Form4Answer> {
      const moment = momentOf(query.as_of);
      const which = buy_only ? { code: PURCHASE } : {};
      const page = await pageOfIssuer(ticker, moment, { ...query, days: window_days, force }, which, signal);
      return { ticker, as_of: moment.as_of, window_days, buy_only, ...page };
    },

    async aggregate(ticker: string, query: AggregateQuery, signal: AbortSignal): Promise<AggregateAnswer> {
      const { window_days = 90, buy_only = true, force_refresh: force = false } = query;
      const moment = momentOf(query.as_of);
      const { metadata, warnings, ...span } = await completeIssuer(
        ticker,
        moment,
        window_days,
        force,
        signal,
      );
      const which = buy_only ? { code: PURCHASE } : { direction: "A" as const };
      const filter = { knownBy: moment.knownBy, ...span, ...which };
      const sums = { buy_dollar_total: "true" };
      const [buying] = await trades.figures(filter, [filter.from], sums, signal);
      if (!buying) throw new Error("one window has one row of figures");
      const base = { metadata, warnings: [...warnings, ...duplicateWarning(buying.would)] };
      return {
        ticker,
        as_of: moment.as_of,
        window_days,
        buy_only,
        ...buyingOf(buying.trades, buying.dollars),
        ...withDoubts(base, buying.doubts),
      };
    },

    /** Trades of all companies filed on a day, as known at its end unless `as_of` says otherwise. */
    async byDate(date: string, query: ByDateQuery, signal: AbortSignal): Promise<Answer<ByDateAnswer>> {
      const { buy_only = false, limit = 1_000, offset = 0 } = query;
      const { as_of, knownBy } = momentOf(query.as_of ?? date);
      const at = asOfInstant(as_of);
      const day = await coverage.ensureDay(date, "insider", at, signal);
      const { pending_count, retry_after_s, warnings } = day;
      const filter = { knownBy, filing_date: date, ...(buy_only ? { code: PURCHASE } : {}) };
      const { data, total, doubts } = await trades.list(
        filter,
        { limit, offset },
        mainSymbols(at, signal),
        signal,
      );
      const body = {
        date,
        as_of,
        ...pageOf(data.length, total, { limit, offset }),
        data,
        pending_count,
        warnings: explained(data, [...warnings, ...doubts.warnings], NO_TRADES),
      };
      return new Answer(() => body, {
        ...(retry_after_s === null ? {} : { headers: { "retry-after": String(retry_after_s) } }),
      });
    },
  };
}

export type InsiderAnswers = ReturnType<typeof insiderAnswers>;
