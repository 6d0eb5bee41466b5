// The logs: which requests were served, and what went wrong. Its face: what it needs, and its routes.
import { Elysia } from "elysia";
import { REQUEST_LOG_RETENTION_DAYS } from "../../limits.ts";
import type { Clock } from "../../platform/clock.ts";
import { documented } from "../../platform/route-doc.ts";
import type { Store } from "../../platform/sqlite/sqlite.ts";
import {
  ErrorList,
  ErrorPath,
  ErrorRow,
  ErrorsQuery,
  RequestList,
  RequestStats,
  RequestsQuery,
  StatsQuery,
} from "./schema.ts";
import { logStore } from "./store.ts";

export interface LogsNeeds {
  readonly sqlite: Store;
  readonly clock: Clock;
  /** Guards the routes once the server takes keys. */
  readonly operator: Elysia;
  /** Writes what is held in memory, so that the newest rows are there. */
  flush(): void;
  isAdmin(request: Request): boolean;
}

const tag = "logs";
const KEPT = `Kept for ${REQUEST_LOG_RETENTION_DAYS} days. No body and no key is ever in it.`;
const GUARD = "Once API_KEYS is set, for the admin only.";
const errors = [400, "invalid_date_range", 401, 403] as const;

const REQUESTS = documented({
  tag,
  summary: "Requests served, newest first",
  description: `status_code and the range must both hold where both are given. ${KEPT} ${GUARD}`,
  answer: RequestList,
  answerDescription: "The requests.",
  errors: [...errors],
});
const STATS = documented({
  tag,
  summary: "Requests by status and path",
  description: `Counts, mean and 95th percentile of the time to the answer. ${GUARD}`,
  answer: RequestStats,
  answerDescription: "The statistics.",
  errors: [401, 403],
});
const ERRORS = documented({
  tag,
  summary: "What went wrong, newest first",
  description: `Requests that ended with 500 and above or met a provider's rate limit, and what jobs, providers and the store reported. ${KEPT} ${GUARD}`,
  answer: ErrorList,
  answerDescription: "The errors.",
  errors: [...errors],
});
const ONE_ERROR = documented({
  tag,
  summary: "One error",
  description: GUARD,
  answer: ErrorRow,
  answerDescription: "The error.",
  errors: [401, 403, "not_found"],
});

/** Composes the routes below /logs. */
export function logs(needs: LogsNeeds) {
  const store = logStore(needs);
  const fresh = <T>(read: () => T): T => {
    needs.flush();
    return read();
  };
  const routes = new Elysia({ name: "logs", prefix: "/logs" })
    .use(needs.operator)
    .get("/requests", ({ query }) => fresh(() => store.requests(query)), {
      query: RequestsQuery,
      detail: REQUESTS,
    })
    .get("/requests/stats", ({ query }) => fresh(() => store.stats(query.hours ?? 24)), {
      query: StatsQuery,
      detail: STATS,
    })
    .get("/errors", ({ query, request }) => fresh(() => store.errors(query, needs.isAdmin(request))), {
      query: ErrorsQuery,
      detail: ERRORS,
    })
    .get(
      "/errors/:id",
      ({ params, request }) => fresh(() => store.error(params.id, needs.isAdmin(request))),
      {
        params: ErrorPath,
        detail: ONE_ERROR,
      },
    );
  return { routes };
}
