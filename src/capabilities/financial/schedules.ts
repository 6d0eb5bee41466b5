// Reads the financial data schedules (EX-27) of reports filed from 1993 to 2001, the only machine-readable
// figures of those years.
import { mapSettled } from "../../market/bulk.ts";
import type { Services } from "../../market/services.ts";
import { AsofError, NotFound } from "../../platform/errors.ts";
import { instantText } from "../../platform/instant-text.ts";
import {
  type Ex27Document,
  type FigureWarning,
  normaliseEx27,
  SCHEDULES_READING,
} from "../../providers/edgar/index.ts";
import type { FilerState } from "./filer-states.ts";
import type { FigureSource, PeriodicFiling } from "./sources.ts";
import type { FinancialStore } from "./store.ts";

/** The regulator required schedules until June 2001; the last periods they cover end before this day. */
export const schedulesEnd = "2001-07-01";
/** `EX-27`, or `EX-27.1`, `EX-27.2`, … when a filing has several. */
const SCHEDULE = /^EX-27(?!\d)/i;
const AT_ONCE = 4;

const withSchedules = (filings: readonly PeriodicFiling[]) =>
  filings.filter(({ filing_date }) => filing_date < schedulesEnd);

/** Whether all schedules were read by the current version of the parser. */
const isCurrent = (state: FilerState | null): boolean =>
  state !== null && state.schedules_read_at !== null && state.schedules_reading === SCHEDULES_READING;

export interface SchedulesDeps extends Pick<Services, "clock"> {
  readonly source: FigureSource;
  readonly store: FinancialStore;
}

export function financialSchedules({ source, store, clock }: SchedulesDeps) {
  /**
   * The schedules of a report, from its complete submission: index pages of those years often list no
   * documents, and a submission that restates earlier years has several schedules.
   */
  const documentsOf = async (
    { accession_number, cik, form_type, filing_date, known_at }: PeriodicFiling,
    signal: AbortSignal,
  ): Promise<Ex27Document[]> => {
    try {
      const { documents } = await source.submissionText({ accession_number, cik }, { signal });
      const filing = {
        cik,
        accession_number,
        form: form_type,
        filed_date: filing_date,
        accepted_at: known_at,
      };
      return documents.flatMap(({ type, text }) =>
        type !== null && SCHEDULE.test(type) && text !== null ? [{ ...filing, text }] : [],
      );
    } catch (error) {
      if (error instanceof NotFound) return [];
      throw error;
    }
  };

  return {
    /** Whether a filer has reports of those years whose schedules are still to be read. */
    areMissing: (cik: string, filings: readonly PeriodicFiling[]): boolean =>
      withSchedules(filings).length > 0 && !isCurrent(store.state(cik)),

    /**
     * Reads and stores the schedules of a filer's reports. Throws when one cannot be fetched: the next call
     * tries again, and finds what was fetched in the vault. All are stored together, since a schedule that
     * omits its multiplier takes it from the others.
     */
    async read(cik: string, filings: readonly PeriodicFiling[], signal: AbortSignal): Promise<void> {
      const outcomes = await mapSettled(withSchedules(filings), (filing) => documentsOf(filing, signal), {
        concurrency: AT_ONCE,
        signal,
      });
      const documents: Ex27Document[] = [];
      const unreadable: FigureWarning[] = [];
      for (const outcome of outcomes) {
        if (outcome.ok) {
          documents.push(...outcome.value);
          continue;
        }
        const { error, item } = outcome;
        // A file that is too large stays too large; any other error may be gone the next time.
        if (!(error instanceof AsofError) || error.code !== "exhibit_too_large") throw error;
        unreadable.push({
          code: "schedule_unread",
          line: null,
          period_end: null,
          accession_number: item.accession_number,
          detail: `The schedule of ${item.accession_number} cannot be read: ${error.message}`,
        });
      }
      const { facts, warnings } = normaliseEx27(documents);
      const known = store.state(cik);
      const mode = known?.schedules_read_at && !isCurrent(known) ? "replace" : "correct";
      const { refused } = await store.write([{ cik, source: "ex27", facts, mode }]);
      const error = refused.get(cik);
      if (error) throw error;
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
