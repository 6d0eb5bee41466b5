// How the economic-data routes document themselves.
import { ECONDATA_CALLS_PER_DAY } from "../../limits.ts";
import { documented } from "../../platform/route-doc.ts";
import { ProxyAnswer, proxyEndpoint, UsageAnswer } from "./schema.ts";

const tag = "econdata";

const METADATA = {
  endpoint: "series/observations",
  series_id: "FICGDP",
  source: "upstream",
  cached_at: "2026-09-09T21:00:00.000Z",
  expires_at: "2026-09-10T21:00:00.000Z",
  used_today: 12,
  remaining_today: 988,
  as_of: null,
  request_id: "3f6f5f0e-6f0b-4a63-9d3e-0a5b1f6f1c11",
};

const EXAMPLE = {
  realtime_start: "2026-09-09",
  realtime_end: "2026-09-09",
  observation_start: "2026-01-01",
  observation_end: "9999-12-31",
  units: "lin",
  output_type: 1,
  file_type: "json",
  order_by: "observation_date",
  sort_order: "asc",
  count: 2,
  offset: 0,
  limit: 100_000,
  observations: [
    { realtime_start: "2026-09-09", realtime_end: "2026-09-09", date: "2026-01-01", value: "21894.312" },
    { realtime_start: "2026-09-09", realtime_end: "2026-09-09", date: "2026-04-01", value: "." },
  ],
  _metadata: METADATA,
};

const proxy = (endpoints: readonly string[]) =>
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
    answerSays: "FRED's answer with _metadata.",
    example: EXAMPLE,
    errors: [400, 401, 403, 404, 429, 502, 504],
    cached: true,
    rest: { name: "endpoint", schema: proxyEndpoint(endpoints) },
  });
/** What these statuses are here. */
const SAYS = {
  400: "FRED refused in its own words (`detail`, `upstream_error_code`), or as_of and real-time period contradict.",
  404: "`unsupported_endpoint`: not one of the endpoints the proxy takes; `not_found`: FRED has no such thing.",
  429: "`daily_limit_reached`: no call left today and no copy, `Retry-After` is midnight in Chicago; or FRED limits our rate.",
} as const;

export function proxyDoc(endpoints: readonly string[]) {
  const detail = proxy(endpoints);
  for (const [status, description] of Object.entries(SAYS)) {
    const response = detail.responses[status];
    if (response && "description" in response) response.description = description;
  }
  return detail;
}

export const USAGE = documented({
  tag,
  summary: "Calls made of FRED today and on the last days",
  description:
    "The quota counts every attempt that goes out, also of other processes over the same data folder. Days are those of Chicago, where FRED counts.",
  answer: UsageAnswer,
  answerSays: "Quota, days and endpoints.",
  example: {
    success: true,
    data: {
      daily_limit: ECONDATA_CALLS_PER_DAY,
      used_today: 12,
      remaining_today: 988,
      usage_percentage: 1.2,
      can_make_requests: true,
      daily_stats: [
        {
          date: "2026-09-09",
          total_calls: 12,
          successful_calls: 11,
          total_records: 1480,
          success_rate: 91.67,
        },
      ],
      endpoint_stats: [{ endpoint: "series/observations", call_count: 12 }],
      proxy_info: { mode: "direct", supported_endpoints: ["series/observations"] },
    },
  },
});
