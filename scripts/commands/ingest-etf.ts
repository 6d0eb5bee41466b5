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
    await withService(async ({ funds }, signal) => {
      const bar = progress(tickers.length, "funds");
      const failed: string[] = [];
      let rows = 0;
      for (const { ticker } of tickers) {
        if (signal.aborted) break;
        try {
          rows += await funds.collect(ticker, signal);
        } catch (fault) {
          if (!(fault instanceof AsofError)) throw fault;
          failed.push(`${ticker}: ${fault.message}`);
        }
        bar.step(ticker);
      }
      bar.end();
      for (const line of failed) console.log(line);
      console.log(
        `${tickers.length - failed.length} of ${tickers.length} funds are in, ${rows} new holdings.`,
      );
      process.exitCode = failed.length > 0 ? 1 : 0;
    });
  },
});
