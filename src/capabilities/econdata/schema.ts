// Queries and answers of the economic-data routes: the check, the types and the documentation in one place.
import { type Static, Type } from "@sinclair/typebox";
import { ECONDATA_USAGE_DAYS, ECONDATA_USAGE_DAYS_MAX } from "../../limits.ts";
import { anyDateField, asOfField, flag, forceRefresh, oneOf, wholeNumber } from "../../market/params.ts";

const TEXT_MAX = 1_000;

const text = (description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: TEXT_MAX, description, examples: [example] }));
const id = (description: string, example: number) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647, description, examples: [example] }));
const day = (description: string, example: string) => Type.Optional(anyDateField(description, example));
const yesNo = (description: string) => Type.Optional(flag(description, null));

/** What is passed on as it is; names and meanings are the provider's. */
export const ForwardedQuery = {
  series_id: text("Series, of series/…; needed there.", "GDP"),
  category_id: id("Category, of category/…; 0 is the root.", 0),
  release_id: id("Release, of release/…; needed there.", 53),
  source_id: id("Source, of source/…; needed there.", 1),
  tag_names: text("Tags a result must have, all of them, by semicolon.", "quarterly;gdp"),
  exclude_tag_names: text("Tags a result must not have, by semicolon.", "annual"),
  tag_group_id: text("Group of tags: freq, gen, geo, geot, rls, seas, src.", "freq"),
  tag_search_text: text("Words to find in tags, of series/search/….", "gdp"),
  series_search_text: text("Words to find in series, of series/search/tags and …/related_tags.", "output"),
  search_text: text("Words to find, of series/search and the lists of tags.", "domestic product"),
  search_type: Type.Optional(
    oneOf(["full_text", "series_id"], "What search_text is looked for in; a * stands for anything in ids."),
  ),
  realtime_start: day(
    "First day of the real-time period: what was known then, not what is known now. Default: today in Chicago.",
    "2026-06-01",
  ),
  realtime_end: day(
    "Last day of the real-time period; 9999-12-31 has no end. From 1776-07-04 to 9999-12-31: every vintage.",
    "2026-06-01",
  ),
  observation_start: day("First observation, of series/observations.", "2020-01-01"),
  observation_end: day("Last observation, of series/observations.", "2026-06-30"),
  limit: Type.Optional(
    wholeNumber("Most rows; the provider's own limit is 1000, of observations 100000.", {
      minimum: 1,
      maximum: 100_000,
      examples: [1_000],
    }),
  ),
  offset: Type.Optional(wholeNumber("Rows to leave out at the start.", { minimum: 0, examples: [0] })),
  order_by: text("What rows are ordered by; which words are taken depends on the endpoint.", "popularity"),
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
      "Lower frequency that observations are aggregated to by the provider; such answers are not stored.",
    ),
  ),
  aggregation_method: Type.Optional(
    oneOf(["avg", "sum", "eop"], "How they are aggregated: average, sum, end of period."),
  ),
  units: Type.Optional(
    oneOf(
      ["lin", "chg", "ch1", "pch", "pc1", "pca", "cch", "cca", "log"],
      "Transformation by the provider; lin are levels, which alone are stored.",
    ),
  ),
  output_type: Type.Optional(
    oneOf(
      ["1", "2", "3", "4"],
      "1: a row for each real-time period, 2: all vintages side by side, 3: new and revised ones, 4: first releases.",
    ),
  ),
  vintage_dates: Type.Optional(
    Type.String({
      pattern: "^\\d{4}-\\d{2}-\\d{2}(,\\d{4}-\\d{2}-\\d{2})*$",
      maxLength: 12_000,
      description: "Days as of which observations are wanted, by comma.",
      examples: ["2026-05-01,2026-06-01"],
    }),
  ),
  filter_variable: Type.Optional(
    oneOf(["frequency", "units", "seasonal_adjustment"], "What series are filtered by."),
  ),
  filter_value: text("Value of filter_variable; of series/updates macro, regional or all.", "Quarterly"),
  include_release_dates_with_no_data: yesNo("Also dates of releases without data, of …/dates."),
  include_observation_values: yesNo("Also the values, of release/tables."),
  element_id: id("Element of release/tables to begin with.", 12886),
  observation_date: day("Which observations release/tables shows.", "2026-04-01"),
  start_time: Type.Optional(
    Type.String({
      pattern: "^\\d{12}$",
      description: "From when, of series/updates: YYYYMMDDHhmm in Chicago.",
      examples: ["202609010000"],
    }),
  ),
  end_time: Type.Optional(
    Type.String({
      pattern: "^\\d{12}$",
      description: "Until when, of series/updates: YYYYMMDDHhmm in Chicago.",
      examples: ["202609092359"],
    }),
  ),
};

export const ProxyQuery = Type.Object({
  ...ForwardedQuery,
  as_of: Type.Optional({
    ...asOfField,
    description:
      "What was known at that moment: a date (the end of that day in New York) or an RFC 3339 instant with zone. It is asked as the provider's real-time period; since releases have no time, an instant within a day sees those of the days before. Not together with realtime_start, realtime_end or vintage_dates.",
  }),
  force_refresh: Type.Optional(forceRefresh),
  bypass_limit_check: Type.Optional(
    flag("Ask although the calls of the day are used up. For the admin only: 401 or 403 otherwise."),
  ),
});
export type ProxyQuery = Static<typeof ProxyQuery>;

/** For the documentation alone: the use case judges the endpoint, and answers 404. */
export const proxyEndpoint = (endpoints: readonly string[]) =>
  Type.String({
    enum: [...endpoints],
    description:
      "The provider's endpoint, its slashes as they are: …/proxy/series/observations. Any other is 404 unsupported_endpoint.",
    examples: ["series/observations"],
  });

const orNull = (schema: ReturnType<typeof Type.String>) => Type.Union([schema, Type.Null()]);

export const Metadata = Type.Object(
  {
    endpoint: Type.String({ description: "As asked." }),
    series_id: orNull(Type.String({ description: "As asked; null for endpoints of no series." })),
    source: oneOf(
      ["upstream", "cache", "stored", "stale_cache"],
      "upstream: asked for this answer; cache: an answer less than 24 hours old; stale_cache: an older one, since the provider cannot be asked; stored: put together from the observations that are kept for good.",
    ),
    cached_at: Type.String({
      description: "RFC 3339 UTC: when the provider was asked for what is answered.",
    }),
    expires_at: orNull(
      Type.String({ description: "RFC 3339 UTC: until when it is served without asking; null for stored." }),
    ),
    used_today: Type.Integer({ description: "Calls made of the provider today, in Chicago." }),
    remaining_today: Type.Integer({ description: "Calls left today." }),
    as_of: orNull(Type.String({ description: "Moment, as asked; null without one." })),
    warnings: Type.Array(Type.String(), { description: "What of the answer is not of as_of." }),
    request_id: Type.String({ description: "The X-Request-ID of this answer." }),
  },
  { description: "Where the answer comes from, and what is left of the day's calls." },
);
export type Metadata = Static<typeof Metadata>;

export const ProxyAnswer = Type.Object(
  { _metadata: Metadata },
  {
    additionalProperties: true,
    description: "The provider's answer with its own keys at the top, and _metadata beside them.",
  },
);
export type ProxyAnswer = Static<typeof ProxyAnswer> & Readonly<Record<string, unknown>>;

export const UsageQuery = Type.Object({
  days: Type.Optional(
    wholeNumber("Days of statistics, today included; days are those of Chicago.", {
      minimum: 1,
      maximum: ECONDATA_USAGE_DAYS_MAX,
      default: ECONDATA_USAGE_DAYS,
    }),
  ),
  use_proxy_stats: Type.Optional(
    flag(
      "true: calls made of the provider, each attempt; false: requests that clients made of the proxy, from the request log of the last 7 days.",
      true,
    ),
  ),
});

const count = (description: string) => Type.Integer({ description });

export const UsageAnswer = Type.Object({
  success: Type.Boolean({ description: "Always true: a failure is a problem with a status of its own." }),
  data: Type.Object(
    {
      daily_limit: count("Calls a day that are made of the provider."),
      used_today: count("Calls made today, in Chicago, whatever use_proxy_stats says."),
      remaining_today: count("Calls left today."),
      usage_percentage: Type.Number({ description: "used_today of daily_limit, in percent points." }),
      can_make_requests: Type.Boolean({ description: "Whether a key is configured and calls are left." }),
      daily_stats: Type.Array(
        Type.Object({
          date: Type.String({ description: "Day in Chicago, YYYY-MM-DD." }),
          total_calls: count("Calls, failed ones and repeated attempts included."),
          successful_calls: count("Of them answered with data."),
          total_records: Type.Union([
            Type.Integer({ description: "Rows of those answers." }),
            Type.Null({ description: "The request log does not tell." }),
          ]),
          success_rate: Type.Union([
            Type.Number({ description: "successful_calls of total_calls, in percent points." }),
            Type.Null({ description: "There was no call." }),
          ]),
        }),
        { description: "Newest first, one for each day asked for." },
      ),
      endpoint_stats: Type.Array(
        Type.Object({
          endpoint: Type.String({ description: "FRED's endpoint, such as series/observations." }),
          call_count: count("Calls of those days."),
        }),
        { description: "The most called first; endpoints without a call are left out." },
      ),
      proxy_info: Type.Object(
        {
          mode: Type.Literal("direct", { description: "This service asks FRED itself." }),
          supported_endpoints: Type.Array(Type.String(), {
            description: "What the proxy route takes as its endpoint.",
          }),
        },
        { description: "How the proxy works." },
      ),
    },
    { description: "The quota and the statistics." },
  ),
});
export type UsageAnswer = Static<typeof UsageAnswer>;
