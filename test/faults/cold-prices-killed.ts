// Asks for tickers that were never read, and is killed once the given number of them is stored.
import { movableClock } from "../support/clock.ts";
import { EVENING, openService } from "../support/service.ts";

const [dataDir = "", upstream = "", path = "", stored = ""] = Bun.argv.slice(2);
const service = await openService({ upstream, clock: movableClock(EVENING), dataDir, publishes: true });
const { not_read } = (await service.get<{ not_read: string[] }>(path)).body;
process.stdout.write(JSON.stringify(not_read));
const { lake } = service.app();
for (;;) {
  const [row] = await lake.query<{ n: number }>(
    "SELECT count(DISTINCT symbol)::INTEGER AS n FROM bars_daily",
  );
  if ((row?.n ?? 0) >= Number(stored)) process.kill(process.pid, "SIGKILL");
  await Bun.sleep(20);
}
