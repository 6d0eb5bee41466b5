// Addresses of the console that lead somewhere else than they say, or nowhere: each says so once, in words.
import { beforeAll, describe, expect, test } from "bun:test";
import { SUGGESTED } from "../../sample/market.ts";
import { type BrowserOnService, DESK, type View } from "../support/browser.ts";
import type { SampleService } from "../support/service.ts";
import type { World } from "./world.ts";

const [KNOWN = ""] = SUGGESTED;
const READY = "body[data-ready=true]";

interface List<T> {
  readonly data: readonly T[];
}

export const addressTests = (world: () => World) =>
  describe("addresses", () => {
    let service: SampleService;
    let browser: BrowserOnService;
    beforeAll(() => {
      ({ service, browser } = world());
    });

    const opened = async (path: string, view: View = DESK) => {
      const watched = await browser.open(view);
      await watched.page.goto(browser.url + path);
      await watched.page.locator(READY).waitFor();
      return watched;
    };
    const api = async <T>(path: string) => (await service.get<T>(`/api/v1${path}`)).body;

    test("a filing is named after its own company, whatever ticker the address gives", async () => {
      const [own, other] = [KNOWN, "KRONK"];
      const list = await api<List<{ accession_number: string; company_name: string }>>(
        `/filings/search?ticker=${own}&form_type=8-K&limit=1`,
      );
      const { accession_number: accession = "", company_name: name = "" } = list.data[0] ?? {};
      const { page, elsewhere, errors } = await opened(`filing/${accession}?ticker=${own}`);
      const heading = (text: string) => page.locator("h1", { hasText: text }).textContent();
      expect(await heading(name)).toBe(`${own} · ${name} · Filing ${accession}`);
      expect(await page.locator("#filing .state").count()).toBe(0);

      await page.goto(`${browser.url}filing/${accession}?ticker=${other}`);
      await page.locator("#filing .state.refused", { hasText: `This is no filing of ${other}` }).waitFor();
      await page.locator(READY).waitFor();
      expect(await heading(name)).toBe(`${name} · Filing ${accession}`);
      expect(await page.locator("#tabs, [aria-label='Pages of the company']").count()).toBe(0);
      expect(await page.locator("#items").count()).toBe(0);
      // The documents are the filing's, and so are their addresses.
      const { documents, parties } = await api<{
        documents: { url: string }[];
        parties: { cik: string; role: string }[];
      }>(`/filings/documents?accession_number=${accession}&ticker=${other}`);
      expect(parties.map(({ role }) => role)).toEqual(["filer"]);
      for (const { url } of documents)
        expect(url).toContain(`/data/${Number(parties[0]?.cik)}/${accession.replaceAll("-", "")}/`);
      await page.locator("#text", { hasText: /\S/ }).waitFor();

      await page.goto(`${browser.url}filing/${accession}`);
      await page.locator(READY).waitFor();
      expect(await heading(name)).toBe(`${name} · Filing ${accession}`);
      expect([elsewhere, errors]).toEqual([[], []]);
      await page.close();
    });

    test("an unknown ticker is said once on each page of it, with listings that resemble it", async () => {
      const similar = await api<List<{ ticker: string; name: string }>>("/universe/registry?q=ZOR&limit=8");
      expect(similar.data.map(({ ticker }) => ticker)).toContain(KNOWN);
      for (const name of ["", "/filings", "/insiders", "/holders", "/news", "/short-volume", "/funds"]) {
        const { page, elsewhere } = await opened(`ticker/ZORX${name}`);
        const line = page.locator("#unknown-ticker .state.empty", { hasText: "ZORX" });
        await line.waitFor();
        expect([name, await line.textContent()]).toEqual([
          name,
          "Nothing there No company, fund or price is known under ZORX.",
        ]);
        await page.locator("#unknown-ticker a", { hasText: KNOWN }).first().waitFor();
        const links = await page.locator("#unknown-ticker li").allTextContents();
        expect([name, links]).toEqual([name, similar.data.map((each) => `${each.ticker} ${each.name}`)]);
        // No panel says it again, and no tab leads to another page of it.
        const shown = await page
          .locator("main .state")
          .evaluateAll((all) => all.filter((each) => each.checkVisibility()).length);
        const tabs = await page
          .locator("[aria-label='Pages of the company']")
          .evaluateAll((all) => all.filter((each) => each.checkVisibility()).length);
        expect([name, shown, tabs, elsewhere]).toEqual([name, 1, 0, []]);
        await browser.picture(page, `unknown${name.replace("/", "-")}`);
        await page.close();
      }
      const { page } = await opened("ticker/ZORX?as_of=2026-03-31");
      await page.locator("#unknown-ticker .state", { hasText: "under ZORX as of 2026-03-31." }).waitFor();
      await page.close();
      // An outage leaves open whether there is such a ticker.
      const away = await opened(`ticker/${KNOWN}`);
      await away.page.route(/api\/v1\/(company|filings)\//, (route) => route.abort());
      await away.page.goto(`${browser.url}ticker/ZORX/filings`);
      await away.page.locator("#filings .state.outage").waitFor();
      expect(await away.page.locator("#unknown-ticker").count()).toBe(0);
      await away.page.close();
    });

    test("an address without a page is a page for browsers, and a problem for other clients", async () => {
      const { page, elsewhere } = await browser.open({ width: 1280, height: 900 });
      for (const path of ["nosuch", "ticker/ZORP/filings/more", "data"]) {
        const answer = await page.goto(browser.url + path);
        expect([path, answer?.status(), answer?.headers().vary?.includes("Accept")]).toEqual([
          path,
          404,
          true,
        ]);
        expect(answer?.headers()["content-security-policy"]).toStartWith(
          "default-src 'none'; script-src 'self'",
        );
        await page.locator("main code", { hasText: `/${path}` }).waitFor();
        expect(await page.locator("h1", { hasText: "No such page" }).count()).toBe(1);
        await page.locator("#search").waitFor();
      }
      await browser.picture(page, "missing");
      expect(elsewhere).toEqual([]);
      await page.close();
      const asked = async (path: string, accept: string | null, method = "GET") => {
        const answer = await fetch(browser.url + path, {
          method,
          headers: accept === null ? {} : { accept },
        });
        return [answer.status, answer.headers.get("content-type")];
      };
      const HTML = "text/html,application/xhtml+xml,*/*;q=0.8";
      const problem = [404, "application/problem+json"];
      expect(await asked("nosuch", null)).toEqual(problem);
      expect(await asked("nosuch", "application/json")).toEqual(problem);
      expect(await asked("api/v1/nosuch", HTML)).toEqual(problem);
      expect(await asked("nosuch", HTML, "POST")).toEqual(problem);
      expect(await asked("nosuch", HTML)).toEqual([404, "text/html; charset=utf-8"]);
    });

    const ground = "rgb(246, 247, 248)";
    const darkGround = "rgb(20, 23, 26)";

    test("light, dark or as the system: chosen once, kept, and set before anything is painted", async () => {
      const { page, elsewhere, errors } = await opened(`ticker/${KNOWN}`, { ...DESK, apart: true });
      const shown = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(await shown()).toBe(ground);
      await page.locator("#chart canvas").first().waitFor();
      await page.locator("#chart canvas").evaluateAll((all) => {
        for (const each of all as HTMLElement[]) each.dataset.seen = "true";
      });
      await page.selectOption("#theme", "dark");
      await page.locator("html[data-theme=dark]").waitFor({ state: "attached" });
      expect(await shown()).toBe(darkGround);
      // The chart is another one, drawn in the colours of the theme.
      await page.locator("#chart canvas:not([data-seen])").first().waitFor();
      expect(await page.locator("#chart canvas[data-seen]").count()).toBe(0);
      for (const path of ["", "market/movers", "nosuch"]) {
        // Without the script of the page: that in its head alone decides.
        await page.route(/\/console\/(?!first-paint|style)/, (route) => route.abort());
        await page.goto(browser.url + path, { waitUntil: "domcontentloaded" });
        expect([path, await shown()]).toEqual([path, darkGround]);
        await page.unroute(/\/console\/(?!first-paint|style)/);
      }
      await page.goto(`${browser.url}data/jobs`);
      await page.locator(READY).waitFor();
      expect(await page.locator("#theme").inputValue()).toBe("dark");
      await page.emulateMedia({ colorScheme: "light" });
      expect(await shown()).toBe(darkGround);
      await page.selectOption("#theme", "system");
      await page.locator("html[data-theme=light]").waitFor({ state: "attached" });
      expect(await shown()).toBe(ground);
      await page.emulateMedia({ colorScheme: "dark" });
      await page.locator("html[data-theme=dark]").waitFor({ state: "attached" });
      expect(await shown()).toBe(darkGround);
      await page.selectOption("#theme", "light");
      await page.locator("html[data-theme=light]").waitFor({ state: "attached" });
      expect(
        await page.evaluate(() => [
          localStorage.getItem("asof-theme"),
          getComputedStyle(document.documentElement).colorScheme,
        ]),
      ).toEqual(["light", "light"]);
      expect([elsewhere, errors.filter((each) => !/ERR_FAILED|404/.test(each))]).toEqual([[], []]);
      await page.close();
    });
  });
