// `bun run cli backfill prices` fetches and stores history of many symbols; what is stored is
// not asked again, so a broken run is simply started again.
import { readFile } from "node:fs/promises";
import { defineCommand } from "citty";
import { openStores } from "../../src/composition/context.ts";
import { composeService } from "../../src/composition/service.ts";
import { type Config, readConfig } from "../../src/config.ts";
import { inBatches } from "../../src/market/bulk.ts";
import { newYorkDate } from "../../src/market/calendar.ts";
import { addDays, isDate } from "../../src/market/date.ts";
import { intradayInterval, lookbackDays } from "../../src/market/interval.ts";
import { parseTickers } from "../../src/market/ticker.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createLog } from "../../src/platform/log.ts";
import { progress } from "../progress.ts";

const BATCH = 100;

async function tickersOf(
  args: { tickers?: string | undefined; universe?: string | undefined },
  known: () => string[],
): Promise<string[]> {
  if ((args.tickers === undefined) === (args.universe === undefined))
    throw new RangeError("Give --tickers a,b or --tickers @file, or --universe known.");
  if (args.universe !== undefined) {
    if (args.universe !== "known")
      throw new RangeError('--universe is "known": every symbol the service has met.');
    return known();
  }
  const raw = args.tickers ?? "";
  const listed = raw.startsWith("@") ? (await readFile(raw.slice(1), "utf8")).split(/[\s,]+/).join(",") : raw;
  const { tickers, invalid } = parseTickers(listed);
  if (invalid.length > 0) throw new RangeError(`These are no tickers: ${invalid.slice(0, 10).join(" ")}`);
  if (tickers.length === 0) throw new RangeError("--tickers names no symbol.");
  return tickers.map((t) => t.symbol);
}

const dateOf = (name: string, text: string) => {
  if (!isDate(text)) throw new RangeError(`--${name} is "${text}"; it must be an existing day as YYYY-MM-DD`);
  return text;
};

function isFeedFirst(source: string, interval: string, config: Config): boolean {
  if (source === "yahoo") return false;
  if (source !== "marketfeed")
    throw new RangeError(`--source is "${source}"; it must be yahoo or marketfeed`);
  if (interval !== "1d") throw new RangeError("--source marketfeed gives daily bars: leave --interval out.");
  if (config.marketfeedApiKey === null || config.marketfeedSecretKey === null)
    throw new RangeError("--source marketfeed needs MARKETFEED_API_KEY and MARKETFEED_SECRET_KEY.");
  return true;
}

/** What the provider does not serve of the days asked for; null where it serves all. */
function beyondReach(given: string, start: string | null): string | null {
  const interval = intradayInterval(given);
  if (interval === null || start === null) return null;
  const earliest = addDays(newYorkDate(systemClock.now()), 1 - lookbackDays(interval));
  return start < earliest
    ? `${interval} bars reach back to ${earliest}: earlier ones were not asked for.`
    : null;
}

const prices = defineCommand({
  meta: { name: "prices", description: "Daily or intraday bars" },
  args: {
    tickers: { type: "string", description: "Comma list, or @file with one a line" },
    universe: {
      type: "string",
      description: 'Instead of --tickers: "known", every symbol the service has met',
    },
    start: {
      type: "string",
      description: "First day; default: all history (intraday: the provider's look-back)",
    },
    end: { type: "string", description: "Last day; default: today" },
    interval: { type: "string", default: "1d", description: "1d, or 1m, 2m, 5m, 15m, 30m, 1h, 90m" },
    source: {
      type: "string",
      default: "yahoo",
      description:
        "Daily bars: yahoo, or marketfeed first (100 symbols a question, from 2016) and yahoo for the rest",
    },
  },
  async run({ args }) {
    const config = readConfig(process.env);
    const feedFirst = isFeedFirst(args.source, args.interval, config);
    const log = createLog({ level: "warn", clock: systemClock, to: "stderr" });
    const stores = await openStores({ config, clock: systemClock, log });
    const { sqlite, lake } = stores;
    const stopped = new AbortController();
    process.once("SIGINT", () => stopped.abort(new Error("stopped")));
    process.once("SIGTERM", () => stopped.abort(new Error("stopped")));
    try {
      const { prices } = composeService({ config, clock: systemClock, log, ...stores });
      const symbols = await tickersOf(args, () => prices.knownSymbols());
      const start = args.start === undefined ? null : dateOf("start", args.start);
      const end = args.end === undefined ? newYorkDate(systemClock.now()) : dateOf("end", args.end);
      if (start !== null && start > end) throw new RangeError(`--start ${start} lies after --end ${end}`);
      const bar = progress(symbols.length, "symbols");
      const failed: string[] = [];
      let done = 0;
      for (const batch of inBatches(symbols, BATCH)) {
        if (stopped.signal.aborted) break;
        await prices
          .backfill(
            batch,
            { interval: args.interval, start, end, feedFirst, signal: stopped.signal },
            (symbol, error) => {
              done += 1;
              if (error) failed.push(`${symbol}: ${error.message}`);
              bar.step(symbol);
            },
          )
          .catch((error: unknown) => {
            if (!stopped.signal.aborted) throw error;
          });
      }
      bar.end();
      for (const line of failed) console.log(line);
      console.log(`${done - failed.length} of ${symbols.length} symbols were collected.`);
      const unasked = beyondReach(args.interval, start);
      if (unasked !== null) console.log(unasked);
      if (stopped.signal.aborted) console.log("Stopped: start the same command again to go on.");
      process.exitCode = failed.length > 0 || stopped.signal.aborted ? 1 : 0;
    } finally {
      await lake.close();
      sqlite.close();
    }
  },
});

export default defineCommand({
  meta: { name: "backfill", description: "Fill the lake with history" },
  subCommands: {
    prices,
    financials: () => import("./backfill-financials.ts").then((m) => m.default),
    pit: () => import("./backfill-pit.ts").then((m) => m.default),
    insiders: () => import("./backfill-insiders.ts").then((m) => m.default),
  },
});
