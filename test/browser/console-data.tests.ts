// The data pages of the console in a real browser: SQL, on a desk and on a phone, with the keyboard alone.
import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { SUGGESTED } from "../../sample/market.ts";
import type { BrowserOnService } from "../support/browser.ts";
import { batch } from "../support/overlay-world.ts";
import type { SampleService } from "../support/service.ts";
import type { World } from "./world.ts";

const [KNOWN = ""] = SUGGESTED;
const READY = "body[data-ready=true]";

export const dataTests = (world: () => World) =>
  describe("the data pages", () => {
    let service: SampleService;
    let browser: BrowserOnService;
    beforeAll(() => {
      ({ service, browser } = world());
    });

    const opened = async (path: string, view = { width: 1280, height: 900 }) => {
      const watched = await browser.open(view);
      await watched.page.goto(browser.url + path);
      await watched.page.locator(READY).waitFor();
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
      expect(await shown.textContent()).toContain(
        'The table function "read_text" may not be used in a query.',
      );
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

    /** The texts of a row of a panel's table. */
    const rowOf = (page: Page, panel: string, row: number) =>
      page.locator(`${panel} tr[aria-rowindex="${row + 2}"] td`).allTextContents();

    test("datasets: what is stored of each, its columns, and a query of it", async () => {
      const { page, elsewhere, errors } = await opened("data/datasets");
      const { tables } = (
        await service.get<{ tables: { name: string; kind: string; rows: number; last_date: string }[] }>(
          "/api/v1/database/info",
        )
      ).body;
      const datasets = tables.filter(({ kind }) => kind === "dataset");
      const bars = datasets.findIndex(({ name }) => name === "bars_daily");
      expect(datasets[bars]?.rows).toBeGreaterThan(200);
      const cells = await rowOf(page, "#datasets", bars);
      expect([cells[0], cells[1], cells[4], cells[6]]).toEqual([
        "bars_daily",
        (datasets[bars]?.rows ?? 0).toLocaleString("en-US"),
        // Jobs are off in this service.
        "not kept up to date: marketfeed-backfill-pit is off",
        datasets[bars]?.last_date ?? "",
      ]);
      await page.locator("#bars_daily summary").click();
      const columns = page.locator("#bars_daily tbody tr[aria-rowindex] td:first-child");
      expect((await columns.allTextContents()).slice(0, 3)).toEqual(["symbol", "date", "open"]);
      await page.locator("#bars_daily a", { hasText: "Query it" }).click();
      await page.locator("#result").waitFor();
      expect(await page.inputValue("#query")).toBe("SELECT * FROM bars_daily LIMIT 100");
      expect([elsewhere, errors]).toEqual([[], []]);
      await page.close();
    });

    test("versions: a name is given, found again, and refused where it is taken", async () => {
      const { page } = await opened("data/versions");
      const newest = await service.app().lake.generation();
      expect((await rowOf(page, "#versions", 0))[0]).toBe(String(newest));
      await page.fill("#give-name [name=name]", "before-the-split");
      await page.fill("#give-name [name=note]", "Table 2");
      await page.locator("#give-name button").click();
      await page.locator("#versions td", { hasText: "before-the-split (Table 2)" }).waitFor();
      await page.check("#named");
      await page.locator("#versions .shown", { hasText: /^1 rows$/ }).waitFor();
      expect((await rowOf(page, "#versions", 0)).slice(0, 1)).toEqual([String(newest)]);
      await page.fill("#give-name [name=name]", "before-the-split");
      await page.fill("#give-name [name=version]", "0");
      await page.locator("#give-name button").click();
      await page.locator("#give-name .state.refused").waitFor();
      // The number of a version sets the clock of the page.
      await page.locator("#versions td a").first().click();
      await page.locator(READY).waitFor();
      expect(addressOf(page).searchParams.get("data_version")).toBe(String(newest));
      await page.close();
    });

    test("changes: counts, the filter, and what differs in a revision", async () => {
      const { lake } = service.app();
      const [bar] = await lake.query<Record<string, unknown>>(
        `SELECT * EXCLUDE (recorded) FROM bars_daily WHERE symbol = '${KNOWN}' ORDER BY date LIMIT 1`,
      );
      const before = await lake.generation();
      const known_at = service.clock.now().toString();
      await lake.append([batch("bars_daily_revisions", [{ ...bar, close: 123.5, known_at }])]);
      const { page } = await opened(`data/changes?from=${before}&symbol=${KNOWN}`);
      expect(await page.locator("#summary .shown").textContent()).toBe(
        `1 changes after version ${before}, up to ${before + 1}.`,
      );
      const stored = await rowOf(page, "#changes", 0);
      expect([stored[0], stored[1], stored[2], stored[4], stored[6]]).toEqual([
        String(before + 1),
        "bars_daily_revisions",
        "insert",
        "–",
        KNOWN,
      ]);
      const change = (more: object) => ({
        data_version: 7,
        recorded_at: "2026-09-09T21:05:00Z",
        dataset: "economic_observations",
        op: "revise",
        cause: "source_changed",
        source: "fred",
        symbol: null,
        known_at: "2026-09-09T12:30:00Z",
        key: { series_id: "ZQ" },
        before: { series_id: "ZQ", value: 1.5, unit: "USD", known_at: "2026-08-01T12:30:00Z" },
        after: { series_id: "ZQ", value: null, unit: "USD", known_at: "2026-09-09T12:30:00Z" },
        ...more,
      });
      await page.route("**/api/v1/changes?**", (route) =>
        route.fulfill({
          json: {
            count: 2,
            has_more: false,
            cursor: 7,
            data: [change({}), change({ op: "withdraw", after: null })],
          },
        }),
      );
      await page.reload();
      await page.locator(READY).waitFor();
      expect((await rowOf(page, "#changes", 0)).slice(2)).toEqual([
        "revise",
        "series_id ZQ",
        "value 1.5 → null",
        "source_changed",
        "–",
        "2026-09-09 08:30 EDT",
        "fred",
        "2026-09-09 17:05 EDT",
      ]);
      expect((await rowOf(page, "#changes", 1))[4]).toBe("no longer holds");
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await page.selectOption("#summary [name=op]", "withdraw");
      await page.locator("#summary button[type=submit]").click();
      await page.locator("#changes .state.empty").waitFor();
      expect(addressOf(page).searchParams.get("op")).toBe("withdraw");
      // A list longer than its first page goes on from its cursor, and no change comes twice.
      await page.goto(`${browser.url}data/changes?symbol=${KNOWN}`);
      await page.locator(READY).waitFor();
      const all = (await service.get<{ total: number }>(`/api/v1/changes/summary?symbol=${KNOWN}`)).body
        .total;
      let pages = 1;
      const more = page.locator("#changes button", { hasText: "Show more" });
      for (; (await more.count()) > 0 && pages < 20; pages++) {
        await more.click();
        await page.locator(READY).waitFor();
      }
      expect(pages).toBeGreaterThan(1);
      expect(await page.locator("#changes .shown").textContent()).toBe(`${all.toLocaleString("en-US")} rows`);
      await page.close();
    });

    test("jobs: one is run by its button, and its run is listed", async () => {
      const { page } = await opened("data/jobs");
      const jobs = (await service.get<{ data: { name: string }[] }>("/api/v1/scheduler/jobs")).body.data;
      expect(await page.locator("#jobs .shown").textContent()).toBe(`${jobs.length} rows`);
      await page.locator('button[aria-label="Run now: request-log-purge"]').click();
      await page.locator("#run-status", { hasText: /^request-log-purge succeeded/ }).waitFor();
      await page.locator("#runs td", { hasText: "request-log-purge" }).first().waitFor();
      expect((await rowOf(page, "#runs", 0)).slice(1, 3)).toEqual(["request-log-purge", "succeeded"]);
      // A job that the service refuses to run says why.
      await page.route("**/admin/jobs/**", (route) =>
        route.fulfill({
          status: 409,
          contentType: "application/problem+json",
          body: JSON.stringify({ status: 409, code: "job_running", detail: "The job is running." }),
        }),
      );
      await page.locator('button[aria-label="Run now: request-log-purge"]').click();
      await page.locator("#run-status .state.refused", { hasText: "The job is running." }).waitFor();
      await page.close();
    });
  });
