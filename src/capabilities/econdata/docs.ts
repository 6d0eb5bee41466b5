// How the economic-data routes document themselves.
import { ECONDATA_CALLS_PER_DAY } from "../../limits.ts";
import { documented } from "../../platform/route-doc.ts";
import { ProxyAnswer, proxyEndpoint, UsageAnswer } from "./schema.ts";

const tag = "econdata";

export const proxyDoc = (endpoints: readonly string[]) =>
  documented({
    tag,
    summary: "Economic time series, as FRED has them",
    description:
      "Passes the request on to FRED with its own parameters and returns its answer as it came, with `_metadata` beside it. " +
      "Values are text there and a missing one is a dot. Parameters not named here are ignored, `api_key` and `file_type` too. " +
      `Answers are good for 24 hours; ${ECONDATA_CALLS_PER_DAY} calls a day, in Chicago, are made of FRED, each attempt counted. When they are used up, or FRED ` +
      "cannot be asked, an older copy is served (`stale_cache`, X-Stale), else observations from those kept for good (`stored`, when all of the span is there), else 429 or the error. " +
      "A request of which every observation in levels comes back for the present, or with every vintage up to the present (realtime_start in the past with realtime_end 9999-12-31), is kept for good: " +
      "`observations_as_of(as_of)` in the lake has it. Needs ECONDATA_API_KEY (503 not_configured); what was remembered or stored is served without it.",
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
      400: "FRED refused in its own words (`detail`, `upstream_error_code`), or as_of and real-time period contradict.",
      404: "`unsupported_endpoint`: not one of the endpoints the proxy takes; `not_found`: FRED has no such thing.",
      429: "`daily_limit_reached`: no call left today and no copy, `Retry-After` is midnight in Chicago; or FRED limits our rate.",
    },
    cached: true,
    rest: { name: "endpoint", schema: proxyEndpoint(endpoints) },
  });
export const USAGE = documented({
  tag,
  summary: "Calls made of FRED today and on the last days",
  description:
    "The quota counts every attempt that goes out, also of other processes over the same data folder. Days are those of Chicago, where FRED counts.",
  answer: UsageAnswer,
  answerDescription: "Quota, days and endpoints.",
});
