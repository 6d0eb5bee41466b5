// `bun run cli backfill prices`: fetches and stores the history of many symbols. Stored days are not fetched
// again, so an interrupted run is simply started again.
import type { Config } from "../../src/config.ts";
import { inBatches } from "../../src/market/bulk.ts";
import { newYorkDate } from "../../src/market/calendar.ts";
import { addDays } from "../../src/market/date.ts";
import { intradayInterval, lookbackDays } from "../../src/market/interval.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { readTickers, requireOne } from "../arguments.ts";
import { progress } from "../progress.ts";
import { type Session, withService } from "../session.ts";

const BATCH = 100;

interface PriceOptions {
  readonly tickers?: string;
  readonly universe?: "known";
  readonly start?: string;
  readonly end?: string;
  readonly interval: string;
  readonly source: "yahoo" | "marketfeed";
}

/** Throws RangeError where the brokerage feed is wanted and cannot serve. */
function checkSource({ source, interval }: PriceOptions, config: Config): void {
  if (source === "yahoo") return;
  if (interval !== "1d")
    throw new RangeError("--source marketfeed has daily bars only: leave --interval out.");
  if (config.marketfeedApiKey === null || config.marketfeedSecretKey === null)
    throw new RangeError("--source marketfeed needs MARKETFEED_API_KEY and MARKETFEED_SECRET_KEY.");
}

/** The days before the provider's look-back, in a sentence; null where it serves all requested days. */
function beyondLookback(interval: string, start: string | null): string | null {
  const intraday = intradayInterval(interval);
  if (intraday === null || start === null) return null;
  const earliest = addDays(newYorkDate(systemClock.now()), 1 - lookbackDays(intraday));
  return start < earliest
    ? `${intraday} bars reach back to ${earliest}; earlier days were not requested.`
    : null;
}

async function collectPrices(
  session: Session,
  symbols: readonly string[],
  options: PriceOptions,
): Promise<string[]> {
  const { service, signal } = session;
  const start = options.start ?? null;
  const end = options.end ?? newYorkDate(systemClock.now());
  if (start !== null && start > end) throw new RangeError(`--start ${start} lies after --end ${end}.`);
  const request = {
    interval: options.interval,
    start,
    end,
    feedFirst: options.source === "marketfeed",
    signal,
  };
  const bar = progress(symbols.length, "symbols");
  const failed: string[] = [];
  let done = 0;
  for (const batch of inBatches(symbols, BATCH)) {
    if (signal.aborted) break;
    const onSymbol = (symbol: string, error: Error | null) => {
      done += 1;
      if (error) failed.push(`${symbol}: ${error.message}`);
      bar.step(symbol);
    };
    await service.prices.backfill(batch, request, onSymbol).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
  bar.end();
  for (const line of failed) console.log(line);
  console.log(`${done - failed.length} of ${symbols.length} symbols were collected.`);
  return failed;
}

export async function run(options: PriceOptions): Promise<void> {
  requireOne(
    options.tickers,
    options.universe,
    "Give --tickers a,b or --tickers @file, or --universe known.",
  );
  let failed: string[] = [];
  const isWhole = await withService(async (session) => {
    checkSource(options, session.config);
    const symbols =
      options.tickers === undefined
        ? session.service.prices.knownSymbols()
        : (await readTickers(options.tickers)).map(({ symbol }) => symbol);
    failed = await collectPrices(session, symbols, options);
    const missing = beyondLookback(options.interval, options.start ?? null);
    if (missing !== null) console.log(missing);
  });
  process.exitCode = failed.length > 0 || !isWhole ? 1 : 0;
}
