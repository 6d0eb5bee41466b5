// The short-volume routes: each handler passes the request to its use case.
import { type AnyElysia, Elysia } from "elysia";
import type { ShortVolumeAnswers } from "./answers.ts";
import { BULK, DAY, INGEST, INGEST_STATE, INTEREST, PANEL, SERIES, STATUS, SUMMARY, TOP } from "./docs.ts";
import {
  BulkQuery,
  DatePath,
  DayQuery,
  IngestRequest,
  InterestQuery,
  JobPath,
  PanelQuery,
  SeriesQuery,
  SummaryQuery,
  SymbolPath,
  TopQuery,
} from "./schema.ts";

/** The routes below /shortvolume. `admin` guards the admin routes. */
export function shortVolumeRoutes(answers: ShortVolumeAnswers, admin: AnyElysia) {
  const guarded = new Elysia({ name: "shortvolume-admin" })
    .use(admin)
    .post("/admin/ingest", ({ body }) => answers.ingest(body), { body: IngestRequest, detail: INGEST })
    .get("/admin/ingest/:job_id", ({ params }) => answers.ingestState(params.job_id), {
      params: JobPath,
      detail: INGEST_STATE,
    });
  return new Elysia({ name: "shortvolume", prefix: "/shortvolume" })
    .use(guarded)
    .get("/status", () => answers.status(), { detail: STATUS })
    .get(
      "/pit-panel",
      ({ query, request }) =>
        answers.panel(query, new URL(request.url).searchParams.getAll("as_of").at(-1), request.signal),
      { query: PanelQuery, detail: PANEL },
    )
    .get("/top", ({ query, request }) => answers.top(query, request.signal), {
      query: TopQuery,
      detail: TOP,
    })
    .get("/bulk", ({ query, request }) => answers.bulk(query, request.signal), {
      query: BulkQuery,
      detail: BULK,
    })
    .get(
      "/by-date/:date",
      ({ params, query, request }) => answers.byDate(params.date, query, request.signal),
      { params: DatePath, query: DayQuery, detail: DAY },
    )
    .get(
      "/summary/:symbol",
      ({ params, query, request }) => answers.summary(params.symbol, query, request.signal),
      { params: SymbolPath, query: SummaryQuery, detail: SUMMARY },
    )
    .get(
      "/short-interest/:symbol",
      ({ params, query, request }) => answers.interest(params.symbol, query, request.signal),
      { params: SymbolPath, query: InterestQuery, detail: INTEREST },
    )
    .get("/:symbol", ({ params, query, request }) => answers.series(params.symbol, query, request.signal), {
      params: SymbolPath,
      query: SeriesQuery,
      detail: SERIES,
    });
}
