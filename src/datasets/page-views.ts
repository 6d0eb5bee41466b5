// Views of encyclopedia articles by day.

import { dataset, type Macro, storedColumns } from "../platform/lake/dataset.ts";

export const pageViews = dataset({
  name: "page_views",
  description:
    "Views of Wikipedia articles by UTC day, by people (agent type user) and all access methods. The provider counts redirects separately and they are not added. page_views_as_of(as_of) has one row per day.",
  columns: {
    project: { type: "VARCHAR", description: "en.wikipedia." },
    article: { type: "VARCHAR", description: "Title of the article, with spaces." },
    date: {
      type: "DATE",
      description: "UTC day; it begins at 20:00 (in winter 19:00) of the day before in New York.",
    },
    views: { type: "BIGINT", unit: "views", description: "Views on that day; 0 means none." },
    is_reported: {
      type: "BOOLEAN",
      description:
        "Whether the provider's answer has the number. It omits days without views: after the first view such a day is false and 0 once the next day is published.",
    },
    known_at: {
      type: "TIMESTAMPTZ",
      description:
        "When it became known: 48 hours after the end of the day, or its fetch where that was earlier. A later value is known from its fetch.",
    },
    fetched_at: { type: "TIMESTAMPTZ", description: "When this service fetched it." },
    source: { type: "VARCHAR", description: "wikimedia." },
  },
  key: ["article", "date"],
  partition: { by: "year", column: "date" },
  sort: ["article", "date", "known_at"],
  fill: "append",
  changes: { publicFrom: "known_at" },
});

export const pageViewsAsOf: Macro = {
  name: "page_views_as_of",
  kind: "table",
  parameters: ["as_of := NULL"],
  description: "The newest value of each (article, date) known by as_of.",
  columns: storedColumns(pageViews),
  body: () => `SELECT * FROM page_views WHERE known_at <= known_by(as_of)
    QUALIFY row_number() OVER (PARTITION BY article, date ORDER BY known_at DESC) = 1`,
};
