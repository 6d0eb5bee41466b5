// The page of one company in a real browser: what its panels say while they load and when they fail, and what
// its figures come from.
import { beforeAll, describe, expect, test } from "bun:test";
import type { Page, Route } from "playwright-core";
import { SUGGESTED } from "../../sample/market.ts";
import type { BrowserOnService } from "../support/browser.ts";
import type { SampleService } from "../support/service.ts";
import type { World } from "./world.ts";

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

export const tickerTests = (world: () => World) =>
  describe("the page of a company", () => {
    let service: SampleService;
    let browser: BrowserOnService;
    beforeAll(() => {
      ({ service, browser } = world());
    });

    test("a panel says that it is loading until its own part is there", async () => {
      const { page } = await browser.open(DESK);
      const insiders = await hold(page, "**/api/v1/insider/form4/**");
      const prices = await hold(page, "**/api/v1/price/data/**");
      await page.goto(`${browser.url}ticker/${KNOWN}`);
      await page.locator('#events[data-state="ready"]').waitFor();
      expect(await page.locator("#insiders").getAttribute("data-state")).toBe("loading");
      expect(await page.locator("#insiders").getAttribute("aria-busy")).toBe("true");
      expect(await page.locator("#insiders .state.loading").textContent()).toBe("Loading…");
      expect(await page.locator("#chart .state.loading").textContent()).toBe("Loading…");
      await browser.picture(page, "ticker-loading");
      insiders.go();
      prices.go();
      await page.locator(READY).waitFor();
      expect(await page.locator("#insiders").getAttribute("data-state")).toBe("ready");
      expect(await page.locator("#insiders").getAttribute("aria-busy")).toBeNull();
      expect(await page.locator(".state.loading").count()).toBe(0);
      await page.close();
    });

    test("a receipt links to the report's own document and names its share basis", async () => {
      const { page } = await browser.open(DESK);
      const answered = page.waitForResponse(/financial\/data/);
      await page.goto(`${browser.url}ticker/${KNOWN}`);
      await page.locator(READY).waitFor();
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
      await link.waitFor();
      expect(await link.getAttribute("href")).toBe(report?.url ?? "no such document");
      expect(await page.locator("#receipt").textContent()).toContain(
        `Share basissplits before ${source?.split_basis} are counted`,
      );
      await browser.picture(page, "receipt-document");
      const basis = page
        .locator("#statements tr", { hasText: "Splits counted before" })
        .first()
        .locator("td");
      expect(await basis.nth(1).textContent()).toBe(row?.split_basis ?? "");
      await page.close();
    });

    interface Answered {
      readonly data: readonly {
        date: string;
        open: number;
        high: number;
        low: number;
        close: number;
        volume: number;
        dividend?: number;
        split_ratio?: number;
      }[];
    }
    const digits = (value: number) =>
      value.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 8 });
    const pricesOf = async (query: string): Promise<Answered["data"]> => {
      const { body } = await service.get<Answered>(`/api/v1/price/data/${KNOWN}?${query}`);
      return body.data;
    };

    test("the line above the chart says the figures of a bar, which the arrow keys choose", async () => {
      const { page, errors } = await browser.open(DESK);
      await page.goto(`${browser.url}ticker/${KNOWN}?as_of=2026-08-14&months=6`);
      await page.locator(READY).waitFor();
      const bars = await pricesOf("start_date=2026-02-14&end_date=2026-08-14&as_of=2026-08-14");
      const text = () => page.locator("#readout").textContent();
      const figures = ({ date, open, high, low, close, volume }: Answered["data"][number]) =>
        `${date}open ${digits(open)}high ${digits(high)}low ${digits(low)}close ${digits(close)}volume ${volume.toLocaleString("en-US")}`;
      const [before, last] = bars.slice(-2);
      if (!before || !last) throw new Error("there are no bars");
      expect(await text()).toStartWith(figures(last));
      const chart = page.locator("#chart");
      await chart.focus();
      await chart.press("ArrowLeft");
      expect(await text()).toStartWith(figures(before));
      expect(await chart.getAttribute("aria-valuetext")).toBe(before.date);
      await chart.press("Home");
      expect(await text()).toStartWith(figures(bars[0] ?? before));
      await chart.press("End");
      await chart.press("ArrowRight");
      expect(await text()).toStartWith(figures(last));
      // The split of June is a mark of its own bar.
      const split = bars.findIndex(({ split_ratio }) => split_ratio !== undefined);
      expect(split).toBeGreaterThan(0);
      for (let steps = bars.length - 1; steps > split; steps--) await chart.press("ArrowLeft");
      expect(await text()).toContain(`split ${bars[split]?.split_ratio}:1`);
      await browser.picture(page, "ticker-readout");
      expect(errors.filter((error) => !error.startsWith("Failed to load resource"))).toEqual([]);
      await page.close();
    });

    test("prices as traded and by dividends are what the route gives for them, and stay in the address", async () => {
      const { page } = await browser.open(DESK);
      await page.goto(`${browser.url}ticker/${KNOWN}?as_of=2026-08-14&months=6`);
      await page.locator(READY).waitFor();
      for (const adjustment of ["raw", "all"]) {
        await page.selectOption("#adjustment", adjustment);
        await page.waitForURL(`**adjustment=${adjustment}**`);
        await page.locator(READY).waitFor();
        const span = "start_date=2026-02-14&end_date=2026-08-14&as_of=2026-08-14";
        const [first] = await pricesOf(`${span}&adjustment=${adjustment}`);
        await page.locator("#chart").press("Home");
        expect(await page.locator("#readout").textContent()).toContain(`close ${digits(first?.close ?? 0)}`);
        expect(await page.inputValue("#adjustment")).toBe(adjustment);
      }
      const traded = await pricesOf(
        "start_date=2026-02-14&end_date=2026-08-14&as_of=2026-08-14&adjustment=raw",
      );
      const plain = await pricesOf("start_date=2026-02-14&end_date=2026-08-14&as_of=2026-08-14");
      expect((traded[0]?.close ?? 0) / (plain[0]?.close ?? 1)).toBeCloseTo(4, 6);
      await page.close();
    });

    test("up to five symbols are compared from the first day that all have, and who has no bars is named", async () => {
      const { page, errors } = await browser.open(DESK);
      await page.goto(`${browser.url}ticker/${KNOWN}?as_of=2026-08-14&months=6`);
      await page.locator(READY).waitFor();
      await page.fill("#compare", "quib-b, SMPLF nosuch");
      await page.press("#compare", "Enter");
      await page.waitForURL("**compare=QUIB-B%2CSMPLF%2CNOSUCH**");
      await page.locator(READY).waitFor();
      expect(await page.locator("#chart").getAttribute("data-compared")).toBe(`${KNOWN},QUIB-B,SMPLF`);
      expect(await page.locator('#notes [data-part="NOSUCH"]').count()).toBe(1);
      expect(await page.locator("#legend").isVisible()).toBe(false);
      const other = (
        await service.get<Answered>(
          "/api/v1/price/data/QUIB-B?start_date=2026-02-14&end_date=2026-08-14&as_of=2026-08-14",
        )
      ).body.data;
      const text = (await page.locator("#readout").textContent()) ?? "";
      const [from] = /\d{4}-\d{2}-\d{2}(?= is 100 %)/.exec(text) ?? [];
      const base = other.find(({ date }) => date === from)?.close ?? 0;
      const last = other.at(-1)?.close ?? 0;
      expect(text).toContain(`QUIB-B ${((100 * last) / base).toFixed(1)} % (${digits(last)})`);
      await page.locator("#chart").press("Home");
      expect(await page.locator("#readout").textContent()).toContain(`${KNOWN} 100.0 %`);
      await browser.picture(page, "ticker-comparison");
      expect(errors.filter((error) => !error.startsWith("Failed to load resource"))).toEqual([]);
      await page.close();
    });

    test("the overview keeps to an instant and to a version, and says what cannot be answered from one", async () => {
      const { page } = await browser.open(DESK);
      const asked: URL[] = [];
      page.on("request", (request) => asked.push(new URL(request.url())));
      await page.goto(`${browser.url}ticker/${KNOWN}?as_of=2026-03-31T15:00:00Z`);
      await page.locator(READY).waitFor();
      const dated = asked.filter(({ pathname }) =>
        /price|shortvolume|earnings|events|form4|financial/.test(pathname),
      );
      expect(dated.map(({ searchParams }) => searchParams.get("as_of"))).toEqual(
        Array(6).fill("2026-03-31T15:00:00Z"),
      );
      asked.length = 0;
      const version = await service.app().lake.generation();
      await page.goto(`${browser.url}ticker/${KNOWN}?data_version=${version}`);
      await page.locator(READY).waitFor();
      const priced = asked.filter(({ pathname }) => pathname.includes("/price/data/"));
      expect(priced.map(({ searchParams }) => searchParams.get("data_version"))).toEqual([String(version)]);
      await page.goto(`${browser.url}ticker/${KNOWN}?as_of=nonsense`);
      await page.locator(READY).waitFor();
      expect(await page.locator("#chart .state.refused").count()).toBe(1);
      await page.close();
    });

    test("both vintages side by side: a restated figure has its first value, each with its own receipt", async () => {
      const { page } = await browser.open(DESK);
      await page.goto(`${browser.url}ticker/NURBL?vintage=both&months=24`);
      await page.locator(READY).waitFor();
      interface Restated {
        income_statement: {
          period_end_date: string;
          period_months: number;
          revenue: number;
          accession_number: string;
        }[];
      }
      const yearOf = async (vintage: string) => {
        const path = `/api/v1/financial/data/NURBL?vintage=${vintage}`;
        const { income_statement } = (await service.get<Restated>(path)).body;
        const year = income_statement.find(
          ({ period_end_date, period_months }) => period_end_date === "2024-12-31" && period_months === 12,
        );
        return year?.revenue ?? 0;
      };
      const [latest, first] = [await yearOf("latest"), await yearOf("first")];
      expect(first).toBeGreaterThan(latest);
      const millions = (value: number) => `${Math.round(value / 1e6).toLocaleString("en-US")} M`;
      const cell = page.locator("#statements td", { hasText: `first ${millions(first)}` }).first();
      expect(await cell.textContent()).toBe(`${millions(latest)}first ${millions(first)}`);
      await cell.locator(".was button").click();
      expect(await page.locator("#receipt").textContent()).toContain(
        `Value${first.toLocaleString("en-US")} USD`,
      );
      await page.locator("#receipt button").click();
      await browser.picture(page, "ticker-vintages");
      await page.selectOption("#vintage", "first");
      await page.waitForURL("**vintage=first**");
      await page.locator(READY).waitFor();
      expect(await page.locator("#statements .was").count()).toBe(0);
      expect(await page.locator("#statements td", { hasText: millions(first) }).count()).toBeGreaterThan(0);
      await page.close();
    });

    test("share figures adjusted for splits do not jump, and a receipt says what was scaled", async () => {
      const { page } = await browser.open(DESK);
      await page.goto(`${browser.url}ticker/${KNOWN}?periods=quarterly`);
      await page.locator(READY).waitFor();
      const line = "weighted_average_shares_basic";
      const figures = page.locator(`#statements button[data-line="${line}"]`);
      const counts = async () =>
        (await figures.allTextContents()).map((text) => Number(text.replace(/[^\d.]/g, "")));
      const largestStep = (values: readonly number[]) =>
        Math.max(
          ...values.slice(1).map((value, i) => Math.max(value / (values[i] ?? 0), (values[i] ?? 0) / value)),
        );
      expect(largestStep(await counts())).toBeGreaterThan(3);
      await page.selectOption("#shares", "adjusted");
      await page.waitForURL("**shares=adjusted**");
      await page.locator(READY).waitFor();
      const adjusted = await counts();
      expect(adjusted.length).toBeGreaterThan(5);
      expect(largestStep(adjusted)).toBeLessThan(1.1);
      await figures.last().click();
      expect(await page.locator("#receipt").textContent()).toContain("adjusted by 4:1 for splits from ");
      await page.close();
    });

    test("statements of years or of quarters, as a file, and facts and coverage beside them", async () => {
      const { page } = await browser.open(DESK);
      await page.goto(`${browser.url}ticker/${KNOWN}`);
      await page.locator(READY).waitFor();
      const company = (await service.get<{ cik: string; exchange: string }>(`/api/v1/company/${KNOWN}`)).body;
      const facts = (await page.locator("#facts").textContent()) ?? "";
      expect(facts.split(" · ")).toContain(`CIK ${company.cik}`);
      expect(facts.split(" · ")).toContain(company.exchange);
      const { data: stored } = (
        await service.get<{ data: { dataset: string; rows: number }[] }>(`/api/v1/database/coverage/${KNOWN}`)
      ).body;
      const named = await page.locator("#stored td:first-child").allTextContents();
      expect(named.length).toBeGreaterThan(5);
      expect(named).toEqual(stored.filter(({ rows }) => rows > 0).map(({ dataset }) => dataset));
      const months = async () =>
        (await page.locator("#statements .scroll").first().locator("th.figure").allTextContents()).map(
          (head) => head.split("\n").at(-1),
        );
      expect(new Set(await months())).toEqual(new Set(["3 months", "12 months"]));
      for (const [periods, length] of [
        ["annual", "12 months"],
        ["quarterly", "3 months"],
      ] as const) {
        await page.selectOption("#periods", periods);
        await page.waitForURL(`**periods=${periods}**`);
        await page.locator(READY).waitFor();
        expect(new Set(await months())).toEqual(new Set([length]));
      }
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.locator("#statements-file button").click(),
      ]);
      expect(file.suggestedFilename()).toBe(`ticker-${KNOWN.toLowerCase()}-statements.csv`);
      const [head = "", ...rows] = (await Bun.file(await file.path()).text()).trim().split("\n");
      expect(head).toContain("line,value,unit");
      expect(rows.length).toBeGreaterThan(50);
      // Stored data, and the facts of today, are later than an earlier moment.
      await page.goto(`${browser.url}ticker/${KNOWN}?as_of=2026-03-31`);
      await page.locator(READY).waitFor();
      expect(await page.locator("#stored .state.empty").count()).toBe(1);
      expect(await page.locator("#facts").textContent()).toBe(`CIK ${company.cik}`);
      await page.close();
    });

    test("on a phone two periods of a statement are in sight, and the others are reached by buttons", async () => {
      const { page } = await browser.open({ width: 375, height: 800 });
      await page.goto(`${browser.url}ticker/${KNOWN}`);
      await page.locator(READY).waitFor();
      const boxes = page.locator("#statements .scroll");
      for (let i = 0; i < (await boxes.count()); i++)
        expect(await boxes.nth(i).evaluate((box) => box.scrollWidth - box.clientWidth)).toBeLessThanOrEqual(
          0,
        );
      const heads = () => page.locator("#statements .scroll").first().locator("th.figure").allTextContents();
      const before = await heads();
      expect(before).toHaveLength(2);
      const pager = page.locator('#statements [data-pager="income"]');
      expect(await pager.locator("button", { hasText: "Newer" }).isDisabled()).toBe(true);
      await pager.locator("button", { hasText: "Older" }).click();
      expect((await heads()).filter((head) => before.includes(head))).toEqual([]);
      await pager.locator("button", { hasText: "Newer" }).click();
      expect(await heads()).toEqual(before);
      await browser.picture(page, "phone-statements");
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
      await page.locator(READY).waitFor();
      expect(await page.locator("#health .badge.good").count()).toBeGreaterThan(0);
      isGone = true;
      const line = page.locator("#connection", { hasText: "The server does not answer." });
      await line.waitFor();
      expect(await line.textContent()).toBe(
        "The server does not answer. Its last answer was at 2026-11-02 10:04 EST, by this browser's clock.",
      );
      await page.locator("#health .state.outage").waitFor();
      expect(await page.locator("#health .badge").count()).toBe(0);
      isGone = false;
      await page.locator("#health .badge.good").first().waitFor();
      await page.close();
    });

    test.each([1280, 390])("the short-volume ratio has a scale with figures, %i px", async (width) => {
      const { page } = await browser.open({ width, height: 900 });
      // The rows of the chart are its panes: the left cell of the lower one holds the scale.
      const scales = async () => {
        await page.goto(`${browser.url}ticker/${KNOWN}`);
        await page.locator(READY).waitFor();
        const inked = await page.locator("#chart tr").evaluateAll((rows) =>
          rows.map((row) => {
            const canvas = row.querySelector<HTMLCanvasElement>("td:first-child canvas");
            const half = Math.floor((canvas?.width ?? 0) / 2);
            if (!canvas || half === 0) return 0;
            const { data } = canvas.getContext("2d")?.getImageData(0, 0, half, canvas.height) ?? { data: [] };
            return [...data].filter((value, i) => i % 4 === 3 && value > 0).length;
          }),
        );
        return inked.filter((dots) => dots > 20).length;
      };
      let data: object[] = [];
      await page.route(`**/api/v1/shortvolume/${KNOWN}**`, (route) => route.fulfill({ json: { data } }));
      expect(await scales()).toBe(0);
      data = [31, 44, 52].map((percent, i) => ({
        date: `2026-09-0${i + 1}`,
        short_volume_ratio: percent / 100,
      }));
      expect(await scales()).toBe(1);
      await browser.picture(page, `ticker-ratio-${width}`);
      await page.close();
    });
  });
