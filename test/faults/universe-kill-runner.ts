// Run as a process of its own, to be killed: builds snapshots of the universe and says how that ended.

import { movableClock } from "../support/clock.ts";
import { openService } from "../support/service.ts";
import { type Build, SEC, U } from "../support/universe.ts";

const [dataDir = "", upstream = "", at = "", request = "{}"] = process.argv.slice(2);
const service = await openService({ dataDir, publishes: true, upstream, clock: movableClock(at), env: SEC });
await service.post(`${U}/admin/discover`, {});
let { body } = await service.post<Build>(`${U}/admin/build-snapshots`, JSON.parse(request));
const path = `${U}/admin/build-snapshots/${body.job_id}`;
for (;;) {
  ({ body } = await service.get<Build>(path));
  if (body.status !== "running") break;
  await Bun.sleep(20);
}
await service.stop();
process.stdout.write(`${body.status} ${body.phase} ${body.months_done}\n`);
process.exit(body.status === "succeeded" ? 0 : 1);
