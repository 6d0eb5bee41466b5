// How the market lists document themselves.
import { FIFTY_TWO_WEEK_PAGE_ROWS, INDEX_FETCH_S } from "../../limits.ts";
import { documented } from "../../platform/route-doc.ts";
import { Constituents, SnapshotListResponse, SnapshotResponse, StockList, TrendingList } from "./schema.ts";

const tag = "stocks";

const LIST_HEADERS = {
  "X-As-Of": "When the list was read from its source, RFC 3339 UTC. Each row has the time of its own price.",
  "X-Source": "Whose list it is.",
  "X-Total-Count": "Rows that match at the source, those left out by a limit too.",
};

const MOMENTARY =
  "The list is one of this moment: it is not stored, and history cannot be asked for (GET /stocks/gainers/snapshots has that of the day gainers).";

export const INDEX = documented({
  tag,
  summary: "Members of an index",
  description:
    "The members of the S&P 500 (503 shares or so) or the Nasdaq-100 (101), read from Wikipedia's list and remembered for 24 hours. " +
    "A list that cannot be right (too few or too many members, a column gone) is refused. While the source fails, the last good list is served, with `X-Stale: true` and its age; " +
    `only where there is none, or with force_refresh, the failure is told: 502, or 504 when fetching takes longer than ${INDEX_FETCH_S} seconds. ` +
    "This route has today's list only; every list read is kept as `index_constituents`, and the macro `index_members(as_of)` has that of a day since the service began to read it.",
  answer: Constituents,
  answerDescription: "The members.",
  errors: ["unsupported_index", 429, 502, 504],
  tabular: true,
  cached: true,
  etag: true,
  headers: {
    ...LIST_HEADERS,
    "X-Source": "Address of the revision of the page the list was read from.",
    "X-Total-Count": "Members.",
    "X-Classification": "Whose words the sectors are: GICS or ICB.",
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

export const MOST_ACTIVE = list(
  "Most active shares",
  `US shares by shares traded today, as the price provider defines its list of most active. Remembered for an hour. ${MOMENTARY}`,
  true,
);

export const FIFTY_TWO_WEEK = list(
  "52-week gainers",
  "Listed US shares by their gain over 52 weeks: a market value of 2 billion dollars or more, a price of 5 dollars or more, 15,000 shares or more traded today, and nothing over the counter. " +
    `Of the list max_pages times ${FIFTY_TWO_WEEK_PAGE_ROWS} rows are read, then limit applies. Remembered for an hour. ${MOMENTARY}`,
  true,
);

export const GAINERS = list(
  "Day gainers",
  `US shares by their gain of today, as the price provider defines its list of day gainers. Asked anew for each request. ${MOMENTARY}`,
  false,
);

export const TRENDING = documented({
  tag,
  summary: "Trending shares",
  description:
    "The most active shares, then the 52-week gainers that are not among them, n in all; a share that stands in both lists comes once and names both in `sources`. No part of it is older than 30 minutes. " +
    MOMENTARY,
  answer: TrendingList,
  answerDescription: "Both lists as one.",
  errors: [429, 502, 504],
  tabular: true,
  cached: true,
  headers: { ...LIST_HEADERS, "X-Total-Count": "Rows of both lists as read, before n applies." },
});

export const SNAPSHOT = documented({
  tag,
  summary: "Day gainers at a moment",
  description:
    "The stored snapshot of the top 100 day gainers as of `at`: the last one that had been read by then, never a later one. Snapshots are taken by a job every five minutes of the regular session, from the open to the close (13:00 on half days), both included. " +
    "An `at` outside market hours, or in a gap, resolves to the last snapshot before it; `snapshot_at` and `market_date` say which that is. A moment that was missed stays a gap: nothing is estimated.",
  answer: SnapshotResponse,
  answerDescription: "The snapshot.",
  errors: ["no_data"],
  tabular: true,
});

export const SNAPSHOT_LIST = documented({
  tag,
  summary: "Snapshots of a day",
  description: "When snapshots of the day gainers were taken in a session, and which moments are missing.",
  answer: SnapshotListResponse,
  answerDescription: "The moments.",
  tabular: true,
});
