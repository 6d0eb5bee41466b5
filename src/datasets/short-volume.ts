// Daily short-sale volume from FINRA: every line of every version of every file.

import { dataset, type Macro, storedColumns } from "../platform/lake/dataset.ts";

export const shortVolume = dataset({
  name: "short_volume",
  description:
    "Off-exchange short-sale volume reported to FINRA, one row per symbol, trade date and version of the file; short_volume_as_of(as_of) has the newest version of each day.",
  columns: {
    date: { type: "DATE", description: "Trade date." },
    symbol: {
      type: "VARCHAR",
      description:
        "Canonical symbol as traded that day (BRK.B, ABR.PRD); an unrecognized spelling is stored unchanged.",
    },
    short_volume: {
      type: "DOUBLE",
      unit: "shares",
      description: "Volume sold short, exempt sales included.",
    },
    short_exempt_volume: {
      type: "DOUBLE",
      nullable: true,
      unit: "shares",
      description: "Part of it that is exempt from the price test; null where the file has no such column.",
    },
    total_volume: {
      type: "DOUBLE",
      unit: "shares",
      description: "All reported volume, which is not that of the whole market.",
    },
    market: {
      type: "VARCHAR",
      description: "Where it was reported: Q, B, N, D, O or several, as in the file.",
    },
    facility: {
      type: "VARCHAR",
      description: "The file that contains it; CNMS covers the whole national market system.",
    },
    known_at: {
      type: "TIMESTAMPTZ",
      description:
        "Of the first version the start of the next session's day in New York: the file is public since the evening before. Of a correction its fetch.",
    },
    fetched_at: { type: "TIMESTAMPTZ", description: "When this service fetched it." },
    source: { type: "VARCHAR", description: "The provider that reported it." },
  },
  key: ["date", "symbol", "facility"],
  partition: { by: "year", column: "date", and: "facility" },
  // By day first, because panels, rankings and ingest read and write whole days.
  sort: ["date", "symbol", "known_at"],
  fill: "append",
  changes: { publicFrom: "known_at" },
});

/** The newest version of each file known by as_of. */
export const newestFiles = (asOf: string) =>
  `(SELECT facility, date, max(known_at) AS known_at FROM finra_files WHERE known_at <= known_by(${asOf}) GROUP BY facility, date)`;

export const shortVolumeAsOf: Macro = {
  name: "short_volume_as_of",
  kind: "table",
  parameters: ["as_of := NULL"],
  description:
    "Short volume as known by as_of: the newest version of each file; rows that a correction removed are absent.",
  columns: storedColumns(shortVolume),
  body: () =>
    `SELECT s.* FROM short_volume s JOIN ${newestFiles("as_of")} v
      ON s.facility = v.facility AND s.date = v.date AND s.known_at = v.known_at`,
};
