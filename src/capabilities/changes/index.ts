// The ledger of changes: what each commit of the store added, revised, read again or withdrew.
import { Elysia } from "elysia";
import type { Services } from "../../market/services.ts";
import { asksForEvents } from "../../platform/event-stream.ts";
import { CHANGES, SUMMARY } from "./docs.ts";
import { changePages } from "./pages.ts";
import { type ChangesDeps, changeRequests } from "./requests.ts";
import { ChangesQuery, SummaryQuery } from "./schema.ts";
import { changeStream } from "./stream.ts";
import { changeSummary } from "./summary.ts";

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
