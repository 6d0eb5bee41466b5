// The market pages of the console in a real browser: movers, universe, short volume, earnings, dividends,
// economic series.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { seriousFaults } from "../support/accessibility.ts";
import { type BrowserOnService, browse, DESK, PHONE } from "../support/browser.ts";
import { openSampleService, type SampleService } from "../support/service.ts";
import type { World } from "./world.ts";

const READY = "body[data-ready=true]";
const DAY = "2026-09-09";
const SESSION = "2026-09-08";
const SERIES = "FICGDP";
/** Two slots of one session. */
const SLOTS = [`${DAY}T15:00:00Z`, `${DAY}T15:05:00Z`];

export const marketTests = (world: () => World) =>
  describe("the market pages", () => {
    let service: SampleService;
    let browser: BrowserOnService;
    const api = async <T>(path: string) => (await service.get<T>(`/api/v1${path}`)).body;

    beforeAll(async () => {
      service = await openSampleService({
        at: `${DAY}T14:00:00Z`,
        env: {
          SEC_USER_AGENT: "Asof tests tests@asof.example",
          ECONDATA_API_KEY: "0123456789abcdef0123456789abcdef",
          JOBS: "on",
        },
      });
      for (const slot of SLOTS) {
        service.clock.set(Temporal.Instant.from(slot).add({ milliseconds: 100 }).toString());
        await service.app().jobs.due("gainer-snapshots");
      }
      await service.post("/api/v1/shortvolume/admin/ingest", { start_date: SESSION, end_date: SESSION });
      await service.app().jobs.runNow("universe-discover").done;
      service.clock.set(`${DAY}T21:00:00Z`);
      browser = await browse(service, world().chromium);
    });
    afterAll(async () => {
      await browser?.close();
      await service?.stop();
    });

    const opened = async (path: string, view: object = {}) => {
      const watched = await browser.open({ width: 1280, height: 900, ...view });
      await watched.page.goto(`${browser.url}market/${path}`);
      await watched.page.locator(READY).waitFor();
      return watched;
    };
    const rowOf = (page: Page, panel: string, row: number) =>
      page.locator(`${panel} tr[aria-rowindex="${row + 2}"] td`).allTextContents();
    /** A published number, the digits before its point in groups. */
    const inGroups = (text = "") => {
      const [whole = "", ...broken] = text.split(".");
      return [Number(whole).toLocaleString("en-US"), ...broken].join(".");
    };
    const parameterOf = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

    test("movers: the slider chooses a snapshot, and the address keeps it", async () => {
      const { data } = await api<{ data: { snapshot_at: string }[] }>(
        `/stocks/gainers/snapshots/list?date=${DAY}`,
      );
      const times = data.map(({ snapshot_at }) => snapshot_at).sort();
      expect(times.length).toBe(SLOTS.length);
      const { page, elsewhere, errors } = await opened("movers");
      await browser.picture(page, "market-movers");
      expect(await page.locator("#snapshot").textContent()).toBe("As read 2026-09-09 11:05 EDT.");
      await page.locator("#slot").focus();
      await page.keyboard.press("ArrowLeft");
      await page.locator("#snapshot", { hasText: "11:00 EDT" }).waitFor();
      expect(parameterOf(page, "at")).toBe(times[0] ?? "");
      const { data: movers } = await api<{ data: { symbol: string; change_percent: number }[] }>(
        `/stocks/gainers/snapshots?at=${encodeURIComponent(times[0] ?? "")}`,
      );
      const [first] = movers;
      const cells = await rowOf(page, "#movers", 0);
      expect([cells[1], cells[3]]).toEqual([first?.symbol ?? "", `${first?.change_percent.toFixed(2)} %`]);
      await page.reload();
      await page.locator("#snapshot", { hasText: "11:00 EDT" }).waitFor();
      // As of a moment between the two only the earlier one is there.
      await page.goto(`${browser.url}market/movers?as_of=${DAY}T15:03:00Z`);
      await page.locator("#snapshot", { hasText: "11:00 EDT" }).waitFor();
      expect(await page.locator("#movers").textContent()).toContain("1 of 1 snapshots");
      expect([elsewhere, errors]).toEqual([[], []]);
      await page.close();
    });

    test("movers out of session: the newest session's snapshots, else the provider's list of now", async () => {
      // Before the next session opens, the newest one is that of the day before.
      service.clock.set("2026-09-10T12:00:00Z");
      const before = await opened("movers");
      await before.page.locator("#snapshot", { hasText: "As read 2026-09-09 11:05 EDT." }).waitFor();
      expect(await before.page.locator("#asked-date").inputValue()).toBe(DAY);
      expect(await before.page.locator("#current").count()).toBe(0);
      await before.page.close();

      // After a close of which no snapshot was read.
      service.clock.set("2026-09-10T23:00:00Z");
      const gainers =
        await api<{ symbol: string; change_percent: number; price_time: string }[]>(
          "/stocks/gainers?count=100",
        );
      const [first] = gainers;
      const { page, elsewhere, errors } = await opened("movers");
      const line = page.locator("#current", { hasText: "not stored" });
      await line.waitFor();
      expect(await line.textContent()).toBe(
        "This is the provider's list of now, read for this page and not stored. Its prices are of the session of 2026-09-10, the last one of 2026-09-10 16:00 EDT.",
      );
      expect(await page.locator("#movers .state.empty").textContent()).toContain(
        "No snapshot of 2026-09-10 was stored.",
      );
      // A snapshot that can never be read is not called "not read yet".
      expect(await page.locator("#gaps").textContent()).toBe(
        "79 due times of this session have no snapshot, and none can be taken of them now.",
      );
      expect(await page.locator("#movers").textContent()).not.toContain("Not read yet");
      const cells = await rowOf(page, "#movers", 0);
      expect([cells[1], cells[3]]).toEqual([first?.symbol ?? "", `${first?.change_percent.toFixed(2)} %`]);
      // Nothing that the provider says now stands on the page of an earlier moment, nor among another day's
      // rows.
      for (const query of ["as_of=2026-09-10", "date=2026-09-08"]) {
        await page.goto(`${browser.url}market/movers?${query}`);
        await page.locator("#movers .state.empty").waitFor();
        await page.locator(READY).waitFor();
        expect([query, await page.locator("#current").count()]).toEqual([query, 0]);
      }
      expect([elsewhere, errors]).toEqual([[], []]);
      await page.close();
      service.clock.set(`${DAY}T21:00:00Z`);
    });

    test("the universe of a date, and one that is not built", async () => {
      const { page } = await opened("universe");
      await browser.picture(page, "market-universe");
      const answer = await service.get<{ count: number; detail?: string }>(
        `/api/v1/universe/screen?date=${DAY}&limit=500&sort_by=market_cap&sort_order=desc`,
      );
      if (answer.status === 200 && answer.body.count > 0)
        expect(await page.locator("#universe .shown").textContent()).toContain(`${answer.body.count} `);
      else expect(await page.locator("#universe .state").count()).toBe(1);
      await page.route("**/api/v1/universe/screen**", (route) =>
        route.fulfill({
          json: {
            count: 1,
            total: 1,
            has_more: false,
            warnings: ["not_read: one."],
            data: [
              {
                ticker: "ZORP",
                name: "Zorp",
                market_cap: 1_234_567,
                currency: "CAD",
                close_price: null,
                basis_date: null,
                shares_outstanding: 10,
                sector: null,
                exchange: "Nasdaq",
                snapshot_date: "2026-08-31",
                missing: "price",
                known_at: "2026-09-01T22:30:00Z",
              },
            ],
          },
        }),
      );
      const asked = page.waitForRequest(/universe\/screen/);
      await page.fill("#asked-market_cap_min", "1000000");
      await page.locator("#universe button", { hasText: "Show" }).click();
      const url = new URL((await asked).url());
      expect([url.searchParams.get("market_cap_min"), url.searchParams.get("date")]).toEqual([
        "1000000",
        DAY,
      ]);
      await page.locator("#universe .notes").waitFor();
      expect((await rowOf(page, "#universe", 0)).slice(0, 5)).toEqual([
        "ZORP",
        "Zorp",
        "1,234,567",
        "CAD",
        "–",
      ]);
      expect(parameterOf(page, "market_cap_min")).toBe("1000000");
      await page.close();
    });

    test("short volume of a session, by ratio and by symbol", async () => {
      const { page } = await opened("short-volume");
      await browser.picture(page, "market-short-volume");
      const top = await api<{ total: number; data: { symbol: string; short_volume_ratio: number }[] }>(
        "/shortvolume/top?limit=200",
      );
      expect(top.total).toBeGreaterThan(20);
      expect(await page.locator("#short-ranking .shown").textContent()).toBe(`${top.total} rows`);
      const cells = await rowOf(page, "#short-ranking", 0);
      expect([cells[0], cells[1], cells[2]]).toEqual([
        top.data[0]?.symbol ?? "",
        SESSION,
        `${(100 * (top.data[0]?.short_volume_ratio ?? 0)).toFixed(2)} %`,
      ]);
      await page.selectOption("#asked-sort_by", "symbol");
      await page.locator("#short-ranking button", { hasText: "Show" }).click();
      const smallest = top.data.map(({ symbol }) => symbol).sort()[0] ?? "";
      await page.locator('#short-ranking tr[aria-rowindex="2"] td', { hasText: smallest }).waitFor();
      // Before the session was published there is none.
      await page.goto(`${browser.url}market/short-volume?as_of=2026-09-04`);
      await page.locator("#short-ranking .state").waitFor();
      expect(await page.locator("#short-ranking tr[aria-rowindex]").count()).toBe(0);
      await page.close();
    });

    test("earnings of a span of days", async () => {
      const span = "from_date=2026-07-20&to_date=2026-07-21";
      const { page } = await opened(`earnings?${span}`);
      await browser.picture(page, "market-earnings");
      const { total, data } = await api<{ total: number; data: { ticker: string; eps_actual: number }[] }>(
        `/earnings/calendar?${span}`,
      );
      expect(total).toBeGreaterThan(3);
      expect(await page.locator("#earnings .shown").textContent()).toBe(`${total} rows`);
      const cells = await rowOf(page, "#earnings", 0);
      expect([cells[0], cells[6]]).toEqual([data[0]?.ticker ?? "", String(data[0]?.eps_actual)]);
      await page.close();
    });

    test("dividends by ex date, now and as of a day before one was declared", async () => {
      const span = "from_date=2026-09-21&to_date=2026-09-25";
      const { page } = await opened(`dividends?${span}`);
      await browser.picture(page, "market-dividends");
      const { total, data } = await api<{ total: number; data: { ticker: string; amount: number }[] }>(
        `/dividends/calendar?${span}`,
      );
      expect(total).toBeGreaterThan(3);
      expect(await page.locator("#dividend-calendar .shown").textContent()).toBe(`${total} rows`);
      const [first] = data;
      const cells = await rowOf(page, "#dividend-calendar", 0);
      expect([cells[0], cells[2]]).toEqual([first?.ticker ?? "", String(first?.amount)]);
      const day = "2026-08-26";
      const then = await api<{ total: number }>(`/dividends/calendar?${span}&as_of_date=2026-08-25`);
      expect(then.total).toBeLessThan(total);
      // At noon of a day only what was known at the end of the day before counts.
      await page.goto(`${page.url()}&as_of=${day}T16:00:00Z`);
      await page.locator(READY).waitFor();
      await page.locator("#dividend-calendar", { hasText: "Known at the end of 2026-08-25" }).waitFor();
      const tickers = await page.locator("#dividend-calendar tr[aria-rowindex] td:first-child").count();
      expect(tickers).toBe(then.total);
      await page.close();
    });

    test("a series with its first values, now and as of a day", async () => {
      const { page } = await opened(`economy?series_id=${SERIES}&observation_start=2024-01-01`);
      await browser.picture(page, "market-economy");
      interface Values {
        observations: { date: string; value: string; realtime_start: string }[];
      }
      const now = await api<Values>(
        `/econdata/proxy/series/observations?series_id=${SERIES}&observation_start=2024-01-01`,
      );
      expect(await page.locator("#economy .shown").textContent()).toBe(`${now.observations.length} rows`);
      const last = now.observations.at(-1);
      // As published, digits grouped.
      const [whole = "", broken] = (last?.value ?? "").split(".");
      const shown = [Number(whole).toLocaleString("en-US"), ...(broken === undefined ? [] : [broken])].join(
        ".",
      );
      expect(shown).toContain(",");
      expect((await rowOf(page, "#economy", 0)).slice(0, 2)).toEqual([last?.date ?? "", shown]);
      const day = "2025-12-31";
      await page.goto(`${page.url()}&as_of=${day}`);
      await page.locator(READY).waitFor();
      const then = await api<Values>(
        `/econdata/proxy/series/observations?series_id=${SERIES}&observation_start=2024-01-01&realtime_start=${day}&realtime_end=${day}`,
      );
      expect(then.observations.length).toBeLessThan(now.observations.length);
      expect(await page.locator("#economy .shown").textContent()).toBe(`${then.observations.length} rows`);
      const published = await page.locator("#economy tr[aria-rowindex] td:nth-child(4)").allTextContents();
      expect(published.length).toBe(then.observations.length);
      expect(published.filter((each) => each > day && each !== "–")).toEqual([]);
      expect(published[0]).toMatch(/^\d{4}-\d{2}-\d{2}$/);
      await page.close();
    });

    interface Observed {
      observations: { date: string; value: string }[];
    }
    const inVintage = async (day: string) =>
      (
        await api<Observed>(
          `/econdata/proxy/series/observations?series_id=${SERIES}&observation_start=2024-01-01&realtime_start=${day}&realtime_end=${day}`,
        )
      ).observations;

    test("the graph of a series: the newest vintage and chosen ones, read by keyboard, none after the clock", async () => {
      const { vintage_dates } = await api<{ vintage_dates: string[] }>(
        `/econdata/proxy/series/vintagedates?series_id=${SERIES}&sort_order=desc`,
      );
      const [newest = ""] = vintage_dates;
      const usual =
        vintage_dates.find((each) => each <= `${Number(newest.slice(0, 4)) - 1}${newest.slice(4)}`) ?? "";
      const { page, elsewhere, errors } = await opened(
        `economy?series_id=${SERIES}&observation_start=2024-01-01`,
      );
      const readout = () => page.locator("#readout").textContent();
      const graph = page.locator("#graph");
      expect(await page.locator("#about").textContent()).toContain(
        "Billions of Chained 2017 Dollars, quarterly",
      );
      expect(await page.locator("#graph canvas").count()).toBe(1);

      const third = vintage_dates.find((each) => each < usual) ?? "";
      await page.selectOption("#vintage", third);
      await page.locator("#readout", { hasText: third }).waitFor();
      expect(parameterOf(page, "vintages")).toBe(`${usual},${third}`);
      const [now, then, before] = await Promise.all([DAY, usual, third].map(inVintage));
      expect(then?.length).toBeLessThan(now?.length ?? 0);
      const text = (of: Observed["observations"] | undefined, date: string) => {
        const value = of?.find((each) => each.date === date)?.value;
        return value === undefined
          ? "no value"
          : Number(value).toLocaleString("en-US", { maximumFractionDigits: 8 });
      };
      await graph.focus();
      await page.keyboard.press("Home");
      let revised = 0;
      for (const { date } of now ?? []) {
        await page.locator("#readout strong", { hasText: date }).waitFor();
        const [a, b, c] = [now, then, before].map((of) => text(of, date));
        if (a !== b && b !== "no value") revised += 1;
        expect((await readout())?.replace(/\s+/g, " ")).toBe(
          `${date} —— newest (${newest}) ${a} – – vintage of ${usual} ${b} – – vintage of ${third} ${c} Billions of Chained 2017 Dollars`,
        );
        await page.keyboard.press("ArrowRight");
      }
      expect(revised).toBeGreaterThan(0);
      const row = (now?.length ?? 0) - 1;
      const [first] = now ?? [];
      const cells = await rowOf(page, "#economy", row);
      expect([cells[0], cells[1], cells[4], cells[5]]).toEqual(
        [first?.date, ...[first, then?.[0], before?.[0]].map((each) => inGroups(each?.value))].map(String),
      );
      await page.locator("#economy button", { hasText: `Remove ${usual}` }).click();
      await page.locator("#readout", { hasText: usual }).waitFor({ state: "detached" });
      expect(parameterOf(page, "vintages")).toBe(third);

      // A vintage of the address that is later than the clock is not shown, and none is offered.
      const clock = vintage_dates.find((each) => each < third) ?? "";
      await page.goto(`${page.url()}&as_of=${clock}`);
      await page.locator(READY).waitFor();
      expect(await readout()).toContain(`newest (${clock})`);
      expect(await readout()).not.toContain(third);
      const offered = await page.locator("#vintage option").allTextContents();
      expect(offered.filter((each) => /^\d/.test(each) && each > clock)).toEqual([]);
      expect(offered.length).toBeGreaterThan(10);
      expect([elsewhere, errors]).toEqual([[], []]);
      await page.close();
    });

    test("no line leads across a period whose value is unknown, or across one that is missing", async () => {
      const { page } = await browser.open({ width: 1280, height: 900 });
      const known = ["2026-01-01", "2026-02-01", "2026-05-01", "2026-06-01", "2026-09-01", "2026-10-01"];
      const dots = ["2026-03-01", "2026-04-01"];
      const observations = [...known, ...dots]
        .sort()
        .map((date) => ({ date, value: dots.includes(date) ? "." : "10", realtime_start: "2026-10-15" }));
      const series = {
        title: "T",
        units: "Percent",
        frequency: "Monthly",
        frequency_short: "M",
        seasonal_adjustment: "",
      };
      await page.route("**/econdata/proxy/series**", (route) =>
        route.fulfill({ json: { observations, seriess: [series], vintage_dates: [] } }),
      );
      await page.goto(`${browser.url}market/economy?series_id=ONE`);
      await page.locator("#graph canvas").waitFor();
      /** Whether the line is drawn at a day: some pixel of its column has more blue than red. */
      const isDrawn = (day: string) =>
        page.evaluate(
          ({ from, to, at }) => {
            const canvas = document.querySelector<HTMLCanvasElement>("#graph canvas");
            const over = document.querySelector<HTMLElement>("#graph .u-over");
            if (!canvas || !over) throw new Error("there is no graph");
            const left = over.offsetLeft + (over.clientWidth * (at - from)) / (to - from);
            const x = Math.round((left * canvas.width) / canvas.clientWidth);
            const { data } = canvas.getContext("2d")?.getImageData(x, 0, 1, canvas.height) ?? { data: [] };
            return data.some(
              (blue, i) => i % 4 === 2 && blue > (data[i - 2] ?? 0) + 60 && (data[i + 1] ?? 0) > 100,
            );
          },
          { from: Date.parse("2026-01-01"), to: Date.parse("2026-10-01"), at: Date.parse(day) },
        );
      expect(await Promise.all(["2026-01-16", "2026-05-16", "2026-09-16"].map(isDrawn))).toEqual([
        true,
        true,
        true,
      ]);
      // Unknown in March and April, missing in July and August.
      const between = ["2026-02-16", "2026-03-16", "2026-04-16", "2026-06-20", "2026-07-16", "2026-08-16"];
      expect(await Promise.all(between.map(isDrawn))).toEqual(between.map(() => false));
      await page.locator("#graph").focus();
      for (let step = 0; step < 20; step++) {
        await page.keyboard.press("ArrowLeft");
        if ((await page.locator("#readout strong").textContent()) === "2026-03-01") break;
      }
      expect(await page.locator("#readout").textContent()).toContain("no value");
      await browser.picture(page, "market-economy-gaps");
      await page.close();
    });

    test("the movers with their slider: no serious fault of accessibility, no sideways scrolling", async () => {
      for (const view of [DESK, { ...PHONE, dark: true }]) {
        const { page } = await opened("movers", view);
        await browser.picture(page, `market-movers-${view.width}`);
        await page.locator("#slot").waitFor();
        expect(await seriousFaults(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(view.width);
        await page.close();
      }
    });
  });
