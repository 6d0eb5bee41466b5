// `bun run cli backfill insiders`: insiders' trades of whole quarters from the SEC's data sets. A broken run is simply
// started again: what is in is not written again.
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { defineCommand } from "citty";
import { openStores } from "../../src/composition/context.ts";
import { composeService } from "../../src/composition/service.ts";
import { readConfig } from "../../src/config.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { createLog } from "../../src/platform/log.ts";
import { openZip } from "../../src/platform/zip.ts";

/** Unread filings that are named; of more the number is told. */
const NAMED_MAX = 20;

type Service = ReturnType<typeof composeService>;

async function takeIn({ ownership }: Service, path: string, signal: AbortSignal): Promise<void> {
  const { size, mtimeMs } = await stat(path);
  const archive = await openZip(path);
  try {
    const name = `${basename(path)} ${size} ${Math.round(mtimeMs)}`;
    const done = await ownership.backfill.dataSet({ archive, name, signal }, (filings) =>
      process.stderr.write(`${basename(path)}: ${filings} filings\n`),
    );
    for (const line of done.unread.slice(0, NAMED_MAX)) console.log(line);
    console.log(
      `${basename(path)}: ${done.rows} trades of ${done.filings} filings are new; ${done.unread.length} filings cannot be read.`,
    );
  } finally {
    await archive.close();
  }
}

export default defineCommand({
  meta: { name: "insiders", description: "Insiders' trades of whole quarters" },
  args: {
    bulk: {
      type: "string",
      required: true,
      description:
        "Paths by comma of the SEC's Insider Transactions Data Sets, such as 2024q1_form345.zip. They tell the day of filing only: such trades count from the end of that day",
    },
  },
  async run({ args }) {
    const paths = args.bulk.split(",").filter(Boolean);
    const config = readConfig(process.env);
    const log = createLog({ level: "error", clock: systemClock, to: "stderr" });
    const stores = await openStores({ config, clock: systemClock, log });
    const stopped = new AbortController();
    process.once("SIGINT", () => stopped.abort(new Error("stopped")));
    process.once("SIGTERM", () => stopped.abort(new Error("stopped")));
    const service = composeService({ config, clock: systemClock, log, ...stores });
    try {
      for (const path of paths) await takeIn(service, path, stopped.signal);
    } catch (error) {
      if (!stopped.signal.aborted) throw error;
      console.log("Stopped: start the same command again to go on.");
      process.exitCode = 1;
    } finally {
      await service.stop();
      await stores.lake.close();
      stores.sqlite.close();
    }
  },
});
