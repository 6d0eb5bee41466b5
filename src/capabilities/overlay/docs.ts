// How the overlay routes document themselves.
import { documented } from "../../platform/route-doc.ts";
import { HealthAnswer, MoversAnswer, ScoreAnswer, SeedAnswer, TopicsAnswer } from "./schema.ts";

const tag = "overlay";

const FORMULA =
  "The score measures how much is going on around a ticker, not whether that is good. It is the mean of up to six parts, weighted by OVERLAY_WEIGHTS; parts that are not known are left out. " +
  "attention, news and short_volume: 50 + 50/3 × standard deviations from the mean of the preceding period. insider: 50 + 50 × purchases / 1,000,000 USD. " +
  "volume: 50 + 25 × log2(volume / mean of 20 sessions). momentum: 50 + 2.5 × return of five sessions in percentage points. Both end with the session before, since a bar is stored only after the next session opens. Each part is limited to 0–100. " +
  "A part is missing when too little is known or when its figure never varied; missing parts are listed, and their weight is spread over the others. " +
  "The score of a day uses only what could be known by the end of that day in New York: a short-volume file counts from the day of the next session, page views from their publication, prices from their fetch. " +
  "The same rows: `from overlay_scores_as_of(as_of)`, and the figures behind them: `from overlay_inputs(session, priced, priced_5, priced_20)`.";

export const MOVERS = documented({
  tag,
  summary: "Tickers whose overlay score changed most",
  description: FORMULA,
  answer: MoversAnswer,
  answerDescription: "The movers.",
  errors: ["no_data"],
  tabular: true,
});

export const SCORE = documented({
  tag,
  summary: "Overlay scores of a ticker by day",
  description: FORMULA,
  answer: ScoreAnswer,
  answerDescription: "The scores, newest first.",
  errors: ["no_data"],
  tabular: true,
});

export const TOPICS = documented({
  tag,
  summary: "Topics that tickers belong to",
  description: "Themes with their keywords, encyclopedia articles and tickers, as they were seeded.",
  answer: TopicsAnswer,
  rows: "data",
  answerDescription: "The topics.",
});

export const HEALTH = documented({
  tag,
  summary: "State of the overlay scores",
  description: "When scores were last computed, and which inputs are older than they should be.",
  answer: HealthAnswer,
  answerDescription: "The state.",
  errors: [401, 403],
});

export const SEED = documented({
  tag,
  summary: "Create or replace topics",
  description:
    "Stores all topics of the request or none. A topic that already exists is replaced by the one in the request.",
  answer: SeedAnswer,
  answerDescription: "How many topics were created and updated.",
  errors: [400, 401, 403],
});
