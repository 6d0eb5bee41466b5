// A newcomer's walk by clicks alone: which insiders bought before a current report, and what the statements
// said then.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { seriousFaults } from "../support/accessibility.ts";
import { type BrowserOnService, browse } from "../support/browser.ts";
import { openSampleService, type SampleService } from "../support/service.ts";
import type { World } from "./world.ts";

const READY = "body[data-ready=true]";
const TICKER = "ZORP";

export const newcomerTests = (world: () => World) =>
  describe("from the first page to an answer as of a filing", () => {
    let service: SampleService;
    let browser: BrowserOnService;
    beforeAll(async () => {
      service = await openSampleService({
        at: "2026-11-23T21:00:00Z",
        env: { SEC_USER_AGENT: "Asof tests tests@asof.example" },
      });
      browser = await browse(service, world().chromium);
    });
    afterAll(async () => {
      await browser?.close();
      await service?.stop();
    });

    const api = async <T>(path: string) => (await service.get<T>(`/api/v1${path}`)).body;
    let clicks = 0;
    /** The page after a click that leads to another one. */
    const clicked = async (page: Page, link: string) => {
      const before = page.url();
      clicks += 1;
      await page.locator(link).first().click();
      await page.waitForURL((url) => url.href !== before);
      await page.locator(READY).waitFor();
    };
    const momentOf = (page: Page) => new URL(page.url()).searchParams.get("as_of");

    test("a search before the list of companies is read does not say that there is none", async () => {
      const { page } = await browser.open({ width: 1280, height: 900 });
      await page.goto(browser.url);
      await page.fill("#search", "zorp dyn");
      await page.locator("#found-note .state.not-read").waitFor();
      await page.close();
      // As the demo does at its start.
      const read = await service.post<{ added: number }>("/api/v1/universe/admin/discover", {});
      expect(read.body.added).toBeGreaterThan(20);
    });

    test.each([1280, 390])(
      "search, company, report, insiders and statements as of it, %i px",
      async (width) => {
        const { page, elsewhere, errors } = await browser.open({ width, height: 900 });
        const picture = (name: string) => browser.picture(page, `newcomer-${width}-${name}`);
        clicks = 0;
        await page.goto(browser.url);
        await page.locator(READY).waitFor();
        await picture("1-first");
        await page.fill("#search", "zorp dyn");
        await page.locator("#found [role=option]", { hasText: TICKER }).first().waitFor();
        await picture("2-search");
        if (width === 390) await clicked(page, "#found [role=option]");
        else {
          // A name that is sent without a choice opens the first listing, not a ticker of that name.
          await page.keyboard.press("Enter");
          clicks += 1;
          await page.waitForURL(`**/ticker/${TICKER}`);
          await page.locator(READY).waitFor();
        }
        await picture("3-company");
        const events = await api<{ data: { accession_number: string; accepted_at: string }[] }>(
          `/filings/events/${TICKER}?start_date=2025-11-23&limit=200&include_content=false`,
        );
        const { accession_number = "", accepted_at = "" } = events.data[0] ?? {};
        await clicked(page, "#events a");
        expect(new URL(page.url()).pathname).toBe(`/filing/${accession_number}`);
        await picture("4-report");
        await clicked(page, "#as-of-filing a");
        expect([new URL(page.url()).pathname, momentOf(page)]).toEqual([
          `/filing/${accession_number}`,
          accepted_at,
        ]);
        expect(await page.locator("#items h3").count()).toBeGreaterThan(0);
        expect(await page.locator("#clock-line").textContent()).toMatch(
          /as it was known on 2026-\d\d-\d\d \d\d:\d\d E[DS]T/,
        );
        for (const colorScheme of ["dark", "light"] as const) {
          await page.emulateMedia({ colorScheme });
          expect([colorScheme, ...(await seriousFaults(page))]).toEqual([colorScheme]);
          await picture(`5-as-of-${colorScheme}`);
        }

        interface Trade {
          owner_name: string;
          shares: number;
          accepted_at: string;
        }
        const trades = await api<{ data: Trade[] }>(
          `/insider/form4/${TICKER}?as_of=${accepted_at}&window_days=800&buy_only=true&limit=500`,
        );
        expect(trades.data.map(({ owner_name, shares }) => [owner_name, shares])).toEqual([
          ["Tottenbury Family Partners LP", 270],
          ["Tottenbury Wanda", 1_740],
          ["Featherbed Fenna", 1_790],
          ["Bramblewick Marbeth", 1_150],
        ]);
        expect(trades.data.filter((each) => each.accepted_at > accepted_at)).toEqual([]);
        await clicked(page, "#as-of-filing a:has-text('Insiders')");
        expect(momentOf(page)).toBe(accepted_at);
        const owners = await page
          .locator(`#insiders tr[aria-rowindex] td:nth-child(${width === 390 ? 1 : 2})`)
          .allTextContents();
        expect(owners).toEqual(trades.data.map(({ owner_name }) => owner_name));
        await picture("6-insiders");

        await page.goBack();
        await page.locator(READY).waitFor();
        await clicked(page, "#as-of-filing a:has-text('Statements')");
        expect(momentOf(page)).toBe(accepted_at);
        // The link leads to the statements, not to the top of the page.
        const top = await page
          .locator("section:has(> #statements)")
          .evaluate((each) => each.getBoundingClientRect().top);
        expect(Math.abs(top)).toBeLessThan(5);
        await picture("7-statements");
        // From the first page: the company, its report, the clock, the insiders, and after a step back the
        // statements.
        expect(clicks).toBe(5);
        const statements = await api<{
          income_statement: { revenue: number; period_end_date: string; known_at: string }[];
        }>(
          `/financial/data/${TICKER}?start_date=2023-10-22&end_date=${accepted_at.slice(0, 10)}&as_of=${accepted_at}`,
        );
        expect(statements.income_statement.filter(({ known_at }) => known_at > accepted_at)).toEqual([]);
        const newest =
          statements.income_statement
            .map(({ period_end_date }) => period_end_date)
            .sort()
            .at(-1) ?? "";
        expect(newest < accepted_at).toBe(true);
        expect(await page.locator("#statements").textContent()).toContain(newest);
        const shown = (await page.locator("#events, #insiders, #statements").allTextContents()).join(" ");
        const days = [...shown.matchAll(/20\d\d-\d\d-\d\d/g)].map(([day]) => day);
        expect(days.filter((day) => day > accepted_at.slice(0, 10))).toEqual([]);
        await clicked(page, "#clock-line a");
        expect(momentOf(page)).toBeNull();
        expect(elsewhere).toEqual([]);
        // A part that is not stored yet answers 404, and its panel says so.
        expect(errors.filter((error) => !error.startsWith("Failed to load resource"))).toEqual([]);
        await page.close();
      },
    );

    test("a page about the service itself says that it does not follow the clock", async () => {
      const { page } = await browser.open({ width: 1280, height: 900 });
      for (const path of ["", "data/datasets", "data/changes"]) {
        await page.goto(`${browser.url}${path}?as_of=2026-03-31`);
        await page.locator("#clock-line", { hasText: "as it is now" }).waitFor();
      }
      await page.goto(`${browser.url}market/earnings?as_of=2026-03-31&data_version=1`);
      expect(await page.locator("#clock-line").textContent()).toBe(
        "Everything is shown as it was known at the end of 2026-03-31 and stored in version 1. Back to now",
      );
      await page.close();
    });

    test("as of a report that came before the purchases, none is listed, and the page says so", async () => {
      const { page } = await browser.open({ width: 1280, height: 900 });
      await page.goto(`${browser.url}ticker/${TICKER}/filings`);
      await page.locator(READY).waitFor();
      await page.selectOption("#forms", { label: "Current reports" });
      await clicked(page, "#filings a:has-text('2026-07-20')");
      await clicked(page, "#as-of-filing a:has-text('Insiders')");
      expect(momentOf(page)).toMatch(/^2026-07-20T/);
      await page
        .locator("#insiders .state.empty", { hasText: "No purchase of an insider was public" })
        .waitFor();
      await page.uncheck("#buys");
      await page.locator("#insiders tr[aria-rowindex='2']").waitFor();
      const known = await page.locator("#insiders tr[aria-rowindex] td:first-child").allTextContents();
      expect(known.length).toBeGreaterThan(5);
      expect(known.filter((each) => each.slice(0, 10) > "2026-07-20")).toEqual([]);
      await page.close();
    });
  });
