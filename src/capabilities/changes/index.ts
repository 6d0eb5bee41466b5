// The ledger of changes: what each commit of the store added, revised, read again or withdrew.
import { Elysia } from "elysia";
import { CHANGES, SUMMARY } from "./docs.ts";
import { changePages } from "./pages.ts";
import { type ChangesDeps, changeRequests } from "./requests.ts";
import { ChangesQuery, SummaryQuery } from "./schema.ts";
import { changeSummary } from "./summary.ts";

/** Builds the routes below /changes. */
export function changes(deps: ChangesDeps) {
  const requests = changeRequests(deps);
  const [list, summary] = [changePages(deps, requests), changeSummary(deps, requests)];
  const routes = new Elysia({ name: "changes", prefix: "/changes" })
    .get("", ({ query, request }) => list(query, request.signal), { query: ChangesQuery, detail: CHANGES })
    .get("/summary", ({ query, request }) => summary(query, request.signal), {
      query: SummaryQuery,
      detail: SUMMARY,
    });
  return { routes };
}
