// Completes the stored filings of a company, or of a day, before a request is answered: indexes and reads
// what is missing.
import { absenceOf, absent } from "../../market/absence.ts";
import { endOfDay, newYorkDate } from "../../market/calendar.ts";
import type { Coverage, CoverageRequest, DayCoverage } from "../../market/coverage.ts";
import { addDays } from "../../market/date.ts";
import { isFederalBusinessDay } from "../../market/federal-days.ts";
import type { Services } from "../../market/services.ts";
import { type AsofError, isUpdateFailure, NotRead } from "../../platform/errors.ts";
import { instantMs } from "../../platform/instant-text.ts";
import { isReplaying } from "../../platform/reading.ts";
import type { CoverageStore } from "./coverage-store.ts";
import { coveredSpan } from "./covered-span.ts";
import type { DayReading } from "./day-reading.ts";
import type { FilingStore } from "./filing-store.ts";
import type { Kind } from "./forms.ts";
import type { IndexDays } from "./index-days.ts";
import type { IssuerLists } from "./issuer-lists.ts";
import type { OwnershipReader } from "./reader.ts";
import type { OwnershipVersions } from "./version-state.ts";

/** The filings of one kind about a company. */
export interface IssuerRequest extends CoverageRequest {
  readonly kind: Kind;
}

/** How long one request reads the filings of a company: its route answers within 240 s. */
const ISSUER_READ_MS_MAX = 200_000;
/** Filings that are read in a second, about: the regulator's pace. */
// 16 pending filings: come again in 5 s. 240: in 30 s. 4,000: in 60 s.
const READ_PER_SECOND = 8;
const RETRY_S_MIN = 5;
const RETRY_S_MAX = 60;
/** How far back `completeDays` looks. */
const COMPLETE_DAYS_MAX = 3_650;

export interface CoverageDeps extends Pick<Services, "lake" | "clock"> {
  readonly filings: FilingStore;
  readonly covered: CoverageStore;
  readonly lists: IssuerLists;
  readonly days: IndexDays;
  readonly reader: OwnershipReader;
  readonly versions: Pick<OwnershipVersions, "read" | "readDay" | "load" | "loadDay">;
  readonly dayReading: Pick<DayReading, "read">;
}

const dateOf = (ms: number): string => newYorkDate(Temporal.Instant.fromEpochMilliseconds(ms));

const staleWarning = (error: AsofError) =>
  absent(absenceOf(error), `Fetching from the SEC failed: ${error.message} Only stored filings are served.`);

const countOf = (count: number): string => (count === 1 ? "1 filing is" : `${count} filings are`);

const unreadWarning = (count: number, isOutage: boolean): string =>
  absent(
    "not_read",
    `${countOf(count)} not read yet. ${isOutage ? "Request again when the SEC answers." : "Request again to read on."}`,
  );

/**
 * A schedule that cannot be read has a row of its own in the answer. Trades that cannot be read appear
 * nowhere.
 */
const unreadableWarning = (kind: Kind, count: number): string[] =>
  kind === "insider" && count > 0
    ? [absent("not_read", `${countOf(count)} not readable: the trades are missing.`)]
    : [];

/** The stored coverage, without what was fetched for the answer. */
type StoredCoverage = Omit<Coverage, "auto_fetched" | "fetched_count">;

const VERSION_IN_PART = absent(
  "not_read",
  "Not all filings of the requested days were listed in this data version: some may be missing.",
);

/** The part of a covered span after the newest filing that is not read yet. */
function spanAfter(
  { data_from, data_to }: Pick<Coverage, "data_from" | "data_to">,
  unread: string | undefined,
): Pick<Coverage, "data_from" | "data_to"> {
  if (unread === undefined || data_from === null || data_to === null || unread < data_from)
    return { data_from, data_to };
  return unread < data_to ? { data_from: addDays(unread, 1), data_to } : { data_from: null, data_to: null };
}

const filterOf = ({ ciks, kind, from, untilMs }: IssuerRequest) => ({
  kind,
  subjects: ciks,
  from,
  to: dateOf(untilMs),
});

/** Coverage of companies. */
function issuerCoverage({ filings, covered, lists, reader, versions, lake, clock }: CoverageDeps) {
  const spanOf = (cik: string, { kind, from, untilMs }: IssuerRequest) => {
    const list = covered.list(cik, kind);
    const indexed = {
      list: list && { covered_from: list.covered_from, listedMs: instantMs(list.listed_at) },
      days: covered.days(kind, from, dateOf(untilMs)),
    };
    return coveredSpan(indexed, from, untilMs, clock.nowMs());
  };

  /** Marks filings whose trades came with a quarterly data set as read, so that they are not fetched. */
  const skipDataSetFilings = async ({ ciks, kind, from }: IssuerRequest, signal: AbortSignal) => {
    if (kind !== "insider" || !covered.hasDataSets()) return;
    const rows = await lake.query<{ accession_number: string }>(
      "SELECT DISTINCT accession_number FROM insider_transactions WHERE issuer_cik = ANY($ciks) AND reading = 0 AND filing_date >= $from::DATE",
      { ciks, from },
      { signal },
    );
    filings.markReadFromDataSet(rows.map((row) => row.accession_number));
  };

  const refreshLists = async (request: IssuerRequest, signal: AbortSignal): Promise<void> => {
    for (const cik of request.ciks) {
      if (!request.force && spanOf(cik, request).isWhole) continue;
      await lists.refresh(cik, request.kind, request.from, signal);
    }
    await skipDataSetFilings(request, signal);
  };

  /** Returns the stored coverage of the requested filings. */
  const storedCoverage = (request: IssuerRequest, isOutage: boolean): StoredCoverage => {
    const { kind, ciks } = request;
    const [cik = ""] = ciks;
    const pending_count = filings.count({ ...filterOf(request), status: ["pending"] });
    const unreadable = filings.count({ ...filterOf(request), status: ["failed"] });
    // A schedule that is not read yet has a row of its own, so only trades can be missing.
    const { from: _from, ...upToNow } = filterOf(request);
    const [unread] = kind === "insider" ? filings.find({ ...upToNow, status: ["pending"] }, 1) : [];
    const { data_from, data_to } = spanAfter(spanOf(cik, request), unread?.filing_date);
    const warnings = [
      ...(pending_count > 0 ? [unreadWarning(pending_count, isOutage)] : []),
      ...unreadableWarning(kind, unreadable),
    ];
    return { data_from, data_to, pending_count, warnings };
  };

  /** Returns an earlier version's coverage of the requested filings. */
  const coverageOfVersion = async (request: IssuerRequest): Promise<Coverage> => {
    await versions.load(request.ciks);
    const found = storedCoverage(request, false);
    const isWhole = request.ciks.every((one) => spanOf(one, request).isWhole);
    const warnings = [...(isWhole ? [] : [VERSION_IN_PART]), ...found.warnings];
    return { ...found, auto_fetched: false, fetched_count: 0, warnings };
  };

  /** Whether there is anything to answer with when the regulator fails. */
  const hasAnything = (request: IssuerRequest): boolean =>
    request.ciks.some((cik) => covered.list(cik, request.kind) !== null) ||
    filings.count({ ...filterOf(request), status: ["succeeded"] }) > 0;

  return {
    /**
     * Indexes and reads what is missing of a company's filings. A failure of the regulator is thrown if
     * nothing is stored or a refresh was forced. Otherwise a warning says that newer filings may be missing.
     */
    async ensureIssuer(request: IssuerRequest, signal: AbortSignal): Promise<Coverage> {
      if (isReplaying()) return coverageOfVersion(request);
      const { kind, ciks, force } = request;
      const [cik = ""] = ciks;
      const auto_fetched = covered.list(cik, kind) === null && !spanOf(cik, request).isWhole;
      const warnings: string[] = [];
      const warnOrThrow = (error: AsofError) => {
        if (force || !hasAnything(request)) throw error;
        warnings.push(staleWarning(error));
      };
      if (force || !ciks.every((one) => spanOf(one, request).isWhole)) {
        try {
          await refreshLists(request, signal);
        } catch (error) {
          if (signal.aborted || !isUpdateFailure(error)) throw error;
          warnOrThrow(error);
        }
      }
      if (force) filings.reset({ ...filterOf(request), status: ["failed"] });
      const pending = filings.find({ ...filterOf(request), status: ["pending"] });
      const untilMs = clock.nowMs() + ISSUER_READ_MS_MAX;
      const { read, outage } = await reader.read(pending, { signal, untilMs }).catch((error: unknown) => {
        if (signal.aborted || !isUpdateFailure(error)) throw error;
        return { read: 0, outage: error };
      });
      if (outage) warnOrThrow(outage);
      const found = await versions.read(ciks, () => storedCoverage(request, outage !== null));
      return { ...found, auto_fetched, fetched_count: read, warnings: [...warnings, ...found.warnings] };
    },
  };
}

/** Of a day that had not begun: nothing of it was public, and nothing that is learned of it later is said. */
const NOT_BEGUN: DayCoverage = { pending_count: 0, retry_after_s: null, warnings: [] };

const unpublished = (date: string) => `The SEC's index of ${date} is not published yet`;

/** Coverage of days, over all companies. */
function dayCoverage({ filings, covered, days, dayReading, versions }: CoverageDeps) {
  const isIndexed = (date: string, kind: Kind) =>
    covered.days(kind, date, date).has(date) || !isFederalBusinessDay(date);

  /** Returns the stored coverage of a day. `outage` is why nothing more was read. */
  const storedDay = (date: string, kind: Kind, outage: AsofError | null): DayCoverage => {
    const ofDay = { kind, from: date, to: date };
    const pending_count = filings.count({ ...ofDay, status: ["pending"] });
    const retry_after_s =
      pending_count === 0 || outage
        ? null
        : Math.min(RETRY_S_MAX, Math.max(RETRY_S_MIN, Math.ceil(pending_count / READ_PER_SECOND)));
    const again = retry_after_s === null ? "." : `: request again in ${retry_after_s} s.`;
    const warnings = [
      ...(isIndexed(date, kind) ? [] : [absent("not_read", `${unpublished(date)}: filings are missing.`)]),
      ...(outage ? [staleWarning(outage)] : []),
      ...(pending_count > 0 ? [absent("not_read", `${countOf(pending_count)} not read yet${again}`)] : []),
      ...unreadableWarning(kind, filings.count({ ...ofDay, status: ["failed"] })),
    ];
    return { pending_count, retry_after_s, warnings };
  };

  /**
   * Returns an earlier version's coverage of a day. Nothing more is read for it, so that no client needs to
   * come again.
   */
  const dayOfVersion = async (date: string, kind: Kind): Promise<DayCoverage> => {
    await versions.loadDay(date);
    return { ...storedDay(date, kind, null), retry_after_s: null };
  };

  return {
    /**
     * Indexes and reads a day's filings of a kind, as far as one can have been public at `asOf`. What is not
     * read within some seconds is read in the background. Throws NotFound `no_data` when the day's index is
     * not published yet.
     */
    async ensureDay(
      date: string,
      kind: Kind,
      asOf: Temporal.Instant,
      signal: AbortSignal,
    ): Promise<DayCoverage> {
      days.refuseFuture(date);
      if (newYorkDate(asOf) < date) return NOT_BEGUN;
      if (isReplaying()) return dayOfVersion(date, kind);
      const ofDay = { kind, from: date, to: date };
      if (!isIndexed(date, kind) && (await days.take(date, signal)) === null && filings.count(ofDay) === 0)
        throw new NotRead(`${unpublished(date)}.`, { hint: "It is published at about 22:15 in New York." });
      const outage = (await dayReading.read(date, kind, signal))?.outage ?? null;
      if (outage && filings.count({ ...ofDay, status: ["succeeded"] }) === 0) throw outage;
      return versions.readDay(date, () => storedDay(date, kind, outage));
    },

    /** The span up to `to` without a missing day, over all companies; null if there is none. */
    completeDays(kind: Kind, to: string): { data_from: string; data_to: string } | null {
      const from = addDays(to, -COMPLETE_DAYS_MAX);
      const untilMs = endOfDay(to).epochMilliseconds;
      const indexed = { list: null, days: covered.days(kind, from, to) };
      const { data_from, data_to } = coveredSpan(indexed, from, untilMs, untilMs);
      return data_from === null || data_to === null ? null : { data_from, data_to };
    },
  };
}

export const ownershipCoverage = (deps: CoverageDeps) => ({ ...issuerCoverage(deps), ...dayCoverage(deps) });

export type OwnershipCoverage = ReturnType<typeof ownershipCoverage>;
