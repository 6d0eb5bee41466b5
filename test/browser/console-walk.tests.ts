// Every page of the console: each state of a panel is shown as itself, and everything is reached by keyboard.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { SUGGESTED } from "../../sample/market.ts";
import { seriousFaults } from "../support/accessibility.ts";
import { type BrowserOnService, DESK, PHONE, type Watched } from "../support/browser.ts";
import type { World } from "./world.ts";

const [KNOWN = ""] = SUGGESTED;
const READY = "body[data-ready=true]";
const COMPANY = ["", "filings", "insiders", "holders", "news", "dividends", "short-volume", "funds"];
const MARKET = ["movers", "universe", "short-volume", "earnings", "dividends", "economy?series_id=FICGDP"];
const STORE = ["datasets", "versions", "changes", "jobs"];
const PATHS = [
  "",
  "sql",
  "filing/0009079327-26-000010?ticker=ZORP",
  ...COMPANY.map((name) => `ticker/${KNOWN}${name && `/${name}`}`),
  ...MARKET.map((name) => `market/${name}`),
  ...STORE.map((name) => `data/${name}`),
];
/** Other looks of these pages: a fund, two vintages, an answer and a refusal to a query. */
const LOOKS = [
  ...PATHS,
  "ticker/ZTEKF/funds",
  `ticker/${KNOWN}?as_of=2026-03-31&vintage=both`,
  "sql?query=SELECT%201%20AS%20one",
  "sql?query=SELEC",
];
/** Pages whose layout has most of its own: their colours are asked in each theme at each width. */
const OWN_LAYOUTS = new Set([
  "",
  `ticker/${KNOWN}`,
  `ticker/${KNOWN}/filings`,
  "market/economy?series_id=FICGDP",
]);
/** The lists that the store has no rows of. */
const FILLED = new Set(["market/universe", "market/earnings"]);
/** Rows of a page of the ledger. */
const PAGE_ROWS = 500;
const LISTS = /^(?:ticker|market|data)/;

/** Answers in place of the service's, by the state that panels must then show; null: the server is gone. */
const FAILURES: Readonly<Record<string, { status: number; json: object } | null>> = {
  "not-configured": { status: 503, json: { code: "not_configured", detail: "A setting is missing." } },
  refused: { status: 403, json: { code: "forbidden", detail: "Not you." } },
  empty: { status: 404, json: { code: "no_data", detail: "Nothing is stored." } },
  "not-read": {
    status: 404,
    json: { code: "no_data", absence: "not_read", detail: "Nothing is stored." },
  },
  outage: null,
};
const STATES = ["loading", ...Object.keys(FAILURES)];
/**
 * Lists the pages on which a state is looked at: all with WALK=whole, as `endure` does; else each page shows
 * two of the six states.
 */
const pathsFor = (state: string) =>
  process.env.WALK === "whole" ? PATHS : PATHS.filter((_, i) => i % 3 === STATES.indexOf(state) % 3);
/** Requests that are answered in any case: the sign of life, and the service's day. */
const isVital = (url: string) => /\/health(?:\/live)?$/.test(new URL(url).pathname);

export const walkTests = (world: () => World) =>
  describe("every page of the console", () => {
    let browser: BrowserOnService;
    beforeAll(() => {
      ({ browser } = world());
    });

    const opened = async () => (await browser.open(DESK)).page;

    test.each(STATES)("shows %s as that and as nothing else", async (state) => {
      const page = await opened();
      await page.route("**/api/v1/**", (route) => {
        if (isVital(route.request().url())) return route.continue();
        if (state === "loading") return;
        const answer = FAILURES[state];
        return answer ? route.fulfill(answer) : route.abort();
      });
      for (const path of pathsFor(state)) {
        await page.goto(browser.url + path);
        await page.locator(`main .state.${state}`).first().waitFor();
        if (state !== "loading") await page.locator(READY).waitFor();
        const shown = await page
          .locator("main .state")
          .evaluateAll((all) => [...new Set(all.map(({ classList }) => classList[1] ?? ""))]);
        expect([path, shown]).toEqual([path, [state]]);
      }
      await page.close();
    });

    test("asks for the version of the clock, and for nothing later than its moment", async () => {
      const page = await opened();
      const asked: URL[] = [];
      page.on("request", (request) => {
        const url = new URL(request.url());
        // When sessions are held does not depend on what is stored.
        if (url.pathname.startsWith("/api/v1/") && !isVital(url.href) && !url.pathname.endsWith("/sessions"))
          asked.push(url);
      });
      const followers = PATHS.filter((path) => /^(?:filing|ticker|market)/.test(path));
      for (const path of followers) {
        asked.length = 0;
        await page.goto(
          `${browser.url}${path}${path.includes("?") ? "&" : "?"}as_of=2026-03-31&data_version=1`,
        );
        await page.locator(READY).waitFor();
        const missing = asked.filter(({ searchParams: query }) => query.get("data_version") !== "1");
        // A list that is asked for by its own day has none after the moment.
        const days = ["as_of", "as_of_date", "realtime_end", "date"];
        const late = asked.filter(
          ({ searchParams: query }) => !days.some((name) => query.get(name) === "2026-03-31"),
        );
        const shown = (urls: readonly URL[]) => urls.map(({ pathname }) => pathname);
        expect([path, shown(missing), shown(late)]).toEqual([path, [], []]);
        expect(asked.length).toBeGreaterThan(0);
      }
      await page.goto(`${browser.url}market/universe?as_of=2026-03-31`);
      await page.locator(READY).waitFor();
      // The snapshot of a date may have been built later than the moment.
      expect(asked.at(-1)?.searchParams.get("as_of")).toBe("2026-03-31");
      await page.close();
    });

    test("a version that the form of a version does not allow is not sent", async () => {
      const page = await opened();
      await page.goto(`${browser.url}ticker/${KNOWN}/news`);
      for (const text of ["<x>", "Q3", "-1", "a b"]) {
        await page.fill("#data-version", text);
        expect([
          text,
          await page.locator("#data-version").evaluate((each) => each.matches(":invalid")),
        ]).toEqual([text, true]);
      }
      await page.fill("#data-version", "q3-paper.1");
      expect(await page.locator("#data-version").evaluate((each) => each.matches(":valid"))).toBe(true);
      await page.close();
    });

    test("a long headline is whole on the desk, and what is missing is said once", async () => {
      const page = await opened();
      const headline = "Zorp Dynamics sells more snow globes than umbrellas, ".repeat(5);
      await page.route("**/api/v1/news/**", (route) =>
        route.fulfill({
          json: {
            count: 2,
            data: [headline, "Short"].map((each) => ({
              headline: each,
              url: "https://news.example/a",
              source: "Wire",
              provider: "wire",
              published_at: null,
              known_at: "2026-09-01T12:00:00Z",
              tickers: [KNOWN],
            })),
          },
        }),
      );
      await page.goto(`${browser.url}ticker/${KNOWN}/news`);
      const cell = page.locator("#news td", { hasText: "snow globes" });
      await cell.waitFor();
      const cut = await cell.evaluate((each) => [
        each.scrollWidth - each.clientWidth,
        each.scrollHeight - each.clientHeight,
        // In more lines than one.
        each.clientHeight > 50,
      ]);
      expect(cut).toEqual([0, 0, true]);
      // Before the first session whose file has been read.
      await page.goto(`${browser.url}ticker/${KNOWN}/short-volume?as_of=2026-07-01`);
      await page.locator(READY).waitFor();
      expect(await page.locator("#short-volume .state.not-read").count()).toBe(1);
      await page.close();
    });

    /** Sums how far the parts of a page have moved while it was filled. */
    const watchShifts = (page: Page) =>
      page.addInitScript(() => {
        const shifts: { value: number; moved: string[] }[] = [];
        Object.assign(globalThis, { shifts });
        type Moved = { node?: Element; previousRect: DOMRect; currentRect: DOMRect };
        new PerformanceObserver((list) => {
          for (const { value, sources } of list.getEntries() as unknown as {
            value: number;
            sources: Moved[];
          }[]) {
            const moved = sources.map(
              ({ node, previousRect, currentRect }) =>
                `${node?.id || node?.nodeName} ${previousRect.y} → ${currentRect.y}`,
            );
            shifts.push({ value, moved });
          }
        }).observe({ type: "layout-shift", buffered: true });
      });
    const expectSteady = async (page: Page, path: string) => {
      const shifts = await page.evaluate(
        () => (globalThis as unknown as { shifts: { value: number; moved: string[] }[] }).shifts,
      );
      const sum = shifts.reduce((all, { value }) => all + value, 0);
      // Browsers call this a good page.
      expect([path, sum < 0.1 ? "steady" : shifts]).toEqual([path, "steady"]);
    };
    const expectWidth = async (page: Page, path: string, width: number) =>
      expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, width]);
    const pictured = (page: Page, path: string, view: string) => {
      const name = path.replace(/\?.*/, "").replaceAll("/", "-");
      return browser.picture(page, `walk-${name || "overview"}-${view}`);
    };

    /** Checks that lists do not scroll sideways, are not cut, and stand below one line; counts them. */
    const expectWholeLists = async (page: Page, path: string): Promise<number> => {
      const wide = await page.locator("main section.rows").evaluateAll((all) =>
        all.map((box) => ({
          sideways: box.scrollWidth - box.clientWidth,
          // A long text that is no prose has its whole in a title.
          cut: [...box.querySelectorAll("th, td:not([title])")].flatMap((each) =>
            each.scrollWidth > each.clientWidth ? [each.textContent] : [],
          ),
        })),
      );
      expect([path, wide]).toEqual([path, wide.map(() => ({ sideways: 0, cut: [] }))]);
      const isOneLine = await page.locator("header > *").evaluateAll((all) => {
        const boxes = all.map((each) => each.getBoundingClientRect());
        return Math.max(...boxes.map(({ top }) => top)) < Math.min(...boxes.map(({ bottom }) => bottom));
      });
      expect([path, isOneLine]).toEqual([path, true]);
      return wide.length;
    };

    /** Saves each list of a page as a file, which has a line for each of its rows; counts the files. */
    const expectFiles = async (page: Page, path: string): Promise<number> => {
      const lists = page.locator("main .actions:has(.shown)");
      const count = await lists.count();
      for (let i = 0; i < count; i++) {
        const line = lists.nth(i);
        const shown = /^[\d,]+/.exec((await line.locator(".shown").textContent()) ?? "")?.[0] ?? "";
        const isPart = (await line.locator("button", { hasText: "Show more" }).count()) > 0;
        const button = line.locator(".csv");
        expect([path, await button.textContent()]).toEqual([path, isPart ? "csv of the first page" : "csv"]);
        const [file] = await Promise.all([page.waitForEvent("download"), button.click()]);
        expect(file.suggestedFilename()).toMatch(/^(?:ticker|market|data)-[a-z0-9.-]+\.csv$/);
        const text = await Bun.file(await file.path()).text();
        // Line breaks within quotes belong to a value.
        const lines = text
          .replace(/"[^"]*"/g, "")
          .trim()
          .split("\n");
        // The rows of a file of the ledger end with a whole commit, those of its page may end before.
        const rows = path === "data/changes" ? Math.min(lines.length - 1, PAGE_ROWS) : lines.length - 1;
        expect([path, i, rows]).toEqual([path, i, Number(shown.replaceAll(",", ""))]);
      }
      return count;
    };

    /** Walks a page with the tab key: all that can be used is reached, and each has a name. */
    const expectReached = async (page: Page, path: string) => {
      const wanted = await page.evaluate(() => {
        const all = [
          ...document.querySelectorAll<HTMLElement>(
            "a[href], button, input, select, textarea, [tabindex='0']",
          ),
        ];
        const seen = all.filter(
          (each) =>
            each.checkVisibility({ visibilityProperty: true }) &&
            !(each as HTMLButtonElement).disabled &&
            each.tabIndex >= 0,
        );
        for (const [i, each] of seen.entries()) each.dataset.walk = String(i);
        const walked = { reached: new Set<string>(), nameless: [] as string[] };
        Object.assign(globalThis, { walked });
        document.addEventListener("focusin", ({ target }) => {
          const focused = target as HTMLElement;
          if (focused.dataset.walk === undefined) return;
          walked.reached.add(focused.dataset.walk);
          const label = (focused as HTMLInputElement).labels?.[0]?.textContent;
          const name = focused.getAttribute("aria-label") ?? label ?? focused.textContent ?? focused.title;
          if (name.trim() === "") walked.nameless.push(focused.outerHTML.slice(0, 120));
        });
        return seen.length;
      });
      const walked = () =>
        page.evaluate(() => {
          const { reached, nameless } = (
            globalThis as unknown as { walked: { reached: Set<string>; nameless: string[] } }
          ).walked;
          return { reached: reached.size, nameless };
        });
      let { reached, nameless } = await walked();
      // A date field takes a stop for each of its parts, and a box that scrolls takes one of its own.
      for (let stops = 0; stops < 3 * wanted + 50 && reached < wanted; ) {
        const left = wanted - reached;
        for (let i = 0; i < left; i++) await page.keyboard.press("Tab");
        stops += left;
        ({ reached, nameless } = await walked());
      }
      expect([path, reached, nameless]).toEqual([path, wanted, []]);
    };

    const LONG_NAME = "Zorp Dynamics International Holdings Class A Ordinary Shares";
    /** Lists that the store of this test has no rows of, with values as long as those of large companies. */
    const LONG_ROWS: Readonly<Record<string, object>> = {
      "/api/v1/universe/screen": {
        ticker: KNOWN,
        name: LONG_NAME,
        market_cap: 3_512_345_678_901,
        currency: "USD",
        close_price: 1_234.56,
        basis_date: "2026-08-31",
        shares_outstanding: 15_204_137_000,
        sector: "Communication Services",
        exchange: "NASDAQ",
        snapshot_date: "2026-08-31",
        missing: null,
        known_at: "2026-09-01T22:30:00Z",
      },
      "/api/v1/earnings/calendar": {
        ticker: KNOWN,
        name: LONG_NAME,
        report_date: "2026-09-10",
        report_date_end: "2026-09-14",
        report_time: "bmo",
        fiscal_quarter_end: "2026-06-30",
        eps_estimate: -12.3456,
        eps_actual: null,
        is_confirmed: false,
        known_at: "2026-09-01T22:30:00Z",
        source: "brokerage_feed",
      },
    };
    const fillLists = () =>
      browser.answer(({ url }) => {
        const row = LONG_ROWS[new URL(url).pathname];
        return row ? Response.json({ count: 1, total: 1, has_more: false, warnings: [], data: [row] }) : null;
      });

    const themed = async (page: Page, scheme: "light" | "dark") => {
      await page.emulateMedia({ colorScheme: scheme });
      await page.locator(`html[data-theme=${scheme}]`).waitFor({ state: "attached" });
    };
    /** Loads a page, on which nothing fails and which asks no other machine. */
    const visited = async ({ page, elsewhere, errors }: Watched, path: string, scheme: "light" | "dark") => {
      const [foreign, wrong] = [elsewhere.length, errors.length];
      await page.emulateMedia({ colorScheme: scheme });
      await page.goto(browser.url + path);
      await page.locator(READY).waitFor();
      // A panel says so where nothing is stored, which the service answers with 404.
      const failed = errors.slice(wrong).filter((error) => !error.startsWith("Failed to load resource"));
      expect([path, elsewhere.slice(foreign), failed]).toEqual([path, [], []]);
    };

    describe("at 1280 px, all is saved and reached by keyboard:", () => {
      let watched: Watched;
      let [lists, files] = [0, 0];
      beforeAll(async () => {
        fillLists();
        watched = await browser.open(DESK);
        await watchShifts(watched.page);
      });
      afterAll(async () => {
        browser.answer(null);
        await watched.page.close();
      });

      test.each(LOOKS)("/%s", async (path) => {
        const { page } = watched;
        await visited(watched, path, "light");
        if (PATHS.includes(path)) await expectSteady(page, path);
        await expectWidth(page, path, DESK.width);
        await pictured(page, path, "light-1280");
        if (LISTS.test(path)) lists += await expectWholeLists(page, path);
        expect([path, ...(await seriousFaults(page))]).toEqual([path]);
        if (OWN_LAYOUTS.has(path) || process.env.SCREENSHOTS) {
          await themed(page, "dark");
          await pictured(page, path, "dark-1280");
          expect([path, ...(await seriousFaults(page, "colours"))]).toEqual([path]);
          await themed(page, "light");
        }
        await expectReached(page, path);
        if (LISTS.test(path) && !FILLED.has(path)) files += await expectFiles(page, path);
      });

      test("lists were among them", () => {
        expect(lists).toBeGreaterThan(9);
        expect(files).toBeGreaterThan(6);
      });
    });

    describe("at 390 px, the second line of a row leaves out what has no value:", () => {
      let watched: Watched;
      let fields = 0;
      beforeAll(async () => {
        fillLists();
        watched = await browser.open({ ...PHONE, dark: true });
        await watchShifts(watched.page);
      });
      afterAll(async () => {
        browser.answer(null);
        await watched.page.close();
      });

      test.each(LOOKS)("/%s", async (path) => {
        const { page } = watched;
        await visited(watched, path, "dark");
        if (PATHS.includes(path)) await expectSteady(page, path);
        await expectWidth(page, path, PHONE.width);
        await pictured(page, path, "dark-390");
        const sideways = await page
          .locator(".rows")
          .evaluateAll((all) => all.map((box) => box.scrollWidth - box.clientWidth));
        if (path.startsWith("ticker/")) expect([path, sideways]).toEqual([path, sideways.map(() => 0)]);
        const texts = await page.locator("main tr.second span").allTextContents();
        expect([path, texts.filter((text) => /–$/.test(text))]).toEqual([path, []]);
        fields += texts.length;
        expect([path, ...(await seriousFaults(page))]).toEqual([path]);
        if (OWN_LAYOUTS.has(path) || process.env.SCREENSHOTS) {
          await themed(page, "light");
          await pictured(page, path, "light-390");
          expect([path, ...(await seriousFaults(page, "colours"))]).toEqual([path]);
        }
        if (path === "market/universe")
          expect(await page.locator("#universe tr.second").textContent()).toBe(
            `name ${LONG_NAME} · currency USD · close 1,234.56 · basis 2026-08-31 · shares 15,204,137,000 · sector Communication Services · listed on NASDAQ · snapshot 2026-08-31 · known from 2026-09-01 18:30 EDT`,
          );
      });

      test("second lines were among them", () => expect(fields).toBeGreaterThan(50));
    });

    test("search, receipt and query work without a pointer", async () => {
      const page = await opened();
      await page.goto(`${browser.url}ticker/${KNOWN}`);
      await page.locator(READY).waitFor();
      const value = page.locator('#statements button[data-line="revenue"]').first();
      await value.focus();
      await page.keyboard.press("Enter");
      await page.locator("#receipt[open]").waitFor();
      await page.keyboard.press("Escape");
      expect(await page.locator("#receipt[open]").count()).toBe(0);
      expect(await value.evaluate((button) => button === document.activeElement)).toBe(true);
      await page.keyboard.press("/");
      await page.keyboard.type("KRONK");
      await page.keyboard.press("Enter");
      await page.waitForURL("**/ticker/KRONK");
      await page.goto(`${browser.url}sql`);
      await page.locator(READY).waitFor();
      await page.locator("textarea").first().focus();
      await page.keyboard.press("Control+a");
      await page.keyboard.type("select 6 * 7 as answer");
      await page.keyboard.press("Control+Enter");
      await page.locator("main td", { hasText: "42" }).first().waitFor();
      await page.close();
    });
  });
