// The financial data schedules (EX-27) of reports filed from 1993 to 2001: the only figures of those years a machine can read.
import { mapSettled } from "../../market/bulk.ts";
import type { Clock } from "../../platform/clock.ts";
import { AsofError, NotFound } from "../../platform/errors.ts";
import { instantText } from "../../platform/instant-text.ts";
import { type Ex27Document, normaliseEx27, SCHEDULES_READING } from "../../providers/edgar/index.ts";
import type { FigureSource, PeriodicFiling } from "./sources.ts";
import type { FilerState, FinancialStore } from "./store.ts";

/** The regulator asked for schedules until June 2001; the last periods they tell of end before this day. */
export const schedulesEnd = "2001-07-01";
/** `EX-27`, and `EX-27.1`, `EX-27.2`, … where a filing has several. */
const SCHEDULE = /^EX-27(?!\d)/i;
const AT_ONCE = 4;

const withSchedules = (filings: readonly PeriodicFiling[]) =>
  filings.filter(({ filing_date }) => filing_date < schedulesEnd);

/** Whether the schedules were read through, by the present version of the reading. */
const isCurrent = (state: FilerState | null): boolean =>
  state !== null && state.schedules_read_at !== null && state.schedules_reading === SCHEDULES_READING;

export interface SchedulesDeps {
  readonly source: FigureSource;
  readonly store: FinancialStore;
  readonly clock: Clock;
}

export function financialSchedules({ source, store, clock }: SchedulesDeps) {
  /**
   * The schedules of a report: out of the whole submission, for its own page often does not list documents of those
   * years, and several stand in one where earlier years are told anew.
   */
  const documentsOf = async (
    { accession_number, cik, form_type, filing_date, known_at }: PeriodicFiling,
    signal: AbortSignal,
  ): Promise<Ex27Document[]> => {
    try {
      const { documents } = await source.submissionText({ accession_number, cik }, { signal });
      const told = { cik, accession_number, form: form_type, filed_date: filing_date, accepted_at: known_at };
      return documents.flatMap(({ type, text }) =>
        type !== null && SCHEDULE.test(type) && text !== null ? [{ ...told, text }] : [],
      );
    } catch (error) {
      if (error instanceof NotFound) return [];
      throw error;
    }
  };

  return {
    /** Whether a filer has reports of those years whose schedules were not read yet. */
    areMissing: (cik: string, filings: readonly PeriodicFiling[]): boolean =>
      withSchedules(filings).length > 0 && !isCurrent(store.state(cik)),

    /**
     * Reads and stores the schedules of a filer's reports, and throws what kept it from some: those are read the next
     * time, what was fetched is in the vault. They are stored together, for a multiplier one omits is told by the others.
     */
    async read(cik: string, filings: readonly PeriodicFiling[], signal: AbortSignal): Promise<void> {
      const outcomes = await mapSettled(withSchedules(filings), (filing) => documentsOf(filing, signal), {
        concurrency: AT_ONCE,
        signal,
      });
      const documents: Ex27Document[] = [];
      const unreadable: string[] = [];
      for (const outcome of outcomes) {
        if (outcome.ok) {
          documents.push(...outcome.value);
          continue;
        }
        const { error, item } = outcome;
        // A file too large or of another kind stays so; anything else may be well the next time.
        if (!(error instanceof AsofError) || error.code !== "exhibit_too_large") throw error;
        unreadable.push(`The schedule of ${item.accession_number} cannot be read: ${error.message}`);
      }
      const { facts, warnings } = normaliseEx27(documents);
      const known = store.state(cik);
      const mode = known?.schedules_read_at && !isCurrent(known) ? "anew" : "correct";
      const { refused } = await store.write([{ cik, source: "ex27", facts, mode }]);
      const fault = refused.get(cik);
      if (fault) throw fault;
      const now = instantText(clock.nowMs());
      store.saveState(cik, {
        status: known?.status ?? "none",
        read_at: known?.read_at ?? now,
        schedules_read_at: now,
        schedules_reading: SCHEDULES_READING,
        schedule_warnings: [...warnings, ...unreadable],
      });
    },
  };
}

export type Schedules = ReturnType<typeof financialSchedules>;
