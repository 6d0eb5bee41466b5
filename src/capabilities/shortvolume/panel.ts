// The panel: pages of JSON by place, or the whole range as a stream whose pieces are made one after the other.

import { barsDaily } from "../../datasets/bars-daily.ts";
import { corporateActions } from "../../datasets/corporate-actions.ts";
import { finraFiles } from "../../datasets/finra-files.ts";
import {
  DELISTED_AFTER_DAYS,
  DELISTED_FILES_MIN,
  panelMetadata,
  panelSelect,
  tradingSelect,
} from "../../datasets/pit-panel.ts";
import { shortVolume } from "../../datasets/short-volume.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { addDays, earlierDay } from "../../market/date.ts";
import type { Clock } from "../../platform/clock.ts";
import { literal } from "../../platform/lake/dataset.ts";
import { streamOfFile, type TemporaryFile } from "../../platform/lake/file-stream.ts";
import type { CopyFormat, Lake } from "../../platform/lake/lake.ts";
import { concatStreams } from "./concat-streams.ts";
import type { PanelAsk, PanelPlace } from "./cursor.ts";
import type { DayRange } from "./range.ts";
import { READ_AHEAD_ROWS, readAhead } from "./read-ahead.ts";
import { ALL_FACILITIES, FIRST_FILE_DATE } from "./sources.ts";
import { dateSql, momentSql, type ShortVolumeStore, type StoredFile } from "./store.ts";

/** One row of the panel. */
export interface PanelRow {
  readonly date: string;
  readonly symbol: string;
  readonly short_volume: number;
  readonly short_exempt_volume: number | null;
  readonly total_volume: number;
  readonly short_volume_ratio: number | null;
  readonly adj_close: number | null;
  readonly adj_close_source: string | null;
  readonly is_delisted: boolean | null;
}

/** Rows joined at a time: some three months of the whole market, so that neither memory nor disk grows with the range. */
const PIECE_ROWS = 750_000;

const asOfOf = ({ asOf }: PanelAsk) => (asOf === null ? null : Temporal.Instant.from(asOf));

interface FileRows {
  readonly date: string;
  readonly rows: number;
}

/** The first of `files` that hold at least `rows` together, from place `from`; how many they are. */
function enough(files: readonly FileRows[], from: number, rows: number): number {
  let count = 0;
  for (let sum = 0; from + count < files.length && sum < rows; count++) sum += files[from + count]?.rows ?? 0;
  return Math.max(1, count);
}

/** The range in pieces of whole days of about `PIECE_ROWS` rows. */
function piecesOf(range: DayRange, files: readonly FileRows[]): DayRange[] {
  const pieces: DayRange[] = [];
  for (let at = 0; at < files.length; ) {
    const count = enough(files, at, PIECE_ROWS);
    const [first, last] = [files[at]?.date, files[Math.min(at + count, files.length) - 1]?.date];
    if (first && last) pieces.push({ start: first, end: last });
    at += count;
  }
  return pieces.length > 0 ? pieces : [range];
}

/** Leaves the first line of a stream out. */
function withoutFirstLine(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let isPast = false;
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (isPast) return controller.enqueue(chunk);
        const end = chunk.indexOf(10);
        if (end < 0) return;
        isPast = true;
        if (end + 1 < chunk.byteLength) controller.enqueue(chunk.subarray(end + 1));
      },
    }),
  );
}

/** The newest day that counts, and whether the files up to it are enough to say who is gone. */
function recentOf(files: readonly StoredFile[], newest: string, asOf: Temporal.Instant | null) {
  const to = asOf ? earlierDay(newest, newYorkDate(asOf)) : newest;
  const from = addDays(to, 1 - DELISTED_AFTER_DAYS);
  const enough = files.filter(({ date }) => date >= from && date <= to).length >= DELISTED_FILES_MIN;
  return { from, to, enough };
}

const versionsSql = (files: readonly StoredFile[]) =>
  files.length === 0
    ? "(SELECT NULL::DATE AS date, NULL::TIMESTAMPTZ AS known_at WHERE false)"
    : `(SELECT * FROM (VALUES ${files.map(({ date, known_at }) => `(${dateSql(date)}, TIMESTAMPTZ ${literal(known_at)})`).join(", ")}) t(date, known_at))`;

/** What is known when a panel is asked for: one look for all its pieces. */
interface PanelSnapshot extends ReturnType<typeof panelMetadata> {
  readonly ask: PanelAsk;
  /** The day in New York. */
  readonly today: string;
  readonly recent: ReturnType<typeof recentOf>;
  /** Relation of the symbols of the recent files; undefined where the query had better read those it needs. */
  readonly trading: string | undefined;
  /** The newest versions known, all days, oldest first. */
  readonly files: readonly StoredFile[];
}

function selectOf(snapshot: PanelSnapshot, range: DayRange, after: PanelPlace | null): string {
  const { ask, files, today, oldestBasis, recent, trading } = snapshot;
  const asOf = asOfOf(ask);
  const isRestOfDay = after !== null && range.start === range.end && after.date === range.start;
  const select = panelSelect({
    start: dateSql(range.start),
    end: dateSql(range.end),
    symbols: ask.symbols ?? undefined,
    after: isRestOfDay ? after.symbol : undefined,
    known: asOf ? `known_at <= TIMESTAMPTZ ${momentSql(asOf)}` : "true",
    today: dateSql(asOf ? earlierDay(today, newYorkDate(asOf)) : today),
    oldestBasis,
    versions: versionsSql(files.filter(({ date }) => date >= range.start && date <= range.end)),
    recentFrom: dateSql(recent.from),
    recentTo: dateSql(recent.to),
    enough: String(recent.enough),
    trading,
    readOnce: true,
  });
  const conditions = [
    ...(ask.minTotalVolume > 0 ? [`total_volume >= ${ask.minTotalVolume}`] : []),
    ...(after && !isRestOfDay
      ? [`(date > ${dateSql(after.date)} OR symbol > ${literal(after.symbol)})`]
      : []),
  ];
  const where = conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : "";
  return `SELECT * FROM (${select}) ${where} ORDER BY date, symbol`;
}

export function panelReader({ lake, store, clock }: { lake: Lake; store: ShortVolumeStore; clock: Clock }) {
  const readAheadRows = readAhead<PanelRow>();
  const look = async (ask: PanelAsk): Promise<PanelSnapshot> => {
    const files = await store.files(ALL_FACILITIES, asOfOf(ask));
    const facts = panelMetadata(lake.metadata());
    const recent = recentOf(files, facts.newestDay ?? FIRST_FILE_DATE, asOfOf(ask));
    return { ask, files, today: newYorkDate(clock.now()), recent, trading: undefined, ...facts };
  };
  /** Reads with who trades now at hand, for single queries of all symbols; those of another moment read that themselves. */
  const withTrading = async <T>(
    snapshot: PanelSnapshot,
    read: (seen: PanelSnapshot) => Promise<T>,
  ): Promise<T> => {
    const { ask, recent } = snapshot;
    if (ask.asOf !== null || ask.symbols !== null) return read(snapshot);
    const select = tradingSelect(dateSql(recent.from), dateSql(recent.to), "true");
    return lake.materialize(await lake.version(shortVolume), select, (trading) =>
      read({ ...snapshot, trading }),
    );
  };
  const within = ({ files }: PanelSnapshot, { start, end }: DayRange) =>
    files.filter(({ date }) => date >= start && date <= end);

  /** Pieces put together to one Parquet file, in their order. */
  const joined = async (
    ranges: readonly DayRange[],
    write: (range: DayRange) => Promise<TemporaryFile>,
    signal: AbortSignal,
  ) => {
    const pieces: TemporaryFile[] = [];
    try {
      for (const range of ranges) pieces.push(await write(range));
      const paths = pieces.map(({ path }) => literal(path)).join(", ");
      return await lake.copyOut(`SELECT * FROM read_parquet([${paths}])`, {}, "parquet", { signal });
    } finally {
      for (const piece of pieces) await piece.discard();
    }
  };

  return {
    /** Up to `limit` rows after a place, and whether there are more. */
    async page(ask: PanelAsk, after: PanelPlace | null, limit: number, signal: AbortSignal) {
      const version = await lake.version(shortVolume, finraFiles, barsDaily, corporateActions);
      const left = after ? readAheadRows.of(ask, after, version) : undefined;
      const rows: PanelRow[] = left ? [...left.rows] : [];
      const place = left ? (left.rows.at(-1) ?? after) : after;
      const isDayOver = left?.isDayOver ?? false;
      const range = place ? { start: isDayOver ? addDays(place.date, 1) : place.date, end: ask.end } : ask;
      const snapshot = await look(ask);
      const files = rows.length > limit ? [] : within(snapshot, range);
      let isWhole = left?.isDayOver ?? true;
      const readFiles = async (seen: PanelSnapshot) => {
        let wanted = limit + 1 - rows.length;
        for (let at = 0; at < files.length && rows.length <= limit; ) {
          // Of chosen symbols a day has few rows, so all days are read at once; else as few as will do. The day of the
          // place has fewer rows left than its file, and a filter leaves fewer still: then more days are read at a time.
          const isFirstOfMore = place !== null && !isDayOver && at === 0;
          const count = ask.symbols
            ? files.length
            : enough(files, at, wanted + (isFirstOfMore ? (files[0]?.rows ?? 0) : 0));
          const [first, last] = [
            files[at]?.date ?? "",
            files[Math.min(at + count, files.length) - 1]?.date ?? "",
          ];
          const from = isFirstOfMore && first === place.date ? place : null;
          const sql = selectOf(seen, { start: first, end: last }, from);
          const most = limit + 1 - rows.length + READ_AHEAD_ROWS;
          const found = await lake.query<PanelRow>(`${sql} LIMIT ${most}`, {}, { signal });
          rows.push(...found);
          isWhole = found.length < most;
          at += count;
          wanted *= 2;
        }
      };
      if (files.length > 0) await withTrading(snapshot, readFiles);
      const given = rows.slice(0, limit);
      const last = given.at(-1);
      if (last && rows.length > limit)
        readAheadRows.keep(ask, last, version, { rows: rows.slice(limit), isDayOver: isWhole });
      return { rows: given, more: rows.length > limit };
    },

    /** The whole range; resolves when its first piece is written. */
    async stream(
      ask: PanelAsk,
      format: CopyFormat,
      signal: AbortSignal,
    ): Promise<ReadableStream<Uint8Array>> {
      const snapshot = await look(ask);
      const ranges = ask.symbols ? [ask] : piecesOf(ask, within(snapshot, ask));
      const write = (range: DayRange, seen = snapshot) =>
        lake.copyOut(selectOf(seen, range, null), {}, format, { signal });
      const [first = ask, ...rest] = ranges;
      if (rest.length === 0) return streamOfFile(await withTrading(snapshot, (seen) => write(first, seen)));
      if (format === "parquet") return streamOfFile(await joined(ranges, write, signal));
      const begun = streamOfFile(await write(first));
      return concatStreams(begun, rest, async (range) => {
        const next = streamOfFile(await write(range));
        return format === "csv" ? withoutFirstLine(next) : next;
      });
    },
  };
}

export type PanelReader = ReturnType<typeof panelReader>;
