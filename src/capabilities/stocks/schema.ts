// Queries and answers of the market lists: validation, types and documentation in one place.

import { type Static, Type } from "@sinclair/typebox";
import {
  FIFTY_TWO_WEEK_LIMIT,
  FIFTY_TWO_WEEK_LIMIT_MAX,
  FIFTY_TWO_WEEK_PAGE_ROWS,
  FIFTY_TWO_WEEK_PAGES,
  FIFTY_TWO_WEEK_PAGES_MAX,
  GAINERS_DEFAULT,
  GAINERS_MAX,
  MOST_ACTIVE_LIMIT_MAX,
  TRENDING_ROWS,
} from "../../limits.ts";
import { absenceWarnings } from "../../market/absence.ts";
import { listFields, pageFields, textOrNull } from "../../market/answer-fields.ts";
import {
  asOfFields,
  countField,
  dateField,
  forceRefresh,
  formatField,
  momentField,
  oneOf,
  wholeNumber,
} from "../../market/params.ts";
import { STOCK_FIELDS, StockRow } from "../../market/stock-row.ts";

const instant = (description: string) => Type.String({ description: `${description}, RFC 3339 UTC.` });
const format = formatField();
const force_refresh = Type.Optional(forceRefresh);

export const IndexPath = Type.Object({
  index_name: Type.String({
    maxLength: 100,
    description: "sp500 or nasdaq100, in any case; anything else is 400 `unsupported_index`.",
    examples: ["sp500"],
  }),
});

export const ListQuery = Type.Object({ force_refresh, format });

export const MostActiveQuery = Type.Object({
  limit: Type.Optional(
    wholeNumber("Maximum number of rows. Default: all rows.", {
      minimum: 1,
      maximum: MOST_ACTIVE_LIMIT_MAX,
      examples: [50],
    }),
  ),
  force_refresh,
  format,
});

export const FiftyTwoWeekQuery = Type.Object({
  limit: countField("Maximum number of rows.", FIFTY_TWO_WEEK_LIMIT_MAX, FIFTY_TWO_WEEK_LIMIT),
  max_pages: countField(
    `Pages to read of the list, ${FIFTY_TWO_WEEK_PAGE_ROWS} rows each.`,
    FIFTY_TWO_WEEK_PAGES_MAX,
    FIFTY_TWO_WEEK_PAGES,
  ),
  force_refresh,
  format,
});

export const TrendingQuery = Type.Object({
  n: Type.Optional(
    wholeNumber("Total number of rows after combining.", { minimum: 1, default: TRENDING_ROWS }),
  ),
  most_active_limit: Type.Optional(
    wholeNumber("Rows taken from the most active shares. Default: all rows.", {
      minimum: 1,
      examples: [100],
    }),
  ),
  gainers_limit: Type.Optional(
    wholeNumber("Rows taken from the 52-week gainers. Default: enough to reach n.", {
      minimum: 1,
      examples: [100],
    }),
  ),
  force_refresh,
  format,
});

export const GainersQuery = Type.Object({
  count: countField("Maximum number of rows.", GAINERS_MAX, GAINERS_DEFAULT),
  format,
});

export const SnapshotQuery = Type.Object({
  at: Type.Optional(
    momentField(
      "Answers with the last snapshot read by this time, possibly of an earlier day. Default: the latest.",
    ),
  ),
  format,
});

export const SnapshotListQuery = Type.Object({
  date: Type.Optional(dateField("New York day of the session. Default: the newest session that has opened.")),
  format,
});

export const SessionsQuery = Type.Object({
  start_date: dateField("First day, inclusive, in New York."),
  end_date: dateField("Last day, inclusive, in New York."),
  ...asOfFields(
    "Answers with the sessions as they were scheduled at that moment: a date (the end of that day in New York) or an RFC 3339 instant with zone. A closure that was decided at short notice counts from 09:30 of its day. Default: every closure that is known.",
  ),
  format,
});

export const TradingSession = Type.Object({
  date: Type.String({ format: "date", description: "The day in New York." }),
  opens_at: instant("When regular trading begins"),
  closes_at: instant("When regular trading ends"),
  is_half_day: Type.Boolean({ description: "Whether it ends early: at 13:00, before 1993 at 14:00." }),
});
export type TradingSession = Static<typeof TradingSession>;

export const SessionsResponse = Type.Object({
  start_date: Type.String({ format: "date", description: "First day asked for." }),
  end_date: Type.String({ format: "date", description: "Last day asked for." }),
  ...listFields,
  data: Type.Array(TradingSession, { description: "Oldest first." }),
  warnings: absenceWarnings,
});

export const Constituent = Type.Object({
  symbol: Type.String({ description: "Canonical symbol, such as BRK.B." }),
  company_name: Type.String({ description: "Company or share class, as in the list." }),
  sector: textOrNull("GICS sector or ICB industry; X-Classification names the classification."),
  sub_industry: textOrNull("GICS sub-industry or ICB subsector."),
  headquarters: textOrNull("Location of the head office; null when the list has no such column."),
  date_added: textOrNull("Day it became a member, YYYY-MM-DD; null when the list does not have it."),
  cik: textOrNull("CIK of the company at the SEC, ten digits; null when the list has none."),
  founded: textOrNull("When the company was founded, as written: a year, sometimes followed by others."),
});
export type Constituent = Static<typeof Constituent>;

export const Constituents = Type.Array(Constituent, { description: "In the order of the list." });
export const StockList = Type.Array(StockRow, { description: "Best first." });

export const TrendingRow = Type.Object({
  ...STOCK_FIELDS,
  sources: Type.Array(oneOf(["most_active", "52_week_gainers"], "A list that contains the share."), {
    description: "The lists that contain the share.",
  }),
});
export type TrendingRow = Static<typeof TrendingRow>;
export const TrendingList = Type.Array(TrendingRow, {
  description: "The most active shares first, then the 52-week gainers that are not among them.",
});

export const SnapshotResponse = Type.Object({
  snapshot_at: instant("When the list was read, and so when its rows became known"),
  slot: instant("When the snapshot was due"),
  market_date: Type.String({ format: "date", description: "New York day of its session." }),
  requested_at: instant("The requested time, or the time of the request"),
  count: Type.Integer({ description: "Rows in data." }),
  data: Type.Array(StockRow, { description: "Best first, as read at that time." }),
});

export const SnapshotListResponse = Type.Object({
  date: Type.String({ format: "date", description: "The session." }),
  count: Type.Integer({ description: "Snapshots in data." }),
  total: Type.Integer({ description: "The same as count: all snapshots of the day are returned." }),
  ...pageFields,
  data: Type.Array(
    Type.Object({
      snapshot_at: instant("When the list was read"),
      slot: instant("When the snapshot was due"),
      count: Type.Integer({ description: "Rows in the snapshot." }),
    }),
    { description: "Oldest first." },
  ),
  warnings: absenceWarnings,
  missing: Type.Array(Type.String(), {
    description:
      "Due times of the session without a snapshot, RFC 3339 UTC: the service was down, the provider failed, or it listed no share of this session yet.",
  }),
});
