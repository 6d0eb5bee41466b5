// The pages of the console in a real browser: when the first text is painted, and how large the scripts are.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { serveSample } from "../../sample/serve.ts";
import { BROWSER, BROWSER_FLAGS } from "../support/browser.ts";
import { type Measurement, median, ms } from "./measure.ts";
import { startService } from "./service-process.ts";

const GOAL_MS = 1_000;
const PAGES = [
  "",
  "ticker/ZORP",
  "ticker/ZORP/insiders",
  "market/universe",
  "market/economy?series_id=FICGDP",
  "data/datasets",
  "filing/0000000000-00-000000",
  "sql",
];

interface Visit {
  readonly paintMs: number;
  readonly scriptBytes: number;
}

/** One visit of a browser that has nothing of the page yet. */
async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForFunction(
    () => performance.getEntriesByName("first-contentful-paint").length > 0,
    undefined,
    {
      timeout: 60_000,
    },
  );
  const found = await page.evaluate(() => ({
    paintMs: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
    scriptBytes: performance
      .getEntriesByType("resource")
      .map((entry) => entry as PerformanceResourceTiming)
      .filter(({ name }) => name.endsWith(".js"))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
  }));
  await context.close();
  return found;
}

export const consolePages: Measurement = {
  name: "console",
  description: "first paint of a page of the console on the sample market",
  goal: { kind: "at most", ratio: 1 },
  async run({ quick }) {
    if (!BROWSER) throw new Error("there is no Chromium on this machine");
    const dataDir = await mkdtemp(join(tmpdir(), "asof-bench-"));
    const sample = await serveSample({});
    const env = {
      DATA_DIR: dataDir,
      UPSTREAM_GATEWAY: sample.url,
      SEC_USER_AGENT: "Asof bench@asof.example",
    };
    const service = await startService(env);
    const browser = await chromium.launch({ executablePath: BROWSER, args: BROWSER_FLAGS });
    try {
      const results = [];
      for (const path of PAGES) {
        // The first visit of a process also makes the script of the page, and reads the company.
        const first = await visit(browser, `${service.url}/${path}`);
        const later: number[] = [];
        for (let round = 0; round < (quick ? 3 : 9); round++)
          later.push((await visit(browser, `${service.url}/${path}`)).paintMs);
        const size = `${(first.scriptBytes / 1024).toFixed(0)} KiB of script as sent`;
        results.push({
          what: `/${path}: first visit ${ms(first.paintMs)}, later ${ms(median(later))}, ${size}`,
          against: `${GOAL_MS} ms, the first visit`,
          ratio: first.paintMs / GOAL_MS,
        });
      }
      return results;
    } finally {
      await browser.close();
      await service.stop();
      await sample.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
