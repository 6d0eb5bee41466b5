// The attention routes; each handler passes the request to its use case.
import { type AnyElysia, Elysia, type Static } from "elysia";
import { TickerPath } from "../../market/answer-fields.ts";
import type { Answer } from "../../platform/answer.ts";
import type { AdminAnswers } from "./admin.ts";
import { COLLECT_NEWS, COLLECT_VIEWS, ENTITY, EVENT, OVERRIDE, RESOLVE } from "./docs.ts";
import {
  CollectNewsRequest,
  CollectViewsRequest,
  type EntityAnswer,
  EntityQuery,
  type EventAnswer,
  EventQuery,
  OverrideRequest,
  ResolveRequest,
} from "./schema.ts";

export interface AttentionAnswers extends AdminAnswers {
  event(
    ticker: string,
    query: Static<typeof EventQuery>,
    signal: AbortSignal,
  ): Promise<Answer<Static<typeof EventAnswer>>>;
  entity(ticker: string, asOf: string | undefined, signal: AbortSignal): Promise<Static<typeof EntityAnswer>>;
}

/** The routes below /attention. `admin` guards the admin routes. */
export function attentionRoutes(answers: AttentionAnswers, admin: AnyElysia) {
  const params = TickerPath;
  const guarded = new Elysia({ name: "attention-admin" })
    .use(admin)
    .post(
      "/admin/resolve/:ticker",
      ({ params, body, request }) => answers.resolve(params.ticker, body?.force ?? false, request.signal),
      { params, body: ResolveRequest, detail: RESOLVE },
    )
    .post(
      "/admin/collect/encyc/:ticker",
      ({ params, body, request }) => answers.collectViews(params.ticker, body ?? {}, request.signal),
      { params, body: CollectViewsRequest, detail: COLLECT_VIEWS },
    )
    .post(
      "/admin/collect/newsarchive/:ticker",
      ({ params, body, request }) => answers.collectNews(params.ticker, body ?? {}, request.signal),
      { params, body: CollectNewsRequest, detail: COLLECT_NEWS },
    )
    .post(
      "/admin/entity/:ticker/override",
      ({ params, body, request }) => answers.override(params.ticker, body, request.signal),
      { params, body: OverrideRequest, detail: OVERRIDE },
    );
  return new Elysia({ name: "attention", prefix: "/attention" })
    .use(guarded)
    .get(
      "/event/:ticker",
      ({ params, query, request }) => answers.event(params.ticker, query, request.signal),
      { params, query: EventQuery, detail: EVENT },
    )
    .get(
      "/entity/:ticker",
      ({ params, query, request }) => answers.entity(params.ticker, query.as_of, request.signal),
      { params, query: EntityQuery, detail: ENTITY },
    );
}
