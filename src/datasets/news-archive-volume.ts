// Share of the world's news about a company, by day.

import { dataset, type Macro, storedColumns } from "../platform/lake/dataset.ts";

export const newsArchiveVolume = dataset({
  name: "news_archive_volume",
  description:
    "Share of all articles recorded by GDELT on a UTC day that name a company. Only collected time spans have rows. news_archive_volume_as_of(as_of) has one row per day.",
  columns: {
    symbol: { type: "VARCHAR", description: "Symbol in its canonical spelling." },
    date: { type: "DATE", description: "UTC day." },
    value: {
      type: "DOUBLE",
      unit: "percent",
      description: "Share of all articles of the day; 0 means none.",
    },
    query: { type: "VARCHAR", description: "The query sent to the archive." },
    known_at: {
      type: "TIMESTAMPTZ",
      description:
        "15 minutes after the end of the day, when its last batch is published; for a later value, when it was fetched.",
    },
    fetched_at: { type: "TIMESTAMPTZ", description: "When this service fetched it." },
    source: { type: "VARCHAR", description: "gdelt." },
  },
  key: ["symbol", "date"],
  partition: { by: "year", column: "date" },
  sort: ["symbol", "date", "known_at"],
  fill: "append",
  changes: { publicFrom: "known_at" },
});

export const newsArchiveVolumeAsOf: Macro = {
  name: "news_archive_volume_as_of",
  kind: "table",
  parameters: ["as_of := NULL"],
  description: "The newest value of each (symbol, date) known by as_of.",
  columns: storedColumns(newsArchiveVolume),
  body: () => `SELECT * FROM news_archive_volume WHERE known_at <= known_by(as_of)
    QUALIFY row_number() OVER (PARTITION BY symbol, date ORDER BY known_at DESC) = 1`,
};
