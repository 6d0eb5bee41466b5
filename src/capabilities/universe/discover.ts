// Reads the exchanges' lists into the registry: run by the job, the admin route and the command line.

import type { Services } from "../../market/services.ts";
import { fromSec } from "../../market/spelling.ts";
import { AsofError, NotConfigured, StorageUnavailable, UpstreamFailed } from "../../platform/errors.ts";
import { instantText } from "../../platform/instant-text.ts";
import type { Log } from "../../platform/log.ts";
import { type Admits, type Differences, differences, type Listing } from "./registry.ts";
import type { DiscoverAnswer } from "./schema.ts";
import type { DirectoryFile, ListingSource, TickerList } from "./sources.ts";
import type { UniverseStore } from "./store.ts";

const FILES: readonly DirectoryFile[] = ["nasdaqlisted", "otherlisted"];

/** Which new listings enter the registry. Known listings are updated regardless. */
export interface DiscoverRequest {
  /** US dollars, from the screener. A listing without a market value does not enter. */
  readonly market_cap_min?: number | undefined;
  /** In lower case. */
  readonly exchanges?: readonly string[] | undefined;
  readonly exclude_types?: readonly string[] | undefined;
  /** Maximum number of new listings, the largest first. */
  readonly limit?: number | undefined;
}

export interface DiscoverDeps extends Pick<Services, "clock"> {
  readonly source: ListingSource;
  readonly regulator: TickerList;
  readonly store: UniverseStore;
  readonly log: Pick<Log, "info">;
}

/** Lists that could not be read. */
interface ReadFailures {
  errors: number;
  firstError: AsofError | null;
  readonly warnings: string[];
}

/** Reads a list; null, with a warning, if that fails. Failures of our own store are thrown. */
async function tryToRead<T>(
  what: string,
  failures: ReadFailures,
  signal: AbortSignal,
  read: () => Promise<T>,
): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AsofError) || error instanceof StorageUnavailable) throw error;
    // A service without SEC_USER_AGENT is healthy: it can serve prices.
    if (!(error instanceof NotConfigured)) failures.errors += 1;
    failures.firstError ??= error;
    failures.warnings.push(`${what} could not be read: ${error.message}`);
    return null;
  }
}

function admission({ market_cap_min, exchanges, exclude_types, limit }: DiscoverRequest): Admits {
  const wanted = exchanges && new Set(exchanges);
  const excluded = new Set(exclude_types);
  const passes = ({ exchange, security_type, market_cap }: Listing) =>
    !excluded.has(security_type) &&
    (!wanted || wanted.has(exchange.toLowerCase())) &&
    (market_cap_min === undefined || (market_cap !== null && market_cap >= market_cap_min));
  let left = limit ?? Number.POSITIVE_INFINITY;
  return (row) => passes(row) && left-- > 0;
}

/** The counts of a discovery. */
function resultOf(
  files: readonly Awaited<ReturnType<ListingSource["directory"]>>[],
  found: Differences,
  { errors, warnings }: ReadFailures,
): DiscoverAnswer {
  const tests = files.reduce((sum, file) => sum + file.tests, 0);
  const unread = files.flatMap((file) => file.unread);
  if (unread.length > 0)
    warnings.push(`${unread.length} lines of the lists could not be read, such as: ${unread[0]}`);
  return {
    discovered: files.reduce((sum, { rows }) => sum + rows.length, 0),
    added: found.added,
    updated: found.updated,
    skipped: found.refused + tests + unread.length,
    errors,
    renamed: found.renamed,
    delisted: found.gone,
    test_issues: tests,
    warnings,
  };
}

export function discovery({ source, regulator, store, clock, log }: DiscoverDeps) {
  const readFile = async (file: DirectoryFile, signal: AbortSignal) => {
    const read = await source.directory(file, signal);
    const before = store.reading(file);
    // A truncated list would mark the missing listings as delisted.
    if (read.rows.length * 2 < (before?.rows ?? 0))
      throw new UpstreamFailed(
        "nasdaq-listings",
        `Nasdaq's ${file}.txt has shrunk from ${before?.rows} lines to ${read.rows.length}; the previous list stays in use`,
      );
    return { file, ...read, previous_read_at: before?.read_at ?? null };
  };

  const readAll = async (failures: ReadFailures, signal: AbortSignal) => {
    const files: Awaited<ReturnType<typeof readFile>>[] = [];
    for (const file of FILES) {
      const what = `The exchanges' list ${file}.txt`;
      const read = await tryToRead(what, failures, signal, () => readFile(file, signal));
      if (read) files.push(read);
    }
    if (files.length === 0 && failures.firstError) throw failures.firstError;
    const screener = "Nasdaq's screener (sector, industry, market value)";
    const screened = await tryToRead(screener, failures, signal, () => source.screener(signal));
    const list = "The SEC's list of tickers (CIK)";
    const tickers = await tryToRead(list, failures, signal, () => regulator.listedTickers(signal));
    signal.throwIfAborted();
    return {
      files,
      screened: screened && new Map(screened.rows.map((row) => [row.symbol, row])),
      ciks: tickers && new Map(tickers.map(({ ticker, cik }) => [fromSec(ticker) ?? "", cik])),
    };
  };

  /**
   * Reads the lists and updates the registry. Throws as reading does if no file of the symbol directory could
   * be read. Any other list that fails is counted, with a warning.
   */
  return async (request: DiscoverRequest, signal: AbortSignal): Promise<DiscoverAnswer> => {
    const failures: ReadFailures = { errors: 0, firstError: null, warnings: [] };
    const { files, screened, ciks } = await readAll(failures, signal);
    if (files.every(({ rows }) => rows.length === 0))
      throw new UpstreamFailed("nasdaq-listings", "Nasdaq's lists of the exchanges hold no security");
    const at = instantText(clock.nowMs());
    const lists = { readings: files, areWhole: files.length === FILES.length, ciks, screened, at };
    const found = differences(store.listings(), lists, admission(request));
    const readings = files.map(({ file, rows }) => ({ list: file, rows: rows.length }));
    await store.save(found.changed, found.vintages, readings, at);
    const result = resultOf(files, found, failures);
    log.info("lists of the exchanges read", { ...result, warnings: result.warnings.length });
    return result;
  };
}

export type Discover = ReturnType<typeof discovery>;
