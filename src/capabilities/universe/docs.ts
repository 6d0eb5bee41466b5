// Documentation of the universe routes.
import { UNIVERSE_DISCOVER_DEADLINE_S } from "../../limits.ts";
import { documented } from "../../platform/route-doc.ts";
import { BuildAccepted, BuildStatus, DiscoverAnswer, RegistryList, ScreenAnswer } from "./schema.ts";

const tag = "universe";

export const SCREEN = documented({
  tag,
  summary: "Listed stocks on a historical date",
  description:
    "Uses the newest monthly snapshot at or before the date. Snapshots must be built first (POST /universe/admin/build-snapshots); they contain common stocks and depositary shares. Sector, exchange and name are those at the time of the build. Snapshots of days before the service first read the exchanges' lists have survivorship bias (`survivorship_bias`); later snapshots keep delisted listings. With `as_of` only snapshots built by then are used. market_cap uses the latest count of shares at the build, market_cap_pit the count on file on the day of the snapshot.",
  answer: ScreenAnswer,
  answerDescription: "The listings that match.",
  errors: [400, "no_data"],
  tabular: true,
});

export const REGISTRY = documented({
  tag,
  summary: "Listings that the service tracks",
  description:
    "Every security of the US exchanges since the lists were first read, including delisted ones (`is_active` false), without test issues. A renamed listing stays one listing. Filled by POST /universe/admin/discover and by the daily job; empty before. Securities that trade only over the counter are not included.",
  answer: RegistryList,
  answerDescription: "The listings that match, by ticker.",
  tabular: true,
});

export const DISCOVER = documented({
  tag,
  summary: "Read the exchanges' lists into the registry",
  description:
    "Reads the symbol directory (all US exchanges), Nasdaq's screener (sector, industry, country, market value) and the SEC's list of tickers (CIK). The filters decide which new listings enter the registry; known listings are always updated. A list that cannot be read is counted in `errors` and changes nothing. A listing counts as delisted only if every file of the directory was read. 502 if no file of the directory could be read; 409 while a discovery runs.",
  answer: DiscoverAnswer,
  answerDescription: "The counts of the discovery.",
  errors: [401, 403, 409, 429, 502, 504],
  deadlineS: UNIVERSE_DISCOVER_DEADLINE_S,
});

export const BUILD = documented({
  tag,
  summary: "Build monthly snapshots in the background",
  description:
    "Answers at once; GET …/{job_id} shows the progress. Fetches missing daily bars and filed reports, then writes one month after the other. A first build of all listings takes hours at the providers' pace. Post the request again to continue an interrupted build. 409 while a build runs; 404 `unknown_ticker` for tickers that are not in the registry, 404 `no_data` while the registry is empty.",
  answer: BuildAccepted,
  answerDescription: "The build has begun.",
  errors: ["invalid_date_range", 401, 403, 404, "no_data", 409],
  successStatus: 202,
});

export const BUILD_STATUS = documented({
  tag,
  summary: "Progress of a build of snapshots",
  description: "Stored permanently, including builds that were interrupted.",
  answer: BuildStatus,
  answerDescription: "The build.",
  errors: [401, 403, "not_found"],
});
