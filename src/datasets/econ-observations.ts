// Observations of economic series with their vintages, as the provider published and revised them.

import { dataset, type Macro } from "../platform/lake/dataset.ts";

export const econObservations = dataset({
  name: "econ_observations",
  description:
    "Observations of economic series in levels, a row whenever a value first came, was revised or was withdrawn. observations_as_of(as_of) has one of each day.",
  columns: {
    series_id: {
      type: "VARCHAR",
      description: "The provider's id of the series, upper case, such as GDPC1.",
    },
    date: { type: "DATE", description: "First day of the period that the observation is of." },
    value: {
      type: "DOUBLE",
      nullable: true,
      description: "As published, in the series' own unit; null where the provider says that it is missing.",
    },
    withdrawn: {
      type: "BOOLEAN",
      description:
        "From known_at on the provider publishes no observation for this day any more; value is null.",
    },
    realtime_start: {
      type: "DATE",
      description:
        "First day of the provider's real-time period (Chicago) for which the row was reported: the day of the release where all vintages were asked for, else the day of the fetch.",
    },
    realtime_end: {
      type: "DATE",
      nullable: true,
      description: "Last day of that period where it had ended; null else.",
    },
    units: {
      type: "VARCHAR",
      description: "Always lin: levels as published. Transformed answers are not stored.",
    },
    known_at: {
      type: "TIMESTAMPTZ",
      description:
        "From when it was known: the end of realtime_start in New York, since releases have no time; the moment of the fetch where that came sooner.",
    },
    fetched_at: { type: "TIMESTAMPTZ", description: "When this service read it." },
    source: { type: "VARCHAR", description: "fred." },
  },
  key: ["series_id", "date", "realtime_start", "fetched_at"],
  // By the year of the fetch, so that a series of a hundred years is one file and what is old stays merged.
  partition: { by: "year", column: "fetched_at" },
  sort: ["series_id", "date", "known_at"],
  fill: "append",
});

export const observationsAsOf: Macro = {
  name: "observations_as_of",
  kind: "table",
  parameters: ["as_of := NULL"],
  description:
    "Of each (series_id, date) the newest vintage in store that was known by as_of; without those withdrawn by then. realtime_start says on which day it was in force.",
  body: () => `SELECT * EXCLUDE (withdrawn) FROM (SELECT * FROM econ_observations WHERE known_at <= known_by(as_of)
    QUALIFY row_number() OVER (PARTITION BY series_id, date
      ORDER BY known_at DESC, realtime_start DESC, fetched_at DESC) = 1)
    WHERE NOT withdrawn`,
};
