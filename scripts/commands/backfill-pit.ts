// `bun run cli backfill pit` fills the panel's daily bars from the brokerage feed: the same job as the admin route's,
// under the same lock; broken off, it goes on where it stopped when it is started again.
import { defineCommand } from "citty";
import { openStores } from "../../src/composition/context.ts";
import { composeService } from "../../src/composition/service.ts";
import { readConfig } from "../../src/config.ts";
import { isDate } from "../../src/market/date.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createLog } from "../../src/platform/log.ts";
import { progress } from "../progress.ts";

const dayOf = (name: string, text: string | undefined) => {
  if (text === undefined) return {};
  if (isDate(text)) return { [name]: text };
  throw new RangeError(
    `--${name.replace("_date", "")} is "${text}"; it must be an existing day as YYYY-MM-DD`,
  );
};

export default defineCommand({
  meta: { name: "pit", description: "Daily bars of every symbol of the short-volume files, as traded then" },
  args: {
    symbols: { type: "string", description: "Only these, comma list, as traded; default: all" },
    start: { type: "string", description: "First day; default: the first of the files, not before 2016" },
    end: { type: "string", description: "Last day; default: the newest of the files" },
    resume: {
      type: "boolean",
      default: true,
      description: "Pass over what was asked for in vain (--no-resume asks again)",
    },
  },
  async run({ args }) {
    const config = readConfig(process.env);
    const log = createLog({ level: "warn", clock: systemClock, to: "stderr" });
    const stores = await openStores({ config, clock: systemClock, log });
    try {
      const service = composeService({ config, clock: systemClock, log, ...stores });
      const { backfill } = service.marketfeed;
      const bar: { step?: (what: string) => void; end?: () => void } = {};
      const symbols = args.symbols?.split(",").filter((symbol) => symbol.trim() !== "");
      const { accepted, done } = await backfill.begin(
        {
          ...dayOf("start_date", args.start),
          ...dayOf("end_date", args.end),
          ...(symbols ? { symbols } : {}),
          resume: args.resume,
        },
        (count) => {
          for (let n = 0; n < count; n++) bar.step?.("");
        },
      );
      Object.assign(bar, progress(accepted.symbols, "symbols"));
      const stop = () => void service.stop();
      process.once("SIGINT", stop);
      process.once("SIGTERM", stop);
      await done;
      bar.end?.();
      const end = backfill.progress(accepted.job_id);
      for (const { symbol, error } of end.failed) console.log(`${symbol}: ${error}`);
      console.log(
        `${end.start_date} to ${end.end_date}: ${end.rows} bars of ${end.processed} of ${end.total} symbols were stored.`,
      );
      if (end.error) console.log(`It ended early: ${end.error}. Start the same command again to go on.`);
      process.exitCode = end.status === "succeeded" ? 0 : 1;
      await service.stop();
    } finally {
      await stores.lake.close();
      stores.sqlite.close();
    }
  },
});
