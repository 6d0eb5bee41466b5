// How the universe routes document themselves.
import { UNIVERSE_DISCOVER_DEADLINE_S } from "../../limits.ts";
import { documented } from "../../platform/route-doc.ts";
import {
  BuildAccepted,
  BuildStatus,
  DiscoverAnswer,
  RegistryList,
  type RegistryRow,
  ScreenAnswer,
  type ScreenRow,
} from "./schema.ts";

const tag = "universe";

const REGISTRY_EXAMPLE: RegistryRow = {
  ticker: "ZORP",
  name: "Zorp Dynamics Inc. - Common Stock",
  cik: "0009012345",
  sector: "Technology",
  industry: "Computer Software: Prepackaged Software",
  exchange: "Nasdaq",
  security_type: "common",
  country: "United States",
  ipo_year: 2015,
  is_etf: false,
  is_active: true,
  first_seen: "2026-09-01T10:30:02.511Z",
  last_seen: "2026-09-09T10:30:03.120Z",
  former_tickers: [],
  continued_by: null,
  market_cap: 512_000_000_000,
  market_cap_at: "2026-09-09T10:30:03.120Z",
  source: "nasdaqlisted",
  known_at: "2026-09-01T10:30:02.511Z",
};

const SCREEN_EXAMPLE: ScreenRow = {
  ticker: "ZORP",
  name: "Zorp Dynamics Inc. - Common Stock",
  cik: "0009012345",
  sector: "Technology",
  industry: "Computer Software: Prepackaged Software",
  exchange: "Nasdaq",
  security_type: "common",
  market_cap: 512_000_000_000,
  close_price: 184.17,
  shares_outstanding: 2_780_000_000,
  snapshot_date: "2026-08-31",
  currency: "USD",
  basis_date: "2026-09-09",
  shares_source: "regulator",
  shares_as_of: "2026-07-24",
  shares_accession: "0009012345-26-000031",
  close_price_unadjusted: 184.17,
  shares_outstanding_pit: 2_780_000_000,
  shares_pit_as_of: "2026-07-24",
  shares_pit_known_at: "2026-07-30T20:31:12Z",
  shares_pit_accession: "0009012345-26-000031",
  market_cap_pit: 512_000_000_000,
  missing: null,
  known_at: "2026-09-09T12:00:00Z",
};

const envelope = { count: 1, total: 1, limit: 500, offset: 0, has_more: false };

export const SCREEN = documented({
  tag,
  summary: "Listed stocks on a historical date",
  description:
    "Uses the newest monthly snapshot at or before the date. Only what was built is there (POST /universe/admin/build-snapshots); snapshots are of common stocks and depositary shares. Sector, exchange and name are those at the time of the build. Snapshots of days before the service first read the exchanges' lists have survivorship bias, which `survivorship_bias` says; later ones keep what was delisted since. With `as_of` only snapshots built by then are used: market_cap is made of the latest count of shares at the build, market_cap_pit of what was on file on the snapshot's own day.",
  answer: ScreenAnswer,
  answerSays: "The listings that match.",
  example: {
    date: "2026-09-05",
    snapshot_date: "2026-08-31",
    survivorship_bias: true,
    listings_known_since: "2026-09-01T10:30:02.511Z",
    snapshot_rows: 5_214,
    ...envelope,
    data: [SCREEN_EXAMPLE],
  },
  errors: [400, 404],
  tabular: true,
});

export const REGISTRY = documented({
  tag,
  summary: "Listings the service tracks",
  description:
    "Every security of the US exchanges since the lists were first read, delisted ones included (`is_active` false); test issues are left out. A listing that is renamed stays one listing. Filled by POST /universe/admin/discover and daily; empty before. Securities traded only over the counter are in no list of an exchange.",
  answer: RegistryList,
  answerSays: "The listings that match, by ticker.",
  example: { ...envelope, data: [REGISTRY_EXAMPLE] },
  tabular: true,
});

export const DISCOVER = documented({
  tag,
  summary: "Read the lists of the exchanges into the registry",
  description:
    "Reads the symbol directory (all US exchanges), Nasdaq's screener (sector, industry, country, market value) and the SEC's list of tickers (CIK). The filters decide what comes in; what is in the registry is kept up whatever they say. A list that cannot be read is counted in `errors` and changes nothing; a listing counts as delisted only when every file of the directory was read. 502 only when no file of it could be had; 409 while it runs already.",
  answer: DiscoverAnswer,
  answerSays: "What came of it.",
  example: {
    discovered: 11_610,
    added: 12,
    updated: 31,
    skipped: 19,
    errors: 0,
    renamed: 1,
    delisted: 4,
    test_issues: 19,
    warnings: [],
  },
  errors: [401, 403, 409, 429, 502, 504],
  deadlineS: UNIVERSE_DISCOVER_DEADLINE_S,
});

export const BUILD = documented({
  tag,
  summary: "Build monthly snapshots in the background",
  description:
    "Answers at once; GET …/{job_id} tells the progress. Has daily bars and filed reports collected that are missing, then writes a month after the other. A cold build of everything takes hours at the providers' pace; one that was broken off goes on where it stopped when it is posted again. 409 while one runs; 404 `unknown_ticker` for tickers the registry does not have, 404 `no_data` while it is empty.",
  answer: BuildAccepted,
  answerSays: "The build has begun.",
  example: {
    job_id: "01K4QK3H7W2V1Q4M8S0E6T9X5B",
    status: "running",
    months: 128,
    tickers: 5_214,
    start_month: "2016-01",
    end_month: "2026-08",
  },
  errors: [400, 401, 403, 404, 409],
  successStatus: 202,
});

export const BUILD_STATUS = documented({
  tag,
  summary: "How far a build of snapshots is",
  description: "Kept for good, also of builds that the process did not outlive.",
  answer: BuildStatus,
  answerSays: "The build.",
  errors: [401, 403, 404],
});
