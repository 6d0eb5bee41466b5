// Compares a symbol's newest ratio with its last sessions.
import type { Calendar } from "../../market/calendar.ts";
import { asOfInstant } from "../../market/known-at.ts";
import { canonical } from "../../market/ticker.ts";
import { NotFound, NotRead } from "../../platform/errors.ts";
import type { VolumeRow } from "./schema.ts";
import { ALL_FACILITIES, FIRST_FILE_DATE } from "./sources.ts";
import type { ShortVolumeStore } from "./store.ts";

/** Sessions of the two averages, and the minimum number with a known ratio. */
// With two of five sessions known `avg_ratio_5d` is null, with three it is their mean.
const SHORT_WINDOW = { sessions: 5, knownMin: 3 } as const;
const LONG_WINDOW = { sessions: 20, knownMin: 10 } as const;
const DAYS_DEFAULT = 20;
const HINT =
  "POST /api/v1/shortvolume/admin/ingest stores days; GET /api/v1/shortvolume/status shows which are stored.";

/** Rounds to fifteen digits, which removes the noise of adding binary fractions. */
const roundOff = (value: number) => Number(value.toPrecision(15));

/**
 * Computed from differences to the first value: equal values then have exactly their own mean and a deviation
 * of 0.
 */
function mean(values: readonly number[]): number {
  const [first = 0] = values;
  return first + values.reduce((sum, v) => sum + (v - first), 0) / values.length;
}

/** Sample standard deviation; null for fewer than two values. */
function deviation(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const middle = mean(values);
  return Math.sqrt(values.reduce((sum, v) => sum + (v - middle) ** 2, 0) / (values.length - 1));
}

/**
 * Figures of the newest sessions. `sessions` are their days, newest first. A session counts as unknown, never
 * as 0, if its file is not stored or if the symbol has no line or no volume in it. Pure.
 */
// Made up: of five sessions three have 0.4, 0.6 and 0.8, two have no file: a mean of 0.6, not 0.36.
export function summarise(rows: readonly VolumeRow[], sessions: readonly string[], days: number) {
  const byDate = new Map(rows.map((row) => [row.date, row]));
  const ratios = (window: { sessions: number; knownMin: number }) => {
    const known = sessions
      .slice(0, window.sessions)
      .flatMap((date) => byDate.get(date)?.short_volume_ratio ?? []);
    return known.length >= window.knownMin ? known : null;
  };
  const [short, long] = [ratios(SHORT_WINDOW), ratios(LONG_WINDOW)];
  const spread = long && deviation(long);
  const newest = byDate.get(sessions[0] ?? "")?.short_volume_ratio ?? null;
  const summed = sessions.slice(0, days).flatMap((date) => byDate.get(date) ?? []);
  const total = (of: "short_volume" | "total_volume") =>
    summed.length === 0 ? null : roundOff(summed.reduce((sum, row) => sum + row[of], 0));
  return {
    short_volume_ratio: newest,
    avg_ratio_5d: short && mean(short),
    avg_ratio_20d: long && mean(long),
    zscore_20d: newest !== null && long && spread ? (newest - mean(long)) / spread : null,
    total_short_volume: total("short_volume"),
    total_volume: total("total_volume"),
    days: summed.length,
  };
}

export function summaries({ store, calendar }: { store: ShortVolumeStore; calendar: Calendar }) {
  return {
    /** Throws NotFound for a symbol without a stored line. */
    async of(
      ticker: string,
      request: { days?: number | undefined; as_of?: string | undefined },
      signal: AbortSignal,
    ) {
      const symbol = canonical(ticker);
      const asOf = asOfInstant(request.as_of);
      const days = request.days ?? DAYS_DEFAULT;
      const reach = Math.max(days, LONG_WINDOW.sessions);
      // Sessions, not files: a day without a stored file is unknown, and no older day replaces it.
      const upTo = (end: string) => calendar.sessionsBetween(FIRST_FILE_DATE, end).slice(-reach).reverse();
      const read = (sessions: readonly string[]) => {
        const [end, start] = [sessions[0], sessions.at(-1)];
        if (!end || !start) return Promise.resolve([]);
        const span = { start, end, facility: ALL_FACILITIES, asOf, limit: sessions.length, descending: true };
        return store.series([symbol], span, signal);
      };
      // Says nothing of files that became public later.
      const then = request.as_of === undefined ? "" : ` that was public as of ${request.as_of}`;
      const sentence = `No stored file of short volume${then} has ${ticker}.`;
      const newest = (await store.files(ALL_FACILITIES, asOf)).at(-1)?.date;
      if (newest === undefined) throw new NotRead(sentence, { ticker, hint: HINT });
      let sessions = newest === undefined ? [] : upTo(newest);
      let rows = await read(sessions);
      // For a symbol that no longer trades, the sessions end with its last line.
      const last = rows[0]?.date ?? (await store.daysOf(symbol, ALL_FACILITIES, asOf, signal))?.end;
      if (last === undefined) throw new NotFound("no_data", sentence, { ticker, hint: HINT });
      if (last !== sessions[0]) {
        sessions = upTo(last);
        rows = await read(sessions);
      }
      return { symbol: ticker, as_of: last, ...summarise(rows, sessions, days) };
    },
  };
}

export type Summaries = ReturnType<typeof summaries>;
