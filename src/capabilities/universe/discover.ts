// Reads the lists of the exchanges into the registry: the act behind the job, the admin route and the command.
import { fromSec } from "../../market/spelling.ts";
import type { Clock } from "../../platform/clock.ts";
import { AsofError, NotConfigured, StorageUnavailable, UpstreamFailed } from "../../platform/errors.ts";
import { instantText } from "../../platform/instant-text.ts";
import { type Admits, differences, type Listing } from "./registry.ts";
import type { DirectoryFile, ListingSource, TickerList, UniverseLog } from "./sources.ts";
import type { UniverseStore } from "./store.ts";

const FILES: readonly DirectoryFile[] = ["nasdaqlisted", "otherlisted"];

/** Which listings come in that are not known yet; those that are known are kept up whatever this says. */
export interface DiscoverAsk {
  /** US dollars, by the screener; a listing without a market value does not come in. */
  readonly market_cap_min?: number | undefined;
  /** In lower case. */
  readonly exchanges?: readonly string[] | undefined;
  readonly exclude_types?: readonly string[] | undefined;
  /** Most that come in, the largest first. */
  readonly limit?: number | undefined;
}

export interface Discovered {
  readonly discovered: number;
  readonly added: number;
  readonly updated: number;
  readonly skipped: number;
  readonly errors: number;
  readonly renamed: number;
  readonly delisted: number;
  readonly test_issues: number;
  readonly warnings: string[];
}

export interface DiscoverDeps {
  readonly source: ListingSource;
  readonly regulator: TickerList;
  readonly store: UniverseStore;
  readonly clock: Clock;
  readonly log: UniverseLog;
}

/** What a reading met on its way. */
interface Troubles {
  errors: number;
  /** The first of them. */
  fault: AsofError | null;
  readonly warnings: string[];
}

/** What a list says; null, with a warning, when it cannot be had. Faults of our own store throw. */
async function attempt<T>(
  what: string,
  troubles: Troubles,
  signal: AbortSignal,
  read: () => Promise<T>,
): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AsofError) || error instanceof StorageUnavailable) throw error;
    // A service without a name for the SEC is in order: it serves prices.
    if (!(error instanceof NotConfigured)) troubles.errors += 1;
    troubles.fault ??= error;
    troubles.warnings.push(`${what} could not be read: ${error.message}`);
    return null;
  }
}

function admission({ market_cap_min, exchanges, exclude_types, limit }: DiscoverAsk): Admits {
  const wanted = exchanges && new Set(exchanges);
  const excluded = new Set(exclude_types);
  const passes = ({ exchange, security_type, market_cap }: Listing) =>
    !excluded.has(security_type) &&
    (!wanted || wanted.has(exchange.toLowerCase())) &&
    (market_cap_min === undefined || (market_cap !== null && market_cap >= market_cap_min));
  let left = limit ?? Number.POSITIVE_INFINITY;
  return (row) => passes(row) && left-- > 0;
}

export function discovery({ source, regulator, store, clock, log }: DiscoverDeps) {
  const readFile = async (file: DirectoryFile, signal: AbortSignal) => {
    const read = await source.directory(file, signal);
    const before = store.reading(file);
    // Half a list would make the other half delisted.
    if (read.rows.length * 2 < (before?.rows ?? 0))
      throw new UpstreamFailed(
        "nasdaq-listings",
        `Nasdaq's ${file}.txt has shrunk from ${before?.rows} lines to ${read.rows.length}; the former one stays`,
      );
    return { file, ...read, previous_read_at: before?.read_at ?? null };
  };

  const readAll = async (troubles: Troubles, signal: AbortSignal) => {
    const files: Awaited<ReturnType<typeof readFile>>[] = [];
    for (const file of FILES) {
      const what = `The exchanges' list ${file}.txt`;
      const read = await attempt(what, troubles, signal, () => readFile(file, signal));
      if (read) files.push(read);
    }
    if (files.length === 0 && troubles.fault) throw troubles.fault;
    const screener = "Nasdaq's screener (sector, industry, market value)";
    const screened = await attempt(screener, troubles, signal, () => source.screener(signal));
    const list = "The SEC's list of tickers (CIK)";
    const tickers = await attempt(list, troubles, signal, () => regulator.listedTickers(signal));
    signal.throwIfAborted();
    return {
      files,
      screened: screened && new Map(screened.rows.map((row) => [row.symbol, row])),
      ciks: tickers && new Map(tickers.map(({ ticker, cik }) => [fromSec(ticker) ?? "", cik])),
    };
  };

  /**
   * Reads the lists and takes over what they change. Throws what reading them throws when neither file of the symbol
   * directory can be had; what else fails is counted and told.
   */
  return async (ask: DiscoverAsk, signal: AbortSignal): Promise<Discovered> => {
    const troubles: Troubles = { errors: 0, fault: null, warnings: [] };
    const { files, screened, ciks } = await readAll(troubles, signal);
    const at = instantText(clock.nowMs());
    const lists = { readings: files, areWhole: files.length === FILES.length, ciks, screened, at };
    const found = differences(store.listings(), lists, admission(ask));
    const readings = files.map(({ file, rows }) => ({ list: file, rows: rows.length }));
    await store.save(found.changed, found.told, readings, at);
    const tests = files.reduce((sum, file) => sum + file.tests, 0);
    const unread = files.flatMap((file) => file.unread);
    const { errors, warnings } = troubles;
    if (unread.length > 0)
      warnings.push(`${unread.length} lines of the lists could not be read, such as: ${unread[0]}`);
    const result = {
      discovered: readings.reduce((sum, { rows }) => sum + rows, 0),
      added: found.added,
      updated: found.updated,
      skipped: found.refused + tests + unread.length,
      errors,
      renamed: found.renamed,
      delisted: found.gone,
      test_issues: tests,
      warnings,
    };
    log.info("lists of the exchanges read", { ...result, warnings: warnings.length });
    return result;
  };
}

export type Discover = ReturnType<typeof discovery>;
