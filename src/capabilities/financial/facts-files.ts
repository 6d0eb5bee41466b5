// A filer's file of figures (company facts): fetches it from the regulator, parses it and stores what it
// states.
import { newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import type { Services } from "../../market/services.ts";
import { type AsofError, UpstreamFailed } from "../../platform/errors.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import {
  FACTS_READING,
  type FigureWarning,
  type NormalisedFacts,
  normaliseFacts,
} from "../../providers/edgar/index.ts";
import type { FactsUpdate } from "./replaced-reports.ts";
import type { FigureSource, PeriodicFiling, ReportIndex } from "./sources.ts";
import type { FinancialStore, WriteResult } from "./store.ts";
import { REPLACED } from "./warnings.ts";

/** A report accepted on the evening before a long weekend is dated the first business day after it. */
// Accepted in the evening of Thursday 3 July 2025, a report is dated Monday the 7th; one dated the 11th is
// left out.
const DAYS_AHEAD_MAX = 7;

/** The parsed file of one filer. */
export interface ParsedFile {
  readonly cik: string;
  readonly read: NormalisedFacts;
}

function parseJson(cik: string, bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (cause) {
    throw new UpstreamFailed("edgar", `The SEC's file of figures of CIK ${cik} is not JSON.`, { cause });
  }
}

/** Returns the state to store of a filer once the figures of its file are written. */
function stateAfter(
  { facts, warnings }: NormalisedFacts,
  { mode, cik }: FactsUpdate,
  { replaced }: WriteResult,
  readAtMs: number,
) {
  const corrected = mode === "correct" ? (replaced.get(cik) ?? []) : [];
  return {
    status: "facts" as const,
    facts: facts.length,
    warnings: [
      ...warnings,
      ...corrected.map(
        (report): FigureWarning => ({
          code: REPLACED,
          line: null,
          period_end: null,
          accession_number: report,
          detail: `The SEC's file now states figures of ${report} differently; the stored ones are replaced.`,
          noted_at: instantText(readAtMs),
        }),
      ),
    ],
    read_at: instantText(readAtMs),
    reading: FACTS_READING,
    newest_accession: facts.at(-1)?.accession_number ?? null,
  };
}

export interface FactsFilesDeps extends Pick<Services, "clock"> {
  readonly source: FigureSource;
  readonly filings: ReportIndex;
  readonly store: FinancialStore;
}

export function factsFiles({ source, filings, store, clock }: FactsFilesDeps) {
  /**
   * Parses a file of figures. Throws UpstreamFailed when it has another shape or belongs to another filer.
   */
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

  const updateOf = ({ cik, read: { facts } }: ParsedFile, isNewest: boolean): FactsUpdate => {
    const state = store.state(cik);
    const isCurrent = state === null || state.reading === FACTS_READING;
    return { cik, source: "xbrl", facts, mode: isNewest ? (isCurrent ? "correct" : "replace") : "add" };
  };

  return {
    read,

    /**
     * Fetches and stores the file of a filer whose newest report is `newest`. Throws when it cannot be had or
     * stored.
     */
    async refresh(cik: string, newest: PeriodicFiling | undefined, signal: AbortSignal): Promise<void> {
      // Taken before the request: a report filed while it is under way may be missing from the answer.
      const requestedMs = clock.nowMs();
      const answer = await source.companyFacts(cik, signal);
      if (answer === null) {
        const known = store.state(cik);
        store.saveState(cik, {
          status: "none",
          read_at: instantText(requestedMs),
          newest_accession: null,
          reading: known && known.facts > 0 ? known.reading : FACTS_READING,
        });
        return;
      }
      const file = { cik, read: read(cik, parseJson(cik, answer.bytes)) };
      const update = updateOf(file, true);
      const written = await store.write([update]);
      const refused = written.refused.get(cik);
      if (refused) throw refused;
      const state = stateAfter(file.read, update, written, requestedMs);
      const hasNewest = file.read.facts.some((fact) => fact.accession_number === newest?.accession_number);
      store.saveState(
        cik,
        hasNewest ? { ...state, newest_accession: newest?.accession_number ?? null } : state,
      );
    },

    /**
     * Stores files that came another way, such as the regulator's nightly archive made at `madeMs`. Returns
     * the filers whose file was refused, with the reason.
     */
    async storeFiles(files: readonly ParsedFile[], madeMs: number): Promise<ReadonlyMap<string, AsofError>> {
      // An archive older than the stored figures only adds; the state must keep showing the newer read.
      const isNewest = (cik: string) => {
        const known = store.state(cik);
        return known === null || instantMs(known.read_at) < madeMs;
      };
      const updates = files.map((file) => ({ file, update: updateOf(file, isNewest(file.cik)) }));
      const written = await store.write(updates.map(({ update }) => update));
      for (const { file, update } of updates)
        if (update.mode !== "add" && !written.refused.has(file.cik))
          store.saveState(file.cik, stateAfter(file.read, update, written, madeMs));
      return written.refused;
    },
  };
}

export type FactsFiles = ReturnType<typeof factsFiles>;
