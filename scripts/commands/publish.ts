// `bun run cli publish <address>`: copies the lake into a bucket for readers elsewhere; the server may run
// meanwhile.
import { openBucket } from "../../src/platform/bucket/bucket.ts";
import { type Published, publishLake } from "../../src/platform/bucket/publish-lake.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { AsofError } from "../../src/platform/errors.ts";
import { lakeRetention } from "../../src/platform/lake/write/retention.ts";
import { withService } from "../session.ts";

/** How often `--watch` looks for a new version. */
const LOOK_MS = 5_000;
/** After this time a publication is made without a new version too: it deletes what is no longer needed. */
// Nothing changed since 10:00: published again at 11:00, which deletes what no reader of 10:00 needs any
// more.
const AGAIN_MS = 3_600_000;
/** Pause after a publication that failed. */
const FAILED_MS = 60_000;

function print({ generation, sent, bytes, removed, warnings }: Published): void {
  console.log(
    `Version ${generation}: ${sent} objects, ${(bytes / 1e6).toFixed(1)} MB sent, ${removed} deleted.`,
  );
  for (const warning of warnings) console.log(`warning: ${warning}`);
}

export async function run(address: string, { watch }: { watch: boolean }): Promise<void> {
  // A wrong address or missing key ends the command before the data folder is opened.
  const bucket = openBucket(address, process.env);
  await withService(
    async ({ stores: { lake }, config, signal }) => {
      const retentionMs = lakeRetention(config.lakeRetentionHours, config.dataDir);
      const options = { clock: systemClock, retentionMs, signal };
      let published = await publishLake(lake, bucket, options);
      print(published);
      let nextMs = systemClock.nowMs() + AGAIN_MS;
      while (watch) {
        await systemClock.sleep(LOOK_MS, signal);
        if ((await lake.generation()) === published.generation && systemClock.nowMs() < nextMs) continue;
        try {
          published = await publishLake(lake, bucket, options);
          print(published);
          nextMs = systemClock.nowMs() + AGAIN_MS;
        } catch (error) {
          if (signal.aborted || !(error instanceof AsofError)) throw error;
          console.error(error.message);
          await systemClock.sleep(FAILED_MS, signal);
        }
      }
    },
    { existing: true },
  );
}
