// The operational database: what the service remembers about its own work. Series of market data are in the lake.
// Instants are RFC 3339 UTC text with three decimals (instant-text.ts), dates are YYYY-MM-DD text.
import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Answers kept for a while (remember.ts). */
export const remembered = sqliteTable(
  "remembered",
  {
    name: text("name").notNull(),
    key: text("key").notNull(),
    /** JSON, UTF-8. */
    body: blob("body", { mode: "buffer" }).notNull(),
    /** JSON about the answer, for later needs; `{}` when there is nothing to say. */
    meta: text("meta").notNull(),
    stored_at: text("stored_at").notNull(),
    expires_at: text("expires_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.name, t.key] }), index("remembered_by_age").on(t.name, t.stored_at)],
);

/** Every run of every job, and every slot in which none was made (jobs.ts). */
export const job_runs = sqliteTable(
  "job_runs",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    job: text("job").notNull(),
    /** The slot of the schedule it stands for; null when somebody asked for it. */
    scheduled_for: text("scheduled_for"),
    /** The first of the slots that passed without a run and that this one makes good; null in a run at its time. */
    missed_since: text("missed_since"),
    started_at: text("started_at").notNull(),
    finished_at: text("finished_at"),
    outcome: text("outcome", {
      enum: ["running", "succeeded", "failed", "skipped", "gap", "interrupted"],
    }).notNull(),
    rows: integer("rows"),
    error: text("error"),
    host: text("host").notNull(),
    pid: integer("pid").notNull(),
  },
  (t) => [index("job_runs_by_slot").on(t.job, t.scheduled_for), index("job_runs_by_job").on(t.job, t.id)],
);

/** Who is running a job now, and since when it is known (jobs.ts). */
export const job_leases = sqliteTable("job_leases", {
  job: text("job").primaryKey(),
  /** Slots before this were nobody's to run. */
  first_seen_at: text("first_seen_at").notNull(),
  holder: text("holder"),
  run_id: integer("run_id"),
  expires_at: text("expires_at"),
});

/** Calls made of a provider with a daily quota (quota.ts). */
export const quota_counts = sqliteTable(
  "quota_counts",
  {
    upstream: text("upstream").notNull(),
    day: text("day").notNull(),
    calls: integer("calls").notNull(),
  },
  (t) => [primaryKey({ columns: [t.upstream, t.day] })],
);

/** What of our manners towards a provider outlives the process (kept-manners.ts). */
export const upstream_manners = sqliteTable("upstream_manners", {
  upstream: text("upstream").primaryKey(),
  /** Start of the newest request, or of the one whose turn is taken already. */
  asked_at: text("asked_at"),
  /** Times the breaker opened without a success between; 0 with the next two null when it is closed. */
  openings: integer("openings").notNull(),
  open_until: text("open_until"),
  because: text("because", { enum: ["failures", "rate_limit"] }),
});

/** Requests served; no bodies, secrets out of the query. */
export const request_log = sqliteTable(
  "request_log",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    request_id: text("request_id").notNull(),
    timestamp: text("timestamp").notNull(),
    method: text("method").notNull(),
    path: text("path").notNull(),
    query: text("query"),
    status_code: integer("status_code").notNull(),
    duration_ms: integer("duration_ms").notNull(),
    client_ip: text("client_ip"),
    user_agent: text("user_agent"),
    cache: text("cache"),
    error_code: text("error_code"),
  },
  (t) => [
    index("request_log_by_time").on(t.timestamp),
    // Failures alone: they are what is asked for by status, and every index is paid for by every request.
    index("request_log_failures").on(t.status_code, t.timestamp).where(sql`${t.status_code} >= 400`),
  ],
);

/** What went wrong, for people. */
export const error_log = sqliteTable(
  "error_log",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    timestamp: text("timestamp").notNull(),
    level: text("level").notNull(),
    source: text("source").notNull(),
    error_code: text("error_code"),
    message: text("message").notNull(),
    path: text("path"),
    request_id: text("request_id"),
    ticker: text("ticker"),
    upstream: text("upstream"),
    upstream_status: integer("upstream_status"),
    stack: text("stack"),
  },
  (t) => [index("error_log_by_time").on(t.timestamp), index("error_log_by_request").on(t.request_id)],
);

/** What is known of a symbol beside its prices. */
export const instruments = sqliteTable("instruments", {
  symbol: text("symbol").primaryKey(),
  name: text("name"),
  currency: text("currency"),
  exchange: text("exchange"),
  timezone: text("timezone"),
  instrument_type: text("instrument_type"),
  first_trade_date: text("first_trade_date"),
  last_trade_date: text("last_trade_date"),
  source: text("source").notNull(),
  fetched_at: text("fetched_at").notNull(),
});

/** Sessions for which the provider had no bar, or one without a close, when asked. */
export const price_absences = sqliteTable(
  "price_absences",
  {
    symbol: text("symbol").notNull(),
    interval: text("interval").notNull(),
    date: text("date").notNull(),
    kind: text("kind", { enum: ["absent", "null"] }).notNull(),
    first_asked_at: text("first_asked_at").notNull(),
    last_asked_at: text("last_asked_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.symbol, t.interval, t.date] })],
);

/** Until when a symbol's splits and dividends are known to be complete. */
export const actions_checked = sqliteTable("actions_checked", {
  symbol: text("symbol").primaryKey(),
  through_date: text("through_date").notNull(),
  checked_at: text("checked_at").notNull(),
});

/** Progress of a backfill, so that it can be taken up again. */
export const backfill_items = sqliteTable(
  "backfill_items",
  {
    backfill: text("backfill").notNull(),
    item: text("item").notNull(),
    status: text("status").notNull(),
    error: text("error"),
    finished_at: text("finished_at"),
  },
  (t) => [primaryKey({ columns: [t.backfill, t.item] })],
);

/** Raw bytes in the vault and where they came from (vault.ts). */
export const vault_objects = sqliteTable(
  "vault_objects",
  {
    sha256: text("sha256").notNull(),
    url: text("url").notNull(),
    content_type: text("content_type"),
    bytes: integer("bytes").notNull(),
    stored_bytes: integer("stored_bytes").notNull(),
    received_at: text("received_at").notNull(),
    stored_at: text("stored_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.sha256, t.url] }), index("vault_objects_by_url").on(t.url, t.received_at)],
);

/** Filers whose lists of filings are indexed, and how far. */
export const filing_filers = sqliteTable("filing_filers", {
  /** Ten digits. */
  cik: text("cik").primaryKey(),
  name: text("name").notNull(),
  /** JSON list of canonical symbols, the primary one first. */
  tickers: text("tickers").notNull(),
  /** JSON list of CIKs this one carries on, newest first. */
  predecessor_ciks: text("predecessor_ciks").notNull(),
  /** Every filing with a filing date from this day to `indexed_at` is in `filings`. */
  covered_from: text("covered_from").notNull(),
  indexed_at: text("indexed_at").notNull(),
});

/** The index of filings: one row per filing and filer in whose list it stands. */
export const filings = sqliteTable(
  "filings",
  {
    /** Dashed. */
    accession_number: text("accession_number").notNull(),
    cik: text("cik").notNull(),
    company_name: text("company_name").notNull(),
    form_type: text("form_type").notNull(),
    filing_date: text("filing_date").notNull(),
    report_date: text("report_date"),
    /** Null when it was not known at indexing; only a forced re-indexing fills it. */
    accepted_at: text("accepted_at"),
    /** second: known. ambiguous: the index tells two moments, its detail page will tell. day: the index tells none. */
    precision: text("precision", { enum: ["second", "ambiguous", "day"] }).notNull(),
    /** Item numbers by comma; empty for forms without; null where the index they came from tells none. */
    items: text("items"),
    primary_document: text("primary_document"),
    size: integer("size"),
    is_xbrl: integer("is_xbrl", { mode: "boolean" }),
    /** From when anybody could read it; what `as_of` is held against. */
    known_at: text("known_at").notNull(),
    indexed_at: text("indexed_at").notNull(),
    /** Whether the lake has this row as it stands here. */
    published: integer("published", { mode: "boolean" }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.accession_number, t.cik] }),
    index("filings_by_filer").on(t.cik, t.filing_date),
    index("filings_by_day").on(t.filing_date, t.form_type),
    index("filings_unpublished").on(t.indexed_at).where(sql`published = 0`),
  ],
);

/** Where the reading of each current report (8-K) stands. */
export const filing_parses = sqliteTable(
  "filing_parses",
  {
    accession_number: text("accession_number").primaryKey(),
    status: text("status", { enum: ["pending", "succeeded", "failed"] }).notNull(),
    /** Why it failed, or why the last attempt came to nothing; null after success. */
    error: text("error"),
    /** JSON list of what a reader of its events should know; null before success. */
    problems: text("problems"),
    /** Attempts that had the filing's bytes. */
    attempts: integer("attempts").notNull(),
    parsed_at: text("parsed_at"),
    /** The state of our reader that came to it; 0 before states were counted. */
    reading: integer("reading").notNull().default(0),
  },
  (t) => [index("filing_parses_by_status").on(t.status)],
);

/** What current reports tell: one row per filing and item. */
export const filing_events = sqliteTable(
  "filing_events",
  {
    accession_number: text("accession_number").notNull(),
    /** As filed: "2.02"; "12" before August 2004. */
    item_number: text("item_number").notNull(),
    /** The number it has today; null for an item without successor. */
    modern_item: text("modern_item"),
    event_type: text("event_type").notNull(),
    event_title: text("event_title").notNull(),
    content: text("content"),
    content_source: text("content_source"),
    content_length: integer("content_length").notNull(),
    truncated: integer("truncated", { mode: "boolean" }).notNull(),
    /** Hash of the bytes in the vault the content was read from. */
    source_sha256: text("source_sha256"),
    parsed_at: text("parsed_at").notNull(),
    /** A later reading no longer finds it: never served, kept until the lake knows. */
    withdrawn: integer("withdrawn", { mode: "boolean" }).notNull(),
    published: integer("published", { mode: "boolean" }).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.accession_number, t.item_number] }),
    index("filing_events_unpublished").on(t.parsed_at).where(sql`published = 0`),
  ],
);

/** Days whose whole index of filings was taken in. */
export const filing_days = sqliteTable("filing_days", {
  date: text("date").primaryKey(),
  filings: integer("filings").notNull(),
  indexed_at: text("indexed_at").notNull(),
});

/** Tickers of the regulator's lists, present and past: one row a ticker and whoever bore it. */
export const company_tickers = sqliteTable(
  "company_tickers",
  {
    /** Canonical. */
    symbol: text("symbol").notNull(),
    /** Ten digits. */
    cik: text("cik").notNull(),
    /** Which list: companies, or funds (share classes of a trust's series). */
    kind: text("kind", { enum: ["company", "fund"] }).notNull(),
    /** The regulator's spelling. */
    ticker: text("ticker").notNull(),
    name: text("name"),
    exchange: text("exchange"),
    series_id: text("series_id"),
    class_id: text("class_id"),
    /** Place in the list, which runs from the largest company to the smallest. */
    position: integer("position").notNull(),
    first_seen_at: text("first_seen_at").notNull(),
    /** When the list was first without it; null while it is there. */
    gone_at: text("gone_at"),
  },
  (t) => [
    primaryKey({ columns: [t.kind, t.symbol, t.cik] }),
    index("company_tickers_by_symbol").on(t.symbol),
    index("company_tickers_by_cik").on(t.cik, t.position),
  ],
);

/** When each of the regulator's lists was last read. */
export const company_lists = sqliteTable("company_lists", {
  kind: text("kind", { enum: ["company", "fund"] }).primaryKey(),
  rows: integer("rows").notNull(),
  read_at: text("read_at").notNull(),
});

/** What a source last said of a company, as it said it: the regulator by CIK, the price provider by symbol. */
export const company_facts = sqliteTable(
  "company_facts",
  {
    source: text("source").notNull(),
    key: text("key").notNull(),
    /** JSON. */
    body: text("body").notNull(),
    read_at: text("read_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.source, t.key] })],
);

/** Whose reported figures are in the lake, and as of which report. */
export const financial_filers = sqliteTable("financial_filers", {
  /** Ten digits. */
  cik: text("cik").primaryKey(),
  /** none: the regulator said that it has no figures of this filer. */
  status: text("status", { enum: ["facts", "none"] }).notNull(),
  facts: integer("facts").notNull(),
  /** JSON list of what a reader of the figures should know. */
  warnings: text("warnings").notNull(),
  /** When the regulator's file was made or fetched: reports accepted later are not in. */
  read_at: text("read_at").notNull(),
  /** Newest report among the figures; null without any. */
  newest_accession: text("newest_accession"),
  /** The version of the reading its figures are of; 0: none was noted. See FACTS_READING. */
  reading: integer("reading").notNull().default(0),
  /** When the schedules of the 1990s (EX-27) were last read through; null: never. */
  schedules_read_at: text("schedules_read_at"),
  /** The same of the schedules' figures. See SCHEDULES_READING. */
  schedules_reading: integer("schedules_reading").notNull().default(0),
  /** JSON list of what could not be read of them. */
  schedule_warnings: text("schedule_warnings").notNull().default("[]"),
});
