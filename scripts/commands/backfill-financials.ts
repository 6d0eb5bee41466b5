// `bun run cli backfill financials`: reported figures of named companies, or of all companies from the SEC's
// nightly archive. Stored reports are not read again, so an interrupted run is simply started again.
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import type { FinancialBackfill } from "../../src/capabilities/financial/backfill.ts";
import { openZip } from "../../src/platform/zip.ts";
import { readTickers, requireOne } from "../arguments.ts";
import { progress } from "../progress.ts";
import { withService } from "../session.ts";

interface FinancialOptions {
  readonly tickers?: string;
  readonly bulk?: string;
  readonly force: boolean;
}

/** Work of known size; `step` is called after each item, with the error of one that failed. */
interface Work {
  readonly total: number;
  readonly unit: string;
  run(step: (item: string, error: Error | null) => void): Promise<void>;
}

async function namedTickers(
  backfill: FinancialBackfill,
  given: string,
  force: boolean,
  signal: AbortSignal,
): Promise<Work> {
  const tickers = (await readTickers(given)).map(({ symbol }) => symbol);
  return {
    total: tickers.length,
    unit: "tickers",
    run: (step) => backfill.tickers(tickers, force, signal, step),
  };
}

async function wholeArchive(backfill: FinancialBackfill, path: string, signal: AbortSignal): Promise<Work> {
  const { size, mtimeMs } = await stat(path);
  const archive = await openZip(path);
  const madeMs = Math.round(mtimeMs);
  return {
    total: backfill.files(archive).length,
    unit: "files",
    async run(step) {
      try {
        const name = `financials ${basename(path)} ${size} ${madeMs}`;
        await backfill.archive({ archive, name, madeMs, signal }, step);
      } finally {
        await archive.close();
      }
    },
  };
}

export async function run({ tickers, bulk, force }: FinancialOptions): Promise<void> {
  requireOne(tickers, bulk, "Give --tickers a,b or --tickers @file, or --bulk companyfacts.zip.");
  const failed: string[] = [];
  const isWhole = await withService(
    async ({ service, signal }) => {
      const { backfill } = service.financials;
      const work =
        bulk === undefined
          ? await namedTickers(backfill, tickers ?? "", force, signal)
          : await wholeArchive(backfill, bulk, signal);
      const bar = progress(work.total, work.unit);
      let done = 0;
      await work.run((item, error) => {
        done += 1;
        if (error) failed.push(`${item}: ${error.message}`);
        bar.step(item);
      });
      bar.end();
      for (const line of failed) console.log(line);
      console.log(`${done - failed.length} of ${work.total} ${work.unit} are stored.`);
    },
    { ingestMode: bulk !== undefined },
  );
  process.exitCode = failed.length > 0 || !isWhole ? 1 : 0;
}
