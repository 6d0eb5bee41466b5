// News: headlines and summaries of articles, every version of them as it was met.
import { dataset, type Macro } from "../platform/lake/dataset.ts";

export const newsHeadlines = dataset({
  name: "news_headlines",
  says: "Articles of the news providers, headline and short summary only; one row a version: an article that changed, or that another provider has too, is a later row. news_as_of(as_of) has the newest of each.",
  columns: {
    id: { type: "VARCHAR", says: "This service's own name of the article." },
    filed_on: {
      type: "DATE",
      says: "New York day of placed_at.",
    },
    placed_at: {
      type: "TIMESTAMPTZ",
      says: "Where it stands among others: published_at of its first version, or its first ingest where that could not be read; stays when the article changes.",
    },
    provider: { type: "VARCHAR", says: "Who had it first: alpaca, globenewswire, yahoo or nasdaq." },
    provider_article_id: { type: "VARCHAR", says: "That provider's name of it." },
    other_providers: {
      type: "VARCHAR",
      nullable: true,
      says: "Further providers that had the same address and headline, comma list.",
    },
    headline: { type: "VARCHAR", says: "As the provider has it, markup and entities resolved." },
    summary: {
      type: "VARCHAR",
      nullable: true,
      says: "The provider's, cut to 600 characters; never the article.",
    },
    url: { type: "VARCHAR", nullable: true, says: "Where the article is." },
    source: { type: "VARCHAR", nullable: true, says: "Who published it, as the provider names them." },
    author: { type: "VARCHAR", nullable: true, says: "Who wrote it, or issued it." },
    tickers: {
      type: "VARCHAR",
      nullable: true,
      says: "Canonical symbols it is linked to, comma list: those its providers name, and at Yahoo whose feed it stood in.",
    },
    published_at: {
      type: "TIMESTAMPTZ",
      nullable: true,
      says: "As the provider gives it; null where it gives no moment that can be read.",
    },
    updated_at: { type: "TIMESTAMPTZ", nullable: true, says: "Last change, where the provider says so." },
    image_url: { type: "VARCHAR", nullable: true, says: "A picture of it." },
    language: { type: "VARCHAR", nullable: true, says: "As the provider names it, such as en or en-US." },
    match_key: {
      type: "VARCHAR",
      nullable: true,
      says: "Hash of its address (without marks of where it was clicked) and headline: equal ones are one article.",
    },
    revision: { type: "INTEGER", says: "1 for the first version, then counted up." },
    ingested_at: { type: "TIMESTAMPTZ", says: "When this service met the article first." },
    known_at: { type: "TIMESTAMPTZ", says: "When this service met this version." },
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
  says: "News as known by as_of: of each article the newest version this service had met.",
  body: () => `SELECT * FROM news_headlines
    WHERE known_at <= known_by(as_of)
    QUALIFY row_number() OVER (PARTITION BY filed_on, id ORDER BY known_at DESC, revision DESC) = 1`,
};
