// Daily short-sale volume as FINRA reports it: every line of every file, every version of a file.

import { dataset, type Macro } from "../platform/lake/dataset.ts";

export const shortVolume = dataset({
  name: "short_volume",
  description:
    "Off-exchange short-sale volume reported to FINRA, one row a symbol, trade date and version of the file; short_volume_as_of(as_of) has the newest version of each day.",
  columns: {
    date: { type: "DATE", description: "Trade date." },
    symbol: {
      type: "VARCHAR",
      description:
        "Symbol as traded that day, canonical (BRK.B, ABR.PRD); a spelling nobody can read is kept as it came.",
    },
    short_volume: { type: "DOUBLE", unit: "shares", description: "Sold short, exempt sales included." },
    short_exempt_volume: {
      type: "DOUBLE",
      nullable: true,
      unit: "shares",
      description: "Of these sold exempt from the price test; null where the file has no such column.",
    },
    total_volume: {
      type: "DOUBLE",
      unit: "shares",
      description: "All volume reported, not the whole market's.",
    },
    market: {
      type: "VARCHAR",
      description: "Where it was reported: Q, B, N, D, O or several, as in the file.",
    },
    facility: {
      type: "VARCHAR",
      description: "File it stands in; CNMS holds all of the national market system.",
    },
    known_at: {
      type: "TIMESTAMPTZ",
      description:
        "Of the first version: the beginning of the next session's day in New York, when the file had been public since the evening before. Of a correction: when this service fetched it.",
    },
    fetched_at: { type: "TIMESTAMPTZ", description: "When this service fetched it." },
    source: { type: "VARCHAR", description: "Who reported it." },
  },
  key: ["date", "symbol", "facility"],
  partition: { by: "year", column: "date", and: "facility" },
  // By day first: panels, rankings and ingest are about days.
  sort: ["date", "symbol", "known_at"],
  fill: "append",
});

/** The newest version of each file known by as_of. */
export const newestFiles = (asOf: string) =>
  `(SELECT facility, date, max(known_at) AS known_at FROM finra_files WHERE known_at <= known_by(${asOf}) GROUP BY facility, date)`;

export const shortVolumeAsOf: Macro = {
  name: "short_volume_as_of",
  kind: "table",
  parameters: ["as_of := NULL"],
  description:
    "Short volume as known by as_of: of each file the newest version, whole; what a correction took out is gone.",
  body: () =>
    `SELECT s.* FROM short_volume s JOIN ${newestFiles("as_of")} v
      ON s.facility = v.facility AND s.date = v.date AND s.known_at = v.known_at`,
};
