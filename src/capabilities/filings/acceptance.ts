// Reads from headers when filings were accepted, where a list left it open, and notes it for all answers.

import { mapSettled } from "../../market/bulk.ts";
import { newYorkDate } from "../../market/calendar.ts";
import type { Services } from "../../market/services.ts";
import { systemTimers } from "../../platform/clock.ts";
import { isUpdateFailure, NotFound } from "../../platform/errors.ts";
import { isReplaying } from "../../platform/reading.ts";
import { isPublishedLater } from "./forms.ts";
import { acceptanceFields, asOfText } from "./known-at.ts";
import type { FilingSource } from "./sources.ts";
import type { FilingFilter, FilingsStore, FoundFiling } from "./store.ts";

/** Filings whose header one forced request reads; each costs one request. */
export const ACCEPTANCES_PER_REQUEST = 100;
/** Filings whose header an answer under `as_of` reads, and for how long. */
export const ACCEPTANCES_PER_ANSWER = 8;
const ANSWER_MS = 3_000;
const AT_ONCE = 4;

export interface AcceptanceDeps extends Pick<Services, "clock"> {
  readonly source: FilingSource;
  readonly store: FilingsStore;
}

/** The regulator, with what each header that is read says of its filing's acceptance noted. */
export const notingAcceptances = ({ source, store, clock }: AcceptanceDeps): FilingSource => ({
  ...source,
  async filingIndex(ref, options) {
    const index = await source.filingIndex(ref, options);
    if (!isReplaying() && !isPublishedLater(index.form_type))
      store.setAcceptance(ref.accession_number, acceptanceFields(index, clock.nowMs()));
    return index;
  },
});

export function acceptances({ source, store }: Pick<AcceptanceDeps, "source" | "store">) {
  const read = (filter: FilingFilter, limit: number, signal: AbortSignal) => {
    const one = ({ accession_number, cik }: FoundFiling) =>
      source.filingIndex({ accession_number, cik }, { pageOnly: true, signal });
    return mapSettled(store.find(filter, { limit, offset: 0 }), one, { concurrency: AT_ONCE, signal });
  };
  return {
    /** Fills in unknown acceptance times, newest filings first. Only a forced refresh does this. */
    async fill(filter: FilingFilter, signal: AbortSignal): Promise<void> {
      const outcomes = await read({ ...filter, withoutAcceptance: true }, ACCEPTANCES_PER_REQUEST, signal);
      // A missing page leaves its filing as it was; an outage fails the request, which asked for a refresh.
      const failed = outcomes.find((outcome) => !outcome.ok && !(outcome.error instanceof NotFound));
      if (failed && !failed.ok) throw failed.error;
    },

    /**
     * Reads the headers of filings that may have been public at a moment, though nothing shows it yet.
     * Returns how many are left: more than an answer reads, or not read in time.
     */
    async fillAt(
      of: Pick<FilingFilter, "ciks" | "forms">,
      asOf: Temporal.Instant,
      signal: AbortSignal,
    ): Promise<number> {
      const open = { ...of, end: newYorkDate(asOf), after: asOfText(asOf), withoutAcceptance: true };
      // An earlier version reads nothing: it has as many as its answers had left.
      const count = store.count(open);
      if (count === 0 || isReplaying()) return count;
      const over = new AbortController();
      const cancel = systemTimers.after(ANSWER_MS, () => over.abort());
      const limited = AbortSignal.any([signal, over.signal]);
      try {
        for (const outcome of await read(open, ACCEPTANCES_PER_ANSWER, limited))
          if (!outcome.ok && !over.signal.aborted && !isUpdateFailure(outcome.error)) throw outcome.error;
      } finally {
        cancel();
      }
      return store.count(open);
    },
  };
}

export type Acceptances = ReturnType<typeof acceptances>;
