// Every limit of the service, named with its unit. docs/contract.md explains them.

/** Tickers in one bulk POST (financial, price, company). */
export const BULK_TICKERS_MAX = 100;
/** Tickers in one multi-ticker GET (price/data, price/intraday). */
export const MULTI_TICKERS_MAX = 500;
/** Symbols in one upstream batch of the multi-ticker routes. */
export const UPSTREAM_BATCH_SYMBOLS = 100;
/** Requests the server works on at once; a further one is answered 503 without waiting. */
// Of 26 requests at once the 26th gets 503 with "Retry-After: 1".
export const CONCURRENT_REQUESTS_MAX = 25;
/** Of these, heavy requests at once, and for how long one has its turn; the others wait in their places. */
// Of 25 requests for statements eight are worked on. One that waits 31 s for a provider passes its turn on at
// 30 s, so that eight of its kind do not hold up all others.
export const HEAVY_REQUESTS_MAX = 8;
export const HEAVY_TURN_S = 30;
/** Retry-After of that refusal. */
export const SERVER_BUSY_RETRY_S = 1;
/** How the connections to the price provider are named, or begin. */
export const PRICE_PROVIDER = "yahoo";
/**
 * Retry-After when the price provider limits our request rate, and where another provider does not say how
 * long.
 */
export const PRICE_RATE_LIMIT_RETRY_S = 30;
/** How long an answer of GET /price/intraday is cached. */
export const INTRADAY_CACHE_S = 5 * 60;
/** How long a quote is cached; the provider itself allows caching charts and quotes this long. */
export const QUOTE_CACHE_S = 10;
/** How long company data is used without fetching it again. */
export const COMPANY_CACHE_S = 24 * 60 * 60;
/** How long the provider's "no such symbol" is cached. */
export const UNKNOWN_TICKER_CACHE_S = 60;
/** Delay of intraday data from the price provider. */
export const INTRADAY_DELAY_MINUTES = 15;
/** How many days back intraday bars can be requested, by interval. */
export const INTRADAY_LOOKBACK_DAYS: Readonly<Record<string, number>> = {
  "1m": 7,
  "2m": 60,
  "5m": 60,
  "15m": 60,
  "30m": 60,
  "90m": 60,
  "1h": 730,
};
/** Items in one `quarters` list. */
export const QUARTERS_MAX = 80;
/** Largest request body. */
export const REQUEST_BODY_BYTES_MAX = 1_000_000;
/** Arrays and objects inside each other in a request body; no route needs more than three. */
export const JSON_DEPTH_MAX = 64;
/** Longest time for a body to arrive, and bodies read at once; both apply before the concurrency limit. */
// A body that is complete after 9 s is read; after 10 s its request gets 408.
export const BODY_READ_S = 10;
export const BODIES_READ_MAX = 4 * CONCURRENT_REQUESTS_MAX;
/** Longest request URL (500 tickers of 15 characters fit). */
export const REQUEST_URL_BYTES_MAX = 16_000;
/** Longest header of a request, its URL included; a longer one gets a bare 431 of the runtime. */
export const REQUEST_HEADER_BYTES_MAX = 65_536;
/**
 * Bars in one JSON answer that is made as a whole: more plain daily bars are written while they are read,
 * others are refused.
 */
// 500 tickers have a million daily bars in eight years.
export const JSON_BARS_MAX = 1_000_000;
/**
 * Characters of a name or text that is read from a filing's form; a longer one is cut and ends with an
 * ellipsis.
 */
// A footnote of 12,000 characters is cut after 10,000.
export const FILED_TEXT_CHARS_MAX = 10_000;
/** Characters of an XBRL element's name with its prefix; the regulator allows 200 of the name alone. */
// us-gaap_Assets is read; a line with a name of 257 characters is left out.
export const XBRL_NAME_CHARS_MAX = 256;
/** Renderings of one statement that are read; a holding company with its subsidiaries has one for each. */
// With 13 renderings of a statement none is read: the filing counts as one without.
export const RENDERED_PAGES_MAX = 12;
/** Answers above this size are compressed when the client accepts it. */
export const COMPRESS_BYTES_MIN = 1_024;
/** Decoded bytes of one exhibit; a larger one is refused with 413. */
export const EXHIBIT_BYTES_MAX = 5_000_000;
/** Longest time to fetch one exhibit, including the wait for the rate limit. */
export const EXHIBIT_DEADLINE_S = 25;
/** Longest time of a request before it answers 504, unless its route has another deadline. */
export const REQUEST_DEADLINE_S = 60;
/** Longest time of a multi-ticker or bulk price request: 500 uncached tickers at the provider's rate. */
// At four requests a second 500 tickers take 125 s; the rest is for retries and slow answers.
export const MULTI_REQUEST_DEADLINE_S = 240;
/**
 * GET /price/data: so many tickers are all fetched before the answer; of more, those that come within this
 * time.
 */
// 30 unread tickers are all waited for; of 31 those that come within 8 s are answered, the others are
// `not_read`.
export const PRICES_WHOLE_MAX = 30;
export const PRICES_FIRST_PART_S = 8;
/** GET /price/data: longest `wait`; what is left of the deadline is for reading the rows. */
// With wait=200, 40 of the 240 seconds are left.
export const PRICES_WAIT_S_MAX = 200;
/** Price fetches that wait in the background; beyond it a request has to ask again later. */
export const PRICES_WAITING_MAX = 5_000;
/** Longest time that a request for statements asks for prices; the statements are answered all the same. */
// Closes that come after 6 s leave the ratios that need them null.
export const PRICE_PART_S = 5;
/**
 * Longest time in which a request for statements begins to read how reports present them; the rest is read in
 * the background.
 */
export const PRESENTATIONS_FIRST_PART_S = 5;
/** A streamed answer is ended when its client takes nothing of it for this long. */
// A client that pauses for 29 s gets the rest, one that pauses for 31 s does not.
export const SEND_STALLED_S = 30;
/** Time for running requests to finish when the process stops. */
// At the stop a request that needs 20 s more ends well; one that needs 30 s is cut off.
export const DRAIN_S_MAX = 25;
/** Days a row of the request log is stored. */
export const REQUEST_LOG_RETENTION_DAYS = 7;
/**
 * GET /filings/events: so many pending reports are all read before the answer; of more, those begun within
 * this time.
 */
// 20 pending reports are all read first; of 21 those begun within 5 s, and the answer counts the others as
// pending.
export const EVENTS_WHOLE_MAX = 20;
export const EVENTS_FIRST_PART_S = 5;
/** GET /filings/events: requests handled at once, and the longest wait for a slot. */
// The fifth request waits; after 10 s it gets 429.
export const FILING_EVENTS_SLOTS = 4;
export const FILING_EVENTS_WAIT_S = 10;
/** Exhibits in one bulk request, exhibits fetched at once, and longest time of the whole request. */
export const EXHIBIT_BULK_MAX = 50;
export const EXHIBIT_BULK_CONCURRENCY = 4;
export const EXHIBIT_BULK_DEADLINE_S = 300;
/** POST /filings/events/parse/bulk: longest time of the whole request. */
export const PARSE_BULK_DEADLINE_S = 300;
/** Calls per day to the provider of economic data; its day ends at midnight in Chicago. */
// The 1,001st call of a day gets a stored answer, or 429 where there is none.
export const ECONDATA_CALLS_PER_DAY = 1_000;
/** How long an answer of the economic-data proxy is cached. */
export const ECONDATA_CACHE_S = 24 * 60 * 60;
/** GET /econdata/stats/usage: maximum and default number of days. */
export const ECONDATA_USAGE_DAYS_MAX = 30;
export const ECONDATA_USAGE_DAYS = 7;
/** Rows of the request and error logs in one answer. */
export const LOG_ROWS_MAX = 1_000;
/** GET /changes: largest `limit`, and that of JSON. */
export const LEDGER_ROWS_MAX = 1_000_000;
export const LEDGER_JSON_ROWS_MAX = 10_000;
/** GET /changes: bytes of a page of JSON, about. */
export const LEDGER_JSON_BYTES = 20_000_000;
/**
 * GET /changes as events: streams at once, beside the requests worked on; seconds between signs of life; rows
 * read at once; wait of a client before it comes back.
 */
export const EVENT_STREAMS_MAX = 16;
export const CHANGES_HEARTBEAT_S = 15;
export const CHANGES_STREAM_PAGE_ROWS = 100_000;
export const CHANGES_RETRY_MS = 2_000;
/** How long the coverage by month is cached; computing it counts every row of the lake. */
export const COVERAGE_CACHE_S = 5 * 60;
/** How long a list of index constituents is cached, and longest time to fetch it. */
export const INDEX_CACHE_S = 24 * 60 * 60;
export const INDEX_FETCH_S = 30;
/** How long the market lists are cached. */
export const MOST_ACTIVE_CACHE_S = 60 * 60;
export const FIFTY_TWO_WEEK_CACHE_S = 60 * 60;
export const TRENDING_CACHE_S = 30 * 60;
/** GET /stocks/most-active: largest `limit`, and most rows read from the list. */
export const MOST_ACTIVE_LIMIT_MAX = 500;
export const MOST_ACTIVE_ROWS_MAX = 2_000;
/** GET /stocks/52-week-gainers: maximum and default rows, maximum and default pages, rows per page. */
export const FIFTY_TWO_WEEK_LIMIT_MAX = 1_000;
export const FIFTY_TWO_WEEK_LIMIT = 600;
export const FIFTY_TWO_WEEK_PAGES_MAX = 10;
export const FIFTY_TWO_WEEK_PAGES = 3;
export const FIFTY_TWO_WEEK_PAGE_ROWS = 200;
/** GET /stocks/trending: default rows. */
export const TRENDING_ROWS = 500;
/** GET /stocks/gainers: maximum and default rows; rows of a snapshot. */
export const GAINERS_MAX = 200;
export const GAINERS_DEFAULT = 100;
export const GAINER_SNAPSHOT_ROWS = 100;
/** Minutes between two gainer snapshots. */
export const GAINER_SNAPSHOT_MINUTES = 5;
/** Maximum and default rows of a page of the screener. */
export const SCREENER_PAGE_ROWS_MAX = 250;
export const SCREENER_PAGE_ROWS = 100;
/** How much of a result set is fetched when a filter is applied by this service: pages of 250, and rows. */
// A set of 7,000 rows is cut at 6,000, and the answer says `truncated`.
export const SCREENER_COLLECT_PAGES_MAX = 24;
export const SCREENER_COLLECT_ROWS_MAX = 6_000;
/** How long a page of the screener and a collected result set are cached. */
export const SCREENER_PAGE_CACHE_S = 60;
export const SCREENER_COLLECTED_CACHE_S = 5 * 60;
/** GET /universe/screen and /universe/registry: maximum and default rows. */
export const UNIVERSE_ROWS_MAX = 5_000;
export const UNIVERSE_ROWS_DEFAULT = 500;
/** Tickers in one POST /universe/admin/build-snapshots; without tickers it builds all. */
export const UNIVERSE_TICKERS_MAX = 1_000;
/** Longest time of POST /universe/admin/discover, which fetches five lists of about 5 MB. */
export const UNIVERSE_DISCOVER_DEADLINE_S = 180;
/** How long earnings data of a company is used without fetching it again; also for the calendar. */
export const EARNINGS_CACHE_S = 60 * 60;
/** Calendars of the whole market (earnings, dividends): most days in one answer. */
export const MARKET_CALENDAR_DAYS_MAX = 31;
/** Insider trades: most days in one request. */
export const INSIDER_DAYS_MAX = 3_650;
/** Days of insider filings fetched for a company without stored ones. */
// First asked for on 4 September 2026, a company's filings are read from 26 June 2024 on.
export const INSIDER_FETCH_DAYS = 800;
/**
 * GET /marketfeed/intraday and /today: longest time of a request, requests handled at once, longest wait for
 * a slot.
 */
export const MARKETFEED_DEADLINE_S = 120;
export const MARKETFEED_SLOTS = 4;
export const MARKETFEED_SLOT_WAIT_S = 10;
/** How long an answer of GET /marketfeed/intraday is cached. */
export const MARKETFEED_INTRADAY_CACHE_S = 24 * 60 * 60;
/** Sessions of GET /marketfeed/intraday without a start date. */
export const MARKETFEED_SESSIONS_DEFAULT = 5;
/** Tickers in one GET /marketfeed/snapshot. */
export const SNAPSHOT_TICKERS_MAX = 1_000;
/** Short-volume routes: most days back, most rows of one JSON answer. */
export const SHORT_VOLUME_DAYS_MAX = 3_650;
export const SHORT_VOLUME_LIMIT_MAX = 10_000;
/** GET /shortvolume/pit-panel: longest time to the first byte. */
export const PANEL_DEADLINE_S = 300;
/**
 * GET /attention/event: requests handled at once, longest wait for a slot, and waiting requests (of the 25 in
 * flight).
 */
// Of 21 requests at once eight are handled, twelve wait, and one is refused.
export const ATTENTION_EVENT_SLOTS = 8;
export const ATTENTION_EVENT_WAIT_S = 10;
export const ATTENTION_EVENT_WAITERS_MAX = 12;
/** How long page views are cached: while days are still missing, and when all are present. */
export const ATTENTION_PENDING_CACHE_S = 300;
export const ATTENTION_COMPLETE_CACHE_S = 3_600;
/**
 * The news archive: least time between two calls, waits after refusals, and the pause after a further
 * refusal.
 */
// Refused at 10:00:00, it is asked again at 10:00:30, 10:01:30, 10:03:30, and then at 10:33:30.
export const NEWS_ARCHIVE_SPACING_S = 10;
export const NEWS_ARCHIVE_BACKOFF_S: readonly number[] = [30, 60, 120];
export const NEWS_ARCHIVE_REST_S = 30 * 60;
/** Companies whose news one daily run collects. */
export const NEWS_ARCHIVE_COMPANIES_A_DAY = 50;
/** POST /attention/admin/collect/newsarchive: most days, and longest time including all waits. */
export const NEWS_ARCHIVE_SPAN_DAYS_MAX = 31;
export const NEWS_ARCHIVE_DEADLINE_S = 420;
/**
 * POST /attention/admin/collect/encyc: maximum (page views begin on 2015-07-01) and default number of days
 * back.
 */
export const PAGE_VIEW_DAYS_MAX = 5_000;
export const PAGE_VIEW_DAYS = 400;
/** Rows in one answer of the news routes. */
export const NEWS_LIMIT_MAX = 500;
/**
 * Longest time of a request that waits for a news ingest: feeds of a hundred tickers at one request per
 * second.
 */
export const NEWS_INGEST_DEADLINE_S = 240;
/** Rows in one answer of the fund routes; the largest funds report about 30,000 holdings. */
export const ETF_ROWS_MAX = 50_000;
/** GET /etf/{ticker}/holdings: longest time of a request; the largest reports exceed 100 MB. */
export const ETF_HOLDINGS_DEADLINE_S = 120;
/** GET /overlay/top-movers: maximum rows, and maximum days with scores to look back. */
export const OVERLAY_MOVERS_MAX = 200;
export const OVERLAY_WINDOW_MAX = 250;
/** GET /overlay/score/{ticker}: maximum calendar days back. */
export const OVERLAY_DAYS_MAX = 3_650;
/** POST /overlay/admin/seed-topics: maximum topics. */
export const OVERLAY_TOPICS_MAX = 500;
/**
 * One SQL query: its characters, its longest time, the rows and bytes of its answer, the memory of its
 * process.
 */
export const SQL_CHARS_MAX = 100_000;
export const SQL_SECONDS_MAX = 30;
export const SQL_ROWS_MAX = 100_000;
export const SQL_ANSWER_BYTES_MAX = 50_000_000;
export const SQL_MEMORY_MB_MAX = 1_536;
/** SQL queries over HTTP that run at once. */
export const SQL_AT_ONCE_MAX = 2;
/** Calls of agents that are answered at once, each with a place among the requests. */
export const MCP_CALLS_MAX = 8;
