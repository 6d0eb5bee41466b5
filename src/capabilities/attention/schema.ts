// Queries, bodies and answers of the attention routes: validation, types and documentation in one place.
import { Type } from "@sinclair/typebox";
import { NEWS_ARCHIVE_SPAN_DAYS_MAX, PAGE_VIEW_DAYS, PAGE_VIEW_DAYS_MAX } from "../../limits.ts";
import { integerOrNull, numberOrNull, textOrNull } from "../../market/answer-fields.ts";
import { asOfFields, dateField, flag, forceRefresh, oneOf, wholeNumber } from "../../market/params.ts";

const METHODS = ["cik", "ticker", "search", "manual", "none"] as const;
const METHOD_TEXT =
  "How the article was found: cik (the Wikidata item with the CIK), ticker (the Wikidata item listed in the United States under the ticker), search (scored full-text search), manual; none: no article scored high enough.";
const CONFIDENCE_TEXT =
  "Score from 0 to 1: at least 0.95 when found by CIK, 0.8 to 0.94 by ticker, 0.7 to 0.9 by search, 1 when set by hand.";

export const EventQuery = Type.Object({
  event_date: dateField("New York day of the event. Page views are those of the UTC day with the same date."),
  ...asOfFields(),
  force_refresh: Type.Optional(forceRefresh),
});

export const EntityQuery = Type.Object({
  ...asOfFields(),
});

export const ResolveRequest = Type.Object({
  force: Type.Optional(
    flag("Search again even when the article was set by hand; the override is then replaced."),
  ),
});

const spanFields = {
  start_date: Type.Optional(dateField("First day, inclusive; needs end_date.", "2026-08-03")),
  end_date: Type.Optional(dateField("Last day, inclusive; needs start_date.")),
};

export const CollectViewsRequest = Type.Object({
  ...spanFields,
  days: Type.Optional(
    // No default: a filled-in value would conflict with given dates.
    wholeNumber(`Number of days up to yesterday (UTC), instead of dates. Default: ${PAGE_VIEW_DAYS}.`, {
      minimum: 1,
      maximum: PAGE_VIEW_DAYS_MAX,
    }),
  ),
});

export const CollectNewsRequest = Type.Object({
  ...spanFields,
  event_date: Type.Optional(
    dateField(
      "Collects the articles of this day and the seven days before it, and the volume of thirty days; instead of dates. Default: today.",
    ),
  ),
});

export const OverrideRequest = Type.Object({
  encyc_title: Type.String({
    minLength: 1,
    maxLength: 255,
    pattern:
      "^[^|#<>\\[\\]{}\\u0000-\\u001f]*[^|#<>\\[\\]{}\\s\\u0000-\\u001f][^|#<>\\[\\]{}\\u0000-\\u001f]*$",
    description: "Title of the article in the English Wikipedia; a redirect is followed.",
    examples: ["Apple Inc."],
  }),
  note: Type.Optional(
    Type.String({
      maxLength: 1_000,
      description: "Why the article is set, for later readers.",
      examples: ["The search found the parent company."],
    }),
  ),
});

export const Mapping = Type.Object({
  encyc_title: Type.String({ description: "Title of the article." }),
  encyc_url: Type.String({ description: "Address of the article." }),
  page_id: integerOrNull("Wikipedia's page number of the article."),
  wikidata_id: textOrNull("Wikidata item of the article."),
  confidence: Type.Number({ description: CONFIDENCE_TEXT }),
  resolution_method: oneOf(METHODS, METHOD_TEXT),
  is_manual_override: Type.Boolean({ description: "Whether the article was set by hand." }),
  resolved_at: Type.String({
    description: "When the article was found or set, RFC 3339 UTC; an earlier as_of has no entity.",
  }),
});

export const CandidateRow = Type.Object({
  title: Type.String({ description: "Title of the candidate." }),
  score: Type.Number({
    description: "Score from 0 to 1; 0.7 is required. Titles of the form “X v. Y” score 0.05.",
  }),
  reason: Type.String({ description: "How the candidate was found and what kind of page it is." }),
});

export const EntityAnswer = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  encyc_title: textOrNull("Title of the article; null when no candidate scored high enough."),
  encyc_url: textOrNull("Address of the article."),
  page_id: integerOrNull("Wikipedia's page number of the article."),
  wikidata_id: textOrNull("Wikidata item of the article."),
  description: textOrNull("Short description of the article, from Wikipedia."),
  confidence: numberOrNull(`${CONFIDENCE_TEXT} Null without an article.`),
  resolution_method: oneOf(METHODS, METHOD_TEXT),
  is_manual_override: Type.Boolean({ description: "Whether the article was set by hand." }),
  note: textOrNull("Why the article was set by hand; null when no reason was given."),
  company_name: textOrNull("The company's name at the time of the search."),
  cik: textOrNull("CIK of the company at the SEC, ten digits."),
  resolved_at: Type.String({ description: "When the article was found or set. RFC 3339 UTC." }),
  candidates: Type.Array(CandidateRow, { description: "Articles that were considered, best first." }),
  warnings: Type.Array(Type.String(), { description: "What is unproven about who held the ticker." }),
});

export const ViewDay = Type.Object({
  date: Type.String({ format: "date", description: "UTC day." }),
  views: integerOrNull("Views by people on that day; 0 is no views, null is unknown."),
  state: oneOf(
    ["counted", "zero", "pending", "unknown"],
    "counted: the provider has the number; zero: the provider leaves out days without views, and this is one; pending: not published yet; unknown: before the article's first view, or never collected.",
  ),
});

export const ArticleRow = Type.Object({
  title: Type.String({ description: "Headline as in the archive." }),
  url: Type.String({ description: "Address of the article." }),
  domain: textOrNull("Domain of the publisher's site."),
  language: textOrNull("Language of the article, named in English."),
  source_country: textOrNull("Country of the site, named in English."),
  seen_at: Type.String({
    description: "When the archive saw the article, in steps of a quarter of an hour. RFC 3339 UTC.",
  }),
});

const NewsPart = Type.Object(
  {
    newsarchive_status: oneOf(
      ["collected", "not_collected", "not_available"],
      "collected: all eight days were collected; not_collected: some days were not collected, or the day is not over; not_available: before 2017, or the company has no article that gives the search name.",
    ),
    count: integerOrNull("Articles of the eight days; null unless collected."),
    first_seen_at: textOrNull("When the first of them was seen; null unless collected. RFC 3339 UTC."),
    truncated: Type.Boolean({
      description: "Whether there were more than the 1000 articles that are read of one span.",
    }),
    articles: Type.Array(ArticleRow, {
      description:
        "English articles that name the company, seen from seven days before event_date to its end in New York, oldest first.",
    }),
    volume_series: Type.Array(
      Type.Object({
        date: Type.String({ format: "date", description: "UTC day." }),
        value: Type.Number({ description: "Percent of all articles that the archive saw on that day." }),
      }),
      { description: "Stored days from 30 days before event_date to event_date." },
    ),
  },
  { description: "Archived news, as far as it was collected." },
);

export const EventAnswer = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  event_date: Type.String({ format: "date", description: "As requested." }),
  as_of: textOrNull("The requested as_of; null: now. RFC 3339 UTC."),
  entity: Type.Union([Mapping, Type.Null()], {
    description: "The company's Wikipedia article as known then; null when none was found.",
  }),
  attention: Type.Object(
    {
      date_used: Type.String({
        format: "date",
        description: "UTC day whose views are used: always event_date, never a neighbouring day.",
      }),
      day_start_at: Type.String({
        description:
          "When that day begins: 20:00 of the day before in New York, 19:00 in winter. RFC 3339 UTC.",
      }),
      day_end_at: Type.String({ description: "When that day ends. RFC 3339 UTC." }),
      views: integerOrNull("Views of the day; null when unknown or not published yet."),
      baseline_mean_10d: numberOrNull(
        "Mean daily views over the known days among the 10 days before; null with fewer than 5 known days.",
      ),
      spike_10d: numberOrNull("views / baseline_mean_10d; null when either is null or the mean is 0."),
      baseline_mean_20d: numberOrNull(
        "Mean daily views over the known days among the 20 days before; null with fewer than 10 known days.",
      ),
      baseline_std_20d: numberOrNull(
        "Sample standard deviation (n − 1) of the same days, in views; null with fewer than 10 known days.",
      ),
      zscore_20d: numberOrNull(
        "(views − baseline_mean_20d) / baseline_std_20d; null when one of them is null or the deviation is 0.",
      ),
      days_available: Type.Integer({ description: "Number of known days among the 20 days before." }),
      status: oneOf(
        ["complete", "partial", "null"],
        "complete: the day and all 20 days before are known; partial: the day is known, some days before are not; null: the day is unknown.",
      ),
    },
    { description: "Page views of the day compared with the days before." },
  ),
  pageviews: Type.Array(ViewDay, {
    description: "From 30 days before event_date to event_date; empty without an entity.",
  }),
  news: NewsPart,
  cached: Type.Boolean({ description: "Whether the page views come from the cache." }),
  warnings: Type.Array(Type.String(), {
    description: "What could not be fetched, and what the answer has instead.",
  }),
});

export const CollectViewsAnswer = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  encyc_title: Type.String({ description: "Title of the article." }),
  days_collected: Type.Integer({ description: "Number of days of the span whose views are known now." }),
  rows_stored: Type.Integer({ description: "Number of new rows, including corrections." }),
  first_date: textOrNull("First known day of the span."),
  last_date: textOrNull("Last known day of the span."),
});

export const CollectNewsAnswer = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  query: Type.String({ description: "The query that was sent to the archive." }),
  start_date: Type.String({ format: "date", description: "First New York day." }),
  end_date: Type.String({ format: "date", description: "Last New York day." }),
  articles_collected: Type.Integer({ description: "Number of articles found on these days." }),
  articles_new: Type.Integer({ description: "Number of them that were not stored before." }),
  volume_days: Type.Integer({ description: "Number of days whose volume is new or corrected." }),
  truncated: Type.Boolean({
    description: "Whether there were more than the 1000 articles that are read of one span.",
  }),
  status: oneOf(
    ["collected", "partial"],
    "partial: the archive refused requests during the collection; the articles are stored, the volume is not.",
  ),
  retry_after: integerOrNull(
    "Seconds until the archive may be asked again; null unless it refused requests.",
  ),
});

/** Limit of New York days in one collection of news. */
export const NEWS_SPAN_TEXT = `At most ${NEWS_ARCHIVE_SPAN_DAYS_MAX} days per request.`;
