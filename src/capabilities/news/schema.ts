// Queries, bodies and answers of the news routes: the check, the types and the documentation in one place.
import { type TSchema, Type } from "@sinclair/typebox";
import { BULK_TICKERS_MAX, MULTI_TICKERS_MAX, NEWS_LIMIT_MAX } from "../../limits.ts";
import {
  asOfField,
  dateField,
  formatField,
  momentField,
  oneOf,
  tickerArray,
  tickerField,
  tickerList,
  wholeNumber,
  wordArray,
  wordList,
} from "../../market/params.ts";
import { DAYS_DEFAULT, LIMIT_DEFAULT } from "./listing.ts";
import { PROVIDERS } from "./sources.ts";

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const text = (description: string) => orNull(Type.String({ description }));

const instant = (which: string) =>
  Type.Optional({
    ...momentField(which),
    description: `${which} RFC 3339; without a zone it is the clock in New York. Not together with dates or days.`,
  });

const shared = {
  provider: Type.Optional(
    wordList(
      PROVIDERS,
      "Only articles these providers have. nasdaq stands in for alpaca where that has no keys.",
    ),
  ),
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        "Words that must all occur in headline or summary, in any order and either case; parts of words count.",
      examples: ["quarter results"],
    }),
  ),
  start_date: Type.Optional(dateField("First day in New York, inclusive; needs end_date.", "2026-09-01")),
  end_date: Type.Optional(dateField("Last day in New York, inclusive; needs start_date.")),
  from: instant("First moment, inclusive."),
  to: instant("Last moment, inclusive."),
  limit: Type.Optional(
    wholeNumber("Rows at most.", { minimum: 1, maximum: NEWS_LIMIT_MAX, default: LIMIT_DEFAULT }),
  ),
  offset: Type.Optional(wholeNumber("Rows to skip.", { minimum: 0, maximum: 10_000_000, default: 0 })),
  sort: Type.Optional(oneOf(["asc", "desc"], "By time of publication.", "desc")),
  as_of: Type.Optional({
    ...asOfField,
    description:
      "Only what this service had met at that moment, in the versions of then: a date (the end of that day in New York) or an RFC 3339 instant with zone. An article that was backfilled is known from its backfill on. Default: everything known.",
  }),
  format: Type.Optional({
    ...formatField,
    description:
      "Shape of the answer; ndjson, csv and parquet are streamed, one row an article, lists as comma lists. The Accept header does the same.",
  }),
};

export const NewsQuery = Type.Object({
  tickers: Type.Optional(
    tickerList(
      MULTI_TICKERS_MAX,
      `Only articles linked to one of these, comma list of up to ${MULTI_TICKERS_MAX}. Their own feeds are read from then on.`,
    ),
  ),
  ...shared,
});

export const TickerPath = Type.Object({ ticker: tickerField() });

export const TickerNewsQuery = Type.Object({
  // Without `default`, which would be filled in beside dates that were given.
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
  providers: Type.Optional(wordArray(PROVIDERS, "Default: those that are enabled.")),
  tickers: Type.Optional(tickerArray(BULK_TICKERS_MAX)),
  start_date: Type.Optional(dateField("First day in New York, inclusive; needs end_date.", "2026-09-01")),
  end_date: Type.Optional(dateField("Last day in New York, inclusive; needs start_date.")),
});

const Article = Type.Object({
  id: Type.String({ description: "This service's own name of the article." }),
  provider: oneOf(PROVIDERS, "Who had it first."),
  provider_article_id: Type.String({ description: "That provider's name of it." }),
  other_providers: Type.Array(Type.String(), {
    description: "Further providers that had the same address and headline.",
  }),
  headline: Type.String({ description: "As the provider has it, markup and entities resolved." }),
  summary: text("The provider's, at most 600 characters; never the article itself."),
  url: text("Where the article is."),
  source: text("Who published it, as the provider names them."),
  author: text("Who wrote or issued it."),
  tickers: Type.Array(Type.String(), {
    description: "Canonical symbols: those its providers name, and at yahoo whose feed it stood in.",
  }),
  published_at: text("RFC 3339 UTC; null where the provider gives no moment that can be read."),
  updated_at: text("Last change, RFC 3339 UTC, where the provider says so."),
  ingested_at: Type.String({ description: "When this service met the article first, RFC 3339 UTC." }),
  known_at: Type.String({ description: "When this service met this version, RFC 3339 UTC." }),
  revision: Type.Integer({ description: "Number of this version, from 1." }),
  image_url: text("Address of a picture."),
  language: text("As the provider names it."),
});

const page = {
  count: Type.Integer({ description: "Rows in this answer." }),
  total: Type.Integer({ description: "Rows that match." }),
  limit: Type.Integer({ description: "Rows at most." }),
  offset: Type.Integer({ description: "Rows skipped." }),
  has_more: Type.Boolean({ description: "Whether rows follow." }),
  warnings: Type.Array(Type.String(), { description: "Why articles may be missing." }),
  data: Type.Array(Article, {
    description:
      "By the publication its first version had; an article without one stands where it was first ingested. Equal ones by id.",
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
    enabled: Type.Boolean({ description: "Whether it is asked: three are." }),
    configured: Type.Boolean({ description: "Whether it has the keys it needs." }),
    last_poll_at: text("When the newest poll ended, RFC 3339 UTC."),
    last_success_at: text("When one last ended well, RFC 3339 UTC."),
    last_error: text("Why the newest poll failed; null when it did not."),
    articles_24h: Type.Integer({
      description: "Articles of the last 24 hours that it has, those it shares with others among them.",
    }),
    tickers_read: orNull(
      Type.Integer({
        description:
          "Tickers whose own feeds are read in turn; null for a provider whose feed is everybody's.",
      }),
    ),
  }),
  { description: "One of each provider." },
);

export const IngestAnswer = Type.Object({
  status: oneOf(
    ["started", "succeeded", "partial", "failed"],
    "started: it goes on behind this answer. partial: some providers failed; failed: all did.",
  ),
  run_id: Type.Integer({ description: "Run in the ledger of jobs, see /scheduler/runs." }),
  results: Type.Array(
    Type.Object({
      provider: oneOf(PROVIDERS, "Name of the provider."),
      fetched: Type.Integer({ description: "Articles read." }),
      inserted: Type.Integer({ description: "Of these new." }),
      updated: Type.Integer({ description: "Of these later versions, or met at a further provider." }),
      duplicates: Type.Integer({ description: "Of these met before." }),
      unread: Type.Integer({ description: "Items that could not be read as an article." }),
      error: text("Why the provider could not be asked, or not to its end."),
    }),
    { description: "One of each provider asked; empty while it goes on." },
  ),
});
