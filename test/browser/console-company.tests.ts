// The pages of one company in a real browser: each shows what the service answers, at the moment of the
// clock.
import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { SUGGESTED } from "../../sample/market.ts";
import type { BrowserOnService } from "../support/browser.ts";
import type { SampleService } from "../support/service.ts";
import type { World } from "./world.ts";

const [KNOWN = ""] = SUGGESTED;
/** A fund of the sample market that reports its holdings. */
const FUND = "ZTEKF";
const READY = "body[data-ready=true]";
const PAST = "2026-03-31";
const TABS = ["filings", "insiders", "holders", "news", "dividends", "short-volume", "funds"];

interface List<T = Record<string, unknown>> {
  readonly count: number;
  readonly total: number;
  readonly data: readonly T[];
}

export const companyTests = (world: () => World) =>
  describe("the pages of a company", () => {
    let service: SampleService;
    let browser: BrowserOnService;
    beforeAll(() => {
      ({ service, browser } = world());
    });

    const opened = async (path: string, view: { width: number; height: number; dark?: boolean } = DESK) => {
      const watched = await browser.open(view);
      const asked: URL[] = [];
      watched.page.on("request", (request) => {
        const url = new URL(request.url());
        if (url.pathname.startsWith("/api/v1/") && !url.pathname.startsWith("/api/v1/health"))
          asked.push(url);
      });
      await watched.page.goto(browser.url + path);
      await watched.page.locator(READY).waitFor();
      return { ...watched, asked };
    };
    const DESK = { width: 1280, height: 900 };
    const api = async <T = List>(path: string) => (await service.get<T>(`/api/v1${path}`)).body;
    /** The cells of the rows of a table, by their place. */
    const cellsOf = (page: Page, panel: string, row: number) =>
      page.locator(`${panel} tr[aria-rowindex="${row + 2}"] td`).allTextContents();

    test("filings: the list, the filter by form, full-text search, all of it in the address", async () => {
      const { page, elsewhere, errors } = await opened(`ticker/${KNOWN}/filings`);
      const all = await api<List<{ form_type: string; accession_number: string }>>(
        `/filings/search?ticker=${KNOWN}&limit=500`,
      );
      expect(await page.locator("#filings .shown").textContent()).toBe(`${all.count} rows`);
      const first = await cellsOf(page, "#filings", 0);
      expect([first[1], first[6]]).toEqual([
        all.data[0]?.form_type ?? "",
        all.data[0]?.accession_number ?? "",
      ]);
      await browser.picture(page, "company-filings");

      await page.selectOption("#forms", { label: "Current reports" });
      const reports = all.data.filter(({ form_type }) => /^(8-K|6-K)/.test(form_type));
      expect(reports.length).toBeGreaterThan(4);
      await page.locator("#filings .shown", { hasText: new RegExp(`^${reports.length} rows$`) }).waitFor();
      expect(new URL(page.url()).searchParams.get("form_type")).toContain("8-K");
      await page.reload();
      await page.locator("#filings .shown", { hasText: new RegExp(`^${reports.length} rows$`) }).waitFor();

      await page.selectOption("#forms", { label: "All forms" });
      await page.fill("#words", "snow globes");
      await page.keyboard.press("Enter");
      await page.waitForURL(/q=snow/);
      await page.locator(READY).waitFor();
      const found = await api(`/filings/search?ticker=${KNOWN}&q=snow%20globes&limit=500`);
      if (found.count > 0)
        await page.locator("#filings .shown", { hasText: new RegExp(`^${found.count} `) }).waitFor();
      else await page.locator("#filings .state.empty").waitFor();
      expect([elsewhere, errors]).toEqual([[], []]);
      await page.close();
    });

    test("a filing: its items and exhibits as text, never as markup", async () => {
      const reports = await api<List<{ accession_number: string; items: string[] }>>(
        `/filings/search?ticker=${KNOWN}&form_type=8-K&limit=100`,
      );
      const report = reports.data.find(({ items }) => items.includes("2.02"));
      const accession = report?.accession_number ?? "";
      const { page, elsewhere, errors } = await opened(`filing/${accession}?ticker=${KNOWN}`);
      await page.locator("#text").waitFor();
      await browser.picture(page, "filing");
      const text = (
        await api<{ text: string }>(
          `/filings/exhibit?accession_number=${accession}&exhibit=EX-99.1&ticker=${KNOWN}`,
        )
      ).text;
      expect(await page.locator("#text").textContent()).toBe(text);
      expect(text).toContain("a share");
      expect(await page.locator("#items h3").first().textContent()).toBe(
        "Item 2.02 Results of Operations and Financial Condition",
      );
      // The document is html as filed, and none of its elements is in the page.
      expect(await page.locator("#text *").count()).toBe(0);
      await page.locator(".documents button", { hasText: "8-K" }).first().click();
      await page.locator("#text", { hasText: "FORM 8-K" }).waitFor();
      expect(new URL(page.url()).searchParams.get("document")).toMatch(/\.htm$/);
      expect([elsewhere, errors]).toEqual([[], []]);

      await page.route("**/api/v1/filings/exhibit**", (route) =>
        route.fulfill({ json: { text: "<img src=x onerror=alert(1)>", length: 28, truncated: false } }),
      );
      await page.reload();
      await page.locator("#text", { hasText: "<img" }).waitFor();
      expect(await page.locator("img").count()).toBe(0);
      await page.close();
    });

    test("insiders, holders, news, dividends, short volume: the rows of the service", async () => {
      const trades = await api<List<{ owner_name: string; shares: number; price_per_share: number }>>(
        `/insider/form4/${KNOWN}?as_of=2026-09-09&window_days=800&limit=500`,
      );
      const { page } = await opened(`ticker/${KNOWN}/insiders`);
      await browser.picture(page, "company-insiders");
      expect(await page.locator("#insiders .shown").textContent()).toBe(`${trades.count} rows`);
      const trade = await cellsOf(page, "#insiders", 0);
      const [newest] = trades.data;
      expect([trade[1], trade[4], trade[5]]).toEqual([
        newest?.owner_name ?? "",
        newest?.shares.toLocaleString("en-US") ?? "",
        newest?.price_per_share.toLocaleString("en-US") ?? "",
      ]);
      const buys = await api(
        `/insider/form4/${KNOWN}?as_of=2026-09-09&window_days=800&buy_only=true&limit=500`,
      );
      expect(buys.count).toBeLessThan(trades.count);
      await page.check("#buys");
      await page.locator("#insiders .shown", { hasText: new RegExp(`^${buys.count} rows$`) }).waitFor();

      const dividends = await api<
        List<{ ex_dividend_date: string; amount: number; adjusted_amount: number }>
      >(`/dividends/calendar/${KNOWN}?limit=1000`);
      await page.goto(`${browser.url}ticker/${KNOWN}/dividends`);
      await page.locator(READY).waitFor();
      await browser.picture(page, "company-dividends");
      const row = dividends.data.findIndex(({ amount, adjusted_amount }) => amount !== adjusted_amount);
      const paid = dividends.data[row];
      expect((await cellsOf(page, "#dividends", row)).slice(0, 3)).toEqual([
        paid?.ex_dividend_date ?? "",
        String(paid?.amount),
        String(paid?.adjusted_amount),
      ]);

      const short = await api<List<{ date: string; short_volume_ratio: number }>>(
        `/shortvolume/${KNOWN}?days=365&limit=10000`,
      );
      await page.goto(`${browser.url}ticker/${KNOWN}/short-volume`);
      await page.locator(READY).waitFor();
      await browser.picture(page, "company-short-volume");
      expect((await cellsOf(page, "#short-volume", 0)).slice(0, 2)).toEqual([
        short.data[0]?.date ?? "",
        `${(100 * (short.data[0]?.short_volume_ratio ?? 0)).toFixed(2)} %`,
      ]);

      const sentence = await page.locator("#short-volume").textContent();
      expect(sentence).toContain(
        `On ${short.data[0]?.date} ${(100 * (short.data[0]?.short_volume_ratio ?? 0)).toFixed(2)} % of the off-exchange volume`,
      );
      expect(sentence).toMatch(
        /the mean of 20 sessions is (unknown|\d+\.\d\d %), the z-score (unknown|-?\d)/,
      );

      await page.goto(`${browser.url}ticker/${KNOWN}/news`);
      await page.locator(READY).waitFor();
      const news = await api(`/news/${KNOWN}?days=3660&limit=200`);
      if (news.count > 0) expect(await page.locator("#news .shown").textContent()).toBe(`${news.count} rows`);
      else await page.locator("#news .state.not-read").waitFor();
      await page.close();
    });

    test("prices and shares of insiders and dividends as they were filed, not rounded", async () => {
      const { page } = await browser.open(DESK);
      const trade = {
        accession_number: "0000000001-26-000002",
        accepted_at: null,
        filing_date: "2026-02-02",
        owner_name: "Quibble Ada",
        transaction_type: "buy",
        transaction_code: "P",
        shares: 1_234.56789,
        price_per_share: 0.00003,
        shares_owned_after: 20_000.123456,
      };
      const dividend = {
        ex_dividend_date: "2026-02-02",
        amount: 0.083333333,
        known_at: "2026-01-05T21:00:00Z",
      };
      const list = (row: object) => ({ json: { count: 1, total: 1, has_more: false, data: [row] } });
      await page.route("**/api/v1/insider/form4/**", (route) => route.fulfill(list(trade)));
      await page.route("**/api/v1/dividends/calendar/**", (route) => route.fulfill(list(dividend)));
      await page.goto(`${browser.url}ticker/${KNOWN}/insiders`);
      await page.locator("#insiders .shown").waitFor();
      const cells = await cellsOf(page, "#insiders", 0);
      expect([cells[4], cells[5], cells[7]]).toEqual(["1,234.56789", "0.00003", "20,000.123456"]);
      await page.goto(`${browser.url}ticker/${KNOWN}/dividends`);
      await page.locator("#dividends .shown").waitFor();
      expect((await cellsOf(page, "#dividends", 0))[1]).toBe("0.083333333");
      await page.close();
    });

    test("a table is sorted by the values of a column, and a name is never cut on a phone", async () => {
      const LONG =
        "Quibblesworth-Featherstonehaugh Bartholomew Maximilian III and The Quibblesworth Family Trust";
      const trade = (n: number, owner_name: string, shares: number | null) => ({
        accession_number: `0000000001-26-00000${n}`,
        accepted_at: null,
        filing_date: `2026-02-0${n}`,
        owner_name,
        transaction_type: "buy",
        transaction_code: "P",
        shares,
      });
      const data = [trade(1, "Ada", 900), trade(2, "Bo", null), trade(3, LONG, 1_000), trade(4, "Di", 20.5)];
      const { page } = await browser.open(DESK);
      const rows = { json: { count: 4, total: 9, has_more: true, data } };
      await page.route("**/api/v1/insider/form4/**", (route) => route.fulfill(rows));
      await page.goto(`${browser.url}ticker/${KNOWN}/insiders`);
      await page.locator("#insiders .shown").waitFor();
      const owners = () => page.locator("#insiders tr[aria-rowindex] td:nth-child(2)").allTextContents();
      const heading = page.locator("#insiders th", { hasText: "shares" });
      expect(await heading.getAttribute("aria-sort")).toBeNull();
      await heading.locator("button").click();
      await page.locator("#insiders th[aria-sort=ascending]").waitFor();
      expect(await owners()).toEqual(["Di", "Ada", LONG, "Bo"]);
      // The service has more rows than these four, and the page says what the order is of.
      await page
        .locator("#insiders p", { hasText: "Only the rows that are read are in this order" })
        .waitFor();
      await page.keyboard.press("Enter");
      await page.locator("#insiders th[aria-sort=descending]").waitFor();
      expect(await owners()).toEqual([LONG, "Ada", "Di", "Bo"]);
      await page.keyboard.press("Enter");
      await page.locator("#insiders th[aria-sort]").waitFor({ state: "detached" });
      expect(await owners()).toEqual(["Ada", "Bo", LONG, "Di"]);

      await page.setViewportSize({ width: 390, height: 844 });
      const order = page.locator("#insiders .order select");
      await order.selectOption({ label: "known from ▼" });
      const first = page.locator('#insiders tr[aria-rowindex="2"] td:first-child');
      await page.locator('#insiders tr[aria-rowindex="2"]', { hasText: "Di" }).waitFor();
      const name = page.locator("#insiders td", { hasText: LONG }).first();
      const cut = (each: HTMLElement | SVGElement) => [
        each.scrollWidth - each.clientWidth,
        each.scrollHeight - each.clientHeight,
      ];
      expect(await name.evaluate(cut)).toEqual([0, 0]);
      expect((await name.boundingBox())?.height).toBeGreaterThan(
        2 * ((await first.boundingBox())?.height ?? 0),
      );
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
      await browser.picture(page, "company-insiders-long-name");
      await page.close();
    });

    test("on a phone, where rows differ in height, the keys reach the last row and the first one again", async () => {
      const { page } = await opened(`ticker/${KNOWN}/filings`, { width: 390, height: 844 });
      const { count } = await api(`/filings/search?ticker=${KNOWN}&limit=500`);
      expect(count).toBeGreaterThan(100);
      const box = page.locator("#filings .rows");
      const isInSight = (row: number) =>
        page.locator(`#filings tr[aria-rowindex="${row}"]`).evaluate((each) => {
          const { top, bottom } = each.getBoundingClientRect();
          const around = each.closest(".rows")?.getBoundingClientRect();
          return around !== undefined && top >= around.top && bottom <= around.bottom;
        });
      await box.focus();
      // One press, though the height of the whole is only known once the last rows are measured.
      await page.keyboard.press("End");
      const last = page.locator(`#filings tr[aria-rowindex="${count + 1}"]`);
      await last.waitFor();
      while (!(await isInSight(count + 1))) await page.waitForTimeout(50);
      expect(await isInSight(count + 1)).toBe(true);
      expect(await page.locator("#filings tr[aria-rowindex]").count()).toBeLessThan(80);
      await page.keyboard.press("Home");
      await page.locator('#filings tr[aria-rowindex="2"]').waitFor();
      await page.waitForFunction(() => document.querySelector("#filings .rows")?.scrollTop === 0);
      expect(await isInSight(2)).toBe(true);
      // Another order begins at its first row.
      await page.keyboard.press("End");
      await page.waitForFunction(() => (document.querySelector("#filings .rows")?.scrollTop ?? 0) > 1_000);
      await page.locator("#filings .order select").selectOption({ label: "form ▲" });
      await page.waitForFunction(() => document.querySelector("#filings .rows")?.scrollTop === 0);
      await page.close();
    });

    test("holders of five percent, with intention and percentage", async () => {
      const holder = (over: object) => ({
        accession_number: "0000000001-26-000001",
        form_type: "SCHEDULE 13D",
        filing_date: "2026-02-02",
        accepted_at: "2026-02-02T22:15:00Z",
        holder_name: "Quibble Partners LP",
        ownership_pct: 7.25,
        shares_owned: 12_345_678,
        is_exit: false,
        is_activist: true,
        enrichment_status: "succeeded",
        ...over,
      });
      const { page } = await opened(`ticker/${KNOWN}/holders`);
      const real = await api(`/ownership/13dg/${KNOWN}?as_of=2026-09-09&limit=500`);
      if (real.count === 0) await page.locator("#holders .state.empty").waitFor();
      else expect(await page.locator("#holders .shown").textContent()).toBe(`${real.count} rows`);
      await page.route("**/api/v1/ownership/**", (route) =>
        route.fulfill({
          json: {
            count: 2,
            total: 2,
            has_more: false,
            data: [
              holder({}),
              holder({ enrichment_status: "pending", ownership_pct: null, is_activist: null }),
            ],
          },
        }),
      );
      await page.reload();
      await page.locator(READY).waitFor();
      const cells = (await cellsOf(page, "#holders", 0)).slice(0, 7);
      expect(cells).toEqual([
        "2026-02-02 17:15 EST",
        "Quibble Partners LP",
        "7.25 %",
        "12,345,678",
        "SCHEDULE 13D",
        "–",
        "activist",
      ]);
      expect((await cellsOf(page, "#holders", 1)).slice(2, 7)).toEqual([
        "–",
        "12,345,678",
        "SCHEDULE 13D",
        "–",
        "not read yet",
      ]);
      await page.close();
    });

    test("a fund: its profile, its holdings, and who holds a share", async () => {
      const { page, errors } = await opened(`ticker/${FUND}/funds`);
      await browser.picture(page, "fund");
      const holdings = await api<List<{ symbol: string; weight_percent: number }>>(
        `/etf/${FUND}/holdings?limit=10000`,
      );
      expect(await page.locator("#holdings .shown").textContent()).toContain(`${holdings.count} `);
      const [first] = holdings.data;
      const cells = await cellsOf(page, "#holdings", 0);
      expect([cells[1], cells[3]]).toEqual([first?.symbol ?? "–", `${first?.weight_percent.toFixed(4)} %`]);
      const { name } = await api<{ name: string }>(`/etf/${FUND}`);
      expect(await page.locator("#fund").textContent()).toContain(name);
      const held = holdings.data.find(({ symbol }) => symbol)?.symbol ?? "";
      await page.goto(`${browser.url}ticker/${encodeURIComponent(held)}/funds`);
      await page.locator(READY).waitFor();
      expect((await cellsOf(page, "#exposure", 0))[0]).toBe(FUND);
      expect(await page.locator("#fund .state").getAttribute("class")).toBe("state empty");
      expect(errors.filter((error) => !error.startsWith("Failed to load resource"))).toEqual([]);
      await page.close();
    });

    test("as of an earlier day every request and every link carries it, and nothing later is shown", async () => {
      for (const tab of TABS) {
        const { page, asked } = await opened(`ticker/${KNOWN}/${tab}?as_of=${PAST}`);
        expect(asked.length).toBeGreaterThan(0);
        for (const url of asked)
          expect([url.pathname, url.searchParams.get("as_of") ?? url.searchParams.get("as_of_date")]).toEqual(
            [url.pathname, PAST],
          );
        const links = await page
          .locator("main a[href^='/']")
          .evaluateAll((all) => all.map((each) => (each as HTMLAnchorElement).search));
        expect(links.length).toBeGreaterThan(TABS.length);
        for (const search of links) expect(new URLSearchParams(search).get("as_of")).toBe(PAST);
        if (["filings", "insiders", "holders"].includes(tab)) {
          const known = await page.locator("tr[aria-rowindex] td:first-child").allTextContents();
          expect(known.filter((day) => day.slice(0, 10) > PAST)).toEqual([]);
        }
        await page.close();
      }
    });

    test("the five states of a list", async () => {
      const { page } = await browser.open(DESK);
      const problem = (status: number, code: string, detail: string) => ({
        status,
        contentType: "application/problem+json",
        body: JSON.stringify({ status, code, detail }),
      });
      const answers: readonly (readonly [string, object | "abort" | "wait"])[] = [
        ["not-configured", problem(503, "not_configured", "SEC_USER_AGENT is not set.")],
        ["refused", problem(403, "forbidden", "This key may not do that.")],
        ["empty", { json: { count: 0, total: 0, has_more: false, data: [], warnings: [] } }],
        ["outage", "abort"],
        ["loading", "wait"],
      ];
      for (const [state, answer] of answers) {
        await page.unrouteAll({ behavior: "ignoreErrors" });
        await page.route("**/api/v1/filings/search**", (route) => {
          if (answer === "abort") void route.abort();
          else if (answer !== "wait") void route.fulfill(answer);
        });
        await page.goto(`${browser.url}ticker/${KNOWN}/filings`);
        await page.locator(`#filings .state.${state}`).waitFor();
        expect(await page.locator("#filings .state").count()).toBe(1);
      }
      await page.close();
    });

    test("rows stay when the next page fails, and the failure is shown", async () => {
      const { page } = await browser.open(DESK);
      const row = (n: number) => ({
        accession_number: `0000000001-26-${String(n).padStart(6, "0")}`,
        form_type: "8-K",
        filing_date: "2026-02-02",
        accepted_at: null,
        items: [],
      });
      let pages = 0;
      await page.route("**/api/v1/filings/search**", (route) => {
        const offset = Number(new URL(route.request().url()).searchParams.get("offset") ?? 0);
        pages += 1;
        if (pages === 2) return route.abort();
        return route.fulfill({
          json: {
            count: 500,
            total: 1_000,
            has_more: offset === 0,
            data: Array.from({ length: 500 }, (_, i) => row(offset + i)),
          },
        });
      });
      await page.goto(`${browser.url}ticker/${KNOWN}/filings`);
      await page.locator("#filings .shown", { hasText: "500 of 1,000 rows" }).waitFor();
      await page.locator("#filings button", { hasText: "Show more" }).click();
      await page.locator("#filings .state.outage").waitFor();
      expect(await page.locator("#filings .shown").textContent()).toBe("500 of 1,000 rows");
      await page.locator("#filings button", { hasText: "Show more" }).click();
      await page.locator("#filings .shown", { hasText: /^1,000 rows$/ }).waitFor();
      await page.locator("#filings .rows").evaluate((box) => box.scrollTo(0, box.scrollHeight));
      await page.locator('#filings tr[aria-rowindex="1001"]').waitFor();
      expect(await page.locator('#filings tr[aria-rowindex="1001"]').textContent()).toContain(
        "0000000001-26-000999",
      );
      // Only the rows in sight are in the page.
      expect(await page.locator("#filings tr[aria-rowindex]").count()).toBeLessThan(200);
      await page.close();
    });
  });
