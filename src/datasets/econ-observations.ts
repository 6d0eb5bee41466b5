// Observations of economic series with their vintages, as the provider published and revised them.

import { columnsWithout, dataset, type Macro } from "../platform/lake/dataset.ts";

export const econObservations = dataset({
  name: "econ_observations",
  description:
    "Observations of economic series in levels: a new row when a value is first published, revised or withdrawn. observations_as_of(as_of) has one row per day.",
  columns: {
    series_id: {
      type: "VARCHAR",
      description: "The provider's series id in upper case, such as GDPC1.",
    },
    date: { type: "DATE", description: "First day of the period the observation covers." },
    value: {
      type: "DOUBLE",
      nullable: true,
      description:
        "Value as published, in the unit of the series; null where the provider marks it as missing.",
    },
    withdrawn: {
      type: "BOOLEAN",
      description:
        "The provider no longer publishes an observation for this day from known_at on; value is null.",
    },
    realtime_start: {
      type: "DATE",
      description:
        "First day (Chicago) for which the provider reported the row: the release date where all vintages were requested, otherwise the day of the fetch.",
    },
    realtime_end: {
      type: "DATE",
      nullable: true,
      description: "Last day of that period if it has ended; otherwise null.",
    },
    units: {
      type: "VARCHAR",
      description: "Always lin: levels as published. Transformed answers are not stored.",
    },
    known_at: {
      type: "TIMESTAMPTZ",
      description:
        "When it became known: the end of realtime_start in New York, since releases have no time of day, or the time of the fetch if that is earlier.",
    },
    fetched_at: { type: "TIMESTAMPTZ", description: "When this service fetched it." },
    source: { type: "VARCHAR", description: "fred." },
  },
  key: ["series_id", "date", "realtime_start", "fetched_at"],
  // By year of the fetch, so that a series of a hundred years is one file and old partitions stay compacted.
  partition: { by: "year", column: "fetched_at" },
  sort: ["series_id", "date", "known_at"],
  fill: "append",
  changes: { publicFrom: "known_at" },
});

export const observationsAsOf: Macro = {
  name: "observations_as_of",
  kind: "table",
  parameters: ["as_of := NULL"],
  description:
    "The newest stored vintage of each (series_id, date) known by as_of, without those withdrawn by then. realtime_start is the day from which the vintage is valid.",
  columns: columnsWithout(econObservations, "withdrawn"),
  body: () => `SELECT * EXCLUDE (withdrawn) FROM (SELECT * FROM econ_observations WHERE known_at <= known_by(as_of)
    QUALIFY row_number() OVER (PARTITION BY series_id, date
      ORDER BY known_at DESC, realtime_start DESC, fetched_at DESC) = 1)
    WHERE NOT withdrawn`,
};
