// Usage of the economic data: the day's quota, and the calls of the last days.
import { and, gte, like, lt, sql } from "drizzle-orm";
import { ECONDATA_CALLS_PER_DAY } from "../../limits.ts";
import { addDays } from "../../market/date.ts";
import type { Services } from "../../market/services.ts";
import { instantText } from "../../platform/instant-text.ts";
import { request_log } from "../../platform/sqlite/tables.ts";
import { type DayOfCalls, ECON_ZONE, type EconMeter } from "./meter.ts";
import type { UsageAnswer } from "./schema.ts";

const PROXY_PATH = "/api/v1/econdata/proxy/";

type Counts = Omit<DayOfCalls, "records"> & { readonly records: number | null };

const startOf = (day: string): string =>
  instantText(
    Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: ECON_ZONE }).startOfDay().epochMilliseconds,
  );

/** Requests to the proxy on one of the provider's days, by endpoint; other paths are left out. */
function requestsOn(sqlite: Services["sqlite"], day: string, endpoints: ReadonlySet<string>): Counts[] {
  const rows = sqlite.use((db) =>
    db
      .select({
        path: request_log.path,
        calls: sql<number>`count(*)`,
        successes: sql<number>`sum(${request_log.status_code} < 400)`,
      })
      .from(request_log)
      .where(
        and(
          gte(request_log.timestamp, startOf(day)),
          lt(request_log.timestamp, startOf(addDays(day, 1))),
          like(request_log.path, `${PROXY_PATH}%`),
        ),
      )
      .groupBy(request_log.path)
      .all(),
  );
  return rows.flatMap(({ path, calls, successes }) => {
    const endpoint = path.slice(PROXY_PATH.length).replace(/\/$/, "");
    return endpoints.has(endpoint) ? [{ day, endpoint, calls, successes, records: null }] : [];
  });
}

const percent = (part: number, whole: number): number => Math.round((part / whole) * 10_000) / 100;

function dayRow(date: string, counts: readonly Counts[], knowsRecords: boolean) {
  const sum = (read: (c: Counts) => number) => counts.reduce((total, c) => total + read(c), 0);
  const total_calls = sum((c) => c.calls);
  const successful_calls = sum((c) => c.successes);
  return {
    date,
    total_calls,
    successful_calls,
    total_records: knowsRecords ? sum((c) => c.records ?? 0) : null,
    success_rate: total_calls === 0 ? null : percent(successful_calls, total_calls),
  };
}

function endpointRows(counts: readonly Counts[]) {
  const totals = new Map<string, number>();
  for (const { endpoint, calls } of counts) totals.set(endpoint, (totals.get(endpoint) ?? 0) + calls);
  return [...totals]
    .map(([endpoint, call_count]) => ({ endpoint, call_count }))
    .sort((a, b) => b.call_count - a.call_count || (a.endpoint < b.endpoint ? -1 : 1));
}

export interface UsageDeps extends Pick<Services, "sqlite"> {
  readonly meter: EconMeter;
  readonly configured: boolean;
  readonly endpoints: readonly string[];
  flushLogs(): void;
}

export function econUsage({ meter, sqlite, configured, endpoints, flushLogs }: UsageDeps) {
  const known = new Set(endpoints);
  return (days: number, ofProxy: boolean): UsageAnswer => {
    const { day: today, used, allowed } = meter.state();
    const dates = Array.from({ length: days }, (_, back) => addDays(today, -back));
    if (!ofProxy) flushLogs();
    const counts: Counts[] = ofProxy
      ? meter.since(dates.at(-1) ?? today)
      : dates.flatMap((day) => requestsOn(sqlite, day, known));
    const byDay = Map.groupBy(counts, (c) => c.day);
    return {
      success: true,
      data: {
        daily_limit: ECONDATA_CALLS_PER_DAY,
        used_today: used,
        remaining_today: Math.max(0, ECONDATA_CALLS_PER_DAY - used),
        usage_percentage: percent(used, ECONDATA_CALLS_PER_DAY),
        can_make_requests: configured && allowed,
        daily_stats: dates.map((date) => dayRow(date, byDay.get(date) ?? [], ofProxy)),
        endpoint_stats: endpointRows(counts),
        proxy_info: { mode: "direct", supported_endpoints: [...endpoints] },
      },
    };
  };
}
