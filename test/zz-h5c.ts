import { hurriedClock } from "./support/clock.ts";
import { openSampleService } from "./support/service.ts";
const service = await openSampleService({ clock: hurriedClock("2026-10-28T16:00:30Z"), env: { SEC_USER_AGENT: "Asof tests tests@asof.example" } });
await service.get("/api/v1/price/data/ZORP?period=1y");
for (let i=0;i<4;i++){ const t=performance.now(); const c=process.cpuUsage(); await service.app().lake.publish(); const d=process.cpuUsage(c); console.log("publish", performance.now()-t|0, (d.user+d.system)/1000|0); }
await service.stop(); process.exit(0);
