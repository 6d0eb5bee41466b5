// The economic-data routes and their documentation; each handler passes the request to its use case.
import { Elysia } from "elysia";
import { ECONDATA_CALLS_PER_DAY, ECONDATA_USAGE_DAYS } from "../../limits.ts";
import type { Answer } from "../../platform/answer.ts";
import { documented } from "../../platform/route-doc.ts";
import type { Caller } from "./proxy.ts";
import { ProxyAnswer, ProxyQuery, proxyEndpoint, UsageAnswer, UsageQuery } from "./schema.ts";

const tag = "econdata";

const proxyDoc = (endpoints: readonly string[]) =>
  documented({
    tag,
    summary: "Economic time series from FRED",
    description:
      "Passes the request on to FRED with FRED's own parameters and returns FRED's answer unchanged, with `_metadata` added. " +
      "Values are text there, and a missing value is a dot; in ndjson, csv, parquet and records they are numbers and null. Parameters not listed here are ignored, including `api_key` and `file_type`. " +
      `Answers are cached for 24 hours. At most ${ECONDATA_CALLS_PER_DAY} calls a day (in Chicago) are made to FRED, counting every attempt. When they are used up, or FRED ` +
      "cannot be asked, the service answers with an older copy (`stale_cache`, X-Stale), else with stored observations (`stored`, when the whole span is stored), else with 429 or the error. " +
      "The service stores observations permanently when the answer has all of them in levels for the present, or with every vintage up to the present (realtime_start in the past with realtime_end 9999-12-31): " +
      "`observations_as_of(as_of)` in the lake has them. Requires ECONDATA_API_KEY (503 not_configured); cached and stored answers are served without it.",
    answer: ProxyAnswer,
    answerDescription: "FRED's answer with _metadata.",
    errors: [
      400,
      "conflicting_time_selection",
      "invalid_date_range",
      401,
      403,
      "forbidden",
      "admin_not_configured",
      "unsupported_endpoint",
      "not_found",
      "daily_limit_reached",
      429,
      502,
      504,
      "not_configured",
    ],
    errorDescriptions: {
      400: "FRED refused the request (`detail` and `upstream_error_code` are FRED's), or as_of and the real-time period conflict.",
      404: "`unsupported_endpoint`: not an endpoint of the proxy; `not_found`: FRED has no such object.",
      429: "`daily_limit_reached`: no calls left today and no copy, `Retry-After` is midnight in Chicago; or FRED limits our rate.",
    },
    cached: true,
    tabular: true,
    rest: { name: "endpoint", schema: proxyEndpoint(endpoints) },
  });
const USAGE = documented({
  tag,
  summary: "Calls made to FRED today and on the last days",
  description:
    "The quota counts every outgoing attempt, including those of other processes with the same data folder. Days are Chicago days, as FRED counts them.",
  answer: UsageAnswer,
  answerDescription: "Quota, days and endpoints.",
});

export interface EconAnswers {
  proxy(path: string, query: ProxyQuery, caller: Caller): Promise<Answer<ProxyAnswer>>;
  usage(days: number, ofProxy: boolean): UsageAnswer;
}

/**
 * The rest of the path. Elysia gives none when the rest is an asterisk, because it mistakes that for the
 * pattern.
 */
const pathOf = (params: Readonly<Partial<Record<"*", string>>>): string => params["*"] ?? "";

/** The routes below /econdata. `callerOf` identifies the client of a request. */
export function econRoutes(
  answers: EconAnswers,
  endpoints: readonly string[],
  callerOf: (request: Request) => Caller,
) {
  return new Elysia({ name: "econdata", prefix: "/econdata" })
    .get(
      "/stats/usage",
      ({ query }) => answers.usage(query.days ?? ECONDATA_USAGE_DAYS, query.use_proxy_stats ?? true),
      { query: UsageQuery, detail: USAGE },
    )
    .get(
      "/proxy/*",
      ({ params, query, request }) => answers.proxy(pathOf(params), query, callerOf(request)),
      {
        query: ProxyQuery,
        detail: proxyDoc(endpoints),
      },
    );
}
