// Every number of interface.md's Limits and Rules, named with its unit. A number stands here or nowhere.

/** Tickers in one bulk POST (financial, price, company). */
export const BULK_TICKERS_MAX = 100;
/** Tickers in one multi-ticker GET (price/data, price/intraday). */
export const MULTI_TICKERS_MAX = 500;
/** Symbols in one upstream batch of the multi-ticker routes. */
export const UPSTREAM_BATCH_SYMBOLS = 100;
/** Requests the server works on at once; the next one is refused at once with 503. */
export const CONCURRENT_REQUESTS_MAX = 25;
/** Retry-After of that refusal. */
export const SERVER_BUSY_RETRY_S = 1;
/** Retry-After when the price provider says we ask too often. */
export const PRICE_RATE_LIMIT_RETRY_S = 30;
/** How long an answer of GET /price/intraday is remembered. */
export const INTRADAY_CACHE_S = 5 * 60;
/** How long a quote is remembered: the provider itself lets charts and quotes be cached this long. */
export const QUOTE_CACHE_S = 10;
/** How long what is known of a company is good without asking again. */
export const COMPANY_CACHE_S = 24 * 60 * 60;
/** How long the provider's "no such symbol" is believed without asking again. */
export const UNKNOWN_TICKER_CACHE_S = 60;
/** Delay of intraday data from the price provider. */
export const INTRADAY_DELAY_MINUTES = 15;
/** How far back intraday bars may be asked, by interval (interface.md, Price, rule 3). */
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
/** Longest a body may take to arrive, and how many are read at once: they are read before a seat is taken. */
export const BODY_READ_S = 10;
export const BODIES_READ_MAX = 4 * CONCURRENT_REQUESTS_MAX;
/** Longest request URL (500 tickers of 15 characters fit). */
export const REQUEST_URL_BYTES_MAX = 16_000;
/** Bars in one JSON answer; beyond it the streamed formats serve. */
export const JSON_BARS_MAX = 1_000_000;
/** Answers above this size are compressed when the client accepts it. */
export const COMPRESS_BYTES_MIN = 1_024;
/** Decoded bytes of one exhibit; a larger one is refused with 413. */
export const EXHIBIT_BYTES_MAX = 5_000_000;
/** Longest the fetch of one exhibit may take, the wait for our own pace included. */
export const EXHIBIT_DEADLINE_S = 25;
/** Longest a request may take before it answers 504, unless its route says otherwise. */
export const REQUEST_DEADLINE_S = 60;
/** Longest a multi-ticker or bulk price request may take: 500 cold tickers at the provider's pace. */
export const MULTI_REQUEST_DEADLINE_S = 240;
/** Time given to running requests when the process is told to stop. */
export const DRAIN_S_MAX = 25;
/** Days a row of the request log is kept. */
export const REQUEST_LOG_RETENTION_DAYS = 7;
/** GET /filings/events answered at once, and the longest wait for a place. */
export const FILING_EVENTS_SLOTS = 4;
export const FILING_EVENTS_WAIT_S = 10;
/** Exhibits of one bulk request, how many are fetched at once, and how long all of it may take. */
export const EXHIBIT_BULK_MAX = 50;
export const EXHIBIT_BULK_CONCURRENCY = 4;
export const EXHIBIT_BULK_DEADLINE_S = 300;
/** POST /filings/events/parse/bulk: longest all of it may take. */
export const PARSE_BULK_DEADLINE_S = 300;
/** Calls a day that are made of the provider of economic data; its day ends at midnight in Chicago. */
export const ECONDATA_CALLS_PER_DAY = 1_000;
/** How long an answer of the economic-data proxy is good. */
export const ECONDATA_CACHE_S = 24 * 60 * 60;
/** GET /econdata/stats/usage: most days, and days when none are named. */
export const ECONDATA_USAGE_DAYS_MAX = 30;
export const ECONDATA_USAGE_DAYS = 7;
/** Rows of the request and error logs in one answer. */
export const LOG_ROWS_MAX = 1_000;
/** How long the coverage by month is remembered: it is counted over every row of the lake. */
export const COVERAGE_CACHE_S = 5 * 60;
/** How long a list of index constituents is good, and how long fetching it may take. */
export const INDEX_CACHE_S = 24 * 60 * 60;
export const INDEX_FETCH_S = 30;
/** How long the lists of the market are remembered. */
export const MOST_ACTIVE_CACHE_S = 60 * 60;
export const FIFTY_TWO_WEEK_CACHE_S = 60 * 60;
export const TRENDING_CACHE_S = 30 * 60;
/** GET /stocks/most-active: largest limit, and the most rows that are ever read of the list. */
export const MOST_ACTIVE_LIMIT_MAX = 500;
export const MOST_ACTIVE_ROWS_MAX = 2_000;
/** GET /stocks/52-week-gainers: rows at most and by default, pages at most and by default, rows of a page. */
export const FIFTY_TWO_WEEK_LIMIT_MAX = 1_000;
export const FIFTY_TWO_WEEK_LIMIT = 600;
export const FIFTY_TWO_WEEK_PAGES_MAX = 10;
export const FIFTY_TWO_WEEK_PAGES = 3;
export const FIFTY_TWO_WEEK_PAGE_ROWS = 200;
/** GET /stocks/trending: rows by default. */
export const TRENDING_ROWS = 500;
/** GET /stocks/gainers: rows at most and by default; rows of a snapshot. */
export const GAINERS_MAX = 200;
export const GAINERS_DEFAULT = 100;
export const GAINER_SNAPSHOT_ROWS = 100;
/** Minutes between two snapshots of the gainers. */
export const GAINER_SNAPSHOT_MINUTES = 5;
/** Rows of a page of the screener at most and by default. */
export const SCREENER_PAGE_ROWS_MAX = 250;
export const SCREENER_PAGE_ROWS = 100;
/** How much of a matching set is collected where a filter is ours: pages of 250, rows. */
export const SCREENER_COLLECT_PAGES_MAX = 24;
export const SCREENER_COLLECT_ROWS_MAX = 6_000;
/** How long a page of the screener is remembered, and a collected set. */
export const SCREENER_PAGE_CACHE_S = 60;
export const SCREENER_COLLECTED_CACHE_S = 5 * 60;
/** Rows of one answer of GET /universe/screen and /universe/registry, and without `limit`. */
export const UNIVERSE_ROWS_MAX = 5_000;
export const UNIVERSE_ROWS_DEFAULT = 500;
/** Tickers of one POST /universe/admin/build-snapshots; without them it is about all. */
export const UNIVERSE_TICKERS_MAX = 1_000;
/** Longest POST /universe/admin/discover may take: five lists, some 5 MB. */
export const UNIVERSE_DISCOVER_DEADLINE_S = 180;
/** How long what was read of a company's earnings is good, bulk calendar included. */
export const EARNINGS_CACHE_S = 60 * 60;
/** GET /earnings/calendar: most days of one answer. */
export const EARNINGS_CALENDAR_DAYS_MAX = 31;
/** Insiders' trades: most days of a question. */
export const INSIDER_DAYS_MAX = 3_650;
/** Days of a company's insider filings that are fetched where nothing is stored of it. */
export const INSIDER_FETCH_DAYS = 800;
/** GET /marketfeed/intraday and /today: longest an answer may take, answers made at once, longest wait for a place. */
export const MARKETFEED_DEADLINE_S = 120;
export const MARKETFEED_SLOTS = 4;
export const MARKETFEED_SLOT_WAIT_S = 10;
/** How long an answer of GET /marketfeed/intraday is good without asking again. */
export const MARKETFEED_INTRADAY_CACHE_S = 24 * 60 * 60;
/** Sessions of GET /marketfeed/intraday when no start is named. */
export const MARKETFEED_SESSIONS_DEFAULT = 5;
/** Tickers of GET /marketfeed/snapshot. */
export const SNAPSHOT_TICKERS_MAX = 1_000;
/** Short-volume routes: most days back, most rows of one JSON answer. */
export const SHORT_VOLUME_DAYS_MAX = 3_650;
export const SHORT_VOLUME_LIMIT_MAX = 10_000;
/** GET /shortvolume/pit-panel: longest until its first bytes; a Parquet file of all years is made whole before. */
export const PANEL_DEADLINE_S = 300;
/** GET /attention/event answered at once, the longest wait for a place, and how many may wait (the server's seats are 25). */
export const ATTENTION_EVENT_SLOTS = 8;
export const ATTENTION_EVENT_WAIT_S = 10;
export const ATTENTION_EVENT_WAITERS_MAX = 12;
/** How long page views are good without asking again: while something may still come, and when all is there. */
export const ATTENTION_PENDING_CACHE_S = 300;
export const ATTENTION_COMPLETE_CACHE_S = 3_600;
/** The news archive: least time between two calls, waits after refusals, and how long it is left alone after the next. */
export const NEWS_ARCHIVE_SPACING_S = 10;
export const NEWS_ARCHIVE_BACKOFF_S: readonly number[] = [30, 60, 120];
export const NEWS_ARCHIVE_REST_S = 30 * 60;
/** Companies whose news a day's run collects. */
export const NEWS_ARCHIVE_COMPANIES_A_DAY = 50;
/** Days of one POST /attention/admin/collect/newsarchive, and how long it may take with all its waits. */
export const NEWS_ARCHIVE_SPAN_DAYS_MAX = 31;
export const NEWS_ARCHIVE_DEADLINE_S = 420;
/** POST /attention/admin/collect/encyc: days back at most (the page views begin on 2015-07-01) and by default. */
export const PAGE_VIEW_DAYS_MAX = 5_000;
export const PAGE_VIEW_DAYS = 400;
/** Rows of one answer of the news routes. */
export const NEWS_LIMIT_MAX = 500;
/** Longest an ingest of news may be waited for: the feeds of a hundred tickers at a request a second. */
export const NEWS_INGEST_DEADLINE_S = 240;
/** Rows of one answer of the fund routes at most; the largest funds report some 30,000 holdings. */
export const ETF_ROWS_MAX = 50_000;
/** GET /etf/{ticker}/holdings: longest an answer may take; the largest reports are beyond 100 MB. */
export const ETF_HOLDINGS_DEADLINE_S = 120;
/** GET /overlay/top-movers: rows at most, and days with scores back at most. */
export const OVERLAY_MOVERS_MAX = 200;
export const OVERLAY_WINDOW_MAX = 250;
/** GET /overlay/score/{ticker}: calendar days back at most. */
export const OVERLAY_DAYS_MAX = 3_650;
/** POST /overlay/admin/seed-topics: topics at most. */
export const OVERLAY_TOPICS_MAX = 500;
