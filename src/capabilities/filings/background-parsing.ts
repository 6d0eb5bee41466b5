// Parses newly indexed current reports in the background, a few at a time, and reads acceptance times that a
// list left open.
import { type BackgroundQueue, backgroundQueue } from "../../platform/background-queue.ts";
import { isProviderFailure } from "../../platform/errors.ts";
import type { FilingParser } from "./parse-filing.ts";
import type { LakePublisher } from "./publish.ts";
import type { FilingSource, FilingsLog } from "./sources.ts";
import type { FilingsStore } from "./store.ts";

const WORKERS = 2;
/** Filings that do not fit stay pending and are parsed when their events are requested. */
const QUEUE_MAX = 20_000;

export interface BackgroundDeps {
  readonly source: Pick<FilingSource, "filingIndex">;
  readonly store: FilingsStore;
  readonly parser: FilingParser;
  readonly publisher: LakePublisher;
  readonly log: FilingsLog;
}

export type Background = BackgroundQueue;

/** The queue of filings to be parsed, by accession number. */
export function backgroundParsing({ source, store, parser, publisher, log }: BackgroundDeps): Background {
  return backgroundQueue({
    workers: WORKERS,
    itemsMax: QUEUE_MAX,
    async run(accession, signal) {
      const filing = store.byAccession(accession);
      try {
        if (filing?.parsed_status === "pending") return (await parser.parse(accession, false, signal)).outage;
        if (filing) await source.filingIndex(filing, { pageOnly: true, signal });
      } catch (error) {
        if (signal.aborted) return null;
        if (isProviderFailure(error)) return error;
        log.error("a new filing could not be parsed", { accession_number: accession, error });
      }
      return null;
    },
    // They are parsed on request, or queued again by the next refresh.
    onOutage: (outage, filings) =>
      log.warn("parsing of new filings is postponed", { reason: outage.message, filings }),
    onEnd: publisher.soon,
  });
}
