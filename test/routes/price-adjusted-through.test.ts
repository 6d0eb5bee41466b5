// Up to which day prices are adjusted, as each symbol of an answer and each row of a file says it.
import { expect, setDefaultTimeout, test } from "bun:test";
import { openSampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

interface Bars {
  adjusted_through: Record<string, string | null>;
}

test("each symbol of an answer and each row of a file says up to which day it is adjusted", async () => {
  const service = await openSampleService({ at: "2026-06-05T21:00:00Z" });
  const span = "start_date=2026-06-01&end_date=2026-06-03";
  await service.get(`/api/v1/price/data/ZORP?${span}`);
  service.clock.set("2026-06-10T21:00:00Z");
  await service.get(`/api/v1/price/data/OBBLQ?${span}`);
  const path = `/api/v1/price/data?tickers=zorp,OBBLQ,ZZZZ&${span}`;
  // ZORP was stored before its split of 9 June, and a stored answer asks no provider.
  const { body } = await service.get<Bars>(path);
  expect(body.adjusted_through).toEqual({ zorp: "2026-06-05", OBBLQ: "2026-06-10", ZZZZ: null });
  const then = await service.get<Bars>(`${path}&as_of=2026-06-04`);
  expect(then.body.adjusted_through.OBBLQ).toBe("2026-06-04");
  const single = await service.fetch(`/api/v1/price/data/ZORP?${span}&format=csv`);
  const lines = (await single.text()).trimEnd().split("\r\n");
  const at = lines[0]?.split(",").indexOf("adjusted_through") ?? -1;
  expect(lines.slice(1).map((line) => line.split(",")[at])).toEqual([
    "2026-06-05",
    "2026-06-05",
    "2026-06-05",
  ]);
  await service.stop();
});
