// Error codes for the documentation: the status of each, and an example as clients receive it.
import {
  BODY_READ_S,
  CONCURRENT_REQUESTS_MAX,
  ECONDATA_CALLS_PER_DAY,
  EXHIBIT_BYTES_MAX,
  FILING_EVENTS_SLOTS,
  FILING_EVENTS_WAIT_S,
  MARKETFEED_SLOT_WAIT_S,
  MARKETFEED_SLOTS,
  PRICE_RATE_LIMIT_RETRY_S,
  REQUEST_BODY_BYTES_MAX,
  REQUEST_URL_BYTES_MAX,
  SERVER_BUSY_RETRY_S,
} from "../limits.ts";

/** Status and texts of an error. */
export interface CodeDoc {
  readonly status: number;
  readonly detail: string;
  readonly absence?: "nothing_there" | "not_read";
  readonly hint?: string;
  readonly ticker?: string;
  readonly upstream?: string;
  /** Seconds. */
  readonly retry_after?: number;
}

export const PROBLEM_CODES = {
  bad_request: { status: 400, detail: "market_cap_min is greater than market_cap_max." },
  conflicting_time_selection: {
    status: 400,
    detail: "Give period or start_date with end_date, not period and start_date together.",
  },
  invalid_date_range: { status: 400, detail: "end_date 2026-08-03 is earlier than start_date 2026-09-04." },
  no_tickers: { status: 400, detail: "tickers names no symbol.", hint: "Write them as AAPL,MSFT." },
  lookback_exceeded: {
    status: 400,
    detail: "1m bars reach back 7 days, to 2026-09-02; 2026-08-03 was asked for.",
    hint: "Take a later start or a longer interval.",
  },
  unsupported_index: {
    status: 400,
    detail: "There is no list of this index.",
    hint: "Supported are sp500 and nasdaq100.",
  },
  end_date_not_allowed: {
    status: 400,
    detail:
      "end_date 2026-09-09 is today: its bars are served here after 16:00, America/New_York. For the running day use /api/v1/marketfeed/intraday/today.",
    hint: "Ask /api/v1/marketfeed/intraday/today, or an end_date before today.",
  },
  not_replayable: {
    status: 400,
    detail: "This route cannot answer from an earlier data version.",
    hint: "Leave out data_version.",
  },
  query_refused: {
    status: 400,
    detail: 'The table function "read_csv" may not be used in a query.',
  },
  query_limit: {
    status: 400,
    detail: "The query took longer than 30 s.",
    hint: "Select fewer symbols or days.",
  },
  unauthorized: {
    status: 401,
    detail: "This server requires a key: send it as X-API-Key or as a bearer token.",
  },
  forbidden: { status: 403, detail: "The admin token is wrong." },
  admin_not_configured: {
    status: 403,
    detail: "Admin routes accept requests from this machine only until ADMIN_TOKEN is set.",
  },
  cross_site: {
    status: 403,
    detail: "Requests from pages of other origins are refused; see CORS_ORIGINS.",
  },
  unknown_ticker: {
    status: 404,
    detail: "The price provider knows no ticker ZZZZ.",
    ticker: "ZZZZ",
    upstream: "yahoo",
  },
  no_data: {
    status: 404,
    detail: "No bars for ZZZZ from 2026-08-03 to 2026-09-04.",
    absence: "nothing_there",
    ticker: "ZZZZ",
  },
  not_found: { status: 404, detail: "There is none of this name or number." },
  not_an_etf: { status: 404, detail: "ZORP is a share, not an exchange-traded fund.", ticker: "ZORP" },
  unsupported_endpoint: {
    status: 404,
    detail: "The proxy does not know this endpoint.",
    hint: "GET /api/v1/econdata/stats/usage lists the endpoints it takes, such as series/observations.",
  },
  unknown_version: {
    status: 404,
    detail: "The data version 4127 is not there yet: the newest is 3980.",
    hint: "A version counts for the store that gave it.",
  },
  request_timeout: { status: 408, detail: `The body did not arrive within ${BODY_READ_S} s.` },
  already_running: { status: 409, detail: "The job news-ingest is running already (run 42)." },
  name_taken: {
    status: 409,
    detail:
      "The name q3-paper stands for the data version 4127 since 2026-10-02T09:14:00Z; a name is never moved.",
  },
  version_expired: {
    status: 410,
    detail: "The data version 12 cannot be read: the oldest is 40.",
    hint: "Rows that were stored before it carry no generation.",
  },
  other_lineage: {
    status: 410,
    detail: "The data version 4127 is of another line of history, which this store does not have.",
    hint: "What was copied from the lost line is copied again: GET /api/v1/versions lists the versions here.",
  },
  payload_too_large: { status: 413, detail: `The body is larger than ${REQUEST_BODY_BYTES_MAX} bytes.` },
  exhibit_too_large: { status: 413, detail: `EX-99.1 is larger than ${EXHIBIT_BYTES_MAX} bytes` },
  uri_too_long: {
    status: 414,
    detail: `The URL is longer than ${REQUEST_URL_BYTES_MAX} characters; request less at once.`,
  },
  unsupported_media_type: { status: 415, detail: "The body must be application/json." },
  upstream_rate_limited: {
    status: 429,
    detail: "yahoo is rate limiting us; no request is sent for now",
    upstream: "yahoo",
    retry_after: PRICE_RATE_LIMIT_RETRY_S,
  },
  slot_wait_timeout: {
    status: 429,
    detail: `All ${MARKETFEED_SLOTS} places for questions of the brokerage feed stayed taken for ${MARKETFEED_SLOT_WAIT_S} s.`,
    upstream: "marketfeed",
    retry_after: MARKETFEED_SLOT_WAIT_S,
  },
  daily_limit_reached: {
    status: 429,
    detail: `The ${ECONDATA_CALLS_PER_DAY} calls a day to the provider of economic data are used up, and there is no stored copy of this answer.`,
    upstream: "fred",
    hint: "Its day ends at midnight in Chicago, 2026-09-10T05:00:00Z.",
    retry_after: 28_800,
  },
  internal_error: {
    status: 500,
    detail: "The service failed unexpectedly. The log has an entry with the request id.",
  },
  upstream_error: {
    status: 502,
    detail: "yahoo could not be reached or broke off its answer (chart of ZORP)",
    upstream: "yahoo",
  },
  server_busy: {
    status: 503,
    detail: `The server is already working on ${CONCURRENT_REQUESTS_MAX} requests, the most it handles at once.`,
    retry_after: SERVER_BUSY_RETRY_S,
  },
  slot_busy: {
    status: 503,
    detail: `${FILING_EVENTS_SLOTS} requests for filing events are under way, and none ended within ${FILING_EVENTS_WAIT_S} s.`,
    retry_after: FILING_EVENTS_WAIT_S,
  },
  upstream_busy: {
    status: 503,
    detail: "Too many requests to edgar are waiting already; try again in 5 s",
    upstream: "edgar",
    retry_after: 5,
  },
  not_configured: {
    status: 503,
    detail: "EDGAR requires every user to give a name: SEC_USER_AGENT is not set",
    hint: 'Set SEC_USER_AGENT to your name or company and an e-mail address: "Company contact@example.com".',
    upstream: "edgar",
  },
  damaged: {
    status: 503,
    detail:
      "The answer may lack rows. damaged: rows of short_volume (year=2026, symbol AMBT to ZORP, date 2026-01-02 to 2026-09-08) may be missing, because their file has other bytes than were written.",
    hint: "The machine's owner runs `bun run cli doctor --repair`; then the rows are read again.",
  },
  database_unavailable: { status: 503, detail: "The database cannot be used: the disk is full." },
  upstream_timeout: {
    status: 504,
    detail: "yahoo did not answer within 20 s (chart of ZORP)",
    upstream: "yahoo",
  },
} as const satisfies Readonly<Record<string, CodeDoc>>;

export type ProblemCode = keyof typeof PROBLEM_CODES;
export type ErrorStatus = (typeof PROBLEM_CODES)[ProblemCode]["status"];
