// How much of the world's news was about a company, day by day.

import { dataset, type Macro } from "../platform/lake/dataset.ts";

export const newsArchiveVolume = dataset({
  name: "news_archive_volume",
  description:
    "Share of all articles GDELT saw on a day of UTC that name a company. Only of spans that were collected. news_archive_volume_as_of(as_of) has one row of each day.",
  columns: {
    symbol: { type: "VARCHAR", description: "Symbol in its canonical spelling." },
    date: { type: "DATE", description: "Day of UTC." },
    value: { type: "DOUBLE", unit: "percent", description: "Of all articles of the day; 0 is none." },
    query: { type: "VARCHAR", description: "What the archive was asked for." },
    known_at: {
      type: "TIMESTAMPTZ",
      description:
        "A quarter of an hour after the day ended, when its last batch was out. A later number: when it was fetched.",
    },
    fetched_at: { type: "TIMESTAMPTZ", description: "When this service fetched it." },
    source: { type: "VARCHAR", description: "gdelt." },
  },
  key: ["symbol", "date"],
  partition: { by: "year", column: "date" },
  sort: ["symbol", "date", "known_at"],
  fill: "append",
});

export const newsArchiveVolumeAsOf: Macro = {
  name: "news_archive_volume_as_of",
  kind: "table",
  parameters: ["as_of := NULL"],
  description: "Of each (symbol, date) the newest number known by as_of.",
  body: () => `SELECT * FROM news_archive_volume WHERE known_at <= known_by(as_of)
    QUALIFY row_number() OVER (PARTITION BY symbol, date ORDER BY known_at DESC) = 1`,
};
