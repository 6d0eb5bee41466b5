// Reads the request log and the error log.

import type { Static } from "@sinclair/typebox";
import { and, count, desc, eq, gte, lte, type SQL, sql } from "drizzle-orm";
import { ifEmpty } from "../../market/absence.ts";
import { type PageRequest, pageOf } from "../../market/answer-fields.ts";
import { startOfDay } from "../../market/calendar.ts";
import { isDate } from "../../market/date.ts";
import { parseMoment } from "../../market/moment.ts";
import type { Services } from "../../market/services.ts";
import { InvalidRequest, NotFound } from "../../platform/errors.ts";
import { instantText } from "../../platform/instant-text.ts";
import { error_log, request_log } from "../../platform/sqlite/tables.ts";
import type { ErrorRow, ErrorsQuery, RequestStats, RequestsQuery } from "./schema.ts";

/** Most rows that statistics read, since reading them blocks the event loop. */
const STATS_ROWS_MAX = 200_000;
const STATS_PATHS_MAX = 100;

/** The instant of an `end`; a date means its end in New York. */
const endOf = (text: string): string => {
  const parsed = parseMoment(text);
  if (!parsed.ok) throw new InvalidRequest("bad_request", parsed.detail);
  return instantText(parsed.at.epochMilliseconds);
};

/**
 * The instant of a `start`; a date means its start in New York, so the same date as start and end is one
 * whole day.
 */
const startOf = (text: string): string =>
  isDate(text) ? instantText(startOfDay(text).epochMilliseconds) : endOf(text);

/** The conditions of a time range. Throws InvalidRequest for a reversed range. */
function spanOf(
  column: typeof request_log.timestamp | typeof error_log.timestamp,
  start?: string,
  end?: string,
) {
  const [from, to] = [start && startOf(start), end && endOf(end)];
  if (from && to && from > to) throw new InvalidRequest("invalid_date_range", "start is later than end.");
  return [from ? gte(column, from) : undefined, to ? lte(column, to) : undefined];
}

/** A LIKE pattern for texts that start with `text`, its special characters escaped. */
const prefixPattern = (text: string) => `${text.replace(/[\\%_]/g, "\\$&")}%`;

function requestConditions(query: Static<typeof RequestsQuery>): SQL | undefined {
  const { min_status_code: min, max_status_code: max } = query;
  if (min !== undefined && max !== undefined && min > max)
    throw new InvalidRequest("bad_request", "min_status_code is greater than max_status_code.");
  return and(
    query.status_code === undefined ? undefined : eq(request_log.status_code, query.status_code),
    min === undefined ? undefined : gte(request_log.status_code, min),
    max === undefined ? undefined : lte(request_log.status_code, max),
    query.method === undefined ? undefined : eq(request_log.method, query.method),
    query.path === undefined
      ? undefined
      : sql`${request_log.path} LIKE ${prefixPattern(query.path)} ESCAPE '\\'`,
    query.request_id === undefined ? undefined : eq(request_log.request_id, query.request_id),
    query.min_duration_ms === undefined ? undefined : gte(request_log.duration_ms, query.min_duration_ms),
    ...spanOf(request_log.timestamp, query.start, query.end),
  );
}

function errorConditions(query: Static<typeof ErrorsQuery>): SQL | undefined {
  return and(
    query.level === undefined ? undefined : eq(error_log.level, query.level),
    query.source === undefined ? undefined : eq(error_log.source, query.source),
    query.error_code === undefined ? undefined : eq(error_log.error_code, query.error_code),
    query.request_id === undefined ? undefined : eq(error_log.request_id, query.request_id),
    query.ticker === undefined ? undefined : eq(error_log.ticker, query.ticker),
    ...spanOf(error_log.timestamp, query.start, query.end),
  );
}

type PathCount = { path: string; status_code: number; duration_ms: number; n: number };

/** The 95th percentile of the durations. */
function p95(rows: readonly PathCount[], total: number): number {
  let seen = 0;
  for (const { duration_ms, n } of [...rows].sort((a, b) => a.duration_ms - b.duration_ms)) {
    seen += n;
    if (seen >= total * 0.95) return duration_ms;
  }
  return 0;
}

const sumOf = (rows: readonly PathCount[], read: (row: PathCount) => number) =>
  rows.reduce((sum, row) => sum + read(row), 0);

function statsOf(
  rows: readonly PathCount[],
): Pick<Static<typeof RequestStats>, "total" | "by_status" | "by_path"> {
  const by_status: Record<string, number> = {};
  for (const { status_code, n } of rows) by_status[status_code] = (by_status[status_code] ?? 0) + n;
  const by_path = [...Map.groupBy(rows, (row) => row.path)].map(([path, own]) => {
    const total = sumOf(own, ({ n }) => n);
    const mean = sumOf(own, ({ n, duration_ms }) => n * duration_ms) / total;
    const errors = sumOf(own, ({ n, status_code }) => (status_code >= 500 ? n : 0));
    return {
      path,
      count: total,
      avg_ms: Math.round(mean * 100) / 100,
      p95_ms: p95(own, total),
      error_rate: errors / total,
    };
  });
  by_path.sort((a, b) => b.count - a.count || a.path.localeCompare(b.path));
  return { total: sumOf(rows, ({ n }) => n), by_status, by_path: by_path.slice(0, STATS_PATHS_MAX) };
}

export function logStore({ sqlite, clock }: Pick<Services, "sqlite" | "clock">) {
  const listOf = <Row>(total: number, data: Row[], page: PageRequest) => ({
    ...pageOf(data.length, total, page),
    warnings: ifEmpty(
      data,
      "nothing_there",
      "No row of the last 7 days matches, or the page lies behind the last one.",
    ),
    data,
  });
  const errorRow = (
    { stack, ...row }: typeof error_log.$inferSelect,
    isAdmin: boolean,
  ): Static<typeof ErrorRow> => (isAdmin ? { ...row, stack } : row);

  return {
    requests(query: Static<typeof RequestsQuery>) {
      const where = requestConditions(query);
      const { limit = 100, offset = 0 } = query;
      return sqlite.use((db) => {
        const total = db.select({ n: count() }).from(request_log).where(where).get()?.n ?? 0;
        const newest = db.select().from(request_log).where(where).orderBy(desc(request_log.id));
        return listOf(total, newest.limit(limit).offset(offset).all(), { limit, offset });
      });
    },

    stats(hours: number): Static<typeof RequestStats> {
      const since = instantText(clock.nowMs() - hours * 3_600_000);
      const rows = sqlite.use((db) =>
        db.all<PathCount>(sql`SELECT path, status_code, duration_ms, count(*) AS n
          FROM (SELECT path, status_code, duration_ms FROM request_log WHERE timestamp >= ${since}
            ORDER BY id DESC LIMIT ${STATS_ROWS_MAX})
          GROUP BY path, status_code, duration_ms`),
      );
      const counted = statsOf(rows);
      return { hours, truncated: counted.total >= STATS_ROWS_MAX, ...counted };
    },

    errors(query: Static<typeof ErrorsQuery>, isAdmin: boolean) {
      const where = errorConditions(query);
      const { limit = 100, offset = 0 } = query;
      return sqlite.use((db) => {
        const total = db.select({ n: count() }).from(error_log).where(where).get()?.n ?? 0;
        const newest = db.select().from(error_log).where(where).orderBy(desc(error_log.id));
        const rows = newest.limit(limit).offset(offset).all();
        return listOf(
          total,
          rows.map((row) => errorRow(row, isAdmin)),
          { limit, offset },
        );
      });
    },

    error(id: number, isAdmin: boolean): Static<typeof ErrorRow> {
      const row = sqlite.use((db) => db.select().from(error_log).where(eq(error_log.id, id)).get());
      if (!row) throw new NotFound("not_found", `There is no error ${id}; errors are kept for 7 days.`);
      return errorRow(row, isAdmin);
    },
  };
}
