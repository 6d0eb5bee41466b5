// Reads the reports of holdings that a question needs: the list of the series, then the newest reports not read yet.
import { endOfDay } from "../../market/calendar.ts";
import type { Clock } from "../../platform/clock.ts";
import { NotFound } from "../../platform/errors.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import { singleFlight } from "../../platform/upstream/single-flight.ts";
import type { EtfLog, FundReports } from "./sources.ts";
import type { EtfStore, ReportRow } from "./store.ts";

/** So long the list of a series is not asked for again: a fund files four reports a year. */
const LIST_FRESH_MS = 6 * 3_600_000;
/** So long a report that cannot be had is asked for again. */
const NEW_MS = 3 * 86_400_000;
/** Reports that cannot be read are passed over; so many in a row are an outage of our own reading. */
const PASSED_OVER_MAX = 4;

export interface CollectDeps {
  readonly source: FundReports;
  readonly store: EtfStore;
  readonly clock: Clock;
  readonly log: EtfLog;
}

/** A fund by its series, and the ticker it was asked under. */
export interface FundSeries {
  readonly series_id: string;
  readonly symbol: string;
  /** The trust, ten digits. */
  readonly cik: string;
}

export interface CollectAsk {
  /** Up to which moment reports count; null: now. */
  readonly untilMs: number | null;
  /** Ask for the list whatever is stored. */
  readonly force: boolean;
}

export function reportCollector({ source, store, clock, log }: CollectDeps) {
  const flights = singleFlight<number>();

  const list = async ({ series_id, symbol }: FundSeries, signal: AbortSignal) => {
    const askedMs = clock.nowMs();
    const reports = await source.seriesReports(series_id, signal);
    const rows = reports.map(({ accession_number, form_type, filing_date, public_from, cik }) => ({
      accession_number,
      form_type,
      filing_date,
      cik,
      known_at: instantText(
        public_from === null ? endOfDay(filing_date).epochMilliseconds : instantMs(public_from),
      ),
    }));
    store.saveList({ series_id, symbol }, rows, askedMs);
  };

  /** Reads one report; what is wrong with it for good is noted, and it is not asked for again. */
  const read = async (fund: FundSeries, report: ReportRow, signal: AbortSignal): Promise<number> => {
    const ref = { accession_number: report.accession_number, cik: report.cik ?? fund.cik };
    const setAside = (status: "unread" | "foreign", why: string) => {
      store.setAside(report, status, why);
      log.warn("a fund's report is of no use", { accession: report.accession_number, reason: why });
      return 0;
    };
    try {
      const { read: schedule, sha256 } = await source.fundReport(ref, { signal });
      if ("failed" in schedule) return setAside("unread", schedule.message);
      // A trust files for many funds; the report itself says for which.
      if (schedule.series_id !== fund.series_id)
        return setAside("foreign", `it is of ${schedule.series_id ?? "no series"}, not of ${fund.series_id}`);
      return await store.saveReport(report, fund.symbol, schedule, sha256);
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      // A list names filings some moments before they can be fetched.
      const isNew = clock.nowMs() - instantMs(report.known_at) < NEW_MS;
      return isNew ? 0 : setAside("unread", error.message);
    }
  };

  /** The newest report by `untilMs`, and every amendment that came after it. */
  const readNewest = async (fund: FundSeries, untilMs: number, signal: AbortSignal): Promise<number> => {
    let rows = 0;
    let passedOver = 0;
    for (const report of store.reports(fund.series_id, untilMs)) {
      if (report.status === "listed") rows += await read(fund, report, signal);
      const isAmendment = report.form_type.endsWith("/A");
      const now = store
        .reports(fund.series_id, untilMs)
        .find(({ accession_number }) => accession_number === report.accession_number);
      if (!isAmendment && (now?.status === "read" || ++passedOver >= PASSED_OVER_MAX)) break;
    }
    return rows;
  };

  return {
    /**
     * Makes sure that the report which counted at a moment was read; gives the lines that came in. Throws what asking
     * the regulator throws; what came until then is kept.
     */
    ensure: (fund: FundSeries, ask: CollectAsk, signal: AbortSignal | undefined) =>
      flights.run(`${fund.series_id} ${ask.untilMs} ${ask.force}`, signal, async (shared) => {
        const untilMs = ask.untilMs ?? clock.nowMs();
        const known = store.seriesOf(fund.series_id);
        const listedMs = known ? instantMs(known.listed_at) : null;
        const isListed =
          !ask.force &&
          listedMs !== null &&
          (listedMs >= untilMs || clock.nowMs() - listedMs < LIST_FRESH_MS);
        if (!isListed) await list(fund, shared);
        return readNewest(fund, untilMs, shared);
      }),
  };
}

export type ReportCollector = ReturnType<typeof reportCollector>;
