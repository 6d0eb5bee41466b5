// The page of one company in a real browser: what its panels say while they load and when they fail, and what its figures come from.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Page, Route } from "playwright-core";
import { SUGGESTED } from "../../sample/market.ts";
import { BROWSER, type BrowserOnService, browse } from "../support/browser.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

const [KNOWN = ""] = SUGGESTED;
const READY = "body[data-ready=true]";
const DESK = { width: 1280, height: 900 };

/** Holds the requests for a path back until `go` is called. */
async function hold(page: Page, path: string): Promise<{ go(): void }> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(path, async (route: Route) => {
    await promise;
    await route.continue();
  });
  return { go: resolve };
}

describe("the page of a company", () => {
  if (!BROWSER) {
    test.skip("skipped: there is no Chromium on this machine", () => {});
    return;
  }
  let service: SampleService;
  let browser: BrowserOnService;
  beforeAll(async () => {
    service = await openSampleService({ env: { SEC_USER_AGENT: "Asof tests tests@asof.example" } });
    browser = await browse(service);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  test("a panel says that it is loading until its own part is there", async () => {
    const { page } = await browser.open(DESK);
    const insiders = await hold(page, "**/api/v1/insider/form4/**");
    const prices = await hold(page, "**/api/v1/price/data/**");
    await page.goto(`${browser.url}ticker/${KNOWN}`);
    await page.locator('#events[data-state="ready"]').waitFor({ timeout: 120_000 });
    expect(await page.locator("#insiders").getAttribute("data-state")).toBe("loading");
    expect(await page.locator("#insiders").getAttribute("aria-busy")).toBe("true");
    expect(await page.locator("#insiders .state.loading").textContent()).toBe("Loading…");
    expect(await page.locator("#chart .state.loading").textContent()).toBe("Loading…");
    await browser.picture(page, "ticker-loading");
    insiders.go();
    prices.go();
    await page.locator(READY).waitFor({ timeout: 120_000 });
    expect(await page.locator("#insiders").getAttribute("data-state")).toBe("ready");
    expect(await page.locator("#insiders").getAttribute("aria-busy")).toBeNull();
    expect(await page.locator(".state.loading").count()).toBe(0);
    await page.close();
  });

  test("a receipt links to the report's own document and names its share basis", async () => {
    const { page } = await browser.open(DESK);
    const answered = page.waitForResponse(/financial\/data/, { timeout: 120_000 });
    await page.goto(`${browser.url}ticker/${KNOWN}`);
    await page.locator(READY).waitFor({ timeout: 120_000 });
    type Row = {
      period_end_date: string;
      eps_diluted: number | null;
      split_basis: string;
      sources: Record<string, { accession_number: string; form: string; split_basis: string }>;
    };
    const body = (await (await answered).json()) as { income_statement: Row[] };
    const [row] = body.income_statement.toSorted((a, b) =>
      b.period_end_date.localeCompare(a.period_end_date),
    );
    const source = row?.sources.eps_diluted;
    const { documents } = (
      await service.get<{ documents: { type: string; url: string }[] }>(
        `/api/v1/filings/documents?accession_number=${source?.accession_number}&ticker=${KNOWN}`,
      )
    ).body;
    const report = documents.find(({ type }) => type === source?.form);
    const eps = page.locator('#statements button[data-line="eps_diluted"]').first();
    await eps.click();
    const link = page.locator("#receipt-document a");
    await link.waitFor({ timeout: 120_000 });
    expect(await link.getAttribute("href")).toBe(report?.url ?? "no such document");
    expect(await page.locator("#receipt").textContent()).toContain(
      `Share basissplits before ${source?.split_basis} are counted`,
    );
    await browser.picture(page, "receipt-document");
    const basis = page.locator("#statements tr", { hasText: "Splits counted before" }).first().locator("td");
    expect(await basis.nth(1).textContent()).toBe(row?.split_basis ?? "");
    await page.close();
  });

  test("a name that cannot be looked up is no name that does not exist", async () => {
    const { page } = await browser.open(DESK);
    let isGone = true;
    await page.route("**/api/v1/universe/registry**", (route) =>
      isGone ? route.abort() : route.fulfill({ json: { data: [] } }),
    );
    await page.goto(`${browser.url}ticker/${KNOWN}`);
    const note = page.locator("#found-note .state");
    await page.locator("body").press("/");
    await page.keyboard.type("zor");
    await note.waitFor();
    expect([await note.getAttribute("class"), await note.textContent()]).toEqual([
      "state outage",
      "No answer The server does not answer.",
    ]);
    isGone = false;
    await page.keyboard.type("q");
    await page.locator("#found-note .state.empty").waitFor();
    expect(await note.textContent()).toBe("Nothing there No ticker and no name matches.");
    await page.keyboard.press("Escape");
    expect(await page.locator("#found-note").isVisible()).toBe(false);
    await page.close();
  });

  test("a server that is gone leaves no provider healthy, and its last answer has a time without its header", async () => {
    const { page } = await browser.open(DESK);
    await page.clock.setFixedTime("2026-11-02T15:04:00Z");
    let isGone = false;
    await page.route("**/api/v1/**", (route) => {
      if (isGone) return route.abort();
      if (!route.request().url().endsWith("/health/live")) return route.continue();
      // Without the header Date, as behind some proxies.
      return route.fulfill({ json: { status: "alive" }, headers: { "x-data-mode": "live" } });
    });
    await page.goto(browser.url);
    await page.locator(READY).waitFor({ timeout: 120_000 });
    expect(await page.locator("#health .badge.good").count()).toBeGreaterThan(0);
    isGone = true;
    const line = page.locator("#connection", { hasText: "The server does not answer." });
    await line.waitFor({ timeout: 120_000 });
    expect(await line.textContent()).toBe(
      "The server does not answer. Its last answer was at 2026-11-02 10:04 EST, by this browser's clock.",
    );
    await page.locator("#health .state.outage").waitFor({ timeout: 120_000 });
    expect(await page.locator("#health .badge").count()).toBe(0);
    isGone = false;
    await page.locator("#health .badge.good").first().waitFor({ timeout: 120_000 });
    await page.close();
  });
});
