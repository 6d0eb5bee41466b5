// The admin routes of attention: overrides, collecting page views and archived news, the archive's limits,
// and the jobs.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type ApiDocument, apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import { ARCHIVE_PACE_MS_MAX } from "../support/clock.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

interface Entity {
  readonly encyc_title: string | null;
  readonly resolution_method: string;
  readonly confidence: number | null;
  readonly is_manual_override: boolean;
  readonly note: string | null;
  readonly resolved_at: string;
  readonly code?: string;
}
interface News {
  readonly news: {
    readonly newsarchive_status: string;
    readonly count: number | null;
    readonly first_seen_at: string | null;
    readonly articles: readonly { readonly seen_at: string; readonly title: string }[];
    readonly volume_series: readonly { readonly date: string; readonly value: number }[];
  };
}
interface Collected {
  readonly status: string;
  readonly articles_collected: number;
  readonly articles_new: number;
  readonly volume_days: number;
  readonly retry_after: number | null;
  readonly code?: string;
  readonly detail?: string;
}

const ENV = { SEC_USER_AGENT: "Test test@example.com" };
const ROOT = "/api/v1/attention";
const ADMIN = `${ROOT}/admin`;
const ARCHIVE = "gdeltproject";
const LIMIT =
  "Please limit requests to one every 5 seconds or contact kalev.leetaru5@gmail.com for larger queries.";

let service: SampleService;
let document: ApiDocument;
beforeAll(async () => {
  service = await openSampleService({ paceMsMax: ARCHIVE_PACE_MS_MAX, env: ENV });
  document = await apiDocument(service);
});
afterAll(() => service.stop());

const override = (ticker: string, body: object) =>
  service.post<Entity>(`${ADMIN}/entity/${ticker}/override`, body);
const resolve = (ticker: string, body: object = {}) =>
  service.post<Entity>(`${ADMIN}/resolve/${ticker}`, body);
const collect = (ticker: string, body: object, of = service) =>
  of.post<Collected>(`${ADMIN}/collect/newsarchive/${ticker}`, body);
const news = async (ticker: string, date: string, of = service, more = "") =>
  (await of.get<News>(`${ROOT}/event/${ticker}?event_date=${date}${more}`)).body.news;
const questions = (of = service) =>
  of.sample.traffic().requests.filter(({ url }) => url.includes(ARCHIVE)).length;

describe("overrides", () => {
  test("an override stays until force; each version is known from its time on", async () => {
    const found = (await resolve("ZORP")).body;
    expect(found).toMatchObject({ encyc_title: "Zorp Dynamics", is_manual_override: false });
    const set = (await override("ZORP", { encyc_title: "Wuzzle Foods Inc", note: "try" })).body;
    expect(set).toMatchObject({
      encyc_title: "Wuzzle Foods",
      resolution_method: "manual",
      confidence: 1,
      is_manual_override: true,
      note: "try",
    });
    for (const kept of [await resolve("zorp"), await resolve("ZORP", { force: false })])
      expect(kept.body).toMatchObject({ encyc_title: "Wuzzle Foods", is_manual_override: true });
    await service.reopen();
    const { body: event } = await service.get<{ entity: Entity }>(`${ROOT}/event/ZORP?event_date=2026-09-04`);
    expect(event.entity).toMatchObject({ encyc_title: "Wuzzle Foods", is_manual_override: true });
    const forced = (await resolve("ZORP", { force: true })).body;
    expect(forced).toMatchObject({ encyc_title: "Zorp Dynamics", is_manual_override: false, note: null });

    const then = async (at: string) =>
      (await service.get<Entity>(`${ROOT}/entity/ZORP?as_of=${encodeURIComponent(at)}`)).body.encyc_title;
    expect(await then(found.resolved_at)).toBe("Zorp Dynamics");
    expect(await then(set.resolved_at)).toBe("Wuzzle Foods");
    expect(await then(forced.resolved_at)).toBe("Zorp Dynamics");
  });

  test("a missing article, a disambiguation page, an invalid title", async () => {
    for (const title of ["No such article", "Kronk (disambiguation)"]) {
      const { status, body } = await override("QUIB", { encyc_title: title });
      expect([status, body.code]).toEqual([400, "bad_request"]);
    }
    for (const body of [
      {},
      { encyc_title: "" },
      { encyc_title: "  " },
      { encyc_title: "A|B" },
      { encyc_title: 7 },
    ])
      expect((await override("QUIB", body)).status).toBe(422);
    expect((await override("QUIB", { encyc_title: "Z".repeat(256) })).status).toBe(422);
    expect((await override("ZZZZZ", { encyc_title: "Zorp Dynamics" })).status).toBe(404);
    expect((await service.get(`${ROOT}/entity/QUIB`)).status).toBe(404);
  });

  test("a company without an article can be given one", async () => {
    expect((await resolve("DREK")).body.encyc_title).toBeNull();
    await override("DREK", { encyc_title: "Kronk Heavy Industries" });
    const { body } = await service.get<{ attention: { status: string } }>(
      `${ROOT}/event/DREK?event_date=2026-09-04`,
    );
    expect(body.attention.status).toBe("complete");
  });

  test("the admin routes require the admin", async () => {
    const own = await openSampleService({
      paceMsMax: ARCHIVE_PACE_MS_MAX,
      env: { ...ENV, ADMIN_TOKEN: "a-token-of-some-length" },
    });
    for (const path of [
      "resolve/ZORP",
      "collect/encyc/ZORP",
      "collect/newsarchive/ZORP",
      "entity/ZORP/override",
    ]) {
      const send = (authorization: string) =>
        own.fetch(`${ADMIN}/${path}`, {
          method: "POST",
          headers: { "content-type": "application/json", authorization },
          body: JSON.stringify({ encyc_title: "Zorp Dynamics" }),
        });
      expect((await send("")).status).toBe(401);
      expect((await send("Bearer another")).status).toBe(403);
    }
    await own.stop();
  });
});

describe("page views", () => {
  const views = (ticker: string, body: object) =>
    service.post<{
      days_collected: number;
      first_date: string | null;
      last_date: string | null;
      code?: string;
    }>(`${ADMIN}/collect/encyc/${ticker}`, body);
  test("of a span, of a number of days, by default", async () => {
    const span = { start_date: "2020-02-28", end_date: "2020-03-01" };
    expect((await views("TRELB", span)).body).toMatchObject({
      days_collected: 3,
      first_date: "2020-02-28",
      last_date: "2020-03-01",
    });
    expect((await views("TRELB", { days: 10 })).body).toMatchObject({
      days_collected: 10,
      first_date: "2026-08-30",
      last_date: "2026-09-08",
    });
    expect((await views("TRELB", { start_date: "2014-01-01", end_date: "2014-12-31" })).body).toMatchObject({
      days_collected: 0,
      first_date: null,
      last_date: null,
    });
    expect((await views("NIXOQ", {})).body.days_collected).toBe(400);
  });

  test("contradictory dates are refused", async () => {
    expect(
      (await views("TRELB", { days: 5, start_date: "2026-09-01", end_date: "2026-09-02" })).body.code,
    ).toBe("conflicting_time_selection");
    expect((await views("TRELB", { start_date: "2026-09-01" })).body.code).toBe("invalid_date_range");
    expect((await views("TRELB", { start_date: "2026-09-02", end_date: "2026-09-01" })).status).toBe(400);
    expect((await views("TRELB", { days: 0 })).status).toBe(422);
    expect((await views("CRUMQ", { days: 1e9 })).status).toBe(422);
  });

  test("the daily run: every company whose article is known, each article once", async () => {
    const { lake, jobs } = service.app();
    await resolve("QUIB-B");
    await resolve("QUIB");
    const before = service.sample.traffic().requests.length;
    expect((await jobs.runNow("page-views").done)?.outcome).toBe("succeeded");
    const asked = service.sample
      .traffic()
      .requests.slice(before)
      .map(({ url }) => url);
    expect(asked.filter((url) => url.includes("Quibble_Holdings")).length).toBe(1);
    const [row] = await lake.query<{ days: number }>(
      "SELECT count(*) AS days FROM page_views_as_of(NULL) WHERE article = 'Quibble Holdings'",
    );
    expect(row?.days).toBe(45);
    expect((await jobs.runNow("page-views").done)?.rows).toBe(0);
  });
});

describe("archived news", () => {
  test("collected news is in the event, but only what was seen by its end", async () => {
    const own = await openSampleService({ paceMsMax: ARCHIVE_PACE_MS_MAX, env: ENV });
    expect((await news("ZORP", "2026-09-08", own)).newsarchive_status).toBe("not_collected");
    expect(questions(own)).toBe(0);
    const { status, body } = await collect("ZORP", { event_date: "2026-09-08" }, own);
    expect([status, body.status, body.retry_after]).toEqual([200, "collected", null]);
    const found = await news("ZORP", "2026-09-08", own);
    expect(found.newsarchive_status).toBe("collected");
    expect(found.count).toBe(body.articles_collected);
    expect(found.articles.length).toBe(body.articles_collected);
    expect(found.first_seen_at).toBe(found.articles[0]?.seen_at ?? null);
    for (const { seen_at } of found.articles) {
      expect(seen_at >= "2026-09-01T04:00:00Z").toBe(true);
      expect(seen_at < "2026-09-09T04:00:00Z").toBe(true);
    }
    expect(found.volume_series.map(({ date }) => date).slice(-1)).toEqual(["2026-09-08"]);
    expect(found.volume_series.length).toBe(31);
    expect((await collect("ZORP", { event_date: "2026-09-08" }, own)).body).toMatchObject({
      articles_new: 0,
      volume_days: 0,
    });
    // An article is known a quarter of an hour after it was seen.
    const moment = await own.get<{ resolved_at: string }>(`${ROOT}/entity/ZORP`);
    const asOf = `&as_of=${moment.body.resolved_at}`;
    expect((await news("ZORP", "2026-09-08", own, asOf)).articles.length).toBe(found.articles.length);
    // A day that is not over does not count as collected, nor does a day of another span.
    expect((await collect("ZORP", {}, own)).body.status).toBe("collected");
    expect(await news("ZORP", "2026-09-09", own)).toMatchObject({
      newsarchive_status: "not_collected",
      count: null,
    });
    expect((await news("ZORP", "2026-06-01", own)).newsarchive_status).toBe("not_collected");
    expect((await news("ZORP", "2016-12-31", own)).newsarchive_status).toBe("not_available");
    await own.stop();
  });

  test("impossible spans are refused", async () => {
    const code = async (body: object) => (await collect("ZORP", body)).body.code;
    expect(await code({ event_date: "2016-12-31" })).toBe("invalid_date_range");
    expect(await code({ start_date: "2026-07-01", end_date: "2026-08-31" })).toBe("invalid_date_range");
    expect(await code({ start_date: "2026-09-01" })).toBe("invalid_date_range");
    expect(await code({ event_date: "2026-09-01", start_date: "2026-09-01", end_date: "2026-09-02" })).toBe(
      "conflicting_time_selection",
    );
    expect((await collect("ZORP", { event_date: "2026-13-01" })).status).toBe(422);
    expect((await collect("ZZZZZ", {})).body.code).toBe("unknown_ticker");
    expect(questions()).toBe(0);
  });

  test("routes and the daily run share the pace: one at a time, and none is refused", async () => {
    const own = await openSampleService({ env: ENV, speed: 20 });
    for (const ticker of ["ZORP", "QUIB", "TRELB"]) await own.post(`${ADMIN}/resolve/${ticker}`, {});
    const running = own.app().jobs.runNow("news-archive");
    expect(await collect("ZORP", {}, own)).toMatchObject({ status: 409, body: { code: "already_running" } });
    expect(await running.done).toMatchObject({ outcome: "succeeded" });
    // Directly afterwards, and again after a restart: the sample refuses two requests within five seconds.
    expect((await collect("KRONK", { event_date: "2026-09-04" }, own)).status).toBe(200);
    await own.reopen();
    expect((await collect("QUIB", { event_date: "2026-05-04" }, own)).status).toBe(200);
    expect(questions(own)).toBe(3 * 2 + 2 + 2);
    const health = await own.get<{ dependencies: Record<string, { status: string }> }>("/api/v1/health");
    expect(health.body.dependencies.newsarchive).toMatchObject({ status: "healthy", breaker: "closed" });
    // The next run finds everything collected except the company whose newest day was not requested.
    expect((await own.app().jobs.runNow("news-archive").done)?.outcome).toBe("succeeded");
    expect(questions(own)).toBe(12);
    await own.stop();
  });

  test("waits after a refusal, given by status or only by text", async () => {
    const own = await openSampleService({ env: ENV, speed: 20 });
    own.sample.dials.set([
      { fault: "rate_limited", match: ARCHIVE, times: 1 },
      { fault: "html", match: ARCHIVE, times: 1, body: LIMIT },
    ]);
    const before = own.clock.nowMs();
    expect(await collect("ZORP", { event_date: "2026-09-04" }, own)).toMatchObject({
      status: 200,
      body: { status: "collected" },
    });
    expect(own.clock.nowMs() - before).toBeGreaterThanOrEqual(90_000);
    expect(questions(own)).toBe(4);
    await own.stop();
  });

  test("after four refusals the archive is not asked for half an hour, even by a new process", async () => {
    const own = await openSampleService({ env: ENV, speed: 60 });
    await own.post(`${ADMIN}/resolve/ZORP`, {});
    own.sample.dials.set([{ fault: "rate_limited", match: ARCHIVE, times: 4 }]);
    const first = await own.fetch(`${ADMIN}/collect/newsarchive/ZORP`, { method: "POST" });
    expect(first.status).toBe(429);
    expect(questions(own)).toBe(4);
    await own.reopen();
    const refused = await own.fetch(`${ADMIN}/collect/newsarchive/ZORP`, { method: "POST" });
    const left = Number(refused.headers.get("retry-after"));
    expect(left).toBeGreaterThan(1_000);
    expect(left).toBeLessThanOrEqual(1_800);
    const operation = document.operation("POST", `${ADMIN}/collect/newsarchive/{ticker}`);
    expect(await faultsOfAnswer(document, operation, refused.clone())).toEqual([]);
    expect(await refused.json()).toMatchObject({
      status: 429,
      code: "upstream_rate_limited",
      retry_after: left,
    });
    expect((await own.app().jobs.runNow("news-archive").done)?.outcome).toBe("failed");
    expect(questions(own)).toBe(4);
    const health = await own.get<{ dependencies: Record<string, { breaker: string }> }>("/api/v1/health");
    expect(health.body.dependencies.newsarchive?.breaker).toBe("open");
    // Events are still answered.
    expect((await news("ZORP", "2026-09-04", own)).newsarchive_status).toBe("not_collected");
    own.clock.set("2026-09-09T23:30:00Z");
    expect((await collect("ZORP", { event_date: "2026-09-04" }, own)).body.status).toBe("collected");
    await own.stop();
  });

  test("refused during the collection: the articles are stored, but the span does not count as collected", async () => {
    const own = await openSampleService({ env: ENV, speed: 60 });
    own.sample.dials.set([{ fault: "rate_limited", match: ARCHIVE, skip: 1, times: 4 }]);
    const { status, body } = await collect("ZORP", { event_date: "2026-09-04" }, own);
    expect([status, body.status, body.volume_days]).toEqual([200, "partial", 0]);
    expect(body.retry_after).toBeGreaterThan(1_000);
    const found = await news("ZORP", "2026-09-04", own);
    expect(found).toMatchObject({ newsarchive_status: "not_collected", count: null });
    expect(found.articles.length).toBe(body.articles_collected);
    await own.stop();
  });

  test("every other failure is an error, and nothing counts as collected", async () => {
    const own = await openSampleService({ paceMsMax: ARCHIVE_PACE_MS_MAX, env: ENV });
    let day = 10;
    for (const [error, more, status] of [
      ["status", { status: 503 }, 502],
      ["html", {}, 502],
      ["html", { body: "The specified phrase is too short.\n" }, 502],
      ["html", { body: '{"articles":[{"url":"https://x.example","title":"cut' }, 502],
      ["empty", {}, 502],
      ["wrong_shape", { body: '{"articles":{}}' }, 502],
      ["truncated", { bytes: 20 }, 502],
      ["reset", {}, 502],
      ["huge", { bytes: 9_000_000 }, 502],
      ["stall", { bytes: 5 }, 504],
    ] as const) {
      own.clock.set(`2026-09-${day++}T12:00:00Z`);
      own.sample.dials.clear();
      own.sample.dials.set([{ fault: error, match: ARCHIVE, ...more }]);
      own.clock.setSpeed(error === "stall" ? 20 : undefined);
      expect([error, (await collect("ZORP", { event_date: "2026-09-04" }, own)).status]).toEqual([
        error,
        status,
      ]);
      expect((await news("ZORP", "2026-09-04", own)).newsarchive_status).toBe("not_collected");
    }
    await own.stop();
  });
});

test("the answers are as documented", async () => {
  for (const [path, body, status] of [
    ["resolve/{ticker}", {}, 200],
    ["resolve/{ticker}", { force: "maybe" }, 422],
    ["entity/{ticker}/override", { encyc_title: "Zorp Dynamics" }, 200],
    ["entity/{ticker}/override", { encyc_title: "No such article" }, 400],
    ["collect/encyc/{ticker}", { days: 3 }, 200],
    ["collect/newsarchive/{ticker}", { event_date: "2026-09-04" }, 200],
  ] as const) {
    const operation = document.operation("POST", `${ADMIN}/${path}`);
    const response = await service.fetch(`${ADMIN}/${path.replace("{ticker}", "ZORP")}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect([path, response.status]).toEqual([path, status]);
    expect(await faultsOfAnswer(document, operation, response)).toEqual([]);
  }
});
