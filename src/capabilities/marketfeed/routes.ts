// The brokerage-feed routes and their documentation.
import { Elysia } from "elysia";
import { MARKETFEED_DEADLINE_S } from "../../limits.ts";
import { Answer } from "../../platform/answer.ts";
import { documented } from "../../platform/route-doc.ts";
import type { MarketfeedAnswers } from "./answers.ts";
import {
  BackfillAccepted,
  BackfillRequest,
  BackfillStatus,
  IntradayQuery,
  JobPath,
  MultiBars,
  SnapshotAnswer,
  SnapshotQuery,
  StatusAnswer,
  TodayQuery,
} from "./schema.ts";

const tag = "marketfeed";
const KEYS =
  "Requires MARKETFEED_API_KEY and MARKETFEED_SECRET_KEY on the server; without them the answer is 503 not_configured, naming what is missing.";
const BAD =
  "A symbol the feed does not know is listed in `errors`; the others are answered. When the feed fails for every symbol the answer is 502 (possibly too many symbols: try fewer than 100), 504 after 120 s, 429 when all slots stay taken for 10 s.";

const STATUS = documented({
  tag,
  summary: "Status of the brokerage feed",
  description:
    "Requests one snapshot from the feed when the last one is older than a minute. Answers without keys, too: then `configured` is false.",
  answer: StatusAnswer,
  answerDescription: "Whether the feed is set up and answers, the exchange's hours, and what is stored.",
});

const INTRADAY = documented({
  tag,
  summary: "Intraday bars of finished sessions from the consolidated feed",
  description: `All exchanges, as printed (no adjustment). Finished sessions are stored once their late trading is over and then never requested again; days without any bar are requested again after 24 hours. end_date may be today only after 16:00 in New York, on a half day after its close at 13:00; until 16 minutes after late trading the day's newest bars are 15 minutes late and none of them is stored. Any other end_date from today on is 400 end_date_not_allowed; the running day is at /api/v1/marketfeed/intraday/today. ${BAD} ${KEYS}`,
  answer: MultiBars,
  answerDescription: "Bars by symbol; every requested symbol has a key.",
  errors: [
    "end_date_not_allowed",
    "invalid_date_range",
    "no_tickers",
    400,
    "slot_wait_timeout",
    429,
    502,
    504,
    "not_configured",
  ],
  tabular: true,
  cached: true,
  deadlineS: MARKETFEED_DEADLINE_S,
});

const TODAY = documented({
  tag,
  summary: "Intraday bars of the running day from the single-exchange feed",
  description: `Always live, never stored. One exchange with 2 to 5 % of all volume: prices are at market level, volumes are low. Empty on days without a session. ${BAD} ${KEYS}`,
  answer: MultiBars,
  answerDescription: "Bars by symbol; every requested symbol has a key.",
  errors: ["no_tickers", 400, "slot_wait_timeout", 429, 502, 504, "not_configured"],
  tabular: true,
  deadlineS: MARKETFEED_DEADLINE_S,
});

const SNAPSHOT = documented({
  tag,
  summary: "Newest trade, quote and day of up to 1000 symbols",
  description: `Live from the single-exchange feed, never stored. \`change\` is against the last close before the session of the trade. The answer for one symbol has the same shape as for many. ${KEYS}`,
  answer: SnapshotAnswer,
  tabular: true,
  answerDescription: "A snapshot by symbol as you sent it.",
  errors: ["no_tickers", 400, 429, 502, 504, "not_configured"],
  deadlineS: MARKETFEED_DEADLINE_S,
});

const BACKFILL = documented({
  tag,
  summary: "Fill the panel's daily bars from the feed",
  description: `Starts a backfill in the background: it fills the bars the panel reads with split-adjusted bars and fully adjusted closes of every symbol of the short-volume files, as traded then, delisted ones included. A symbol that two companies held one after the other has the bars of each. Stored bars are not requested again, so POST the same request to resume an interrupted backfill. One at a time: 409 names the running one. ${KEYS}`,
  answer: BackfillAccepted,
  answerDescription: "It has started; GET the job for its progress.",
  errors: ["invalid_date_range", 401, 403, "no_data", 409, "not_configured"],
  successStatus: 202,
});

const status = {
  tag,
  answer: BackfillStatus,
  answerDescription: "Its progress, and what could not be filled.",
  errors: [401, 403, "not_found"] as const,
};
const BACKFILL_STATUS = documented({
  ...status,
  summary: "Progress of a backfill",
  description: "404 when no backfill has the id.",
});
const BACKFILL_LATEST = documented({
  ...status,
  summary: "Progress of the newest backfill",
  description: "404 before the first backfill.",
});

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
