import { test, setDefaultTimeout } from "bun:test";
import { openSampleService } from "./support/service.ts";
import { batch, SESSIONS } from "./support/overlay-world.ts";
setDefaultTimeout(100000);
test("x", async () => {
  const s = await openSampleService({ at: "2026-09-10T02:50:00Z", speed: 1 });
  const lake = s.app().lake;
  const days = SESSIONS.slice(-32);
  const syms = Array.from({ length: 11000 }, (_, i) => `S${i}`);
  for (const date of days) await lake.append([
    batch("short_volume", syms.map((symbol, i) => ({ date, symbol, known_at: `${date}T22:00:00Z`, facility: "CNMS", short_volume: (i * 7919 + Number(date.slice(-2)) * 31) % 1000, total_volume: 1000 }))),
    batch("finra_files", [{ date, known_at: `${date}T22:00:00Z`, facility: "CNMS" }]),
    batch("bars_daily", syms.map((symbol, i) => ({ symbol, date, basis_date: date, known_at: `${date}T22:00:00Z`, close: 10 + (i % 7), adj_close: 10 + i % 7, volume: 1000 + (i * Number(date.slice(-2))) % 500 })))]);
  let t = performance.now();
  console.log(await s.app().jobs.runNow("overlay-scores").done, performance.now() - t);
  t = performance.now();
  console.log((await s.get<any>("/api/v1/overlay/top-movers")).body.count, performance.now() - t);
  t = performance.now();
  console.log((await s.get<any>("/api/v1/overlay/score/S5")).body.data.length, performance.now() - t);
  await s.stop();
});
