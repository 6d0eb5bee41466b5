// A service that is killed while it reads how reports present their cash flows reads the rest when it is
// asked again, each once.
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FinancialDataResponse } from "../../src/capabilities/financial/schema.ts";
import { openFinancialApp } from "../support/financial-app.ts";
import { UTILITY, utilityWorld } from "../support/financial-utility.ts";

setDefaultTimeout(1_200_000);

const YEARS = Array.from({ length: UTILITY.last - UTILITY.first + 1 }, (_, nth) => UTILITY.last - nth);

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "asof-presented-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

// The request reads the first ones, the background the others.
for (const [last, place] of [
  [3, "in the request"],
  [13, "in the background"],
] as const)
  test(`killed ${place}`, async () => {
    const script = join(import.meta.dir, "presented-killed.ts");
    const child = Bun.spawn([process.execPath, script, dataDir, String(last)], { stderr: "inherit" });
    await child.exited;
    expect(child.signalCode).toBe("SIGKILL");
    const world = utilityWorld();
    const app = await openFinancialApp({ world, dataDir });
    try {
      const kept = await app.lake.query<{ n: number }>(
        "SELECT count(*)::INTEGER AS n FROM presented_statements",
      );
      const { body } = await app.get<FinancialDataResponse>("/data/UTIL?include_metrics=false");
      expect(body.cash_flow.map((row) => row.depreciation_amortization)).toEqual(YEARS);
      expect(world.presentationsAsked).toHaveLength(YEARS.length - (kept[0]?.n ?? 0));
      if (last === 3) expect(kept).toEqual([{ n: 0 }]);
      else expect(kept[0]?.n).toBeGreaterThan(4);
      expect(
        await app.lake.query(
          "SELECT count(*)::INTEGER AS n, count(DISTINCT accession_number)::INTEGER AS reports, max(reading) AS readings FROM presented_statements",
        ),
      ).toEqual([{ n: YEARS.length, reports: YEARS.length, readings: 1 }]);
      const { findings } = await app.lake.check();
      expect(findings.filter(({ severity }) => severity !== "warning")).toEqual([]);
    } finally {
      await app.close();
    }
  });
