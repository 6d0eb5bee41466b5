// `bun run cli universe`: reads the lists of the exchanges, and builds monthly snapshots. A build that was broken off is
// simply started again: what is in is not made again.
import { defineCommand } from "citty";
import type { Report } from "../../src/capabilities/universe/build-ledger.ts";
import { EXCHANGES, TYPES } from "../../src/capabilities/universe/schema.ts";
import { openStores } from "../../src/composition/context.ts";
import { composeService } from "../../src/composition/service.ts";
import { readConfig } from "../../src/config.ts";
import { wordsOf } from "../../src/market/params.ts";
import { parseTickers } from "../../src/market/ticker.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createLog } from "../../src/platform/log.ts";
import { type Progress, progress } from "../progress.ts";

type Service = ReturnType<typeof composeService>;

/** Runs an act of the service over the data folder; told to stop, the act ends at a safe point. */
async function withService(act: (service: Service, signal: AbortSignal) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog({ level: "warn", clock: systemClock, to: "stderr" });
  const stores = await openStores({ config, clock: systemClock, log });
  const service = composeService({ config, clock: systemClock, log, ...stores });
  const stopped = new AbortController();
  const stop = () => {
    stopped.abort(new Error("stopped"));
    void service.jobs.stop();
  };
  process.once("SIGINT", stop);
  process.once("SIGTERM", stop);
  try {
    await act(service, stopped.signal);
  } catch (error) {
    if (!stopped.signal.aborted) throw error;
    process.exitCode = 1;
  } finally {
    await service.stop();
    await stores.lake.close();
    stores.sqlite.close();
  }
  if (stopped.signal.aborted) console.log("Stopped: start the same command again to go on.");
}

/** Words of a comma list, each of which must be one of those that are known. */
function listOf(name: string, given: string | undefined, known: readonly string[]): string[] | undefined {
  if (given === undefined) return undefined;
  const words = wordsOf(given);
  const wrong = words.find((word) => !known.includes(word));
  if (wrong !== undefined || words.length === 0)
    throw new RangeError(`--${name} holds "${wrong ?? ""}"; it must be a comma list of ${known.join(", ")}`);
  return words;
}

function countOf(name: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  if (/^[1-9]\d{0,5}$/.test(given)) return Number(given);
  throw new RangeError(`--${name} is "${given}"; it must be a whole number from 1 to 999999`);
}

const amount = (name: string, given: string | undefined): number | undefined => {
  if (given === undefined) return undefined;
  const value = Number(given);
  if (given.trim() === "" || !(value >= 0))
    throw new RangeError(`--${name} is "${given}"; it must be a number of at least 0`);
  return value;
};

const discover = defineCommand({
  meta: { name: "discover", description: "Read the lists of the exchanges into the registry" },
  args: {
    "market-cap-min": {
      type: "string",
      description: "Only listings worth at least so many US dollars come in",
    },
    exchanges: { type: "string", description: "Comma list: only listings of these exchanges come in" },
    "exclude-types": { type: "string", description: "Comma list, such as etf,warrant: these do not come in" },
    limit: { type: "string", description: "Most listings that come in, the largest first" },
  },
  run: ({ args }) =>
    withService(async (service) => {
      const found = await service.universe.discover({
        market_cap_min: amount("market-cap-min", args["market-cap-min"]),
        exchanges: listOf("exchanges", args.exchanges, EXCHANGES),
        exclude_types: listOf("exclude-types", args["exclude-types"], TYPES),
        limit: countOf("limit", args.limit),
      });
      for (const line of found.warnings) console.log(line);
      const { discovered, added, updated, renamed, delisted, skipped, errors } = found;
      console.log(
        `${discovered} securities in the lists: ${added} added, ${updated} updated (${renamed} renamed), ${delisted} delisted, ${skipped} skipped, ${errors} errors.`,
      );
      process.exitCode = errors > 0 ? 1 : 0;
    }),
});

const UNITS: Readonly<Record<string, string>> = {
  prices: "symbols (prices)",
  figures: "companies (reports)",
  counts: "symbols (counts of shares)",
  snapshots: "months",
};

/** Shows each phase of a build as a bar of its own. */
function showing(failed: string[]): (report: Report) => Report {
  return (report) => {
    let bar: Progress | undefined;
    return {
      ...report,
      phase(phase, total) {
        bar?.end();
        bar = total > 0 ? progress(total, UNITS[phase] ?? phase) : undefined;
        report.phase(phase, total);
      },
      step() {
        bar?.step("");
        report.step();
      },
      month(rows) {
        bar?.step("");
        report.month(rows);
      },
      failed(ticker, error) {
        failed.push(`${ticker}: ${error}`);
        report.failed(ticker, error);
      },
    };
  };
}

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;
const monthOf = (name: string, given: string | undefined) => {
  if (given === undefined || MONTH.test(given)) return given;
  throw new RangeError(`--${name} is "${given}"; it must be a month as YYYY-MM`);
};

const snapshots = defineCommand({
  meta: { name: "snapshots", description: "Build monthly snapshots of the registry's stocks" },
  args: {
    start: { type: "string", description: "First month, YYYY-MM; default 2016-01" },
    end: { type: "string", description: "Last month; default: the newest that is settled" },
    tickers: { type: "string", description: "Comma list; default: every stock of the registry" },
    force: {
      type: "boolean",
      default: false,
      description: "Make stored rows anew; differing ones are added",
    },
  },
  run: ({ args }) =>
    withService(async (service) => {
      const tickers = args.tickers === undefined ? undefined : parseTickers(args.tickers);
      if (tickers && (tickers.invalid.length > 0 || tickers.tickers.length === 0))
        throw new RangeError(`These are no tickers: ${tickers.invalid.slice(0, 10).join(" ")}`);
      const failed: string[] = [];
      const { job_id, done } = service.universe.beginBuild(
        {
          start_month: monthOf("start", args.start),
          end_month: monthOf("end", args.end),
          tickers: tickers?.tickers.map(({ symbol }) => symbol),
          force: args.force,
        },
        showing(failed),
      );
      await done;
      const build = service.universe.status(job_id);
      for (const line of failed) console.log(line);
      for (const line of JSON.parse(build.warnings) as string[]) console.log(line);
      console.log(
        `${build.months_done} of ${build.months} months are in (${build.rows_written} new rows, ${build.errors} listings left out): ${build.status}.`,
      );
      if (build.error !== null) console.log(build.error);
      process.exitCode = build.status === "succeeded" && build.errors === 0 ? 0 : 1;
    }),
});

export default defineCommand({
  meta: { name: "universe", description: "The listed securities, and their monthly snapshots" },
  subCommands: { discover, snapshots },
});
