// News: headlines and summaries of articles, in every version the service has fetched.
import { dataset, type Macro, storedColumns } from "../platform/lake/dataset.ts";

export const newsHeadlines = dataset({
  name: "news_headlines",
  description:
    "Articles of the news providers, with headline and short summary only. One row per version: an article that changed, or that another provider also has, gets a new row. news_as_of(as_of) has the newest of each.",
  columns: {
    id: { type: "VARCHAR", description: "The service's own id of the article." },
    filed_on: {
      type: "DATE",
      description: "New York day of placed_at.",
    },
    placed_at: {
      type: "TIMESTAMPTZ",
      description:
        "Position among other articles: published_at of its first version, or its first ingest where that could not be read. It does not change with the article.",
    },
    provider: {
      type: "VARCHAR",
      description: "The provider that had it first: alpaca, globenewswire, yahoo or nasdaq.",
    },
    provider_article_id: { type: "VARCHAR", description: "That provider's id of the article." },
    other_providers: {
      type: "VARCHAR",
      nullable: true,
      description: "Comma-separated further providers with the same URL and headline.",
    },
    headline: {
      type: "VARCHAR",
      description: "Headline from the provider, with markup and entities resolved.",
    },
    summary: {
      type: "VARCHAR",
      nullable: true,
      description: "Summary from the provider, cut to 600 characters; never the article itself.",
    },
    url: { type: "VARCHAR", nullable: true, description: "URL of the article." },
    source: { type: "VARCHAR", nullable: true, description: "Publisher as named by the provider." },
    author: { type: "VARCHAR", nullable: true, description: "Author or issuer." },
    tickers: {
      type: "VARCHAR",
      nullable: true,
      description:
        "Comma-separated canonical symbols it is linked to: those its providers name, and for Yahoo the symbol of the feed.",
    },
    published_at: {
      type: "TIMESTAMPTZ",
      nullable: true,
      description: "Publication time from the provider; null where it has no readable time.",
    },
    updated_at: {
      type: "TIMESTAMPTZ",
      nullable: true,
      description: "Time of the last change, where the provider states it.",
    },
    image_url: { type: "VARCHAR", nullable: true, description: "URL of an image." },
    language: {
      type: "VARCHAR",
      nullable: true,
      description: "Language as named by the provider, such as en or en-US.",
    },
    match_key: {
      type: "VARCHAR",
      nullable: true,
      description:
        "Hash of its URL (without tracking parameters) and headline; equal values are the same article.",
    },
    revision: { type: "INTEGER", description: "1 for the first version, then counted up." },
    ingested_at: { type: "TIMESTAMPTZ", description: "When this service first fetched the article." },
    known_at: { type: "TIMESTAMPTZ", description: "When this service first fetched this version." },
  },
  key: ["filed_on", "id"],
  partition: { by: "month", column: "filed_on" },
  sort: ["filed_on", "id", "known_at"],
  fill: "append",
  changes: { publicFrom: "published_at" },
});

export const newsAsOf: Macro = {
  name: "news_as_of",
  kind: "table",
  parameters: ["as_of := NULL"],
  description: "News as known by as_of: the newest version of each article the service had fetched.",
  columns: storedColumns(newsHeadlines),
  body: () => `SELECT * FROM news_headlines
    WHERE known_at <= known_by(as_of)
    QUALIFY row_number() OVER (PARTITION BY filed_on, id ORDER BY known_at DESC, revision DESC) = 1`,
};
