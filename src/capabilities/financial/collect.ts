// Keeps a filer's figures up to its newest periodic report: what is missing is fetched, once however many ask.
import { newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import type { Clock } from "../../platform/clock.ts";
import {
  AsofError,
  InvalidRequest,
  NotFound,
  StorageUnavailable,
  UpstreamFailed,
} from "../../platform/errors.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import { singleFlight } from "../../platform/upstream/single-flight.ts";
import {
  FACTS_READING,
  type FinancialFact,
  type NormalisedFacts,
  normaliseFacts,
} from "../../providers/edgar/index.ts";
import type { FactsUpdate } from "./replaced-reports.ts";
import { type Schedules, schedulesEnd } from "./schedules.ts";
import type { FigureSource, PeriodicFiling, PeriodicReports, ReportIndex } from "./sources.ts";
import type { FilerState, FinancialStore, WriteResult } from "./store.ts";

/** What became of bringing a filer's figures up to date. */
export interface Collected {
  /** The filer and those it carries on: their figures together are its history. */
  readonly ciks: readonly string[];
  /** Whether the regulator was asked for figures. */
  readonly asked: boolean;
  /** Why it gave none; what is stored serves all the same. */
  readonly failure: AsofError | null;
  readonly warnings: readonly string[];
}

export interface CollectRequest {
  /** Only what was on file then is wanted; null: everything. */
  readonly asOf: Temporal.Instant | null;
  /** Earliest day a wanted period may end; null: all there is. */
  readonly start: string | null;
  readonly force: boolean;
}

/** The regulator's figures follow a report within minutes; so long a report they lack is not asked for again. */
const MISSING_RETRY_MS = 10 * 60_000;
/** A report older than this that is not among the figures has none: it carries no XBRL. */
const XBRL_DELAY_MS_MAX = 2 * 86_400_000;
/** The regulator's word that it has no figures is believed so long where nothing new was filed. */
const NO_FIGURES_MS = 24 * 60 * 60_000;
/** What comes in the evening before a long weekend is dated the first business day after it. */
const DAYS_AHEAD_MAX = 7;
/** XBRL begins in 2009: an older report is never missing from it. */
const XBRL_BEGINS = "2009-01-01";

/** Told with figures that could not be read anew. */
const OUTDATED_WARNING =
  "The figures are as an earlier version of this service read them; they could not be read again.";

/** Told with figures of which the regulator no longer has a file. */
const FILE_GONE_WARNING = "The SEC no longer has a file of these figures; they are as it last had them.";

/** A failure of the outside, not the word that there is nothing, nor a fault of our own store. */
export const isOutage = (error: unknown): error is AsofError =>
  error instanceof AsofError &&
  !(error instanceof NotFound || error instanceof InvalidRequest || error instanceof StorageUnavailable);

/**
 * Whether the file of figures is asked for without the list of reports: it tells its filings' days itself. Not where the
 * list kept us waiting, for the answer would wait as long a second time.
 */
const servesUnlisted = (unlisted: AsofError): boolean =>
  unlisted instanceof NotFound || unlisted instanceof UpstreamFailed;

const withoutList = ({ message }: AsofError): string =>
  `The list of reports could not be read (${message}): a figure counts as known from the end of the day its report was filed, and a predecessor's are not among them.`;

/** Whether the figures must be asked for again because of a report that is not among them. */
export function isMissingReport(
  state: FilerState,
  newest: PeriodicFiling | undefined,
  nowMs: number,
): boolean {
  const readMs = instantMs(state.read_at);
  if (!newest || newest.filing_date < XBRL_BEGINS)
    return state.status === "none" && nowMs - readMs > NO_FIGURES_MS;
  if (newest.accession_number === state.newest_accession) return false;
  const knownMs = instantMs(newest.known_at);
  if (readMs - knownMs > XBRL_DELAY_MS_MAX) return state.status === "none" && nowMs - readMs > NO_FIGURES_MS;
  return readMs < knownMs || nowMs - readMs > MISSING_RETRY_MS;
}

/** Whether the figures are those of an earlier version of the reading; not asked for too often where there are none. */
const isOutdated = ({ reading, status, read_at }: FilerState, nowMs: number): boolean =>
  reading !== FACTS_READING && (status === "facts" || nowMs - instantMs(read_at) > NO_FIGURES_MS);

function parsed(cik: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new UpstreamFailed("edgar", `The SEC's file of figures of CIK ${cik} is no JSON.`, { cause });
  }
}

export interface CollectDeps {
  readonly source: FigureSource;
  readonly filings: ReportIndex;
  readonly store: FinancialStore;
  readonly schedules: Schedules;
  readonly clock: Clock;
}

export function collector({ source, filings, store, schedules, clock }: CollectDeps) {
  const flights = singleFlight<void>();

  /** What a file of figures says. Throws UpstreamFailed when it is none, or another filer's. */
  const read = (cik: string, body: unknown): NormalisedFacts => {
    const known = new Map<string, string | null>();
    const acceptedAt = (accession: string) => {
      const at = known.get(accession) ?? filings.acceptanceOf([accession]).get(accession) ?? null;
      known.set(accession, at);
      return at;
    };
    const until = addDays(newYorkDate(clock.now()), DAYS_AHEAD_MAX);
    return normaliseFacts(body, { cik, acceptedAt, until });
  };

  const readingOf = (cik: string, { facts }: NormalisedFacts, isNewest = true): FactsUpdate => {
    const state = store.state(cik);
    const isOfNow = state === null || state.reading === FACTS_READING;
    return { cik, source: "xbrl", facts, mode: isNewest ? (isOfNow ? "correct" : "anew") : "add" };
  };

  const stateOf = (
    { facts, warnings }: NormalisedFacts,
    { mode, cik }: FactsUpdate,
    { replaced }: WriteResult,
    readAtMs: number,
  ) => {
    const corrected = mode === "correct" ? (replaced.get(cik) ?? []) : [];
    return {
      status: "facts" as const,
      facts: facts.length,
      warnings: [
        ...warnings,
        ...corrected.map(
          (report) => `The SEC's file gives figures of ${report} otherwise than before; they are replaced.`,
        ),
      ],
      read_at: instantText(readAtMs),
      reading: FACTS_READING,
      newest_accession: facts.at(-1)?.accession_number ?? null,
    };
  };

  const fetchFacts = async (cik: string, newest: PeriodicFiling | undefined, signal: AbortSignal) => {
    // Before asking: what is filed while the answer is under way may not be in it.
    const askedMs = clock.nowMs();
    const answer = await source.companyFacts(cik, signal);
    if (answer === null) {
      const known = store.state(cik);
      const reading = known && known.facts > 0 ? known.reading : FACTS_READING;
      store.saveState(cik, {
        ...{ status: "none", read_at: instantText(askedMs), newest_accession: null, reading },
      });
      return;
    }
    const normalised = read(cik, parsed(cik, answer.bytes));
    const reading = readingOf(cik, normalised);
    const written = await store.write([reading]);
    const refused = written.refused.get(cik);
    if (refused) throw refused;
    const has = normalised.facts.some((f) => f.accession_number === newest?.accession_number);
    const state = stateOf(normalised, reading, written, askedMs);
    store.saveState(cik, has ? { ...state, newest_accession: newest?.accession_number ?? null } : state);
  };

  const refresh = async (cik: string, reports: PeriodicReports, ask: CollectRequest, signal: AbortSignal) => {
    const own = reports.filings.filter((filing) => filing.cik === cik);
    const state = store.state(cik);
    const isPast =
      state !== null && ask.asOf !== null && instantMs(state.read_at) > ask.asOf.epochMilliseconds;
    const isDue =
      state === null ||
      isOutdated(state, clock.nowMs()) ||
      (!isPast && isMissingReport(state, own[0], clock.nowMs()));
    let asked = false;
    if (ask.force || isDue) {
      await flights.run(`facts ${cik}`, signal, (shared) => fetchFacts(cik, own[0], shared));
      asked = true;
    }
    if ((ask.start === null || ask.start < schedulesEnd) && schedules.areMissing(cik, own)) {
      await flights.run(`schedules ${cik}`, signal, (shared) => schedules.read(cik, own, shared));
      asked = true;
    }
    return asked;
  };

  /** The filer's reports; where none can be told, what is stored serves. */
  const reportsOf = async (cik: string, ask: CollectRequest, signal: AbortSignal) => {
    try {
      return { reports: await filings.periodic(cik, ask.force ? null : ask.asOf, signal), failure: null };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AsofError) || error instanceof StorageUnavailable) throw error;
      return { reports: { ciks: [cik], filings: [], warnings: [] }, failure: error };
    }
  };

  return {
    /** Brings the figures of a filer, and of those it carries on, up to what is asked. Only our own failures throw. */
    async collect(cik: string, ask: CollectRequest, signal: AbortSignal): Promise<Collected> {
      const { reports, failure: unlisted } = await reportsOf(cik, ask, signal);
      let unread: AsofError | null = null;
      let asked = false;
      for (const one of unlisted && !servesUnlisted(unlisted) ? [] : reports.ciks) {
        try {
          asked = (await refresh(one, reports, ask, signal)) || asked;
        } catch (error) {
          signal.throwIfAborted();
          if (!(error instanceof AsofError) || error instanceof StorageUnavailable) throw error;
          unread ??= error;
        }
      }
      const isEnough = unlisted !== null && unread === null && (asked || unlisted instanceof NotFound);
      const isServed = isEnough && (store.state(cik)?.facts ?? 0) > 0;
      const failure = isServed ? null : (unlisted ?? unread);
      const warnings = isServed ? [...reports.warnings, withoutList(unlisted)] : reports.warnings;
      const states = reports.ciks.map(store.state).filter((state) => state !== null && state.facts > 0);
      const notes = [
        ...(states.some((state) => state?.reading !== FACTS_READING) ? [OUTDATED_WARNING] : []),
        ...(states.some((state) => state?.status === "none") ? [FILE_GONE_WARNING] : []),
      ];
      return { ciks: reports.ciks, asked, failure, warnings: [...warnings, ...notes] };
    },

    /**
     * Figures with the moments the index has learnt since they were stored: the lists of many filers tell two, and
     * which of them it was is read from the filings' own pages later. What is stored stays, and is never too early.
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

    read,

    /**
     * Stores files of figures that came by another way, such as the regulator's nightly archive, made at `madeMs`. Gives
     * whose file was not taken, and why.
     */
    async storeFiles(
      files: readonly { readonly cik: string; readonly read: NormalisedFacts }[],
      madeMs: number,
    ): Promise<ReadonlyMap<string, AsofError>> {
      // An older archive adds what it has and does not hide that a newer file was read.
      const isNewest = (cik: string) => {
        const known = store.state(cik);
        return known === null || instantMs(known.read_at) < madeMs;
      };
      const readings = files.map(({ cik, read }) => ({ read, ...readingOf(cik, read, isNewest(cik)) }));
      const written = await store.write(readings);
      for (const reading of readings)
        if (reading.mode !== "add" && !written.refused.has(reading.cik))
          store.saveState(reading.cik, stateOf(reading.read, reading, written, madeMs));
      return written.refused;
    },
  };
}

export type Collector = ReturnType<typeof collector>;
