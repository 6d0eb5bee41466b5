// Whose filings are asked for, and an index that holds what the question needs of them.

import { endOfDay } from "../../market/calendar.ts";
import { parseAsOf } from "../../market/known-at.ts";
import { canonical } from "../../market/ticker.ts";
import type { Clock } from "../../platform/clock.ts";
import { AsofError, InvalidRequest, NotFound, StorageUnavailable } from "../../platform/errors.ts";
import { readCik } from "../../providers/edgar/index.ts";
import { EVERYTHING, type FilingIndexKeeper } from "./filing-index.ts";
import type { ResolveFiler } from "./sources.ts";
import type { FilingsStore } from "./store.ts";

export interface Subject {
  /** Ten digits. */
  readonly cik: string;
  /** As the client sent it; null when it asked by CIK. */
  readonly ticker: string | null;
}

export interface Indexed {
  /** The filer and those it carries on. */
  readonly ciks: readonly string[];
  /** Nothing is missing from this filing date on; earlier filings may not be in the index. */
  readonly covered_from: string;
  readonly warnings: readonly string[];
}

export interface Span {
  readonly start: string | null;
  readonly end: string | null;
  readonly asOf: Temporal.Instant | null;
  readonly force: boolean;
}

/** A failure of the outside, or of what the service is told about it: what is stored serves all the same. */
export const isOutage = (error: unknown): error is AsofError =>
  error instanceof AsofError &&
  !(error instanceof NotFound || error instanceof InvalidRequest || error instanceof StorageUnavailable);

/** The moment `as_of` names. The schema has refused what is none. */
export function asOfInstant(text: string | undefined): Temporal.Instant | null {
  if (text === undefined) return null;
  const parsed = parseAsOf(text);
  if (parsed.ok) return parsed.at;
  throw new InvalidRequest("bad_request", parsed.detail);
}

/** Dates are used together, the end not before the start. Throws InvalidRequest `invalid_date_range`. */
export function checkDates(start: string | undefined, end: string | undefined): void {
  if ((start === undefined) !== (end === undefined)) {
    const [given, missing] = start === undefined ? ["end_date", "start_date"] : ["start_date", "end_date"];
    throw new InvalidRequest(
      "invalid_date_range",
      `${given} needs ${missing}: the two dates are used together.`,
    );
  }
  if (start !== undefined && end !== undefined && end < start)
    throw new InvalidRequest("invalid_date_range", `end_date ${end} is earlier than start_date ${start}.`);
}

export interface SubjectDeps {
  readonly resolve: ResolveFiler;
  readonly store: FilingsStore;
  readonly index: FilingIndexKeeper;
  readonly clock: Clock;
}

export function subjects({ resolve, store, index, clock }: SubjectDeps) {
  const cikOfTicker = async (ticker: string, signal: AbortSignal): Promise<string> => {
    try {
      return (await resolve(ticker, signal)).cik;
    } catch (error) {
      const known = isOutage(error) ? store.cikOfTicker(canonical(ticker)) : null;
      if (known === null) throw error;
      return known;
    }
  };

  return {
    /** Throws NotFound `unknown_ticker`, InvalidRequest `bad_request` when ticker and CIK are of two filers. */
    async find(query: { ticker?: string; cik?: string }, signal: AbortSignal): Promise<Subject | null> {
      const given = query.cik === undefined ? null : readCik(query.cik);
      const ticker = query.ticker?.trim();
      if (ticker === undefined) return given === null ? null : { cik: given, ticker: null };
      const cik = await cikOfTicker(ticker, signal);
      if (given !== null && given !== cik)
        throw new InvalidRequest("bad_request", `${ticker} files under the CIK ${cik}, not ${given}.`, {
          ticker,
        });
      return { cik, ticker };
    },

    /**
     * Brings the index up to what is asked. Where the regulator cannot be asked and nobody forced it, what is stored
     * serves, and a warning says so; with nothing stored the failure is thrown.
     */
    async indexed({ cik }: Subject, span: Span, signal: AbortSignal): Promise<Indexed> {
      const { start, end, asOf, force } = span;
      const ends = [
        clock.nowMs(),
        ...(end === null ? [] : [endOfDay(end).epochMilliseconds]),
        ...(asOf === null ? [] : [asOf.epochMilliseconds]),
      ];
      const wanted = { start, untilMs: Math.min(...ends), force };
      const warnings: string[] = [];
      const bringUp = async (one: string) => {
        try {
          await index.ensure(one, wanted, signal);
        } catch (error) {
          signal.throwIfAborted();
          if (force || !isOutage(error) || !store.filer(one)) throw error;
          warnings.push(`The list of filings may be incomplete: ${error.message}`);
        }
      };
      await bringUp(cik);
      const filer = store.filer(cik);
      const before = filer?.predecessor_ciks ?? [];
      for (const predecessor of before)
        await bringUp(predecessor).catch((error: unknown) => {
          // Those it carries on belong to its history; without them it is shorter, not unknown.
          if (!(error instanceof NotFound)) throw error;
          warnings.push(`Filings of its predecessor are missing: ${error.message}`);
        });
      const ciks = [cik, ...before];
      const covered = ciks.map((one) => store.filer(one)?.covered_from ?? EVERYTHING);
      return { ciks, covered_from: covered.sort().at(-1) ?? EVERYTHING, warnings: [...new Set(warnings)] };
    },
  };
}

export type Subjects = ReturnType<typeof subjects>;
