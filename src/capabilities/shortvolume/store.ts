// The capability's data in the lake: files, series of symbols, days of all symbols, short interest.
import { finraFiles } from "../../datasets/finra-files.ts";
import { shortInterest } from "../../datasets/short-interest.ts";
import { shortVolume } from "../../datasets/short-volume.ts";
import type { RowOf } from "../../platform/lake/dataset.ts";
import { literal } from "../../platform/lake/dataset.ts";
import { batchOf, type Lake } from "../../platform/lake/lake.ts";
import type { DayRange } from "./range.ts";
import type { VolumeRow } from "./schema.ts";
import { ALL_FACILITIES, type Facility } from "./sources.ts";

/** A line with the number of all lines of its symbol that match. */
export interface CountedRow extends VolumeRow {
  readonly total: number;
}

/** The newest version of a day's file. */
export interface StoredFile {
  readonly date: string;
  readonly rows: number;
  readonly sha256: string;
  readonly known_at: string;
}

/** A page of one day's symbols, filtered and ranked. */
export interface RankQuery {
  readonly date: string;
  readonly minTotalVolume: number;
  readonly sortBy: "short_volume_ratio" | "short_volume" | "total_volume" | "symbol";
  readonly descending: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** Which lines of symbols. */
export interface SeriesQuery extends DayRange {
  readonly facility: Facility;
  readonly asOf: Temporal.Instant | null;
  readonly limit: number;
  readonly descending: boolean;
}

const COLUMNS = `date, symbol, short_volume, short_exempt_volume, total_volume,
  CASE WHEN total_volume > 0 THEN short_volume / total_volume END AS short_volume_ratio,
  CASE WHEN total_volume > 0 THEN short_exempt_volume / total_volume END AS short_exempt_ratio, market`;

/**
 * A moment, or NULL, as an argument of the macros. Values are written into the SQL text: the planner does not
 * see bound values, and would read the files of every year.
 */
export const momentSql = (asOf: Temporal.Instant | null) => (asOf ? literal(asOf.toString()) : "NULL");
export const dateSql = (date: string) => `DATE ${literal(date)}`;
const listSql = (values: readonly string[]) => `(${values.map(literal).join(", ")})`;
const during = ({ start, end }: DayRange) => `date BETWEEN ${dateSql(start)} AND ${dateSql(end)}`;

/** A version of a file. `known_us` is its `known_at` in microseconds since 1970. */
interface FileVersion extends StoredFile {
  readonly facility: string;
  readonly known_us: number;
}

/** Reads all versions of all files, by facility and oldest day first. Cached until the lake has new ones. */
function fileVersions(lake: Lake): () => Promise<ReadonlyMap<string, FileVersion[]>> {
  const read = async () => {
    const rows = await lake.query<FileVersion>(
      `SELECT facility, date, rows, sha256, known_at, epoch_us(known_at) AS known_us
       FROM finra_files ORDER BY date, known_at`,
    );
    return Map.groupBy(rows, ({ facility }) => facility);
  };
  let cached: { readonly version: string; readonly files: ReturnType<typeof read> } | undefined;
  return async function readFileVersions() {
    const version = await lake.version([finraFiles]);
    if (cached?.version === version) return cached.files;
    const fresh = { version, files: read() };
    cached = fresh;
    fresh.files.catch(() => {
      if (cached === fresh) cached = undefined;
    });
    return fresh.files;
  };
}

export class ShortVolumeStore {
  readonly #lake: Lake;
  readonly #versionsOf: ReturnType<typeof fileVersions>;

  constructor(lake: Lake) {
    this.#lake = lake;
    this.#versionsOf = fileVersions(lake);
  }

  /** Stores one version of a file with its rows, in one commit. */
  /** Stores a file; returns how many of its rows were not there. */
  async saveVolume(
    file: RowOf<typeof finraFiles>,
    rows: readonly RowOf<typeof shortVolume>[],
  ): Promise<number> {
    const [saved] = await this.#lake.append([batchOf(shortVolume, rows), batchOf(finraFiles, [file])]);
    return saved?.written ?? 0;
  }

  /** Stores a file; returns how many of its rows were not there. */
  async saveInterest(
    file: RowOf<typeof finraFiles>,
    rows: readonly RowOf<typeof shortInterest>[],
  ): Promise<number> {
    const [saved] = await this.#lake.append([batchOf(shortInterest, rows), batchOf(finraFiles, [file])]);
    return saved?.written ?? 0;
  }

  /** The newest version of each of a facility's files, oldest day first. */
  async files(facility: string, asOf: Temporal.Instant | null = null): Promise<readonly StoredFile[]> {
    const all = (await this.#versionsOf()).get(facility) ?? [];
    const until = asOf ? Number(asOf.epochNanoseconds / 1000n) : Number.POSITIVE_INFINITY;
    const known = asOf ? all.filter(({ known_us }) => known_us <= until) : all;
    return known.filter(({ date }, i) => known[i + 1]?.date !== date);
  }

  /**
   * Starts reading the list of files before the next request needs it. A failure surfaces in that request.
   */
  readFilesAhead(): void {
    this.#versionsOf().catch(() => undefined);
  }

  /** When the newest file of daily volume was fetched; null if none was. */
  async lastIngestAt(): Promise<string | null> {
    const [row] = await this.#lake.query<{ at: string | null }>(
      "SELECT max(fetched_at) AS at FROM finra_files WHERE facility <> 'SHRT'",
    );
    return row?.at ?? null;
  }

  /**
   * Lines of symbols, at most `limit` per symbol; each with the number of all lines of its symbol that match.
   */
  series(symbols: readonly string[], query: SeriesQuery, signal: AbortSignal): Promise<CountedRow[]> {
    const order = `date ${query.descending ? "DESC" : "ASC"}`;
    const only =
      symbols.length === 1 ? `symbol = ${literal(symbols[0] ?? "")}` : `symbol IN ${listSql(symbols)}`;
    const first =
      symbols.length === 1
        ? `ORDER BY ${order} LIMIT ${query.limit}`
        : `QUALIFY row_number() OVER (PARTITION BY symbol ORDER BY ${order}) <= ${query.limit} ORDER BY symbol, ${order}`;
    return this.#lake.query<CountedRow>(
      `SELECT ${COLUMNS}, count(*) OVER (PARTITION BY symbol) AS total
       FROM short_volume_as_of(${momentSql(query.asOf)})
       WHERE facility = ${literal(query.facility)} AND ${only} AND ${during(query)} ${first}`,
      {},
      { signal },
    );
  }

  /** First and last day with a line of the symbol; null if there is none. */
  async daysOf(symbol: string, facility: Facility, asOf: Temporal.Instant | null, signal: AbortSignal) {
    const [row] = await this.#lake.query<{ first: string | null; last: string | null }>(
      `SELECT min(date) AS first, max(date) AS last FROM short_volume
       WHERE facility = ${literal(facility)} AND symbol = ${literal(symbol)} AND known_at <= known_by(${momentSql(asOf)})`,
      {},
      { signal },
    );
    return row?.first && row.last ? { start: row.first, end: row.last } : null;
  }

  /** A page of a day's lines, and the number of all lines that match. */
  async ranked(query: RankQuery, asOf: Temporal.Instant | null, signal: AbortSignal) {
    const from = `FROM short_volume_as_of(${momentSql(asOf)})
      WHERE facility = ${literal(ALL_FACILITIES)} AND date = ${dateSql(query.date)} AND total_volume >= ${query.minTotalVolume}`;
    const direction = query.descending ? "DESC" : "ASC";
    const order =
      query.sortBy === "symbol" ? `symbol ${direction}` : `${query.sortBy} ${direction} NULLS LAST, symbol`;
    const [counted] = await this.#lake.query<{ total: number }>(
      `SELECT count(*) AS total ${from}`,
      {},
      { signal },
    );
    const rows = await this.#lake.query<VolumeRow>(
      `SELECT ${COLUMNS} ${from} ORDER BY ${order} LIMIT ${query.limit} OFFSET ${query.offset}`,
      {},
      { signal },
    );
    return { total: counted?.total ?? 0, rows };
  }

  /** Closes of symbols on days, all on the same split basis. */
  closes(
    symbols: readonly string[],
    days: readonly string[],
    asOf: Temporal.Instant | null,
    signal: AbortSignal,
  ) {
    return this.#lake.query<{ symbol: string; date: string; close: number | null }>(
      `SELECT symbol, date, close FROM bars(${momentSql(asOf)})
       WHERE symbol IN ${listSql(symbols)} AND date IN (${days.map(dateSql).join(", ")})`,
      {},
      { signal },
    );
  }

  /** All lines of a stored version. */
  fileLines(facility: Facility, date: string, knownAt: string) {
    return this.#lake.query<
      Pick<VolumeRow, "symbol" | "short_volume" | "short_exempt_volume" | "total_volume" | "market">
    >(
      `SELECT symbol, short_volume, short_exempt_volume, total_volume, market FROM short_volume
       WHERE facility = ${literal(facility)} AND date = ${dateSql(date)} AND known_at = TIMESTAMPTZ ${literal(knownAt)}`,
    );
  }

  /** Number of symbols that ever were in a facility's files. */
  async symbolCount(facility: Facility): Promise<number> {
    const [row] = await this.#lake.query<{ n: number }>(
      `SELECT count(DISTINCT symbol) AS n FROM short_volume WHERE facility = ${literal(facility)}`,
    );
    return row?.n ?? 0;
  }

  /** Whether any short interest was known at the moment. */
  async hasInterest(asOf: Temporal.Instant | null, signal: AbortSignal): Promise<boolean> {
    const rows = await this.#lake.query(
      `SELECT 1 AS one FROM short_interest_as_of(${momentSql(asOf)}) LIMIT 1`,
      {},
      { signal },
    );
    return rows.length > 0;
  }

  /** Short interest of a symbol as FINRA spells it, newest settlement date first. */
  interest(finraSymbol: string, limit: number, asOf: Temporal.Instant | null, signal: AbortSignal) {
    return this.#lake.query<RowOf<typeof shortInterest> & { readonly total: number }>(
      `SELECT *, count(*) OVER () AS total FROM short_interest_as_of(${momentSql(asOf)})
       WHERE finra_symbol = ${literal(finraSymbol)} ORDER BY settlement_date DESC, line LIMIT ${limit}`,
      {},
      { signal },
    );
  }
}
