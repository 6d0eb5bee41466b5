// The universe routes: each handler passes the request to its use case.
import { Elysia, type Static } from "elysia";
import { wordsOf } from "../../market/params.ts";
import { Answer } from "../../platform/answer.ts";
import type { BuildRow } from "./build-ledger.ts";
import { BUILD, BUILD_STATUS, DISCOVER, REGISTRY, SCREEN } from "./docs.ts";
import type { registryList } from "./registry-list.ts";
import type { UniverseRequests } from "./requests.ts";
import {
  type BuildAccepted,
  BuildRequest,
  type BuildStatus,
  DiscoverRequest,
  JobPath,
  RegistryQuery,
  ScreenQuery,
} from "./schema.ts";
import type { screener } from "./screen.ts";

export interface UniverseAnswers {
  readonly registry: ReturnType<typeof registryList>;
  readonly screen: ReturnType<typeof screener>;
  readonly requests: UniverseRequests;
}

const jobHead = ({ job_id, status, months, tickers, start_month, end_month }: BuildRow) => ({
  job_id,
  status,
  months,
  tickers,
  start_month,
  end_month,
});

function statusOf(row: BuildRow): Static<typeof BuildStatus> {
  return {
    ...jobHead(row),
    force: row.force,
    phase: row.phase,
    phase_done: row.phase_done,
    phase_total: row.phase_total,
    months_done: row.months_done,
    rows_written: row.rows_written,
    errors: row.errors,
    error_list: JSON.parse(row.error_list),
    warnings: JSON.parse(row.warnings),
    error: row.error,
    created_at: row.created_at,
    updated_at: row.updated_at,
    finished_at: row.finished_at,
  };
}

/** The routes below /universe. `admin` guards the admin routes. */
export function universeRoutes({ registry, screen, requests }: UniverseAnswers, admin: Elysia) {
  const administration = new Elysia({ name: "universe-admin", prefix: "/admin" })
    .use(admin)
    .post(
      "/discover",
      ({ body: { exchanges, exclude_types, ...request } }) =>
        requests.discover({
          ...request,
          ...(exchanges ? { exchanges: wordsOf(exchanges) } : {}),
          ...(exclude_types ? { exclude_types: wordsOf(exclude_types) } : {}),
        }),
      { body: DiscoverRequest, detail: DISCOVER },
    )
    .post(
      "/build-snapshots",
      ({ body }): Answer<Static<typeof BuildAccepted>> => {
        const { job_id } = requests.beginBuild(body);
        return new Answer(() => jobHead(requests.status(job_id)), { status: 202 });
      },
      { body: BuildRequest, detail: BUILD },
    )
    .get("/build-snapshots/:job_id", ({ params }) => statusOf(requests.status(params.job_id)), {
      params: JobPath,
      detail: BUILD_STATUS,
    });
  return new Elysia({ name: "universe", prefix: "/universe" })
    .get("/screen", ({ query, request }) => screen(query, request.signal), {
      query: ScreenQuery,
      detail: SCREEN,
    })
    .get("/registry", ({ query, request }) => registry(query, request.signal), {
      query: RegistryQuery,
      detail: REGISTRY,
    })
    .use(administration);
}
