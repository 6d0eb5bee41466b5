// How the universe routes document themselves.
import { UNIVERSE_DISCOVER_DEADLINE_S } from "../../limits.ts";
import { documented } from "../../platform/route-doc.ts";
import { BuildAccepted, BuildStatus, DiscoverAnswer, RegistryList, ScreenAnswer } from "./schema.ts";

const tag = "universe";

export const SCREEN = documented({
  tag,
  summary: "Listed stocks on a historical date",
  description:
    "Uses the newest monthly snapshot at or before the date. Only what was built is there (POST /universe/admin/build-snapshots); snapshots are of common stocks and depositary shares. Sector, exchange and name are those at the time of the build. Snapshots of days before the service first read the exchanges' lists have survivorship bias, which `survivorship_bias` says; later ones keep what was delisted since. With `as_of` only snapshots built by then are used: market_cap is made of the latest count of shares at the build, market_cap_pit of what was on file on the snapshot's own day.",
  answer: ScreenAnswer,
  answerDescription: "The listings that match.",
  errors: [400, "no_data"],
  tabular: true,
});

export const REGISTRY = documented({
  tag,
  summary: "Listings the service tracks",
  description:
    "Every security of the US exchanges since the lists were first read, delisted ones included (`is_active` false); test issues are left out. A listing that is renamed stays one listing. Filled by POST /universe/admin/discover and daily; empty before. Securities traded only over the counter are in no list of an exchange.",
  answer: RegistryList,
  answerDescription: "The listings that match, by ticker.",
  tabular: true,
});

export const DISCOVER = documented({
  tag,
  summary: "Read the lists of the exchanges into the registry",
  description:
    "Reads the symbol directory (all US exchanges), Nasdaq's screener (sector, industry, country, market value) and the SEC's list of tickers (CIK). The filters decide what comes in; what is in the registry is kept up whatever they say. A list that cannot be read is counted in `errors` and changes nothing; a listing counts as delisted only when every file of the directory was read. 502 only when no file of it could be had; 409 while it runs already.",
  answer: DiscoverAnswer,
  answerDescription: "What came of it.",
  errors: [401, 403, 409, 429, 502, 504],
  deadlineS: UNIVERSE_DISCOVER_DEADLINE_S,
});

export const BUILD = documented({
  tag,
  summary: "Build monthly snapshots in the background",
  description:
    "Answers at once; GET …/{job_id} tells the progress. Has daily bars and filed reports collected that are missing, then writes a month after the other. A cold build of everything takes hours at the providers' pace; one that was broken off goes on where it stopped when it is posted again. 409 while one runs; 404 `unknown_ticker` for tickers the registry does not have, 404 `no_data` while it is empty.",
  answer: BuildAccepted,
  answerDescription: "The build has begun.",
  errors: ["invalid_date_range", 401, 403, 404, "no_data", 409],
  successStatus: 202,
});

export const BUILD_STATUS = documented({
  tag,
  summary: "How far a build of snapshots is",
  description: "Kept for good, also of builds that the process did not outlive.",
  answer: BuildStatus,
  answerDescription: "The build.",
  errors: [401, 403, "not_found"],
});
