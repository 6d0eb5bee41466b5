// What other capabilities ask of the index of filings: the reports of a filer, and from when filings could be read.
import { inBatches } from "../../market/bulk.ts";
import type { Subjects } from "./requested-filer.ts";
import type { FilingsStore, FoundFiling } from "./store.ts";

const ACCESSIONS_AT_ONCE = 500;
/** More than a filer has of the forms that are asked for. */
const FILINGS_MAX = 10_000;

export function filingKnowledge({ subjects, store }: { subjects: Subjects; store: FilingsStore }) {
  return {
    /** A filer's filings of some forms, newest first, with an index brought up to `asOf` or to now. Throws as `Subjects.indexed`. */
    async ofForms(
      cik: string,
      forms: readonly string[],
      asOf: Temporal.Instant | null,
      signal: AbortSignal,
    ): Promise<{ ciks: readonly string[]; filings: readonly FoundFiling[]; warnings: readonly string[] }> {
      const span = { start: null, end: null, asOf, force: false };
      const { ciks, warnings } = await subjects.indexed({ cik, ticker: null }, span, signal);
      return { ciks, warnings, filings: store.find({ ciks, forms }, { limit: FILINGS_MAX, offset: 0 }) };
    },
    /** From when filings could be read; without those whose acceptance is not known. */
    acceptanceOf: (accessions: readonly string[]): ReadonlyMap<string, string> =>
      new Map(
        inBatches(accessions, ACCESSIONS_AT_ONCE)
          .flatMap((batch) => store.byAccessions(batch))
          .filter((filing) => filing.accepted_at !== null)
          .map((filing) => [filing.accession_number, filing.known_at]),
      ),
  };
}
