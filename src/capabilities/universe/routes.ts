// The universe routes: each handler only hands the request to its use case.
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

const head = ({ job_id, status, months, tickers, start_month, end_month }: BuildRow) => ({
  ...{ job_id, status, months, tickers, start_month, end_month },
});

function statusOf(row: BuildRow): Static<typeof BuildStatus> {
  const { force, phase, phase_done, phase_total, months_done, rows_written, errors } = row;
  const { error, created_at, updated_at, finished_at } = row;
  return {
    ...head(row),
    ...{ force, phase, phase_done, phase_total, months_done, rows_written, errors },
    error_list: JSON.parse(row.error_list),
    warnings: JSON.parse(row.warnings),
    ...{ error, created_at, updated_at, finished_at },
  };
}

/** The routes below /universe; those of the admin are mounted below `admin`. */
export function universeRoutes({ registry, screen, requests }: UniverseAnswers, admin: Elysia) {
  const administration = new Elysia({ name: "universe-admin", prefix: "/admin" })
    .use(admin)
    .post(
      "/discover",
      ({ body: { exchanges, exclude_types, ...ask } }) =>
        requests.discover({
          ...ask,
          ...(exchanges ? { exchanges: wordsOf(exchanges) } : {}),
          ...(exclude_types ? { exclude_types: wordsOf(exclude_types) } : {}),
        }),
      { body: DiscoverRequest, detail: DISCOVER },
    )
    .post(
      "/build-snapshots",
      ({ body }): Answer<Static<typeof BuildAccepted>> => {
        const { job_id } = requests.beginBuild(body);
        return new Answer(() => head(requests.status(job_id)), { status: 202 });
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
