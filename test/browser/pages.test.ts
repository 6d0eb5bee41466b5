// Every page in a real browser. One service and one Chromium serve all files of tests here: starting them and
// reading the sample market for each costs more than most of the tests. To run one file: -t with its title.
import { afterAll, beforeAll, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import { SUGGESTED } from "../../sample/market.ts";
import { BROWSER, browse, startBrowser } from "../support/browser.ts";
import { openSampleService } from "../support/service.ts";
import { consoleTests } from "./console.tests.ts";
import { addressTests } from "./console-addresses.tests.ts";
import { companyTests } from "./console-company.tests.ts";
import { dataTests } from "./console-data.tests.ts";
import { marketTests } from "./console-market.tests.ts";
import { newcomerTests } from "./console-newcomer.tests.ts";
import { walkTests } from "./console-walk.tests.ts";
import { docsTests } from "./docs.tests.ts";
import { tickerTests } from "./ticker.tests.ts";
import type { World } from "./world.ts";

setDefaultTimeout(1_200_000);

const [KNOWN = ""] = SUGGESTED;

if (!BROWSER) test.skip("skipped: there is no Chromium on this machine", () => {});
else {
  let chromium: Browser;
  let world: World;
  beforeAll(async () => {
    chromium = await startBrowser();
    const service = await openSampleService({
      env: {
        SEC_USER_AGENT: "Asof tests tests@asof.example",
        ECONDATA_API_KEY: "0123456789abcdef0123456789abcdef",
      },
    });
    await service.get(`/api/v1/price/data/${KNOWN}?period=2y`);
    await service.post("/api/v1/shortvolume/admin/ingest", {
      start_date: "2026-08-03",
      end_date: "2026-09-08",
    });
    await service.app().jobs.runNow("universe-discover").done;
    world = { chromium, service, browser: await browse(service, chromium) };
  });
  afterAll(async () => {
    await world?.browser.close();
    await world?.service.stop();
    await chromium?.close();
  });
  for (const tests of [
    docsTests,
    consoleTests,
    walkTests,
    companyTests,
    tickerTests,
    dataTests,
    addressTests,
    marketTests,
    newcomerTests,
  ])
    tests(() => world);
}
