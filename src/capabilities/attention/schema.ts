// Queries, bodies and answers of the attention routes: the check, the types and the documentation in one place.
import { type TSchema, Type } from "@sinclair/typebox";
import { NEWS_ARCHIVE_SPAN_DAYS_MAX, PAGE_VIEW_DAYS, PAGE_VIEW_DAYS_MAX } from "../../limits.ts";
import {
  asOfField,
  dateField,
  flag,
  forceRefresh,
  oneOf,
  tickerField,
  wholeNumber,
} from "../../market/params.ts";

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const text = (description: string) => orNull(Type.String({ description }));
const count = (description: string) => orNull(Type.Integer({ description }));
const number = (description: string) => orNull(Type.Number({ description }));
const instant = (description: string) => `${description} RFC 3339 UTC.`;

const METHODS = ["cik", "ticker", "search", "manual", "none"] as const;
const METHOD_TEXT =
  "How the article was found: cik (Wikidata's item with the SEC's number), ticker (its item listed in the United States under the ticker), search (scored full-text search), manual; none: no article is good enough.";
const confidence =
  "Score from 0 to 1: at least 0.95 by CIK, 0.8 to 0.94 by ticker, 0.7 to 0.9 by search, 1 by hand.";

export const TickerPath = Type.Object({ ticker: tickerField() });

export const EventQuery = Type.Object({
  event_date: dateField(
    "Day of the event in New York. Page views are those of the UTC day of the same date.",
  ),
  as_of: Type.Optional(asOfField),
  force_refresh: Type.Optional(forceRefresh),
});

export const EntityQuery = Type.Object({ as_of: Type.Optional(asOfField) });

export const ResolveRequest = Type.Object({
  force: Type.Optional(
    flag("Look for it again even where it was set by hand; the override is then replaced."),
  ),
});

const spanFields = {
  start_date: Type.Optional(dateField("First day, inclusive; needs end_date.", "2026-08-03")),
  end_date: Type.Optional(dateField("Last day, inclusive; needs start_date.")),
};

export const CollectViewsRequest = Type.Object({
  ...spanFields,
  days: Type.Optional(
    // No default here: a filled-in one would contradict the dates.
    wholeNumber(`So many days up to yesterday (UTC), instead of dates. Without either: ${PAGE_VIEW_DAYS}.`, {
      minimum: 1,
      maximum: PAGE_VIEW_DAYS_MAX,
    }),
  ),
});

export const CollectNewsRequest = Type.Object({
  ...spanFields,
  event_date: Type.Optional(
    dateField(
      "The seven days before it and itself, and the volume of thirty; instead of dates. Without anything: today.",
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
      description: "Why it is set, for whoever reads it later.",
      examples: ["The search found the parent."],
    }),
  ),
});

export const Mapping = Type.Object({
  encyc_title: Type.String({ description: "Title of the article." }),
  encyc_url: Type.String({ description: "Address of the article." }),
  page_id: count("Number of the article."),
  wikidata_id: text("Its item in Wikidata."),
  confidence: Type.Number({ description: confidence }),
  resolution_method: oneOf(METHODS, METHOD_TEXT),
  is_manual_override: Type.Boolean({ description: "It was set by hand." }),
  resolved_at: Type.String({
    description: instant("When it was found or set; as_of before that has no entity."),
  }),
});

const CandidateRow = Type.Object({
  title: Type.String({ description: "Title of the article that was considered." }),
  score: Type.Number({
    description: "Score from 0 to 1; 0.7 is needed. Titles of the form “X v. Y” have 0.05.",
  }),
  reason: Type.String({ description: "Where it was found and what it is." }),
});

export const EntityAnswer = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  encyc_title: text("Title of the article; null where none was found that is good enough."),
  encyc_url: text("Address of the article."),
  page_id: count("Number of the article."),
  wikidata_id: text("Its item in Wikidata."),
  description: text("The article's own short description."),
  confidence: number(`${confidence} Null without an article.`),
  resolution_method: oneOf(METHODS, METHOD_TEXT),
  is_manual_override: Type.Boolean({ description: "It was set by hand." }),
  note: text("Why it was set, where somebody wrote it."),
  company_name: text("The company's name when it was looked for."),
  cik: text("The SEC's number of the company, ten digits."),
  resolved_at: Type.String({ description: instant("When it was found or set.") }),
  candidates: Type.Array(CandidateRow, { description: "What was considered, the best first." }),
});

const ViewDay = Type.Object({
  date: Type.String({ format: "date", description: "Day of UTC." }),
  views: count("Views by people that day; 0 is none, null unknown."),
  state: oneOf(
    ["counted", "zero", "pending", "unknown"],
    "counted: upstream has the number; zero: upstream leaves out days without views, and this is one; pending: not published yet; unknown: before the article's first view, or never collected.",
  ),
});

const ArticleRow = Type.Object({
  title: Type.String({ description: "Headline, as the archive has it." }),
  url: Type.String({ description: "Address of the article." }),
  domain: text("Whose site."),
  language: text("In English, such as English."),
  source_country: text("Of the site, in English."),
  seen_at: Type.String({
    description: instant("When the archive saw it, in steps of a quarter of an hour."),
  }),
});

const NewsPart = Type.Object(
  {
    newsarchive_status: oneOf(
      ["collected", "not_collected", "not_available"],
      "collected: all of the eight days; not_collected: not all of them were fetched, or the day is not over; not_available: before 2017, or the company has no article to be named after.",
    ),
    count: count("Articles of the eight days; null unless collected."),
    first_seen_at: text(instant("When the first of them was seen; null unless collected.")),
    truncated: Type.Boolean({ description: "There were more than the 1000 that are read of one span." }),
    articles: Type.Array(ArticleRow, {
      description:
        "In English, naming the company, seen from seven days before event_date to its end in New York, oldest first.",
    }),
    volume_series: Type.Array(
      Type.Object({
        date: Type.String({ format: "date", description: "Day of UTC." }),
        value: Type.Number({ description: "Percent of all articles the archive saw that day." }),
      }),
      { description: "Stored days from 30 days before event_date to itself." },
    ),
  },
  { description: "What the news archive saw, as far as it was collected." },
);

export const EventAnswer = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  event_date: Type.String({ format: "date", description: "As asked." }),
  as_of: text(instant("The moment whose knowledge this is; null: now.")),
  entity: Type.Union([Mapping, Type.Null()], {
    description: "The company's encyclopedia article as it counted then; null where none was found.",
  }),
  attention: Type.Object(
    {
      date_used: Type.String({
        format: "date",
        description: "Day of UTC whose views are used: always event_date, never a neighbour.",
      }),
      day_start_at: Type.String({
        description: instant("When that day begins: 20:00 of the day before in New York, 19:00 in winter."),
      }),
      day_end_at: Type.String({ description: instant("When that day ends.") }),
      views: count("Views of the day; null when unknown or not published yet."),
      baseline_mean_10d: number(
        "Mean views a day of the known ones of the 10 days before; null with fewer than 5.",
      ),
      spike_10d: number("views / baseline_mean_10d, a ratio; null where either is, or the mean is 0."),
      baseline_mean_20d: number(
        "Mean views a day of the known ones of the 20 days before; null with fewer than 10.",
      ),
      baseline_std_20d: number("Their sample standard deviation (n − 1), in views; null with fewer than 10."),
      zscore_20d: number(
        "(views − baseline_mean_20d) / baseline_std_20d; null where one is, or the deviation is 0.",
      ),
      days_available: Type.Integer({ description: "Number of known days among the 20 before." }),
      status: oneOf(
        ["complete", "partial", "null"],
        "complete: the day and all 20 before are known; partial: the day is, some before are not; null: the day is not.",
      ),
    },
    { description: "Page views of the day against the days before." },
  ),
  pageviews: Type.Array(ViewDay, {
    description: "From 30 days before event_date to itself; empty without an entity.",
  }),
  news: NewsPart,
  cached: Type.Boolean({ description: "The page views were remembered from a former question." }),
  warnings: Type.Array(Type.String(), {
    description: "What could not be asked for, and what stands in its place.",
  }),
});

export const CollectViewsAnswer = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  encyc_title: Type.String({ description: "The article." }),
  days_collected: Type.Integer({ description: "Number of days of the span whose views are known now." }),
  rows_stored: Type.Integer({ description: "Number of rows that were new, corrections among them." }),
  first_date: text("First known day of the span."),
  last_date: text("Last known day of the span."),
});

export const CollectNewsAnswer = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  query: Type.String({ description: "What the archive was asked for." }),
  start_date: Type.String({ format: "date", description: "First day of New York." }),
  end_date: Type.String({ format: "date", description: "Last day of New York." }),
  articles_collected: Type.Integer({ description: "Number of articles found in these days." }),
  articles_new: Type.Integer({ description: "Number of them that were not stored yet." }),
  volume_days: Type.Integer({ description: "Number of days of volume that were new or corrected." }),
  truncated: Type.Boolean({ description: "There were more than the 1000 that are read of one span." }),
  status: oneOf(
    ["collected", "partial"],
    "partial: the archive refused us on the way; the articles are stored, the volume is not.",
  ),
  retry_after: count("Seconds until the archive may be asked again; null unless it refused us."),
});

/** Days of New York in one collection of news. */
export const NEWS_SPAN_TEXT = `At most ${NEWS_ARCHIVE_SPAN_DAYS_MAX} days at once.`;
