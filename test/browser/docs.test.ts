// The API reference page in a real browser: it renders from this machine's files alone.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { BROWSER, type BrowserOnService, browse } from "../support/browser.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

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
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  test("shows the routes, and nothing leaves the machine", async () => {
    const { page, elsewhere, errors } = await browser.open({ width: 1280, height: 900 });
    await page.goto(`${browser.url}docs`);
    await page.getByText("Price history of one ticker").first().waitFor({ timeout: 20_000 });
    const text = await page.locator("body").textContent();
    expect(text).toContain("Asof");
    expect(text).toContain("/api/v1/price/quote/{ticker}");
    await browser.picture(page, "docs");
    expect([elsewhere, errors]).toEqual([[], []]);
    await page.close();
  }, 60_000);
});
