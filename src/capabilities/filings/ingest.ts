// The work of the command line: index the filings of tickers or days, and parse pending ones.
import { mapSettled } from "../../market/bulk.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import { AsofError } from "../../platform/errors.ts";
import type { IndexRow } from "../../providers/edgar/index.ts";
import type { Background } from "./background-parsing.ts";
import { EVERYTHING } from "./filing-index.ts";
import { acceptanceFields } from "./known-at.ts";
import type { ParseRequestsDeps } from "./parse-requests.ts";
import type { IncomingFiling } from "./store.ts";

/** Called after each step, with the error when it failed. */
export type OnStep = (what: string, error: Error | null) => void;

const PARSED_AT_ONCE = 4;
/** Filings parsed between two writes to the lake. */
const BATCH = 200;

/** A row of the daily index, which has only names and the filing date. */
function incoming(row: IndexRow, nowMs: number): IncomingFiling {
  const { accession_number, cik, company_name, form_type, filing_date } = row;
  const acceptance = { accepted_at: null, precision: "day", source: null, public_from: null } as const;
  return {
    accession_number,
    cik,
    company_name,
    form_type,
    filing_date,
    report_date: null,
    items: null,
    primary_document: null,
    size: null,
    is_xbrl: null,
    ...acceptanceFields({ ...acceptance, filing_date, form_type }, nowMs),
  };
}

export function filingIngest(deps: ParseRequestsDeps & { readonly background: Background }) {
  const { source, filers, store, parser, publisher, background, clock } = deps;

  return {
    /**
     * Indexes all filings of the tickers, one ticker after the other; stored filings are not fetched again.
     */
    async tickers(tickers: readonly string[], onStep: OnStep, signal: AbortSignal): Promise<void> {
      for (const ticker of tickers) {
        signal.throwIfAborted();
        try {
          const filer = await filers.find({ ticker }, null, signal);
          const everything = { start: EVERYTHING, end: null, asOf: null, force: false };
          if (filer) await filers.indexed(filer, everything, signal);
          onStep(ticker, null);
        } catch (error) {
          if (!(error instanceof AsofError)) throw error;
          onStep(ticker, error);
        }
        publisher.soon();
      }
      await publisher.publish();
    },

    /** The days from `since` to today whose daily index is not stored yet. */
    daysSince(since: string): string[] {
      const today = newYorkDate(clock.now());
      const days: string[] = [];
      for (let date = since; date <= today; date = addDays(date, 1)) if (!store.hasDay(date)) days.push(date);
      return days;
    },

    /**
     * Stores the daily index of each day and returns the number of filings. A day without an index is tried
     * again later.
     */
    async days(days: readonly string[], onStep: OnStep, signal: AbortSignal): Promise<number> {
      let filingCount = 0;
      for (const date of days) {
        signal.throwIfAborted();
        try {
          const index = await source.dailyIndex(date, undefined, signal);
          if (index !== null && index !== "unchanged") {
            background.add(
              store.save(
                index.rows.map((row) => incoming(row, clock.nowMs())),
                false,
              ),
            );
            const count = new Set(index.rows.map((row) => row.accession_number)).size;
            filingCount += count;
            store.saveDay(date, count);
          }
          onStep(date, null);
        } catch (error) {
          if (!(error instanceof AsofError)) throw error;
          onStep(date, error);
        }
        publisher.soon();
      }
      await publisher.publish();
      return filingCount;
    },

    /** Number of filings still to be parsed. */
    pendingCount: store.pendingCount,

    /**
     * Parses up to `limit` pending filings, newest first. Stops at an outage; the other filings stay pending.
     */
    async parse(
      limit: number,
      onStep: OnStep,
      signal: AbortSignal,
    ): Promise<{ parsed: number; failed: number }> {
      const counts = { parsed: 0, failed: 0 };
      const pending = store.pending(limit);
      let outage: AsofError | null = null;
      for (let from = 0; from < pending.length && outage === null; from += BATCH) {
        const one = async (accession: string) => {
          if (outage !== null) return;
          const result = await parser.parse(accession, false, signal);
          outage ??= result.outage;
          if (result.outage) return;
          counts.parsed += 1;
          if (result.parsed_status === "failed") counts.failed += 1;
          onStep(accession, result.error === null ? null : new Error(result.error));
        };
        const outcomes = await mapSettled(pending.slice(from, from + BATCH), one, {
          concurrency: PARSED_AT_ONCE,
          signal,
        });
        await publisher.publish();
        signal.throwIfAborted();
        for (const outcome of outcomes) if (!outcome.ok) throw outcome.error;
      }
      if (outage !== null) throw outage;
      return counts;
    },
  };
}

export type FilingIngest = ReturnType<typeof filingIngest>;
