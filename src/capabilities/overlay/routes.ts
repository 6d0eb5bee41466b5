// The overlay routes; each handler passes the request to its use case.
import { type AnyElysia, Elysia } from "elysia";
import { TickerPath } from "../../market/answer-fields.ts";
import { FormatQuery } from "../../market/params.ts";
import type { OverlayAnswers } from "./answers.ts";
import { HEALTH, MOVERS, SCORE, SEED, TOPICS } from "./docs.ts";
import { MoversQuery, ScoreQuery, SeedRequest } from "./schema.ts";

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
