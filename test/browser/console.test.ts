// The console in a real browser: what it shows is what the service answers, on a desk and on a phone, then and now.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { SUGGESTED } from "../../sample/market.ts";
import { BROWSER, type BrowserOnService, browse } from "../support/browser.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(300_000);

const [KNOWN = ""] = SUGGESTED;
const READY = "body[data-ready=true]";

describe("the console", () => {
  if (!BROWSER) {
    test.skip("skipped: there is no Chromium on this machine", () => {});
    return;
  }
  let service: SampleService;
  let browser: BrowserOnService;
  beforeAll(async () => {
    service = await openSampleService({
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
    browser = await browse(service);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  test("the overview: providers, jobs, storage, months, requests", async () => {
    const { page, elsewhere, errors } = await browser.open({ width: 1280, height: 900 });
    await page.goto(browser.url);
    await page.locator(READY).waitFor({ timeout: 30_000 });
    await browser.picture(page, "overview");
    expect(await page.locator("#health tbody tr").count()).toBeGreaterThan(4);
    expect(await page.locator("#health").textContent()).toContain("yahoo");
    const jobs = (await service.get<{ count: number }>("/api/v1/scheduler/jobs")).body.count;
    expect(await page.locator("#jobs tbody tr").count()).toBe(jobs);
    const { tables } = (
      await service.get<{ tables: { name: string; kind: string; rows: number }[] }>("/api/v1/database/info")
    ).body;
    const bars = tables.find(({ name }) => name === "bars_daily")?.rows ?? 0;
    expect(await page.locator("#storage tr", { hasText: "bars_daily" }).first().textContent()).toContain(
      bars.toLocaleString("en-US"),
    );
    const june = page.locator('#coverage td[title^="bars_daily, 2026-06"]');
    expect(await june.getAttribute("title")).toBe("bars_daily, 2026-06: 21 rows");
    expect(await page.locator("#traffic").textContent()).toContain(`/api/v1/price/data/${KNOWN}`);
    expect(await page.locator("#quotas").textContent()).toContain("of 1,000 calls today");
    expect([elsewhere, errors]).toEqual([[], []]);
    await page.fill("#ticker", KNOWN);
    await page.press("#ticker", "Enter");
    await page.waitForURL(`**/ticker/${KNOWN}`);
    await page.close();
  });

  test("a ticker: bars, markers, statements with receipts, links", async () => {
    const { page, elsewhere, errors } = await browser.open({ width: 1280, height: 900, dark: true });
    await page.goto(`${browser.url}ticker/${KNOWN}`);
    await page.locator(READY).waitFor({ timeout: 40_000 });
    await browser.picture(page, "ticker-dark");
    const bars = Number(await page.locator("#chart").getAttribute("data-bars"));
    expect(bars).toBeGreaterThan(240);
    expect(await page.locator("#chart canvas").count()).toBeGreaterThan(0);
    expect(Number(await page.locator("#chart").getAttribute("data-marks"))).toBeGreaterThan(0);
    const revenue = page.locator('#statements button[data-line="revenue"]').first();
    await revenue.click();
    const receipt = await page.locator("#receipt").textContent();
    expect(receipt).toMatch(/Filing\s*\d{10}-\d{2}-\d{6}/);
    expect(receipt).toMatch(/Known from\s*\d{4}-\d{2}-\d{2} \d{2}:\d{2} UTC/);
    await browser.picture(page, "receipt");
    expect(await page.locator("#chart-links").textContent()).toContain(
      `FROM bars(NULL) WHERE symbol = '${KNOWN}'`,
    );
    expect([elsewhere, errors]).toEqual([[], []]);
    await page.close();
  });

  test("as of an earlier day nothing later is shown", async () => {
    const { page } = await browser.open({ width: 1280, height: 900 });
    const asked: URL[] = [];
    page.on("request", (request) => void asked.push(new URL(request.url())));
    await page.goto(`${browser.url}ticker/${KNOWN}?as_of=2026-03-31&months=12`);
    await page.locator(READY).waitFor({ timeout: 40_000 });
    await browser.picture(page, "ticker-as-of");
    expect(await page.locator("#notes").textContent()).toContain(
      "had not collected these prices by 2026-03-31",
    );
    const days = [
      ...(await page.locator("#events, #insiders, #statements").allTextContents())
        .join(" ")
        .matchAll(/20\d\d-\d\d-\d\d/g),
    ].map(([day]) => day);
    expect(days.length).toBeGreaterThan(4);
    expect(days.filter((day) => day > "2026-03-31")).toEqual([]);
    expect(await page.inputValue("#as-of")).toBe("2026-03-31");
    // The file of a day counts as known from the next session's day on: the end of the span alone would show too much.
    const dated = asked.filter(({ pathname }) =>
      /shortvolume|earnings|events|form4|financial/.test(pathname),
    );
    expect(dated.map(({ searchParams }) => searchParams.get("as_of"))).toEqual(Array(5).fill("2026-03-31"));
    // The prices shown are those of today, and so is what leads to them.
    expect(await page.locator("#chart-links").textContent()).toContain("FROM bars(NULL)");
    await page.close();
  });

  test("a leap day, a day that lies ahead, an address that is not well written", async () => {
    const { page, errors } = await browser.open({ width: 1280, height: 900 });
    await page.goto(`${browser.url}ticker/${KNOWN}?as_of=2024-08-29&months=6`);
    await page.locator(READY).waitFor({ timeout: 40_000 });
    expect(await page.locator("#statements .error").count()).toBe(0);
    await page.goto(`${browser.url}ticker/${KNOWN}?as_of=2031-01-01`);
    await page.locator(READY).waitFor({ timeout: 40_000 });
    expect(await page.inputValue("#as-of")).toBe("");
    expect(Number(await page.locator("#chart").getAttribute("data-bars"))).toBeGreaterThan(240);
    await page.goto(`${browser.url}ticker/%E0%A4%A`);
    await page.locator(READY).waitFor({ timeout: 40_000 });
    expect(errors.filter((error) => !error.startsWith("Failed to load resource"))).toEqual([]);
    await page.close();
  });

  test("on a phone nothing is wider than the screen", async () => {
    for (const path of ["", `ticker/${KNOWN}`]) {
      const { page } = await browser.open({ width: 375, height: 740 });
      await page.goto(`${browser.url}${path}`);
      await page.locator(READY).waitFor({ timeout: 40_000 });
      await browser.picture(page, path === "" ? "phone-overview" : "phone-ticker");
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
      await page.close();
    }
  });

  test("a server with keys asks its reader once", async () => {
    const guarded = await openSampleService({
      env: { API_KEYS: "client-key-1", ADMIN_TOKEN: "admin-token-1" },
    });
    const other = await browse(guarded);
    try {
      const { page } = await other.open({ width: 1280, height: 900 });
      const prompts: string[] = [];
      page.on("dialog", (dialog) => {
        prompts.push(dialog.message());
        void dialog.accept("admin-token-1");
      });
      await page.goto(other.url);
      await page.locator(READY).waitFor({ timeout: 40_000 });
      expect(prompts.length).toBe(1);
      expect(await page.locator(".error").allTextContents()).toEqual([]);
    } finally {
      await other.close();
      await guarded.stop();
    }
  });

  test("an unknown ticker, and one that contains markup, are reported as plain text", async () => {
    const { page } = await browser.open({ width: 1280, height: 900 });
    await page.goto(`${browser.url}ticker/${encodeURIComponent("<img src=x onerror=alert(1)>")}`);
    await page.locator(READY).waitFor({ timeout: 40_000 });
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.locator("#notes").textContent()).toContain("Company:");
    await page.goto(`${browser.url}ticker/NOSUCHX`);
    await page.locator(READY).waitFor({ timeout: 40_000 });
    expect(await page.locator("#chart").textContent()).toContain("No prices in this span.");
    await page.close();
  });
});
