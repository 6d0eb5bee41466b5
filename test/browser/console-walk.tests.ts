// Every page of the console: each state of a panel is shown as itself, and everything is reached by keyboard.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Page, Route } from "playwright-core";
import { SUGGESTED } from "../../sample/market.ts";
import { BROWSER, type BrowserOnService, browse } from "../support/browser.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

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

/** Replacements of each answer of the service, and the class of the state that panels must then show. */
const FAILURES = [
  {
    state: "not-configured",
    answer: (route: Route) =>
      route.fulfill({ status: 503, json: { code: "not_configured", detail: "A setting is missing." } }),
  },
  {
    state: "refused",
    answer: (route: Route) => route.fulfill({ status: 403, json: { code: "forbidden", detail: "Not you." } }),
  },
  {
    state: "empty",
    answer: (route: Route) =>
      route.fulfill({ status: 404, json: { code: "no_data", detail: "Nothing is stored." } }),
  },
  {
    state: "not-read",
    answer: (route: Route) =>
      route.fulfill({
        status: 404,
        json: { code: "no_data", absence: "not_read", detail: "Nothing is stored." },
      }),
  },
  { state: "outage", answer: (route: Route) => route.abort() },
] as const;

/** Requests that are answered in any case: the sign of life, and the service's day. */
const isVital = (url: string) => /\/health(?:\/live)?$/.test(new URL(url).pathname);

describe("every page of the console", () => {
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
    browser = await browse(service);
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  const opened = async () => (await browser.open({ width: 1280, height: 900 })).page;
  const stateCount = (page: Page, state: string) => page.locator(`main .state.${state}`).count();

  test.each(FAILURES.map((failure) => [failure.state, failure] as const))(
    "shows %s as that and as nothing else",
    async (state, { answer }) => {
      const page = await opened();
      await page.route("**/api/v1/**", (route) =>
        isVital(route.request().url()) ? route.continue() : answer(route),
      );
      for (const path of PATHS) {
        await page.goto(browser.url + path);
        await page.locator(`main .state.${state}`).first().waitFor({ timeout: 60_000 });
        await page.locator(READY).waitFor({ timeout: 60_000 });
        const others = FAILURES.map((each) => each.state).filter((each) => each !== state);
        for (const other of [...others, "loading"])
          expect([path, other, await stateCount(page, other)]).toEqual([path, other, 0]);
      }
      await page.close();
    },
  );

  test("says that it is loading while no answer has come", async () => {
    const page = await opened();
    await page.route("**/api/v1/**", (route) =>
      isVital(route.request().url()) ? route.continue() : new Promise(() => {}),
    );
    for (const path of PATHS) {
      await page.goto(browser.url + path);
      await page.locator("main .state.loading").first().waitFor({ timeout: 60_000 });
      for (const { state } of FAILURES)
        expect([path, state, await stateCount(page, state)]).toEqual([path, state, 0]);
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
      await page.locator(READY).waitFor({ timeout: 60_000 });
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
    await page.locator(READY).waitFor({ timeout: 60_000 });
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

  test("every list is saved as a file with a line for each of its rows", async () => {
    const page = await opened();
    let files = 0;
    for (const path of PATHS.filter((each) => /^(?:ticker|market|data)/.test(each))) {
      await page.goto(browser.url + path);
      await page.locator(READY).waitFor({ timeout: 120_000 });
      const lists = page.locator("main .actions:has(.shown)");
      for (let i = 0; i < (await lists.count()); i++) {
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
        expect([path, i, lines.length - 1]).toEqual([path, i, Number(shown.replaceAll(",", ""))]);
        files += 1;
      }
    }
    expect(files).toBeGreaterThan(6);
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
    await page.goto(`${browser.url}ticker/${KNOWN}/short-volume`);
    await page.locator(READY).waitFor({ timeout: 60_000 });
    expect(await page.locator("#short-volume .state.not-read").count()).toBe(1);
    await page.close();
  });

  test("is reached whole by the tab key, and what has the focus has a name", async () => {
    const page = await opened();
    for (const path of PATHS) {
      await page.goto(browser.url + path);
      await page.locator(READY).waitFor({ timeout: 120_000 });
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
        return seen.length;
      });
      const reached = new Set<string>();
      const nameless: string[] = [];
      // A date field takes a stop for each of its parts, and a box that scrolls takes one of its own.
      for (let stops = 0; stops < 3 * wanted + 50 && reached.size < wanted; stops++) {
        await page.keyboard.press("Tab");
        const found = await page.evaluate(() => {
          const focused = document.activeElement as HTMLElement | null;
          const label = (focused as HTMLInputElement | null)?.labels?.[0]?.textContent;
          const name =
            focused?.getAttribute("aria-label") ?? label ?? focused?.textContent ?? focused?.title ?? "";
          return { walk: focused?.dataset.walk, name: name.trim(), html: focused?.outerHTML.slice(0, 120) };
        });
        if (found.walk === undefined) continue;
        reached.add(found.walk);
        if (found.name === "") nameless.push(found.html ?? "");
      }
      expect([path, reached.size, nameless]).toEqual([path, wanted, []]);
    }
    await page.close();
  });

  test.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 390],
    ["dark", 390],
  ] as const)(
    "fits the screen, and is pictured where SCREENSHOTS names a folder: %s, %i px",
    async (scheme, width) => {
      const { page } = await browser.open({ width, height: 844, dark: scheme === "dark" });
      for (const path of PATHS) {
        await page.goto(browser.url + path);
        await page.locator(READY).waitFor({ timeout: 120_000 });
        expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([
          path,
          width,
        ]);
        const name = path.replace(/\?.*/, "").replaceAll("/", "-");
        await browser.picture(page, `walk-${name || "overview"}-${scheme}-${width}`);
      }
      await page.close();
    },
  );

  /** Lists that the store of this test has no rows of, with values as long as those of large companies. */
  const fillLists = async (page: Page) => {
    const lists = {
      "universe/screen": {
        ticker: KNOWN,
        name: "Zorp Dynamics International Holdings Class A Ordinary Shares",
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
      "earnings/calendar": {
        ticker: KNOWN,
        name: "Zorp Dynamics International Holdings Class A Ordinary Shares",
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
    for (const [route, row] of Object.entries(lists))
      await page.route(`**/api/v1/${route}**`, (each) =>
        each.fulfill({ json: { count: 1, total: 1, has_more: false, warnings: [], data: [row] } }),
      );
  };

  test("at 1280 px no list scrolls sideways, no word, figure or date of it is cut, and the header is one line", async () => {
    const { page } = await browser.open({ width: 1280, height: 900 });
    await fillLists(page);
    let lists = 0;
    for (const path of PATHS.filter((each) => /^(?:ticker|market|data)/.test(each))) {
      await page.goto(browser.url + path);
      await page.locator(READY).waitFor({ timeout: 120_000 });
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
      const lines = await page.locator("header > *").evaluateAll((all) => {
        const boxes = all.map((each) => each.getBoundingClientRect());
        return Math.max(...boxes.map(({ top }) => top)) < Math.min(...boxes.map(({ bottom }) => bottom));
      });
      expect([path, lines]).toEqual([path, true]);
      lists += wide.length;
    }
    expect(lists).toBeGreaterThan(9);
    await page.close();
  });

  test("on a phone the second line of a row leaves out what has no value", async () => {
    const { page } = await browser.open({ width: 390, height: 844 });
    await fillLists(page);
    let fields = 0;
    for (const path of PATHS.filter((each) => /^(?:ticker|market|data)/.test(each))) {
      await page.goto(browser.url + path);
      await page.locator(READY).waitFor({ timeout: 120_000 });
      const texts = await page.locator("main tr.second span").allTextContents();
      expect([path, texts.filter((text) => /–$/.test(text))]).toEqual([path, []]);
      fields += texts.length;
    }
    expect(fields).toBeGreaterThan(50);
    await page.goto(`${browser.url}market/universe`);
    const second = page.locator("#universe tr.second");
    await second.waitFor();
    expect(await second.textContent()).toBe(
      "name Zorp Dynamics International Holdings Class A Ordinary Shares · currency USD · close 1,234.56 · basis 2026-08-31 · shares 15,204,137,000 · sector Communication Services · listed on NASDAQ · snapshot 2026-08-31 · known from 2026-09-01 18:30 EDT",
    );
    await page.close();
  });

  test.each([1280, 390])("does not jump while its panels fill, %i px", async (width) => {
    const { page } = await browser.open({ width, height: 900 });
    await page.addInitScript(() => {
      const shifts: number[] = [];
      Object.assign(globalThis, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as unknown as { value: number }[]) shifts.push(entry.value);
      }).observe({ type: "layout-shift", buffered: true });
    });
    for (const path of PATHS) {
      await page.goto(browser.url + path);
      await page.locator(READY).waitFor({ timeout: 120_000 });
      const sum = await page.evaluate(() =>
        (globalThis as unknown as { shifts: number[] }).shifts.reduce((all, each) => all + each, 0),
      );
      // The bound below which browsers call a page good.
      expect([path, sum < 0.1 ? "steady" : sum]).toEqual([path, "steady"]);
    }
    await page.close();
  });

  test("search, receipt and query work without a pointer", async () => {
    const page = await opened();
    await page.goto(`${browser.url}ticker/${KNOWN}`);
    await page.locator(READY).waitFor({ timeout: 120_000 });
    const value = page.locator('#statements button[data-line="revenue"]').first();
    await value.focus();
    await page.keyboard.press("Enter");
    await page.locator("#receipt[open]").waitFor();
    await page.keyboard.press("Escape");
    expect(await page.locator("#receipt[open]").count()).toBe(0);
    expect(await value.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press("/");
    await page.keyboard.type("QUIB-B");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/ticker/QUIB-B");
    await page.goto(`${browser.url}sql`);
    await page.locator(READY).waitFor({ timeout: 60_000 });
    await page.locator("textarea").first().focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("select 6 * 7 as answer");
    await page.keyboard.press("Control+Enter");
    await page.locator("main td", { hasText: "42" }).first().waitFor({ timeout: 60_000 });
    await page.close();
  });
});
