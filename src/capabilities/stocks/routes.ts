// The market-list routes; each handler passes the request to its use case.
import { Elysia } from "elysia";
import type { StocksAnswers } from "./answers.ts";
import {
  FIFTY_TWO_WEEK,
  GAINERS,
  INDEX,
  MOST_ACTIVE,
  SESSIONS,
  SNAPSHOT,
  SNAPSHOT_LIST,
  TRENDING,
} from "./docs.ts";
import {
  FiftyTwoWeekQuery,
  GainersQuery,
  IndexPath,
  ListQuery,
  MostActiveQuery,
  SessionsQuery,
  SnapshotListQuery,
  SnapshotQuery,
  TrendingQuery,
} from "./schema.ts";

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
