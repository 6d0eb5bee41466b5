// The panel: JSON in pages by cursor, or the whole range as a table that is read in pieces.

import { LRUCache } from "lru-cache";
import { actionCoverage } from "../../datasets/action-coverage.ts";
import { barsDaily } from "../../datasets/bars-daily.ts";
import { barsProvisional } from "../../datasets/bars-provisional.ts";
import { corporateActions } from "../../datasets/corporate-actions.ts";
import { finraFiles } from "../../datasets/finra-files.ts";
import {
  DELISTED_AFTER_DAYS,
  DELISTED_FILES_MIN,
  panelMetadata,
  panelSelect,
  pitPanel,
  tradingSelect,
} from "../../datasets/pit-panel.ts";
import { shortVolume } from "../../datasets/short-volume.ts";
import { newYorkDate } from "../../market/calendar.ts";
import { addDays, earlierDay } from "../../market/date.ts";
import type { Services } from "../../market/services.ts";
import { literal } from "../../platform/lake/dataset.ts";
import type { Lake } from "../../platform/lake/lake.ts";
import { refuseDamage } from "../../platform/reading.ts";
import type { Batch, Table } from "../../platform/table.ts";
import type { PanelPlace, PanelRequest } from "./cursor.ts";
import type { DayRange } from "./range.ts";
import { ALL_FACILITIES, FIRST_FILE_DATE } from "./sources.ts";
import { dateSql, momentSql, type ShortVolumeStore, type StoredFile } from "./store.ts";

/** The rows after a place. */
interface ReadAheadEntry<Row> {
  readonly rows: readonly Row[];
  /** Whether the day of the last row has no further rows. */
  readonly isDayOver: boolean;
}

/** Rows to read beyond a page: about one day of the whole market. */
const READ_AHEAD_ROWS = 12_000;
/** Rows cached for all clients together. */
const CACHED_ROWS_MAX = 100_000;
/** A client that pages through the panel asks for the next page sooner. */
const CACHED_MS = 60_000;

function readAhead<Row>() {
  const cache = new LRUCache<string, ReadAheadEntry<Row>>({
    ttl: CACHED_MS,
    maxSize: CACHED_ROWS_MAX,
    sizeCalculation: ({ rows }) => rows.length,
  });
  const key = ({ end, symbols, minTotalVolume, asOf }: PanelRequest, after: PanelPlace, version: string) =>
    JSON.stringify([version, end, symbols, minTotalVolume, asOf, after.date, after.symbol]);
  return {
    /** The cached rows after a place, read from this version of the lake. */
    get: (request: PanelRequest, after: PanelPlace, version: string) =>
      cache.get(key(request, after, version)),
    set: (request: PanelRequest, after: PanelPlace, version: string, rest: ReadAheadEntry<Row>) =>
      void cache.set(key(request, after, version), rest),
  };
}

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
  readonly backfilled: boolean | null;
  readonly price_status: "settled" | "provisional" | null;
}

/**
 * Rows per piece: some six weeks of the whole market. Memory and disk use do not grow with the range. Pieces
 * of twice as many rows are written a sixth faster and need a third more memory.
 */
const PIECE_ROWS = 350_000;

const instantOf = ({ asOf }: PanelRequest) => (asOf === null ? null : Temporal.Instant.from(asOf));

interface FileRows {
  readonly date: string;
  readonly rows: number;
}

/** The number of `files`, starting at index `from`, that have at least `rows` rows together. */
function filesForRows(files: readonly FileRows[], from: number, rows: number): number {
  let count = 0;
  for (let sum = 0; from + count < files.length && sum < rows; count++) sum += files[from + count]?.rows ?? 0;
  return Math.max(1, count);
}

/** Splits the range into pieces of whole days with about `PIECE_ROWS` rows. */
function piecesOf(range: DayRange, files: readonly FileRows[]): DayRange[] {
  const pieces: DayRange[] = [];
  for (let at = 0; at < files.length; ) {
    const count = filesForRows(files, at, PIECE_ROWS);
    const [first, last] = [files[at]?.date, files[Math.min(at + count, files.length) - 1]?.date];
    if (first && last) pieces.push({ start: first, end: last });
    at += count;
  }
  return pieces.length > 0 ? pieces : [range];
}

/** The recent days that decide whether a symbol is delisted, and whether enough of their files are stored. */
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

/** The state when the panel is requested. All pieces use the same snapshot. */
interface PanelSnapshot extends ReturnType<typeof panelMetadata> {
  readonly request: PanelRequest;
  /** Today in New York. */
  readonly today: string;
  readonly recent: ReturnType<typeof recentOf>;
  /** Table of the symbols in the recent files; undefined if the query should read them itself. */
  readonly trading: string | undefined;
  /** The newest known version of each day's file, oldest first. */
  readonly files: readonly StoredFile[];
}

function selectOf(snapshot: PanelSnapshot, range: DayRange, after: PanelPlace | null): string {
  const { request, files, today, provisionalFrom, oldestBasis, bars, recent, trading } = snapshot;
  const asOf = instantOf(request);
  const hasProvisional = asOf === null && provisionalFrom !== null && range.end >= provisionalFrom;
  const isRestOfDay = after !== null && range.start === range.end && after.date === range.start;
  const select = panelSelect({
    start: dateSql(range.start),
    end: dateSql(range.end),
    symbols: request.symbols ?? undefined,
    after: isRestOfDay ? after.symbol : undefined,
    asOf: asOf ? `TIMESTAMPTZ ${momentSql(asOf)}` : "NULL",
    known: asOf ? `known_at <= TIMESTAMPTZ ${momentSql(asOf)}` : "true",
    today: dateSql(asOf ? earlierDay(today, newYorkDate(asOf)) : today),
    oldestBasis,
    provisionalFrom: hasProvisional ? dateSql(provisionalFrom) : null,
    bars,
    versions: versionsSql(files.filter(({ date }) => date >= range.start && date <= range.end)),
    recentFrom: dateSql(recent.from),
    recentTo: dateSql(recent.to),
    enough: String(recent.enough),
    trading,
    readOnce: true,
  });
  const conditions = [
    ...(request.minTotalVolume > 0 ? [`total_volume >= ${request.minTotalVolume}`] : []),
    ...(after && !isRestOfDay
      ? [`(date > ${dateSql(after.date)} OR symbol > ${literal(after.symbol)})`]
      : []),
  ];
  const where = conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : "";
  return `SELECT * FROM (${select}) ${where} ORDER BY date, symbol`;
}

const PARTS = [shortVolume, finraFiles, barsDaily, barsProvisional, corporateActions, actionCoverage];

/** Names the files that the panel is made of. A panel without the rows of one would be wrong in any row. */
function wholeVersion(lake: Pick<Lake, "version">): Promise<string> {
  refuseDamage();
  return lake.version(PARTS);
}

export function panelReader({
  lake,
  store,
  clock,
}: Pick<Services, "lake" | "clock"> & { readonly store: ShortVolumeStore }) {
  const readAheadRows = readAhead<PanelRow>();
  let lastPiece: Promise<unknown> = Promise.resolve();
  /**
   * Reads the pieces of all tables one at a time. Each has all of the engine's threads, and many answers need
   * the memory of one.
   */
  const inTurn = <T>(write: () => Promise<T>): Promise<T> => {
    const written = lastPiece.then(write);
    lastPiece = written.catch(() => {});
    return written;
  };
  const loadSnapshot = async (request: PanelRequest): Promise<PanelSnapshot> => {
    const files = await store.files(ALL_FACILITIES, instantOf(request));
    const facts = await lake.ofMetadata(panelMetadata);
    const recent = recentOf(files, facts.newestDay ?? FIRST_FILE_DATE, instantOf(request));
    return { request, files, today: newYorkDate(clock.now()), recent, trading: undefined, ...facts };
  };
  /**
   * Runs `read` with a cached table of the symbols that trade now, for a single query of all symbols. A query
   * of another moment, or of chosen symbols, reads them itself.
   */
  const withTrading = async <T>(
    snapshot: PanelSnapshot,
    read: (snapshot: PanelSnapshot) => Promise<T>,
  ): Promise<T> => {
    const { request, recent } = snapshot;
    if (request.asOf !== null || request.symbols !== null) return read(snapshot);
    const select = tradingSelect(dateSql(recent.from), dateSql(recent.to), "true");
    return lake.materialize(await lake.version([shortVolume]), select, (trading) =>
      read({ ...snapshot, trading }),
    );
  };
  const within = ({ files }: PanelSnapshot, { start, end }: DayRange) =>
    files.filter(({ date }) => date >= start && date <= end);

  return {
    /** Up to `limit` rows after a place, and whether there are more. */
    async page(request: PanelRequest, after: PanelPlace | null, limit: number, signal: AbortSignal) {
      const version = await wholeVersion(lake);
      const cached = after ? readAheadRows.get(request, after, version) : undefined;
      const rows: PanelRow[] = cached ? [...cached.rows] : [];
      const place = cached ? (cached.rows.at(-1) ?? after) : after;
      const isDayOver = cached?.isDayOver ?? false;
      const range = place
        ? { start: isDayOver ? addDays(place.date, 1) : place.date, end: request.end }
        : request;
      const snapshot = await loadSnapshot(request);
      const files = rows.length > limit ? [] : within(snapshot, range);
      let isWhole = cached?.isDayOver ?? true;
      const readFiles = async (seen: PanelSnapshot) => {
        let rowsNeeded = limit + 1 - rows.length;
        for (let at = 0; at < files.length && rows.length <= limit; ) {
          // Chosen symbols have few rows per day, so all days are read at once. Otherwise as few days as
          // needed are read. The day of the place has fewer rows left than its file, and a filter leaves
          // fewer still, so more days follow.
          const isFirstOfMore = place !== null && !isDayOver && at === 0;
          const count = request.symbols
            ? files.length
            : filesForRows(files, at, rowsNeeded + (isFirstOfMore ? (files[0]?.rows ?? 0) : 0));
          const [first, last] = [
            files[at]?.date ?? "",
            files[Math.min(at + count, files.length) - 1]?.date ?? "",
          ];
          const from = isFirstOfMore && first === place.date ? place : null;
          const sql = selectOf(seen, { start: first, end: last }, from);
          const most = limit + 1 - rows.length + READ_AHEAD_ROWS;
          const found = await lake.query<PanelRow>(
            `${sql} LIMIT ${most}`,
            {},
            { signal, heavy: request.symbols === null },
          );
          rows.push(...found);
          isWhole = found.length < most;
          at += count;
          rowsNeeded *= 2;
        }
      };
      if (files.length > 0) await withTrading(snapshot, readFiles);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      if (last && rows.length > limit)
        readAheadRows.set(request, last, version, { rows: rows.slice(limit), isDayOver: isWhole });
      return { rows: page, more: rows.length > limit };
    },

    /** The whole range as a table. */
    async table(request: PanelRequest, signal: AbortSignal): Promise<Table> {
      await wholeVersion(lake);
      const snapshot = await loadSnapshot(request);
      const ranges = request.symbols ? [request] : piecesOf(request, within(snapshot, request));
      const read = (range: DayRange, seen = snapshot) =>
        lake.batches(selectOf(seen, range, null), {}, { signal, heavy: true });
      return tableOfPieces(request, ranges, (range) =>
        inTurn(() =>
          ranges.length === 1 ? withTrading(snapshot, (seen) => read(range, seen)) : read(range),
        ),
      );
    },
  };
}

/** A table of which one piece is in memory while the next is read. */
function tableOfPieces(
  { start, end }: DayRange,
  ranges: readonly DayRange[],
  read: (range: DayRange) => Promise<Batch[]>,
): Table {
  const piece = (at: number) => {
    const made = ranges[at] && read(ranges[at]);
    // A failure shows when its rows are due.
    made?.catch(() => {});
    return made;
  };
  return {
    name: `pit_panel_${start}_${end}`,
    isCanonical: true,
    columns: Object.entries(pitPanel.columns).map(([name, { type }]) => ({
      name,
      type: type === "INTEGER" ? "BIGINT" : type,
    })),
    async *batches() {
      for (let at = 0, next = piece(0); next !== undefined; at++) {
        const batches = await next;
        next = piece(at + 1);
        yield* batches;
      }
    },
  };
}

export type PanelReader = ReturnType<typeof panelReader>;
