// Articles about companies, as recorded by a public archive.

import { dataset } from "../platform/lake/dataset.ts";

export const newsArchiveArticles = dataset({
  name: "news_archive_articles",
  description:
    "Articles in English that name a company, as recorded by GDELT since 2017. Only collected time spans have rows, so a missing row does not mean that there was no news.",
  columns: {
    symbol: { type: "VARCHAR", description: "Symbol in its canonical spelling." },
    url: { type: "VARCHAR", description: "URL of the article." },
    title: { type: "VARCHAR", description: "The headline as recorded by the archive." },
    domain: { type: "VARCHAR", nullable: true, description: "Domain of the site." },
    language: { type: "VARCHAR", nullable: true, description: "Language name in English, such as English." },
    source_country: { type: "VARCHAR", nullable: true, description: "Country of the site, in English." },
    seen_at: {
      type: "TIMESTAMPTZ",
      description: "When the archive recorded it, in steps of 15 minutes; not when it was published.",
    },
    query: { type: "VARCHAR", description: "The query sent to the archive." },
    known_at: {
      type: "TIMESTAMPTZ",
      description:
        "15 minutes after seen_at, when the archive's next batch is published, or when this service fetched it if that is earlier.",
    },
    fetched_at: { type: "TIMESTAMPTZ", description: "When this service fetched it." },
    source: { type: "VARCHAR", description: "gdelt." },
  },
  key: ["symbol", "url", "seen_at"],
  partition: { by: "year", column: "seen_at" },
  sort: ["symbol", "seen_at", "url"],
  fill: "first",
  changes: { publicFrom: "known_at" },
});
