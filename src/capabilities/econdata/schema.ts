// Queries and answers of the economic-data routes: validation, types and documentation in one place.
import { type Static, Type } from "@sinclair/typebox";
import { ECONDATA_USAGE_DAYS, ECONDATA_USAGE_DAYS_MAX } from "../../limits.ts";
import { textOrNull } from "../../market/answer-fields.ts";
import {
  anyDateField,
  asOfField,
  countField,
  flag,
  forceRefresh,
  formatField,
  oneOf,
  wholeNumber,
} from "../../market/params.ts";

const TEXT_MAX = 1_000;

const text = (description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: TEXT_MAX, description, examples: [example] }));
const id = (description: string, example: number) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647, description, examples: [example] }));
const day = (description: string, example: string) => Type.Optional(anyDateField(description, example));
const yesNo = (description: string) => Type.Optional(flag(description, null));

/** Parameters that are passed on unchanged; names and meanings are the provider's. */
export const ForwardedQuery = {
  series_id: text("Series id; required for series/….", "GDP"),
  category_id: id("Category id, for category/…; 0 is the root.", 0),
  release_id: id("Release id; required for release/….", 53),
  source_id: id("Source id; required for source/….", 1),
  tag_names: text("Tags that a result must all have, separated by semicolons.", "quarterly;gdp"),
  exclude_tag_names: text("Tags that a result must not have, separated by semicolons.", "annual"),
  tag_group_id: text("Tag group: freq, gen, geo, geot, rls, seas, src.", "freq"),
  tag_search_text: text("Words to find in tags, for series/search/….", "gdp"),
  series_search_text: text("Words to find in series, for series/search/tags and …/related_tags.", "output"),
  search_text: text("Words to find, for series/search and the lists of tags.", "domestic product"),
  search_type: Type.Optional(
    oneOf(["full_text", "series_id"], "Where to search for search_text; in ids, * matches anything."),
  ),
  realtime_start: day(
    "First day of the real-time period: the answer shows what was known then, not what is known now. Default: today in Chicago.",
    "2026-06-01",
  ),
  realtime_end: day(
    "Last day of the real-time period; 9999-12-31 means no end. 1776-07-04 to 9999-12-31 gives every vintage.",
    "2026-06-01",
  ),
  observation_start: day("First observation day, for series/observations.", "2020-01-01"),
  observation_end: day("Last observation day, for series/observations.", "2026-06-30"),
  limit: Type.Optional(
    wholeNumber("Maximum number of rows; the provider's own limit is 1000, or 100000 for observations.", {
      minimum: 1,
      maximum: 100_000,
      examples: [1_000],
    }),
  ),
  offset: Type.Optional(wholeNumber("Number of rows to skip.", { minimum: 0, examples: [0] })),
  order_by: text("Field to order by; the accepted values depend on the endpoint.", "popularity"),
  sort_order: Type.Optional(oneOf(["asc", "desc"], "Direction of the order.")),
  frequency: Type.Optional(
    oneOf(
      [
        "d",
        "w",
        "bw",
        "m",
        "q",
        "sa",
        "a",
        "wef",
        "weth",
        "wew",
        "wetu",
        "wem",
        "wesu",
        "wesa",
        "bwew",
        "bwem",
      ],
      "Lower frequency to which the provider aggregates observations; such answers are not stored.",
    ),
  ),
  aggregation_method: Type.Optional(
    oneOf(["avg", "sum", "eop"], "Aggregation method: average, sum, end of period."),
  ),
  units: Type.Optional(
    oneOf(
      ["lin", "chg", "ch1", "pch", "pc1", "pca", "cch", "cca", "log"],
      "Transformation by the provider; lin means levels, and only levels are stored.",
    ),
  ),
  output_type: Type.Optional(
    oneOf(
      ["1", "2", "3", "4"],
      "1: one row per real-time period, 2: all vintages side by side, 3: new and revised observations, 4: first releases.",
    ),
  ),
  vintage_dates: Type.Optional(
    Type.String({
      pattern: "^\\d{4}-\\d{2}-\\d{2}(,\\d{4}-\\d{2}-\\d{2})*$",
      maxLength: 12_000,
      description: "Vintage days of the observations, separated by commas.",
      examples: ["2026-05-01,2026-06-01"],
    }),
  ),
  filter_variable: Type.Optional(
    oneOf(["frequency", "units", "seasonal_adjustment"], "Field by which series are filtered."),
  ),
  filter_value: text("Value of filter_variable; for series/updates macro, regional or all.", "Quarterly"),
  include_release_dates_with_no_data: yesNo("Also return dates of releases without data, for …/dates."),
  include_observation_values: yesNo("Also return the values, for release/tables."),
  element_id: id("Element of release/tables to start from.", 12886),
  observation_date: day("Day of the observations in release/tables.", "2026-04-01"),
  start_time: Type.Optional(
    Type.String({
      pattern: "^\\d{12}$",
      description: "Start time for series/updates: YYYYMMDDHhmm in Chicago.",
      examples: ["202609010000"],
    }),
  ),
  end_time: Type.Optional(
    Type.String({
      pattern: "^\\d{12}$",
      description: "End time for series/updates: YYYYMMDDHhmm in Chicago.",
      examples: ["202609092359"],
    }),
  ),
};

export const ProxyQuery = Type.Object({
  ...ForwardedQuery,
  as_of: Type.Optional(
    asOfField(
      "What was known at that time: a date (the end of that day in New York) or an RFC 3339 instant with zone. It is sent as the provider's real-time period; since releases have no time of day, an instant within a day sees only the releases of earlier days. Cannot be combined with realtime_start, realtime_end or vintage_dates.",
    ),
  ),
  force_refresh: Type.Optional(forceRefresh),
  format: formatField(
    "Shape of the answer; ndjson, csv, parquet and records have the rows of the endpoint's list (observations with series_id, series, releases, tags, ...). An endpoint without a list (release/tables) answers 422. The Accept header has the same effect.",
  ),
  bypass_limit_check: Type.Optional(
    flag("Ask the provider even when the day's calls are used up. Admin only: 401 or 403 otherwise."),
  ),
});
export type ProxyQuery = Static<typeof ProxyQuery>;

/** Documentation only: the use case checks the endpoint and answers 404. */
export const proxyEndpoint = (endpoints: readonly string[]) =>
  Type.String({
    enum: [...endpoints],
    description:
      "The provider's endpoint with plain slashes: …/proxy/series/observations. Any other endpoint is 404 unsupported_endpoint.",
    examples: ["series/observations"],
  });

export const Metadata = Type.Object(
  {
    endpoint: Type.String({ description: "As requested." }),
    series_id: textOrNull("As requested; null for endpoints without a series."),
    source: oneOf(
      ["upstream", "cache", "stored", "stale_cache"],
      "upstream: fetched for this answer; cache: an answer less than 24 hours old; stale_cache: an older answer, because the provider cannot be asked; stored: built from stored observations.",
    ),
    cached_at: Type.String({
      description: "When the data of this answer was fetched from the provider, RFC 3339 UTC.",
    }),
    expires_at: textOrNull("Until when the cached answer is served, RFC 3339 UTC; null for stored."),
    used_today: Type.Integer({ description: "Calls made to the provider today, in Chicago." }),
    remaining_today: Type.Integer({ description: "Calls left today." }),
    as_of: textOrNull("As requested; null without one."),
    warnings: Type.Array(Type.String(), {
      description:
        "`not_known_then:` names the fields that are null under as_of, because the provider has only today's value; `nothing_there:` where it has no row.",
    }),
    request_id: Type.String({ description: "The X-Request-ID of this answer." }),
  },
  { description: "Where the answer comes from, and how many of the day's calls are left." },
);
export type Metadata = Static<typeof Metadata>;

export const ProxyAnswer = Type.Object(
  { _metadata: Metadata },
  {
    additionalProperties: true,
    description: "The provider's answer with its own top-level keys, and _metadata beside them.",
  },
);
export type ProxyAnswer = Static<typeof ProxyAnswer> & Readonly<Record<string, unknown>>;

export const UsageQuery = Type.Object({
  days: countField(
    "Number of Chicago days in the statistics, including today.",
    ECONDATA_USAGE_DAYS_MAX,
    ECONDATA_USAGE_DAYS,
  ),
  use_proxy_stats: Type.Optional(
    flag(
      "true: calls made to the provider, counting every attempt; false: requests that clients made to the proxy, from the request log of the last 7 days.",
      true,
    ),
  ),
});

const count = (description: string) => Type.Integer({ description });

export const UsageAnswer = Type.Object({
  success: Type.Boolean({ description: "Always true: a failure is a problem answer with its own status." }),
  data: Type.Object(
    {
      daily_limit: count("Maximum number of calls to the provider per day."),
      used_today: count("Calls made today, in Chicago, regardless of use_proxy_stats."),
      remaining_today: count("Calls left today."),
      usage_percentage: Type.Number({ description: "used_today in percent of daily_limit." }),
      can_make_requests: Type.Boolean({ description: "Whether a key is configured and calls are left." }),
      daily_stats: Type.Array(
        Type.Object({
          date: Type.String({ description: "Day in Chicago, YYYY-MM-DD." }),
          total_calls: count("Calls, including failed ones and repeated attempts."),
          successful_calls: count("Calls that were answered with data."),
          total_records: Type.Union([
            Type.Integer({ description: "Rows in those answers." }),
            Type.Null({ description: "The request log does not record it." }),
          ]),
          success_rate: Type.Union([
            Type.Number({ description: "successful_calls in percent of total_calls." }),
            Type.Null({ description: "There were no calls." }),
          ]),
        }),
        { description: "Newest first, one entry per requested day." },
      ),
      endpoint_stats: Type.Array(
        Type.Object({
          endpoint: Type.String({ description: "FRED's endpoint, such as series/observations." }),
          call_count: count("Calls on those days."),
        }),
        { description: "Most called first; endpoints without calls are left out." },
      ),
      proxy_info: Type.Object(
        {
          mode: Type.Literal("direct", { description: "This service asks FRED directly." }),
          supported_endpoints: Type.Array(Type.String(), {
            description: "Endpoints that the proxy route supports.",
          }),
        },
        { description: "How the proxy works." },
      ),
    },
    { description: "The quota and the statistics." },
  ),
});
export type UsageAnswer = Static<typeof UsageAnswer>;
