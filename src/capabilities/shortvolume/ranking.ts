// The symbols of one day, ranked; the top symbols with their closes.

import type { Static } from "@sinclair/typebox";
import { ifEmpty } from "../../market/absence.ts";
import { pageOf } from "../../market/answer-fields.ts";
import type { Calendar } from "../../market/calendar.ts";
import { asOfInstant } from "../../market/known-at.ts";
import { NotFound, NotRead } from "../../platform/errors.ts";
import type { TopQuery } from "./schema.ts";
import { ALL_FACILITIES, FIRST_FILE_DATE } from "./sources.ts";
import type { ShortVolumeStore } from "./store.ts";

export type DayRequest = Omit<Static<typeof TopQuery>, "format">;

const DAY_LIMIT = 1_000;
const TOP_LIMIT = 50;
// Without it, 90 of 100 shares sold short would come before 8 million of 10 million.
const TOP_VOLUME_MIN = 100_000;
const HINT =
  "GET /api/v1/shortvolume/status shows which days are stored; POST /api/v1/shortvolume/admin/ingest stores more.";

export function rankings({ store, calendar }: { store: ShortVolumeStore; calendar: Calendar }) {
  /** Why FINRA has no file of a day; null where it has one, or will. */
  const neverPublished = (date: string): string | null => {
    if (date < FIRST_FILE_DATE) return `FINRA's files begin on ${FIRST_FILE_DATE}; ${date} is earlier.`;
    if (calendar.covers(date) && !calendar.isSession(date))
      return `${date} is not a trading day of the exchanges.`;
    return null;
  };
  const dayOf = async (requested: string | undefined, asOf: Temporal.Instant | null): Promise<string> => {
    const files = await store.files(ALL_FACILITIES, asOf);
    const date = requested ?? files.at(-1)?.date;
    if (date !== undefined && files.some((file) => file.date === date)) return date;
    const never = date === undefined ? null : neverPublished(date);
    if (never !== null) throw new NotFound("no_data", never, { hint: HINT });
    throw new NotRead(
      date === undefined ? "No short volume is stored." : `No short volume of ${date} is stored.`,
      {
        hint: HINT,
      },
    );
  };
  const ranked = async (
    request: DayRequest,
    limitDefault: number,
    volumeMin: number,
    signal: AbortSignal,
  ) => {
    const asOf = asOfInstant(request.as_of);
    const date = await dayOf(request.date, asOf);
    const { limit = limitDefault, offset = 0, sort_by: sortBy = "short_volume_ratio" } = request;
    const minTotalVolume = request.min_total_volume ?? volumeMin;
    const descending = request.sort_order !== "asc";
    const { total, rows } = await store.ranked(
      { date, limit, offset, minTotalVolume, sortBy, descending },
      asOf,
      signal,
    );
    const warnings = ifEmpty(
      rows,
      "nothing_there",
      `No line of the file of ${date} matches, or none is on this page.`,
    );
    return { date, asOf, rows, page: { ...pageOf(rows.length, total, { limit, offset }), warnings } };
  };
  /** Adds the close of the day and the change from the session before; null where no price is stored. */
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
    async byDate(request: DayRequest & { date: string }, signal: AbortSignal) {
      const { rows, page } = await ranked(request, DAY_LIMIT, 0, signal);
      return { ...page, data: rows };
    },

    async top(request: DayRequest, signal: AbortSignal) {
      const { date, asOf, rows, page } = await ranked(request, TOP_LIMIT, TOP_VOLUME_MIN, signal);
      return { date, ...page, data: await withCloses(rows, date, asOf, signal) };
    },
  };
}

export type Rankings = ReturnType<typeof rankings>;
