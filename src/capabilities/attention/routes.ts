// The attention routes and their documentation; each handler passes the request to its use case.
import { type AnyElysia, Elysia, type Static } from "elysia";
import { NEWS_ARCHIVE_DEADLINE_S } from "../../limits.ts";
import { TickerPath } from "../../market/answer-fields.ts";
import type { Answer } from "../../platform/answer.ts";
import { documented } from "../../platform/route-doc.ts";
import type { AdminAnswers } from "./admin.ts";
import {
  CollectNewsAnswer,
  CollectNewsRequest,
  CollectViewsAnswer,
  CollectViewsRequest,
  EntityAnswer,
  EntityQuery,
  EventAnswer,
  EventQuery,
  NEWS_SPAN_TEXT,
  OverrideRequest,
  ResolveRequest,
} from "./schema.ts";

const tag = "attention";
const admin = { tag, errors: [400, 401, 403, 404, "no_data", 429, 502, 504] as const };
/** Errors of routes that take a span of days. */
const DATES_ERRORS = ["conflicting_time_selection", "invalid_date_range"] as const;

const EVENT = documented({
  tag,
  summary: "Attention to a company around a day: page views and archived news",
  description:
    "Views of the company's Wikipedia article on the day compared with the days before, and the archived news. " +
    "Views are counted by UTC days, while event_date is a New York day: the UTC day of that date ends at 20:00 (19:00 in winter) in New York, so news after the close falls partly into the next UTC day. Nothing after event_date is used. " +
    "When no article is known for the company, it is searched; missing page views are collected. The news archive is NEVER asked: newsarchive_status states whether its news were collected before. " +
    "Page views are cached for an hour when complete, else for five minutes. Eight requests are answered at once; a request that waits longer than ten seconds gets 503 slot_busy.",
  answer: EventAnswer,
  answerDescription: "The features, the views and the news.",
  errors: [400, 404, 429, 502, 504, "slot_busy"],
  cached: true,
});

const ENTITY = documented({
  tag,
  summary: "The encyclopedia article of a company",
  description:
    "The article as last found or set by hand, with the candidates that were considered. Every result is stored, so as_of answers with the article of that time. 404 no_data when no search was made yet.",
  answer: EntityAnswer,
  answerDescription: "The article.",
  errors: [404, "no_data"],
});

const RESOLVE = documented({
  ...admin,
  summary: "Search a company's article",
  description:
    "Searches by CIK in Wikidata, then by ticker in Wikidata, then by full text, and scores articles by how similar the names are. “X v. Y” titles and disambiguation pages score 0.05, lists 0.1. An article set by hand stays, unless force is true.",
  answer: EntityAnswer,
  answerDescription: "The article, with the candidates.",
});

const COLLECT_VIEWS = documented({
  ...admin,
  summary: "Collect page views of a company's article",
  description:
    "For the given dates, or for a number of days up to yesterday. Page views begin on 2015-07-01.",
  answer: CollectViewsAnswer,
  answerDescription: "The days whose views are known now.",
  errors: [...admin.errors, ...DATES_ERRORS],
});

const COLLECT_NEWS = documented({
  ...admin,
  summary: "Collect archived news of a company",
  description:
    `Articles in English that name the company, and their share of all news. ${NEWS_SPAN_TEXT} ` +
    "Meant for the scheduler and for a few companies: the archive accepts one request in ten seconds, and blocks an address for tens of minutes. After a refusal the service waits 30, 60 and 120 s; after the next refusal it does not ask the archive for half an hour (429 with retry_after), even after a restart. 409 already_running while the daily run is in progress.",
  answer: CollectNewsAnswer,
  answerDescription: "What was collected.",
  errors: [...admin.errors, ...DATES_ERRORS, 409],
  deadlineS: NEWS_ARCHIVE_DEADLINE_S,
});

const OVERRIDE = documented({
  ...admin,
  summary: "Set a company's article by hand",
  description:
    "The article stays until it is set again or searched with force. 400 when the article does not exist or is a disambiguation page. Page views collected for another article stay stored under that article's title.",
  answer: EntityAnswer,
  answerDescription: "The article as set.",
});

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
