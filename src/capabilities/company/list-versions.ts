// The SEC's lists of tickers in the lake: stores what a reading of the lists changed, and loads the lines
// that an earlier version has.
import { companyTickers } from "../../datasets/company-tickers.ts";
import { company_tickers } from "../../datasets/tables.ts";
import type { Services } from "../../market/services.ts";
import { StorageUnavailable } from "../../platform/errors.ts";
import { instantMs, instantText } from "../../platform/instant-text.ts";
import type { RowOf } from "../../platform/lake/dataset.ts";
import { batchOf, type Params } from "../../platform/lake/lake.ts";
import { currentReading, isReplaying, refuseInReplay, unnoted } from "../../platform/reading.ts";
import { addVersionRows, isFirstLoad } from "../../platform/sqlite/version-tables.ts";
import type { CompanyRegistry, Listing, ListKind } from "./registry.ts";
import type { CompanyLog } from "./sources.ts";

type Line = RowOf<typeof companyTickers>;

const KINDS: readonly ListKind[] = ["company", "fund"];
/** Source name under which the registry notes which reading of a list the lake has. */
const PUBLISHED = "lake_tickers";
/** Columns whose change is a new row. */
const COMPARED = [
  ...(["ticker", "name", "exchange", "series_id", "class_id", "position"] as const),
  ...(["predecessor_ciks", "first_seen_at", "gone_at"] as const),
];

const NEWEST = `SELECT * FROM company_tickers {where}
  QUALIFY row_number() OVER (PARTITION BY kind, symbol, cik ORDER BY known_at DESC, recorded DESC) = 1`;
const LISTED = NEWEST.replace("{where}", "WHERE kind = $kind");
const OF_COMPANIES = NEWEST.replace("{where}", "WHERE kind = 'company' AND cik = ANY($ciks)");
const OF_SYMBOL = NEWEST.replace(
  "{where}",
  "WHERE cik IN (SELECT cik FROM company_tickers WHERE symbol = $symbol) OR symbol = $symbol",
);

const stored = (instant: string): string => instantText(instantMs(instant));
/** The text of the operational database, which is compared as text. */
const asStored = (line: Line): Line => ({
  ...line,
  first_seen_at: stored(line.first_seen_at),
  gone_at: line.gone_at === null ? null : stored(line.gone_at),
});

const lineKey = ({ symbol, cik }: Pick<Line, "symbol" | "cik">) => `${symbol} ${cik}`;

export interface ListVersionDeps extends Pick<Services, "lake" | "sqlite"> {
  readonly registry: CompanyRegistry;
  readonly log: CompanyLog;
  predecessorsOf(cik: string): readonly string[];
}

export function listVersions({ lake, sqlite, registry, log, predecessorsOf }: ListVersionDeps) {
  const lineOf = (listing: Listing, known_at: string): Line => {
    const predecessors = predecessorsOf(listing.cik);
    return {
      ...listing,
      predecessor_ciks: predecessors.length === 0 ? null : JSON.stringify(predecessors),
      known_at,
    };
  };

  /** When the reading of each list was made that the lake is known to have. */
  const published = new Map<ListKind, string>();
  /** A list whose newest reading the lake lacks. */
  const unpublished = (kind: ListKind) => {
    const list = registry.list(kind);
    if (list === null || published.get(kind) === list.read_at) return null;
    if (registry.storedAnswer<string>(PUBLISHED, kind)?.body !== list.read_at) return list;
    published.set(kind, list.read_at);
    return null;
  };
  /** The change of the database up to which every list was found in the lake. */
  let checked = "";
  const isPublished = (): boolean => {
    const mark = sqlite.changeMark();
    if (mark !== checked && KINDS.every((kind) => unpublished(kind) === null)) checked = mark;
    return mark === checked;
  };

  /** The lines of a list that the lake lacks. */
  const changedLines = async (kind: ListKind, read_at: string): Promise<Line[]> => {
    const rows = await unnoted(() => lake.query<Line>(LISTED, { kind }));
    const known = new Map(rows.map((row) => [lineKey(row), asStored(row)]));
    return registry
      .linesOf(kind)
      .map((listing) => lineOf(listing, read_at))
      .filter((line) => {
        const before = known.get(lineKey(line));
        return before === undefined || COMPARED.some((name) => before[name] !== line[name]);
      });
  };

  const publishAll = async (): Promise<void> => {
    const lists = KINDS.flatMap((kind) => unpublished(kind) ?? []);
    const changed: Line[] = [];
    for (const { kind, read_at } of lists) changed.push(...(await changedLines(kind, read_at)));
    if (changed.length > 0) await lake.append([batchOf(companyTickers, changed)]);
    for (const { kind, read_at } of lists) registry.saveAnswer(PUBLISHED, kind, { body: read_at, read_at });
  };

  let running: Promise<void> = Promise.resolve();

  /**
   * Loads the lines of a version that `sql` selects. Throws `not_replayable` where that version has no list.
   */
  const loadLines = async (sql: string, params: Params, signal?: AbortSignal): Promise<void> => {
    const options = signal ? { signal } : {};
    const lines = await lake.query("SELECT 1 FROM company_tickers LIMIT 1", {}, options);
    if (lines.length === 0) refuseInReplay("the SEC's list of tickers");
    const rows = await lake.query<Line>(sql, params, options);
    const fresh = rows.filter((line) => isFirstLoad(`line ${line.kind} ${lineKey(line)}`));
    addVersionRows(company_tickers, fresh.map(asStored));
  };

  return {
    /**
     * Stores what the lists have and the lake does not. An error of the disk is logged: it fails no answer,
     * which then names no version.
     */
    async publish(): Promise<void> {
      if (isReplaying() || isPublished()) return;
      running = running.then(publishAll);
      const own = running;
      running = own.catch(() => undefined);
      await own.catch((error) => {
        if (!(error instanceof StorageUnavailable)) throw error;
        currentReading()?.ranAhead();
        log.warn("the list of tickers could not be stored in the lake", { error });
      });
    },

    /**
     * Loads the lines of a ticker, and all lines of the companies that had it, of the version that the
     * request is answered from. Throws `not_replayable` where that version has no list.
     */
    async load(symbol: string, signal?: AbortSignal): Promise<void> {
      if (isReplaying() && isFirstLoad(`tickers ${symbol}`)) await loadLines(OF_SYMBOL, { symbol }, signal);
    },

    /** Loads the lines of companies as `load` does. */
    async loadCompanies(ciks: readonly string[], signal?: AbortSignal): Promise<void> {
      if (isReplaying()) await loadLines(OF_COMPANIES, { ciks }, signal);
    },

    /**
     * Whether the list of companies was ever read: before that, no version can say which symbol a company
     * had.
     */
    hasCompanies: (): boolean => registry.list("company") !== null,
  };
}

export type ListVersions = ReturnType<typeof listVersions>;
