// `bun run cli backfill financials`: reported figures of named companies, or of all of them from the SEC's nightly
// archive. A broken run is simply started again: what is in is not read again.
import { readFile, stat } from "node:fs/promises";
import { basename } from "node:path";
import { defineCommand } from "citty";
import type { FinancialBackfill } from "../../src/capabilities/financial/backfill.ts";
import { openStores } from "../../src/composition/context.ts";
import { composeService } from "../../src/composition/service.ts";
import { readConfig } from "../../src/config.ts";
import { parseTickers } from "../../src/market/ticker.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createLog } from "../../src/platform/log.ts";
import { openZip } from "../../src/platform/zip.ts";
import { progress } from "../progress.ts";

async function tickersOf(given: string): Promise<string[]> {
  const raw = given.startsWith("@")
    ? (await readFile(given.slice(1), "utf8")).split(/[\s,]+/).join(",")
    : given;
  const { tickers, invalid } = parseTickers(raw);
  if (invalid.length > 0) throw new RangeError(`These are no tickers: ${invalid.slice(0, 10).join(" ")}`);
  if (tickers.length === 0) throw new RangeError("--tickers names no symbol.");
  return tickers.map((t) => t.symbol);
}

interface Run {
  readonly total: number;
  work(step: (item: string, error: Error | null) => void): Promise<void>;
}

async function namedTickers(
  backfill: FinancialBackfill,
  given: string,
  force: boolean,
  signal: AbortSignal,
): Promise<Run> {
  const tickers = await tickersOf(given);
  return { total: tickers.length, work: (step) => backfill.tickers(tickers, force, signal, step) };
}

async function wholeArchive(backfill: FinancialBackfill, path: string, signal: AbortSignal): Promise<Run> {
  const { size, mtimeMs } = await stat(path);
  const archive = await openZip(path);
  const name = `financials ${basename(path)} ${size} ${Math.round(mtimeMs)}`;
  return {
    total: backfill.files(archive).length,
    async work(step) {
      try {
        await backfill.archive({ archive, name, madeMs: Math.round(mtimeMs), signal }, step);
      } finally {
        await archive.close();
      }
    },
  };
}

async function run(
  args: { tickers?: string | undefined; bulk?: string | undefined; force: boolean },
  backfill: FinancialBackfill,
  signal: AbortSignal,
): Promise<void> {
  const { total, work } =
    args.bulk === undefined
      ? await namedTickers(backfill, args.tickers ?? "", args.force, signal)
      : await wholeArchive(backfill, args.bulk, signal);
  const unit = args.bulk === undefined ? "tickers" : "files";
  const bar = progress(total, unit);
  const failed: string[] = [];
  let done = 0;
  await work((item, error) => {
    done += 1;
    if (error) failed.push(`${item}: ${error.message}`);
    bar.step(item);
  });
  bar.end();
  for (const line of failed) console.log(line);
  console.log(`${done - failed.length} of ${total} ${unit} are in.`);
  if (signal.aborted) console.log("Stopped: start the same command again to go on.");
  process.exitCode = failed.length > 0 || signal.aborted ? 1 : 0;
}

export default defineCommand({
  meta: { name: "financials", description: "Figures of financial statements, as reported" },
  args: {
    tickers: { type: "string", description: "Comma list, or @file with one a line" },
    bulk: {
      type: "string",
      description:
        "Instead of --tickers: path of companyfacts.zip, which the SEC publishes nightly. Reports whose filing is not indexed count from the end of their filing day",
    },
    force: { type: "boolean", default: false, description: "With --tickers: read again what is stored" },
  },
  async run({ args }) {
    if ((args.tickers === undefined) === (args.bulk === undefined))
      throw new RangeError("Give --tickers a,b or --tickers @file, or --bulk companyfacts.zip.");
    const config = readConfig(process.env);
    const log = createLog({ level: "warn", clock: systemClock, to: "stderr" });
    const ingestMode = args.bulk !== undefined;
    const stores = await openStores({ config, clock: systemClock, log }, { ingestMode });
    const stopped = new AbortController();
    process.once("SIGINT", () => stopped.abort(new Error("stopped")));
    process.once("SIGTERM", () => stopped.abort(new Error("stopped")));
    const service = composeService({ config, clock: systemClock, log, ...stores });
    try {
      await run(args, service.financials.backfill, stopped.signal);
    } catch (error) {
      if (!stopped.signal.aborted) throw error;
      console.log("Stopped: start the same command again to go on.");
      process.exitCode = 1;
    } finally {
      await service.filings.stop();
      await stores.lake.close();
      stores.sqlite.close();
    }
  },
});
