// The overlay routes and their job on a made-up history: the formula by hand, no look-ahead, movers and
// topics.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { addDays } from "../../src/market/date.ts";
import { type ApiDocument, apiDocument, faultsOfAnswer } from "../support/api-document.ts";
import {
  batch,
  draws,
  figuresByHand,
  LAST,
  SESSIONS,
  settledAt,
  store,
  worldOf,
} from "../support/overlay-world.ts";
import { problemOf } from "../support/price-requests.ts";
import { openSampleService, type SampleService } from "../support/service.ts";

setDefaultTimeout(1_200_000);

type Numbers = Record<string, number | null>;
interface Scored {
  date: string;
  score: number;
  components: Numbers;
  figures: Numbers;
  missing: string[];
  weight_present: number;
  known_at: string;
}
interface Movers {
  date: string;
  previous_date: string | null;
  count: number;
  data: (Scored & {
    rank: number;
    ticker: string;
    name: string | null;
    previous_score: number | null;
    score_change: number | null;
    market_cap: number | null;
    topics: string[];
  })[];
}

const O = "/api/v1/overlay";
const WEIGHTS = {
  attention: 0.2,
  news: 0.15,
  short_volume: 0.2,
  insider: 0.15,
  volume: 0.15,
  momentum: 0.15,
};
const world = worldOf(20_260_909);
let service: SampleService;
let document: ApiDocument;

let runs = 0;
/** Runs the job late in the evening of a session. */
async function computeScore(date: string): Promise<number | null> {
  // Each run is later than the one before: with a clock set back, an old computation would be the newest.
  const at = Temporal.Instant.from(`${addDays(date, 1)}T02:50:00Z`).add({ minutes: ++runs });
  service.clock.set(at.toString());
  const run = await service.app().jobs.runNow("overlay-scores").done;
  expect(run).toMatchObject({ outcome: "succeeded" });
  return run?.rows ?? null;
}
const scoresOf = async (ticker: string, days = 200) =>
  (await service.get<{ data: Scored[] }>(`${O}/score/${ticker}?days=${days}`)).body.data ?? [];
const scoreOn = async (ticker: string, date: string) =>
  (await scoresOf(ticker)).find((row) => row.date === date);

beforeAll(async () => {
  service = await openSampleService({ at: "2026-09-10T02:50:00Z" });
  document = await apiDocument(service);
  await store(service.app().lake, world);
});
afterAll(() => service.stop());

const clamp = (value: number) => Math.min(100, Math.max(0, value));

/** Parts and score as the documentation describes them. */
function byHand(day: string) {
  const f = figuresByHand(world, day);
  const parts: Numbers = {
    attention: f.attention_z === null ? null : clamp(50 + (50 / 3) * f.attention_z),
    news: f.news_z === null ? null : clamp(50 + (50 / 3) * f.news_z),
    short_volume: f.short_volume_z === null ? null : clamp(50 + (50 / 3) * f.short_volume_z),
    insider: clamp(50 + (50 * f.insider_bought_usd) / 1_000_000),
    volume: f.relative_volume === null ? null : clamp(50 + 25 * Math.log2(f.relative_volume)),
    momentum: f.return_5d_percent === null ? null : clamp(50 + 2.5 * f.return_5d_percent),
  };
  const names = (Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[]).filter((name) => parts[name] !== null);
  const weight = names.reduce((sum, name) => sum + WEIGHTS[name], 0);
  const score = names.reduce((sum, name) => sum + WEIGHTS[name] * (parts[name] ?? 0), 0) / weight;
  return { figures: f, parts, score };
}

describe("the formula", () => {
  test("every part of the last session, computed by hand", async () => {
    await computeScore(LAST);
    const row = await scoreOn("OVA", LAST);
    if (!row) throw new Error("no score");
    const { figures, parts, score } = byHand(LAST);
    for (const [name, value] of Object.entries(figures)) {
      if (value === null) throw new Error(`${name} should be known`);
      expect(row.figures[name]).toBeCloseTo(value, 5);
    }
    for (const [name, value] of Object.entries(parts))
      expect(row.components[name]).toBeCloseTo(value ?? -1, 5);
    expect(row.score).toBeCloseTo(score, 6);
    expect(row.missing).toEqual([]);
    expect(row.weight_present).toBe(1);
    // The file of the day itself counts only from the day of the next session.
    expect((row.figures as Record<string, unknown>).short_volume_date).toBe(SESSIONS.at(-2));
  });

  test("six random days: later data does not change a day's score", async () => {
    const draw = draws(7);
    // From the first day that has twenty sessions before it.
    for (let i = 0; i < 6; i++) {
      const date = SESSIONS[22 + Math.floor(draw() * (SESSIONS.length - 23))] ?? LAST;
      await computeScore(date);
      service.clock.set("2026-09-10T03:55:00Z");
      expect((await scoreOn("OVA", date))?.score).toBeCloseTo(byHand(date).score, 6);
    }
  });

  test("a correction known later does not change an earlier day", async () => {
    const day = SESSIONS.at(-10) ?? LAST;
    await computeScore(day);
    service.clock.set("2026-09-10T03:55:00Z");
    const before = await scoreOn("OVA", day);
    const corrected = SESSIONS.at(-12) ?? LAST;
    const late = { date: corrected, known_at: `${LAST}T12:00:00Z`, facility: "CNMS" };
    await service
      .app()
      .lake.append([
        batch("short_volume", [{ ...late, symbol: "OVA", short_volume: 999_999, total_volume: 1e6 }]),
        batch("finra_files", [late]),
      ]);
    expect(await computeScore(day)).toBe(0);
    service.clock.set("2026-09-10T03:55:00Z");
    expect(await scoreOn("OVA", day)).toEqual(before);
    // The last session includes it.
    expect(await computeScore(LAST)).toBeGreaterThan(0);
    const [first, second] = await service
      .app()
      .lake.query<{ short_volume_z: number }>(
        "SELECT short_volume_z FROM overlay_scores WHERE symbol = 'OVA' AND date = DATE '2026-09-09' ORDER BY known_at",
      );
    expect(first?.short_volume_z).not.toBe(second?.short_volume_z);
  });

  test("a ratio that never changes has no deviation: missing, never infinite; its weight is spread", async () => {
    const row = await scoreOn("OVB", LAST);
    // Nothing else is known about OVB, so it has no score.
    expect(row).toBeUndefined();
    await service.app().lake.append([
      batch(
        "bars_daily",
        SESSIONS.slice(-25).map((date, i) => ({
          symbol: "OVB",
          date,
          basis_date: date,
          known_at: settledAt(date),
          close: 10 + i,
          adj_close: 10 + i,
          volume: 1_000,
        })),
      ),
    ]);
    await computeScore(LAST);
    const scored = await scoreOn("OVB", LAST);
    const momentum = clamp(50 + 2.5 * (33 / 28 - 1) * 100);
    expect(scored?.missing).toEqual(["attention", "news", "short_volume", "insider"]);
    expect(scored?.components).toMatchObject({ short_volume: null, volume: 50 });
    expect(scored?.components.momentum).toBeCloseTo(momentum, 6);
    expect(scored?.score).toBeCloseTo((50 + momentum) / 2, 6);
    expect(scored?.weight_present).toBeCloseTo(0.3, 9);
  });

  test("bars fetched later count from the open of the next session, unless their basis then is uncertain", async () => {
    const bars = (symbol: string, basisOf: (date: string) => string) =>
      SESSIONS.slice(-60).map((date) => ({
        symbol,
        date,
        basis_date: basisOf(date),
        known_at: "2026-09-09T21:00:00Z",
        close: 10,
        adj_close: 10,
        volume: 1_000,
      }));
    await service
      .app()
      .lake.append([batch("bars_daily", [...bars("OVC", (date) => date), ...bars("OVD", () => LAST)])]);
    const early = SESSIONS.at(-5) ?? LAST;
    await computeScore(early);
    await computeScore(LAST);
    const days = async (symbol: string) => (await scoresOf(symbol)).map(({ date }) => date);
    expect(await days("OVC")).toEqual(expect.arrayContaining([LAST, early]));
    expect(await days("OVD")).toEqual([LAST]);
  });

  test("an unchanged computation adds nothing", async () => {
    await computeScore(LAST);
    expect(await computeScore(LAST)).toBe(0);
  });
});

describe("routes", () => {
  test("movers: the newest day against the day before, up and down separately", async () => {
    const before = SESSIONS.at(-2) ?? LAST;
    await computeScore(before);
    await computeScore(LAST);
    const ask = async (query: string) => (await service.get<Movers>(`${O}/top-movers${query}`)).body;
    const both = await ask("");
    expect(both).toMatchObject({ date: LAST, previous_date: before });
    const ova = both.data.find(({ ticker }) => ticker === "OVA");
    const [now, then] = [await scoreOn("OVA", LAST), await scoreOn("OVA", before)];
    expect(ova).toMatchObject({ name: "Ovalia Inc.", score: now?.score, previous_score: then?.score });
    expect(ova?.score_change).toBeCloseTo((now?.score ?? 0) - (then?.score ?? 0), 9);
    expect(both.data.map(({ rank }) => rank)).toEqual(both.data.map((_, i) => i + 1));
    for (const { score_change } of (await ask("?direction=up")).data) expect(score_change).toBeGreaterThan(0);
    for (const { score_change } of (await ask("?direction=down")).data) expect(score_change).toBeLessThan(0);
    expect((await ask("?limit=1")).count).toBe(1);
    expect((await ask("?min_market_cap=1e9")).data.map(({ ticker }) => ticker)).toEqual(["OVA"]);
    expect((await ask("?min_market_cap=1e10")).data).toEqual([]);
    // A market capitalization that became known after the day does not count.
    const later = { symbol: "OVA", name: "Ovalia Inc.", known_at: "2026-09-10T05:00:00Z" };
    await service
      .app()
      .lake.append([batch("companies", [{ ...later, market_cap: 9e12, market_cap_currency: "USD" }])]);
    expect((await ask("?min_market_cap=1e10")).data).toEqual([]);
    expect((await ask("?min_market_cap=1e9")).data.map(({ market_cap }) => market_cap)).toEqual([5e9]);
    expect((await ask(`?date=${before}`)).date).toBe(before);
  });

  test("answers match the API document, also as csv", async () => {
    for (const [path, template] of [
      [`${O}/top-movers`, "/api/v1/overlay/top-movers"],
      [`${O}/score/OVA`, "/api/v1/overlay/score/{ticker}"],
      [`${O}/topics`, "/api/v1/overlay/topics"],
      [`${O}/admin/health`, "/api/v1/overlay/admin/health"],
      [`${O}/score/NOPEQ`, "/api/v1/overlay/score/{ticker}"],
    ] as const)
      expect(
        await faultsOfAnswer(document, document.operation("GET", template), await service.fetch(path)),
      ).toEqual([]);
    const csv = await (await service.fetch(`${O}/score/OVA?format=csv`)).text();
    expect(csv.split("\n")[0]).toStartWith("date,symbol,score,attention,");
  });

  test("no score: 404; bad input: 422", async () => {
    expect(await problemOf(await service.fetch(`${O}/score/NOPEQ`), 404)).toMatchObject({ code: "no_data" });
    expect(await problemOf(await service.fetch(`${O}/top-movers?date=2026-09-06`), 404)).toMatchObject({
      code: "no_data",
    });
    for (const query of [
      "limit=0",
      "limit=201",
      "direction=sideways",
      "window_days=0",
      "date=2026-02-30",
      "min_market_cap=-1",
    ])
      expect((await service.get(`${O}/top-movers?${query}`)).status).toBe(422);
    expect((await service.get(`${O}/score/%20`)).status).toBe(422);
    expect((await service.get(`${O}/score/OVA?days=0`)).status).toBe(422);
  });

  test("health: the last run, and which inputs are old", async () => {
    const { body } = await service.get<{
      status: string;
      tickers_scored: number;
      last_date: string;
      stale_inputs: { input: string; last_date: string | null }[];
    }>(`${O}/admin/health`);
    expect(body).toMatchObject({ status: "healthy", last_date: LAST, stale_inputs: [], weights: WEIGHTS });
    // On a Monday evening the newest possible bars are Friday's.
    await service
      .app()
      .lake.append([
        batch("bars_daily", [
          { symbol: "OVD", date: "2026-09-11", basis_date: "2026-09-11", known_at: "2026-09-14T15:00:00Z" },
        ]),
      ]);
    const staleAt = async (at: string) => {
      service.clock.set(at);
      const { stale_inputs } = (await service.get<typeof body>(`${O}/admin/health`)).body;
      return stale_inputs.map(({ input }) => input);
    };
    expect(await staleAt("2026-09-14T22:00:00Z")).not.toContain("bars");
    expect(await staleAt("2026-09-15T22:00:00Z")).toContain("bars");
    service.clock.set("2026-09-21T22:00:00Z");
    const later = (await service.get<typeof body>(`${O}/admin/health`)).body;
    expect(later.status).toBe("degraded");
    expect(later.stale_inputs.map(({ input }) => input).sort()).toEqual([
      "attention",
      "bars",
      "insider",
      "news",
      "short_volume",
    ]);
    service.clock.set("2026-09-10T03:55:00Z");
  });

  test("topics: seeded, counted, replaced, shown with the movers", async () => {
    const seed = (body: unknown) =>
      service.post<{ created: number; updated: number; total: number }>(`${O}/admin/seed-topics`, body);
    const topics = [{ name: "Oval things", tickers: ["ova", "brk-b"], keywords: [" egg ", "egg"] }];
    expect((await seed({ topics })).body).toEqual({ created: 1, updated: 0, total: 1 });
    expect((await seed({ topics: [...topics, { name: "Other" }] })).body).toEqual({
      created: 1,
      updated: 1,
      total: 2,
    });
    const list = (await service.get<{ data: unknown[] }>(`${O}/topics`)).body;
    expect(list.data).toContainEqual({
      topic_id: "oval-things",
      name: "Oval things",
      keywords: ["egg"],
      encyc_titles: [],
      tickers: ["OVA", "BRK.B"],
    });
    const movers = (await service.get<Movers>(`${O}/top-movers?limit=200`)).body;
    expect(movers.data.find(({ ticker }) => ticker === "OVA")?.topics).toEqual(["oval-things"]);
    expect((await seed({ topics, replace: true })).body).toEqual({ created: 0, updated: 1, total: 1 });
    expect((await seed({})).body.total).toBeGreaterThan(5);
    expect((await seed({ topics: [{ name: "---" }] })).status).toBe(400);
    expect((await seed({ topics: [{ name: "x", tickers: ["NO GOOD"] }] })).status).toBe(400);
    expect((await seed({ topics: [{}] })).status).toBe(422);
  });
});
