// The overlay routes and their documentation; each handler passes the request to its use case.
import { type AnyElysia, Elysia } from "elysia";
import { TickerPath } from "../../market/answer-fields.ts";
import { FormatQuery } from "../../market/params.ts";
import { documented } from "../../platform/route-doc.ts";
import type { OverlayAnswers } from "./answers.ts";
import {
  HealthAnswer,
  MoversAnswer,
  MoversQuery,
  ScoreAnswer,
  ScoreQuery,
  SeedAnswer,
  SeedRequest,
  TopicsAnswer,
} from "./schema.ts";

const tag = "overlay";

const FORMULA =
  "The score measures how much is going on around a ticker, not whether that is good. It is the mean of up to six parts, weighted by OVERLAY_WEIGHTS; parts that are not known are left out. " +
  "attention, news and short_volume: 50 + 50/3 × standard deviations from the mean of the preceding period. insider: 50 + 50 × purchases / 1,000,000 USD. " +
  "volume: 50 + 25 × log2(volume / mean of 20 sessions). momentum: 50 + 2.5 × return of five sessions in percentage points. Both end with the session before, since a bar is stored only after the next session opens. Each part is limited to 0–100. " +
  "A part is missing when too little is known or when its figure never varied; missing parts are listed, and their weight is spread over the others. " +
  "The score of a day uses only what could be known by the end of that day in New York: a short-volume file counts from the day of the next session, page views from their publication, prices from their fetch. " +
  "The same rows: `from overlay_scores_as_of(as_of)`, and the figures behind them: `from overlay_inputs(session, priced, priced_5, priced_20)`.";

const MOVERS = documented({
  tag,
  summary: "Tickers whose overlay score changed most",
  description: FORMULA,
  answer: MoversAnswer,
  answerDescription: "The movers.",
  errors: ["no_data"],
  tabular: true,
});

const SCORE = documented({
  tag,
  summary: "Overlay scores of a ticker by day",
  description: FORMULA,
  answer: ScoreAnswer,
  answerDescription: "The scores, newest first.",
  errors: ["no_data"],
  tabular: true,
});

const TOPICS = documented({
  tag,
  summary: "Topics that tickers belong to",
  description: "Themes with their keywords, encyclopedia articles and tickers, as they were seeded.",
  answer: TopicsAnswer,
  rows: "data",
  answerDescription: "The topics.",
});

const HEALTH = documented({
  tag,
  summary: "State of the overlay scores",
  description: "When scores were last computed, and which inputs are older than they should be.",
  answer: HealthAnswer,
  answerDescription: "The state.",
  errors: [401, 403],
});

const SEED = documented({
  tag,
  summary: "Create or replace topics",
  description:
    "Stores all topics of the request or none. A topic that already exists is replaced by the one in the request.",
  answer: SeedAnswer,
  answerDescription: "How many topics were created and updated.",
  errors: [400, 401, 403],
});

/** The routes below /overlay. `admin` guards the admin routes. */
export function overlayRoutes(answers: OverlayAnswers, admin: AnyElysia) {
  const guarded = new Elysia({ name: "overlay-admin" })
    .use(admin)
    .get("/admin/health", ({ request }) => answers.health(request.signal), { detail: HEALTH })
    .post("/admin/seed-topics", ({ body }) => answers.seed(body.topics, body.replace ?? false), {
      body: SeedRequest,
      detail: SEED,
    });
  return new Elysia({ name: "overlay", prefix: "/overlay" })
    .use(guarded)
    .get("/top-movers", ({ query, request }) => answers.movers(query, request.signal), {
      query: MoversQuery,
      detail: MOVERS,
    })
    .get("/topics", () => answers.topics(), { query: FormatQuery, detail: TOPICS })
    .get(
      "/score/:ticker",
      ({ params, query, request }) => answers.score(params.ticker, query.days, request.signal),
      { params: TickerPath, query: ScoreQuery, detail: SCORE },
    );
}
