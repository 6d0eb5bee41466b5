// The API reference page in a real browser: it renders from this machine's files alone.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { BROWSER, type BrowserOnService, browse } from "../support/browser.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

/** Bounds that only a page which never shows reaches, however busy the machine is. */
const WAIT_MS = 90_000;
const TEST_MS = 300_000;

describe("the reference page", () => {
  if (!BROWSER) {
    test.skip("skipped: there is no Chromium on this machine", () => {});
    return;
  }
  let service: SampleService;
  let browser: BrowserOnService;
  beforeAll(async () => {
    service = await openSampleService();
    browser = await browse(service);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  test(
    "shows the routes, and nothing leaves the machine",
    async () => {
      const { page, elsewhere, errors } = await browser.open({ width: 1280, height: 900 });
      await page.goto(`${browser.url}docs`);
      await page.locator("#operations-tag-price").click({ timeout: WAIT_MS });
      await page.getByText("Price history of one ticker").first().waitFor({ timeout: WAIT_MS });
      const text = await page.locator("body").textContent();
      expect(text).toContain("Asof");
      // The page breaks long paths with zero-width spaces.
      expect(text?.replaceAll("\u200b", "")).toContain("/api/v1/price/quote/{ticker}");
      await browser.picture(page, "docs");
      expect([elsewhere, errors]).toEqual([[], []]);
      await page.close();
    },
    TEST_MS,
  );

  test(
    "a request can be tried from the page",
    async () => {
      const { page, elsewhere, errors } = await browser.open({ width: 1280, height: 900 });
      await page.goto(`${browser.url}docs`);
      await page.locator("#operations-tag-health").click({ timeout: WAIT_MS });
      const route = page
        .locator(".opblock")
        .filter({ has: page.locator('[data-path="/api/v1/health/live"]') });
      await route.locator(".opblock-summary-control").click({ timeout: WAIT_MS });
      await route.getByRole("button", { name: "Execute" }).click({ timeout: WAIT_MS });
      const answer = route.locator(".live-responses-table .response").first();
      await answer.waitFor({ timeout: WAIT_MS });
      expect(await answer.textContent()).toContain("200");
      await browser.picture(page, "docs-tried");
      expect([elsewhere, errors]).toEqual([[], []]);
      await page.close();
    },
    TEST_MS,
  );
});
