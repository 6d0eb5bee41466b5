// Queries and answers of the market lists: the check, the types and the documentation in one place.
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
import { pageFields } from "../../market/answer-fields.ts";
import {
  dateField,
  forceRefresh,
  formatField,
  momentField,
  oneOf,
  wholeNumber,
} from "../../market/params.ts";
import { STOCK_FIELDS, StockRow } from "../../market/stock-row.ts";

const orNull = (description: string) => Type.Union([Type.String({ description }), Type.Null()]);
const instant = (description: string) => Type.String({ description: `${description}, RFC 3339 UTC.` });
const format = Type.Optional(formatField);
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
    wholeNumber("Rows at most; all there are when left out.", {
      minimum: 1,
      maximum: MOST_ACTIVE_LIMIT_MAX,
      examples: [50],
    }),
  ),
  force_refresh,
  format,
});

export const FiftyTwoWeekQuery = Type.Object({
  limit: Type.Optional(
    wholeNumber("Rows at most.", {
      minimum: 1,
      maximum: FIFTY_TWO_WEEK_LIMIT_MAX,
      default: FIFTY_TWO_WEEK_LIMIT,
    }),
  ),
  max_pages: Type.Optional(
    wholeNumber(`Pages read of the list, ${FIFTY_TWO_WEEK_PAGE_ROWS} rows each.`, {
      minimum: 1,
      maximum: FIFTY_TWO_WEEK_PAGES_MAX,
      default: FIFTY_TWO_WEEK_PAGES,
    }),
  ),
  force_refresh,
  format,
});

export const TrendingQuery = Type.Object({
  n: Type.Optional(wholeNumber("Rows in all, after combining.", { minimum: 1, default: TRENDING_ROWS })),
  most_active_limit: Type.Optional(
    wholeNumber("Rows taken of the most active; all there are when left out.", {
      minimum: 1,
      examples: [100],
    }),
  ),
  gainers_limit: Type.Optional(
    wholeNumber("Rows taken of the 52-week gainers; enough to reach n when left out.", {
      minimum: 1,
      examples: [100],
    }),
  ),
  force_refresh,
  format,
});

export const GainersQuery = Type.Object({
  count: Type.Optional(
    wholeNumber("Rows at most.", { minimum: 1, maximum: GAINERS_MAX, default: GAINERS_DEFAULT }),
  ),
  format,
});

export const SnapshotQuery = Type.Object({
  at: Type.Optional(
    momentField(
      "The last snapshot read by this moment, of an earlier day where need be. Default: the latest.",
    ),
  ),
  format,
});

export const SnapshotListQuery = Type.Object({
  date: Type.Optional(dateField("Session in New York; default: the newest one that has opened.")),
  format,
});

export const Constituent = Type.Object({
  symbol: Type.String({ description: "Symbol in its canonical spelling, such as BRK.B." }),
  company_name: Type.String({ description: "Company or class, as the list has it." }),
  sector: orNull("GICS sector, or ICB industry: X-Classification says which."),
  sub_industry: orNull("GICS sub-industry, or ICB subsector."),
  headquarters: orNull("Where the head office is; null where the list has no such column."),
  date_added: orNull("Since when it is a member, YYYY-MM-DD; null where the list does not say."),
  cik: orNull("The SEC's number of the company, ten digits; null where the list has none."),
  founded: orNull("When it was founded, as written: a year, at times with others behind it."),
});
export type Constituent = Static<typeof Constituent>;

export const Constituents = Type.Array(Constituent, { description: "In the order of the list." });
export const StockList = Type.Array(StockRow, { description: "Best first." });

export const TrendingRow = Type.Object({
  ...STOCK_FIELDS,
  sources: Type.Array(oneOf(["most_active", "52_week_gainers"], "A list the share stands in."), {
    description: "The lists it was taken from.",
  }),
});
export type TrendingRow = Static<typeof TrendingRow>;
export const TrendingList = Type.Array(TrendingRow, {
  description: "The most active first, then the 52-week gainers that are not among them.",
});

export const SnapshotResponse = Type.Object({
  snapshot_at: instant("When the list was read: what is in it was known from then on"),
  slot: instant("The moment it was due"),
  market_date: Type.String({ format: "date", description: "Its session in New York." }),
  requested_at: instant("The moment asked for, or that of the request"),
  count: Type.Integer({ description: "Rows in data." }),
  data: Type.Array(StockRow, { description: "Best first, as read then." }),
});

export const SnapshotListResponse = Type.Object({
  date: Type.String({ format: "date", description: "The session." }),
  count: Type.Integer({ description: "Snapshots in data." }),
  total: Type.Integer({ description: "The same: a day is never cut." }),
  ...pageFields,
  data: Type.Array(
    Type.Object({
      snapshot_at: instant("When the list was read"),
      slot: instant("The moment it was due"),
      count: Type.Integer({ description: "Rows in it." }),
    }),
    { description: "Oldest first." },
  ),
  missing: Type.Array(Type.String(), {
    description:
      "Moments of the session that have passed without a snapshot, RFC 3339 UTC: the service did not run, the provider failed, or listed nobody of this session yet.",
  }),
});
