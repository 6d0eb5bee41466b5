// The log capability: the requests that were served, and the errors that occurred.
import { Elysia } from "elysia";
import { REQUEST_LOG_RETENTION_DAYS } from "../../limits.ts";
import type { Services } from "../../market/services.ts";
import { documented } from "../../platform/route-doc.ts";
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

export interface LogsDeps extends Pick<Services, "sqlite" | "clock"> {
  /** Guards the routes when API keys are configured. */
  readonly operator: Elysia;
  /** Writes the rows that are buffered in memory, so that the newest rows are found. */
  flush(): void;
  isAdmin(request: Request): boolean;
}

const tag = "logs";
const RETENTION = `Kept for ${REQUEST_LOG_RETENTION_DAYS} days. The log never contains bodies or keys.`;
const GUARD = "When API_KEYS is set, only the admin may read it.";
const errors = [400, "invalid_date_range", 401, 403] as const;

const REQUESTS = documented({
  tag,
  summary: "Requests served, newest first",
  description: `When status_code and the range are both given, both must match. ${RETENTION} ${GUARD}`,
  answer: RequestList,
  rows: "data",
  answerDescription: "The requests.",
  errors: [...errors],
});
const STATS = documented({
  tag,
  summary: "Requests by status and path",
  description: `Counts, mean and 95th percentile of the response time. ${GUARD}`,
  answer: RequestStats,
  answerDescription: "The statistics.",
  errors: [401, 403],
});
const ERRORS = documented({
  tag,
  summary: "Errors, newest first",
  description: `Requests that ended with status 500 or above or hit a provider's rate limit, and errors reported by jobs, providers and the store. ${RETENTION} ${GUARD}`,
  answer: ErrorList,
  rows: "data",
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

/** Builds the routes below /logs. */
export function logs(deps: LogsDeps) {
  const store = logStore(deps);
  const flushed = <T>(read: () => T): T => {
    deps.flush();
    return read();
  };
  const routes = new Elysia({ name: "logs", prefix: "/logs" })
    .use(deps.operator)
    .get("/requests", ({ query }) => flushed(() => store.requests(query)), {
      query: RequestsQuery,
      detail: REQUESTS,
    })
    .get("/requests/stats", ({ query }) => flushed(() => store.stats(query.hours ?? 24)), {
      query: StatsQuery,
      detail: STATS,
    })
    .get("/errors", ({ query, request }) => flushed(() => store.errors(query, deps.isAdmin(request))), {
      query: ErrorsQuery,
      detail: ERRORS,
    })
    .get(
      "/errors/:id",
      ({ params, request }) => flushed(() => store.error(params.id, deps.isAdmin(request))),
      {
        params: ErrorPath,
        detail: ONE_ERROR,
      },
    );
  return { routes };
}
