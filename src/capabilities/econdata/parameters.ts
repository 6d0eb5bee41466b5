// Translates a client's query into a request to the provider; a past as_of becomes a real-time period.
import { endOfDay, newYorkDate } from "../../market/calendar.ts";
import { addDays } from "../../market/date.ts";
import { asOfInstant } from "../../market/known-at.ts";
import { InvalidFields, InvalidRequest } from "../../platform/errors.ts";
import { ORDERS_OF_TODAY } from "./known-then.ts";
import { ForwardedQuery, type ProxyQuery } from "./schema.ts";
import type { SourceEndpoint } from "./sources.ts";
import type { Span } from "./vintages.ts";

/** A request for the levels of one series, which can be stored and answered from the store. */
export interface Levels {
  readonly seriesId: string;
  readonly span: Span;
  /**
   * Which part of the answer may be stored: the present, or every vintage from a day up to the present. A
   * period that ends in the past is not stored, because it would replace what was seen since.
   */
  readonly stores: "present" | "vintages" | null;
  /** The requested order and page; null when the store cannot answer this kind of request. */
  readonly page: { readonly descending: boolean; readonly limit: number; readonly offset: number } | null;
}

export interface ProviderRequest {
  readonly endpoint: SourceEndpoint;
  readonly params: Readonly<Record<string, string>>;
  /** The cache key of the answer. */
  readonly key: string;
  readonly asOf: string | null;
  /** The requested instant in the past, epoch milliseconds; null: now. */
  readonly atMs: number | null;
  readonly levels: Levels | null;
}

export const OPEN_START = "0001-01-01";
export const OPEN_END = "9999-12-31";
const OBSERVATIONS_MAX = 100_000;

function requireNeeded({ needs }: SourceEndpoint, params: Readonly<Record<string, string>>): void {
  const missing = needs.filter((name) => params[name] === undefined);
  if (missing.length > 0)
    throw new InvalidFields(
      missing.map((name) => ({ type: "missing", loc: ["query", name], msg: "Field required" })),
    );
}

function refuseReversed(params: Readonly<Record<string, string>>): void {
  for (const kind of ["realtime", "observation"]) {
    const [start, end] = [params[`${kind}_start`], params[`${kind}_end`]];
    if (start !== undefined && end !== undefined && end < start)
      throw new InvalidRequest("invalid_date_range", `${kind}_end is earlier than ${kind}_start.`);
  }
}

/** The instant of `as_of`, epoch milliseconds; null when it is not in the past. Throws InvalidRequest. */
function pastMs(endpoint: SourceEndpoint, query: ProxyQuery, nowMs: number): number | null {
  if (query.as_of === undefined) return null;
  if (query.realtime_start ?? query.realtime_end ?? query.vintage_dates)
    throw new InvalidRequest(
      "conflicting_time_selection",
      "Give only one of as_of, realtime_start with realtime_end, or vintage_dates.",
    );
  if (endpoint.realTime === "none")
    throw new InvalidRequest("bad_request", `${endpoint.name} has no history: leave as_of out.`);
  const atMs = asOfInstant(query.as_of).epochMilliseconds;
  if (atMs >= nowMs) return null;
  if (ORDERS_OF_TODAY.has(query.order_by ?? ""))
    throw new InvalidRequest("bad_request", `${query.order_by} has no history: order by another field.`);
  return atMs;
}

/** The last New York day that had ended by `atMs`: everything released on it was certainly known. */
function dayKnownBy(atMs: number): string {
  const day = newYorkDate(Temporal.Instant.fromEpochMilliseconds(atMs));
  return atMs >= endOfDay(day).epochMilliseconds ? day : addDays(day, -1);
}

/** First day of FRED's real-time periods. */
const FIRST_DAY = "1776-07-04";

function realTimeOf(endpoint: SourceEndpoint, atMs: number | null, today: string): Record<string, string> {
  if (atMs === null) return {};
  const day = dayKnownBy(atMs);
  // When New York's day ends, that day may still be today in Chicago; FRED answers for today by default.
  if (day >= today) return {};
  // Sent explicitly, because FRED's default start for release dates is the beginning of this year.
  return { realtime_start: endpoint.realTime === "end" ? FIRST_DAY : day, realtime_end: day };
}

function levelsOf(
  { name }: SourceEndpoint,
  params: Readonly<Record<string, string>>,
  query: ProxyQuery,
  today: string,
): Levels | null {
  const { series_id, units = "lin", frequency, output_type = "1", vintage_dates } = params;
  const isPlain = units === "lin" && output_type === "1" && !frequency && !vintage_dates;
  if (name !== "series/observations" || series_id === undefined || !isPlain) return null;
  const { realtime_start: from = today, realtime_end: to = today } = params;
  const hasPage = !query.realtime_start && !query.realtime_end;
  const isByDate = (query.order_by ?? "observation_date") === "observation_date";
  return {
    seriesId: series_id.trim().toUpperCase(),
    span: { start: params.observation_start ?? OPEN_START, end: params.observation_end ?? OPEN_END },
    stores: to < today ? null : from < today ? "vintages" : "present",
    page:
      hasPage && isByDate
        ? {
            descending: query.sort_order === "desc",
            limit: query.limit ?? OBSERVATIONS_MAX,
            offset: query.offset ?? 0,
          }
        : null,
  };
}

/**
 * The request to the provider for a query. `today` is the provider's day. Throws InvalidFields for a missing
 * parameter and InvalidRequest for a contradiction, so that neither uses one of the day's calls.
 */
export function providerRequest(
  endpoint: SourceEndpoint,
  query: ProxyQuery,
  now: { readonly today: string; readonly ms: number },
): ProviderRequest {
  const given = Object.keys(ForwardedQuery).flatMap((name) => {
    const value = query[name as keyof typeof ForwardedQuery];
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  const atMs = pastMs(endpoint, query, now.ms);
  const params = { ...Object.fromEntries(given), ...realTimeOf(endpoint, atMs, now.today) };
  requireNeeded(endpoint, params);
  refuseReversed(params);
  const sorted = Object.entries(params).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    endpoint,
    params,
    key: `${endpoint.name}?${new URLSearchParams(sorted)}`,
    asOf: query.as_of ?? null,
    atMs,
    levels: levelsOf(endpoint, params, query, now.today),
  };
}
