// How the overlay routes document themselves.
import { documented } from "../../platform/route-doc.ts";
import { HealthAnswer, MoversAnswer, ScoreAnswer, SeedAnswer, TopicsAnswer } from "./schema.ts";

const tag = "overlay";

const FORMULA =
  "The score says how much is going on around a ticker, not whether it is good: the mean of six parts, weighted by OVERLAY_WEIGHTS, of those that are known. " +
  "attention, news and short_volume: 50 + 50/3 × standard deviations from the mean of the time before. insider: 50 + 50 × purchases / 1,000,000 USD. " +
  "volume: 50 + 25 × log2(volume / mean of 20 sessions). momentum: 50 + 2.5 × return of five sessions in percent points; both up to the session before, since a bar is stored once the next session opened. Each stays within 0 and 100. " +
  "A part is missing where too little is known or nothing ever varied; it is listed, and its weight is spread over the others. " +
  "The score of a day uses only what could be known by the end of that day in New York: a file of short volume counts from the next session's day, page views from their publication, prices from their fetch. " +
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
  description: "Themes with the words, articles and tickers that belong to them, as they were seeded.",
  answer: TopicsAnswer,
  answerDescription: "The topics.",
});

export const HEALTH = documented({
  tag,
  summary: "State of the overlay scores",
  description: "When scores were last reckoned, and which inputs are older than they should be.",
  answer: HealthAnswer,
  answerDescription: "The state.",
  errors: [401, 403],
});

export const SEED = documented({
  tag,
  summary: "Take topics in",
  description: "All or none. A topic that is there already is replaced by the one of the request.",
  answer: SeedAnswer,
  answerDescription: "What changed.",
  errors: [400, 401, 403],
});
