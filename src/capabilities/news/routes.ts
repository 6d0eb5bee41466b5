// The news routes: each handler only hands the request to its use case.
import { type AnyElysia, Elysia } from "elysia";
import type { NewsAnswers } from "./answers.ts";
import { BACKFILL, INGEST, NEWS, NEWS_PROVIDERS, TICKER_NEWS } from "./docs.ts";
import { IngestRequest, NewsQuery, TickerNewsQuery, TickerPath } from "./schema.ts";

/** The routes below /news. `admin` guards what is mounted below it. */
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
    .get("/providers", () => answers.providers(), { detail: NEWS_PROVIDERS })
    .get(
      "/:ticker",
      ({ params, query, request }) => answers.one(params.ticker.trim(), query, request.signal),
      { params: TickerPath, query: TickerNewsQuery, detail: TICKER_NEWS },
    );
}
