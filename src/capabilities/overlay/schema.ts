// Queries, bodies and answers of the overlay routes: the check, the types and the documentation in one place.
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import {
  OVERLAY_DAYS_MAX,
  OVERLAY_MOVERS_MAX,
  OVERLAY_TOPICS_MAX,
  OVERLAY_WINDOW_MAX,
} from "../../limits.ts";
import { dateField, flag, formatField, oneOf, tickerField, wholeNumber } from "../../market/params.ts";
import { PARTS } from "./formula.ts";

const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);
const number = (description: string) => orNull(Type.Number({ description }));
const text = (description: string) => orNull(Type.String({ description }));
const instant = (description: string) => text(`${description} RFC 3339 UTC.`);
const format = Type.Optional({
  ...formatField,
  description:
    "Shape of the answer; ndjson, csv and parquet have one row a line. The Accept header does the same.",
});

export const TickerPath = Type.Object({ ticker: tickerField() });

export const MoversQuery = Type.Object({
  date: Type.Optional(dateField("Session; of a day without scores 404. Default: the newest with scores.")),
  direction: Type.Optional(
    oneOf(
      ["up", "down", "both"],
      "Only scores that rose, that fell, or all by the size of the change.",
      "both",
    ),
  ),
  window_days: Type.Optional(
    wholeNumber("How many days with scores back the change is counted from.", {
      minimum: 1,
      maximum: OVERLAY_WINDOW_MAX,
      default: 1,
    }),
  ),
  limit: Type.Optional(
    wholeNumber("Rows at most.", { minimum: 1, maximum: OVERLAY_MOVERS_MAX, default: 50 }),
  ),
  min_market_cap: Type.Optional(
    Type.Number({
      minimum: 0,
      examples: [1_000_000_000],
      description:
        "Only companies worth at least this, US dollars; those whose worth is not known are left out.",
    }),
  ),
  format,
});
export type MoversAsk = Omit<Static<typeof MoversQuery>, "format">;

export const ScoreQuery = Type.Object({
  days: Type.Optional(
    wholeNumber("Calendar days back from today.", { minimum: 1, maximum: OVERLAY_DAYS_MAX, default: 30 }),
  ),
  format,
});

const phrase = (description: string) => Type.String({ minLength: 1, maxLength: 200, description });
const phrases = (description: string, example: string) =>
  Type.Optional(Type.Array(phrase(description), { maxItems: 200, description, examples: [[example]] }));

export const SeedRequest = Type.Object({
  topics: Type.Optional(
    Type.Array(
      Type.Object({
        name: phrase("Name; in lower case with hyphens it is the topic_id, by which topics are told apart."),
        keywords: phrases("Words it is found by in news.", "machine learning"),
        tickers: phrases("Tickers that belong to it, in any common spelling.", "NVDA"),
        encyc_titles: phrases("Articles of the encyclopedia about it.", "Artificial intelligence"),
      }),
      {
        maxItems: OVERLAY_TOPICS_MAX,
        description: "Topics to take in. Default: a short list to begin with.",
        examples: [[{ name: "Nuclear energy", tickers: ["CEG", "CCJ"] }]],
      },
    ),
  ),
  replace: Type.Optional(flag("Remove the topics that are not in the request.")),
});

const points = (what: string) => number(`${what} Points of 100; null where not known.`);
const components = Type.Object(
  {
    attention: points("Page views against the 20 days before."),
    news: points("Articles of the day against the four weeks before."),
    short_volume: points(
      "Share of short sales in the shares reported off the exchanges, against the 20 files before.",
    ),
    insider: points("Open-market purchases of insiders, 30 days."),
    volume: points("Shares traded in the session before, against the 20 sessions before that."),
    momentum: points("Return of the five sessions up to the one before."),
  },
  { description: "The parts of the score, each 50 at its own normal and more where more goes on." },
);
const missing = Type.Array(oneOf(PARTS, "A part."), {
  description: "Parts that are not known; their weight is spread over the others in proportion.",
});
const weightPresent = Type.Number({ description: "Weight of the known parts among all, a fraction." });

const Mover = Type.Object({
  rank: Type.Integer({ description: "From 1." }),
  ticker: Type.String({ description: "Canonical." }),
  name: text("Name of the company; null where no list of this service has it."),
  score: Type.Number({ description: "Points of 100." }),
  previous_score: points("Score of the day it is compared with."),
  score_change: number("score less previous_score, points; null where that is not known."),
  components,
  missing,
  weight_present: weightPresent,
  market_cap: number("US dollars as known by the end of the day; null where not known."),
  topics: Type.Array(Type.String({ description: "topic_id." }), { description: "Topics it belongs to." }),
});

export const MoversAnswer = Type.Object({
  date: Type.String({ description: "Session of the scores, YYYY-MM-DD." }),
  previous_date: text("Day they are compared with, YYYY-MM-DD; null where none is stored."),
  count: Type.Integer({ description: "Rows in this answer." }),
  data: Type.Array(Mover, { description: "The greatest change first; rows without one last, by score." }),
});
export type MoversAnswer = Static<typeof MoversAnswer>;

const Scored = Type.Object({
  date: Type.String({ description: "Session, YYYY-MM-DD." }),
  score: Type.Number({ description: "Points of 100." }),
  components,
  missing,
  weight_present: weightPresent,
  figures: Type.Object(
    {
      attention_z: number("Page views, standard deviations from their mean."),
      attention_date: text("Day of UTC they are of, YYYY-MM-DD."),
      news_z: number("Articles, standard deviations from their mean."),
      short_volume_z: number("Short-volume ratio, standard deviations from its mean."),
      short_volume_date: text("Trade date of the file, YYYY-MM-DD."),
      insider_bought_usd: number("Insiders' open-market purchases filed in 30 days, US dollars."),
      relative_volume: number(
        "Shares traded in the session before over the mean of the 20 before it, a ratio.",
      ),
      return_5d_percent: number("Return of the five sessions up to the one before, percent points."),
    },
    { description: "What the parts are made of; null where not known." },
  ),
  formula: Type.String({ description: "Version of the formula." }),
  known_at: Type.String({ description: "When it was reckoned, RFC 3339 UTC." }),
});

export const ScoreAnswer = Type.Object({
  ticker: Type.String({ description: "As you sent it." }),
  count: Type.Integer({ description: "Rows in this answer." }),
  data: Type.Array(Scored, { description: "The newest day first." }),
});
export type ScoreAnswer = Static<typeof ScoreAnswer>;

export const TopicsAnswer = Type.Object({
  count: Type.Integer({ description: "Topics." }),
  data: Type.Array(
    Type.Object({
      topic_id: Type.String({ description: "Its name in lower case with hyphens." }),
      name: Type.String({ description: "Name." }),
      keywords: Type.Array(Type.String(), { description: "Words it is found by." }),
      encyc_titles: Type.Array(Type.String(), { description: "Articles about it." }),
      tickers: Type.Array(Type.String(), { description: "Canonical symbols that belong to it." }),
    }),
    { description: "By topic_id." },
  ),
});

export const HealthAnswer = Type.Object({
  status: oneOf(
    ["healthy", "degraded", "empty"],
    "healthy: the last closed session is scored from inputs that are up to date; degraded: it is not, or some are stale; empty: nothing was scored yet.",
  ),
  last_run_at: instant("When scores were last reckoned."),
  last_date: text("Session they are of, YYYY-MM-DD."),
  tickers_scored: Type.Integer({ description: "Tickers of that run." }),
  stale_inputs: Type.Array(
    Type.Object({
      input: Type.String({ description: "attention, news, short_volume, insider or bars." }),
      last_date: text("Newest day stored, YYYY-MM-DD; null without any."),
    }),
    { description: "Inputs that are older than they should be." },
  ),
  topics: Type.Integer({ description: "Topics." }),
  weights: Type.Object(
    Object.fromEntries(
      PARTS.map((part) => [part, Type.Number({ description: "Weight, its share against the others." })]),
    ),
    { description: "OVERLAY_WEIGHTS as it is set." },
  ),
  formula: Type.String({ description: "Version of the formula." }),
});

export const SeedAnswer = Type.Object({
  created: Type.Integer({ description: "Topics that are new." }),
  updated: Type.Integer({ description: "Topics that were there." }),
  total: Type.Integer({ description: "Topics there are now." }),
});
