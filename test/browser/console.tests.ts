// The console in a real browser: what it shows is what the service answers, on a desk and on a phone, then
// and now.
import { beforeAll, describe, expect, test } from "bun:test";
import { SUGGESTED } from "../../sample/market.ts";
import { type BrowserOnService, browse } from "../support/browser.ts";
import { openSampleService, type SampleService } from "../support/service.ts";
import type { World } from "./world.ts";

const [KNOWN = ""] = SUGGESTED;
const READY = "body[data-ready=true]";

export const consoleTests = (world: () => World) =>
  describe("the console", () => {
    let service: SampleService;
    let browser: BrowserOnService;
    beforeAll(() => {
      ({ service, browser } = world());
    });

    test("the overview: providers, jobs, storage, months, requests", async () => {
      const { page, elsewhere, errors } = await browser.open({ width: 1280, height: 900 });
      await page.goto(browser.url);
      await page.locator(READY).waitFor();
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
      // The label of a row lies above the cells that scroll below it.
      const label = page.locator("#coverage tbody th", { hasText: "bars_daily" }).first();
      expect(
        await page.evaluate(
          ({ x, y }) => document.elementFromPoint(x, y)?.tagName,
          await label.evaluate((cell) => {
            cell.scrollIntoView({ block: "center" });
            const { right, top, height } = cell.getBoundingClientRect();
            return { x: right - 2, y: top + height / 2 };
          }),
        ),
      ).toBe("TH");
      expect(await page.locator("#traffic").textContent()).toContain(`/api/v1/price/data/${KNOWN}`);
      expect(await page.locator("#quotas").textContent()).toContain("of 1,000 calls today");
      expect([elsewhere, errors]).toEqual([[], []]);
      await page.fill("#search", KNOWN);
      await page.press("#search", "Enter");
      await page.waitForURL(`**/ticker/${KNOWN}`);
      await page.close();
    });

    test("a ticker: bars, markers, statements with receipts, links", async () => {
      const { page, elsewhere, errors } = await browser.open({ width: 1280, height: 900, dark: true });
      await page.goto(`${browser.url}ticker/${KNOWN}`);
      await page.locator(READY).waitFor();
      await browser.picture(page, "ticker-dark");
      const bars = Number(await page.locator("#chart").getAttribute("data-bars"));
      expect(bars).toBeGreaterThan(240);
      expect(await page.locator("#chart canvas").count()).toBeGreaterThan(0);
      expect(Number(await page.locator("#chart").getAttribute("data-marks"))).toBeGreaterThan(0);
      const revenue = page.locator('#statements button[data-line="revenue"]').first();
      await revenue.click();
      const receipt = await page.locator("#receipt").textContent();
      expect(receipt).toMatch(/Filing\s*\d{10}-\d{2}-\d{6}/);
      expect(receipt).toMatch(/Value\s*[\d,]+ USDPeriod/);
      expect(receipt).toMatch(/Form\s*10-[QK]/);
      expect(receipt).toMatch(/Known from\s*\d{4}-\d{2}-\d{2} \d{2}:\d{2} E[DS]T/);
      await browser.picture(page, "receipt");
      await page.locator("#receipt button").click();
      await page.locator('#statements button[data-line="weighted_average_shares_diluted"]').first().click();
      expect(await page.locator("#receipt").textContent()).toMatch(/Value\s*\d{1,3}(,\d{3})+ sharesPeriod/);
      await page.locator("#receipt button").click();
      await page.locator('#statements button[data-line="eps_diluted"]').first().click();
      expect(await page.locator("#receipt").textContent()).toMatch(/Value\s*-?[\d.]+ USD per sharePeriod/);
      expect(await page.locator("#mode").isVisible()).toBe(false);
      expect(await page.locator("#chart-links").textContent()).toContain(
        `FROM bars(NULL) WHERE symbol = '${KNOWN}'`,
      );
      expect([elsewhere, errors]).toEqual([[], []]);
      await page.close();
    });

    test("search completes names; slash, arrows and enter work, and the as-of date is carried", async () => {
      const { page, errors } = await browser.open({ width: 1280, height: 900 });
      await page.goto(`${browser.url}?as_of=2026-03-31`);
      await page.route("**/api/v1/universe/registry**", (route) =>
        route.fulfill({
          json: {
            data: [
              { ticker: "QUIB-B", name: "Quibble", exchange: "NYSE", is_active: true },
              { ticker: KNOWN, name: "Zorp Dynamics", exchange: "Nasdaq", is_active: false },
            ],
          },
        }),
      );
      const asked = page.waitForRequest(/universe\/registry/);
      await page.locator("body").press("/");
      await page.keyboard.type("dynam");
      expect(new URL((await asked).url()).searchParams.get("as_of")).toBe("2026-03-31");
      await page.locator("#found [role=option]").nth(1).waitFor();
      await browser.picture(page, "search");
      expect(await page.locator("#found [role=option]").nth(1).textContent()).toBe(
        `${KNOWN} Zorp Dynamics Nasdaq, delisted`,
      );
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.waitForURL(`**/ticker/${KNOWN}?as_of=2026-03-31`);
      await page.goBack();
      await page.waitForURL("**/?as_of=2026-03-31");
      expect(errors).toEqual([]);
      await page.close();
    });

    test("enter waits for the listings of a name, and small letters are a ticker too", async () => {
      const { page } = await browser.open({ width: 1280, height: 900 });
      let isHeld = true;
      await page.route("**/api/v1/universe/registry**", async (route) => {
        while (isHeld) await Bun.sleep(50);
        const isName = new URL(route.request().url()).searchParams.get("q") === "zorp dynamics";
        const data = isName
          ? [{ ticker: KNOWN, name: "Zorp Dynamics", exchange: "Nasdaq", is_active: true }]
          : [];
        await route.fulfill({ json: { data } });
      });
      await page.goto(browser.url);
      await page.fill("#search", "zorp dynamics");
      await page.keyboard.press("Enter");
      isHeld = false;
      await page.waitForURL(`**/ticker/${KNOWN}`);
      await page.goto(browser.url);
      await page.fill("#search", "no such name");
      await page.keyboard.press("Enter");
      await page.locator("#found-note .state.empty").waitFor();
      expect(new URL(page.url()).pathname).toBe("/");
      await page.fill("#search", KNOWN.toLowerCase());
      await page.keyboard.press("Enter");
      await page.waitForURL(`**/ticker/${KNOWN}`);
      await page.goto(`${browser.url}ticker/${KNOWN.toLowerCase()}/dividends`);
      // Until the day of the service is known, the heading is the page's own.
      await page.locator("h1", { hasText: "dividends" }).waitFor();
      expect(await page.locator("h1").textContent()).toBe(`${KNOWN} · dividends`);
      await page.close();
    });

    test("as of an earlier day nothing later is shown", async () => {
      const { page } = await browser.open({ width: 1280, height: 900 });
      const asked: URL[] = [];
      page.on("request", (request) => void asked.push(new URL(request.url())));
      await page.goto(`${browser.url}ticker/${KNOWN}?as_of=2026-03-31&months=12`);
      await page.locator(READY).waitFor();
      await browser.picture(page, "ticker-as-of");
      const days = [
        ...(await page.locator("#events, #insiders, #statements").allTextContents())
          .join(" ")
          .matchAll(/20\d\d-\d\d-\d\d/g),
      ].map(([day]) => day);
      expect(days.length).toBeGreaterThan(4);
      expect(days.filter((day) => day > "2026-03-31")).toEqual([]);
      expect(await page.inputValue("#as-of")).toBe("2026-03-31");
      // The file of a day counts as known from the next session's day on: the end of the span alone would
      // show too much.
      const dated = asked.filter(({ pathname }) =>
        /shortvolume|earnings|events|form4|financial/.test(pathname),
      );
      expect(dated.map(({ searchParams }) => searchParams.get("as_of"))).toEqual(Array(5).fill("2026-03-31"));
      const priced = asked.filter(({ pathname }) => /price\/data/.test(pathname));
      expect(priced.map(({ searchParams }) => searchParams.get("as_of"))).toEqual(["2026-03-31"]);
      // The company of today may have another name: the one of then comes with the statements.
      expect(asked.filter(({ pathname }) => /\/company\//.test(pathname))).toEqual([]);
      expect(await page.locator("#chart-links").textContent()).toContain("FROM bars('2026-03-31')");
      await page.close();
    });

    test("a leap day, a day that lies ahead, an address that is not well written", async () => {
      const { page, errors } = await browser.open({ width: 1280, height: 900 });
      await page.goto(`${browser.url}ticker/${KNOWN}?as_of=2024-08-29&months=6`);
      await page.locator(READY).waitFor();
      expect(await page.locator("#statements .error").count()).toBe(0);
      await page.goto(`${browser.url}ticker/${KNOWN}?as_of=2031-01-01`);
      await page.locator(READY).waitFor();
      expect(await page.inputValue("#as-of")).toBe("");
      expect(Number(await page.locator("#chart").getAttribute("data-bars"))).toBeGreaterThan(240);
      await page.goto(`${browser.url}ticker/%E0%A4%A`);
      await page.locator(READY).waitFor();
      expect(errors.filter((error) => !error.startsWith("Failed to load resource"))).toEqual([]);
      await page.close();
    });

    test("on a phone nothing is wider than the screen", async () => {
      for (const path of ["", `ticker/${KNOWN}`]) {
        const { page } = await browser.open({ width: 375, height: 740 });
        await page.goto(`${browser.url}${path}`);
        await page.locator(READY).waitFor();
        await browser.picture(page, path === "" ? "phone-overview" : "phone-ticker");
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
        await page.close();
      }
    });

    test("a server with keys asks its reader once", async () => {
      const guarded = await openSampleService({
        env: { API_KEYS: "client-key-1", ADMIN_TOKEN: "admin-token-1" },
      });
      const other = await browse(guarded, world().chromium);
      try {
        const { page } = await other.open({ width: 1280, height: 900 });
        const prompts: string[] = [];
        page.on("dialog", (dialog) => {
          prompts.push(dialog.message());
          void dialog.accept("admin-token-1");
        });
        await page.goto(other.url);
        await page.locator(READY).waitFor();
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
      await page.locator(READY).waitFor();
      expect(await page.locator("img").count()).toBe(0);
      expect(await page.locator("h1").textContent()).toBe("<img src=x onerror=alert(1)>");
      for (const path of [`ticker/${encodeURIComponent("<b>")}`, `ticker/${"A".repeat(400)}/news`]) {
        await page.goto(browser.url + path);
        await page.locator(READY).waitFor();
        expect(await page.locator("main .state").allTextContents()).toEqual([
          expect.stringContaining("Refused This is no ticker"),
        ]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
      }
      await page.goto(`${browser.url}ticker/NOSUCHX`);
      await page.locator(READY).waitFor();
      expect(await page.locator("#chart .state.empty").count()).toBe(1);
      await page.close();
    });

    test("an outage, a refusal, a missing setting and nothing there look different", async () => {
      const { page } = await browser.open({ width: 1280, height: 900 });
      const problem = (status: number, code: string, detail: string) => ({
        status,
        contentType: "application/problem+json",
        body: JSON.stringify({ code, detail }),
      });
      await page.route("**/api/v1/insider/form4/**", (route) =>
        route.fulfill(problem(502, "upstream_error", "EDGAR could not be reached.")),
      );
      await page.route("**/api/v1/filings/events/**", (route) =>
        route.fulfill(problem(503, "not_configured", "SEC_USER_AGENT is not set.")),
      );
      await page.route("**/api/v1/financial/data/**", (route) =>
        route.fulfill(problem(403, "forbidden", "This key may not do that.")),
      );
      await page.route("**/api/v1/shortvolume/**", (route) =>
        route.fulfill(problem(404, "no_data", "No short volume is stored.")),
      );
      await page.route("**/api/v1/price/data/**", (route) => route.abort());
      await page.goto(`${browser.url}ticker/${KNOWN}`);
      await page.locator(READY).waitFor();
      await browser.picture(page, "states");
      const shown = (selector: string) => page.locator(selector).first().textContent();
      expect(await shown("#insiders .state.outage")).toBe("No answer EDGAR could not be reached.");
      expect(await shown("#events .state.not-configured")).toBe("Not configured SEC_USER_AGENT is not set.");
      expect(await shown("#statements .state.refused")).toBe("Refused This key may not do that.");
      expect(await shown("#notes .state.empty")).toBe("Nothing there No short volume is stored.");
      expect(await shown("#chart .state.outage")).toBe("No answer The server does not answer.");
      const looks = await page
        .locator(".state")
        .evaluateAll((lines) =>
          lines.map((line) => `${line.className} ${getComputedStyle(line).borderLeftColor}`),
        );
      expect(new Set(looks).size).toBe(4);
      await page.close();
    });

    test("the header says when the server is gone, and recovers by itself", async () => {
      const { page } = await browser.open({ width: 1280, height: 900 });
      let isGone = false;
      await page.route("**/api/v1/**", (route) => (isGone ? route.abort() : route.continue()));
      await page.goto(browser.url);
      await page.locator(READY).waitFor();
      expect(await page.locator("#status").textContent()).toMatch(/healthy|degraded/);
      isGone = true;
      await page.locator("#connection", { hasText: "The server does not answer." }).waitFor();
      expect(await page.locator("#status").isVisible()).toBe(false);
      await browser.picture(page, "gone");
      isGone = false;
      await page.locator("#connection").waitFor({ state: "hidden" });
      await page.locator("#status", { hasText: /healthy|degraded/ }).waitFor();
      await page.close();
    });

    test("a date can be typed, and only the whole date is gone to", async () => {
      const { page } = await browser.open({ width: 1280, height: 900 });
      await page.goto(`${browser.url}ticker/${KNOWN}`);
      await page.locator(READY).waitFor();
      await page.focus("#as-of");
      await page.keyboard.type("03312026");
      expect(new URL(page.url()).search).toBe("");
      expect(await page.inputValue("#as-of")).toBe("2026-03-31");
      await page.keyboard.press("Enter");
      await page.waitForURL(/as_of=2026-03-31/);
      await page.close();
    });

    test("the sample market is called fictional on every page", async () => {
      const sample = await openSampleService({ env: { DATA_MODE: "sample" } });
      const other = await browse(sample, world().chromium);
      try {
        for (const path of ["", `ticker/${KNOWN}`, "docs"]) {
          const { page } = await other.open({ width: 1280, height: 900 });
          await page.goto(`${other.url}${path}`);
          await page.locator("#mode", { hasText: "fictional" }).waitFor();
          await page.close();
        }
        // The line is there from the first paint, and nothing that comes above it moves what stands below.
        for (const [path, width] of [
          ["", 1280],
          [`ticker/${KNOWN}`, 1280],
          [`ticker/${KNOWN}`, 390],
          [`ticker/${KNOWN}/filings?as_of=2026-03-31`, 390],
          ["sql", 1280],
        ] as const) {
          const { page } = await other.open({ width, height: 900 });
          await page.route("**/api/v1/**", async (route) => {
            await Bun.sleep(200);
            await route.continue();
          });
          await page.addInitScript(() => {
            const moved: string[] = [];
            Object.assign(globalThis, { moved });
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries() as unknown as { sources: { node: Element | null }[] }[])
                moved.push(...entry.sources.map(({ node }) => node?.tagName ?? ""));
            }).observe({ type: "layout-shift", buffered: true });
          });
          await page.goto(`${other.url}${path}`);
          await page.locator(READY).waitFor();
          const moved = await page.evaluate(() => (globalThis as unknown as { moved: string[] }).moved);
          expect([path, width, moved.filter((tag) => tag === "MAIN" || tag === "H1")]).toEqual([
            path,
            width,
            [],
          ]);
          await page.close();
        }
      } finally {
        await other.close();
        await sample.stop();
      }
    });
  });
