// The financial routes' answers: who the company is, and its statements, one ticker or many.
import { answerEach } from "../../market/bulk.ts";
import { readIssue } from "../../market/issue.ts";
import { canonical, parseTickers, type TickerRequest } from "../../market/ticker.ts";
import type { Period } from "../../market/time-span.ts";
import type { Clock } from "../../platform/clock.ts";
import { AsofError, InvalidRequest, NotConfigured, NotFound } from "../../platform/errors.ts";
import type { Collected, Collector } from "./collect.ts";
import { asOfInstant, resolveSpan } from "./requested-periods.ts";
import type {
  BulkFinancialDataResponse,
  CompanyBlock,
  FinancialDataResponse,
  FinancialOptions,
} from "./schema.ts";
import type { CompanyRecord, FindCompany, ResolveListedFiler } from "./sources.ts";
import type { Present, PresentRequest } from "./statements/present.ts";
import type { FinancialStore } from "./store.ts";
import { warningsKnownAt } from "./warnings.ts";

/** Tickers of a bulk request worked on at once. */
const BULK_CONCURRENCY = 16;

export interface AnswerDeps {
  readonly company: FindCompany;
  readonly resolve: ResolveListedFiler;
  readonly collector: Collector;
  readonly store: FinancialStore;
  readonly present: Present;
  readonly clock: Clock;
}

type Outcome<T> =
  | { readonly value: T; readonly error: null }
  | { readonly value: null; readonly error: AsofError };

/** What came of it; only failures of another kind than the foreseen ones are thrown. */
async function attempt<T>(work: Promise<T>, signal: AbortSignal): Promise<Outcome<T>> {
  try {
    return { value: await work, error: null };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AsofError)) throw error;
    return { value: null, error };
  }
}

/** The same error about the ticker as the client wrote it. */
const retold = (error: AsofError, { ticker, symbol }: TickerRequest): AsofError =>
  error instanceof NotFound
    ? new NotFound(error.code, error.message.replace(symbol, ticker), { ...error.facts, ticker })
    : error;

function blockOf(record: CompanyRecord | null, cik: string | null): CompanyBlock {
  return {
    name: record?.name ?? null,
    cik: record?.cik ?? cik,
    sector: record?.sector ?? null,
    industry: record?.industry ?? null,
    description: record?.description ?? null,
    exchange: record?.exchange ?? null,
    country: record?.country ?? null,
    market_cap: record?.market_cap ?? null,
    website: record?.website ?? null,
    employees: record?.employees ?? null,
    fiscal_year_end: record?.fiscal_year_end ?? null,
    sic: record?.sic ?? null,
    sic_description: record?.sic_description ?? null,
  };
}

/** Whether a symbol is an ordinary share, a class of it included: no preferred, warrant, unit or right. */
export function isOrdinary(symbol: string): boolean {
  const issue = readIssue(symbol);
  return issue?.parts.every((part) => /^[A-OQ-TV-Z]$/.test(part)) ?? false;
}

/** Whether prices of the symbol are prices of the share that the statements speak of. */
function pricedSymbol(
  symbol: string,
  record: CompanyRecord | null,
  isListed: boolean,
): PresentRequest["priced"] {
  if (record === null) return { why: "it is not known which shares the company has." };
  if (!isOrdinary(symbol)) return { why: `${symbol} is no ordinary share.` };
  if (!isListed) return { why: `the SEC no longer lists ${symbol}, which may be another company's by now.` };
  const others = record.share_classes.map(({ ticker }) => canonical(ticker)).filter(isOrdinary);
  if (others.length === 0) return { symbol };
  return {
    why: `the company has several classes of shares (also ${others.join(", ")}), and its figures per share do not say of which.`,
  };
}

export function financialAnswers(deps: AnswerDeps) {
  const { company, resolve, collector, store, present, clock } = deps;

  const spanFor = (options: FinancialOptions, fallback: Period | undefined) => {
    const { period, start_date, end_date, quarters } = options;
    return resolveSpan(
      { period, start_date, end_date, quarters },
      asOfInstant(options.as_of) ?? clock.now(),
      fallback,
    );
  };

  const one = async (
    given: string,
    options: FinancialOptions,
    fallback: Period | undefined,
    signal: AbortSignal,
  ): Promise<FinancialDataResponse> => {
    const ticker = given.trim();
    const request = { ticker, symbol: canonical(ticker) };
    const asOf = asOfInstant(options.as_of);
    const span = spanFor(options, fallback);
    const force = options.force_refresh ?? false;
    const [who, filer] = await Promise.all([
      attempt(company(request.symbol, force, signal), signal),
      attempt(resolve(request.symbol, signal), signal),
    ]);
    // Unknown only where all sources said so: of two faults the one that is no such word is told.
    if (who.error && filer.error)
      throw retold(who.error instanceof NotFound ? filer.error : who.error, request);
    const cik = filer.value?.cik ?? who.value?.cik ?? null;
    const nothing: Collected = { ciks: [], asked: false, failure: filer.error, warnings: [] };
    const collected =
      cik === null ? nothing : await collector.collect(cik, { asOf, start: span.start, force }, signal);
    const { ciks } = collected;
    const states = ciks.map(store.state).filter((state) => state !== null);
    const facts = collector.dated(await store.facts(ciks, signal));
    const failure = collected.failure && retold(collected.failure, request);
    // A missing setting is said aloud, unless something is stored that serves without it.
    if (failure instanceof NotConfigured && facts.length === 0) throw failure;
    if (failure && facts.length === 0 && who.error) throw failure;
    const presented = await present(
      facts,
      {
        span,
        asOf,
        choices: options,
        priced: pricedSymbol(request.symbol, who.value, filer.value?.is_listed ?? false),
      },
      signal,
    );
    const { warnings, priceError, ...parts } = presented;
    const ends = [...parts.income_statement, ...parts.balance_sheet, ...parts.cash_flow].map(
      (row) => row.period_end_date,
    );
    const isNone = failure === null && facts.length === 0;
    return {
      ticker,
      // Of now, and the past cannot be asked: under as_of they would tell what was not known then.
      company: {
        ...blockOf(who.value, cik),
        ...(asOf === null ? {} : { market_cap: null, employees: null }),
      },
      period_type: options.period_type ?? "all",
      start_date: span.start ?? ends.sort()[0] ?? null,
      end_date: span.end,
      ...parts,
      vintage: options.vintage ?? "latest",
      as_of: asOf === null ? null : asOf.toString(),
      data_source: "sec",
      cached: !collected.asked && (facts.length > 0 || failure === null),
      last_updated: states.map((state) => state.read_at).sort()[0] ?? null,
      warnings: [
        ...new Set([
          ...(who.error ? [`Who the company is could not be asked: ${who.error.message}`] : []),
          ...(who.value?.warnings ?? []),
          ...collected.warnings,
          ...(isNone ? [`The SEC has no figures of ${ticker} that a machine can read.`] : []),
          ...warningsKnownAt(
            asOf,
            states.flatMap((state) => [...state.warnings, ...state.schedule_warnings]),
            facts,
          ),
          ...warnings,
        ]),
      ],
      errors: {
        ...(failure ? { financials: failure.message } : {}),
        ...(priceError === null ? {} : { price: priceError }),
      },
    };
  };

  return {
    one,

    async bulk(
      tickers: readonly string[],
      options: FinancialOptions,
      signal: AbortSignal,
    ): Promise<BulkFinancialDataResponse> {
      // A span that contradicts itself fails the request, not each ticker.
      spanFor(options, undefined);
      const requests = parseTickers(tickers).tickers;
      if (requests.length === 0) throw new InvalidRequest("no_tickers", "tickers names no symbol.");
      return answerEach(requests, ({ ticker }) => one(ticker, options, undefined, signal), {
        concurrency: BULK_CONCURRENCY,
        signal,
      });
    },

    /** Brings the figures of a ticker up to date, for the command line. Throws why it could not be done. */
    async collect(ticker: string, force: boolean, signal: AbortSignal): Promise<void> {
      const { cik } = await resolve(ticker, signal);
      const { failure } = await collector.collect(cik, { asOf: null, start: null, force }, signal);
      if (failure) throw failure;
    },
  };
}

export type FinancialAnswers = ReturnType<typeof financialAnswers>;
