// The universe routes and their documentation: each handler passes the request to its use case.
import { Elysia, type Static } from "elysia";
import { UNIVERSE_DISCOVER_DEADLINE_S } from "../../limits.ts";
import { wordsOf } from "../../market/params.ts";
import { Answer } from "../../platform/answer.ts";
import { documented } from "../../platform/route-doc.ts";
import type { BuildRow } from "./build-ledger.ts";
import type { registryList } from "./registry-list.ts";
import type { UniverseRequests } from "./requests.ts";
import {
  BuildAccepted,
  BuildRequest,
  BuildStatus,
  DiscoverAnswer,
  DiscoverRequest,
  JobPath,
  RegistryList,
  RegistryQuery,
  ScreenAnswer,
  ScreenQuery,
} from "./schema.ts";
import type { screener } from "./screen.ts";

const tag = "universe";

const SCREEN = documented({
  tag,
  summary: "Listed stocks on a historical date",
  description:
    "Uses the newest monthly snapshot at or before the date. Snapshots must be built first (POST /universe/admin/build-snapshots); they contain common stocks and depositary shares. Sector, exchange and name are those at the time of the build. Snapshots of days before the service first read the exchanges' lists have survivorship bias (`survivorship_bias`); later snapshots keep delisted listings. With `as_of` only snapshots built by then are used. market_cap uses the latest count of shares at the build, market_cap_pit the count on file on the day of the snapshot.",
  answer: ScreenAnswer,
  answerDescription: "The listings that match.",
  errors: [400, "no_data"],
  tabular: true,
});

const REGISTRY = documented({
  tag,
  summary: "Listings that the service tracks",
  description:
    "Every security of the US exchanges since the lists were first read, including delisted ones (`is_active` false), without test issues. A renamed listing stays one listing. Filled by POST /universe/admin/discover and by the daily job; empty before. Securities that trade only over the counter are not included.",
  answer: RegistryList,
  answerDescription: "The listings that match, by ticker.",
  tabular: true,
});

const DISCOVER = documented({
  tag,
  summary: "Read the exchanges' lists into the registry",
  description:
    "Reads the symbol directory (all US exchanges), Nasdaq's screener (sector, industry, country, market value) and the SEC's list of tickers (CIK). The filters decide which new listings enter the registry; known listings are always updated. A list that cannot be read is counted in `errors` and changes nothing. A listing counts as delisted only if every file of the directory was read. 502 if no file of the directory could be read; 409 while a discovery runs.",
  answer: DiscoverAnswer,
  answerDescription: "The counts of the discovery.",
  errors: [401, 403, 409, 429, 502, 504],
  deadlineS: UNIVERSE_DISCOVER_DEADLINE_S,
});

const BUILD = documented({
  tag,
  summary: "Build monthly snapshots in the background",
  description:
    "Answers at once; GET …/{job_id} shows the progress. Fetches missing daily bars and filed reports, then writes one month after the other. A first build of all listings takes hours at the providers' pace. Post the request again to continue an interrupted build. 409 while a build runs; 404 `unknown_ticker` for tickers that are not in the registry, 404 `no_data` while the registry is empty.",
  answer: BuildAccepted,
  answerDescription: "The build has begun.",
  errors: ["invalid_date_range", 401, 403, 404, "no_data", 409],
  successStatus: 202,
});

const BUILD_STATUS = documented({
  tag,
  summary: "Progress of a build of snapshots",
  description: "Stored permanently, including builds that were interrupted.",
  answer: BuildStatus,
  answerDescription: "The build.",
  errors: [401, 403, "not_found"],
});

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
    ...row,
    error_list: JSON.parse(row.error_list),
    warnings: JSON.parse(row.warnings),
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
