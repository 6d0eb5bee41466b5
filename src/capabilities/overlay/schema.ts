// Queries, bodies and answers of the overlay routes: validation, types and documentation in one place.

import { type Static, Type } from "@sinclair/typebox";
import {
  OVERLAY_DAYS_MAX,
  OVERLAY_MOVERS_MAX,
  OVERLAY_TOPICS_MAX,
  OVERLAY_WINDOW_MAX,
} from "../../limits.ts";
import { absenceWarnings } from "../../market/absence.ts";
import { numberOrNull, textOrNull } from "../../market/answer-fields.ts";
import { countField, dateField, flag, formatField, oneOf } from "../../market/params.ts";
import { PARTS } from "./formula.ts";

const format = formatField(
  "Format of the answer; ndjson, csv, parquet and records have one row per line. The Accept header works too.",
);

export const MoversQuery = Type.Object({
  date: Type.Optional(dateField("Session; 404 when it has no scores. Default: the newest one with scores.")),
  direction: Type.Optional(
    oneOf(
      ["up", "down", "both"],
      "up: only scores that rose; down: only scores that fell; both: all, ordered by the size of the change.",
      "both",
    ),
  ),
  window_days: countField("How many scored days back the change is measured from.", OVERLAY_WINDOW_MAX, 1),
  limit: countField("Maximum number of rows.", OVERLAY_MOVERS_MAX, 50),
  min_market_cap: Type.Optional(
    Type.Number({
      minimum: 0,
      examples: [1_000_000_000],
      description:
        "Only companies with at least this market capitalization, US dollars; companies whose market capitalization is unknown are left out.",
    }),
  ),
  format,
});
export type MoversRequest = Omit<Static<typeof MoversQuery>, "format">;

export const ScoreQuery = Type.Object({
  days: countField("Calendar days back from today.", OVERLAY_DAYS_MAX, 30),
  format,
});

const phrase = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });
const phrases = (description: string, example: string) =>
  Type.Optional(Type.Array(phrase(description), { maxItems: 200, description, examples: [[example]] }));

export const SeedRequest = Type.Object({
  topics: Type.Optional(
    Type.Array(
      Type.Object({
        name: phrase("Name; in lower case with hyphens it becomes the topic_id, which identifies the topic."),
        keywords: phrases("Words that identify the topic in news.", "machine learning"),
        tickers: phrases("Tickers that belong to the topic, in any common spelling.", "NVDA"),
        encyc_titles: phrases("Wikipedia articles about the topic.", "Artificial intelligence"),
      }),
      {
        maxItems: OVERLAY_TOPICS_MAX,
        description: "Topics to store. Default: a short built-in list to start with.",
        examples: [[{ name: "Nuclear energy", tickers: ["CEG", "CCJ"] }]],
      },
    ),
  ),
  replace: Type.Optional(flag("Remove the topics that are not in the request.")),
});

const pointsOrNull = (what: string) => numberOrNull(`${what} 0 to 100 points; null when unknown.`);
const components = Type.Object(
  {
    attention: pointsOrNull("Page views compared with the 20 days before."),
    news: pointsOrNull("Articles of the day compared with the four weeks before."),
    short_volume: pointsOrNull(
      "Short sales as a share of the volume reported off exchange, compared with the 20 files before.",
    ),
    insider: pointsOrNull("Open-market purchases by insiders over 30 days."),
    volume: pointsOrNull("Shares traded in the session before, compared with the 20 sessions before that."),
    momentum: pointsOrNull("Return of the five sessions up to the one before."),
  },
  { description: "The parts of the score, each 50 at its own average and higher with more activity." },
);
const missing = Type.Array(oneOf(PARTS, "A part."), {
  description: "Parts that are not known; their weight is spread proportionally over the others.",
});
const weightPresent = Type.Number({ description: "Weight of the known parts as a fraction of all weights." });

const Mover = Type.Object({
  rank: Type.Integer({ description: "From 1." }),
  ticker: Type.String({ description: "Canonical symbol." }),
  name: textOrNull("Name of the company; null when no stored list has it."),
  score: Type.Number({ description: "0 to 100 points." }),
  previous_score: pointsOrNull("Score on previous_date."),
  score_change: numberOrNull("score minus previous_score, points; null when previous_score is unknown."),
  components,
  missing,
  weight_present: weightPresent,
  market_cap: numberOrNull("US dollars, as known by the end of the day; null when unknown."),
  topics: Type.Array(Type.String({ description: "topic_id." }), {
    description: "Topics that the ticker belongs to.",
  }),
});

export const MoversAnswer = Type.Object({
  date: Type.String({ description: "Session of the scores, YYYY-MM-DD." }),
  previous_date: textOrNull("Day the scores are compared with, YYYY-MM-DD; null when none is stored."),
  count: Type.Integer({ description: "Rows in this answer." }),
  total: Type.Integer({ description: "Tickers that match, including those that limit cuts off." }),
  data: Type.Array(Mover, { description: "Largest change first; rows without a change last, by score." }),
});
export type MoversAnswer = Static<typeof MoversAnswer>;

const Scored = Type.Object({
  date: Type.String({ description: "Session, YYYY-MM-DD." }),
  score: Type.Number({ description: "0 to 100 points." }),
  components,
  missing,
  weight_present: weightPresent,
  figures: Type.Object(
    {
      attention_z: numberOrNull("Page views, standard deviations from their mean."),
      attention_date: textOrNull("UTC day of the page views, YYYY-MM-DD."),
      news_z: numberOrNull("Articles, standard deviations from their mean."),
      short_volume_z: numberOrNull("Short-volume ratio, standard deviations from its mean."),
      short_volume_date: textOrNull("Trade date of the short-volume file, YYYY-MM-DD."),
      insider_bought_usd: numberOrNull("Open-market purchases by insiders filed within 30 days, US dollars."),
      relative_volume: numberOrNull(
        "Shares traded in the session before, divided by the mean of the 20 sessions before that.",
      ),
      return_5d_percent: numberOrNull("Return of the five sessions up to the one before, percent."),
    },
    { description: "The figures that the parts are computed from; null when unknown." },
  ),
  formula: Type.String({ description: "Version of the formula." }),
  known_at: Type.String({ description: "When the score was computed, RFC 3339 UTC." }),
});

export const ScoreAnswer = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  count: Type.Integer({ description: "Rows in this answer." }),
  data: Type.Array(Scored, { description: "Newest day first." }),
});
export type ScoreAnswer = Static<typeof ScoreAnswer>;

export const TopicsAnswer = Type.Object({
  count: Type.Integer({ description: "Number of topics." }),
  warnings: absenceWarnings,
  data: Type.Array(
    Type.Object({
      topic_id: Type.String({ description: "The name in lower case with hyphens." }),
      name: Type.String({ description: "Name." }),
      keywords: Type.Array(Type.String(), { description: "Words that identify the topic in news." }),
      encyc_titles: Type.Array(Type.String(), { description: "Wikipedia articles about the topic." }),
      tickers: Type.Array(Type.String(), { description: "Canonical symbols that belong to the topic." }),
    }),
    { description: "Ordered by topic_id." },
  ),
});

export const HealthAnswer = Type.Object({
  status: oneOf(
    ["healthy", "degraded", "empty"],
    "healthy: the last closed session is scored and all inputs are up to date; degraded: it is not scored, or some inputs are stale; empty: nothing has been scored yet.",
  ),
  last_run_at: textOrNull("When scores were last computed. RFC 3339 UTC."),
  last_date: textOrNull("Session of those scores, YYYY-MM-DD."),
  tickers_scored: Type.Integer({ description: "Tickers scored in that run." }),
  stale_inputs: Type.Array(
    Type.Object({
      input: Type.String({ description: "attention, news, short_volume, insider or bars." }),
      last_date: textOrNull("Newest stored day, YYYY-MM-DD; null when nothing is stored."),
    }),
    { description: "Inputs that are older than they should be." },
  ),
  topics: Type.Integer({ description: "Number of topics." }),
  weights: Type.Object(
    Object.fromEntries(
      PARTS.map((part) => [
        part,
        Type.Number({
          description: "Weight of the part; its share is this number divided by the sum of all weights.",
        }),
      ]),
    ),
    { description: "OVERLAY_WEIGHTS as configured." },
  ),
  formula: Type.String({ description: "Version of the formula." }),
});

export const SeedAnswer = Type.Object({
  created: Type.Integer({ description: "Topics that are new." }),
  updated: Type.Integer({ description: "Topics that already existed." }),
  total: Type.Integer({ description: "Topics stored now." }),
});
