// Run as a process of its own, to be killed: builds snapshots of the universe and says each step it sees.

import { movableClock } from "../support/clock.ts";
import { openService } from "../support/service.ts";
import { type Build, SEC, U } from "../support/universe.ts";

const [dataDir = "", upstream = "", at = "", request = "{}"] = process.argv.slice(2);
const service = await openService({ dataDir, upstream, clock: movableClock(at), env: SEC });
await service.post(`${U}/admin/discover`, {});
const { body: begun } = await service.post<Build>(`${U}/admin/build-snapshots`, JSON.parse(request));
const path = `${U}/admin/build-snapshots/${begun.job_id}`;
let said = "";
for (;;) {
  const { body } = await service.get<Build>(path);
  const step = `${body.status} ${body.phase} ${body.months_done}`;
  if (step !== said) process.stdout.write(`${step}\n`);
  said = step;
  if (body.status !== "running") break;
  await Bun.sleep(5);
}
await service.stop();
process.exit(said.startsWith("succeeded ") ? 0 : 1);
