// Answers the parse routes: many tickers at once, or one filing by its number.
import type { Static } from "@sinclair/typebox";
import { PARSE_BULK_DEADLINE_S } from "../../limits.ts";
import { mapSettled } from "../../market/bulk.ts";
import type { Services } from "../../market/services.ts";
import { parseTickers } from "../../market/ticker.ts";
import { AsofError, InvalidRequest } from "../../platform/errors.ts";
import { accessionNumber } from "../../providers/edgar/index.ts";
import { CURRENT_REPORTS, isCurrentReport } from "./forms.ts";
import { acceptanceFields } from "./known-at.ts";
import type { FilingParser, ParseResult } from "./parse-filing.ts";
import type { LakePublisher } from "./publish.ts";
import { checkDates, type RequestedFiler, type RequestedFilers } from "./requested-filer.ts";
import type { BulkParseRequest, ParseResultAnswer } from "./schema.ts";
import type { FilingSource } from "./sources.ts";
import type { FilingsStore, FoundFiling } from "./store.ts";
import { withTimeLimit } from "./time-limit.ts";

type Result = Static<typeof ParseResultAnswer>;

/** Tickers whose lists are read at the same time, and filings that are parsed at the same time. */
const TICKERS_AT_ONCE = 4;
const PARSED_AT_ONCE = 4;
const LIMIT_DEFAULT = 50;

export interface ParseRequestsDeps extends Pick<Services, "clock"> {
  readonly source: FilingSource;
  readonly filers: RequestedFilers;
  readonly store: FilingsStore;
  readonly parser: FilingParser;
  readonly publisher: LakePublisher;
}

const resultOf = (ticker: string | null, result: ParseResult): Result => ({
  ticker,
  accession_number: result.accession_number,
  parsed_status: result.parsed_status,
  events_created: result.events_created,
  error: result.error,
  problems: [...result.problems],
});

const failure = (
  ticker: string | null,
  accession_number: string | null,
  error: string,
  status: Result["parsed_status"],
): Result => ({
  ticker,
  accession_number,
  parsed_status: status,
  events_created: 0,
  error,
  problems: [],
});

/** Indexes a filing by its number alone; null when it is not a current report. */
async function indexByNumber(
  { source, store, clock }: Pick<ParseRequestsDeps, "source" | "store" | "clock">,
  accession_number: string,
  signal: AbortSignal,
): Promise<FoundFiling | null> {
  const index = await source.filingIndex({ accession_number }, { signal });
  if (!isCurrentReport(index.form_type)) return null;
  store.save(
    index.parties.map(({ cik, name }) => ({
      accession_number,
      cik,
      company_name: name,
      form_type: index.form_type,
      filing_date: index.filing_date,
      report_date: index.report_date,
      ...acceptanceFields(index, clock.nowMs()),
      items: index.items.join(","),
      primary_document: index.documents.find((d) => d.sequence === 1)?.filename ?? null,
      size: null,
      is_xbrl: null,
    })),
    false,
  );
  return store.byAccession(accession_number);
}

export function parseRequests({ source, filers, store, parser, publisher, clock }: ParseRequestsDeps) {
  /** The filings to parse: pending ones first, then the newest. */
  const chooseFilings = async (
    filer: RequestedFiler,
    body: Static<typeof BulkParseRequest>,
    signal: AbortSignal,
  ) => {
    const { start_date, end_date, limit_per_ticker: limit = LIMIT_DEFAULT, force_reparse = false } = body;
    const span = { start: start_date ?? null, end: end_date ?? null, asOf: null, force: false };
    const { ciks, covered_from } = await filers.indexed(filer, span, signal);
    const filter = { ciks, forms: CURRENT_REPORTS, end: span.end };
    const find = (start: string, status?: "pending") =>
      store.find({ ...filter, start, ...(status ? { status } : {}) }, { limit, offset: 0 });
    const start = span.start ?? covered_from;
    const newest = find(start);
    if (force_reparse) return newest;
    const pending = find(start, "pending");
    const first = new Set(pending.map((filing) => filing.accession_number));
    return [...pending, ...newest.filter((filing) => !first.has(filing.accession_number))].slice(0, limit);
  };

  /**
   * Reads the tickers' lists, then parses their filings. Returns the outcomes of both, in order; `signal`
   * ends both.
   */
  const work = async (
    tickers: readonly string[],
    body: Static<typeof BulkParseRequest>,
    signal: AbortSignal,
  ) => {
    const listed = await mapSettled(
      tickers,
      async (ticker) => {
        const filer = await filers.find({ ticker }, null, signal);
        return filer ? chooseFilings(filer, body, signal) : [];
      },
      { concurrency: TICKERS_AT_ONCE, signal },
    );
    const found = listed.flatMap((outcome) =>
      outcome.ok ? outcome.value.map((filing) => ({ ticker: outcome.item, filing })) : [],
    );
    const force = body.force_reparse ?? false;
    const parsed = await mapSettled(
      found,
      ({ filing }) => parser.parse(filing.accession_number, force, signal),
      {
        concurrency: PARSED_AT_ONCE,
        signal,
      },
    );
    return { listed, parsed };
  };

  return {
    /** One result per filing, and one per ticker whose list could not be read. */
    async bulk(body: Static<typeof BulkParseRequest>, signal: AbortSignal) {
      checkDates(body.start_date, body.end_date);
      const { tickers } = parseTickers(body.tickers);
      if (tickers.length === 0) throw new InvalidRequest("no_tickers", "tickers names no symbol.");
      const timeoutError = new Error("deadline");
      const sent = tickers.map(({ ticker }) => ticker);
      const limit = { clock, ms: PARSE_BULK_DEADLINE_S * 1000, signal, timeoutError };
      const { listed, parsed } = await withTimeLimit(limit, (both) => work(sent, body, both));
      signal.throwIfAborted();
      const messageOf = (error: unknown): string => {
        if (error === timeoutError) return "deadline";
        if (error instanceof AsofError) return error.message;
        throw error;
      };
      const unlisted = listed.flatMap((o) => (o.ok ? [] : failure(o.item, null, messageOf(o.error), null)));
      const results = parsed.map((outcome): Result => {
        const { ticker, filing } = outcome.item;
        if (outcome.ok) return resultOf(ticker, outcome.value);
        const status = store.byAccession(filing.accession_number)?.parsed_status ?? null;
        return failure(ticker, filing.accession_number, messageOf(outcome.error), status);
      });
      publisher.soon();
      const done = parsed.flatMap((o) => (o.ok ? [o.value] : []));
      const skipped = done.filter((r) => r.skipped).length;
      const succeeded = done.filter((r) => !r.skipped && r.parsed_status === "succeeded").length;
      const total = unlisted.length + results.length;
      return {
        total,
        succeeded,
        failed: total - succeeded - skipped,
        skipped,
        results: [...unlisted, ...results],
      };
    },

    /**
     * Parses one filing whatever its state. Throws NotFound for an unknown number, and the errors of fetching
     * it.
     */
    async one(text: string, signal: AbortSignal): Promise<Result> {
      const accession = accessionNumber(text);
      const filing =
        store.byAccession(accession) ?? (await indexByNumber({ source, store, clock }, accession, signal));
      if (!filing?.parsed_status)
        throw new InvalidRequest(
          "bad_request",
          `Filing ${accession} is not a current report (8-K), so it has no events.`,
        );
      const result = await parser.parse(accession, true, signal);
      publisher.soon();
      if (result.outage) throw result.outage;
      return resultOf(store.filer(filing.cik)?.tickers[0] ?? null, result);
    },
  };
}

export type ParseRequests = ReturnType<typeof parseRequests>;
