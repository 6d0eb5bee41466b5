// The index of what companies filed, the documents of filings, and the events of current reports (8-K). This
// is the capability's interface.
import type { Services } from "../../market/services.ts";
import type { Job } from "../../platform/jobs/job.ts";
import { acceptances, notingAcceptances } from "./acceptance.ts";
import { backgroundParsing } from "./background-parsing.ts";
import { documentVersions } from "./document-versions.ts";
import { filingDocuments } from "./documents.ts";
import { eventStore } from "./event-store.ts";
import { filingEvents } from "./events.ts";
import { exhibitReader } from "./exhibit.ts";
import { filingIndex } from "./filing-index.ts";
import { fullText } from "./full-text.ts";
import { indexQueries } from "./index-queries.ts";
import { filingIngest } from "./ingest.ts";
import { filingParser } from "./parse-filing.ts";
import { parseRequests } from "./parse-requests.ts";
import { lakePublisher } from "./publish.ts";
import { requestedFilers } from "./requested-filer.ts";
import { filingRoutes } from "./routes.ts";
import { filingSearch } from "./search.ts";
import type { FilingSource, FilingsLog, ResolveFiler } from "./sources.ts";
import { filingsStore } from "./store.ts";
import { filingVersions } from "./version-state.ts";

export type { FilingIngest } from "./ingest.ts";
export type { FilingSource, FilingsLog, ResolveFiler } from "./sources.ts";

export interface FilingsDeps extends Pick<Services, "lake" | "sqlite" | "clock"> {
  /** The regulator. */
  readonly source: FilingSource;
  readonly resolve: ResolveFiler;
  readonly log: FilingsLog;
}

/** Composes the capability: its routes, its index for other capabilities, and what the command line runs. */
export function filings(deps: FilingsDeps) {
  const { resolve, lake, sqlite, clock, log } = deps;
  const store = filingsStore({ sqlite, clock });
  const source = notingAcceptances({ source: deps.source, store, clock });
  const events = eventStore({ sqlite, clock });
  const publisher = lakePublisher({ sqlite, lake, clock, log });
  const parser = filingParser({ source, filings: store, events, clock, log });
  const background = backgroundParsing({ source, store, parser, publisher, log });
  // Every listing of a filer, whichever route or capability asked for it, queues the 8-Ks it meets for
  // parsing.
  const index = filingIndex({ source, store, clock, onNew: background.add });
  const versions = filingVersions({ lake, sqlite, clock, publisher, isBusy: background.isBusy });
  const { fill: fillAcceptances, fillAt } = acceptances({ source, store });
  const filers = requestedFilers({ resolve, store, index, versions, fillAt, clock });
  const answers = {
    search: filingSearch({
      filers,
      store,
      versions,
      fullText: fullText({ source, store, clock }),
      publisher,
      fillAcceptances,
    }),
    documents: filingDocuments({
      source,
      store,
      resolve,
      readExhibit: exhibitReader({ source, clock }),
      versions: documentVersions({ lake, sqlite, clock }),
      clock,
    }),
    events: filingEvents({
      filers,
      store,
      events,
      versions,
      parser,
      background,
      publisher,
      clock,
      fillAcceptances,
    }),
    parsing: parseRequests({ source, filers, store, parser, publisher, clock }),
  };
  const retries: Job = {
    name: "filings-retry",
    description:
      "Parses current reports again whose parse failed, with growing pauses and at most five times.",
    schedule: "*/10 * * * *",
    zone: "America/New_York",
    deadlineMs: 60_000,
    catchUp: "once",
    async run() {
      const due = events.retryFailed();
      background.add(due);
      return { rows: due.length };
    },
  };
  return {
    routes: filingRoutes(answers),
    jobs: [retries] as readonly Job[],
    /** Reads the index for other capabilities. */
    index: indexQueries({ filers, store, versions }),
    /** Runs `cli index filings` and `cli parse`. */
    ingest: filingIngest({ source, filers, store, parser, publisher, background, clock }),
    /** Resolves when no newly indexed filing waits to be parsed and all results are in the lake. */
    async idle(): Promise<void> {
      await background.idle();
      await publisher.publish();
    },
    /** Stops background parsing and waits for work in progress. Call it before closing the stores. */
    async stop(): Promise<void> {
      await background.stop();
      await publisher.stop();
    },
  };
}
