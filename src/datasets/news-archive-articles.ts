// Articles about companies as a public archive saw them.

import { dataset } from "../platform/lake/dataset.ts";

export const newsArchiveArticles = dataset({
  name: "news_archive_articles",
  description:
    "Articles in English that name a company, as GDELT saw them since 2017. Only of spans that were collected: no row is not no news.",
  columns: {
    symbol: { type: "VARCHAR", description: "Symbol in its canonical spelling." },
    url: { type: "VARCHAR", description: "Address of the article." },
    title: { type: "VARCHAR", description: "Its headline, as the archive has it." },
    domain: { type: "VARCHAR", nullable: true, description: "Whose site." },
    language: { type: "VARCHAR", nullable: true, description: "In English, such as English." },
    source_country: { type: "VARCHAR", nullable: true, description: "Of the site, in English." },
    seen_at: {
      type: "TIMESTAMPTZ",
      description: "When the archive saw it, in steps of a quarter of an hour; not when it was published.",
    },
    query: { type: "VARCHAR", description: "What the archive was asked for." },
    known_at: {
      type: "TIMESTAMPTZ",
      description:
        "A quarter of an hour after seen_at, when the archive's next batch was out; sooner where this service fetched it sooner.",
    },
    fetched_at: { type: "TIMESTAMPTZ", description: "When this service fetched it." },
    source: { type: "VARCHAR", description: "gdelt." },
  },
  key: ["symbol", "url", "seen_at"],
  partition: { by: "year", column: "seen_at" },
  sort: ["symbol", "seen_at", "url"],
  fill: "first",
});
