// Filings: the index of what companies filed, its documents, and the events of current reports. Its face.
import type { Clock } from "../../platform/clock.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import { backgroundParsing } from "./background-parsing.ts";
import { filingDocuments } from "./documents.ts";
import { eventStore } from "./event-store.ts";
import { filingEvents } from "./events.ts";
import { filingIndex } from "./filing-index.ts";
import { fullText } from "./full-text.ts";
import { filingKnowledge } from "./index-queries.ts";
import { filingIngest } from "./ingest.ts";
import { filingParser } from "./parse-filing.ts";
import { parseRequests } from "./parse-requests.ts";
import { lakePublisher } from "./publish.ts";
import { subjects as filingSubjects } from "./requested-filer.ts";
import { filingRoutes } from "./routes.ts";
import { acceptanceFiller, filingSearch } from "./search.ts";
import type { FilingSource, FilingsLog, ResolveFiler } from "./sources.ts";
import { filingsStore } from "./store.ts";

export type { FilingIngest } from "./ingest.ts";
export type { FilingSource, FilingsLog, ResolveFiler } from "./sources.ts";

export interface FilingsNeeds {
  /** The regulator. */
  readonly source: FilingSource;
  readonly resolve: ResolveFiler;
  readonly lake: Lake;
  readonly sqlite: Store;
  readonly clock: Clock;
  readonly log: FilingsLog;
}

/** Composes the capability: its routes, and what the command line runs. */
export function filings(needs: FilingsNeeds) {
  const { source, resolve, lake, sqlite, clock, log } = needs;
  const store = filingsStore({ sqlite, clock });
  const events = eventStore({ sqlite, clock });
  const publisher = lakePublisher({ sqlite, lake, clock, log });
  const parser = filingParser({ source, filings: store, events, clock, log });
  const background = backgroundParsing({ store, parser, publisher, log });
  const index = filingIndex({ source, store, clock, onNew: background.add });
  const subjects = filingSubjects({ resolve, store, index, clock });
  const fillAcceptances = acceptanceFiller({ source, store, nowMs: clock.nowMs });
  const answers = {
    search: filingSearch({
      subjects,
      store,
      fullText: fullText({ source, store, clock }),
      publisher,
      fillAcceptances,
    }),
    documents: filingDocuments({ source, store, resolve, clock }),
    events: filingEvents({ subjects, store, events, parser, publisher, clock, fillAcceptances }),
    parsing: parseRequests({ source, subjects, store, parser, publisher, clock }),
  };
  return {
    routes: filingRoutes(answers),
    /** What `cli index filings` and `cli parse` run. */
    /** What other capabilities ask of the index. */
    knowledge: filingKnowledge({ subjects, store }),
    ingest: filingIngest({ source, subjects, store, parser, publisher, background, clock }),
    /** Resolves when no newly indexed filing waits to be read, and the lake has what was. */
    async idle(): Promise<void> {
      await background.idle();
      await publisher.publish();
    },
    /** Begins nothing more behind requests and waits for what is under way; to be called before the stores are closed. */
    async stop(): Promise<void> {
      await background.stop();
      await publisher.stop();
    },
  };
}
