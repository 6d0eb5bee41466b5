// Finds the filer of a request and brings its index up to what the request needs.
import { absenceOf, absent } from "../../market/absence.ts";
import { endOfDay } from "../../market/calendar.ts";
import { holderWarnings } from "../../market/issuer.ts";
import type { Services } from "../../market/services.ts";
import { canonical } from "../../market/ticker.ts";
import { InvalidRequest, isUpdateFailure, NotFound } from "../../platform/errors.ts";
import { isReplaying } from "../../platform/reading.ts";
import { readCik } from "../../providers/edgar/index.ts";
import type { Acceptances } from "./acceptance.ts";
import { EVERYTHING, type FilingIndexUpdater } from "./filing-index.ts";
import type { ResolveFiler } from "./sources.ts";
import type { FilingsStore } from "./store.ts";
import type { FilingVersions } from "./version-state.ts";

export interface RequestedFiler {
  /** Ten digits. */
  readonly cik: string;
  /** As the client sent it; null for a request by CIK. */
  readonly ticker: string | null;
  /** Warnings for the answer about who held the ticker. */
  readonly warnings: readonly string[];
}

export interface IndexedFilings {
  /** The filer and its predecessors. */
  readonly ciks: readonly string[];
  /** First filing date from which no filing is missing; earlier ones may be absent from the index. */
  readonly covered_from: string;
  /** Filings that may have been public at the moment, whose headers are not read yet. */
  readonly acceptance_pending?: number;
  readonly warnings: readonly string[];
}

export interface FilingSpan {
  readonly start: string | null;
  readonly end: string | null;
  readonly asOf: Temporal.Instant | null;
  readonly force: boolean;
  /** The forms that matter; all without. */
  readonly forms?: readonly string[] | null;
}

/** Throws InvalidRequest `invalid_date_range` for an end without a start, and for an end before its start. */
export function checkDates(start: string | undefined, end: string | undefined): void {
  if (start === undefined && end !== undefined)
    throw new InvalidRequest(
      "invalid_date_range",
      "end_date needs start_date; start_date alone means all days since.",
    );
  if (start !== undefined && end !== undefined && end < start)
    throw new InvalidRequest("invalid_date_range", `end_date ${end} is earlier than start_date ${start}.`);
}

const pendingText = (pending: number) =>
  `${pending} filings may have been public at that moment (acceptance_pending): their headers are not read yet, and they are left out. Ask again.`;

export interface RequestedFilerDeps extends Pick<Services, "clock"> {
  readonly resolve: ResolveFiler;
  readonly store: FilingsStore;
  readonly index: FilingIndexUpdater;
  readonly versions: Pick<FilingVersions, "loadList" | "requireFrom">;
  readonly fillAt: Acceptances["fillAt"];
}

export function requestedFilers({ resolve, store, index, versions, fillAt, clock }: RequestedFilerDeps) {
  const filerOfTicker = async (ticker: string, at: Temporal.Instant | null, signal: AbortSignal) => {
    try {
      const holder = await resolve(ticker, at, signal);
      return { cik: holder.cik, ticker, warnings: holderWarnings(holder) };
    } catch (error) {
      const known = isUpdateFailure(error) ? store.cikOfTicker(canonical(ticker)) : null;
      if (known === null) throw error;
      return { cik: known, ticker, warnings: [] };
    }
  };

  /** How many filings may have been public at the moment, with a warning beside those of the index. */
  const pendingAt = async (
    ciks: readonly string[],
    { asOf, forms }: Required<Pick<FilingSpan, "asOf" | "forms">>,
    warnings: readonly string[],
    signal: AbortSignal,
  ) => {
    const acceptance_pending = asOf === null ? 0 : await fillAt({ ciks, forms }, asOf, signal);
    const pending = acceptance_pending > 0 ? [absent("not_read", pendingText(acceptance_pending))] : [];
    return { acceptance_pending, warnings: [...new Set([...warnings, ...pending])] };
  };

  /** The index of an earlier version, which is as it was then. */
  const indexOfVersion = async (
    { cik, warnings }: RequestedFiler,
    { start, asOf, forms = null }: FilingSpan,
    signal: AbortSignal,
  ): Promise<IndexedFilings> => {
    await versions.loadList(cik, signal);
    const predecessors = store.filer(cik)?.predecessor_ciks ?? [];
    for (const predecessor of predecessors) await versions.loadList(predecessor, signal);
    const ciks = [cik, ...predecessors];
    const covered_from = coveredFrom(ciks);
    if (start !== null) versions.requireFrom(start, covered_from);
    return { ciks, covered_from, ...(await pendingAt(ciks, { asOf, forms }, warnings, signal)) };
  };

  const coveredFrom = (ciks: readonly string[]): string =>
    ciks
      .map((one) => store.filer(one)?.covered_from ?? EVERYTHING)
      .sort()
      .at(-1) ?? EVERYTHING;

  return {
    /**
     * The filer named by CIK or by the ticker it had at a moment (null: now); null when the request names
     * neither. Throws NotFound `unknown_ticker`, and InvalidRequest `bad_request` when ticker and CIK belong
     * to different filers.
     */
    async find(
      query: { ticker?: string; cik?: string },
      at: Temporal.Instant | null,
      signal: AbortSignal,
    ): Promise<RequestedFiler | null> {
      const given = query.cik === undefined ? null : readCik(query.cik);
      const ticker = query.ticker?.trim();
      if (ticker === undefined) return given === null ? null : { cik: given, ticker: null, warnings: [] };
      const filer = await filerOfTicker(ticker, at, signal);
      if (given !== null && given !== filer.cik)
        throw new InvalidRequest(
          "bad_request",
          `${ticker} files under the CIK ${filer.cik}${at === null ? "" : " at that moment"}, not ${given}.`,
          { ticker },
        );
      return filer;
    },

    /**
     * Brings the index up to what the span needs. When the regulator cannot be asked, returns what is stored
     * with a warning; throws the error when nothing is stored or a refresh was forced.
     */
    async indexed(filer: RequestedFiler, span: FilingSpan, signal: AbortSignal): Promise<IndexedFilings> {
      if (isReplaying()) return indexOfVersion(filer, span, signal);
      const { cik, warnings: known } = filer;
      const { start, end, asOf, force } = span;
      const ends = [
        clock.nowMs(),
        ...(end === null ? [] : [endOfDay(end).epochMilliseconds]),
        ...(asOf === null ? [] : [asOf.epochMilliseconds]),
      ];
      const request = { start, untilMs: Math.min(...ends), force };
      const warnings = [...known];
      const update = async (one: string) => {
        try {
          await index.ensure(one, request, signal);
        } catch (error) {
          signal.throwIfAborted();
          if (force || !isUpdateFailure(error) || !store.filer(one)) throw error;
          warnings.push(absent(absenceOf(error), `The list of filings may be incomplete: ${error.message}`));
        }
      };
      await update(cik);
      const predecessors = store.filer(cik)?.predecessor_ciks ?? [];
      for (const predecessor of predecessors)
        await update(predecessor).catch((error: unknown) => {
          // Without a predecessor the filer's history is shorter, not unknown.
          if (!(error instanceof NotFound)) throw error;
          warnings.push(`Filings of its predecessor are missing: ${error.message}`);
        });
      const ciks = [cik, ...predecessors];
      const pending = await pendingAt(ciks, { asOf, forms: span.forms ?? null }, warnings, signal);
      return { ciks, covered_from: coveredFrom(ciks), ...pending };
    },
  };
}

export type RequestedFilers = ReturnType<typeof requestedFilers>;
