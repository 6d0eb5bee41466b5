// Run as a process of its own, to be killed: asks for a backfill of the panel and waits for its end.

import { movableClock } from "../support/clock.ts";
import { openService } from "../support/service.ts";

const [dataDir = "", upstream = "", at = ""] = process.argv.slice(2);
const service = await openService({
  publishes: true,
  dataDir,
  upstream,
  clock: movableClock(at),
  env: { MARKETFEED_API_KEY: "k", MARKETFEED_SECRET_KEY: "s" },
});
process.stdout.write("open\n");
const { body } = await service.post<{ job_id: string }>("/api/v1/marketfeed/admin/backfill-pit", {});
let status = "running";
while (status === "running") {
  await Bun.sleep(20);
  const path = `/api/v1/marketfeed/admin/backfill-pit/${body.job_id}`;
  status = (await service.get<{ status: string }>(path)).body.status;
}
await service.stop();
process.stdout.write(`${status}\n`);
process.exit(status === "succeeded" ? 0 : 1);
