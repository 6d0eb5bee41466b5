// The share of each day's news that matches a query.

import { fetchDecoded } from "../../../platform/upstream/decode.ts";
import { isFields } from "../../../platform/upstream/json-place.ts";
import type { Upstream, UpstreamAnswer } from "../../../platform/upstream/policy.ts";
import { GDELT_HOST } from "../policy.ts";
import { bodyOf, changed, instantOf } from "../wire.ts";

export interface DayVolume {
  /** A UTC day. */
  readonly date: string;
  /** Percent of all articles the archive saw that day. */
  readonly value: number;
}

export interface NewsVolume {
  /** Ascending by date, completed days only. */
  readonly days: readonly DayVolume[];
  readonly received_at: Temporal.Instant;
}

const SERIES = /^volume intensity$/i;
/** For spans of up to this many days the archive answers hour by hour. */
// For the days from 8 to 10 May it is asked from 2 May on, and answers by days.
const HOURLY_DAYS_MAX = 7;

/** Reads a daily answer; `{}` means no articles. Throws UpstreamRefused, UpstreamFailed. */
export function readVolume(answer: UpstreamAnswer): NewsVolume {
  const body = bodyOf(answer);
  // Nothing found is an empty object, or one with only the query details.
  if (body.timeline === undefined && Object.keys(body).some((key) => key !== "query_details"))
    throw changed("timeline should be a list");
  const { timeline = [], query_details } = body;
  const resolution = isFields(query_details) ? query_details.date_resolution : undefined;
  if (resolution !== undefined && resolution !== "day") throw changed("the timeline should be by days");
  if (!Array.isArray(timeline)) throw changed("timeline should be a list");
  const series = timeline.filter(isFields).find((one) => SERIES.test(String(one.series)));
  if (timeline.length > 0 && !(series && Array.isArray(series.data)))
    throw changed("timeline should have the series Volume Intensity");
  const today = answer.receivedAt.toString().slice(0, 10);
  const points: readonly unknown[] = series && Array.isArray(series.data) ? series.data : [];
  const days = points.map((point) => {
    const at = isFields(point) ? instantOf(point.date).toString() : "";
    const value = isFields(point) ? point.value : undefined;
    if (!at.endsWith("T00:00:00Z")) throw changed("a day of the timeline should begin at midnight");
    if (typeof value !== "number" || !(value >= 0)) throw changed("a day's value should be a number from 0");
    return { date: at.slice(0, 10), value };
  });
  if (new Set(days.map(({ date }) => date)).size !== days.length)
    throw changed("no day should be there twice");
  const over = days.filter(({ date }) => date < today).sort((a, b) => (a.date < b.date ? -1 : 1));
  return { days: over, received_at: answer.receivedAt };
}

/**
 * Fetches the daily volume from `start` to `end`, both inclusive. Widens short spans so that the archive
 * answers by days.
 */
export async function askVolume(
  upstream: Upstream,
  query: string,
  { start, end }: { readonly start: string; readonly end: string },
  signal?: AbortSignal,
): Promise<NewsVolume> {
  const wide = Temporal.PlainDate.from(end)
    .subtract({ days: HOURLY_DAYS_MAX + 1 })
    .toString();
  const from = wide < start ? wide : start;
  const params = new URLSearchParams({
    query,
    mode: "timelinevol",
    format: "json",
    startdatetime: `${from.replaceAll("-", "")}000000`,
    enddatetime: `${end.replaceAll("-", "")}235959`,
  });
  const url = `https://${GDELT_HOST}/api/v2/doc/doc?${params}`;
  const { days, received_at } = await fetchDecoded(upstream, { url, signal }, readVolume);
  return { days: days.filter(({ date }) => date >= start && date <= end), received_at };
}
