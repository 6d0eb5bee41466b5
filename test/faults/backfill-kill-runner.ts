// A backfill of the panel from its request to its end; as a process of its own, to be killed.

import { movableClock } from "../support/clock.ts";
import { openService } from "../support/service.ts";

/** Throws where it does not succeed. */
export async function backfill(dataDir: string, upstream: string, at: string): Promise<void> {
  const service = await openService({
    dataDir,
    publishes: true,
    upstream,
    clock: movableClock(at),
    env: { MARKETFEED_API_KEY: "k", MARKETFEED_SECRET_KEY: "s" },
  });
  const { body } = await service.post<{ job_id: string }>("/api/v1/marketfeed/admin/backfill-pit", {});
  let status = "running";
  while (status === "running") {
    await Bun.sleep(20);
    const path = `/api/v1/marketfeed/admin/backfill-pit/${body.job_id}`;
    status = (await service.get<{ status: string }>(path)).body.status;
  }
  await service.stop();
  if (status !== "succeeded") throw new Error(`the backfill ended as ${status}`);
}

const [dataDir = "", upstream = "", at = ""] = process.argv.slice(2);
if (import.meta.main) {
  await backfill(dataDir, upstream, at);
  process.exit(0);
}
