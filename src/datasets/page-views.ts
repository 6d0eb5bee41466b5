// Views of encyclopedia articles by day.

import { dataset, type Macro } from "../platform/lake/dataset.ts";

export const pageViews = dataset({
  name: "page_views",
  description:
    "Views of Wikipedia articles by day of UTC, by people (agent type user), by all ways of access. Redirects are counted apart upstream and not added. page_views_as_of(as_of) has one row of each day.",
  columns: {
    project: { type: "VARCHAR", description: "en.wikipedia." },
    article: { type: "VARCHAR", description: "Title of the article, with blanks." },
    date: {
      type: "DATE",
      description: "Day of UTC: it begins at 20:00 (in winter 19:00) of the day before in New York.",
    },
    views: { type: "BIGINT", unit: "views", description: "Views of that day; 0 is none." },
    is_reported: {
      type: "BOOLEAN",
      description:
        "Whether the number stands in the answer. Days without views are left out of it: false, and 0, where such a day lies behind the article's first view and all articles' views of the day after are published.",
    },
    known_at: {
      type: "TIMESTAMPTZ",
      description:
        "When it was known: at the latest 48 hours after the day ended, by when counts are published; sooner where this service fetched it sooner. A later number: when it was fetched.",
    },
    fetched_at: { type: "TIMESTAMPTZ", description: "When this service fetched it." },
    source: { type: "VARCHAR", description: "wikimedia." },
  },
  key: ["article", "date"],
  partition: { by: "year", column: "date" },
  sort: ["article", "date", "known_at"],
  fill: "append",
});

export const pageViewsAsOf: Macro = {
  name: "page_views_as_of",
  kind: "table",
  parameters: ["as_of := NULL"],
  description: "Of each (article, date) the newest number known by as_of.",
  body: () => `SELECT * FROM page_views WHERE known_at <= known_by(as_of)
    QUALIFY row_number() OVER (PARTITION BY article, date ORDER BY known_at DESC) = 1`,
};
