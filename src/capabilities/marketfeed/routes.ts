// The brokerage-feed routes.
import { Elysia } from "elysia";
import { Answer } from "../../platform/answer.ts";
import type { MarketfeedAnswers } from "./answers.ts";
import { BACKFILL, BACKFILL_LATEST, BACKFILL_STATUS, INTRADAY, SNAPSHOT, STATUS, TODAY } from "./docs.ts";
import { BackfillRequest, IntradayQuery, JobPath, SnapshotQuery, TodayQuery } from "./schema.ts";

/** The routes below /marketfeed; the admin ones require `admin`. */
export function marketfeedRoutes(answers: MarketfeedAnswers, admin: Elysia) {
  const administration = new Elysia({ name: "marketfeed-admin", prefix: "/admin/backfill-pit" })
    .use(admin)
    .post(
      "",
      async ({ body }) => {
        const begun = await answers.backfill(body);
        return new Answer(() => begun, { status: 202 });
      },
      { body: BackfillRequest, detail: BACKFILL },
    )
    .get("/latest", () => answers.latest(), { detail: BACKFILL_LATEST })
    .get("/:job_id", ({ params }) => answers.progress(params.job_id), {
      params: JobPath,
      detail: BACKFILL_STATUS,
    });
  return new Elysia({ name: "marketfeed", prefix: "/marketfeed" })
    .get("/status", ({ request }) => answers.status(request.signal), { detail: STATUS })
    .get("/intraday", ({ query, request }) => answers.intraday(query, request.signal), {
      query: IntradayQuery,
      detail: INTRADAY,
    })
    .get("/intraday/today", ({ query, request }) => answers.today(query, request.signal), {
      query: TodayQuery,
      detail: TODAY,
    })
    .get("/snapshot", ({ query, request }) => answers.snapshot(query, request.signal), {
      query: SnapshotQuery,
      detail: SNAPSHOT,
    })
    .use(administration);
}
