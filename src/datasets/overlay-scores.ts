// The overlay score of each ticker and day, with the inputs it is computed from.
import { dataset, type Macro, storedColumns } from "../platform/lake/dataset.ts";

const figure = (description: string, unit: string) =>
  ({ type: "DOUBLE", nullable: true, unit, description }) as const;
const part = (what: string) => figure(`${what}; null where it is missing.`, "points of 100");

export const overlayScores = dataset({
  name: "overlay_scores",
  description:
    "How much activity there is around a ticker on a day, 0 to 100. It is the weighted mean of the known ones of six parts, from data known by the end of that day in New York. overlay_scores_as_of(as_of) has the newest computation of each day.",
  columns: {
    date: { type: "DATE", description: "Session." },
    symbol: { type: "VARCHAR", description: "Symbol in its canonical spelling." },
    score: { type: "DOUBLE", unit: "points of 100", description: "Weighted mean of the known parts." },
    attention: part("50 + 50/3 * attention_z, within 0 and 100"),
    news: part("50 + 50/3 * news_z, within 0 and 100"),
    short_volume: part("50 + 50/3 * short_volume_z, within 0 and 100"),
    insider: part("50 + 50 * insider_bought_usd / 1000000, at most 100"),
    volume: part("50 + 25 * log2(relative_volume), within 0 and 100"),
    momentum: part("50 + 2.5 * return_5d_percent, within 0 and 100"),
    attention_z: figure(
      "Page views of the newest known day (at most four days before date) against the 20 days before it, in sample standard deviations; at least ten of them known.",
      "standard deviations",
    ),
    attention_date: { type: "DATE", nullable: true, description: "The UTC day of those page views." },
    news_z: figure(
      "Articles about the symbol that were fetched on date, their day of publication, against the days with any in the four weeks before; at least ten such days.",
      "standard deviations",
    ),
    short_volume_z: figure(
      "Short-volume ratio of the newest file known by the end of date (at most five days before it) against the 20 files before it; at least ten of them.",
      "standard deviations",
    ),
    short_volume_date: {
      type: "DATE",
      nullable: true,
      description:
        "Trade date of that file: usually the session before, because a day's file becomes known on the next session day.",
    },
    insider_bought_usd: figure(
      "Open-market purchases (code P) of insiders filed in the 30 days up to date; 0 where the company's insiders filed in the year before, but no purchase.",
      "USD",
    ),
    relative_volume: figure(
      "Shares traded in the session before date, the newest known by its end, against the mean of the 20 sessions before it. At least ten of them are known.",
      "ratio",
    ),
    return_5d_percent: figure(
      "Adjusted close of the session before date against that of five sessions earlier.",
      "percentage points",
    ),
    missing: { type: "VARCHAR", nullable: true, description: "Comma-separated parts that are unknown." },
    weight_present: {
      type: "DOUBLE",
      unit: "fraction",
      description: "Weight of the known parts as a fraction of all.",
    },
    weights: {
      type: "VARCHAR",
      description:
        "The weights as a JSON object; the weight of a missing part is distributed over the others in proportion.",
    },
    formula: { type: "VARCHAR", description: "Version of the formula." },
    known_at: { type: "TIMESTAMPTZ", description: "When it was computed." },
  },
  key: ["date", "symbol"],
  partition: { by: "year", column: "date" },
  sort: ["date", "symbol", "known_at"],
  fill: "append",
  changes: { computed: true },
});

export const overlayScoresAsOf: Macro = {
  name: "overlay_scores_as_of",
  kind: "table",
  parameters: ["as_of := NULL"],
  description: "Overlay scores as known by as_of: the newest computation of each (date, symbol).",
  columns: storedColumns(overlayScores),
  body: () => `SELECT * FROM overlay_scores WHERE known_at <= known_by(as_of)
    QUALIFY row_number() OVER (PARTITION BY date, symbol ORDER BY known_at DESC) = 1`,
};
