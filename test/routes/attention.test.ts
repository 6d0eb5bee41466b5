// The public attention routes on the sample market: features, days without a count, articles, as_of, and
// provider failures.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type ApiDocument, apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import { ARCHIVE_PACE_MS_MAX } from "../support/clock.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

interface Day {
  readonly date: string;
  readonly views: number | null;
  readonly state: string;
}
interface Event {
  readonly ticker: string;
  readonly entity: { readonly encyc_title: string; readonly resolution_method: string } | null;
  readonly attention: Readonly<Record<string, number | string | null>>;
  readonly pageviews: readonly Day[];
  readonly news: {
    readonly newsarchive_status: string;
    readonly count: number | null;
    readonly articles: object[];
  };
  readonly cached: boolean;
  readonly warnings: readonly string[];
  readonly code?: string;
  readonly retry_after?: number;
}
interface Entity {
  readonly encyc_title: string | null;
  readonly resolution_method: string;
  readonly candidates: readonly { readonly title: string; readonly score: number }[];
  readonly code?: string;
}

const ENV = { SEC_USER_AGENT: "Test test@example.com" };
const ROOT = "/api/v1/attention";
const VIEWS = "wikimedia.org/api/rest_v1/metrics/pageviews";

let service: SampleService;
let document: ApiDocument;
beforeAll(async () => {
  service = await openSampleService({ paceMsMax: ARCHIVE_PACE_MS_MAX, env: ENV });
  document = await apiDocument(service);
});
afterAll(() => service.stop());

const event = (ticker: string, date: string, more = "", of = service) =>
  of.get<Event>(`${ROOT}/event/${ticker}?event_date=${date}${more}`);
const entity = (ticker: string, of = service) => of.get<Entity>(`${ROOT}/entity/${ticker}`);
/** Requests to the sample whose address contains a text. */
const asked = (text: string, of = service) =>
  Object.entries(of.sample.traffic().by_path)
    .filter(([path]) => path.includes(text))
    .reduce((sum, [, count]) => sum + count, 0);

/** The encyclopedia's own counts of an article. */
async function counted(article: string, start: string, end: string): Promise<Map<string, number>> {
  const path = `en.wikipedia/all-access/user/${article}/daily/${start.replaceAll("-", "")}/${end.replaceAll("-", "")}`;
  const response = await fetch(`${service.sample.url}/${VIEWS}/per-article/${path}`, {
    headers: { "user-agent": "Test/1.0" },
  });
  const body = (await response.json()) as { items?: { timestamp: string; views: number }[] };
  return new Map(
    (body.items ?? []).map(({ timestamp: t, views }) => [
      `${t.slice(0, 4)}-${t.slice(4, 6)}-${t.slice(6, 8)}`,
      views,
    ]),
  );
}

describe("an event", () => {
  test("views match the encyclopedia's counts, and features are computed from them", async () => {
    const { status, body } = await event("ZORP", "2026-09-07");
    expect(status).toBe(200);
    expect(body.entity).toMatchObject({ encyc_title: "Zorp Dynamics", resolution_method: "cik" });
    const own = await counted("Zorp_Dynamics", "2026-08-08", "2026-09-07");
    expect(body.pageviews.length).toBe(31);
    expect(new Map(body.pageviews.map(({ date, views }) => [date, views ?? -1]))).toEqual(own);
    const before = [...own.values()].slice(-21, -1);
    const mean = before.reduce((a, b) => a + b) / 20;
    const std = Math.sqrt(before.reduce((sum, v) => sum + v * v - mean * mean, 0) / 19);
    const views = own.get("2026-09-07") ?? 0;
    expect(body.attention).toMatchObject({
      date_used: "2026-09-07",
      views,
      days_available: 20,
      status: "complete",
    });
    expect(body.attention.zscore_20d).toBeCloseTo((views - mean) / std, 6);
    expect(body.attention.spike_10d).toBeCloseTo((views * 10) / before.slice(-10).reduce((a, b) => a + b), 9);
    expect(body.attention.day_end_at).toBe("2026-09-08T00:00:00Z");
  });

  test("a report day has a spike", async () => {
    const surprises = await service.get<{ data: { report_date: string }[] }>(
      "/api/v1/earnings/surprise/TRELB",
    );
    const date = surprises.body.data[0]?.report_date ?? "";
    const { body } = await event("TRELB", date);
    expect(Number(body.attention.spike_10d)).toBeGreaterThan(2);
    expect(Number(body.attention.zscore_20d)).toBeGreaterThan(3);
  });

  test("left-out days: zero after the first view, pending at the end, unknown before the article", async () => {
    const own = await counted("Murquay_Timber_Trust", "2025-09-01", "2026-09-08");
    const { body: seldom } = await event("MURQ", "2026-09-09");
    for (const { date, views, state } of seldom.pageviews) {
      const number = own.get(date);
      if (number !== undefined) expect([views, state]).toEqual([number, "counted"]);
      else if (date >= "2026-09-08") expect([views, state]).toEqual([null, "pending"]);
      else expect([views, state]).toEqual([0, "zero"]);
    }
    expect(seldom.pageviews.filter(({ state }) => state === "zero").length).toBeGreaterThan(3);
    expect(seldom.attention).toMatchObject({
      views: null,
      spike_10d: null,
      zscore_20d: null,
      status: "null",
    });

    const { body: young } = await event("PIPZ", "2023-10-25");
    const known = young.pageviews.filter(({ views }) => views !== null).map(({ date }) => date);
    expect(known[0]).toBe("2023-10-18");
    expect(young.pageviews[0]).toMatchObject({ views: null, state: "unknown" });
    expect(young.attention).toMatchObject({ days_available: 7, zscore_20d: null, status: "partial" });
    expect(young.attention.spike_10d).not.toBeNull();
  });

  test("before the first counts, in the future, on a leap day, on a holiday", async () => {
    const { body: old } = await event("ZORP", "2015-06-30");
    expect(old.attention).toMatchObject({ views: null, days_available: 0, status: "null" });
    expect(old.news.newsarchive_status).toBe("not_available");
    expect(old.pageviews.every(({ state }) => state === "unknown")).toBe(true);
    const { body: coming } = await event("ZORP", "2026-12-24");
    expect(coming.pageviews.at(-1)).toMatchObject({ views: null, state: "pending" });
    for (const date of ["2024-02-29", "2025-12-25", "2026-03-08"])
      expect((await event("ZORP", date)).body.attention.status).toBe("complete");
  });

  test("two dates without views by turns: the provider is asked once for each within five minutes", async () => {
    const own = await openSampleService({ paceMsMax: ARCHIVE_PACE_MS_MAX, env: ENV });
    const dates = ["2026-09-09", "2026-09-08"];
    for (const date of dates) await event("QUIB", date, "", own);
    const views = asked(VIEWS, own);
    for (let turn = 0; turn < 3; turn++)
      for (const date of dates) {
        const { headers, body } = await event("QUIB", date, "", own);
        expect([headers.get("x-cache"), body.cached, body.attention.date_used]).toEqual(["HIT", true, date]);
      }
    expect(asked(VIEWS, own)).toBe(views);
    await own.stop();
  });

  test("cached for an hour when complete, for five minutes when pending; nothing is asked meanwhile", async () => {
    const own = await openSampleService({ paceMsMax: ARCHIVE_PACE_MS_MAX, env: ENV });
    const max = (headers: Headers) => Number(/max-age=(\d+)/.exec(headers.get("cache-control") ?? "")?.[1]);
    const first = await event("QUIB", "2026-09-04", "", own);
    expect([first.headers.get("x-cache"), first.body.cached]).toEqual(["MISS", false]);
    expect(max(first.headers)).toBeGreaterThan(3_500);
    const views = asked(VIEWS, own);
    const again = await event("QUIB", "2026-09-04", "", own);
    expect([again.headers.get("x-cache"), again.body.cached]).toEqual(["HIT", true]);
    const pending = await event("QUIB", "2026-09-09", "", own);
    expect(max(pending.headers)).toBeLessThanOrEqual(300);
    const afterPending = asked(VIEWS, own);
    expect(afterPending).toBeGreaterThan(views);
    expect((await event("QUIB", "2026-09-09", "", own)).headers.get("x-cache")).toBe("HIT");
    expect(asked(VIEWS, own)).toBe(afterPending);
    own.clock.set("2026-09-10T12:00:00Z");
    const out = await event("QUIB", "2026-09-09", "", own);
    expect(out.body.attention).toMatchObject({ status: "complete" });
    expect(out.body.attention.views).not.toBeNull();
    expect(asked(VIEWS, own)).toBeGreaterThan(afterPending);
    const forced = asked(VIEWS, own);
    expect((await event("QUIB", "2026-09-04", "&force_refresh=true", own)).headers.get("x-cache")).toBe(
      "MISS",
    );
    expect(asked(VIEWS, own)).toBeGreaterThan(forced);
    await own.stop();
  });

  test("as_of: nothing is asked, and nothing known later is included", async () => {
    await event("ZUBB", "2026-09-04");
    const before = service.sample.traffic().total;
    const { body: early } = await event("ZUBB", "2026-09-04", "&as_of=2026-09-08");
    expect(early).toMatchObject({ entity: null, pageviews: [], attention: { status: "null" } });
    expect(early.news.newsarchive_status).toBe("not_available");
    const { body: later } = await event("ZUBB", "2026-09-08", "&as_of=2026-09-10");
    expect(later.entity).not.toBeNull();
    expect(later.pageviews.find(({ date }) => date === "2026-09-04")?.state).toBe("counted");
    expect(service.sample.traffic().total).toBe(before);
    // A count is known at the latest 48 hours after its day; those of the last two days from their fetch on.
    const rows = await service
      .app()
      .lake.query<{ date: string; known_at: string }>(
        "SELECT date, known_at FROM page_views WHERE article = 'Zubb Cloudworks' AND date >= DATE '2026-09-03' ORDER BY date",
      );
    expect(rows).toEqual([
      { date: "2026-09-03", known_at: "2026-09-06T00:00:00Z" },
      { date: "2026-09-04", known_at: "2026-09-07T00:00:00Z" },
    ]);
  });

  test("an event never asks the news archive", async () => {
    const { body } = await event("ZORP", "2026-09-04", "&force_refresh=true");
    expect(body.news).toMatchObject({ newsarchive_status: "not_collected", count: null, articles: [] });
    expect(asked("gdeltproject")).toBe(0);
  });
});

describe("an article", () => {
  test("found by CIK, by ticker, by search, or not at all", async () => {
    const found = async (ticker: string) => {
      expect((await event(ticker, "2026-09-04")).status).toBe(200);
      return (await entity(ticker)).body;
    };
    expect(await found("WUZZL")).toMatchObject({ encyc_title: "Wuzzle Foods", resolution_method: "ticker" });
    const kronk = await found("KRONK");
    expect(kronk).toMatchObject({ encyc_title: "Kronk Heavy Industries", resolution_method: "search" });
    const scores = Object.fromEntries(kronk.candidates.map(({ title, score }) => [title, score]));
    expect(scores["Kronk v. United Ploughs"]).toBe(0.05);
    expect(scores["Kronk (disambiguation)"]).toBe(0.05);
    expect(scores["List of Kronk machines"]).toBe(0.1);
    expect(scores.Kronk).toBeLessThan(0.7);
    expect(await found("DREK")).toMatchObject({ encyc_title: null, resolution_method: "none" });
    const { body } = await event("DREK", "2026-09-04");
    expect(body).toMatchObject({
      entity: null,
      pageviews: [],
      news: { newsarchive_status: "not_available" },
    });
  });

  test("spellings and share classes are one company; a renamed company has its own article", async () => {
    for (const ticker of ["quib-b", "QUIB.B", "QUIB-B"]) {
      const { body } = await event(ticker, "2026-09-04");
      expect([body.ticker, body.entity?.encyc_title]).toEqual([ticker, "Quibble Holdings"]);
    }
    expect((await event("NEWZQ", "2026-09-04")).body.entity?.encyc_title).toBe("Newzq Holdings");
  });

  test("an article found before a delisting stays; afterwards it cannot be searched", async () => {
    const own = await openSampleService({
      paceMsMax: ARCHIVE_PACE_MS_MAX,
      at: "2026-02-20T21:00:00Z",
      env: ENV,
    });
    expect((await event("GLUMP", "2026-02-18", "", own)).status).toBe(200);
    own.clock.set("2026-03-20T21:00:00Z");
    expect((await event("GLUMP", "2026-03-02", "", own)).body.attention.status).toBe("complete");
    expect(await event("HUSQ", "2026-02-18", "", own)).toMatchObject({ status: 404 });
    await own.stop();
  });

  test("never searched and unknown: 404", async () => {
    expect(await entity("VEXOQ")).toMatchObject({ status: 404, body: { code: "no_data" } });
    expect(await event("ZZZZZ", "2026-09-04")).toMatchObject({
      status: 404,
      body: { code: "unknown_ticker" },
    });
    expect(await event("__proto__".slice(0, 4), "2026-09-04")).toMatchObject({ status: 422 });
  });
});

test("every answer is as documented, and bad input is 422", async () => {
  const GET = (path: string) => document.operation("GET", `/api/v1/attention/${path}/{ticker}`);
  for (const [operation, path, status] of [
    [GET("event"), "event/ZORP?event_date=2026-09-04", 200],
    [GET("event"), "event/DREK?event_date=2026-09-04", 200],
    [GET("event"), "event/ZORP?event_date=2026-09-04&as_of=2026-09-05", 200],
    [GET("event"), "event/ZORP", 422],
    [GET("event"), "event/ZORP?event_date=2026-02-30", 422],
    [GET("event"), "event/ZORP?event_date=2026-09-04&as_of=then", 422],
    [GET("event"), "event/ZORP?event_date=2026-09-04&force_refresh=perhaps", 422],
    [GET("event"), `event/${"Z".repeat(16)}?event_date=2026-09-04`, 422],
    [GET("event"), "event/QQXZZ?event_date=2026-09-04", 404],
    [GET("entity"), "entity/ZORP", 200],
    [GET("entity"), "entity/DREK", 200],
    [GET("entity"), "entity/ZORP?as_of=2020-01-01", 404],
  ] as const) {
    const response = await service.fetch(`${ROOT}/${path}`);
    expect([path, response.status]).toEqual([path, status]);
    expect(await faultsOfAnswer(document, operation, response)).toEqual([]);
  }
});

describe("failures of the encyclopedia", () => {
  const FAULTS = [
    ["rate_limited", {}, 429],
    ["status", { status: 503 }, 502],
    ["html", {}, 502],
    ["empty", {}, 502],
    ["wrong_shape", {}, 502],
    ["truncated", { bytes: 20 }, 502],
    ["reset", {}, 502],
    ["huge", { bytes: 9_000_000 }, 502],
    ["stall", { bytes: 5 }, 504],
  ] as const;

  test("searching an article: each failure is an error, and nothing is stored", async () => {
    const own = await openSampleService({ paceMsMax: ARCHIVE_PACE_MS_MAX, env: ENV });
    let day = 10;
    for (const [error, more, status] of FAULTS) {
      // Days apart, so that no breaker is still open.
      own.clock.set(`2026-09-${day++}T12:00:00Z`);
      own.sample.dials.clear();
      own.sample.dials.set([{ fault: error, match: "query.wikidata.org", ...more }]);
      own.clock.setSpeed(error === "stall" ? 20 : undefined);
      const answer = await event("ZORP", "2026-09-04", "", own);
      expect([error, answer.status]).toEqual([error, status]);
      expect((await entity("ZORP", own)).status).toBe(404);
    }
    own.sample.dials.clear();
    own.clock.set(`2026-09-${day}T12:00:00Z`);
    expect((await event("ZORP", "2026-09-04", "", own)).body.attention.status).toBe("complete");
    await own.stop();
  });

  test("page views: stored ones are served with a warning; without any it is an error", async () => {
    const own = await openSampleService({ paceMsMax: ARCHIVE_PACE_MS_MAX, env: ENV });
    await event("ZORP", "2026-09-04", "", own);
    let day = 10;
    for (const [error, more, status] of FAULTS) {
      own.clock.set(`2026-09-${day++}T12:00:00Z`);
      own.sample.dials.clear();
      own.sample.dials.set([{ fault: error, match: "metrics/pageviews", ...more }]);
      own.clock.setSpeed(error === "stall" ? 20 : undefined);
      const stored = await event("ZORP", "2026-09-04", "&force_refresh=true", own);
      expect([error, stored.status, stored.body.warnings.length]).toEqual([error, 200, 1]);
      expect(stored.body.attention.status).toBe("complete");
      own.clock.set(`2026-09-${day - 1}T18:00:00Z`);
      expect([error, (await event("ZORP", "2022-05-05", "", own)).status]).toEqual([error, status]);
    }
    await own.stop();
  });
});

test("eight at once, twelve wait, the rest is refused at once; other routes are still served", async () => {
  const own = await openSampleService({ env: ENV, speed: 20 });
  await event("ZORP", "2026-09-04", "", own);
  own.sample.dials.set([{ fault: "stall", match: "metrics/pageviews", bytes: 5 }]);
  const all = Array.from({ length: 24 }, (_, i) =>
    event("ZORP", `2019-03-${String(i + 1).padStart(2, "0")}`, "", own),
  );
  const health = await own.get("/api/v1/health");
  expect(health.status).toBe(200);
  expect((await entity("ZORP", own)).status).toBe(200);
  const answers = await Promise.all(all);
  const busy = answers.filter(({ body }) => body.code === "slot_busy");
  expect(busy.length).toBe(16);
  for (const { status, headers, body } of busy)
    expect([status, body.retry_after, headers.get("retry-after")]).toEqual([503, 10, "10"]);
  own.sample.dials.clear();
  own.clock.set("2026-09-10T12:00:00Z");
  expect((await event("ZORP", "2019-03-01", "", own)).status).toBe(200);
  await own.stop();
});
