// The data pages of the console in a real browser: SQL, on a desk and on a phone, with the keyboard alone.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { SUGGESTED } from "../../sample/market.ts";
import { seriousFaults } from "../support/accessibility.ts";
import { BROWSER, type BrowserOnService, browse } from "../support/browser.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const [KNOWN = ""] = SUGGESTED;
const READY = "body[data-ready=true]";
const PATHS = ["sql"];

describe("the data pages", () => {
  if (!BROWSER) {
    test.skip("skipped: there is no Chromium on this machine", () => {});
    return;
  }
  let service: SampleService;
  let browser: BrowserOnService;
  beforeAll(async () => {
    service = await openSampleService({ env: { SEC_USER_AGENT: "Asof tests tests@asof.example" } });
    await service.get(`/api/v1/price/data/${KNOWN}?period=1y`);
    browser = await browse(service);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const opened = async (path: string, view = { width: 1280, height: 900 }) => {
    const watched = await browser.open(view);
    await watched.page.goto(browser.url + path);
    await watched.page.locator(READY).waitFor({ timeout: 60_000 });
    return watched;
  };
  const addressOf = (page: Page) => new URL(page.url());

  test("SQL: a query by keyboard, its rows, files, links and the back button", async () => {
    const { page, elsewhere, errors } = await opened("sql?as_of=2026-06-30");
    await page.locator("summary", { hasText: "bars_daily_revisions" }).waitFor();
    const catalogue = (
      await service.get<{ datasets: unknown[]; macros: unknown[] }>("/api/v1/database/catalogue")
    ).body;
    expect(await page.locator(".side summary").count()).toBe(
      catalogue.datasets.length + catalogue.macros.length,
    );
    const query = `SELECT symbol, date, close FROM bars(NULL) WHERE symbol = '${KNOWN}' ORDER BY date DESC LIMIT 3`;
    await page.locator("#query").focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.type(query);
    await page.keyboard.press("Control+Enter");
    await page.locator("#result").waitFor();
    await browser.picture(page, "sql");
    const cells = await page.locator(".rows tbody tr[aria-rowindex] td").allTextContents();
    const wanted = (
      await service.post<{ data: Record<string, unknown>[] }>("/api/v1/sql/admin/query", {
        query,
        as_of: "2026-06-30",
      })
    ).body.data;
    expect(cells).toEqual(wanted.flatMap((row) => [row.symbol, row.date, row.close].map(String)));
    expect(String(wanted[0]?.date) <= "2026-06-30").toBe(true);
    expect(await page.locator("#result").textContent()).toMatch(
      /^3 rows in [\d.]+ s, data version \d+, as of 2026-06-30\.$/,
    );
    expect(addressOf(page).searchParams.get("query")).toBe(query);
    expect(addressOf(page).searchParams.get("as_of")).toBe("2026-06-30");

    const saved = page.waitForEvent("download");
    await page.locator("a", { hasText: "csv" }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toBe("query.csv");
    const text = await Bun.file(await file.path()).text();
    expect(text.trim().split(/\r?\n/)[1]).toBe(cells.slice(0, 3).join(","));
    // The address of the link gives the same file to another program.
    const href = await page.locator("a", { hasText: "parquet" }).getAttribute("href");
    const parquet = await service.fetch(href ?? "");
    expect([parquet.status, new TextDecoder().decode((await parquet.arrayBuffer()).slice(0, 4))]).toEqual([
      200,
      "PAR1",
    ]);

    // The link carries the query, the moment and the version.
    const frozen = await page.locator("#frozen").getAttribute("href");
    const version = new URL(frozen ?? "", browser.url).searchParams.get("data_version");
    await page.goto(new URL(frozen ?? "", browser.url).href);
    await page.locator("#result", { hasText: `data version ${version}` }).waitFor();
    expect(await page.inputValue("#query")).toBe(query);
    expect(await page.inputValue("#data-version")).toBe(version ?? "");
    expect(await page.locator(".rows tbody tr[aria-rowindex] td").allTextContents()).toEqual(cells);

    await page.fill("#query", "SELECT 42 AS answer");
    await page.press("#query", "Control+Enter");
    await page.locator(".rows td", { hasText: "42" }).waitFor();
    await page.goBack();
    await page.locator(".rows td", { hasText: KNOWN }).first().waitFor();
    expect(await page.inputValue("#query")).toBe(query);
    expect([elsewhere, errors]).toEqual([[], []]);
    await page.close();
  });

  test("SQL: ten thousand rows scroll, by keyboard too, and few of them are in the page", async () => {
    const query = encodeURIComponent("SELECT i AS number, i * i AS square FROM range(12000) t(i)");
    const { page } = await opened(`sql?query=${query}&limit=10000`);
    await page.locator("#result", { hasText: "10,000 rows (there are more)" }).waitFor();
    expect(await page.locator(".rows table").getAttribute("aria-rowcount")).toBe("10001");
    expect(await page.locator(".rows tbody tr").count()).toBeLessThan(200);
    await page.locator(".rows").focus();
    await page.keyboard.press("End");
    await page.locator('.rows tr[aria-rowindex="10001"]').waitFor();
    await browser.picture(page, "sql-rows");
    expect(await page.locator('.rows tr[aria-rowindex="10001"] td').allTextContents()).toEqual([
      "9999",
      "99980001",
    ]);
    // A row lies where its number says, below the sticky head.
    const place = await page.locator('.rows tr[aria-rowindex="10001"]').evaluate((row) => {
      const box = row.closest(".rows")?.getBoundingClientRect();
      const { top, bottom } = row.getBoundingClientRect();
      return { isInside: box !== undefined && top > box.top && bottom <= box.bottom + 1 };
    });
    expect(place.isInside).toBe(true);
    await page.close();
  });

  test("SQL: a refused query shows its code, what is wrong and the hint", async () => {
    const { page } = await opened("sql");
    await page.fill("#query", "SELECT * FROM read_text('/etc/passwd')");
    await page.locator("#run").click();
    const shown = page.locator("#answer [role=alert]");
    await shown.waitFor();
    expect(await shown.locator("strong").textContent()).toBe("query_refused");
    expect(await shown.textContent()).toContain('The table function "read_text" may not be used in a query.');
    await page.fill("#query", `SELECT '${"x".repeat(100_000)}'`);
    await page.locator("#run").click();
    await page
      .locator("#answer .state", { hasText: "query: String should have at most 100000 characters." })
      .waitFor();
    await page.close();
  });

  test("SQL: a running query can be stopped", async () => {
    const { page } = await opened("sql");
    await page.fill("#query", "SELECT count(*) FROM range(100_000_000_000) t(i) WHERE i % 7 = 3");
    await page.locator("#run").click();
    await page.locator("#answer .state.loading").waitFor();
    await page.locator("#stop").click();
    await page.locator("#answer .state.loading").waitFor({ state: "detached" });
    await page.fill("#query", "SELECT 'after' AS it");
    await page.locator("#run").click();
    await page.locator(".rows td", { hasText: "after" }).waitFor();
    await page.close();
  });

  test("on a phone nothing is wider than the screen", async () => {
    for (const path of PATHS) {
      const { page } = await opened(path, { width: 390, height: 844 });
      await browser.picture(page, `phone-${path}`);
      expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 390]);
      await page.close();
    }
  });

  test.each(["light", "dark"] as const)(
    "no page has a serious fault of accessibility, %s",
    async (scheme) => {
      for (const path of [...PATHS, "sql?query=SELECT%201%20AS%20one", "sql?query=SELEC"]) {
        const { page } = await browser.open({ width: 1280, height: 900, dark: scheme === "dark" });
        await page.goto(browser.url + path);
        await page.locator(READY).waitFor({ timeout: 60_000 });
        await browser.picture(page, `${path.split("?")[0]}-${scheme}`);
        expect([path, ...(await seriousFaults(page))]).toEqual([path]);
        await page.close();
      }
    },
  );
});
