// What the capability reads of the lake: files, series of symbols, days of all symbols, short interest.
import { finraFiles } from "../../datasets/finra-files.ts";
import { shortInterest } from "../../datasets/short-interest.ts";
import { shortVolume } from "../../datasets/short-volume.ts";
import type { RowOf } from "../../platform/lake/dataset.ts";
import { literal } from "../../platform/lake/dataset.ts";
import { batchOf, type Lake } from "../../platform/lake/lake.ts";
import type { DayRange } from "./range.ts";
import { ALL_FACILITIES, type Facility } from "./sources.ts";

/** One line as the routes give it. Ratios are fractions of total_volume. */
export interface VolumeRow {
  readonly date: string;
  readonly symbol: string;
  readonly short_volume: number;
  readonly short_exempt_volume: number | null;
  readonly total_volume: number;
  readonly short_volume_ratio: number | null;
  readonly short_exempt_ratio: number | null;
  readonly market: string;
}

/** The newest version of a day's file. */
export interface StoredFile {
  readonly date: string;
  readonly rows: number;
  readonly sha256: string;
  readonly known_at: string;
}

/** Days of all symbols, filtered and ranked. */
export interface RankAsk {
  readonly date: string;
  readonly minTotalVolume: number;
  readonly sortBy: "short_volume_ratio" | "short_volume" | "total_volume" | "symbol";
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
}

const COLUMNS = `date, symbol, short_volume, short_exempt_volume, total_volume,
  CASE WHEN total_volume > 0 THEN short_volume / total_volume END AS short_volume_ratio,
  CASE WHEN total_volume > 0 THEN short_exempt_volume / total_volume END AS short_exempt_ratio, market`;

/** A moment, or nothing, as the macros take it. Values stand in the text: bound ones would hide them from the planner, which then reads every year. */
export const momentSql = (asOf: Temporal.Instant | null) => (asOf ? literal(asOf.toString()) : "NULL");
export const dateSql = (date: string) => `DATE ${literal(date)}`;
const listSql = (values: readonly string[]) => `(${values.map(literal).join(", ")})`;
const during = ({ start, end }: DayRange) => `date BETWEEN ${dateSql(start)} AND ${dateSql(end)}`;

/** A version of a file, with the microsecond since 1970 it is known from. */
interface FileVersion extends StoredFile {
  readonly facility: string;
  readonly known_us: number;
}

/** All versions of all files by facility, oldest day first, read anew when the lake has others. */
function fileVersions(lake: Lake): () => Promise<ReadonlyMap<string, FileVersion[]>> {
  const read = async () => {
    const rows = await lake.query<FileVersion>(
      `SELECT facility, date, rows, sha256, known_at, epoch_us(known_at) AS known_us
       FROM finra_files ORDER BY date, known_at`,
    );
    return Map.groupBy(rows, ({ facility }) => facility);
  };
  let kept: { readonly version: string; readonly files: ReturnType<typeof read> } | undefined;
  return async () => {
    const version = await lake.version(finraFiles);
    if (kept?.version === version) return kept.files;
    const fresh = { version, files: read() };
    kept = fresh;
    fresh.files.catch(() => {
      if (kept === fresh) kept = undefined;
    });
    return fresh.files;
  };
}

export function shortVolumeStore(lake: Lake) {
  const versionsOf = fileVersions(lake);
  return {
    /** Stores one version of a file with its rows, both or none. */
    async saveVolume(
      file: RowOf<typeof finraFiles>,
      rows: readonly RowOf<typeof shortVolume>[],
    ): Promise<void> {
      await lake.append([batchOf(shortVolume, rows), batchOf(finraFiles, [file])]);
    },

    async saveInterest(
      file: RowOf<typeof finraFiles>,
      rows: readonly RowOf<typeof shortInterest>[],
    ): Promise<void> {
      await lake.append([batchOf(shortInterest, rows), batchOf(finraFiles, [file])]);
    },

    /** Newest versions of a facility's files, oldest day first. */
    async files(facility: string, asOf: Temporal.Instant | null = null): Promise<readonly StoredFile[]> {
      const all = (await versionsOf()).get(facility) ?? [];
      const until = asOf ? Number(asOf.epochNanoseconds / 1000n) : Number.POSITIVE_INFINITY;
      const known = asOf ? all.filter(({ known_us }) => known_us <= until) : all;
      return known.filter(({ date }, i) => known[i + 1]?.date !== date);
    },

    /** Reads the list of files ahead of the next question, after it changed; if that fails, the question tells. */
    readFilesAhead: () => void versionsOf().catch(() => undefined),

    /** When the newest file of daily volume was taken in; null when none was. */
    async lastIngestAt(): Promise<string | null> {
      const [row] = await lake.query<{ at: string | null }>(
        "SELECT max(fetched_at) AS at FROM finra_files WHERE facility <> 'SHRT'",
      );
      return row?.at ?? null;
    },

    /** Lines of symbols; at most `limit` of each. */
    series: (
      symbols: readonly string[],
      ask: DayRange & {
        facility: Facility;
        asOf: Temporal.Instant | null;
        limit: number;
        descending: boolean;
      },
      signal: AbortSignal,
    ) => {
      const order = `date ${ask.descending ? "DESC" : "ASC"}`;
      const only =
        symbols.length === 1 ? `symbol = ${literal(symbols[0] ?? "")}` : `symbol IN ${listSql(symbols)}`;
      const first =
        symbols.length === 1
          ? `ORDER BY ${order} LIMIT ${ask.limit}`
          : `QUALIFY row_number() OVER (PARTITION BY symbol ORDER BY ${order}) <= ${ask.limit} ORDER BY symbol, ${order}`;
      return lake.query<VolumeRow>(
        `SELECT ${COLUMNS} FROM short_volume_as_of(${momentSql(ask.asOf)})
         WHERE facility = ${literal(ask.facility)} AND ${only} AND ${during(ask)} ${first}`,
        {},
        { signal },
      );
    },

    /** First and last day with a line of the symbol; null when there is none. */
    async listingPeriodOf(
      symbol: string,
      facility: Facility,
      asOf: Temporal.Instant | null,
      signal: AbortSignal,
    ) {
      const [row] = await lake.query<{ first: string | null; last: string | null }>(
        `SELECT min(date) AS first, max(date) AS last FROM short_volume
         WHERE facility = ${literal(facility)} AND symbol = ${literal(symbol)} AND known_at <= known_by(${momentSql(asOf)})`,
        {},
        { signal },
      );
      return row?.first && row.last ? { start: row.first, end: row.last } : null;
    },

    /** A page of a day's lines, and how many there are in all. */
    async ranked(ask: RankAsk, asOf: Temporal.Instant | null, signal: AbortSignal) {
      const from = `FROM short_volume_as_of(${momentSql(asOf)})
        WHERE facility = ${literal(ALL_FACILITIES)} AND date = ${dateSql(ask.date)} AND total_volume >= ${ask.minTotalVolume}`;
      const direction = ask.descending ? "DESC" : "ASC";
      const order =
        ask.sortBy === "symbol" ? `symbol ${direction}` : `${ask.sortBy} ${direction} NULLS LAST, symbol`;
      const [counted] = await lake.query<{ total: number }>(
        `SELECT count(*) AS total ${from}`,
        {},
        { signal },
      );
      const rows = await lake.query<VolumeRow>(
        `SELECT ${COLUMNS} ${from} ORDER BY ${order} LIMIT ${ask.limit} OFFSET ${ask.offset}`,
        {},
        { signal },
      );
      return { total: counted?.total ?? 0, rows };
    },

    /** Closes of symbols on two days, on one basis. */
    closes: (
      symbols: readonly string[],
      days: readonly string[],
      asOf: Temporal.Instant | null,
      signal: AbortSignal,
    ) =>
      lake.query<{ symbol: string; date: string; close: number | null }>(
        `SELECT symbol, date, close FROM bars(${momentSql(asOf)})
         WHERE symbol IN ${listSql(symbols)} AND date IN (${days.map(dateSql).join(", ")})`,
        {},
        { signal },
      ),

    /** Every line of a stored version, to tell what a correction changed. */
    rowsOf: (facility: Facility, date: string, knownAt: string) =>
      lake.query<
        Pick<VolumeRow, "symbol" | "short_volume" | "short_exempt_volume" | "total_volume" | "market">
      >(
        `SELECT symbol, short_volume, short_exempt_volume, total_volume, market FROM short_volume
         WHERE facility = ${literal(facility)} AND date = ${dateSql(date)} AND known_at = TIMESTAMPTZ ${literal(knownAt)}`,
      ),

    /** How many symbols ever stood in a facility's files. */
    async symbolCount(facility: Facility): Promise<number> {
      const [row] = await lake.query<{ n: number }>(
        `SELECT count(DISTINCT symbol) AS n FROM short_volume WHERE facility = ${literal(facility)}`,
      );
      return row?.n ?? 0;
    },

    interest: (finraSymbol: string, limit: number, asOf: Temporal.Instant | null, signal: AbortSignal) =>
      lake.query<RowOf<typeof shortInterest>>(
        `SELECT * FROM short_interest_as_of(${momentSql(asOf)})
         WHERE finra_symbol = ${literal(finraSymbol)} ORDER BY settlement_date DESC, line LIMIT ${limit}`,
        {},
        { signal },
      ),
  };
}

export type ShortVolumeStore = ReturnType<typeof shortVolumeStore>;
