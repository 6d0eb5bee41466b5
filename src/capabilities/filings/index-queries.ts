// Reads the index of filings for other capabilities: a filer's reports, and when filings became public.
import { inBatches } from "../../market/bulk.ts";
import type { IndexedFilings, RequestedFilers } from "./requested-filer.ts";
import type { FilingsStore, FoundFiling } from "./store.ts";
import type { FilingVersions } from "./version-state.ts";

const ACCESSIONS_AT_ONCE = 500;
/** More than any filer has of the requested forms. */
const FILINGS_MAX = 10_000;

interface IndexQueryDeps {
  readonly filers: RequestedFilers;
  readonly store: FilingsStore;
  readonly versions: Pick<FilingVersions, "read">;
}

export function indexQueries({ filers, store, versions }: IndexQueryDeps) {
  return {
    /**
     * A filer's filings of the given forms, newest first, after bringing the index up to `asOf` or to now.
     * Throws as `RequestedFilers.indexed`.
     */
    async filingsOf(
      cik: string,
      forms: readonly string[],
      asOf: Temporal.Instant | null,
      signal: AbortSignal,
    ): Promise<Omit<IndexedFilings, "covered_from"> & { filings: readonly FoundFiling[] }> {
      const span = { start: null, end: null, asOf, force: false, forms };
      const {
        ciks,
        warnings,
        acceptance_pending = 0,
      } = await filers.indexed({ cik, ticker: null, warnings: [] }, span, signal);
      const page = { limit: FILINGS_MAX, offset: 0 };
      const filings = await versions.read("index", ciks, () => store.find({ ciks, forms }, page));
      return { ciks, warnings, acceptance_pending, filings };
    },
    /** When filings became public; those whose acceptance is unknown are absent. */
    acceptanceOf: (accessions: readonly string[]): ReadonlyMap<string, string> =>
      new Map(
        inBatches(accessions, ACCESSIONS_AT_ONCE)
          .flatMap((batch) => store.byAccessions(batch))
          .filter((filing) => filing.accepted_at !== null)
          .map((filing) => [filing.accession_number, filing.known_at]),
      ),
  };
}
