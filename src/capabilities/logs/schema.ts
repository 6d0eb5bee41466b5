// Queries and answers of the log routes.

import { type Static, Type } from "@sinclair/typebox";
import { LOG_ROWS_MAX } from "../../limits.ts";
import { absenceWarnings } from "../../market/absence.ts";
import { integerOrNull, listFields, textOrNull } from "../../market/answer-fields.ts";
import { countField, formatField, momentField, oneOf, skipField, wholeNumber } from "../../market/params.ts";

const text = (description: string, example: string) =>
  Type.String({ description, maxLength: 1_000, examples: [example] });
const moment = (description: string, ofDate: string) =>
  Type.Unsafe<string>({
    ...momentField(""),
    description: `${description}: ISO 8601; without a zone it is New York time, and a date alone is its ${ofDate} there.`,
  });
const REQUEST_ID = "0198f3a2-6f1e-4d0a-9c57-2b1d6a7e4c10";
const status = (description: string, example: number) =>
  wholeNumber(description, { minimum: 100, maximum: 599, examples: [example] });
const paging = {
  limit: countField("Maximum number of rows.", LOG_ROWS_MAX, 100),
  offset: skipField("Number of rows to skip.", 10_000_000),
  format: formatField(),
};

export const RequestsQuery = Type.Object({
  status_code: Type.Optional(status("Exactly this status.", 429)),
  min_status_code: Type.Optional(status("This status or above; 500 without a maximum means 500–599.", 500)),
  max_status_code: Type.Optional(status("This status or below.", 599)),
  method: Type.Optional(oneOf(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"], "HTTP method.")),
  path: Type.Optional(text("Start of the path.", "/api/v1/price")),
  request_id: Type.Optional(text("The X-Request-ID of the answer.", REQUEST_ID)),
  start: Type.Optional(moment("Requests from this time on", "start")),
  end: Type.Optional(moment("Requests up to this time", "end")),
  min_duration_ms: Type.Optional(
    wholeNumber("Minimum duration, milliseconds.", { minimum: 0, maximum: 86_400_000, examples: [1_000] }),
  ),
  ...paging,
});

const RequestRow = Type.Object({
  id: Type.Integer({ description: "Id of the row, ascending." }),
  request_id: Type.String({ description: "The X-Request-ID of the answer." }),
  timestamp: Type.String({ description: "When the request arrived, RFC 3339 UTC." }),
  method: Type.String({ description: "HTTP method." }),
  path: Type.String({ description: "Path of the request, without its query." }),
  query: textOrNull("Query string as sent, without secrets."),
  status_code: Type.Integer({ description: "HTTP status; 499: the client disconnected before the answer." }),
  duration_ms: Type.Integer({ description: "Time until the answer began, milliseconds." }),
  client_ip: textOrNull("Address of the client."),
  user_agent: textOrNull("User-Agent of the client, as sent."),
  cache: textOrNull("X-Cache of the answer."),
  error_code: textOrNull("Code of the problem that the request ended with; null on success."),
});

const listOf = <T extends typeof RequestRow | typeof ErrorRow>(row: T) =>
  Type.Object({
    ...listFields,
    warnings: absenceWarnings,
    data: Type.Array(row, { description: "Newest first." }),
  });

export const StatsQuery = Type.Object({
  hours: countField("Hours back from now.", 168, 24),
});

export const RequestStats = Type.Object({
  hours: Type.Integer({ description: "Hours back from now." }),
  total: Type.Integer({ description: "Requests counted." }),
  truncated: Type.Boolean({
    description: "Whether there were more: only the newest 200,000 requests are counted.",
  }),
  by_status: Type.Record(Type.String(), Type.Integer({ description: "Requests." }), {
    description: "Requests by status code.",
  }),
  by_path: Type.Array(
    Type.Object({
      path: Type.String({ description: "Path as requested, without its query." }),
      count: Type.Integer({ description: "Requests." }),
      avg_ms: Type.Number({ description: "Mean response time, milliseconds." }),
      p95_ms: Type.Number({ description: "95th percentile of the response time, milliseconds." }),
      error_rate: Type.Number({ description: "Fraction of requests with status 500 or above." }),
    }),
    { description: "The 100 most requested paths." },
  ),
});

export const ErrorsQuery = Type.Object({
  level: Type.Optional(oneOf(["warn", "error"], "warn: an expected failure; error: an unexpected one.")),
  source: Type.Optional(
    text("request, job, upstream, service or the capability that reported it.", "upstream"),
  ),
  error_code: Type.Optional(text("Stable error code.", "upstream_error")),
  request_id: Type.Optional(text("The X-Request-ID of the answer.", REQUEST_ID)),
  ticker: Type.Optional(text("The ticker that the error is about, as the client sent it.", "AAPL")),
  start: Type.Optional(moment("Errors from this time on", "start")),
  end: Type.Optional(moment("Errors up to this time", "end")),
  ...paging,
});

export const ErrorRow = Type.Object({
  id: Type.Integer({ description: "Id of the row, ascending." }),
  timestamp: Type.String({ description: "RFC 3339 UTC." }),
  level: Type.String({ description: "warn: an expected failure; error: an unexpected one." }),
  source: Type.String({ description: "request, job, upstream, service or the capability that reported it." }),
  error_code: textOrNull("Stable code, such as upstream_error."),
  message: Type.String({ description: "What went wrong, in plain text." }),
  path: textOrNull("Path of the request; null when there was none."),
  request_id: textOrNull("The X-Request-ID of the answer; null when there was no request."),
  ticker: textOrNull("The ticker that the error is about, as the client sent it."),
  upstream: textOrNull("The provider."),
  upstream_status: integerOrNull("HTTP status of the provider."),
  stack: Type.Optional(textOrNull("Stack trace; only the admin gets it.")),
});
export type ErrorRow = Static<typeof ErrorRow>;

export const ErrorPath = Type.Object({
  id: wholeNumber("Id of the row.", {
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    examples: [1],
  }),
});

export const RequestList = listOf(RequestRow);
export const ErrorList = listOf(ErrorRow);
