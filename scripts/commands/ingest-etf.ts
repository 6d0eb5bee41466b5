// `bun run cli ingest etf`: the newest report of holdings of funds, for exposures; what is stored is not asked again.
import { defineCommand } from "citty";
import { parseTickers } from "../../src/market/ticker.ts";
import { AsofError } from "../../src/platform/errors.ts";
import { progress } from "../progress.ts";
import { withService } from "./ingest-finra.ts";

export default defineCommand({
  meta: { name: "etf", description: "Newest public report of holdings (NPORT-P) of exchange-traded funds" },
  args: { tickers: { type: "string", required: true, description: "Comma list of funds" } },
  async run({ args }) {
    const { tickers, invalid } = parseTickers(args.tickers);
    if (invalid.length > 0) throw new RangeError(`--tickers holds ${invalid.join(", ")}, which is no ticker`);
    if (tickers.length === 0) throw new RangeError("--tickers names no symbol.");
    await withService(async ({ funds }, signal) => {
      const bar = progress(tickers.length, "funds");
      const failed: string[] = [];
      let [rows, done] = [0, 0];
      for (const { ticker } of tickers) {
        if (signal.aborted) break;
        try {
          rows += await funds.collect(ticker, signal);
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
      console.log(`${done} of ${tickers.length} funds are in, ${rows} new holdings.`);
      process.exitCode = done < tickers.length ? 1 : 0;
    });
  },
});
