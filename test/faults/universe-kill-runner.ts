// A build of the universe's snapshots from its request to its end; as a process of its own, to be killed.

import { movableClock } from "../support/clock.ts";
import { openService } from "../support/service.ts";
import { type Build, SEC, U } from "../support/universe.ts";

/** Resolves to how it ended. */
export async function build(
  dataDir: string,
  upstream: string,
  at: string,
  request: string,
): Promise<Pick<Build, "status" | "phase" | "months_done">> {
  const service = await openService({
    dataDir,
    publishes: true,
    upstream,
    clock: movableClock(at),
    env: SEC,
  });
  await service.post(`${U}/admin/discover`, {});
  let { body } = await service.post<Build>(`${U}/admin/build-snapshots`, JSON.parse(request));
  const path = `${U}/admin/build-snapshots/${body.job_id}`;
  for (;;) {
    ({ body } = await service.get<Build>(path));
    if (body.status !== "running") break;
    await Bun.sleep(20);
  }
  await service.stop();
  const { status, phase, months_done } = body;
  return { status, phase, months_done };
}

const [dataDir = "", upstream = "", at = "", request = ""] = process.argv.slice(2);
if (import.meta.main) {
  await build(dataDir, upstream, at, request);
  process.exit(0);
}
