// What the log routes take and give.
import { Type } from "@sinclair/typebox";
import { LOG_ROWS_MAX } from "../../limits.ts";
import { listFields } from "../../market/answer-fields.ts";
import { momentField, oneOf, wholeNumber } from "../../market/params.ts";

const orNull = <T extends ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>>(schema: T) =>
  Type.Union([schema, Type.Null()]);
const text = (description: string, example: string) =>
  Type.String({ description, maxLength: 1_000, examples: [example] });
const moment = (description: string, ofDate: string) =>
  Type.Unsafe<string>({
    ...momentField(""),
    description: `${description}: ISO 8601, without a zone the clock in New York; a date alone is its ${ofDate} there.`,
  });
const REQUEST_ID = "0198f3a2-6f1e-4d0a-9c57-2b1d6a7e4c10";
const status = (description: string, example: number) =>
  wholeNumber(description, { minimum: 100, maximum: 599, examples: [example] });
const paging = {
  limit: Type.Optional(
    wholeNumber("Rows in this answer.", { minimum: 1, maximum: LOG_ROWS_MAX, default: 100 }),
  ),
  offset: Type.Optional(wholeNumber("Rows passed over.", { minimum: 0, maximum: 10_000_000, default: 0 })),
};

export const RequestsQuery = Type.Object({
  status_code: Type.Optional(status("Exactly this status.", 429)),
  min_status_code: Type.Optional(status("This status or above; 500 with no maximum is 500–599.", 500)),
  max_status_code: Type.Optional(status("This status or below.", 599)),
  method: Type.Optional(oneOf(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"], "HTTP method.")),
  path: Type.Optional(text("How the path begins.", "/api/v1/price")),
  request_id: Type.Optional(text("The X-Request-ID of the answer.", REQUEST_ID)),
  start: Type.Optional(moment("Requests from this moment on", "beginning")),
  end: Type.Optional(moment("Requests up to this moment", "end")),
  min_duration_ms: Type.Optional(
    wholeNumber("At least so long, milliseconds.", { minimum: 0, maximum: 86_400_000, examples: [1_000] }),
  ),
  ...paging,
});

const RequestRow = Type.Object({
  id: Type.Integer({ description: "Number of the row, ascending." }),
  request_id: Type.String({ description: "The X-Request-ID of the answer." }),
  timestamp: Type.String({ description: "When it arrived, RFC 3339 UTC." }),
  method: Type.String({ description: "HTTP method." }),
  path: Type.String({ description: "Path of the request, without its query." }),
  query: orNull(Type.String({ description: "As sent, secrets taken out." })),
  status_code: Type.Integer({ description: "499: the client went before the answer." }),
  duration_ms: Type.Integer({ description: "Until the answer began, milliseconds." }),
  client_ip: orNull(Type.String({ description: "Address the request came from." })),
  user_agent: orNull(Type.String({ description: "User-Agent of the client, as sent." })),
  cache: orNull(Type.String({ description: "X-Cache of the answer." })),
  error_code: orNull(
    Type.String({ description: "Code of the problem it ended with; null for a good answer." }),
  ),
});

const listOf = <T extends typeof RequestRow | typeof ErrorRow>(row: T) =>
  Type.Object({
    ...listFields,
    data: Type.Array(row, { description: "Newest first." }),
  });

export const StatsQuery = Type.Object({
  hours: Type.Optional(wholeNumber("Hours back from now.", { minimum: 1, maximum: 168, default: 24 })),
});

export const RequestStats = Type.Object({
  hours: Type.Integer({ description: "Hours back from now." }),
  total: Type.Integer({ description: "Requests counted." }),
  truncated: Type.Boolean({ description: "There were more: only the newest 200,000 are counted." }),
  by_status: Type.Record(Type.String(), Type.Integer({ description: "Requests." }), {
    description: "Requests by status code.",
  }),
  by_path: Type.Array(
    Type.Object({
      path: Type.String({ description: "Path as asked, without its query." }),
      count: Type.Integer({ description: "Requests." }),
      avg_ms: Type.Number({ description: "Mean, milliseconds." }),
      p95_ms: Type.Number({ description: "95 of 100 took at most this, milliseconds." }),
      error_rate: Type.Number({ description: "Fraction with a status of 500 and above." }),
    }),
    { description: "The 100 paths most asked for." },
  ),
});

export const ErrorsQuery = Type.Object({
  level: Type.Optional(oneOf(["warn", "error"], "warn: foreseen; error: not.")),
  source: Type.Optional(
    text("request, job, upstream, service or the capability that reported it.", "upstream"),
  ),
  error_code: Type.Optional(text("Stable code.", "upstream_error")),
  request_id: Type.Optional(text("The X-Request-ID of the answer.", REQUEST_ID)),
  ticker: Type.Optional(text("The ticker it is about, as the client sent it.", "AAPL")),
  start: Type.Optional(moment("Errors from this moment on", "beginning")),
  end: Type.Optional(moment("Errors up to this moment", "end")),
  ...paging,
});

export const ErrorRow = Type.Object({
  id: Type.Integer({ description: "Number of the row, ascending." }),
  timestamp: Type.String({ description: "RFC 3339 UTC." }),
  level: Type.String({ description: "warn: foreseen; error: not." }),
  source: Type.String({ description: "request, job, upstream, service or the capability that reported it." }),
  error_code: orNull(Type.String({ description: "Stable code, such as upstream_error." })),
  message: Type.String({ description: "What went wrong, for a person." }),
  path: orNull(Type.String({ description: "Path of the request; null where there was none." })),
  request_id: orNull(
    Type.String({ description: "The X-Request-ID of the answer; null where there was no request." }),
  ),
  ticker: orNull(Type.String({ description: "The ticker it is about, as the client sent it." })),
  upstream: orNull(Type.String({ description: "The provider." })),
  upstream_status: orNull(Type.Integer({ description: "Its HTTP status." })),
  stack: Type.Optional(orNull(Type.String({ description: "Where in the code; told to the admin only." }))),
});

export const ErrorPath = Type.Object({
  id: wholeNumber("Number of the row.", {
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    examples: [1],
  }),
});

export const RequestList = listOf(RequestRow);
export const ErrorList = listOf(ErrorRow);
