// Ingesting news: each article once, changes as later versions, failing providers beside working ones.
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import {
  type Article,
  EXCHANGES,
  type Ingested,
  ingest,
  KEYS,
  list,
  N,
  nasdaqFeed,
  rawArticles,
  rawFeed,
  WIRE,
  yahooFeed,
} from "../support/news-world.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

/** For tests that need no store of their own: each asks for its own days and tickers. */
let shared: SampleService;
beforeAll(async () => {
  shared = await openSampleService({ env: KEYS });
});
afterAll(() => shared.stop());

const open: SampleService[] = [];
async function opened(env: Record<string, string> = {}, at?: string): Promise<SampleService> {
  const service = await openSampleService({ env, ...(at ? { at } : {}) });
  open.push(service);
  return service;
}
afterEach(async () => {
  for (const service of open.splice(0)) await service.stop();
});

const resultOf = ({ results }: Ingested, provider: string) => {
  const found = results.find((result) => result.provider === provider);
  if (!found) throw new Error(`no result of ${provider}`);
  return found;
};
const stored = async (service: SampleService) => (await list(service, "?limit=500")).data;
interface State {
  provider: string;
  enabled: boolean;
  configured: boolean;
  last_poll_at: string | null;
  last_success_at: string | null;
  last_error: string | null;
  articles_24h: number;
  tickers_read: number | null;
}
const states = async (service: SampleService) => {
  const { body } = await service.get<State[]>(`${N}/providers`);
  return new Map(body.map((state) => [state.provider, state]));
};

test("an unknown ticker is dropped, and followed again when it is requested after a week", async () => {
  const service = await opened();
  expect((await service.post("/api/v1/universe/admin/discover", {})).status).toBe(200);
  const read = async () => {
    const all = await states(service);
    return ["yahoo", "nasdaq"].map((name) => all.get(name)?.tickers_read);
  };
  expect((await list(service, "/NOSUCH")).warnings.at(-1)).toContain("not been read for NOSUCH yet");
  await list(service, "/ZORP");
  expect(await read()).toEqual([2, 2]);
  await ingest(service);
  expect(await read()).toEqual([1, 1]);
  // A repeated request does not follow it again, and a warning explains the empty answer.
  const { data, warnings } = await list(service, "?tickers=NOSUCH,ZORP");
  expect(data.every(({ tickers }) => tickers.includes("ZORP"))).toBe(true);
  expect(warnings).toEqual([
    "nothing_there: The feeds by symbol (yahoo, nasdaq) do not know NOSUCH; they are asked again after a week.",
  ]);
  expect(await read()).toEqual([1, 1]);
  service.clock.set("2026-09-17T21:00:00Z");
  expect((await list(service, "/NOSUCH")).warnings).toEqual([
    "nothing_there: No stored article matches, or the page lies behind the last one.",
  ]);
  expect(await read()).toEqual([2, 2]);
});

test("without keys: press releases, and the feeds of requested tickers", async () => {
  const service = await opened();
  const first = await ingest(service);
  expect(first.status).toBe("succeeded");
  expect(first.results.map(({ provider }) => provider)).toEqual(["globenewswire", "yahoo", "nasdaq"]);
  const feeds = await Promise.all([WIRE, ...EXCHANGES].map((feed) => rawFeed(service, feed)));
  const numbers = feeds.flatMap(({ items }) => items.map(({ number }) => number));
  const wire = resultOf(first, "globenewswire");
  expect([wire.fetched, wire.inserted, wire.duplicates]).toEqual([
    ...[numbers.length, new Set(numbers).size, numbers.length - new Set(numbers).size],
  ]);
  for (const name of ["yahoo", "nasdaq"])
    expect(resultOf(first, name)).toMatchObject({ fetched: 0, error: null });
  // The next poll reads the feeds of a requested ticker.
  await list(service, "/ZORP");
  const second = await ingest(service);
  const yahoo = await rawFeed(service, yahooFeed("ZORP"));
  expect(resultOf(second, "yahoo").fetched).toBe(yahoo.items.length);
  expect(resultOf(second, "nasdaq").fetched).toBe((await rawFeed(service, nasdaqFeed("ZORP"))).items.length);
  expect(resultOf(second, "globenewswire")).toMatchObject({ inserted: 0, duplicates: numbers.length });
  // A second time, nothing is stored twice.
  const before = await stored(service);
  const third = await ingest(service);
  for (const { inserted, updated, fetched, duplicates } of third.results)
    expect([inserted, updated, duplicates]).toEqual([0, 0, fetched]);
  expect(await stored(service)).toEqual(before);
});

test("a new installation polls the most active stocks and the tracked universe, each at its turn", async () => {
  const service = await opened();
  expect((await service.post("/api/v1/universe/admin/discover", {})).status).toBe(200);
  const poll = async () => {
    const before = service.sample.traffic().requests.length;
    expect(await service.app().jobs.runNow("news-poll").done).toMatchObject({ outcome: "succeeded" });
    return service.sample
      .traffic()
      .requests.slice(before)
      .flatMap(({ url }) => /headline\?s=([^&]+)/.exec(url)?.[1] ?? []);
  };
  // Nothing was requested before: neither news nor the list of the most active.
  const [first, second] = [await poll(), await poll()];
  const active = await service.get<{ symbol: string }[]>("/api/v1/stocks/most-active?limit=20");
  expect(first).toHaveLength(20);
  expect(first.slice(0, 3)).toEqual(active.body.slice(0, 3).map(({ symbol }) => symbol));
  // A ticker that was read is not read again within the hour.
  expect(second.filter((symbol) => first.includes(symbol))).toEqual([]);
  // A requested ticker comes first.
  const [asked = ""] = first.slice(-1);
  await list(service, `/${asked}`);
  service.clock.set("2026-09-10T14:00:00Z");
  expect((await poll())[0]).toBe(asked);
});

test("for an unknown symbol Nasdaq sends its general feed, which is discarded", async () => {
  const service = await opened();
  const raw = await rawFeed(service, nasdaqFeed("NOSUCH"));
  expect(raw.items.length).toBeGreaterThan(0);
  expect(raw.title).not.toContain("NOSUCH");
  const run = await ingest(service, { providers: ["nasdaq", "yahoo"], tickers: ["NOSUCH"] });
  expect(run).toMatchObject({ status: "succeeded" });
  expect(run.results.map(({ fetched, error }) => [fetched, error])).toEqual([
    [0, null],
    [0, null],
  ]);
  expect(await stored(service)).toEqual([]);
  // Not every poll asks for it again.
  const asked = () => service.sample.traffic().by_path["www.nasdaq.com/feed/rssoutbound"] ?? 0;
  const before = asked();
  await ingest(service);
  expect(asked()).toBe(before);
  expect((await states(service)).get("nasdaq")?.tickers_read).toBe(0);
});

test("a changed article is a later version; an earlier as_of has the earlier version", async () => {
  const service = await opened(KEYS, "2026-09-09T21:00:00Z");
  const day = { start: "2026-09-01T04:00:00Z", end: "2026-09-15T00:00:00Z" };
  const changing = (await rawArticles(service, day.start, day.end)).find(
    ({ updated_at, created_at }) => updated_at !== created_at,
  );
  if (!changing) throw new Error("the sample has changing articles");
  const minutesAfter = (minutes: number) =>
    new Date(Date.parse(changing.created_at) + minutes * 60_000).toISOString();
  service.clock.set(minutesAfter(5));
  await ingest(service, { providers: ["alpaca"] });
  const find = async (query = "") =>
    (await list(service, `?limit=500${query}`)).data.find(
      (row) => row.provider_article_id === String(changing.id),
    );
  const first = await find();
  expect(first?.headline).not.toContain("(updated)");
  const asOf = service.clock.now().toString();
  service.clock.set(minutesAfter(50));
  const again = resultOf(await ingest(service, { providers: ["alpaca"] }), "alpaca");
  expect(again.updated).toBeGreaterThan(0);
  const second = await find();
  expect(second).toMatchObject({
    id: first?.id,
    headline: `${first?.headline} (updated)`,
    published_at: changing.created_at,
    updated_at: changing.updated_at,
    ingested_at: first?.ingested_at,
    revision: 2,
  });
  expect(await find(`&as_of=${asOf}`)).toEqual(first as Article);
  // Before its first ingest it was not known here, although it was published.
  expect(await find(`&as_of=${changing.created_at}`)).toBeUndefined();
  // Both versions stay in the lake.
  await service.reopen();
  expect(await find(`&as_of=${asOf}`)).toEqual(first as Article);
});

test("a backfill reads past days page by page; providers without history report that", async () => {
  const service = shared;
  const ask = { start_date: "2026-08-10", end_date: "2026-08-11", tickers: undefined };
  const run = await ingest(service, ask, "backfill");
  const raw = await rawArticles(service, "2026-08-10T04:00:00Z", "2026-08-12T03:59:59Z");
  expect(raw.length).toBeGreaterThan(5);
  expect(resultOf(run, "alpaca")).toMatchObject({ fetched: raw.length, inserted: raw.length, error: null });
  expect(run.status).toBe("partial");
  for (const name of ["globenewswire", "yahoo"]) {
    expect(resultOf(run, name)).toMatchObject({ fetched: 0 });
    expect(resultOf(run, name).error).toContain("no history");
  }
  const { data } = await list(service, "?start_date=2026-08-10&end_date=2026-08-11&limit=500");
  expect(data.map(({ provider_article_id }) => provider_article_id).toSorted()).toEqual(
    raw
      .filter(({ created_at }) => created_at >= "2026-08-10T04" && created_at < "2026-08-12T04")
      .map(({ id }) => String(id))
      .toSorted(),
  );
  // It is known from now on, not from its publication on.
  expect((await list(service, "?as_of=2026-08-31")).total).toBe(0);
  const others = await ingest(service, { providers: ["globenewswire"] }, "backfill");
  expect(others.status).toBe("failed");
});

test("a long backfill continues after its answer, and a second one meanwhile is refused", async () => {
  const service = shared;
  const document = await apiDocument(service);
  const body = { start_date: "2026-06-10", end_date: "2026-08-07", providers: ["alpaca"] };
  const post = (path: string, of: object) =>
    service.fetch(`${N}/admin/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(of),
    });
  const begun = await post("backfill", body);
  expect(begun.status).toBe(202);
  expect(
    await faultsOfAnswer(document, document.operation("POST", `${N}/admin/backfill`), begun.clone()),
  ).toEqual([]);
  const { run_id } = (await begun.json()) as Ingested;
  const second = await post("backfill", body);
  expect([second.status, ((await second.json()) as { code: string }).code]).toEqual([409, "already_running"]);
  type Runs = { data: { id: number; outcome: string; rows: number }[] };
  let run: Runs["data"][number] | undefined;
  while (!run || run.outcome === "running") {
    await Bun.sleep(20);
    const { body: runs } = await service.get<Runs>("/api/v1/scheduler/runs?limit=50");
    run = runs.data.find(({ id }) => id === run_id);
  }
  const raw = await rawArticles(service, "2026-06-10T04:00:00Z", "2026-08-08T03:59:59Z");
  expect(run).toMatchObject({ outcome: "succeeded", rows: raw.length });
  expect(
    (await list(service, "?provider=alpaca&start_date=2026-06-10&end_date=2026-08-07&limit=1")).total,
  ).toBe(raw.length);
});

describe("a failing provider does not affect the others", () => {
  /** Each way on a day of its own, so that no breaker is open, and with a ticker of its own. */
  const ways: readonly (readonly [what: string, dial: Record<string, unknown>, description: RegExp])[] = [
    ["is down", { fault: "status", status: 503 }, /status 503/],
    ["sends a page", { fault: "html" }, /HTML page/],
    ["sends nothing", { fault: "empty" }, /empty/],
    ["is cut off", { fault: "truncated", bytes: 900 }, /./],
    ["sends without end", { fault: "huge" }, /./],
    ["refuses", { fault: "rate_limited" }, /429/],
    [
      "sends another document",
      { fault: "html", body: '<?xml version="1.0"?><page><item/></page>' },
      /not a feed/,
    ],
    [
      "sends half a feed",
      { fault: "html", body: "<rss><channel><title>T</title><item><title>H</title><guid>g</guid>" },
      /malformed or cut off/,
    ],
    [
      "sends a bomb",
      { fault: "html", body: '<!DOCTYPE rss [<!ENTITY a "aaaa">]><rss><channel>&a;</channel></rss>' },
      /document type/,
    ],
  ];
  const tickers = ["ZORP", "QUIB", "WUZZL", "KRONK", "TRELB", "QUAFF", "SNARV", "FROBZ", "NURBL"];
  for (const [i, [what, dial, description]] of ways.entries())
    test(`globenewswire ${what}`, async () => {
      const service = shared;
      service.clock.set(`2026-09-${10 + i}T21:00:00Z`);
      service.sample.dials.clear();
      service.sample.dials.set([{ ...dial, match: "globenewswire.com" } as never]);
      const run = await ingest(service, { tickers: [tickers[i]] });
      service.sample.dials.clear();
      expect(run.status).toBe("partial");
      expect(resultOf(run, "globenewswire")).toMatchObject({ fetched: 0, inserted: 0 });
      expect(resultOf(run, "globenewswire").error).toMatch(description);
      expect(resultOf(run, "alpaca").error).toBeNull();
      expect(resultOf(run, "yahoo")).toMatchObject({ error: null });
      expect(resultOf(run, "yahoo").inserted).toBeGreaterThan(0);
      const rows = await stored(service);
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.filter(({ provider }) => provider === "globenewswire")).toEqual([]);
    });

  test("refused Yahoo headlines do not affect Yahoo prices", async () => {
    const service = await opened();
    service.sample.dials.set([{ fault: "rate_limited", match: "feeds.finance.yahoo.com" }]);
    const run = await ingest(service, { tickers: ["ZORP", "QUIB"] });
    expect(resultOf(run, "yahoo").error).toMatch(/refuses/);
    expect(resultOf(run, "nasdaq").error).toBeNull();
    expect((await service.get("/api/v1/price/latest/ZORP")).status).toBe(200);
    // And the other way round.
    service.sample.dials.clear();
    service.sample.dials.set([{ fault: "rate_limited", match: "query2.finance.yahoo.com" }]);
    service.clock.set("2026-09-09T23:30:00Z");
    expect((await service.get("/api/v1/price/data/WUZZL?period=7d")).status).toBe(429);
    expect(resultOf(await ingest(service, { tickers: ["KRONK"] }), "yahoo").error).toBeNull();
  });

  test("pages that arrived before a failure are stored, and the next poll reads the span again", async () => {
    const service = await opened(KEYS);
    const range = {
      start_date: "2026-08-03",
      end_date: "2026-08-20",
      providers: ["alpaca"],
      tickers: undefined,
    };
    service.sample.dials.set([{ fault: "status", status: 500, match: "v1beta1/news", skip: 2 }]);
    const begun = await service.post<Ingested>(`${N}/admin/backfill`, range);
    expect(begun.status).toBe(202);
    const outcome = async () => {
      type Runs = { data: { id: number; outcome: string }[] };
      const { body } = await service.get<Runs>("/api/v1/scheduler/runs?limit=50");
      return body.data.find(({ id }) => id === begun.body.run_id)?.outcome ?? "running";
    };
    while ((await outcome()) === "running") await Bun.sleep(20);
    expect(await outcome()).toBe("failed");
    expect((await list(service, "?limit=1")).total).toBe(100);
  });
});

test("the state of the providers", async () => {
  const service = await opened(KEYS);
  const before = await states(service);
  expect(
    [...before.values()].map(({ provider, enabled, configured }) => [provider, enabled, configured]),
  ).toEqual([
    ...[
      ["alpaca", true, true],
      ["globenewswire", true, true],
      ["yahoo", true, true],
      ["nasdaq", false, true],
    ],
  ]);
  expect(before.get("alpaca")).toMatchObject({
    last_poll_at: null,
    last_success_at: null,
    last_error: null,
    articles_24h: 0,
  });
  await ingest(service);
  service.sample.dials.set([{ fault: "status", status: 500, match: "globenewswire.com" }]);
  service.clock.set("2026-09-09T22:00:00Z");
  await ingest(service);
  const after = await states(service);
  const rows = await stored(service);
  const lastDay = rows.filter(
    (row) => Date.parse(row.published_at ?? row.ingested_at) >= service.clock.nowMs() - 86_400_000,
  );
  for (const name of ["alpaca", "globenewswire"])
    expect([name, after.get(name)?.articles_24h]).toEqual([
      name,
      lastDay.filter(({ provider }) => provider === name).length,
    ]);
  const wire = after.get("globenewswire");
  expect(wire?.last_error).toMatch(/500/);
  expect(Date.parse(wire?.last_success_at ?? "")).toBeLessThan(Date.parse(wire?.last_poll_at ?? ""));
  expect(after.get("alpaca")?.last_error).toBeNull();
  // A filtered ingest is not a poll and does not change what the next poll reads.
  await ingest(service, { tickers: ["ZORP"] });
  expect((await states(service)).get("alpaca")?.last_poll_at).toBe(after.get("alpaca")?.last_poll_at ?? "");
  // Nasdaq is only the replacement.
  const run = await ingest(service, { providers: ["nasdaq"] });
  expect(run).toMatchObject({ status: "failed" });
  expect(resultOf(run, "nasdaq").error).toContain("not enabled");
});

test("without keys the brokerage feed reports what it needs, with wrong keys what is wrong", async () => {
  const bare = await ingest(await opened(), { providers: ["alpaca"] }, "backfill");
  expect(resultOf(bare, "alpaca").error).toContain("MARKETFEED_API_KEY");
  const wrong = await ingest(await opened({ ...KEYS, MARKETFEED_API_KEY: "wrong" }), {
    providers: ["alpaca"],
  });
  expect(resultOf(wrong, "alpaca").error).toContain("refused the keys");
});

test("the jobs: every five minutes, and once a day", async () => {
  const service = await opened(KEYS);
  const { jobs } = service.app();
  const news = jobs.list().filter(({ name }) => /^news-(?:poll|backfill)$/.test(name));
  expect(news.map(({ name, schedule }) => [name, schedule])).toEqual([
    ["news-poll", "*/5 * * * *"],
    ["news-backfill", "35 3 * * *"],
  ]);
  const backfill = await jobs.runNow("news-backfill").done;
  const week = new Date(service.clock.nowMs() - 7 * 86_400_000).toISOString();
  const raw = await rawArticles(service, week, "2026-09-09T21:00:00Z");
  expect(backfill).toMatchObject({ outcome: "succeeded" });
  expect(Math.abs((backfill?.rows ?? 0) - raw.length)).toBeLessThanOrEqual(1);
  const poll = await jobs.runNow("news-poll").done;
  expect(poll).toMatchObject({ outcome: "succeeded" });
  // After a week of downtime the next backfill goes back to where the last one ended.
  service.clock.set("2026-09-19T12:00:00Z");
  expect(await jobs.runNow("news-backfill").done).toMatchObject({ outcome: "succeeded" });
  const all = await rawArticles(service, "2026-09-10T04:00:00Z", "2026-09-18T04:00:00Z");
  const { data } = await list(
    service,
    "?provider=alpaca&start_date=2026-09-10&end_date=2026-09-17&limit=500",
  );
  const ids = new Set(data.map(({ provider_article_id }) => provider_article_id));
  expect(all.filter(({ id, created_at }) => created_at >= "2026-09-10T04" && !ids.has(String(id)))).toEqual(
    [],
  );
});

test("a poll fails when every provider failed", async () => {
  const service = await opened();
  service.sample.dials.set([{ fault: "status", status: 500, match: "globenewswire.com" }]);
  await list(service, "/ZORP");
  service.sample.dials.set([{ fault: "html", match: "rss" }]);
  const run = await service.app().jobs.runNow("news-poll").done;
  expect(run).toMatchObject({ outcome: "failed" });
  expect(run?.error).toContain("globenewswire");
});

test("contradictory and malformed bodies are refused", async () => {
  const service = shared;
  const codeOf = async (body: object, path = "backfill") => {
    const answer = await service.post<{ code?: string }>(`${N}/admin/${path}`, body);
    return [answer.status, answer.body.code];
  };
  expect(await codeOf({ start_date: "2026-09-01" })).toEqual([400, "invalid_date_range"]);
  expect(await codeOf({ start_date: "2026-09-02", end_date: "2026-09-01" }, "ingest")).toEqual([
    400,
    "invalid_date_range",
  ]);
  expect(await codeOf({ start_date: "2024-09-02", end_date: "2026-09-01" })).toEqual([
    400,
    "invalid_date_range",
  ]);
  expect((await codeOf({ providers: ["reuters"] }))[0]).toBe(422);
  expect((await codeOf({ tickers: [] }))[0]).toBe(422);
  expect((await codeOf({ tickers: ["A B"] }, "ingest"))[0]).toBe(422);
  expect((await codeOf({ tickers: Array.from({ length: 101 }, (_, i) => `T${i}`) }))[0]).toBe(422);
  expect((await codeOf({ start_date: "2026-02-30", end_date: "2026-03-01" }))[0]).toBe(422);
});

test("an ingest that names no provider is refused, not left to its deadline", async () => {
  const service = shared;
  const days = { start_date: "2026-09-01", end_date: "2026-09-02" };
  for (const [path, body] of [
    ["ingest", {}],
    ["backfill", days],
  ] as const) {
    const { status, body: answer } = await service.post<{ detail: unknown }>(`${N}/admin/${path}`, {
      ...body,
      providers: [],
    });
    expect([status, answer.detail]).toEqual([
      422,
      [
        {
          type: "too_short",
          loc: ["body", "providers"],
          msg: "List should have at least 1 item after validation, not 0",
          ctx: { field_type: "List", min_length: 1, actual_length: 0 },
        },
      ],
    ]);
  }
});
