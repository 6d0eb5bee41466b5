// The news routes; each handler passes the request to its use case.
import { type AnyElysia, Elysia } from "elysia";
import { TickerPath } from "../../market/answer-fields.ts";
import { FormatQuery } from "../../market/params.ts";
import type { NewsAnswers } from "./answers.ts";
import { BACKFILL, INGEST, NEWS, NEWS_PROVIDERS, TICKER_NEWS } from "./docs.ts";
import { IngestRequest, NewsQuery, TickerNewsQuery } from "./schema.ts";

/** The routes below /news. `admin` guards the admin routes. */
export function newsRoutes(answers: NewsAnswers, admin: AnyElysia) {
  const guarded = new Elysia({ name: "news-admin" })
    .use(admin)
    .post("/admin/ingest", ({ body }) => answers.ingest(body), { body: IngestRequest, detail: INGEST })
    .post("/admin/backfill", ({ body }) => answers.backfill(body), { body: IngestRequest, detail: BACKFILL });
  return new Elysia({ name: "news", prefix: "/news" })
    .use(guarded)
    .get("", ({ query, request }) => answers.many(query, request.signal), {
      query: NewsQuery,
      detail: NEWS,
    })
    .get("/providers", () => answers.providers(), {
      query: FormatQuery,
      detail: NEWS_PROVIDERS,
    })
    .get(
      "/:ticker",
      ({ params, query, request }) => answers.one(params.ticker.trim(), query, request.signal),
      { params: TickerPath, query: TickerNewsQuery, detail: TICKER_NEWS },
    );
}
