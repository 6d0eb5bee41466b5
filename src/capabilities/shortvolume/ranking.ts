// All symbols of one day, ranked; the first of them with their closes.
import type { Calendar } from "../../market/calendar.ts";
import { NotFound } from "../../platform/errors.ts";
import { asOfInstant } from "./range.ts";
import { ALL_FACILITIES, FIRST_FILE_DATE } from "./sources.ts";
import type { RankAsk, ShortVolumeStore } from "./store.ts";

export interface DayAsk {
  readonly date?: string | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly min_total_volume?: number | undefined;
  readonly sort_by?: RankAsk["sortBy"] | undefined;
  readonly sort_order?: "asc" | "desc" | undefined;
  readonly as_of?: string | undefined;
}

const DAY_LIMIT = 1_000;
const TOP_LIMIT = 50;
const TOP_VOLUME_MIN = 100_000;

export function rankings({ store, calendar }: { store: ShortVolumeStore; calendar: Calendar }) {
  /** Why there is nothing for a day. */
  const absent = (date: string) => {
    if (date < FIRST_FILE_DATE)
      return `FINRA keeps these files from ${FIRST_FILE_DATE} on; ${date} is before.`;
    if (calendar.covers(date) && !calendar.isSession(date)) return `${date} is no session of the exchanges.`;
    return `No short volume of ${date} is stored.`;
  };
  const dayOf = async (asked: string | undefined, asOf: Temporal.Instant | null): Promise<string> => {
    const files = await store.files(ALL_FACILITIES, asOf);
    const date = asked ?? files.at(-1)?.date;
    if (date !== undefined && files.some((file) => file.date === date)) return date;
    throw new NotFound("no_data", date === undefined ? "No short volume is stored." : absent(date), {
      hint: "GET /api/v1/shortvolume/status shows which days are; POST /api/v1/shortvolume/admin/ingest takes them in.",
    });
  };
  const ranked = async (ask: DayAsk, limitDefault: number, volumeMin: number, signal: AbortSignal) => {
    const asOf = asOfInstant(ask.as_of);
    const date = await dayOf(ask.date, asOf);
    const { limit = limitDefault, offset = 0, sort_by: sortBy = "short_volume_ratio" } = ask;
    const minTotalVolume = ask.min_total_volume ?? volumeMin;
    const descending = ask.sort_order !== "asc";
    const { total, rows } = await store.ranked(
      { date, limit, offset, minTotalVolume, sortBy, descending },
      asOf,
      signal,
    );
    const envelope = { count: rows.length, total, limit, offset, has_more: offset + rows.length < total };
    return { date, asOf, rows, envelope };
  };
  /** Close of the day and change against the session before, each null where no price is stored. */
  const withCloses = async <T extends { symbol: string }>(
    rows: readonly T[],
    date: string,
    asOf: Temporal.Instant | null,
    signal: AbortSignal,
  ) => {
    const before = calendar.previousSession(date);
    const symbols = rows.map(({ symbol }) => symbol);
    const found = symbols.length === 0 ? [] : await store.closes(symbols, [before, date], asOf, signal);
    const closes = new Map(found.map((bar) => [`${bar.symbol} ${bar.date}`, bar.close]));
    return rows.map((row) => {
      const close = closes.get(`${row.symbol} ${date}`) ?? null;
      const previous = closes.get(`${row.symbol} ${before}`) ?? null;
      const change_percent = close !== null && previous ? (close / previous - 1) * 100 : null;
      return { ...row, close, change_percent };
    });
  };

  return {
    async byDate(ask: DayAsk & { date: string }, signal: AbortSignal) {
      const { rows, envelope } = await ranked(ask, DAY_LIMIT, 0, signal);
      return { ...envelope, data: rows };
    },

    async top(ask: DayAsk, signal: AbortSignal) {
      const { date, asOf, rows, envelope } = await ranked(ask, TOP_LIMIT, TOP_VOLUME_MIN, signal);
      return { date, ...envelope, data: await withCloses(rows, date, asOf, signal) };
    },
  };
}

export type Rankings = ReturnType<typeof rankings>;
