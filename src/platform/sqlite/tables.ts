// Tables of the platform in the operational database. Capabilities declare their own; series of market data
// are in the lake. Instants are RFC 3339 UTC text with three decimals (instant-text.ts), dates are YYYY-MM-DD
// text.
import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Cached answers (cache/rows.ts). */
export const cache_entries = sqliteTable(
  "cache_entries",
  {
    name: text("name").notNull(),
    key: text("key").notNull(),
    /** JSON, UTF-8. */
    body: blob("body", { mode: "buffer" }).notNull(),
    /** JSON about the answer, reserved; `{}` today. */
    meta: text("meta").notNull(),
    stored_at: text("stored_at").notNull(),
    expires_at: text("expires_at").notNull(),
  },
  (t) => [primaryKey({ columns: [t.name, t.key] }), index("cache_entries_by_age").on(t.name, t.stored_at)],
);

/** Every run of every job, and every slot recorded without a run (jobs/ledger.ts). */
export const job_runs = sqliteTable(
  "job_runs",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    job: text("job").notNull(),
    /** The slot of the schedule the run stands for; null for a run on demand. */
    scheduled_for: text("scheduled_for"),
    /** The first missed slot the run stands for besides its own; null for a run on time. */
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
  (t) => [
    index("job_runs_by_slot").on(t.job, t.scheduled_for),
    index("job_runs_by_job").on(t.job, t.id),
    index("job_runs_by_outcome").on(t.outcome, t.id),
  ],
);

/** Which process runs a job now, and when the job was first seen (jobs/ledger.ts). */
export const job_leases = sqliteTable("job_leases", {
  job: text("job").primaryKey(),
  /** Slots before this do not count as missed. */
  first_seen_at: text("first_seen_at").notNull(),
  holder: text("holder"),
  run_id: integer("run_id"),
  expires_at: text("expires_at"),
});

/** Calls to a provider with a daily quota (upstream/quota.ts). */
export const quota_counts = sqliteTable(
  "quota_counts",
  {
    upstream: text("upstream").notNull(),
    day: text("day").notNull(),
    calls: integer("calls").notNull(),
  },
  (t) => [primaryKey({ columns: [t.upstream, t.day] })],
);

/** Limits for a provider that outlive the process (upstream/persistent-limits.ts). */
export const upstream_limits = sqliteTable("upstream_limits", {
  upstream: text("upstream").primaryKey(),
  /** Start of the newest request, or the turn reserved for the next one. */
  asked_at: text("asked_at"),
  /** Times the breaker opened since the last success; 0, and the next two null, when it is closed. */
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
    // Failures only: queries by status look for them, and every index costs each request.
    index("request_log_failures").on(t.status_code, t.timestamp).where(sql`${t.status_code} >= 400`),
  ],
);

/** Errors, for operators. */
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

/** Progress of a backfill, so that it can resume. */
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
