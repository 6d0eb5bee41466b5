// Prices after the operational database was lost and the lake stayed, which is what is done with a damaged
// one.
import { expect, setDefaultTimeout, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { openSampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

interface Series {
  data: { date: string; close: number | null }[];
}

test("a series filled before and after equals the series fetched at once, across a 4:1 split", async () => {
  const service = await openSampleService({ at: "2026-04-20T15:00:00Z" });
  await service.get("/api/v1/price/data/ZORP?start_date=2026-03-02&end_date=2026-04-10");
  await service.app().close();
  for (const end of ["", "-wal", "-shm"])
    await rm(join(service.dataDir, `ops.sqlite${end}`), { force: true });
  await service.reopen("2026-08-03T21:00:00Z");
  // ZORP split 4:1 in June: who asks for other days only must bring that split as well.
  await service.get("/api/v1/price/data/ZORP?start_date=2026-02-02&end_date=2026-02-27");
  const range = "start_date=2026-02-02&end_date=2026-04-10";
  const filled = (await service.get<Series>(`/api/v1/price/data/ZORP?${range}`)).body.data;
  const whole = await openSampleService({ at: "2026-08-03T21:00:00Z" });
  const atOnce = (await whole.get<Series>(`/api/v1/price/data/ZORP?${range}`)).body.data;
  expect(filled.map((b) => b.date)).toEqual(atOnce.map((b) => b.date));
  const off = filled.filter((b, i) => Math.abs((b.close ?? 0) / (atOnce[i]?.close ?? 0) - 1) > 1e-9);
  expect(off.map((b) => [b.date, b.close])).toEqual([]);
  await service.stop();
  await whole.stop();
});
