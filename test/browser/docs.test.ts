// The API reference page in a real browser: it renders from this machine's files alone.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { openSampleService, type SampleService } from "../support/service.ts";

const BROWSER = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((p) =>
  existsSync(p),
);

describe("the reference page", () => {
  if (!BROWSER) {
    test.skip("skipped: there is no Chromium on this machine", () => {});
    return;
  }
  let service: SampleService;
  let server: ReturnType<typeof Bun.serve>;
  let browser: Browser;
  beforeAll(async () => {
    service = await openSampleService();
    server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => service.app().edge.fetch(request, "127.0.0.1"),
    });
    browser = await chromium.launch({
      executablePath: BROWSER,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    });
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await server?.stop(true);
    await service?.stop();
  });

  test("shows the routes, and nothing leaves the machine", async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const elsewhere: string[] = [];
    const errors: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(server.url.href) && !/^(data|blob):/.test(request.url()))
        elsewhere.push(request.url());
    });
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    await page.goto(`${server.url.href}docs`);
    await page.getByText("Price history of one ticker").first().waitFor({ timeout: 20_000 });
    const text = await page.locator("body").textContent();
    expect(text).toContain("Asof");
    expect(text).toContain("/api/v1/price/quote/{ticker}");
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/docs.png` });
    expect(elsewhere).toEqual([]);
    expect(errors).toEqual([]);
    await page.close();
  }, 60_000);
});
