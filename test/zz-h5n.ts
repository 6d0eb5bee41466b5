import { hurriedClock } from "./support/clock.ts";
import { openSampleService } from "./support/service.ts";
const service = await openSampleService({ clock: hurriedClock("2026-10-28T16:00:30Z"), env: { JOBS: "on", SEC_USER_AGENT: "Asof tests tests@asof.example",  } });
let ms = Date.parse("2026-10-28T16:05:00Z");
const T: Record<string, number[]> = {};
const c0 = process.cpuUsage();
for (let i = 0; i < 60; i++, ms += 300_000) {
  service.clock.set(new Date(ms + 40).toISOString());
  for (const name of [process.argv[2] ?? ""]) {
    const c = process.cpuUsage(); const t = performance.now();
    await service.app().jobs.due(name);
    const d = process.cpuUsage(c); T[name] ??= [0, 0, 0, 0];
    T[name][0]++; T[name][1] += performance.now() - t; T[name][2] += d.user / 1000; T[name][3] += d.system / 1000;
  }
}
console.log(T, process.cpuUsage(c0));
await service.stop();
process.exit(0);
