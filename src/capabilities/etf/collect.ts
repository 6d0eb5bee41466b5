// Reads the reports of holdings that a request needs: the list of the series, then its newest unread reports.
import { endOfDay } from "../../market/calendar.ts";
import type { Services } from "../../market/services.ts";
import { NotFound } from "../../platform/errors.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import type { Log } from "../../platform/log.ts";
import { singleFlight } from "../../platform/upstream/single-flight.ts";
import type { ReportRow, ReportStore } from "./report-store.ts";
import type { FundReports } from "./sources.ts";

/** How long the list of a series counts as up to date: a fund files four public reports a year. */
// A list read at 09:00 serves requests for the present until 15:00.
const LIST_FRESH_MS = 6 * 3_600_000;
/** How long after its publication a report that cannot be fetched is retried. */
// Listed on 3 August and 404 on the 5th: it stays pending; 404 on the 7th: it is set aside as unread.
const RETRY_MS = 3 * 86_400_000;
/**
 * Reports that cannot be read are skipped, up to this many: more in a row mean that our own reader is broken.
 */
// After three unreadable reports the fourth is served; after four none is.
const SKIPPED_MAX = 4;

export interface CollectDeps extends Pick<Services, "clock"> {
  readonly source: FundReports;
  readonly reports: ReportStore;
  readonly log: Pick<Log, "warn">;
}

/** A fund by its series, with the ticker that was requested. */
export interface FundSeries {
  readonly series_id: string;
  readonly symbol: string;
  /** The trust, ten digits. */
  readonly cik: string;
}

export interface CollectRequest {
  /** Only reports that were public by this moment count; null: now. */
  readonly untilMs: number | null;
  /** Fetch the list even if it is up to date. */
  readonly force: boolean;
}

export function reportCollector({ source, reports: store, clock, log }: CollectDeps) {
  const flights = singleFlight<number>();

  const fetchList = async ({ series_id, symbol }: FundSeries, signal: AbortSignal) => {
    const requestedMs = clock.nowMs();
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
    store.saveList({ series_id, symbol }, rows, requestedMs);
  };

  /**
   * Reads one report and returns the number of its lines. A report that is unusable is marked and not fetched
   * again.
   */
  const read = async (fund: FundSeries, report: ReportRow, signal: AbortSignal): Promise<number> => {
    const ref = { accession_number: report.accession_number, cik: report.cik ?? fund.cik };
    const setAside = (status: "unread" | "foreign", why: string) => {
      store.setAside(report, status, why);
      log.warn("a fund's report cannot be used", { accession: report.accession_number, reason: why });
      return 0;
    };
    try {
      const { read: schedule, sha256 } = await source.fundReport(ref, { signal });
      if ("failed" in schedule) return setAside("unread", schedule.message);
      // A trust files for many funds. The report itself says for which.
      if (schedule.series_id !== fund.series_id)
        return setAside(
          "foreign",
          `it belongs to ${schedule.series_id ?? "no series"}, not to ${fund.series_id}`,
        );
      return await store.saveReport(report, fund.symbol, schedule, sha256);
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      // Filings are listed shortly before they can be fetched.
      const isNew = clock.nowMs() - instantMs(report.known_at) < RETRY_MS;
      return isNew ? 0 : setAside("unread", error.message);
    }
  };

  /** Reads the newest report that was public by `untilMs`, and every amendment after it. */
  const readNewest = async (fund: FundSeries, untilMs: number, signal: AbortSignal): Promise<number> => {
    let rows = 0;
    let skipped = 0;
    for (const report of store.reports(fund.series_id, untilMs)) {
      if (report.status === "listed") rows += await read(fund, report, signal);
      const isAmendment = report.form_type.endsWith("/A");
      const now = store
        .reports(fund.series_id, untilMs)
        .find(({ accession_number }) => accession_number === report.accession_number);
      if (!isAmendment && (now?.status === "read" || ++skipped >= SKIPPED_MAX)) break;
    }
    return rows;
  };

  return {
    /**
     * Reads the report that counts at a moment, unless it is stored. Returns the number of new lines. Throws
     * as the regulator's provider documents; what was read before is stored.
     */
    ensure: (fund: FundSeries, request: CollectRequest, signal: AbortSignal | undefined) =>
      flights.run(`${fund.series_id} ${request.untilMs} ${request.force}`, signal, async (shared) => {
        const untilMs = request.untilMs ?? clock.nowMs();
        const known = store.series(fund.series_id);
        const listedMs = known ? instantMs(known.listed_at) : null;
        const isListed =
          !request.force &&
          listedMs !== null &&
          (listedMs >= untilMs || clock.nowMs() - listedMs < LIST_FRESH_MS);
        if (!isListed) await fetchList(fund, shared);
        return readNewest(fund, untilMs, shared);
      }),
  };
}

export type ReportCollector = ReturnType<typeof reportCollector>;
