// The market-list routes and their documentation; each handler passes the request to its use case.
import { Elysia } from "elysia";
import { FIFTY_TWO_WEEK_PAGE_ROWS, INDEX_FETCH_S } from "../../limits.ts";
import { documented } from "../../platform/route-doc.ts";
import type { StocksAnswers } from "./answers.ts";
import {
  Constituents,
  FiftyTwoWeekQuery,
  GainersQuery,
  IndexPath,
  ListQuery,
  MostActiveQuery,
  SessionsQuery,
  SessionsResponse,
  SnapshotListQuery,
  SnapshotListResponse,
  SnapshotQuery,
  SnapshotResponse,
  StockList,
  TrendingList,
  TrendingQuery,
} from "./schema.ts";

const tag = "stocks";

const LIST_HEADERS = {
  "X-As-Of": "When the list was read from its source, RFC 3339 UTC. Each row has the time of its own price.",
  "X-Source": "Provider of the list.",
  "X-Total-Count": "Rows that match at the source, including those that a limit cuts off.",
  "X-Warnings":
    "In every format, JSON included, where the list is empty or not whole: why, as a JSON list of sentences. `nothing_there:` the source lists nothing, `not_read:` it has or may have more, `outage:` it does not answer and an older list is served. Absent where nothing is missing.",
};

const MOMENTARY =
  "The list is current and not stored, so it has no history (GET /stocks/gainers/snapshots has the history of the day gainers).";

const INDEX = documented({
  tag,
  summary: "Members of an index",
  description:
    "The members of the S&P 500 (about 503 shares) or the Nasdaq-100 (101), read from Wikipedia's list and cached for 24 hours. " +
    "An implausible list (too few or too many members, a missing column) is rejected. While the source fails, the last good list is served with `X-Stale: true` and its age; " +
    `without one, or with force_refresh, the answer is 502, or 504 when fetching takes longer than ${INDEX_FETCH_S} seconds. ` +
    "This route has only today's list. Every changed list is stored in `index_constituents`, and the macro `index_members(as_of)` has the list of any day since the service began to read it.",
  answer: Constituents,
  answerDescription: "The members.",
  errors: ["unsupported_index", 429, 502, 504],
  tabular: true,
  cached: true,
  etag: true,
  headers: {
    ...LIST_HEADERS,
    "X-Source": "Address of the page revision that the list was read from.",
    "X-Total-Count": "Number of members.",
    "X-Classification": "Classification of the sectors: GICS or ICB.",
  },
});

const list = (summary: string, description: string, cached: boolean) =>
  documented({
    tag,
    summary,
    description,
    answer: StockList,
    answerDescription: "The list, best first.",
    errors: [429, 502, 504],
    tabular: true,
    cached,
    headers: LIST_HEADERS,
  });

const MOST_ACTIVE = list(
  "Most active shares",
  `US shares ordered by shares traded today, as in the price provider's list of most active shares. Cached for an hour. ${MOMENTARY}`,
  true,
);

const FIFTY_TWO_WEEK = list(
  "52-week gainers",
  "Listed US shares ordered by their gain over 52 weeks, with a market capitalization of 2 billion dollars or more, a price of 5 dollars or more and 15,000 or more shares traded today; no over-the-counter shares. " +
    `The service reads max_pages times ${FIFTY_TWO_WEEK_PAGE_ROWS} rows of the list, then applies limit. Cached for an hour. ${MOMENTARY}`,
  true,
);

const GAINERS = list(
  "Day gainers",
  `US shares ordered by today's gain, as in the price provider's list of day gainers. Fetched for each request. ${MOMENTARY}`,
  false,
);

const TRENDING = documented({
  tag,
  summary: "Trending shares",
  description:
    "The most active shares, then the 52-week gainers that are not among them, n rows in total. A share in both lists appears once, with both in `sources`. No part is older than 30 minutes. " +
    MOMENTARY,
  answer: TrendingList,
  answerDescription: "The combined list.",
  errors: [429, 502, 504],
  tabular: true,
  cached: true,
  headers: { ...LIST_HEADERS, "X-Total-Count": "Rows of both lists before n applies." },
});

const SNAPSHOT = documented({
  tag,
  summary: "Day gainers at a point in time",
  description:
    "The stored snapshot of the top 100 day gainers as of `at`: the last one that had been read by then, never a later one. A job takes snapshots every five minutes of the regular session, from the open to the close (13:00 on half days), both inclusive. " +
    "An `at` outside market hours, or in a gap, resolves to the last snapshot before it, which `snapshot_at` and `market_date` identify. A missed snapshot stays a gap: nothing is estimated.",
  answer: SnapshotResponse,
  answerDescription: "The snapshot.",
  errors: ["no_data"],
  tabular: true,
});

const SNAPSHOT_LIST = documented({
  tag,
  summary: "Snapshots of a day",
  description: "When snapshots of the day gainers were taken in a session, and which are missing.",
  answer: SnapshotListResponse,
  answerDescription: "The snapshots of the day.",
  tabular: true,
});

const SESSIONS = documented({
  tag,
  summary: "Trading sessions",
  description:
    "The days on which the New York exchanges trade, with their hours, from 1990 to 2030. " +
    "Closures decided at short notice are those this service knows (EXTRA_CLOSURES adds further ones); with `as_of`, those that had happened by then. Nothing is asked of a provider.",
  answer: SessionsResponse,
  answerDescription: "The sessions.",
  errors: ["invalid_date_range"],
  tabular: true,
});

/** The routes below /stocks. */
export function stocksRoutes(answers: StocksAnswers) {
  return new Elysia({ name: "stocks", prefix: "/stocks" })
    .get(
      "/index/:index_name",
      ({ params, query, request }) =>
        answers.index(params.index_name, query.force_refresh ?? false, request.signal),
      { params: IndexPath, query: ListQuery, detail: INDEX },
    )
    .get(
      "/most-active",
      ({ query, request }) => answers.mostActive(query.limit, query.force_refresh ?? false, request.signal),
      { query: MostActiveQuery, detail: MOST_ACTIVE },
    )
    .get(
      "/52-week-gainers",
      ({ query, request }) =>
        answers.fiftyTwoWeekGainers(query, query.force_refresh ?? false, request.signal),
      { query: FiftyTwoWeekQuery, detail: FIFTY_TWO_WEEK },
    )
    .get(
      "/trending",
      ({ query, request }) => answers.trending(query, query.force_refresh ?? false, request.signal),
      { query: TrendingQuery, detail: TRENDING },
    )
    .get("/sessions", ({ query }) => answers.sessions(query.start_date, query.end_date, query.as_of), {
      query: SessionsQuery,
      detail: SESSIONS,
    })
    .get("/gainers", ({ query, request }) => answers.gainers(query.count, request.signal), {
      query: GainersQuery,
      detail: GAINERS,
    })
    .get("/gainers/snapshots", ({ query }) => answers.snapshot(query.at), {
      query: SnapshotQuery,
      detail: SNAPSHOT,
    })
    .get("/gainers/snapshots/list", ({ query }) => answers.snapshotsOf(query.date), {
      query: SnapshotListQuery,
      detail: SNAPSHOT_LIST,
    });
}
