// `bun run cli ingest etf`: stores the newest holdings report of each fund, for exposures. A stored report is
// not fetched again.
import { AsofError } from "../../src/platform/errors.ts";
import { readTickers } from "../arguments.ts";
import { progress } from "../progress.ts";
import { withService } from "../session.ts";

export async function run(options: { tickers: string }): Promise<void> {
  const tickers = await readTickers(options.tickers);
  await withService(async ({ service, signal }) => {
    const bar = progress(tickers.length, "funds");
    const failed: string[] = [];
    let rows = 0;
    let done = 0;
    for (const { ticker } of tickers) {
      if (signal.aborted) break;
      try {
        rows += await service.funds.collect(ticker, signal);
        done += 1;
      } catch (error) {
        if (signal.aborted) break;
        if (!(error instanceof AsofError)) throw error;
        failed.push(`${ticker}: ${error.message}`);
      }
      bar.step(ticker);
    }
    bar.end();
    for (const line of failed) console.log(line);
    console.log(`${done} of ${tickers.length} funds are stored, ${rows} new holdings.`);
    process.exitCode = done < tickers.length ? 1 : 0;
  });
}
