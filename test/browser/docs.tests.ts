// The API reference page in a real browser: it renders from this machine's files alone.
import { beforeAll, describe, expect, test } from "bun:test";
import type { BrowserOnService } from "../support/browser.ts";
import type { World } from "./world.ts";

export const docsTests = (world: () => World) =>
  describe("the reference page", () => {
    let browser: BrowserOnService;
    beforeAll(() => {
      ({ browser } = world());
    });

    test("shows the routes, and nothing leaves the machine", async () => {
      const { page, elsewhere, errors } = await browser.open({ width: 1280, height: 900 });
      await page.goto(`${browser.url}docs`);
      await page.locator("#operations-tag-price").click();
      await page.getByText("Price history of one ticker").first().waitFor();
      const text = await page.locator("body").textContent();
      expect(text).toContain("Asof");
      // The page breaks long paths with zero-width spaces.
      expect(text?.replaceAll("\u200b", "")).toContain("/api/v1/price/quote/{ticker}");
      await browser.picture(page, "docs");
      expect([elsewhere, errors]).toEqual([[], []]);
      await page.close();
    });

    test("a request can be tried from the page", async () => {
      const { page, elsewhere, errors } = await browser.open({ width: 1280, height: 900 });
      await page.goto(`${browser.url}docs`);
      await page.locator("#operations-tag-health").click();
      const route = page
        .locator(".opblock")
        .filter({ has: page.locator('[data-path="/api/v1/health/live"]') });
      await route.locator(".opblock-summary-control").click();
      await route.getByRole("button", { name: "Execute" }).click();
      const answer = route.locator(".live-responses-table .response").first();
      await answer.waitFor();
      expect(await answer.textContent()).toContain("200");
      await browser.picture(page, "docs-tried");
      expect([elsewhere, errors]).toEqual([[], []]);
      await page.close();
    });
  });
