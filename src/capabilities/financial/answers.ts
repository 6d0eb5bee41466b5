// Answers of the financial routes: the company and its statements, for one ticker or many.
import { answerEach, Lacking } from "../../market/bulk.ts";
import { withClientTicker } from "../../market/client-ticker.ts";
import { asOfInstant } from "../../market/known-at.ts";
import type { Services } from "../../market/services.ts";
import { canonical, parseTickers, type TickerRequest } from "../../market/ticker.ts";
import type { Period } from "../../market/time-span.ts";
import { Answer } from "../../platform/answer.ts";
import {
  type AsofError,
  InvalidRequest,
  NotConfigured,
  NotFound,
  StorageUnavailable,
  UpstreamTimeout,
} from "../../platform/errors.ts";
import { isReplaying } from "../../platform/reading.ts";
import { type FigureWarning, type FinancialFact, knownAt, tierOf } from "../../providers/edgar/index.ts";
import type { Collected, Collector, CollectRequest } from "./collect.ts";
import type { FilerState } from "./filer-states.ts";
import { longTable } from "./long-table.ts";
import { attempt, type Outcome } from "./outcome.ts";
import type { PresentationReader, Presentations } from "./presentations.ts";
import { pricedSymbol } from "./priced-symbol.ts";
import { resolveSpan } from "./requested-periods.ts";
import type {
  BulkFinancialDataResponse,
  CompanyBlock,
  FinancialDataResponse,
  FinancialOptions,
} from "./schema.ts";
import type { CompanyRecord, FindCompany, FindPastCompany, ResolveListedFiler } from "./sources.ts";
import { isOfCover, ofListed } from "./statements/figure-basis.ts";
import { FOREIGN_FORM } from "./statements/metric-closes.ts";
import { neededReports } from "./statements/places.ts";
import { knownFacts, type Present, type Presented, type PresentRequest } from "./statements/present.ts";
import type { FinancialStore } from "./store.ts";
import { type TimeBudget, timeBudget } from "./time-budget.ts";
import type { StatementVersions } from "./version-state.ts";
import { distinct, lackingReports, note, warningsKnownAt, withoutMended } from "./warnings.ts";

/**
 * Whether the newest periodic report of a filer gives one count of shares on its cover. A filer with several
 * classes gives a count for each class there, and those counts are not in the SEC's figures. Facts must be
 * those that were known at the moment.
 */
export function reportsOneClass(facts: readonly FinancialFact[], cik: string | null): boolean {
  let newest: { readonly report: string; readonly at: string } | null = null;
  for (const fact of facts) {
    if (fact.cik !== cik || fact.source !== "xbrl" || tierOf(fact.form) !== "periodic") continue;
    const at = FOREIGN_FORM.test(fact.form) ? null : knownAt(fact);
    if (at !== null && (newest === null || at > newest.at)) newest = { report: fact.accession_number, at };
  }
  return facts.some((fact) => fact.accession_number === newest?.report && isOfCover(fact));
}

/** Tickers of a bulk request worked on at once. */
const BULK_CONCURRENCY = 16;

export interface AnswerDeps extends Pick<Services, "clock"> {
  readonly company: FindCompany;
  readonly companyAt: FindPastCompany;
  readonly resolve: ResolveListedFiler;
  readonly collector: Collector;
  readonly store: FinancialStore;
  readonly versions: Pick<StatementVersions, "read">;
  readonly presentations: Pick<PresentationReader, "of">;
  readonly present: Present;
  /** Milliseconds that the prices of a whole request may take. */
  readonly priceMsMax: number;
}

const latePrices = () =>
  new UpstreamTimeout(
    "price",
    "The prices did not arrive in the time they have in a request; stored prices are used. Ask again for the rest.",
  );

type Filer = Awaited<ReturnType<ResolveListedFiler>>;

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

const isPast = (asOf: Temporal.Instant | null, now: Temporal.Instant): asOf is Temporal.Instant =>
  asOf !== null && Temporal.Instant.compare(asOf, now) < 0;

/** The data of one request before its statements are selected. */
interface Gathered {
  readonly company: Outcome<CompanyRecord>;
  readonly cik: string | null;
  readonly filer: Filer | null;
  readonly collected: Collected;
  readonly states: readonly FilerState[];
  readonly facts: readonly FinancialFact[];
  /** Warnings noted while the figures were read that were known at `as_of`. */
  readonly noted: readonly FigureWarning[];
  /** Why the regulator gave no figures, with the client's ticker. */
  readonly failure: AsofError | null;
}

function pricedOf(
  symbol: string,
  { company, filer, facts, cik }: Gathered,
  asOf: Temporal.Instant | null,
  now: Temporal.Instant,
): PresentRequest["priced"] {
  const past = isPast(asOf, now) ? { hasOneClass: reportsOneClass(knownFacts(facts, asOf), cik) } : null;
  return pricedSymbol({ symbol, company: company.value, filer, past });
}

/** A warning that counts the reports of a request whose presented statements are still to be read. */
function pendingWarnings(presentations: Presentations): FigureWarning[] {
  const count = [...presentations.values()].filter(({ kind }) => kind === "not_read").length;
  if (count === 0) return [];
  const detail = `The cash flow statements that ${count} reports present are not read yet, and figures that need them are null. They are read in the background: ask again later.`;
  return [note("presentation_not_read", detail)];
}

function warningsOf(
  ticker: string,
  asOf: Temporal.Instant | null,
  { company, filer, collected, facts, failure, noted }: Gathered,
  presentations: Presentations,
  presented: Presented,
): FigureWarning[] {
  const lookup = company.error && `The company could not be looked up: ${company.error.message}`;
  const isEmpty = failure === null && facts.length === 0;
  return distinct([
    ...(filer?.warnings ?? []).map(({ code, detail }) => note(code, detail)),
    ...(lookup === null ? [] : [note("company_unread", lookup)]),
    ...(company.value?.warnings ?? []).map((text) => note("company", text)),
    ...collected.warnings,
    ...(failure === null ? lackingReports(collected.reports, facts, asOf) : []),
    ...pendingWarnings(presentations),
    ...(isEmpty ? [note("no_figures", `The SEC has no machine-readable figures of ${ticker}.`)] : []),
    ...withoutMended(noted, presented.allRows),
    ...presented.warnings,
  ]);
}

const shownWarning = ({ code, line, period_end, accession_number, detail }: FigureWarning) => ({
  code,
  line,
  period_end,
  accession_number,
  detail,
});

function answerOf(
  ticker: string,
  options: FinancialOptions,
  asOf: Temporal.Instant | null,
  gathered: Gathered,
  presentations: Presentations,
  presented: Presented,
): FinancialDataResponse {
  const { company, cik, collected, states, facts, failure } = gathered;
  const { warnings: _, allRows: __, days, priceError, ...parts } = presented;
  const warnings = warningsOf(ticker, asOf, gathered, presentations, presented);
  const ends = [...parts.income_statement, ...parts.balance_sheet, ...parts.cash_flow].map(
    (row) => row.period_end_date,
  );
  return {
    ticker,
    company: {
      ...blockOf(company.value, cik),
      // Only today's values are known: under as_of they would reveal what was not known then.
      ...(asOf === null ? {} : { market_cap: null, employees: null }),
    },
    period_type: options.period_type ?? "all",
    start_date: days.start ?? ends.sort()[0] ?? null,
    end_date: days.end,
    ...parts,
    vintage: options.vintage ?? "latest",
    as_of: asOf === null ? null : asOf.toString(),
    acceptance_pending: collected.acceptance_pending ?? 0,
    data_source: "sec",
    cached: !collected.asked && (facts.length > 0 || failure === null),
    last_updated: states.map((state) => state.read_at).sort()[0] ?? null,
    // One reason may hold for many periods.
    warnings: [...new Set(warnings.map(({ detail }) => detail))],
    warning_details: warnings.map(shownWarning),
    errors: {
      ...(failure ? { financials: failure.message } : {}),
      ...(priceError === null ? {} : { price: priceError }),
    },
  };
}

/** Finds the filer behind a ticker and its company; at a past moment what was known of the company then. */
function identifier({
  company: findCompany,
  companyAt,
  resolve,
  clock,
}: Pick<AnswerDeps, "company" | "companyAt" | "resolve" | "clock">) {
  return async (
    { symbol }: TickerRequest,
    { asOf, force }: CollectRequest,
    signal: AbortSignal,
  ): Promise<[Outcome<CompanyRecord>, Outcome<Filer>]> => {
    const resolved = attempt(resolve(symbol, asOf, signal), signal);
    // In an earlier version the moment of its commit is past, and what was recorded of the company then is in
    // it.
    const moment = asOf ?? (isReplaying() ? clock.now() : null);
    if (moment === null || !(isReplaying() || isPast(moment, clock.now())))
      return Promise.all([attempt(findCompany(symbol, force, signal), signal), resolved]);
    const filer = await resolved;
    if (filer.value === null) return [filer, filer];
    return [await attempt(companyAt(symbol, filer.value.cik, moment, signal), signal), filer];
  };
}

/** Whether a failure is this installation's own: without stored figures it then fails the request. */
// Without SEC_USER_AGENT, or on a full disk, a company that was never read has no answer.
const isOurs = (failure: AsofError): boolean =>
  failure instanceof NotConfigured || failure instanceof StorageUnavailable;

/** The figures as dated now, and what was noted of them. */
function storedOf(
  { collector, store }: Pick<AnswerDeps, "collector" | "store">,
  read: readonly FinancialFact[],
  ciks: readonly string[],
  asOf: Temporal.Instant | null,
): Pick<Gathered, "facts" | "states" | "noted"> {
  const facts = collector.dated(read);
  const states = ciks.map(store.state).filter((state) => state !== null);
  const noted = states.flatMap((state) => [...state.warnings, ...state.schedule_warnings]);
  const { acceptanceOf } = collector;
  return { facts, states, noted: warningsKnownAt({ asOf, noted, facts, acceptanceOf }) };
}

/** The options; trailing twelve months are derived altogether. */
const withDerived = (options: FinancialOptions): FinancialOptions =>
  options.period_type === "ttm" ? { ...options, include_derived: true } : options;

/** An answer, and why its figures could not be brought up to date. */
interface Answered {
  readonly body: FinancialDataResponse;
  readonly failure: AsofError | null;
}

/** One answer of a bulk request: without a statement, because the figures could not be had, it failed. */
function oneOfMany({ body, failure }: Answered) {
  const { income_statement, balance_sheet, cash_flow } = body;
  const isEmpty = income_statement.length + balance_sheet.length + cash_flow.length === 0;
  return isEmpty && failure !== null ? new Lacking(body, failure) : body;
}

export function financialAnswers(deps: AnswerDeps) {
  const { resolve, collector, store, versions, present, clock } = deps;
  const identify = identifier(deps);
  const priceTime = () => timeBudget(deps.priceMsMax, latePrices);

  const spanFor = (
    { period, start_date, end_date, quarters, as_of }: FinancialOptions,
    fallback: Period | undefined,
  ) => {
    const moments = { asOf: asOfInstant(as_of), now: clock.now() };
    return resolveSpan({ period, start_date, end_date, quarters }, moments, fallback);
  };

  /**
   * Looks the company and its filer up and collects its figures. Throws only when there is nothing to serve.
   */
  const gather = async (
    request: TickerRequest,
    needed: CollectRequest,
    signal: AbortSignal,
  ): Promise<Gathered> => {
    const [company, filer] = await identify(request, needed, signal);
    // The ticker is unknown only when both sources said so: an outage of either is reported instead.
    // A missing setting is named before an outage: the operator can mend it, and statements need it.
    if (company.error && filer.error) {
      const isFilerTheReason = company.error instanceof NotFound || filer.error instanceof NotConfigured;
      throw withClientTicker(isFilerTheReason ? filer.error : company.error, request);
    }
    // A company that had no such ticker then must not answer in place of the one that had it.
    if (needed.asOf !== null && filer.error instanceof NotFound && company.value?.cik)
      throw withClientTicker(filer.error, request);
    const cik = filer.value?.cik ?? company.value?.cik ?? null;
    const nothing: Collected = { ciks: [], asked: false, failure: filer.error, reports: [], warnings: [] };
    const collected = cik === null ? nothing : await collector.collect(cik, needed, signal);
    const read = await store.facts(collected.ciks, signal);
    const { facts, states, noted } = await versions.read(collected.ciks, () =>
      storedOf(deps, read, collected.ciks, needed.asOf),
    );
    const failure = collected.failure && withClientTicker(collected.failure, request);
    if (failure && facts.length === 0 && (isOurs(failure) || company.error)) throw failure;
    return {
      company,
      cik,
      noted,
      filer: filer.value,
      collected,
      states,
      facts: filer.value?.is_listed ? ofListed(facts) : facts,
      failure,
    };
  };

  const answered = async (
    given: string,
    asked: FinancialOptions,
    fallback: Period | undefined,
    limit: TimeBudget,
    signal: AbortSignal,
  ): Promise<Answered> => {
    const ticker = given.trim();
    const options = withDerived(asked);
    const request = { ticker, symbol: canonical(ticker) };
    const asOf = asOfInstant(options.as_of);
    const span = spanFor(options, fallback);
    const needed = { asOf, start: span.start, force: options.force_refresh ?? false };
    const gathered = await gather(request, needed, signal);
    const priced = pricedOf(request.symbol, gathered, asOf, clock.now());
    const { include_derived = false } = options;
    const reports = neededReports(gathered.facts, { span, asOf, include_derived });
    const presentations = await deps.presentations.of(reports, needed.force, signal);
    const presented = await present(
      gathered.facts,
      { span, asOf, choices: options, cik: gathered.cik, priced, limit, presentations },
      signal,
    );
    const body = answerOf(ticker, options, asOf, gathered, presentations, presented);
    return { body, failure: gathered.failure };
  };
  const one = async (...asked: Parameters<typeof answered>) => (await answered(...asked)).body;

  return {
    one: (ticker: string, options: FinancialOptions, fallback: Period | undefined, signal: AbortSignal) =>
      one(ticker, options, fallback, priceTime(), signal),

    /** Answers as `one` does, with the figures as rows. */
    tabular(
      ticker: string,
      options: FinancialOptions,
      fallback: Period,
      signal: AbortSignal,
    ): Answer<FinancialDataResponse> {
      const withSources = { ...options, include_sources: true, include_metrics: false };
      return new Answer(() => one(ticker, options, fallback, priceTime(), signal), {
        table: async () => longTable(await one(ticker, withSources, fallback, priceTime(), signal)),
      });
    },

    async bulk(
      tickers: readonly string[],
      options: FinancialOptions,
      signal: AbortSignal,
    ): Promise<BulkFinancialDataResponse> {
      // A contradictory span fails the whole request, not each ticker.
      spanFor(options, undefined);
      const requests = parseTickers(tickers).tickers;
      if (requests.length === 0) throw new InvalidRequest("no_tickers", "tickers names no symbol.");
      const limit = priceTime();
      const each = async ({ ticker }: TickerRequest) =>
        oneOfMany(await answered(ticker, options, undefined, limit, signal));
      return answerEach(requests, each, { concurrency: BULK_CONCURRENCY, signal });
    },

    /** Brings the figures of a ticker up to date, for the command line. Throws the error when that fails. */
    async collect(ticker: string, force: boolean, signal: AbortSignal): Promise<void> {
      const { cik } = await resolve(ticker, null, signal);
      const { failure } = await collector.collect(cik, { asOf: null, start: null, force }, signal);
      if (failure) throw failure;
    },
  };
}

export type FinancialAnswers = ReturnType<typeof financialAnswers>;
