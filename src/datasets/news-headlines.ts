// News: headlines and summaries of articles, every version of them as it was met.
import { dataset, type Macro } from "../platform/lake/dataset.ts";

export const newsHeadlines = dataset({
  name: "news_headlines",
  description:
    "Articles of the news providers, headline and short summary only; one row a version: an article that changed, or that another provider has too, is a later row. news_as_of(as_of) has the newest of each.",
  columns: {
    id: { type: "VARCHAR", description: "This service's own name of the article." },
    filed_on: {
      type: "DATE",
      description: "New York day of placed_at.",
    },
    placed_at: {
      type: "TIMESTAMPTZ",
      description:
        "Where it stands among others: published_at of its first version, or its first ingest where that could not be read; stays when the article changes.",
    },
    provider: { type: "VARCHAR", description: "Who had it first: alpaca, globenewswire, yahoo or nasdaq." },
    provider_article_id: { type: "VARCHAR", description: "That provider's name of it." },
    other_providers: {
      type: "VARCHAR",
      nullable: true,
      description: "Further providers that had the same address and headline, comma list.",
    },
    headline: { type: "VARCHAR", description: "As the provider has it, markup and entities resolved." },
    summary: {
      type: "VARCHAR",
      nullable: true,
      description: "The provider's, cut to 600 characters; never the article.",
    },
    url: { type: "VARCHAR", nullable: true, description: "Where the article is." },
    source: { type: "VARCHAR", nullable: true, description: "Who published it, as the provider names them." },
    author: { type: "VARCHAR", nullable: true, description: "Who wrote it, or issued it." },
    tickers: {
      type: "VARCHAR",
      nullable: true,
      description:
        "Canonical symbols it is linked to, comma list: those its providers name, and at Yahoo whose feed it stood in.",
    },
    published_at: {
      type: "TIMESTAMPTZ",
      nullable: true,
      description: "As the provider gives it; null where it gives no moment that can be read.",
    },
    updated_at: {
      type: "TIMESTAMPTZ",
      nullable: true,
      description: "Last change, where the provider says so.",
    },
    image_url: { type: "VARCHAR", nullable: true, description: "A picture of it." },
    language: {
      type: "VARCHAR",
      nullable: true,
      description: "As the provider names it, such as en or en-US.",
    },
    match_key: {
      type: "VARCHAR",
      nullable: true,
      description:
        "Hash of its address (without marks of where it was clicked) and headline: equal ones are one article.",
    },
    revision: { type: "INTEGER", description: "1 for the first version, then counted up." },
    ingested_at: { type: "TIMESTAMPTZ", description: "When this service met the article first." },
    known_at: { type: "TIMESTAMPTZ", description: "When this service met this version." },
  },
  key: ["filed_on", "id"],
  partition: { by: "month", column: "filed_on" },
  sort: ["filed_on", "id", "known_at"],
  fill: "append",
});

export const newsAsOf: Macro = {
  name: "news_as_of",
  kind: "table",
  parameters: ["as_of := NULL"],
  description: "News as known by as_of: of each article the newest version this service had met.",
  body: () => `SELECT * FROM news_headlines
    WHERE known_at <= known_by(as_of)
    QUALIFY row_number() OVER (PARTITION BY filed_on, id ORDER BY known_at DESC, revision DESC) = 1`,
};
