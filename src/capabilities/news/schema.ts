// Queries, bodies and answers of the news routes: validation, types and documentation in one place.

import { type Static, Type } from "@sinclair/typebox";
import { BULK_TICKERS_MAX, MULTI_TICKERS_MAX, NEWS_LIMIT_MAX } from "../../limits.ts";
import { absenceWarnings } from "../../market/absence.ts";
import { integerOrNull, listFields, textOrNull } from "../../market/answer-fields.ts";
import {
  asOfFields,
  countField,
  dateField,
  formatField,
  momentField,
  oneOf,
  skipField,
  tickerArray,
  tickerList,
  wholeNumber,
  wordArray,
  wordList,
} from "../../market/params.ts";
import { PROVIDERS } from "./sources.ts";

export const LIMIT_DEFAULT = 50;
export const DAYS_DEFAULT = 7;

const instant = (which: string) =>
  Type.Optional({
    ...momentField(which),
    description: `${which} RFC 3339; without a zone it is New York time. Cannot be combined with dates or days.`,
  });

const shared = {
  provider: Type.Optional(
    wordList(PROVIDERS, "Only articles of these providers. nasdaq replaces alpaca when that has no keys."),
  ),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        "Words that must all occur in headline or summary, in any order, ignoring case; parts of words match too.",
      examples: ["quarter results"],
    }),
  ),
  start_date: Type.Optional(
    dateField("First day in New York, inclusive. Without end_date: all days since.", "2026-09-01"),
  ),
  end_date: Type.Optional(dateField("Last day in New York, inclusive; needs start_date.")),
  from: instant("First instant, inclusive."),
  to: instant("Last instant, inclusive."),
  limit: countField("Maximum number of rows.", NEWS_LIMIT_MAX, LIMIT_DEFAULT),
  offset: skipField("Number of rows to skip.", 10_000_000),
  sort: Type.Optional(oneOf(["asc", "desc"], "Order by publication time.", "desc")),
  ...asOfFields(
    "Only articles that this service had at that time, in the versions of that time: a date (the end of that day in New York) or an RFC 3339 instant with zone. A backfilled article is known from its backfill on. Default: everything known.",
  ),
  format: formatField(
    "Format of the answer; ndjson, csv, parquet and records are streamed with one row per article and lists as comma lists. The Accept header works too.",
  ),
};

export const NewsQuery = Type.Object({
  tickers: Type.Optional(
    tickerList(
      MULTI_TICKERS_MAX,
      `Only articles linked to one of these tickers, comma list of up to ${MULTI_TICKERS_MAX}. Their own feeds are read from then on.`,
    ),
  ),
  ...shared,
});

export const TickerNewsQuery = Type.Object({
  // No `default`: a filled-in value would conflict with given dates.
  days: Type.Optional(
    wholeNumber(`Days back from now (or as_of), instead of dates. Default ${DAYS_DEFAULT}.`, {
      minimum: 1,
      maximum: 3_660,
      examples: [DAYS_DEFAULT],
    }),
  ),
  ...shared,
});

export const IngestRequest = Type.Object({
  providers: Type.Optional(
    wordArray(PROVIDERS, "Providers to read, at least one. Default: the enabled ones.", { minItems: 1 }),
  ),
  tickers: Type.Optional(tickerArray(BULK_TICKERS_MAX)),
  start_date: Type.Optional(dateField("First day in New York, inclusive; needs end_date.", "2026-09-01")),
  end_date: Type.Optional(dateField("Last day in New York, inclusive; needs start_date.")),
});

const Article = Type.Object({
  id: Type.String({ description: "This service's own id of the article." }),
  provider: oneOf(PROVIDERS, "Provider that had the article first."),
  provider_article_id: Type.String({ description: "That provider's id of the article." }),
  other_providers: Type.Array(Type.String(), {
    description: "Other providers that had the same address and headline.",
  }),
  headline: Type.String({ description: "As the provider has it, without markup and entities." }),
  summary: textOrNull("The provider's summary, at most 600 characters; never the article itself."),
  url: textOrNull("Address of the article."),
  source: textOrNull("Publisher, as the provider names it."),
  author: textOrNull("Author or issuer."),
  tickers: Type.Array(Type.String(), {
    description: "Canonical symbols that the providers name; for yahoo also the symbol of the feed.",
  }),
  published_at: textOrNull("Publication time, RFC 3339 UTC; null when the provider gives no readable time."),
  updated_at: textOrNull("Last change, RFC 3339 UTC, when the provider states it."),
  ingested_at: Type.String({ description: "When this service first read the article, RFC 3339 UTC." }),
  known_at: Type.String({ description: "When this service first read this version, RFC 3339 UTC." }),
  revision: Type.Integer({ description: "Number of this version, from 1." }),
  image_url: textOrNull("Address of a picture."),
  language: textOrNull("Language, as the provider names it."),
});
export type Article = Static<typeof Article>;

const page = {
  ...listFields,
  warnings: absenceWarnings,
  data: Type.Array(Article, {
    description:
      "Ordered by the publication time of the first version, or its ingest time when it has none; then by id.",
  }),
};

export const NewsAnswer = Type.Object(page);
export const TickerNewsAnswer = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  ...page,
});

export const ProvidersAnswer = Type.Array(
  Type.Object({
    provider: oneOf(PROVIDERS, "Name of the provider."),
    enabled: Type.Boolean({ description: "Whether the provider is read; three are." }),
    configured: Type.Boolean({ description: "Whether the provider has the keys it needs." }),
    last_poll_at: textOrNull("When the latest poll ended, RFC 3339 UTC."),
    last_success_at: textOrNull("When the latest successful poll ended, RFC 3339 UTC."),
    last_error: textOrNull("Why the latest poll failed; null when it succeeded."),
    articles_24h: Type.Integer({
      description:
        "Articles of the last 24 hours from this provider, including those that other providers have too.",
    }),
    tickers_read: integerOrNull(
      "Tickers whose own feeds are read in turn; null for a provider with one feed for all tickers.",
    ),
  }),
  { description: "One entry per provider." },
);

export const IngestAnswer = Type.Object({
  status: oneOf(
    ["started", "succeeded", "partial", "failed"],
    "started: the ingest continues in the background; partial: some providers failed; failed: all providers failed.",
  ),
  run_id: Type.Integer({ description: "Id of the run in /scheduler/runs." }),
  results: Type.Array(
    Type.Object({
      provider: oneOf(PROVIDERS, "Name of the provider."),
      fetched: Type.Integer({ description: "Articles read." }),
      inserted: Type.Integer({ description: "Articles that are new." }),
      updated: Type.Integer({
        description: "Articles that are later versions, or that another provider now has too.",
      }),
      duplicates: Type.Integer({ description: "Articles that were stored before." }),
      unread: Type.Integer({ description: "Items that could not be read as an article." }),
      error: textOrNull("Why the provider could not be read completely; null when it was."),
    }),
    { description: "One entry per requested provider; empty while the ingest continues." },
  ),
});
