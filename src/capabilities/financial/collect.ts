// Brings a filer's stored figures up to its newest periodic report; concurrent requests share one fetch.
import type { Services } from "../../market/services.ts";
import { AsofError, NotFound, UpstreamFailed } from "../../platform/errors.ts";
import { isReplaying } from "../../platform/reading.ts";
import { singleFlight } from "../../platform/upstream/single-flight.ts";
import { FACTS_READING, type FigureWarning, type FinancialFact } from "../../providers/edgar/index.ts";
import type { FactsFiles } from "./facts-files.ts";
import { isReadDue } from "./refresh-rules.ts";
import { type Schedules, schedulesEnd } from "./schedules.ts";
import type { PeriodicFiling, PeriodicReports, ReportIndex } from "./sources.ts";
import type { FinancialStore } from "./store.ts";
import type { StatementVersions } from "./version-state.ts";
import { note } from "./warnings.ts";

/** The outcome of bringing a filer's figures up to date. */
export interface Collected {
  /** The filer and its predecessors: their figures together are its history. */
  readonly ciks: readonly string[];
  /** Whether the regulator was asked for figures. */
  readonly asked: boolean;
  /** Why the figures could not be brought up to date; the stored ones are served all the same. */
  readonly failure: AsofError | null;
  readonly acceptance_pending?: number;
  /** The reports on file, newest first. */
  readonly reports: readonly PeriodicFiling[];
  readonly warnings: readonly FigureWarning[];
}

export interface CollectRequest {
  /** Only what was on file then is needed; null: everything. */
  readonly asOf: Temporal.Instant | null;
  /** Earliest day on which a needed period may end; null: all there is. */
  readonly start: string | null;
  /** Reads the figures at the regulator whatever is stored. */
  readonly force: boolean;
}

const OUTDATED_WARNING =
  "The figures were read by an earlier version of this service and could not be read again.";
const FILE_GONE_WARNING = "The SEC no longer has a file of these figures; they are from its last one.";

/**
 * Whether figures may be read without the list of reports: their file states the filing dates itself. Not
 * when the list timed out or was rate limited, since the file would make the client wait a second time.
 */
const isServedWithoutList = (listError: AsofError): boolean =>
  listError instanceof NotFound || listError instanceof UpstreamFailed;

const withoutListWarning = ({ message }: AsofError): string =>
  `The list of reports could not be read (${message}): figures count as known from the end of the day their report was filed, and those of a predecessor are missing.`;

/**
 * The error when the stored figures can be served in spite of it; rethrows a bug, an aborted request and a
 * damaged file.
 */
function servableError(error: unknown, signal: AbortSignal): AsofError {
  signal.throwIfAborted();
  if (!(error instanceof AsofError) || error.code === "damaged") throw error;
  return error;
}

export interface CollectDeps extends Pick<Services, "clock"> {
  readonly files: FactsFiles;
  readonly filings: ReportIndex;
  readonly store: FinancialStore;
  readonly schedules: Schedules;
  readonly versions: Pick<StatementVersions, "load">;
}

export function collector({ files, filings, store, schedules, versions, clock }: CollectDeps) {
  const flights = singleFlight<void>();

  /** Reads what is due of one filer. Returns whether the regulator was asked. */
  const refresh = async (
    cik: string,
    reports: PeriodicReports,
    { asOf, start, force }: CollectRequest,
    signal: AbortSignal,
  ): Promise<boolean> => {
    const own = reports.filings.filter((filing) => filing.cik === cik);
    let asked = false;
    if (force || isReadDue(store.state(cik), own[0], asOf, clock.nowMs())) {
      await flights.run(`facts ${cik}`, signal, (shared) => files.refresh(cik, own[0], shared));
      asked = true;
    }
    if ((start === null || start < schedulesEnd) && schedules.areMissing(cik, own)) {
      await flights.run(`schedules ${cik}`, signal, (shared) => schedules.read(cik, own, shared));
      asked = true;
    }
    return asked;
  };

  /** The filer's reports; an empty list with the error when they cannot be read. */
  const listReports = async (cik: string, { asOf, force }: CollectRequest, signal: AbortSignal) => {
    try {
      return { reports: await filings.periodic(cik, force ? null : asOf, signal), error: null };
    } catch (error) {
      const reports: PeriodicReports = { ciks: [cik], filings: [], warnings: [] };
      return { reports, error: servableError(error, signal) };
    }
  };

  /** Warnings about stored figures that are not as the regulator has them now. */
  const stalenessWarnings = (ciks: readonly string[]): FigureWarning[] => {
    const states = ciks.map(store.state).filter((state) => state !== null && state.facts > 0);
    return [
      // Which version of the reader runs now says nothing about an earlier version of the store.
      ...(!isReplaying() && states.some((state) => state?.reading !== FACTS_READING)
        ? [note("reading_outdated", OUTDATED_WARNING)]
        : []),
      ...(states.some((state) => state?.status === "none") ? [note("file_gone", FILE_GONE_WARNING)] : []),
    ];
  };

  /** The figures that an earlier version has, which nothing brings up to date. */
  const collectedInVersion = async (
    cik: string,
    { asOf }: CollectRequest,
    signal: AbortSignal,
  ): Promise<Collected> => {
    const {
      ciks,
      warnings,
      acceptance_pending = 0,
      filings: reports,
    } = await filings.periodic(cik, asOf, signal);
    await versions.load(ciks);
    const notes = warnings.map((text) => note("list_of_reports", text));
    const said = [...notes, ...stalenessWarnings(ciks)];
    return { ciks, asked: false, failure: null, acceptance_pending, reports, warnings: said };
  };

  return {
    /** When filings became public; those whose acceptance is unknown are absent. */
    acceptanceOf: (accessions: readonly string[]) => filings.acceptanceOf(accessions),

    /**
     * Brings the figures of a filer and of its predecessors up to date. Throws only when our own store fails.
     */
    async collect(cik: string, request: CollectRequest, signal: AbortSignal): Promise<Collected> {
      if (isReplaying()) return collectedInVersion(cik, request, signal);
      const { reports, error: listError } = await listReports(cik, request, signal);
      let readError: AsofError | null = null;
      let asked = false;
      for (const filer of listError && !isServedWithoutList(listError) ? [] : reports.ciks) {
        try {
          asked = (await refresh(filer, reports, request, signal)) || asked;
        } catch (error) {
          const servable = servableError(error, signal);
          readError ??= servable;
        }
      }
      const isComplete = listError !== null && readError === null && (asked || listError instanceof NotFound);
      const isServed = isComplete && (store.state(cik)?.facts ?? 0) > 0;
      return {
        ciks: reports.ciks,
        asked,
        failure: isServed ? null : (listError ?? readError),
        acceptance_pending: reports.acceptance_pending ?? 0,
        reports: reports.filings,
        warnings: [
          ...reports.warnings.map((text) => note("list_of_reports", text)),
          ...(isServed ? [note("list_unread", withoutListWarning(listError))] : []),
          ...stalenessWarnings(reports.ciks),
        ],
      };
    },

    /**
     * Figures with the acceptance times that the filings index learned after they were stored. (A list of
     * filings may leave two moments possible; the filing's own page decides later.) Stored figures are never
     * dated too early.
     */
    dated(facts: readonly FinancialFact[]): readonly FinancialFact[] {
      const open = new Set<string>();
      for (const fact of facts) if (fact.accepted_at === null) open.add(fact.accession_number);
      const known = open.size === 0 ? new Map<string, string>() : filings.acceptanceOf([...open]);
      if (known.size === 0) return facts;
      return facts.map((fact) => {
        const accepted_at = fact.accepted_at ?? known.get(fact.accession_number) ?? null;
        return accepted_at === fact.accepted_at ? fact : { ...fact, accepted_at };
      });
    },
  };
}

export type Collector = ReturnType<typeof collector>;
