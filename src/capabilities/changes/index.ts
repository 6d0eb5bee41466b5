// The ledger of changes: what each commit of the store added, revised, read again or withdrew.
import { Elysia } from "elysia";
import type { Services } from "../../market/services.ts";
import { asksForEvents } from "../../platform/event-stream.ts";
import { documented } from "../../platform/route-doc.ts";
import { changePages } from "./pages.ts";
import { type ChangesDeps, changeRequests } from "./requests.ts";
import { ChangesAnswer, ChangesQuery, SummaryAnswer, SummaryQuery } from "./schema.ts";
import { changeStream } from "./stream.ts";
import { changeSummary } from "./summary.ts";

const NOT_FOUND =
  "There is no such dataset, or no list of the SEC that was read has a company with the symbol and the dataset names companies by CIK.";
const LOST =
  "The cursor or version is of a line of history that was lost when a backup was restored or the store was forked: begin again with since=0.";

const CHANGES = documented({
  tag: "changes",
  summary: "What changed in the stored data, commit by commit",
  description:
    "Every change of the store since a cursor: rows that were added, revised, read again or withdrawn, with the row before and after, and whether the world changed or this service did. One total order; every change is sent at least once. A page of JSON may end inside a commit: pass its cursor as since and its after_row as after_row. Moving rows between files is no change. Rows that were stored by releases before generations were recorded are not in the ledger.",
  answer: ChangesAnswer,
  tabular: true,
  events:
    'Sent for Accept: text/event-stream. Each event is a row: `id` is its cursor, `data` the row as JSON. What is there since the cursor comes first, then each commit as it is made; a comment every 15 s shows that the stream lives. A client that was cut off sends Last-Event-ID, which counts before since, and misses nothing. With symbol, an event named `warning` comes first; its `data` is {"warnings": [...]}, as in the JSON answer, and it comes again where the warnings change. limit does not count.',
  answerDescription: "The changes after the cursor.",
  errors: [400, "not_found", "unknown_ticker", "other_lineage"],
  errorDescriptions: {
    404: NOT_FOUND,
    400: "limit is above 10,000 in JSON, or the cursor is beyond the newest data version.",
    410: LOST,
  },
  heavy: true,
});

const SUMMARY = documented({
  tag: "changes",
  summary: "What changed between two data versions",
  description:
    "Counts the changes between two data versions by dataset, kind and cause, and names the symbols that are most affected: why a study gives other figures now. reread and withdraw mean that an answer about the past has changed, revise that the world gave a later value, insert that rows were added; backfilled and our_reading mean that this service changed, not the world.",
  answer: SummaryAnswer,
  rows: "data",
  answerDescription: "The counts.",
  errors: [400, "not_found", "unknown_ticker", "unknown_version", "other_lineage"],
  errorDescriptions: {
    400: "from_version is greater than to_version.",
    404: `There is no such version. ${NOT_FOUND}`,
    410: LOST,
  },
  heavy: true,
});

/** Builds the routes below /changes. */
export function changes(deps: ChangesDeps & Pick<Services, "clock">) {
  const requests = changeRequests(deps);
  const ending = new AbortController();
  const stream = changeStream(deps, requests, ending.signal);
  const [list, summary] = [changePages(deps, requests), changeSummary(deps, requests)];
  const routes = new Elysia({ name: "changes", prefix: "/changes" })
    .get(
      "",
      ({ query, request }) => (asksForEvents(request) ? stream(query, request) : list(query, request.signal)),
      { query: ChangesQuery, detail: CHANGES },
    )
    .get("/summary", ({ query, request }) => summary(query, request.signal), {
      query: SummaryQuery,
      detail: SUMMARY,
    });
  return {
    routes,
    /** Ends all streams of events; clients come back to the next process. */
    endStreams: () => ending.abort(new Error("the service is stopping")),
  };
}
